"""The negotiator part: speaks for a player at the negotiating table."""

from __future__ import annotations

from contracts import View
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts import load_prompt


class NegotiatorPart:
    """Asks a model for one message; its form is checked by `contracts.negotiation`, which also corrects it."""

    def __init__(self, model: Model, settings: Settings | None = None) -> None:
        self._model = model
        self._settings = settings or Settings(temperature=0.7)
        self._prompt = load_prompt("negotiator")

    async def speak(self, observation: Observation, view: View) -> str:
        """The message as the model wrote it, thought included."""
        system, user = self._prompt.fill(
            {
                "player": view.me,
                "other": view.other,
                "objective": observation.task,
                "scenario": observation.scenario,
                "facts": rendering.facts(observation.facts),
                "round": str(view.round),
                "rounds": str(view.rounds),
                "standing": rendering.contract_text(view.standing),
                "history": rendering.dialogue(view.history),
                "correction": _correction(view),
            }
        )
        messages = [ChatMessage("system", system), ChatMessage("user", user)]
        return (await self._model.complete(messages, self._settings)).text


def _correction(view: View) -> str:
    if not view.correction:
        return "Write your [thinking] and your [message]."
    return f"Your last try could not be used: {view.correction}. Write it again."
