"""Language model player of repeated games: its prompt holds the game, the contract and the last rounds.

The model answers with one of its options. An unusable answer is returned to it once with the error; after a second
one the player makes no choice.
"""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.agent import Observation, Observer
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.rendering import contract_text
from voyager_agents.stage_games.match import PlayedRound
from voyager_agents.stage_games.options import HISTORY
from voyager_agents.stage_games.turns import StageDecision, StageTurn

PROMPT = "choice"
"""Name of the prompt template."""
MAX_WHY = 400
"""Maximum length of a recorded reason, in characters."""


RULES = keep_ends("history")
"""Rules that shorten a prompt: the oldest rounds."""


class ChoiceAnswer(Strict):
    """Answer with one option."""

    why: str = Field(max_length=MAX_WHY)
    choice: str = Field(max_length=60)


def choice_form(options: Sequence[str]) -> AnswerForm[ChoiceAnswer]:
    """Return the form of an answer with one of these options."""
    example = {"why": "<one short sentence>", "choice": "<one of your options>"}
    return AnswerForm("choice", ChoiceAnswer, example, reasoning="why", choices={"choice": options})


class Chooser(Observer):
    """A `voyager_agents.turn_agent.TurnTaker` that asks a model for each choice."""

    def __init__(self, context: AgentContext, asker: Asker, *, history: int = HISTORY) -> None:
        super().__init__(context.player)
        self._context, self._asker, self._history = context, asker, history

    def observe(self, observation: Observation) -> None:
        """Store the observation before a game, which includes the contract."""
        super().observe(observation)

    async def take_turn(self, turn: StageTurn) -> StageDecision:
        """Return the model's choice, or a decision with a fault; make no call if the player has no options."""
        if not turn.options:
            return StageDecision()
        answer = await self._asker.ask(*self.question(turn), choice_form(turn.options), part=PROMPT)
        if answer.value is None:
            return StageDecision(fault=answer.faults[-1].text)
        return StageDecision(answer.value.choice, why=answer.value.why)

    def question(self, turn: StageTurn) -> tuple[str, str]:
        """Return system and user message of a turn; text that is constant for the whole game comes first."""
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
        return self._asker.fit(values, RULES, fill_with(self._context.prompts.load(PROMPT)), choice_form(turn.options))

    def _lately(self, turn: StageTurn) -> str:
        shown = turn.history[-self._history :] if self._history else ()
        left = len(turn.history) - len(shown)
        before = [f"({left} earlier rounds are not shown)"] if left else []
        return "\n".join([*before, *(line(each, turn.player) for each in shown)]) or "(nothing yet)"


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
        if not choices:
            continue
        told = ", ".join(f"{name} {option}" for name, option in choices.items())
        parts.append(f"The {stage} of this round: {told}.")
    parts += turn.told
    parts.append(f"Now choose: {turn.law.stages[turn.stage]}.")
    return " ".join(parts)
