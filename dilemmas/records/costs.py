"""What models cost in a run and what went wrong with them, by player and role: for result.json.

Calls, tokens and dollars are those of the event log. Retries and waits belong to the endpoint of that day, not to the
experiment: they stand in calls.jsonl alone. Faults are answers of no use, by which a player harmed itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from common.lines import read_lines
from common.text import read_json
from dilemmas.errors import RecordError
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from voyager_agents.registry import JUDGE, NEGOTIATOR, RATER
from voyager_agents.thought_events import Unusable

Asker = tuple[str, str, str]
"""Player, role, model."""
Role = tuple[str, str]
"""Player and role."""
FAULTY = ("players_placed", "mind", "mind_step", "negotiation", "terms_typed", "verdict", "life_rated")
"""Kinds of events that tell of faults."""


@dataclass
class CallTotals:
    """What calls have used."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    """Of calls with a known price."""
    unpriced: int = 0
    """Calls without one."""

    def count(self, called: log.ModelCalled) -> None:
        """One call that was answered."""
        self.add(CallTotals(1, called.tokens, called.usd or 0.0, int(called.usd is None)))

    def add(self, other: CallTotals) -> None:
        """Those of another tally."""
        self.calls += other.calls
        self.tokens += other.tokens
        self.usd += other.usd
        self.unpriced += other.unpriced


@dataclass
class Trouble:
    """What went wrong on the way to a model."""

    retries: int = 0
    """Tries that failed and were repeated."""
    limited: int = 0
    """Of them after a 429."""
    waited_s: float = 0.0
    """Pauses between tries."""
    unanswered: int = 0
    """Calls without an answer."""

    def add(self, entry: Mapping[str, Any]) -> None:
        """One line of calls.jsonl."""
        self.retries += int(entry.get("retries", 0))
        self.limited += int(entry.get("limited", 0))
        self.waited_s += float(entry.get("waited_s", 0.0))
        self.unanswered += "error" in entry


@dataclass(frozen=True)
class RoleCost:
    """What a model cost in one role of one player."""

    player: str
    role: str
    model: str
    calls: int
    tokens: int
    usd: float | None
    """None where a call had no known price."""
    faults: int
    """Answers of no use."""
    retries: int
    limited: int
    waited_s: float
    unanswered: int
    """Calls that ended in an error."""

    def plain(self) -> dict[str, Any]:
        """For result.json."""
        return asdict(self)


@dataclass
class _Found:
    trouble: dict[Asker, Trouble] = field(default_factory=dict)
    faults: Counter[Role] = field(default_factory=Counter)


def costs(directory: Path, tallies: Mapping[Asker, CallTotals]) -> list[RoleCost]:
    """By player, role and model, in the order in which they were first asked; what failed every time is told too.

    A role's faults stand with its first model. Raises RecordError when the record cannot be read.
    """
    found = _Found(_trouble(directory / "calls.jsonl"), faults(directory))
    askers = list(dict.fromkeys([*tallies, *found.trouble]))
    return [_cost(asker, tallies.get(asker, CallTotals()), found) for asker in askers]


def _cost(asker: Asker, tally: CallTotals, found: _Found) -> RoleCost:
    trouble = found.trouble.get(asker, Trouble())
    player, role, model = asker
    return RoleCost(
        player=player,
        role=role,
        model=model,
        calls=tally.calls,
        tokens=tally.tokens,
        usd=None if tally.unpriced else round(tally.usd, 6),
        faults=found.faults.pop((player, role), 0),
        retries=trouble.retries,
        limited=trouble.limited,
        waited_s=round(trouble.waited_s, 3),
        unanswered=trouble.unanswered,
    )


def _trouble(path: Path) -> dict[Asker, Trouble]:
    """Of every call in that file, line by line."""
    found: dict[Asker, Trouble] = {}
    try:
        for number, data, whole in read_lines(path) if path.exists() else ():
            try:
                entry = read_json(data.decode("utf-8"))
                asker = str(entry["player"]), str(entry["role"]), str(entry["model"])
                found.setdefault(asker, Trouble()).add(entry)
            except (ValueError, KeyError, TypeError, RecursionError):
                if whole:
                    raise RecordError(f"{path}, line {number}: is no model call of a run") from None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    return found


def faults(directory: Path) -> Counter[Role]:
    """Answers of no use, by who gave them, as the event log tells."""
    found: Counter[Role] = Counter()
    judge = JUDGE
    for line in read_events(directory / "events.jsonl", only=FAULTY):
        if isinstance(line.event, log.PlayersPlaced):
            judge = line.event.observer
        found.update(_faults(line.event, judge))
    return found


def _faults(event: log.Event, judge: str) -> Iterator[Role]:
    match event:
        case log.MindTold(step=Unusable() as step):
            yield event.player, step.role
        case log.MindTold(step=step) if step.what == "reviewed" and step.success is None:
            yield event.player, step.role
        case log.MindNoted() if event.what == "unreadable":
            yield event.player, event.module
        case log.NegotiationTurn():
            yield from [(event.speaker, NEGOTIATOR)] * len(event.faults)
        case log.TermsTyped() if event.fault and event.raw:
            yield judge, JUDGE
        case log.LifeRated():
            yield from [(judge, RATER)] * len(event.unreadable)
        case log.VerdictGiven():
            yield from [(judge, JUDGE)] * max(len(event.faults), int(not event.readable))
        case _:
            pass
