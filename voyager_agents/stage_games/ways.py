"""Ways of asking a model for a choice: what its prompt adds, the form of its answer, and the beliefs in it.

    plain       the choice alone (prompt `choice.md`)
    partner     the choice, with the partner described
    predict     predict-then-choose: a first question asks what the partner will do, a second one for the choice
    belief-1    what the partner will do, and then the choice, in one answer
    belief-2    what the partner expects of the player, what it will do, and then the choice, in one answer
    equilibria  all pure Nash equilibria, and then the choice, in one answer

All ways but `plain` use the prompt `choice_way.md`. Predict-then-choose and the description of the partner follow
Akata et al., Playing repeated games with large language models (arXiv 2305.16867); beliefs of first and second order
and the question for equilibria follow TMGBench (arXiv 2410.10479).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents.stage_games.beliefs import PARTNER_EXPECTS, PARTNER_WILL, Beliefs
from voyager_agents.stage_games.composed import Composed
from voyager_agents.stage_games.options import EQUILIBRIA, PLAIN_WAY, WAY_NAMES
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.turns import StageTurn

MAX_WHY = 400
"""Maximum length of a recorded reason, in characters."""
MAX_NAME = 60
"""Maximum length of the name of an option."""
MAX_OUTCOMES = 16
"""Maximum number of equilibria in an answer."""
BETWEEN = "/"
"""Sign between both options of an outcome."""
WHY = {"why": "<one short sentence>"}
CHOICE = {"choice": "<one of your options>"}
WILL = {PARTNER_WILL: "<one of the other player's options>"}
EXPECTS = {PARTNER_EXPECTS: "<one of your options>"}


class ChoiceAnswer(Strict):
    """Answer with one option."""

    why: str = Field(max_length=MAX_WHY)
    choice: str = Field(max_length=MAX_NAME)


class PredictionAnswer(Strict):
    """Answer with the partner's next option."""

    why: str = Field(max_length=MAX_WHY)
    partner_will: str = Field(max_length=MAX_NAME)


class FirstOrderAnswer(Strict):
    """Answer with the partner's next option and one's own."""

    why: str = Field(max_length=MAX_WHY)
    partner_will: str = Field(max_length=MAX_NAME)
    choice: str = Field(max_length=MAX_NAME)


class SecondOrderAnswer(Strict):
    """Answer with what the partner expects, what it will do, and one's own option."""

    why: str = Field(max_length=MAX_WHY)
    partner_expects: str = Field(max_length=MAX_NAME)
    partner_will: str = Field(max_length=MAX_NAME)
    choice: str = Field(max_length=MAX_NAME)


class EquilibriaAnswer(Strict):
    """Answer with the pure equilibria and one's own option."""

    why: str = Field(max_length=MAX_WHY)
    equilibria: list[str] = Field(max_length=MAX_OUTCOMES)
    choice: str = Field(max_length=MAX_NAME)


class Question(NamedTuple):
    """One question of a way."""

    text: str
    """Text of the question, with {partner} for the partner's name."""
    shape: type[Strict]
    example: Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """A way of asking."""

    choose: Question
    """Question for the choice."""
    first: Question | None = None
    """Question that is asked before; its answer is shown in the question for the choice."""
    describes_partner: bool = False
    """True if the prompt describes the partner."""

    def asks_about_partner(self) -> bool:
        """Return True if an answer names an option of the partner."""
        return self.first is not None or PARTNER_WILL in self.choose.shape.model_fields


PLAIN = Question("", ChoiceAnswer, WHY | CHOICE)
WAYS: Mapping[str, Way] = dict(
    zip(
        WAY_NAMES,
        (
            Way(PLAIN),
            Way(PLAIN, describes_partner=True),
            Way(
                Question(
                    "You predicted that {partner} will choose {prediction}. Choose now.", ChoiceAnswer, WHY | CHOICE
                ),
                first=Question(
                    "Do not choose yet. Predict first which option {partner} will choose.", PredictionAnswer, WHY | WILL
                ),
            ),
            Way(
                Question(
                    "Before you choose, say in partner_will which option you think {partner} will choose.",
                    FirstOrderAnswer,
                    WHY | WILL | CHOICE,
                )
            ),
            Way(
                Question(
                    "Before you choose, say in partner_expects which of your options {partner} thinks that you will "
                    "choose, and in partner_will which option {partner} itself will choose, given what it expects.",
                    SecondOrderAnswer,
                    WHY | EXPECTS | WILL | CHOICE,
                )
            ),
            Way(
                Question(
                    "Before you choose, list in equilibria all pure Nash equilibria of {what}: the "
                    "outcomes in which neither player gets more by changing its own option alone. There may be none, "
                    "one or several. The outcomes are: {outcomes}.",
                    EquilibriaAnswer,
                    WHY | {"equilibria": ["<outcome>"]} | CHOICE,
                )
            ),
        ),
        strict=True,
    )
)
"""Name -> way of asking."""


def partner_options(turn: StageTurn) -> Sequence[str]:
    """Return the options of the player's partner in this stage; empty without a partner that chooses now."""
    partner = turn.role.partner
    return turn.law.options(turn.stage, partner, turn.roles) if partner else ()


def outcomes(turn: StageTurn) -> Sequence[str]:
    """Return all outcomes of a table or of a stage of a composed game, as `up/left`; empty for other games."""
    law = turn.law
    if not isinstance(law, Matrix | Composed):
        return ()
    return [
        BETWEEN.join(pair) for pair in product(*(law.options(turn.stage, name, turn.roles) for name in law.players))
    ]


def asked_game(turn: StageTurn) -> str:
    """Return the game whose equilibria are asked for, in words."""
    law = turn.law
    if not isinstance(law, Composed):
        return "one round of this game"
    return f"game {turn.stage + 1} alone" if len(law.stages) > 1 else "all games of a round together"


def fitting_way(name: str, turn: StageTurn) -> Way:
    """Return the way of asking, or `plain` where the game has no partner or outcomes to ask about."""
    way = WAYS[name]
    missing = (way.asks_about_partner() and not partner_options(turn)) or (name == EQUILIBRIA and not outcomes(turn))
    return WAYS[PLAIN_WAY] if missing else way


def form_of(question: Question, turn: StageTurn) -> AnswerForm[Any]:
    """Return the form of an answer to a question in this turn."""
    legal = {
        "choice": turn.options,
        PARTNER_EXPECTS: turn.options,
        PARTNER_WILL: partner_options(turn),
        EQUILIBRIA: outcomes(turn),
    }
    choices = {name: values for name, values in legal.items() if name in question.shape.model_fields}
    return AnswerForm("choice", question.shape, question.example, reasoning="why", choices=choices)


def choice_form(options: Sequence[str]) -> AnswerForm[ChoiceAnswer]:
    """Return the form of an answer with one of these options."""
    return AnswerForm("choice", ChoiceAnswer, PLAIN.example, reasoning="why", choices={"choice": options})


def beliefs_in(answer: Strict) -> Beliefs:
    """Return the beliefs in an answer."""
    match answer:
        case SecondOrderAnswer():
            return {PARTNER_EXPECTS: answer.partner_expects, PARTNER_WILL: answer.partner_will}
        case FirstOrderAnswer() | PredictionAnswer():
            return {PARTNER_WILL: answer.partner_will}
    return {}


def equilibria_in(answer: Strict) -> tuple[str, ...] | None:
    """Return the equilibria that an answer names, each once; None if it was not asked for any."""
    return tuple(dict.fromkeys(answer.equilibria)) if isinstance(answer, EquilibriaAnswer) else None
