"""Who kept which duty: agreement scores of a run, recomputed from its event log alone.

The duties are those of the contract that was agreed before an episode; whether one was kept follows from the end state
that the server gave and from what items are worth. No judge's word is needed, and none counts.
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
    """One player's agreement score."""

    duties: int
    kept: int

    @property
    def share(self) -> float | None:
        """The share of duties that were kept; None for who had none."""
        return self.kept / self.duties if self.duties else None

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"duties": self.duties, "kept": self.kept, "share": self.share}


_WATCHED = frozenset({RunStarted, ContractEvent, EndStateRead, EpisodeEnded})
"""Events that say something of duties."""


class DutyWatch:
    """Takes the lines of a log in their order, and knows every duty of the episodes that were scored so far."""

    def __init__(self) -> None:
        self.duties: list[ContractDuty] = []
        """In the log's order; text-only contracts have none that code can judge."""
        self._prices: dict[str, dict[str, float]] = {}
        self._contract: Contract | None = None
        self._ended: EndStateRead | None = None

    def take(self, line: LogLine) -> None:
        """Note one line."""
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
        """Player -> agreement score over all episodes so far, in the order of the run's players."""
        kept = {player: [each.kept for each in self.duties if each.player == player] for player in self._prices}
        return {player: AgreementScore(len(each), sum(each)) for player, each in kept.items()}


def duties(lines: Iterable[LogLine]) -> list[ContractDuty]:
    """Every duty of every scored episode, in the log's order."""
    return _watched(lines).duties


def scores(lines: Iterable[LogLine]) -> dict[str, AgreementScore]:
    """Player -> agreement score over all episodes of the run, in the order of the run's players."""
    return _watched(lines).scores()


def _watched(lines: Iterable[LogLine]) -> DutyWatch:
    watch = DutyWatch()
    for line in lines:
        watch.take(line)
    return watch


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
    """Items or blocks that the duties speak of: what was not seen of them counts as 0."""
    parts = [name.split(".") for name in names]
    chest = [each[1] for each in parts if each[0] == "chest"] if "items" in scopes else []
    return sorted({*(each[2] for each in parts if len(each) == 3 and each[1] in scopes), *chest})
