"""Talks of players that know the negotiating table alone: all players are party to all that they offer."""

from __future__ import annotations

from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import TalkView
from contracts.messages import NegotiationMessage, parse_turn
from contracts.negotiation import Negotiator, NegotiatorView


async def talk_as_at_table(negotiator: Negotiator, view: TalkView) -> TalkMessage:
    """Return a negotiator's message: one turn in each round of talk, as an offer to all or an acceptance.

    A message without a proposal is not sent, and neither is a proposal of what is in force. Raises MessageError for a
    malformed one.
    """
    if any(each.speaker == view.me and each.round == view.round for each in view.messages):
        return TalkMessage("pass")
    said = await negotiator.speak(table_view(view))
    turn = _message(said, view) if isinstance(said, str) else said
    if turn is None:
        return TalkMessage("pass")
    standing = _standing(view)
    if turn.accepts and standing is not None:
        return TalkMessage("accept", message=turn.message, thought=turn.thought, deal=standing)
    old = next((deal for deal in view.own_deals if len(deal.parties) == len(view.players)), None)
    if old is not None and turn.proposal is not None and turn.proposal.text == old.contract.text:
        return TalkMessage("pass")
    to = view.others if "public" not in view.left else ()
    replaces = old.number if old is not None else None
    return TalkMessage("offer", to, turn.message, turn.thought, contract=turn.proposal, replaces=replaces)


def table_view(view: TalkView) -> NegotiatorView:
    """Return what a talk shows, as a view of the negotiating table."""
    rules, count = view.rules, len(view.players)
    standing = _standing(view)
    offer = next((deal for deal in view.offers if deal.number == standing), None)
    place = view.players.index(view.me) - (view.players.index(rules.opens) if rules.opens else 0)
    return NegotiatorView(
        me=view.me,
        other=", ".join(view.others),
        round=(view.round - 1) * count + place % count + 1,
        rounds=rules.rounds * count,
        history=tuple((each.speaker, each.text) for each in view.messages),
        standing=None if offer is None else offer.contract,
        correction=view.correction,
        parties=view.players,
        standing_round=standing,
        accepted=() if offer is None else offer.accepted,
        scope=rules.scope,
        force=rules.force,
        deposit=rules.deposit,
        remaining=rules.remaining,
        breaches=rules.breaches,
        greedy=view.greedy,
        before=rules.before,
        own_round=view.round - 1,
    )


def _standing(view: TalkView) -> int | None:
    """Return the number of the latest open offer between all players."""
    between_all = [deal.number for deal in view.offers if len(deal.parties) == len(view.players)]
    return between_all[-1] if between_all else None


def _message(text: str, view: TalkView) -> NegotiationMessage | None:
    """Return the turn in a written message, or None for one that proposes and accepts nothing."""
    return parse_turn(text, view.players, "offer") if "[contract]" in text or "[accept" in text else None
