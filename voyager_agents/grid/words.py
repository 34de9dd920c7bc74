"""Text player with one prompt per step, which holds the current view and the latest own actions.

An unusable answer is returned to the model once, with the error.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from common.answers.spoken import spoken
from voyager_agents.agent import Observation, Observer
from voyager_agents.grid.options import HISTORY, ROLE
from voyager_agents.grid.players import GridTurn, Read
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.rendering import contract_text
from voyager_agents.thought_events import Tell, Unusable, silent

PROMPT = "grid"
"""Name of the prompt template."""
TRIES = 2
"""Maximum number of model calls per step."""
LONGEST = 1000
"""Maximum length of an unusable answer in the follow-up prompt, in characters."""


class WordsPlayer(Observer):
    """A `voyager_agents.grid.WordPlayer` that asks a model for each action."""

    def __init__(
        self,
        name: str,
        model: Model,
        *,
        history: int = HISTORY,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
        settings: Settings | None = None,
    ) -> None:
        super().__init__(name)
        self._model, self._prompts, self._tell = model, prompts, tell
        self._settings = settings or Settings(temperature=0.0)
        self._done: deque[str] = deque(maxlen=history)

    def observe(self, observation: Observation) -> None:
        """Store the observation of a new game, and clear the action history."""
        super().observe(observation)
        self._done.clear()

    async def choose(self, turn: GridTurn, read: Callable[[str], Read]) -> Read | str:
        """Return the parsed answer after at most two model calls, or the last error as text."""
        messages, fault = self.messages(turn), ""
        for left in reversed(range(TRIES)):
            reply = await self._model.complete(messages, self._settings)
            text = spoken(reply.text)
            try:
                found = read(text.strip())
            except ValueError as error:
                fault = f"{reply.cause}: {error}" if reply.cause else str(error)
                self._tell(Unusable("grid", fault, final=not left, role=ROLE))
                told = f"That answer cannot be used: {fault}. Answer again, with one JSON object and nothing else."
                messages += [ChatMessage("assistant", text[:LONGEST] or "(empty)"), ChatMessage("user", told)]
                continue
            self._done.append(f"step {turn.step}: {' '.join(text.split())}")
            return found
        self._done.append(f"step {turn.step}: nothing, since your answer could not be used")
        return fault

    def messages(self, turn: GridTurn) -> list[ChatMessage]:
        """Return the prompt of a step; text that is constant for the whole game comes first."""
        known = self._seen()
        contract = "There is no contract." if known.contract is None else contract_text(known.contract)
        lately = "\n".join(self._done) or "nothing yet"
        values = {
            "player": self.name,
            "scenario": "\n\n".join(part for part in (known.scenario.strip(), known.task.strip()) if part),
            "rules": turn.rules,
            "contract": contract,
            "lately": lately,
            "seen": turn.seen,
        }
        system, user = self._prompts.load(PROMPT).fill(values)
        return [ChatMessage("system", system), ChatMessage("user", user)]
