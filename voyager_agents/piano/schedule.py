"""When modules run: periods, changes of slots, events; nobody waits for another, and lateness is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from voyager_agents.piano.module import Module

NEVER = float("inf")
GRAIN = 1000
"""Lateness is counted in thousandths of a second."""


@dataclass
class Account:
    """What one module took in one life."""

    runs: int = 0
    calls: int = 0
    stale: int = 0
    unreadable: int = 0
    faults: int = 0
    late: Counter[int] = field(default_factory=Counter)
    """Lateness in thousandths of a second -> how often."""

    def plain(self) -> dict[str, float]:
        """For the record; lateness in game seconds."""
        total = sum(self.late.values())
        ranked = sorted(self.late.items())
        mean = sum(value * count for value, count in ranked) / total / GRAIN if total else 0.0
        counts = {key: float(getattr(self, key)) for key in ("runs", "calls", "stale", "unreadable", "faults")}
        late = {
            "late_mean": round(mean, 3),
            "late_p99": _share(ranked, total, 0.99),
            "late_most": _share(ranked, total, 1),
        }
        return {**counts, **late}


def _share(ranked: Sequence[tuple[int, int]], total: int, share: float) -> float:
    """The value below which that share of all lies."""
    seen = 0
    for value, count in ranked:
        seen += count
        if seen >= share * total:
            return value / GRAIN
    return 0.0


class Schedule:
    """The modules of one mind, in the order in which those that are due at once run."""

    def __init__(self, modules: Sequence[Module], first: Callable[[float], float] | None = None) -> None:
        """`first` tells of a period when it is over for the first time; without it at once."""
        self.modules = list(modules)
        self.accounts = {module.name: Account() for module in modules}
        periods = {module.name: module.when.every_s for module in modules}
        self._due = {
            name: NEVER if every is None else 0.0 if first is None else first(every) for name, every in periods.items()
        }
        """When each is due by its period."""
        self._began = {module.name: -NEVER for module in modules}
        self._least = {module.name: module.when.least_s for module in modules}
        self._stirred: set[str] = set()
        """Modules that a change makes run, as soon as they may."""
        self._watchers: dict[str, list[str]] = {}
        for module in modules:
            for slot in module.when.changes:
                self._watchers.setdefault(slot, []).append(module.name)

    def changed(self, slot: str) -> None:
        """That slot holds something else now."""
        self._stirred.update(self._watchers.get(slot, ()))

    def is_due(self, module: Module, now: float, events: frozenset[str]) -> bool:
        """Whether it is to run now."""
        name, when = module.name, module.when
        if not events and self._due[name] > now and name not in self._stirred:
            return False
        if now - self._began[name] < when.least_s:
            if events and not events.isdisjoint(when.events):
                self._stirred.add(name)
            return False
        return self._due[name] <= now or name in self._stirred or (bool(events) and not events.isdisjoint(when.events))

    def begins(self, module: Module, now: float) -> None:
        """It runs now."""
        name, every = module.name, module.when.every_s
        account = self.accounts[name]
        account.runs += 1
        due = self._due[name]
        if due <= now:
            account.late[round((now - due) * GRAIN)] += 1
        self._began[name] = now
        self._stirred.discard(name)
        if every is not None:
            # From its own beat, so that what is late once does not shift what comes after.
            after = due + every if due <= now else now + every
            self._due[name] = after if after > now else now + every

    def next_s(self, now: float, beat_s: float, busy: Iterable[str]) -> float:
        """When to look again, at the latest: what is stirred waits for its time, what is busy for its call."""
        waiting = set(busy)
        times = [due for name, due in self._due.items() if name not in waiting] if waiting else list(self._due.values())
        times += [self._began[name] + self._least[name] for name in self._stirred if name not in waiting]
        return max(now + beat_s, min(times, default=now + 1.0))
