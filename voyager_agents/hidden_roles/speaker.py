"""Player of games of hidden roles that asks a language model for each clue, vote and guess."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.untrusted_text import explain_document
from voyager_agents.agent import Observer
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext
from voyager_agents.hidden_roles.turns import INSIDER, MAX_CLUE, WordDecision, WordTurn, clue_fault
from voyager_agents.prompts.fitting import fill_with

PROMPT = "secret_word"
"""Name of the prompt template."""
MAX_WHY = 400
"""Maximum length of a recorded reason, in characters."""
MAX_NAME = 60
"""Maximum length of a name or a word."""
HISTORY = 5
"""Number of earlier games in a prompt."""
ONE_WORD = "^[A-Za-z'-]{2,24}$"
"""Pattern of a clue of one word in the schema."""
WHY = {"why": "<one short sentence; nobody else reads it>"}


class ClueAnswer(Strict):
    """Answer with a clue."""

    why: str = Field(max_length=MAX_WHY)
    clue: str = Field(max_length=MAX_CLUE)


class VoteAnswer(Strict):
    """Answer with a vote, after what the player thinks of itself and of the others."""

    why: str = Field(max_length=MAX_WHY)
    role: str = Field(max_length=MAX_NAME)
    expects: str = Field(max_length=MAX_NAME)
    vote: str = Field(max_length=MAX_NAME)


class GuessAnswer(Strict):
    """Answer with a guess of the secret word."""

    why: str = Field(max_length=MAX_WHY)
    guess: str = Field(max_length=MAX_NAME)


def form_of(turn: WordTurn) -> AnswerForm[Any]:
    """Return the form of the answer in a stage."""
    match turn.stage:
        case "clue":
            words = "one word" if turn.rules.clue_words == 1 else "your clue"
            narrowed = {"clue": {"type": "string", "pattern": ONE_WORD}} if turn.rules.clue_words == 1 else {}
            return AnswerForm("clue", ClueAnswer, WHY | {"clue": f"<{words}>"}, reasoning="why", narrowed=narrowed)
        case "vote":
            example = WHY | {
                "role": "<the role that you think you have>",
                "expects": "<the player that you think most players will vote for>",
                "vote": "<the player that you vote for>",
            }
            choices = {"role": (INSIDER, turn.rules.odd), "expects": turn.players, "vote": turn.others()}
            return AnswerForm("vote", VoteAnswer, example, reasoning="why", choices=choices)
        case _:
            example = WHY | {"guess": "<a word of the card>"}
            return AnswerForm("guess", GuessAnswer, example, reasoning="why", choices={"guess": turn.words})


class Speaker(Observer):
    """A `voyager_agents.turn_agent.TurnTaker` that asks a model."""

    def __init__(self, context: AgentContext, asker: Asker) -> None:
        super().__init__(context.player)
        self._context, self._asker = context, asker

    async def take_turn(self, turn: WordTurn) -> WordDecision:
        """Return the model's decision, or one with a fault; make no call if it is not the player's turn."""
        if not turn.acts:
            return WordDecision()

        def check(answer: Strict) -> None:
            if isinstance(answer, ClueAnswer) and (fault := clue_fault(turn, answer.clue)):
                raise ValueError(fault)

        form = form_of(turn)
        found = await self._asker.ask(*self.question(turn, form), form, check, part=PROMPT)
        match found.value:
            case ClueAnswer(why=why, clue=clue):
                return WordDecision(clue=clue, why=why)
            case VoteAnswer(why=why, role=role, expects=expects, vote=vote):
                return WordDecision(vote=vote, role=role, expects=expects, why=why)
            case GuessAnswer(why=why, guess=guess):
                return WordDecision(guess=guess, why=why)
        return WordDecision(fault=found.faults[-1].text)

    def question(self, turn: WordTurn, form: AnswerForm[Any]) -> tuple[str, str]:
        """Return system and user message of a stage; text that is constant for the whole run comes first."""
        seen = self._seen()
        values = {
            "player": self.name,
            "about": self._context.about,
            "scenario": "\n\n".join(part for part in (seen.scenario.strip(), seen.task.strip()) if part),
            "ended": "\n".join(ended_lines(turn)) or "(none yet)",
            "known": known(turn),
            "clues": spoken(turn),
            "now": request(turn),
        }
        return self._asker.fit(values, (), fill_with(self._context.prompts.load(PROMPT)), form)


def ended_lines(turn: WordTurn) -> list[str]:
    """Return the last games in words."""
    outcomes = {"escaped": "was not accused", "guessed": "was accused and named the word", "caught": "was caught"}
    return [
        f"Game {each.number}: the {turn.rules.odd} was {each.odd} and {outcomes[each.outcome]}; the secret word was "
        f"{each.word}."
        for each in turn.ended[-HISTORY:]
    ]


def known(turn: WordTurn) -> str:
    """Return what the player alone knows, and the card, in words."""
    card = f"This is game {turn.game} of {turn.games}. The topic is {turn.topic}; the card: {', '.join(turn.words)}."
    if turn.word:
        told = f"Your secret word is {turn.word}."
    else:
        told = f"You are the {turn.rules.odd}: you do not know the secret word, and nobody knows that it is you."
    return " ".join([card, told, *turn.notices])


def spoken(turn: WordTurn) -> str:
    """Return the clues so far as data."""
    if not turn.clues:
        return "Nobody has given a clue yet."
    document = {f"clue {place} by {each.player}": each.text for place, each in enumerate(turn.clues, 1)}
    return explain_document(document, "what the players said in this game", "Judge the clues by the card.")


def request(turn: WordTurn) -> str:
    """Return the question of the stage."""
    match turn.stage:
        case "clue":
            length = "one word" if turn.rules.clue_words == 1 else f"at most {turn.rules.clue_words} words"
            return f"Give your clue now: {length}, not your secret word, and no clue that was given before."
        case "vote":
            return f"Vote now for the player that you take for the {turn.rules.odd}: {', '.join(turn.others())}."
        case _:
            return "You were accused. Guess the secret word now."
