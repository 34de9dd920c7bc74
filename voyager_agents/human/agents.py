"""Agents that represent human players with a Minecraft client or a page.

The agent of a human player decides nothing. It relays to the player what agents are told, over a `HumanConnection`, and
passes on the player's chat: moves at the negotiating table (`TableTalk`), answers to terms, answers to letters. The
player's actions happen in the world and are measured there. The player's text is as untrusted as a model's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from contracts import Contract, NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import SeenMessage, TalkView
from contracts.enforcement import Bill, Payment
from voyager_agents.agent import Action, Observer
from voyager_agents.human.bargaining import ChannelTalk, read_payment, told_in_talk, told_of_bill, told_of_rules
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.grid_view import GridChoice, GridView
from voyager_agents.human.questions import (
    LIFE_QUESTION,
    payment_question,
    table_question,
    talk_question,
    terms_question,
)
from voyager_agents.human.seat_question import SeatQuestion
from voyager_agents.realtime_agent import Body, Clock

PROGRAM = "// A person plays this player: there is no program.\n"
"""Text in the record in place of a program."""
BEAT_S = 0.5
"""Interval at which the agent of a living human checks the chat, in seconds of game time."""
T = TypeVar("T")
_ANSWER = re.compile(r"answer\s+(\d{1,6})\s+(.+)", re.IGNORECASE | re.DOTALL)


class TableTalk:
    """Parser of a human's chat at the negotiating table, without I/O; collects lines until they form a move."""

    def __init__(self, drafts: Mapping[str, Contract], *, reads_text: bool, chat: bool = True) -> None:
        """Begin a move.

        Args:
            drafts: Contracts that can be proposed by name.
            reads_text: True if a judge reads the contract's text.
            chat: True if the player has a chat, in which others read along.
        """
        self._drafts = drafts
        self._reads_text = reads_text
        self._chat = chat
        self._clauses: list[str] = []
        self._words: list[str] = []

    @property
    def help(self) -> list[str]:
        """Instructions for making a move, one per line."""
        place = "Say in the chat (others read along), or whisper it" if self._chat else "Write your move"
        lines = [
            f"{place} as below:",
            "  accept - take the proposal on the table",
        ]
        if self._drafts:
            lines.append(f"  propose NAME - propose a contract by name: {', '.join(self._drafts)}")
        if self._reads_text:
            lines += [
                "  propose TEXT - propose a contract of one line",
                "  contract TEXT - a line of a longer one; then: propose; clear begins anew",
            ]
        return [*lines, "Anything else that you say goes to the others with your move."]

    def handle_line(self, line: str) -> tuple[NegotiationMessage | str | None, str]:
        """Return the move that the line completes, or None, and the reply to show to the player."""
        text = line.strip()
        word, _, rest = text.partition(" ")
        rest = rest.strip()
        match word.lower():
            case "accept" if not rest or rest.isdecimal():
                return f"[message] {' '.join(self._words)}\n[accept{' ' + rest if rest else ''}]", ""
            case "propose":
                return self._propose(rest)
            case "contract" if rest:
                self._clauses.append(rest)
                return None, f"line {len(self._clauses)} of your contract is noted: propose puts it on the table"
            case "clear" if not rest:
                self._clauses.clear()
                self._words.clear()
                return None, "begun anew"
        if text:
            self._words.append(text)
        return None, "your words go to the others with your move" if text else ""

    def _propose(self, rest: str) -> tuple[NegotiationMessage | str | None, str]:
        words = " ".join(self._words)
        if rest in self._drafts:
            draft = self._drafts[rest]
            message = "\n".join(part for part in (words, draft.text) if part)
            return NegotiationMessage("", message, proposal=replace(draft, name="negotiated")), ""
        clauses = "\n".join([*self._clauses, *([rest] if rest else [])])
        if not self._reads_text:
            legal = ", ".join(self._drafts) or "none"
            return None, f"no judge reads a contract's text in this study; you can propose by name: {legal}"
        if not clauses:
            return None, "there is no contract yet: say propose TEXT"
        return f"[message] {words}\n[contract]\n{clauses}\n[contract end]", ""


def told_at_the_table(view: NegotiatorView, since: int) -> list[str]:
    """Return the lines to show to the player at its turn, without the first `since` messages of the history."""
    lines = [f"That does not count: {view.correction}"] if view.correction else []
    if not view.correction:
        lines += [f"{speaker}: {message}" for speaker, message in view.history[since:] if speaker != view.me]
    lines.append(f"Negotiation, message {view.round} of {view.rounds}: it is your turn.")
    if view.standing is not None:
        lines += [f"On the table (proposal {view.standing_round}):", *view.standing.text.splitlines()]
    return lines


class HumanAgent(Observer):
    """Agent of a human who plays in episodes (`voyager_agents.agent.Agent`; also negotiates and ratifies)."""

    def __init__(self, name: str, context: HumanContext) -> None:
        super().__init__(name)
        self._context = context
        self._seen_messages = 0
        self._told_messages: tuple[SeenMessage, ...] = ()

    async def act(self) -> Action:
        """Return a placeholder; the human plays instead of a program."""
        return Action(PROGRAM)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the human's move at the negotiating table."""
        drafts = self._context.drafts
        talk = TableTalk(drafts, reads_text=self._context.reads_text, chat=bool(self._context.ear))
        if view.own_round == 0:
            self._seen_messages = 0
        lines = [
            *told_at_the_table(view, self._seen_messages),
            *talk.help,
            *self._hint("accept is read by no player until it is a move"),
        ]
        self._seen_messages = len(view.history)
        question = table_question(view, talk.help, drafts)
        return await self._ask(question, lines, lambda said: talk.handle_line(said.text))

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return the human's message in a talk on channels."""
        reads, chat = self._context.reads_text, bool(self._context.ear)
        talk = ChannelTalk(view, self._context.drafts, reads_text=reads, chat=chat)
        heard, told = view.messages, self._told_messages
        since = len(told) if heard[: len(told)] == told else 0
        self._told_messages = heard
        rules = [told_of_rules(view.rules)] if view.round == 1 else []
        hint = self._hint("WORDS is a whisper that no player reads")
        lines = [*rules, *told_in_talk(view, since), *talk.help, *hint]
        return await self._ask(talk_question(view, talk.help), lines, talk.handle_line)

    async def pay(self, bill: Bill) -> Payment:
        """Return the human's decision on payments that it owes."""

        def read(said: ChatLine) -> tuple[Payment | None, str]:
            found = read_payment(bill, said.text)
            return (found, "") if isinstance(found, Payment) else (None, found)

        lines = told_of_bill(bill)
        return await self._ask(payment_question(bill, lines), lines, read)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return the human's answer to the terms."""

        def read(said: ChatLine) -> tuple[Ratification | None, str]:
            text = said.text.strip()
            word, _, reason = text.partition(" ")
            if word.lower().strip(".,!") not in ("yes", "no"):
                return None, "Say yes, or no and why."
            return Ratification(self.name, word.lower().startswith("yes"), reason.strip(), raw=text), ""

        lines = [f"These are the terms as they will be judged:\n{sheet.text}\nSay yes, or no and why."]
        return await self._ask(terms_question(sheet), lines, read)

    def _hint(self, text: str) -> list[str]:
        """Return the line on whispers to the ear, if the player has a chat."""
        return [f"(/msg {self._context.ear} {text})"] if self._context.ear else []

    async def _ask(
        self, question: SeatQuestion, lines: Sequence[str], read: Callable[[ChatLine], tuple[T | None, str]]
    ) -> T:
        """Ask in the chat and on the page, and return the first answer.

        Args:
            question: The question as the page shows it.
            lines: The question as the chat shows it.
            read: Parser of a line; returns the answer, or None and the reply to show.
        """
        line = self._context.line
        line.forget()
        line.present(question)
        try:
            await line.send_text("\n".join(lines))
            while True:
                found, reply = read(await line.hear())
                if reply:
                    await line.send_text(reply)
                if found is not None:
                    return found
        finally:
            line.present(None)


class HumanGridPlayer(HumanAgent):
    """Agent of a human who plays a grid game on a page (`voyager_agents.grid.SeatedPlayer`; also negotiates)."""

    def show(self, view: GridView) -> None:
        """Show the game, without a question."""
        self._context.line.show_grid(view)

    async def choose_action(self, view: GridView) -> GridChoice:
        """Return the human's action in a step."""
        return await self._context.line.choose(view)


class RealtimeHuman:
    """Agent of a human who lives among others (`voyager_agents.realtime_agent.LivingAgent`).

    The mode itself hears what the human says aloud. The agent relays whispers, letters and the answers to letters.
    """

    def __init__(self, name: str, context: HumanContext) -> None:
        self.name = name
        self._context = context

    async def live(self, body: Body, clock: Clock) -> None:
        """Relay messages until the run ends."""
        self._context.line.present(LIFE_QUESTION)
        while True:
            for letter in body.letters():
                answer = f"\nTo answer: /msg {self._context.ear} answer {letter.number} YOUR WORDS"
                until = "" if letter.until_s is None else answer
                await self._context.line.send_text(f"Letter {letter.number}: {letter.text}{until}")
            for said in self._context.line.heard():
                self._hand_on(body, said)
            await clock.sleep(BEAT_S)

    def _hand_on(self, body: Body, said: ChatLine) -> None:
        if found := _ANSWER.fullmatch(said.text.strip()):
            body.answer(int(found[1]), found[2].strip())
        elif said.to and said.to != self._context.ear:
            body.whisper(said.to, said.text)
