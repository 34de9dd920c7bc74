"""The life cycle of a contract: proposed -> agreed | failed; agreed -> judged -> settled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from contracts.errors import IllegalTransition
from contracts.ledger import Settlement
from contracts.terms import Contract
from contracts.verdicts import Verdict


class ContractState(StrEnum):
    """Where a contract stands."""

    PROPOSED = "proposed"
    AGREED = "agreed"
    FAILED = "failed"
    JUDGED = "judged"
    SETTLED = "settled"

    @property
    def successors(self) -> frozenset[ContractState]:
        """The states that may follow."""
        return _SUCCESSORS[self]

    def to(self, state: ContractState) -> ContractState:
        """That state, when it may follow. Raises IllegalTransition otherwise."""
        if state not in self.successors:
            legal = ", ".join(sorted(self.successors)) or "nothing: it is final"
            raise IllegalTransition(f"a contract that is {self} cannot become {state}: legal is {legal}")
        return state


_SUCCESSORS: dict[ContractState, frozenset[ContractState]] = {
    ContractState.PROPOSED: frozenset({ContractState.AGREED, ContractState.FAILED}),
    ContractState.AGREED: frozenset({ContractState.JUDGED}),
    ContractState.FAILED: frozenset(),
    ContractState.JUDGED: frozenset({ContractState.SETTLED}),
    ContractState.SETTLED: frozenset(),
}


@dataclass(frozen=True)
class ContractProgress:
    """A contract on its way through one episode; each step gives the next agreement and leaves this one as it is.

    An agreed contract that holds for several episodes is judged once in each, always from its agreed state.
    """

    contract: Contract
    state: ContractState = ContractState.PROPOSED
    verdict: Verdict | None = None
    settlement: Settlement | None = None

    def agree(self) -> ContractProgress:
        """Every party has accepted it."""
        return replace(self, state=self.state.to(ContractState.AGREED))

    def fail(self) -> ContractProgress:
        """Nobody accepted it in time."""
        return replace(self, state=self.state.to(ContractState.FAILED))

    def judge(self, verdict: Verdict) -> ContractProgress:
        """An episode is over and a judge has spoken."""
        return replace(self, state=self.state.to(ContractState.JUDGED), verdict=verdict)

    def settle(self, settlement: Settlement) -> ContractProgress:
        """The emeralds have moved."""
        return replace(self, state=self.state.to(ContractState.SETTLED), settlement=settlement)
