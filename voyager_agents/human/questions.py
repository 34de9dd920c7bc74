"""Builders of questions to human players, from the views that agents of other kinds get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from contracts import NegotiatorView, Sheet
from contracts.bargaining.deals import Deal
from contracts.bargaining.talk import TalkView
from contracts.enforcement import Bill
from voyager_agents.human.bargaining import told_of_rules
from voyager_agents.human.connection import DONE, READY
from voyager_agents.human.seat_question import SeatQuestion, ShownDeal, ShownMessage

READY_QUESTION = SeatQuestion("ready", "Read what is played, and say ready: nobody moves before.", answers=(READY,))
PLAY_QUESTION = SeatQuestion("play", "You play: say done when you have done all that you want.", answers=(DONE,))
LIFE_QUESTION = SeatQuestion(
    "life",
    "You live in the world. Who is near hears what you say in the game; here you answer letters.",
    ("answer NUMBER WORDS - answer a letter",),
)


def talk_question(view: TalkView, lines: Sequence[str]) -> SeatQuestion:
    """Return the question for a message in a talk; `lines` are the parser's instructions."""
    left = ", ".join(f"{count} {kind}" for kind, count in view.left.items())
    everybody = len(view.players) - 1
    messages = [
        ShownMessage(each.speaker, () if len(each.to) == everybody else each.to, each.text, each.act, each.deal)
        for each in view.messages
    ]
    deals = [
        *_deals("Offered to you", view.offers, "accept", "decline"),
        *_deals("Your offer", view.own_offers, "withdraw"),
        *_deals("In force", view.own_deals, "end"),
        *_deals("In force among others", [deal for deal in view.deals if view.me not in deal.parties]),
    ]
    return SeatQuestion(
        "talk",
        f"Talk, round {view.round} of {view.rounds}: it is your turn. Messages left: {left or 'none'}.",
        tuple(lines),
        ((f"That does not count: {view.correction}",) if view.correction else ()) + (told_of_rules(view.rules),),
        tuple(messages),
        tuple(deals),
        ("pass",),
        view.reachable,
    )


def _deals(heading: str, deals: Iterable[Deal], *words: str) -> list[ShownDeal]:
    return [
        ShownDeal(
            heading, each.number, each.parties, each.contract.text, tuple(f"{word} {each.number}" for word in words)
        )
        for each in deals
    ]


def table_question(view: NegotiatorView, lines: Sequence[str], drafts: Iterable[str]) -> SeatQuestion:
    """Return the question for a move at the negotiating table.

    Args:
        view: The player's view.
        lines: Instructions of the parser.
        drafts: Contracts that can be proposed by name.
    """
    standing = view.standing
    deals = (
        [] if standing is None else [ShownDeal("On the table", view.standing_round or 0, view.parties, standing.text)]
    )
    accept = ("accept",) if standing is not None else ()
    return SeatQuestion(
        "table",
        f"Negotiation, message {view.round} of {view.rounds}: it is your turn.",
        tuple(lines),
        (f"That does not count: {view.correction}",) if view.correction else (),
        tuple(ShownMessage(speaker, (), text) for speaker, text in view.history),
        tuple(deals),
        (*accept, *(f"propose {name}" for name in drafts)),
    )


def terms_question(sheet: Sheet) -> SeatQuestion:
    """Return the question for a signature."""
    return SeatQuestion(
        "terms",
        "These are the terms as they will be judged. Say yes, or no and why.",
        context=tuple(sheet.text.splitlines()),
        answers=("yes", "no"),
    )


def payment_question(bill: Bill, lines: Sequence[str]) -> SeatQuestion:
    """Return the question for a decision on payments; `lines` state what is due."""
    each = tuple(f"pay {due.term}" for due in bill.dues) if len(bill.dues) > 1 else ()
    return SeatQuestion(
        "payment", "You owe payments: decide what you pay.", context=tuple(lines), answers=("pay all", *each, "no")
    )
