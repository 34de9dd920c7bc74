"""Model costs and failures of a run by player and role, for result.json.

Calls, tokens and dollars come from the event log. Retries and waits depend on the endpoint, not on the experiment, so
only calls.jsonl has them. Faults are unusable answers, by which a player harms itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from common.lines import read_lines
from common.text import read_json
from dilemmas.errors import RecordError
from dilemmas.records import events as log
from dilemmas.records.answers import RoleAnswers, read_answers

Asker = tuple[str, str, str]
"""(player, role, model)."""
ESCALATED = ("unreadable", "unsure")
"""Reasons for which a cascade asks its next stage."""


@dataclass
class CascadeTotals:
    """Totals over the questions that cascades answered."""

    questions: int = 0
    """Questions to first stages; a corrected question goes to the last stage alone."""
    sampled: int = 0
    """Second samples of a stage."""
    unreadable: int = 0
    """Answers for which the next stage was asked because they could not be read."""
    unsure: int = 0
    """Answers for which the next stage was asked because they were unsure."""

    def count(self, called: log.ModelCalled) -> None:
        """Add one call."""
        if called.stage is not None:
            self.add(
                CascadeTotals(
                    int(called.stage == 1 and not called.why),
                    int(called.why == "sample"),
                    int(called.why == "unreadable"),
                    int(called.why == "unsure"),
                )
            )

    def add(self, other: CascadeTotals) -> None:
        """Add another total."""
        self.questions += other.questions
        self.sampled += other.sampled
        self.unreadable += other.unreadable
        self.unsure += other.unsure

    def to_dict(self) -> dict[str, int]:
        """Return the totals for result.json."""
        return asdict(self)


@dataclass
class CachedTotals:
    """Totals over answers from the cache."""

    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    """Dollars that the calls with a known price would have cost."""
    unpriced: int = 0
    """Number of calls without a known price."""

    def count(self, called: log.ModelCalled) -> None:
        """Add one answer from the cache."""
        self.add(CachedTotals(1, called.tokens, called.saved_usd or 0.0, int(called.saved_usd is None)))

    def add(self, other: CachedTotals) -> None:
        """Add another total."""
        self.calls += other.calls
        self.tokens += other.tokens
        self.usd += other.usd
        self.unpriced += other.unpriced

    def to_dict(self) -> dict[str, Any]:
        """Return the totals for result.json; `usd` is None if a price is unknown."""
        return {"calls": self.calls, "tokens": self.tokens, "usd": None if self.unpriced else round(self.usd, 6)}


@dataclass
class CallTotals:
    """Totals over answered calls."""

    calls: int = 0
    """Number of answers that models were asked for."""
    tokens: int = 0
    usd: float = 0.0
    """Cost in dollars of the calls with a known price."""
    unpriced: int = 0
    """Number of calls without a known price."""
    cached: int = 0
    """Number of answers from the cache; they are not in the other totals."""
    escalated: int = 0
    """Number of answers, cached ones too, for which a cascade asked because the stage before was not enough."""

    def count(self, called: log.ModelCalled) -> None:
        """Add one answered call."""
        self.escalated += called.why in ESCALATED
        if called.cached:
            self.cached += 1
            return
        self.add(CallTotals(1, called.tokens, called.usd or 0.0, int(called.usd is None)))

    def add(self, other: CallTotals) -> None:
        """Add another total."""
        self.calls += other.calls
        self.tokens += other.tokens
        self.usd += other.usd
        self.unpriced += other.unpriced
        self.cached += other.cached
        self.escalated += other.escalated


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
    cached: int = 0
    """Number of answers from the cache; they are not in `calls`, `tokens` and `usd`."""
    escalated: int = 0
    """Number of answers, cached ones too, for which a cascade asked because the stage before was not enough."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry for result.json; `cached` and `escalated` only if there are any."""
        told = asdict(self)
        return {key: value for key, value in told.items() if value or key not in ("cached", "escalated")}


def costs(directory: Path, tallies: Mapping[Asker, CallTotals], answers: Iterable[RoleAnswers] = ()) -> list[RoleCost]:
    """Return the costs by player, role and model, in the order of the first calls.

    Askers whose calls all failed are included.

    Args:
        directory: Directory of the run.
        tallies: Totals of the event log by (player, role, model).
        answers: Answers by player, role and model.
    """
    retries = _read_retries(directory / "calls.jsonl")
    faults = {(each.player, each.role, each.model): each.unusable for each in answers}
    return [
        _cost(asker, tallies.get(asker, CallTotals()), retries.get(asker, CallRetries()), faults.get(asker, 0))
        for asker in dict.fromkeys([*tallies, *retries])
    ]


def result_costs(directory: Path, tallies: Mapping[Asker, CallTotals]) -> dict[str, Any]:
    """Return costs and answers by player and role for result.json; empty if no model was called.

    A record that cannot be read back has none; the result has the totals all the same.

    Args:
        directory: Directory of the run.
        tallies: Totals of the event log by (player, role, model).
    """
    try:
        answers = read_answers(directory)
        found = costs(directory, tallies, answers)
    except RecordError:
        return {}
    parts = {"costs": [each.to_dict() for each in found], "answers": [each.to_dict() for each in answers]}
    return {name: part for name, part in parts.items() if part}


def _cost(asker: Asker, tally: CallTotals, retries: CallRetries, faults: int) -> RoleCost:
    player, role, model = asker
    return RoleCost(
        player=player,
        role=role,
        model=model,
        calls=tally.calls,
        tokens=tally.tokens,
        usd=None if tally.unpriced else round(tally.usd, 6),
        faults=faults,
        retries=retries.retries,
        limited=retries.limited,
        waited_s=round(retries.waited_s, 3),
        unanswered=retries.unanswered,
        cached=tally.cached,
        escalated=tally.escalated,
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
