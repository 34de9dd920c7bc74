"""Negotiator part: writes a player's messages at the negotiating table, and ratifies terms."""

from __future__ import annotations

from common.answers.reading import MAX_ANSWER, Strict
from contracts import ContractScope, Experience, NegotiatorView, Ratification, Sheet
from contracts.answers import read_strictly
from contracts.errors import MessageError, VerdictError
from contracts.messages import parse_turn
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts

RATIFYING = Settings(temperature=0.1)
"""Settings for ratification. Temperature is low because the same sheet should get the same answer."""
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


class _Answer(Strict):
    """Schema of the answer that ratifies or refuses."""

    ratify: bool
    reason: str


class NegotiatorPart:
    """Requests one message from a model; `contracts.negotiation` checks and corrects its form."""

    def __init__(self, model: Model, settings: Settings | None = None, prompts: Prompts = STANDARD) -> None:
        self._model = model
        self._settings = settings or Settings(temperature=0.7)
        self._prompt = prompts.load("negotiator")
        self._ratify = prompts.load("ratify")

    async def speak(self, observation: Observation, view: NegotiatorView) -> str:
        """Return the model's message with its thought. Raises MessageError if the answer was cut off."""
        system, user = self._prompt.fill(
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
            }
        )
        messages = [ChatMessage("system", system), ChatMessage("user", user)]
        reply = await self._model.complete(messages, self._settings)
        if reply.cause:
            try:
                parse_turn(reply.text, view.parties, "contract")
            except MessageError as error:
                raise MessageError(error.code, f"{reply.cause}: {error}") from None
        return reply.text

    async def ratify(self, observation: Observation, sheet: Sheet) -> Ratification:
        """Return the model's decision on the sheet; an unreadable answer does not ratify."""
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
        messages = [ChatMessage("system", system), ChatMessage("user", user)]
        reply = await self._model.complete(messages, RATIFYING)
        answer = reply.text
        try:
            read = read_strictly(answer, _Answer, "signer", "ratification")
        except VerdictError as error:
            why = f"{reply.cause}: {error}" if reply.cause else str(error)
            return Ratification(observation.player, False, why, answer[:MAX_ANSWER])
        return Ratification(observation.player, read.ratify, read.reason, answer)


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
        return "Write your [thinking] and your [message]."
    return f"Your last try could not be used: {view.correction}. Write it again."
