"""Language model player of repeated games: its prompt holds the game, the contract and the last rounds.

The model answers with one of its options. An unusable answer is returned to it once with the error; after a second
one the player makes no choice.
"""

from __future__ import annotations

import json
import re

from contracts.spoken import spoken
from voyager_agents.agent import Observation, Observer
from voyager_agents.context import AgentContext
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.rendering import contract_text
from voyager_agents.stage_games.match import PlayedRound
from voyager_agents.stage_games.options import HISTORY, ROLE
from voyager_agents.stage_games.turns import StageDecision, StageTurn
from voyager_agents.thought_events import Unusable

PROMPT = "choice"
"""Name of the prompt template."""
TRIES = 2
"""Maximum number of model calls per choice."""
LONGEST = 1000
"""Maximum length of an unusable answer in the follow-up prompt, in characters."""
MAX_WHY = 400
"""Maximum length of a recorded reason, in characters."""
_OBJECT = re.compile(r"\{[^{}]*\}", re.DOTALL)


class Chooser(Observer):
    """A `voyager_agents.turn_agent.TurnTaker` that asks a model for each choice."""

    def __init__(self, context: AgentContext, model: Model, *, history: int = HISTORY) -> None:
        super().__init__(context.player)
        self._context, self._model, self._history = context, model, history
        self._settings = Settings(temperature=0.0)

    def observe(self, observation: Observation) -> None:
        """Store the observation before a game, which includes the contract."""
        super().observe(observation)

    async def take(self, turn: StageTurn) -> StageDecision:
        """Return the model's choice after at most two calls; make no call if the player has no options."""
        if not turn.options:
            return StageDecision()
        messages, fault = self.messages(turn), ""
        for left in reversed(range(TRIES)):
            reply = await self._model.complete(messages, self._settings)
            text = spoken(reply.text)
            try:
                return read(text, turn.options)
            except ValueError as error:
                fault = f"{reply.cause}: {error}" if reply.cause else str(error)
            self._context.tell(Unusable(PROMPT, fault, final=not left, role=ROLE))
            told = f"That answer cannot be used: {fault}. Answer again, with one JSON object and nothing else."
            messages += [ChatMessage("assistant", text[:LONGEST] or "(empty)"), ChatMessage("user", told)]
        return StageDecision(fault=fault)

    def messages(self, turn: StageTurn) -> list[ChatMessage]:
        """Return the prompt of a turn; text that is constant for the whole game comes first."""
        known = self._seen()
        values = {
            "player": self.name,
            "about": self._context.about,
            "scenario": "\n\n".join(part for part in (known.scenario.strip(), known.task.strip()) if part),
            "contract": "There is no contract." if known.contract is None else contract_text(known.contract),
            "history": self._lately(turn),
            "now": now(turn),
            "options": ", ".join(turn.options),
        }
        system, user = self._context.prompts.load(PROMPT).fill(values)
        return [ChatMessage("system", system), ChatMessage("user", user)]

    def _lately(self, turn: StageTurn) -> str:
        shown = turn.history[-self._history :] if self._history else ()
        left = len(turn.history) - len(shown)
        before = [f"({left} earlier rounds are not shown)"] if left else []
        return "\n".join([*before, *(line(each, turn.player) for each in shown)]) or "(nothing yet)"


def read(text: str, options: tuple[str, ...]) -> StageDecision:
    """Parse an answer: one JSON object with `choice`. Raises ValueError with a one-line message."""
    found = _OBJECT.findall(text)
    if len(found) != 1:
        raise ValueError(f"it has {len(found)} JSON objects, not one")
    try:
        data = json.loads(found[0])
    except ValueError:
        raise ValueError("its JSON cannot be read") from None
    choice = data.get("choice")
    if choice not in options:
        raise ValueError(f"choice {str(choice)[:60]!r} is no option; choose one of {', '.join(options)}")
    why = data.get("why", "")
    return StageDecision(str(choice), why=str(why)[:MAX_WHY])


def line(played: PlayedRound, player: str) -> str:
    """Return a completed round as one line of a player's prompt."""
    told = [
        f"{'you' if name == player else name} {option}"
        for choices in played.choices
        for name, option in choices.items()
    ]
    return f"Round {played.number}: {', '.join(told)}. You got {float(played.payoffs[player]):g}."


def now(turn: StageTurn) -> str:
    """Return the current round's facts for the player's prompt."""
    role = turn.role
    parts = [f"This is round {turn.round}; you have got {float(turn.earned):g} so far."]
    if role.name:
        whom = f", and deal with {role.partner}" if role.partner else ""
        parts.append(f"You are the {role.name}{whom}.")
    if turn.images:
        parts.append("Image scores: " + ", ".join(f"{name} {score}" for name, score in turn.images.items()) + ".")
    for stage, choices in zip(turn.law.stages, turn.choices, strict=False):
        told = ", ".join(f"{name} {option}" for name, option in choices.items())
        parts.append(f"The {stage} of this round: {told}.")
    parts += turn.told
    parts.append(f"Now choose: {turn.law.stages[turn.stage]}.")
    return " ".join(parts)
