"""Negotiator part: writes a player's messages at the negotiating table, and ratifies terms."""

from __future__ import annotations

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import MAX_ANSWER, Strict
from contracts import ContractScope, Experience, NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.errors import MessageError
from contracts.messages import MessageAnswer, message_form, read_turn
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import NEGOTIATOR

_SCOPES = {
    ContractScope.BOTH: "",
    ContractScope.COORDINATION: (
        "Here a contract only coordinates: it says who does what and in which order. It moves no emeralds and nobody "
        "enforces it. A proposal with a line that speaks of a payment is refused."
    ),
    ContractScope.TRANSFERS: (
        "Here a contract has transfers only: every line says who pays whom how many emeralds for what is seen at the "
        "end. It assigns no tasks, no roles and no turns. A proposal with any other line is refused."
    ),
}
_GREEDY = (
    "Your player wants as much as it can get, and what the others are left with does not matter to you. Open high, "
    "concede as late and as little as you can, and take less than the larger part of the gain only when nothing would "
    "be agreed otherwise."
)


class RatificationAnswer(Strict):
    """Answer that ratifies terms or refuses them."""

    reason: str = Field(max_length=400)
    ratify: bool


RATIFICATION_FORM = AnswerForm(
    "ratification",
    RatificationAnswer,
    {"reason": "<what you compared>", "ratify": "<true or false>"},
    reasoning="reason",
)


class NegotiatorPart:
    """Requests messages and ratifications from a model."""

    def __init__(self, speaking: Asker, signing: Asker, prompts: Prompts = STANDARD) -> None:
        """Create the part.

        Args:
            speaking: Asks for messages, once each: `contracts.negotiation` records and corrects malformed ones.
            signing: Asks for ratifications.
            prompts: Prompts of the part.
        """
        self._speaking = speaking
        self._signing = signing
        self._prompt = prompts.load("negotiator")
        self._ratify = prompts.load("ratify")

    async def speak(self, observation: Observation, view: NegotiatorView) -> NegotiationMessage:
        """Return the model's message with its thought. Raises MessageError if it is malformed."""
        form = message_form(can_accept=view.standing is not None)
        system, user = self._speaking.fit(
            {
                "player": view.me,
                "other": view.other,
                "objective": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "scope": _SCOPES[view.scope],
                "manner": _GREEDY if view.greedy else "",
                "before": experience(view.before),
                "round": str(view.round),
                "rounds": str(view.rounds),
                "standing": _standing(view),
                "history": rendering.dialogue(view.history),
                "correction": _correction(view),
            },
            keep_ends("history", "before"),
            fill_with(self._prompt),
            form,
        )
        standing = "" if view.standing is None else view.standing.text

        def turn(answer: MessageAnswer) -> NegotiationMessage:
            return read_turn(answer, view.parties, "negotiated", standing)

        answer = await self._speaking.ask(system, user, form, turn, part=NEGOTIATOR)
        if answer.value is None:
            fault = answer.faults[-1]
            raise MessageError(fault.code or "form", fault.text, kind=fault.kind, raw=answer.raw[:MAX_ANSWER])
        return turn(answer.value)

    async def ratify(self, observation: Observation, sheet: Sheet) -> Ratification:
        """Return the model's decision on the sheet; without a readable answer the terms are not ratified."""
        others = [name for name in observation.players if name != observation.player]
        system, user = self._ratify.fill(
            {
                "player": observation.player,
                "other": ", ".join(others),
                "objective": observation.task,
                "text": quoted(sheet.terms.text),
                "sheet": sheet.text,
            }
        )
        answer = await self._signing.ask(system, user, RATIFICATION_FORM, part="ratify")
        if answer.value is None:
            return Ratification(observation.player, False, answer.faults[-1].text, answer.raw[:MAX_ANSWER])
        return Ratification(observation.player, answer.value.ratify, answer.value.reason, answer.raw)


def quoted(text: str) -> str:
    """Return a player's text with every line marked as quoted."""
    return "\n".join(f"> {line}" for line in text.strip().splitlines())


def experience(before: Experience | None) -> str:
    """Return the result of the previous episode; empty at the first negotiation."""
    if before is None:
        return ""
    lines = ["You have played an episode already.", "The contract then:"]
    lines.append(quoted(before.contract.text) if before.contract else "(none)")
    for player, payoff in before.payoffs.items():
        lines.append(f"{player} earned {before.rewards[player]:g} emeralds, {payoff:g} after transfers.")
    lines += [f"Duty {duty}: {'kept' if kept else 'not kept'}." for duty, kept in before.kept.items()]
    if before.critique:
        lines += ["The judge said:", quoted(before.critique)]
    standing = "goes on" if before.stands else "ends"
    lines.append(f"If nothing new is agreed, that contract {standing}." if before.contract else "")
    return "\n".join(line for line in lines if line)


def _standing(view: NegotiatorView) -> str:
    if view.standing is None:
        return "(none)"
    accepted = ", ".join(view.accepted) or "nobody"
    text = quoted(view.standing.text)
    return f"Number {view.standing_round}, accepted so far by {accepted}:\n{text}"


def _correction(view: NegotiatorView) -> str:
    if not view.correction:
        return "Write your message."
    return f"Your last try could not be used: {view.correction}. Write it again."
