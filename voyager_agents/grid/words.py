"""Text player with one prompt per step, which holds the current view and the latest own actions.

Before the game it may negotiate (`voyager_agents.voyager.negotiator`). Every step's prompt has the agreed terms.
"""

from __future__ import annotations

import json
from collections import deque

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.grid.options import HISTORY
from voyager_agents.grid.players import GridTurn, T
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.rendering import contract_text
from voyager_agents.voyager.negotiator import ModelNegotiator, NegotiatorPart

PROMPT = "grid"
"""Name of the prompt template."""


class WordsPlayer(ModelNegotiator):
    """A `voyager_agents.grid.WordPlayer` that asks a model for each action, and negotiates with a negotiator part."""

    def __init__(
        self,
        name: str,
        asker: Asker,
        *,
        history: int = HISTORY,
        prompts: Prompts = STANDARD,
        negotiator: NegotiatorPart | None = None,
    ) -> None:
        super().__init__(name)
        self._asker, self._prompts, self._part = asker, prompts, negotiator
        self._done: deque[str] = deque(maxlen=history)

    @property
    def negotiator(self) -> NegotiatorPart | None:
        """The negotiator part; None if the player cannot negotiate."""
        return self._part

    def observe(self, observation: Observation) -> None:
        """Store an observation; that of a new game clears the action history."""
        super().observe(observation)
        if not observation.played:
            self._done.clear()

    async def choose(self, turn: GridTurn, form: AnswerForm[T]) -> T | str:
        """Return the model's answer, or the last error as text if no answer was usable."""
        answer = await self._asker.ask(*self.question(turn, form), form, part=PROMPT)
        if answer.value is None:
            self._done.append(f"step {turn.step}: no action of yours, since your answer could not be used")
            return answer.faults[-1].text
        self._done.append(f"step {turn.step}: {json.dumps(answer.value.model_dump(exclude={form.reasoning}))}")
        return answer.value

    def question(self, turn: GridTurn, form: AnswerForm[T]) -> tuple[str, str]:
        """Return system and user message of a step; text that is constant for the whole game comes first."""
        known = self._seen()
        contract = "There is no contract." if known.contract is None else contract_text(known.contract)
        values = {
            "player": self.name,
            "scenario": "\n\n".join(part for part in (known.scenario.strip(), known.task.strip()) if part),
            "rules": turn.rules,
            "contract": contract,
            "lately": "\n".join(self._done) or "nothing yet",
            "seen": turn.seen,
        }
        return self._asker.fit(values, keep_ends("lately"), fill_with(self._prompts.load(PROMPT)), form)
