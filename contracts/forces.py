"""Forces of an agreement: what makes players keep it."""

from __future__ import annotations

from enum import StrEnum


class Force(StrEnum):
    """Means by which an agreement is enforced."""

    BINDING = "binding"
    """The judge moves every emerald that is due."""
    ESCROW = "escrow"
    """Each party deposits emeralds at signing, and a breach forfeits the deposit to the other parties."""
    REPUTATION = "reputation"
    """Nothing is enforced, and every player is told of each breach."""
    CHEAP_TALK = "cheap-talk"
    """Nothing is enforced; promises and breaches are only recorded."""


DEPOSIT = 10
"""Usual deposit of each party in escrow, in emeralds."""


def described(force: Force, deposit: int = 0) -> str:
    """Return the sentences that tell players how an agreement is enforced; empty for a binding one."""
    voluntary = "It is not enforced: at the end each payer decides whether it pays what it owes."
    match force:
        case Force.BINDING:
            return ""
        case Force.ESCROW:
            return (
                f"{voluntary} Each party has deposited {deposit} emeralds. A party that breaks an obligation or does "
                "not pay loses its deposit to the other parties."
            )
        case Force.REPUTATION:
            return f"{voluntary} Every player is told who broke a promise."
        case Force.CHEAP_TALK:
            return f"{voluntary} Nothing happens to a party that breaks a promise."
