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
from dilemmas.records.events import ContractEvent, EndStateRead, EpisodeEnded, Line, RunStarted
from dilemmas.scenarios.observables import facts_of


@dataclass(frozen=True)
class Duty:
    """One duty in one episode."""

    episode: int
    player: str
    duty: str
    kept: bool


@dataclass(frozen=True)
class Score:
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


def duties(lines: Iterable[Line]) -> list[Duty]:
    """Every duty of every scored episode, in the log's order; text-only contracts have none that code can judge."""
    prices: dict[str, dict[str, float]] = {}
    contract: Contract | None = None
    ended: EndStateRead | None = None
    found: list[Duty] = []
    for line in lines:
        match event := line.event:
            case RunStarted():
                prices = {name: terms.prices for name, terms in event.players.items()}
            case ContractEvent() if line.episode is None:
                contract = None if event.contract is None else load_contract(event.contract)
            case EndStateRead():
                ended = event
            case EpisodeEnded() if contract is not None and ended is not None:
                found += _judged(line.episode or 1, contract, ended, prices)
            case _:
                pass
    return found


def scores(lines: Iterable[Line]) -> dict[str, Score]:
    """Player -> agreement score over all episodes of the run, in the order of the run's players."""
    lines = list(lines)
    players = next((list(line.event.players) for line in lines if isinstance(line.event, RunStarted)), [])
    found = duties(lines)
    return {
        player: Score(
            sum(each.player == player for each in found), sum(each.player == player and each.kept for each in found)
        )
        for player in players
    }


def _judged(
    episode: int, contract: Contract, ended: EndStateRead, prices: Mapping[str, Mapping[str, float]]
) -> list[Duty]:
    if not contract.obligations:
        return []
    facts = facts_of(ended.players, prices)
    names = {name for each in contract.obligations for name in each.condition.names}
    table = Observables.collect(
        facts, ended.chest, items=_things(names, "items", "value"), blocks=_things(names, "mined")
    )
    findings = assess(contract, table).findings
    return [Duty(episode, each.party, each.subject, each.ok) for each in findings if each.kind == "obligation"]


def _things(names: Iterable[str], *scopes: str) -> list[str]:
    """Items or blocks that the duties speak of: what was not seen of them counts as 0."""
    parts = [name.split(".") for name in names]
    chest = [each[1] for each in parts if each[0] == "chest"] if "items" in scopes else []
    return sorted({*(each[2] for each in parts if len(each) == 3 and each[1] in scopes), *chest})
