"""Language model player of repeated games: its prompt holds the game, the contract and the last rounds.

The model answers with one of its options. An unusable answer is returned to it once with the error; after a second
one the player makes no choice.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from common.answers.faults import TypedAnswer
from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.untrusted_text import explain_document
from voyager_agents.agent import Observation, Observer
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.rendering import contract_text
from voyager_agents.stage_games.beliefs import PARTNER_WILL, Beliefs
from voyager_agents.stage_games.match import PlayedRound
from voyager_agents.stage_games.options import HISTORY, MAX_STRATEGY, PARTNER, PLAIN_WAY, WrittenStrategies
from voyager_agents.stage_games.turns import StageDecision, StageTurn
from voyager_agents.stage_games.ways import (
    MAX_WHY,
    WAYS,
    WHY,
    Question,
    Way,
    asked_game,
    beliefs_in,
    equilibria_in,
    fitting_way,
    form_of,
    outcomes,
)
from voyager_agents.thought_events import StrategyWritten

PROMPT, WAY_PROMPT = "choice", "choice_way"
"""Names of the prompt templates: the one of the plain way, and that of all others."""
STRATEGY = "strategy"
"""Name of the prompt for a strategy."""
NO_ADVICE = "You know no strategies of earlier players."


RULES = keep_ends("history")
"""Rules that shorten a prompt: the oldest rounds."""
UNKNOWN_PARTNER = "You know nothing about the other player."


class StrategyAnswer(Strict):
    """Answer with a strategy for the whole game."""

    why: str = Field(max_length=MAX_WHY)
    strategy: str = Field(min_length=1, max_length=MAX_STRATEGY)


STRATEGY_FORM = AnswerForm(
    STRATEGY, StrategyAnswer, WHY | {"strategy": "<your strategy, in a few sentences>"}, reasoning="why"
)


class Chooser(Observer):
    """A `voyager_agents.turn_agent.TurnTaker` that asks a model for each choice."""

    def __init__(
        self,
        context: AgentContext,
        asker: Asker,
        *,
        history: int = HISTORY,
        way: str = PLAIN_WAY,
        partner: str = PARTNER,
        strategies: WrittenStrategies = WrittenStrategies(),  # noqa: B008 - a frozen value without content
    ) -> None:
        """Create the player.

        Args:
            context: Context of the player.
            asker: Access to its model.
            history: Number of past rounds in a prompt.
            way: Name of the way of asking.
            partner: Description of the partner, for the way that has one.
            strategies: Strategies in words.
        """
        super().__init__(context.player)
        self._context, self._asker, self._history = context, asker, history
        self._way, self._partner = way, partner
        self._advice = strategies.advice
        self._writes = self.name in strategies.writers
        self._strategy = strategies.own.get(self.name, "")

    def observe(self, observation: Observation) -> None:
        """Store the observation before a game, which includes the contract."""
        super().observe(observation)

    async def take_turn(self, turn: StageTurn) -> StageDecision:
        """Return the model's choice, or a decision with a fault; make no call if the player has no options."""
        if self._writes:
            await self._write()
        if not turn.options:
            return StageDecision()
        way, beliefs = fitting_way(self._way, turn), dict[str, str]()
        if way.first is not None:
            found = await self._ask(way, way.first, turn, beliefs)
            if found.value is None:
                return StageDecision(fault=found.faults[-1].text)
            beliefs |= beliefs_in(found.value)
        answer = await self._ask(way, way.choose, turn, beliefs)
        if answer.value is None:
            return StageDecision(fault=answer.faults[-1].text, beliefs=beliefs)
        value = answer.value
        told = {**beliefs, **beliefs_in(value)}
        return StageDecision(value.choice, why=value.why, beliefs=told, equilibria=equilibria_in(value))

    async def _write(self) -> None:
        """Ask for a strategy, once. After unusable answers the player has none, and the fault is recorded."""
        self._writes = False
        values = {
            "player": self.name,
            "about": self._context.about,
            **self._game_values(),
            "advice": self._advice_text(),
        }
        fill = fill_with(self._context.prompts.load(STRATEGY))
        system, user = self._asker.fit(values, (), fill, STRATEGY_FORM)
        answer = await self._asker.ask(system, user, STRATEGY_FORM, part=STRATEGY)
        if answer.value is not None:
            self._strategy = answer.value.strategy
            told = StrategyWritten(self._strategy, answer.value.why, len(self._advice), role=self._asker.role)
            self._context.tell(told)

    def _advice_text(self) -> str:
        if not self._advice:
            return NO_ADVICE
        document = {f"strategy {place}": text for place, text in enumerate(self._advice, 1)}
        purpose = "what the best players of the last generation wrote as their strategies, the best first"
        return explain_document(document, purpose, "Take of it what you find good.")

    def _about(self) -> str:
        """Return what the player is told of itself, with its strategy as data."""
        if not self._strategy:
            return self._context.about
        purpose = "the strategy that you wrote down for this game"
        shown = explain_document({STRATEGY: self._strategy}, purpose, "Choose as the strategy says.")
        return f"{self._context.about}\n\n{shown}".strip()

    def _game_values(self) -> dict[str, str]:
        """Return the values of a prompt that are the same in the whole game."""
        seen = self._seen()
        return {
            "scenario": "\n\n".join(part for part in (seen.scenario.strip(), seen.task.strip()) if part),
            "contract": "There is no contract." if seen.contract is None else contract_text(seen.contract),
        }

    async def _ask(self, way: Way, question: Question, turn: StageTurn, known: Beliefs) -> TypedAnswer[Any]:
        form = form_of(question, turn)
        system, user = self.question(turn, way, question, known)
        return await self._asker.ask(system, user, form, part=_prompt_of(way))

    def question(self, turn: StageTurn, way: Way, question: Question, known: Beliefs) -> tuple[str, str]:
        """Return system and user message of a question; text that is constant for the whole game comes first.

        Args:
            turn: The turn.
            way: The way of asking.
            question: The question of that way.
            known: Beliefs of an earlier question of this turn.
        """
        values = {
            "player": self.name,
            "about": self._about(),
            **self._game_values(),
            "history": self._lately(turn),
            "now": now(turn),
            "options": ", ".join(turn.options),
        }
        if way is not WAYS[PLAIN_WAY]:
            values["partner"] = self._partner if way.describes_partner else UNKNOWN_PARTNER
            values["question"] = question.text.format(
                partner=turn.role.partner,
                prediction=known.get(PARTNER_WILL, ""),
                outcomes=", ".join(outcomes(turn)),
                what=asked_game(turn),
            )
        fill = fill_with(self._context.prompts.load(_prompt_of(way)))
        return self._asker.fit(values, RULES, fill, form_of(question, turn))

    def _lately(self, turn: StageTurn) -> str:
        shown = turn.history[-self._history :] if self._history else ()
        left = len(turn.history) - len(shown)
        before = [f"({left} earlier rounds are not shown)"] if left else []
        return "\n".join([*before, *(line(each, turn.player) for each in shown)]) or "(nothing yet)"


def _prompt_of(way: Way) -> str:
    return PROMPT if way is WAYS[PLAIN_WAY] else WAY_PROMPT


def line(played: PlayedRound, player: str) -> str:
    """Return a completed round as one line of a player's prompt."""
    told = [
        f"{'you' if name == player else name} {option}"
        for choices in played.choices
        for name, option in choices.items()
    ]
    return f"Round {played.number}: {', '.join(told)}. You got {float(played.payoffs[player]):g}."


def now(turn: StageTurn) -> str:
    """Return the current round's facts for the player's prompt, and what it is to choose."""
    return f"{round_facts(turn)} Now choose: {turn.law.stages[turn.stage]}."


def round_facts(turn: StageTurn) -> str:
    """Return the current round's facts in sentences."""
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
    return " ".join([*parts, *turn.told])
