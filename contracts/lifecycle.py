"""The life cycle of a contract: proposed -> agreed | failed; agreed -> judged -> settled."""

from __future__ import annotations

from enum import StrEnum

from contracts.errors import IllegalTransition


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
