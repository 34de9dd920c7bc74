"""The life cycle of a contract: proposed -> agreed | failed; agreed -> judged -> settled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from contracts.errors import IllegalTransition
from contracts.ledger import Settlement
from contracts.terms import Contract
from contracts.verdicts import Verdict


class ContractState(StrEnum):
    """State of a contract."""

    PROPOSED = "proposed"
    AGREED = "agreed"
    FAILED = "failed"
    JUDGED = "judged"
    SETTLED = "settled"

    @property
    def successors(self) -> frozenset[ContractState]:
        """States that may follow."""
        return _SUCCESSORS[self]

    def to(self, state: ContractState) -> ContractState:
        """Return the given state if it may follow this one. Raises IllegalTransition otherwise."""
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
    """An immutable contract with its state in one episode; each step returns a new object.

    An agreed contract that holds for several episodes is judged once in each, always from its agreed state.
    """

    contract: Contract
    state: ContractState = ContractState.PROPOSED
    verdict: Verdict | None = None
    settlement: Settlement | None = None

    def agree(self) -> ContractProgress:
        """Return the contract as agreed: every party has accepted it."""
        return replace(self, state=self.state.to(ContractState.AGREED))

    def fail(self) -> ContractProgress:
        """Return the contract as failed: it was not accepted in time."""
        return replace(self, state=self.state.to(ContractState.FAILED))

    def judge(self, verdict: Verdict) -> ContractProgress:
        """Return the contract as judged, with the verdict on an episode."""
        return replace(self, state=self.state.to(ContractState.JUDGED), verdict=verdict)

    def settle(self, settlement: Settlement) -> ContractProgress:
        """Return the contract as settled: the transfers are booked."""
        return replace(self, state=self.state.to(ContractState.SETTLED), settlement=settlement)
