"""Agreement scores: duties kept and broken by each player, recomputed from a run's event log alone.

The duties are those of the contract that was agreed before an episode. Each is checked against the end state that the
server reported and the items' values; the judge's verdict does not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from contracts import Contract, Observables, load_contract
from contracts.judges.formal import assess
from dilemmas.records.events import ContractEvent, EndStateRead, EpisodeEnded, LogLine, RunStarted
from dilemmas.scenarios.observables import facts_of


@dataclass(frozen=True)
class ContractDuty:
    """One duty in one episode."""

    episode: int
    player: str
    duty: str
    kept: bool


@dataclass(frozen=True)
class AgreementScore:
    """Agreement score of one player."""

    duties: int
    kept: int

    @property
    def share(self) -> float | None:
        """Share of duties that were kept; None without duties."""
        return self.kept / self.duties if self.duties else None

    def to_dict(self) -> dict[str, Any]:
        """Return the score for JSON."""
        return {"duties": self.duties, "kept": self.kept, "share": self.share}


_WATCHED = frozenset({RunStarted, ContractEvent, EndStateRead, EpisodeEnded})
"""Events that matter for duties."""


class DutyTracker:
    """Reader of a log that collects every duty of the scored episodes."""

    def __init__(self) -> None:
        self.duties: list[ContractDuty] = []
        """Duties in the log's order; contracts of text alone have none that code can judge."""
        self._prices: dict[str, dict[str, float]] = {}
        self._contract: Contract | None = None
        self._ended: EndStateRead | None = None

    def add_line(self, line: LogLine) -> None:
        """Handle one line of the log; lines come in order."""
        if type(line.event) not in _WATCHED:
            return
        match event := line.event:
            case RunStarted():
                self._prices = {name: terms.prices for name, terms in event.players.items()}
            case ContractEvent() if line.episode is None:
                self._contract = None if event.contract is None else load_contract(event.contract)
            case EndStateRead():
                self._ended = event
            case EpisodeEnded() if self._contract is not None and self._ended is not None:
                self.duties += _judged(line.episode or 1, self._contract, self._ended, self._prices)
            case _:
                pass

    def scores(self) -> dict[str, AgreementScore]:
        """Return player -> agreement score over all episodes so far, in the order of the run's players."""
        kept = {player: [each.kept for each in self.duties if each.player == player] for player in self._prices}
        return {player: AgreementScore(len(each), sum(each)) for player, each in kept.items()}


def duties(lines: Iterable[LogLine]) -> list[ContractDuty]:
    """Return every duty of every scored episode, in the log's order."""
    return _watched(lines).duties


def scores(lines: Iterable[LogLine]) -> dict[str, AgreementScore]:
    """Return player -> agreement score over all episodes of the run, in the order of the run's players."""
    return _watched(lines).scores()


def _watched(lines: Iterable[LogLine]) -> DutyTracker:
    tracker = DutyTracker()
    for line in lines:
        tracker.add_line(line)
    return tracker


def _judged(
    episode: int, contract: Contract, ended: EndStateRead, prices: Mapping[str, Mapping[str, float]]
) -> list[ContractDuty]:
    if not contract.obligations:
        return []
    facts = facts_of(ended.players, prices)
    names = {name for each in contract.obligations for name in each.condition.names}
    table = Observables.collect(
        facts, ended.chest, items=_things(names, "items", "value"), blocks=_things(names, "mined")
    )
    findings = assess(contract, table).findings
    return [ContractDuty(episode, each.party, each.subject, each.ok) for each in findings if each.kind == "obligation"]


def _things(names: Iterable[str], *scopes: str) -> list[str]:
    """Return the items or blocks in the duties; unobserved ones count as 0."""
    parts = [name.split(".") for name in names]
    chest = [each[1] for each in parts if each[0] == "chest"] if "items" in scopes else []
    return sorted({*(each[2] for each in parts if len(each) == 3 and each[1] in scopes), *chest})
