"""Restriction of contracts to a scope: coordination without transfers, or transfers without roles.

Scopes separate the effect of agreeing on roles from the effect of transfers. A contract of scope `coordination` binds
no party; one of scope `transfers` defines transfers only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from contracts.errors import ContractFormatError
from contracts.expressions import Expression
from contracts.judges.wording import speaks_of_payment
from contracts.terms import Contract, ContractScope, Transfer


def trespass(contract: Contract, scope: ContractScope) -> str:
    """Return a sentence to the writer about parts of a proposal beyond the scope, or an empty text."""
    clauses = contract.clauses.items()
    if scope is ContractScope.COORDINATION:
        if contract.transfers:
            return f"it has {len(contract.transfers)} transfers: here a contract says who does what, and nobody pays"
        paying = [number for number, text in clauses if speaks_of_payment(text)]
        return f"line {paying[0]} speaks of a payment: here a contract says who does what only" if paying else ""
    if scope is ContractScope.TRANSFERS:
        if contract.obligations or contract.schedule:
            return "it says who does what: here a contract has transfers only, and who does what stays open"
        idle = [number for number, text in clauses if not speaks_of_payment(text)]
        return f"line {idle[0]} names no payment of emeralds: here every line has to" if idle else ""
    return ""


def confine(contract: Contract, scope: ContractScope) -> Contract:
    """Return the contract restricted to a scope, under the same name.

    Conditions that refer to an obligation are replaced by the obligation's own condition. Raises ContractFormatError if
    nothing is left.
    """
    if scope is contract.scope or scope is ContractScope.BOTH:
        return contract
    wanted = scope is ContractScope.TRANSFERS
    clauses = [text for text in contract.clauses.values() if speaks_of_payment(text) is wanted]
    clauses = clauses or [each.text for each in (contract.transfers if wanted else contract.obligations) if each.text]
    if not clauses:
        raise ContractFormatError(f"contract {contract.name!r} has nothing of the scope {scope}: write such clauses")
    text = "\n".join(f"{number}. {clause}" for number, clause in enumerate(clauses, 1))
    if wanted:
        known = {each.id: each.condition for each in contract.obligations}
        transfers = tuple(_open(each, known) for each in contract.transfers)
        return replace(contract, text=text, transfers=transfers, obligations=(), schedule=(), scope=scope)
    return replace(contract, text=text, transfers=(), scope=scope)


def _open(transfer: Transfer, known: Mapping[str, Expression]) -> Transfer:
    """Return the transfer with references to obligations replaced by their conditions."""

    conditions = {identifier: condition.source for identifier, condition in known.items()}
    return replace(
        transfer,
        amount=transfer.amount.with_obligations(conditions.__getitem__),
        condition=transfer.condition.with_obligations(conditions.__getitem__),
    )
