"""Model costs and failures of a run by player and role, for result.json.

Calls, tokens and dollars come from the event log. Retries and waits depend on the endpoint, not on the experiment, so
only calls.jsonl has them. Faults are unusable answers, by which a player harms itself.
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
from voyager_agents import thought_events
from voyager_agents.roles import JUDGE, NEGOTIATOR, RATER
from voyager_agents.thought_events import Reviewed, Unusable

Asker = tuple[str, str, str]
"""(player, role, model)."""
Role = tuple[str, str]
"""(player, role)."""
FAULTY = ("players_placed", "mind", "mind_step", "negotiation", "terms_typed", "verdict", "life_rated")
"""Kinds of events that may carry faults."""


@dataclass
class CallTotals:
    """Totals over answered calls."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    """Cost in dollars of the calls with a known price."""
    unpriced: int = 0
    """Number of calls without a known price."""

    def count(self, called: log.ModelCalled) -> None:
        """Add one answered call."""
        self.add(CallTotals(1, called.tokens, called.usd or 0.0, int(called.usd is None)))

    def add(self, other: CallTotals) -> None:
        """Add another total."""
        self.calls += other.calls
        self.tokens += other.tokens
        self.usd += other.usd
        self.unpriced += other.unpriced


@dataclass
class CallRetries:
    """Failed attempts and unanswered calls of one asker."""

    retries: int = 0
    """Failed attempts that were repeated."""
    limited: int = 0
    """Retries after HTTP status 429."""
    waited_s: float = 0.0
    """Total pause between attempts, in seconds."""
    unanswered: int = 0
    """Number of calls that ended in an error."""

    def add(self, entry: Mapping[str, Any]) -> None:
        """Add one line of calls.jsonl."""
        self.retries += int(entry.get("retries", 0))
        self.limited += int(entry.get("limited", 0))
        self.waited_s += float(entry.get("waited_s", 0.0))
        self.unanswered += "error" in entry


@dataclass(frozen=True)
class RoleCost:
    """Cost of one model in one role of one player."""

    player: str
    role: str
    model: str
    calls: int
    tokens: int
    usd: float | None
    """Cost in dollars; None if a call had no known price."""
    faults: int
    """Number of unusable answers."""
    retries: int
    limited: int
    waited_s: float
    unanswered: int
    """Number of calls that ended in an error."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for result.json."""
        return asdict(self)


@dataclass
class _Found:
    retries: dict[Asker, CallRetries] = field(default_factory=dict)
    faults: Counter[Role] = field(default_factory=Counter)


def costs(directory: Path, tallies: Mapping[Asker, CallTotals]) -> list[RoleCost]:
    """Return the costs by player, role and model, in the order of the first calls.

    Askers whose calls all failed are included. A role's faults are counted for the first model of the role.

    Args:
        directory: Directory of the run.
        tallies: Totals of the event log by (player, role, model).
    """
    found = _Found(_read_retries(directory / "calls.jsonl"), faults(directory))
    askers = list(dict.fromkeys([*tallies, *found.retries]))
    known = {(player, role) for player, role, _ in askers}
    for player, role in set(found.faults) - known:
        # A role without a model of its own is played by the model of the family's first role.
        first = next((asked for name, asked, _ in askers if name == player), None)
        if first is not None:
            found.faults[player, first] += found.faults.pop((player, role))
    return [_cost(asker, tallies.get(asker, CallTotals()), found) for asker in askers]


def _cost(asker: Asker, tally: CallTotals, found: _Found) -> RoleCost:
    retries = found.retries.get(asker, CallRetries())
    player, role, model = asker
    return RoleCost(
        player=player,
        role=role,
        model=model,
        calls=tally.calls,
        tokens=tally.tokens,
        usd=None if tally.unpriced else round(tally.usd, 6),
        faults=found.faults.pop((player, role), 0),
        retries=retries.retries,
        limited=retries.limited,
        waited_s=round(retries.waited_s, 3),
        unanswered=retries.unanswered,
    )


def _read_retries(path: Path) -> dict[Asker, CallRetries]:
    """Return the retries by asker from calls.jsonl."""
    found: dict[Asker, CallRetries] = {}
    try:
        for number, data, whole in read_lines(path) if path.exists() else ():
            try:
                entry = read_json(data.decode("utf-8"))
                asker = str(entry["player"]), str(entry["role"]), str(entry["model"])
                found.setdefault(asker, CallRetries()).add(entry)
            except (ValueError, KeyError, TypeError, RecursionError):
                if whole:
                    raise RecordError(f"{path}, line {number}: is no model call of a run") from None
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}") from None
    return found


def faults(directory: Path) -> Counter[Role]:
    """Return the number of unusable answers by (player, role), from the event log."""
    found: Counter[Role] = Counter()
    observer = JUDGE
    reviewed: set[str] = set()
    for line in read_events(directory / "events.jsonl", only=FAULTY):
        match line.event:
            case log.PlayersPlaced():
                observer = line.event.observer
            case log.MindTold(step=Unusable(part=thought_events.CRITIC)):
                reviewed.add(line.event.player)
            case log.MindTold(step=Reviewed(success=None)) if line.event.player not in reviewed:
                # Older records have no other trace of a critic's unusable answer.
                found[line.event.player, line.event.step.role] += 1
            case _:
                pass
        found.update(_faults(line.event))
    # Terms are typed before the observer's name is logged.
    return Counter({(player or observer, role): number for (player, role), number in found.items()})


def _faults(event: log.Event) -> Iterator[Role]:
    """Yield the asker of each unusable answer in an event; the observer has no name."""
    match event:
        case log.MindTold(step=Unusable() as step):
            yield event.player, step.role
        case log.MindNoted() if event.what == "unreadable":
            yield event.player, event.module
        case log.NegotiationTurn():
            yield from [(event.speaker, NEGOTIATOR)] * len(event.faults)
        case log.TermsTyped():
            yield from [("", JUDGE)] * max(len(event.faults), int(bool(event.fault and event.raw)))
        case log.LifeRated():
            yield from [("", RATER)] * len(event.unreadable)
        case log.VerdictGiven():
            verdicts = [{"faults": event.faults, "readable": event.readable}, event.beside or {}]
            for verdict in verdicts:
                yield from [("", JUDGE)] * max(len(verdict.get("faults", ())), not verdict.get("readable", True))
        case _:
            pass
