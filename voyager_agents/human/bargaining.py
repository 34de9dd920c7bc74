"""A human's part in talks on channels, and decisions on payments, by chat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from contracts import Contract, ContractFormatError
from contracts.bargaining.deals import Deal
from contracts.bargaining.messages import ANSWERS, TalkMessage
from contracts.bargaining.talk import TalkRules, TalkView
from contracts.enforcement import Bill, Payment
from contracts.forces import Force
from voyager_agents.human.connection import ChatLine

_AUDIENCE = re.compile(r"to\s+([^:]{1,200}):\s*(.*)", re.IGNORECASE | re.DOTALL)
_EVERYBODY = frozenset({"all", "everybody"})


class ChannelTalk:
    """Parser of a human's chat in a talk, without I/O; collects lines of a contract until they form an offer."""

    def __init__(self, view: TalkView, drafts: Mapping[str, Contract], *, reads_text: bool, chat: bool = True) -> None:
        """Begin a move.

        Args:
            view: The player's view.
            drafts: Contracts that can be offered by name.
            reads_text: True if a judge reads a deal's text.
            chat: True if the player has a chat, in which others read along.
        """
        self._view = view
        self._chat = chat
        self._drafts = drafts
        self._reads_text = reads_text
        self._clauses: list[str] = []

    @property
    def help(self) -> list[str]:
        """Instructions for making a move, one per line."""
        lines = [
            "Whisper your move as below; what you say in the open chat is for everybody."
            if self._chat
            else "Write your move as below.",
            "  WORDS - say them to everybody; to NAME, NAME: WORDS - to these players alone",
            "  accept N, decline N, withdraw N, end N - answer an offer, or take back or end a deal, by its number",
        ]
        if self._drafts:
            lines.append(f"  offer NAME - offer a contract by name to all: {', '.join(self._drafts)}")
        if self._reads_text:
            lines += [
                "  offer TEXT - offer a deal of one line to all; to NAME: offer TEXT - to that player",
                "  contract TEXT - a line of a longer one; then: offer; clear begins anew",
            ]
        return [*lines, "  pass - you have no more to say in this round"]

    def handle_line(self, line: ChatLine) -> tuple[TalkMessage | None, str]:
        """Return the message that the line completes, or None, and the reply to show to the player."""
        try:
            to, text = self._audience(line)
        except ValueError as error:
            return None, str(error)
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "pass" if not rest:
                return TalkMessage("pass"), ""
            case "offer":
                return self._offer(to, rest)
            case "contract" if rest:
                self._clauses.append(rest)
                return None, f"line {len(self._clauses)} of your deal is noted: offer sends it"
            case "clear" if not rest:
                self._clauses.clear()
                return None, "begun anew"
        for act in ANSWERS:
            if word.lower() == act and rest.isdecimal() and len(rest) < 6:
                return TalkMessage(act, deal=int(rest)), ""
        return (TalkMessage("say", to, text), "") if text else (None, "")

    def _audience(self, line: ChatLine) -> tuple[tuple[str, ...], str]:
        """Return whom the line is for (empty for everybody) and its words. Raises ValueError with the reply."""
        text, others = line.text.strip(), self._view.others
        if (found := _AUDIENCE.fullmatch(text)) is None:
            return ((line.to,) if line.to in others else ()), text
        named = [name for name in re.split(r"[\s,]+", found[1].strip()) if name]
        if not _EVERYBODY.isdisjoint(name.lower() for name in named):
            named = []
        if unknown := [name for name in named if name not in others]:
            raise ValueError(f"{unknown[0]} is nobody that you can write to: {', '.join(others)}")
        if named and not line.to:
            raise ValueError("everybody read that in the open chat: whisper what is for some alone")
        return tuple(named), found[2].strip()

    def _offer(self, to: Sequence[str], rest: str) -> tuple[TalkMessage | None, str]:
        players, me = self._view.players, self._view.me
        if rest in self._drafts:
            if to:
                return None, f"{rest} is a contract of all players: offer {rest}"
            return TalkMessage("offer", contract=replace(self._drafts[rest], name="offer")), ""
        if not self._reads_text:
            legal = ", ".join(self._drafts) or "none"
            return None, f"no judge reads a deal's text in this study; you can offer by name: {legal}"
        clauses = "\n".join([*self._clauses, *([rest] if rest else [])])
        if not clauses:
            return None, "there is no deal yet: say offer TEXT"
        parties = tuple(name for name in players if not to or name == me or name in to)
        try:
            return TalkMessage("offer", tuple(to), contract=Contract("offer", clauses, parties)), ""
        except ContractFormatError as error:
            return None, f"that deal cannot be offered: {error}"


def told_of_rules(rules: TalkRules) -> str:
    """Return what the player has to know of the deals that can be made: who reads of them, and what makes them kept."""
    known = "Nobody but its parties reads of a deal." if rules.secret else "Everybody reads of a deal once it is made."
    binds = "A judge makes all payments that are due by a deal." if rules.force is Force.BINDING else ""
    return " ".join(part for part in (binds, rules.enforcement, known) if part)


def told_in_talk(view: TalkView, since: int) -> list[str]:
    """Return the lines to show to the player at its turn, without the first `since` messages that it has seen."""
    lines = [f"That does not count: {view.correction}"] if view.correction else []
    for each in view.messages[since:]:
        if each.speaker != view.me:
            audience = "all" if len(each.to) + 1 == len(view.players) else ", ".join(each.to)
            lines.append(f"{each.speaker} to {audience}: {each.text}")
    left = ", ".join(f"{count} {kind}" for kind, count in view.left.items())
    lines.append(f"Talk, round {view.round} of {view.rounds}: it is your turn. Messages left: {left or 'none'}.")
    for title, deals in (("Offered to you", view.offers), ("Your offer", view.own_offers), ("In force", view.deals)):
        lines += [line for deal in deals for line in _shown(title, deal)]
    return lines


def _shown(title: str, deal: Deal) -> list[str]:
    return [f"{title}: deal {deal.number} between {', '.join(deal.parties)}", *deal.contract.text.splitlines()]


def told_of_bill(bill: Bill) -> list[str]:
    """Return the lines to show to a player that owes payments."""
    owed = [f"  {each.term}: {float(each.amount):g} emeralds to {each.payee}" for each in bill.dues]
    critique = [f"The judge said: {bill.critique}"] if bill.critique else []
    return [
        f"You owe, by an agreement of the force {bill.contract.force}:",
        *owed,
        *critique,
        "Say pay all, pay and the terms that you pay, or no and why.",
    ]


def read_payment(bill: Bill, text: str) -> Payment | str:
    """Return the decision that a line states, or the reply to show to the player."""
    word, _, rest = text.strip().partition(" ")
    terms = [each.term for each in bill.dues]
    match word.lower().strip(".,!"):
        case "no":
            return Payment(bill.payer, (), rest.strip(), raw=text)
        case "pay" if rest.strip().lower() in ("all", ""):
            return Payment(bill.payer, tuple(terms), raw=text)
        case "pay":
            named = [name for name in re.split(r"[\s,]+", rest.strip()) if name]
            if unknown := [name for name in named if name not in terms]:
                return f"{unknown[0]} is not due: {', '.join(terms)}"
            return Payment(bill.payer, tuple(term for term in terms if term in named), raw=text)
    return "Say pay all, pay and the terms that you pay, or no and why."
