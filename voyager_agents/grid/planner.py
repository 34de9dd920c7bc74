"""Player whose model makes plans, which a controller carries out over many steps (AdaSociety's LLM-C).

The prompt has the rules, the goals that a plan may have, worked examples from files of their own, and what the player
sees and remembers.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.grid.players import PlanTurn, T
from voyager_agents.model_player import ModelPlayer
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.voyager.negotiator import NegotiatorPart

PROMPT = "grid_plan"
"""Name of the prompt template."""
EXAMPLES = "grid_plan_examples"
"""Name of the prompt with worked examples of work on the map."""
SOCIAL_EXAMPLES: Mapping[str, str] = {kind: f"{EXAMPLES}_{kind}" for kind in ("contract", "exploration", "negotiation")}
"""Social rules of a game -> name of the prompt with worked examples of its social acts."""


class PlannerPlayer(ModelPlayer):
    """A `voyager_agents.grid.PlanningPlayer` that asks a model for each plan, and negotiates with a negotiator part."""

    def __init__(
        self,
        context: AgentContext,
        asker: Asker,
        *,
        history: int,
        review: int,
        negotiator: NegotiatorPart | None = None,
    ) -> None:
        """Create the player.

        Args:
            context: Context of the player.
            asker: Access to the model.
            history: Number of own plans that a prompt shows.
            review: Steps after which a new plan is asked for at the latest.
            negotiator: Negotiator part; None if the player cannot negotiate.
        """
        super().__init__(context, asker, history=history, negotiator=negotiator)
        self.review = review
        self._planned = False
        """True if the last line of the history is a plan whose end is not known yet."""

    def observe(self, observation: Observation) -> None:
        """Store an observation; that of a new game clears the history of plans."""
        super().observe(observation)
        self._planned = self._planned and observation.played > 0

    async def plan(self, turn: PlanTurn, form: AnswerForm[T], check: Callable[[T], object]) -> T | str:
        """Return the model's plan, or the last error as text if no answer was usable."""
        if self._planned and turn.ended:
            self._done[-1] += f" - {turn.ended}"
        self._planned = False
        answer = await self._asker.ask(*self.question(turn, form), form, check, part=PROMPT)
        if answer.value is None:
            self._done.append(f"step {turn.step}: no plan of yours, since your answer could not be used")
            return answer.faults[-1].text
        shown = answer.value.model_dump(exclude={form.reasoning}, exclude_defaults=True)
        self._done.append(f"step {turn.step}: {json.dumps(shown)}")
        self._planned = bool(self._done)
        return answer.value

    def question(self, turn: PlanTurn, form: AnswerForm[T]) -> tuple[str, str]:
        """Return system and user message; text that is constant for the whole game comes first."""
        values = {
            **self._known(),
            "rules": turn.rules,
            "goals": turn.goals,
            "examples": self._examples(turn.kind),
            "reason": turn.reason,
            "seen": turn.seen,
        }
        return self._asker.fit(values, keep_ends("lately"), fill_with(self._context.prompts.load(PROMPT)), form)

    def _examples(self, kind: str) -> str:
        """Return the worked examples for a kind of game."""
        names = [SOCIAL_EXAMPLES[kind], EXAMPLES] if kind in SOCIAL_EXAMPLES else [EXAMPLES]
        return "\n\n".join(self._context.prompts.load(name).system for name in names)
