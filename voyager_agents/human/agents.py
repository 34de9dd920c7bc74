"""People who play: a person with a Minecraft client is one of the players, and these are their agents.

An agent of a person decides nothing. It tells the person what agents are told, over a `PersonLine`, and hands on what
the person says in the game's chat: moves at the negotiating table (`TableTalk`), answers to terms, answers to letters.
What a person does is its own doing in the world and is measured there. Its words are as untrusted as any model's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from contracts import Contract, NegotiationMessage, NegotiatorView, Ratification, Sheet
from voyager_agents.agent import Action, Observer
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.realtime_agent import Body, Clock

PROGRAM = "// A person plays this player: there is no program.\n"
"""Text in the record in place of a program."""
BEAT_S = 0.5
"""Between two looks of a living person's agent at what was said, in seconds of game time."""
_ANSWER = re.compile(r"answer\s+(\d{1,6})\s+(.+)", re.IGNORECASE | re.DOTALL)


class TableTalk:
    """Parser of a person's lines at the negotiating table: collects lines until they make a move. Pure."""

    def __init__(self, drafts: Mapping[str, Contract], *, reads_text: bool) -> None:
        self._drafts = drafts
        self._reads_text = reads_text
        self._clauses: list[str] = []
        self._words: list[str] = []

    @property
    def help(self) -> list[str]:
        """Instructions for a move, one line each."""
        lines = [
            "Say in the chat (others read along), or whisper it as below:",
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

    def take(self, line: str) -> tuple[NegotiationMessage | str | None, str]:
        """Return the move that this line makes, or None; and what to tell the person about it."""
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
    """Return the lines that a person is shown in its turn; the first `since` messages of the history are known
    already."""
    lines = [f"That does not count: {view.correction}"] if view.correction else []
    if not view.correction:
        lines += [f"{speaker}: {message}" for speaker, message in view.history[since:] if speaker != view.me]
    lines.append(f"Negotiation, message {view.round} of {view.rounds}: it is your turn.")
    if view.standing is not None:
        lines += [f"On the table (proposal {view.standing_round}):", *view.standing.text.splitlines()]
    return lines


class HumanAgent(Observer):
    """The agent of a person who plays in episodes (`voyager_agents.agent.Agent`, a negotiator and signer)."""

    def __init__(self, name: str, context: HumanContext) -> None:
        super().__init__(name)
        self._context = context
        self._seen_messages = 0

    async def act(self) -> Action:
        """Return no program: the person plays."""
        return Action(PROGRAM)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the person's turn at the table."""
        line = self._context.line
        talk = TableTalk(self._context.drafts, reads_text=self._context.reads_text)
        if view.own_round == 0:
            self._seen_messages = 0
        ear = f"(/msg {self._context.ear} accept is read by no player until it is a move)"
        line.forget()
        await line.tell("\n".join([*told_at_the_table(view, self._seen_messages), *talk.help, ear]))
        self._seen_messages = len(view.history)
        while True:
            move, answer = talk.take((await line.hear()).text)
            if answer:
                await line.tell(answer)
            if move is not None:
                return move

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return whether the person takes these terms for what was agreed."""
        line = self._context.line
        line.forget()
        await line.tell(f"These are the terms as they will be judged:\n{sheet.text}\nSay yes, or no and why.")
        while True:
            said = (await line.hear()).text.strip()
            word, _, reason = said.partition(" ")
            if word.lower().strip(".,!") in ("yes", "no"):
                return Ratification(self.name, word.lower().startswith("yes"), reason.strip(), raw=said)
            await line.tell("Say yes, or no and why.")


class RealtimeHuman:
    """The agent of a person who lives among others (`voyager_agents.realtime_agent.LivingAgent`).

    What a person says aloud the mode hears itself. This hands on whispers, letters and the answers to them.
    """

    def __init__(self, name: str, context: HumanContext) -> None:
        self.name = name
        self._context = context

    async def live(self, body: Body, clock: Clock) -> None:
        """Until the run ends."""
        while True:
            for letter in body.letters():
                answer = f"\nTo answer: /msg {self._context.ear} answer {letter.number} YOUR WORDS"
                until = "" if letter.until_s is None else answer
                await self._context.line.tell(f"Letter {letter.number}: {letter.text}{until}")
            for said in self._context.line.heard():
                self._hand_on(body, said)
            await clock.sleep(BEAT_S)

    def _hand_on(self, body: Body, said: ChatLine) -> None:
        if found := _ANSWER.fullmatch(said.text.strip()):
            body.answer(int(found[1]), found[2].strip())
        elif said.to and said.to != self._context.ear:
            body.whisper(said.to, said.text)
