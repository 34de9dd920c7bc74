"""Scheduler of an agent's modules: runs by period, slot change or event, without blocking, and measures lateness."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

from voyager_agents.piano.module import Module

NEVER = float("inf")
GRAIN = 1000
"""Units of lateness per second: lateness is counted in milliseconds."""


@dataclass
class ModuleAccount:
    """Counts of one module over a run of its agent."""

    runs: int = 0
    calls: int = 0
    """Questions to the model."""
    stale: int = 0
    """Answers dropped because their purpose had changed."""
    unreadable: int = 0
    """Answers that could not be parsed."""
    faults: int = 0
    skipped: int = 0
    """Calls skipped because nothing that the module reads had changed."""
    late: Counter[int] = field(default_factory=Counter)
    """Lateness of a periodic run in milliseconds -> number of runs."""

    def to_dict(self) -> dict[str, float]:
        """Return the counts for the record, with lateness in game seconds."""
        total = sum(self.late.values())
        ranked = sorted(self.late.items())
        mean = sum(value * count for value, count in ranked) / total / GRAIN if total else 0.0
        counts = {key: float(getattr(self, key)) for key in ("runs", "calls", "stale", "unreadable", "faults")}
        late = {
            "late_mean": round(mean, 3),
            "late_p99": _share(ranked, total, 0.99),
            "late_most": _share(ranked, total, 1),
        }
        return {**counts, **({"skipped": float(self.skipped)} if self.skipped else {}), **late}


def _share(ranked: Sequence[tuple[int, int]], total: int, share: float) -> float:
    """Return the quantile of lateness for `share`, 0 to 1, in seconds."""
    seen = 0
    for value, count in ranked:
        seen += count
        if seen >= share * total:
            return value / GRAIN
    return 0.0


@dataclass(slots=True)
class _Timed:
    """Scheduling state of one module."""

    module: Module
    name: str
    account: ModuleAccount
    every: float | None
    least: float
    events: tuple[str, ...]
    due: float
    """Game time of the next periodic run, in seconds; infinite without a period."""
    began: float = -NEVER
    """Game time at which the last run began, in seconds."""
    stirred: bool = False
    """True if a slot change or event has triggered a run that has not begun yet."""


class Schedule:
    """Schedule of one agent's modules. Modules that are due at the same time run in the given order."""

    def __init__(self, modules: Sequence[Module], first: Callable[[float], float] | None = None) -> None:
        """Create the schedule.

        Args:
            modules: The modules, in the order in which they run.
            first: Returns the first due time of a period, both in seconds; without it periodic modules are due at 0.
        """
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
        """Trigger a run of every module that watches the slot."""
        for each in self._watchers.get(slot, ()):
            each.stirred = True

    def turn(self, now: float, events: Collection[str], busy: Collection[str]) -> Iterator[Module]:
        """Yield the modules to run in this turn, and record each run as begun.

        Modules are checked one by one, which lets a run trigger later modules of the same turn.

        Args:
            now: Current game time, in seconds.
            events: Events of this turn.
            busy: Names of modules with a pending call; they are skipped.
        """
        for each in self._timed:
            # Fast path: most modules are not due in most turns.
            if each.due > now and not events and not each.stirred:
                continue
            if each.name not in busy and _is_due(each, now, events):
                _begins(each, now)
                yield each.module

    def next_s(self, now: float, beat_s: float, busy: Collection[str]) -> float:
        """Return the game time of the next turn, in seconds: the earliest time at which a module may be due.

        A triggered module counts from the end of its `least_s`. Busy modules are ignored.
        """
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
    """Return whether the module is to run now. A trigger within `least_s` is kept for later."""
    roused = bool(events) and any(event in events for event in each.events)
    if now - each.began < each.least:
        each.stirred = each.stirred or roused
        return False
    return each.due <= now or each.stirred or roused


def _begins(each: _Timed, now: float) -> None:
    """Record a run that begins now, and set the next due time."""
    account, every, due = each.account, each.every, each.due
    account.runs += 1
    if due <= now:
        account.late[0 if due == now else round((now - due) * GRAIN)] += 1
    each.began = now
    each.stirred = False
    if every is not None:
        # Count from the due time: one late run does not shift the later ones.
        after = due + every if due <= now else now + every
        each.due = after if after > now else now + every
