"""When modules run: periods, changes of slots, events; nobody waits for another, and lateness is counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from voyager_agents.piano.module import Module

NEVER = float("inf")
GRAIN = 1000
"""Lateness is counted in thousandths of a second."""


@dataclass
class ModuleAccount:
    """Costs of one module in one life."""

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
    """Return the value below which that share of all lies."""
    seen = 0
    for value, count in ranked:
        seen += count
        if seen >= share * total:
            return value / GRAIN
    return 0.0


@dataclass(slots=True)
class _Timed:
    """When one module runs next."""

    module: Module
    name: str
    account: ModuleAccount
    every: float | None
    least: float
    events: tuple[str, ...]
    due: float
    """When it is due by its period."""
    began: float = -NEVER
    stirred: bool = False
    """True if a change makes it run, as soon as it may."""


class Schedule:
    """The modules of one mind, in the order in which those that are due at once run."""

    def __init__(self, modules: Sequence[Module], first: Callable[[float], float] | None = None) -> None:
        """`first` tells of a period when it is over for the first time; without it at once."""
        self.modules = list(modules)
        self.accounts = {module.name: ModuleAccount() for module in modules}
        self._timed: list[_Timed] = []
        self._watchers: dict[str, list[_Timed]] = {}
        for module in modules:
            when, name = module.when, module.name
            every = when.every_s
            due = NEVER if every is None else 0.0 if first is None else first(every)
            timed = _Timed(module, name, self.accounts[name], every, when.least_s, when.events, due)
            self._timed.append(timed)
            for slot in when.changes:
                self._watchers.setdefault(slot, []).append(timed)

    def changed(self, slot: str) -> None:
        """Note that the slot has changed."""
        for each in self._watchers.get(slot, ()):
            each.stirred = True

    def turn(self, now: float, events: Collection[str], busy: Collection[str]) -> Iterator[Module]:
        """Yield the modules to run now, each when those before it have run; none that is busy. They count as begun."""
        for each in self._timed:
            # Most are left alone in most turns.
            if each.due > now and not events and not each.stirred:
                continue
            if each.name not in busy and _is_due(each, now, events):
                _begins(each, now)
                yield each.module

    def next_s(self, now: float, beat_s: float, busy: Collection[str]) -> float:
        """When to look again, at the latest: what is stirred waits for its time, what is busy for its call."""
        soonest, found = now + beat_s, None
        for each in self._timed:
            if busy and each.name in busy:
                continue
            at = min(each.due, each.began + each.least) if each.stirred else each.due
            if at <= soonest:
                return soonest
            if found is None or at < found:
                found = at
        return max(soonest, now + 1.0 if found is None else found)


def _is_due(each: _Timed, now: float, events: Collection[str]) -> bool:
    """Return whether it is to run now."""
    roused = bool(events) and any(event in events for event in each.events)
    if now - each.began < each.least:
        each.stirred = each.stirred or roused
        return False
    return each.due <= now or each.stirred or roused


def _begins(each: _Timed, now: float) -> None:
    """Note that the module runs now."""
    account, every, due = each.account, each.every, each.due
    account.runs += 1
    if due <= now:
        account.late[0 if due == now else round((now - due) * GRAIN)] += 1
    each.began = now
    each.stirred = False
    if every is not None:
        # From its own beat, so that what is late once does not shift what comes after.
        after = due + every if due <= now else now + every
        each.due = after if after > now else now + every
