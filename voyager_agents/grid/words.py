"""Text player with one prompt per step, which holds the current view and the latest own actions."""

from __future__ import annotations

import json

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from voyager_agents.grid.players import GridTurn, T
from voyager_agents.model_player import ModelPlayer
from voyager_agents.prompts.fitting import fill_with

PROMPT = "grid"
"""Name of the prompt template."""


class WordsPlayer(ModelPlayer):
    """A `voyager_agents.grid.WordPlayer` that asks a model for each action, and negotiates with a negotiator part."""

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
        values = {**self._known(), "rules": turn.rules, "seen": turn.seen}
        return self._asker.fit(values, keep_ends("lately"), fill_with(self._context.prompts.load(PROMPT)), form)
