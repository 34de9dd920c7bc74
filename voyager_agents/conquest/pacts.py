"""Pacts of non-aggression: contracts in which each party promises to attack no other party."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from contracts import Contract, Expression, NegotiationMessage, NegotiatorView, Obligation, Transfer
from contracts.bargaining.deals import Deal
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import TalkView
from contracts.forces import Force
from voyager_agents.conquest.turns import attacks_on

FINE = 5
"""Emeralds that a binding pact makes an attacker pay to its ally for each attack."""


def pact(parties: Sequence[str], bound: Sequence[str] | None = None, fine: int = 0) -> Contract:
    """Return a pact between these players.

    Args:
        parties: The players.
        bound: Parties that promise to attack nobody; None for all.
        fine: Emeralds that each attack costs its attacker; 0 for none.
    """
    bound = parties if bound is None else bound
    promises = [(one, [each for each in parties if each != one]) for one in bound]
    costs = f", or pays {fine} emeralds for each attack" if fine else ""
    clauses = [f"{one} does not attack {_listed(others)}{costs}." for one, others in promises]
    obligations = tuple(
        Obligation(
            f"{one}-leaves-{other}".lower(),
            one,
            Expression(f"{one}.items.{attacks_on(other)} == 0"),
            f"{one} does not attack {other}",
        )
        for one, others in promises
        for other in others
    )
    transfers = tuple(
        Transfer(
            f"{one}-pays-{other}".lower(),
            one,
            other,
            Expression(f"{fine} * {one}.items.{attacks_on(other)}"),
            Expression("True"),
            f"{one} pays {fine} for each attack on {other}",
        )
        for one, others in promises
        for other in others
        if fine
    )
    text = "\n".join(f"{number}. {clause}" for number, clause in enumerate(clauses, 1))
    return Contract("pact", text, tuple(parties), transfers, obligations)


def partners(contract: Contract | None, player: str) -> frozenset[str]:
    """Return the players that the player has promised not to attack."""
    if contract is None:
        return frozenset()
    promised = {name for each in contract.obligations if each.party == player for name in each.condition.names}
    return frozenset(each for each in contract.parties if f"{player}.items.{attacks_on(each)}" in promised)


def is_pact(contract: Contract) -> bool:
    """Return True for a contract in which all parties promise not to attack each other, and pay for attacks alone."""
    wanted = {each.condition.names for each in pact(contract.parties).obligations}
    paid = {each.amount.names for each in contract.transfers}
    return {each.condition.names for each in contract.obligations} == wanted and paid <= wanted


def answer_in_talk(view: TalkView, others: Sequence[str], wanted: int, faithless: Collection[str]) -> TalkMessage:
    """Return a commander's next message in a talk.

    Args:
        view: What the talk shows.
        others: The other players, the preferred allies first.
        wanted: Number of pacts that the commander wants.
        faithless: Players that it makes no pact with, and leaves one with.
    """
    allies = {name for deal in view.own_deals for name in partners(deal.contract, view.me)}
    for deal in view.own_deals:
        if view.me not in deal.ending and set(deal.parties) & set(faithless):
            return TalkMessage("end", message="You have attacked me.", deal=deal.number)
    for deal in view.offers:
        if is_welcome(deal, allies, wanted, faithless):
            return TalkMessage("accept", message="Agreed: peace between us.", deal=deal.number)
        return TalkMessage("decline", message="I make no such pact.", deal=deal.number)
    asked = {name for deal in view.own_offers for name in deal.parties}
    free = [name for name in others if name in view.reachable and name not in allies | asked and name not in faithless]
    if "offer" not in view.acts or "pairwise" not in view.left or not free or len(allies | asked - {view.me}) >= wanted:
        return TalkMessage("pass")
    parties = [name for name in view.players if name in (view.me, free[0])]
    return TalkMessage(
        "offer", (free[0],), "Let us leave each other alone.", contract=pact(parties, fine=fine_under(view.rules.force))
    )


def fine_under(force: Force) -> int:
    """Return the fine of a pact of that force; only a binding pact needs one."""
    return FINE if force is Force.BINDING else 0


def is_welcome(deal: Deal, allies: Collection[str], wanted: int, faithless: Collection[str]) -> bool:
    """Return True if a commander accepts an offered deal: a pact that it has room for.

    Args:
        deal: The offered deal.
        allies: Players that it has a pact with.
        wanted: Number of pacts that it wants.
        faithless: Players that it makes no pact with.
    """
    return is_pact(deal.contract) and len(allies) < wanted and not set(deal.parties) & set(faithless)


def speak_at_table(view: NegotiatorView, *, agrees: bool) -> NegotiationMessage:
    """Return a commander's turn at a table of all players: a pact of all with all."""
    if agrees and view.standing is not None and is_pact(view.standing):
        return NegotiationMessage("Peace with all suits me.", "I agree. [accept]", accepts=True)
    bound = view.parties if agrees else [name for name in view.parties if name != view.me]
    offered = pact(view.parties, bound, fine_under(view.force))
    thought = "Peace with all suits me." if agrees else "They may promise me peace; I promise none."
    text = f"Let there be peace.\n[contract]\n{offered.text}\n[contract end]"
    return NegotiationMessage(thought, text, proposal=offered)


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
