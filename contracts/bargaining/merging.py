"""The deals of a player as one contract for its prompts and its reasoning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from contracts.bargaining.deals import Deal
from contracts.errors import ContractFormatError
from contracts.expressions import Expression
from contracts.terms import Contract


def merged(deals: Sequence[Deal], name: str = "deals") -> Contract | None:
    """Return the deals as one contract, or None without any; one deal is returned as its own contract.

    Clauses are numbered anew, and the ids of terms begin with the deal's name. Raises ContractFormatError if the
    whole is beyond the limits of a contract.
    """
    if not deals:
        return None
    if len(deals) == 1:
        return deals[0].contract
    parties = tuple(dict.fromkeys(party for deal in deals for party in deal.parties))
    clauses = [
        f"(Deal {deal.number} between {' and '.join(deal.parties)}) {clause}"
        for deal in deals
        for clause in deal.contract.clauses.values()
    ]
    contracts = [_prefixed(deal.contract) for deal in deals]
    first = contracts[0]
    return Contract(
        name,
        "\n".join(f"{number}. {clause}" for number, clause in enumerate(clauses, 1)),
        parties,
        tuple(term for each in contracts for term in each.transfers),
        tuple(term for each in contracts for term in each.obligations),
        tuple(step for each in contracts for step in each.schedule),
        first.scope,
        first.force,
        first.deposit,
    )


def can_merge(deals: Sequence[Deal]) -> bool:
    """Return True if the deals are within the limits of one contract."""
    try:
        merged(deals)
    except ContractFormatError:
        return False
    return True


def _prefixed(contract: Contract) -> Contract:
    """Return the contract with its name before the id of each term."""

    def prefixed(identifier: str) -> str:
        return f"{contract.name}-{identifier}"[:64]

    def renamed(expression: Expression) -> Expression:
        return expression.with_obligations(lambda identifier: f"met({prefixed(identifier)!r})")

    transfers = tuple(
        replace(each, id=prefixed(each.id), amount=renamed(each.amount), condition=renamed(each.condition))
        for each in contract.transfers
    )
    obligations = tuple(replace(each, id=prefixed(each.id)) for each in contract.obligations)
    # Both at once: a transfer may depend on an obligation.
    return replace(contract, transfers=transfers, obligations=obligations)
