"""Reader of promises, claims and accusations in free text by a model, which also flags what it holds to be wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import integer_schema, list_schema, text_schema
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker
from voyager_agents.errors import ReplyError
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.statement_kinds import Span, What

BATCH = 4
"""Maximum number of utterances of a call."""
MAX_STATEMENTS = 8
"""Maximum number of statements of an answer."""
MAX_SHOWN = 600
"""Maximum length of an utterance in a prompt, in characters; the rest of a longer one is left out."""
MAX_VALUE = 40
MAX_ROUND = 10_000
MAX_NUMBER = 1_000_000
READ_WORDS = "read_words"


class ReadWords(Strict):
    """One statement in a model's answer."""

    utterance: int
    kind: Literal["promise", "claim", "accusation"]
    what: What
    about: str = Field(max_length=64)
    value: str = Field(max_length=MAX_VALUE)
    other: str = Field(max_length=64)
    number: float | None = Field(default=None, ge=0, le=MAX_NUMBER, strict=False)
    negated: bool
    span: Span
    round: int = Field(ge=0, le=MAX_ROUND)


class WordsAnswer(Strict):
    """Answer schema: all statements of a batch, and the numbers of utterances that seem wrong."""

    statements: list[ReadWords] = Field(max_length=MAX_STATEMENTS)
    wrong: list[int] = Field(max_length=BATCH)


@dataclass(frozen=True)
class WordsToRead:
    """One utterance for the reader, with what all have seen of the rounds around it."""

    speaker: str
    hearers: tuple[str, ...]
    round: int
    """Number of rounds that were over."""
    text: str


def words_form(count: int, players: Sequence[str]) -> AnswerForm[WordsAnswer]:
    """Return the form of what is read in `count` utterances of these players."""
    number = {"anyOf": [{"type": "number", "minimum": 0, "maximum": MAX_NUMBER}, {"type": "null"}]}
    fields: dict[str, Any] = {
        "utterance": integer_schema(1, count),
        "kind": {"type": "string", "enum": ["promise", "claim", "accusation"]},
        "what": {"type": "string", "enum": list(get_args(What))},
        "about": {"type": "string", "enum": list(players)},
        "value": text_schema(MAX_VALUE),
        "other": {"type": "string", "enum": ["", *players]},
        "number": number,
        "negated": {"type": "boolean"},
        "span": {"type": "string", "enum": list(get_args(Span))},
        "round": integer_schema(0, MAX_ROUND),
    }
    entry = {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}
    narrowed = {
        "statements": list_schema(entry, 0, MAX_STATEMENTS),
        "wrong": list_schema(integer_schema(1, count), 0, count),
    }
    first = {
        "utterance": 1, "kind": "promise", "what": "chose", "about": players[0] if players else "<name>",
        "value": "<option>", "other": "", "number": None, "negated": False, "span": "next", "round": 0,
    }  # fmt: skip
    return AnswerForm(READ_WORDS, WordsAnswer, {"statements": [first], "wrong": []}, narrowed=narrowed)


class WordReader:
    """Reader of utterances by a model."""

    def __init__(self, asker: Asker, prompts: Prompts = STANDARD) -> None:
        self._asker = asker
        self._prompts = prompts

    async def read(
        self, words: Sequence[WordsToRead], players: Sequence[str], known: Mapping[str, Any]
    ) -> WordsAnswer | None:
        """Return the statements of at most `BATCH` utterances, or None without a usable answer.

        Errors of the model are passed on.

        Args:
            words: The utterances.
            players: Names of all players.
            known: What all have seen, as plain data: options, and choices of rounds.
        """
        told = [
            {"number": number, "speaker": each.speaker, "to": list(each.hearers), "rounds over": each.round,
             "text": each.text[:MAX_SHOWN]}
            for number, each in enumerate(words, 1)
        ]  # fmt: skip
        answer = await self._asker.ask(
            self._prompts.load(READ_WORDS).system,
            quote_document({"players": list(players), **known, "utterances": told}),
            words_form(len(words), players),
            lambda read: _check(read, len(words), players),
            part=READ_WORDS,
        )
        return answer.value


def _check(answer: WordsAnswer, count: int, players: Sequence[str]) -> None:
    """Check that an answer is about these utterances and players. Raises ReplyError."""
    numbers = [*(each.utterance for each in answer.statements), *answer.wrong]
    if unknown := next((number for number in numbers if not 1 <= number <= count), None):
        raise ReplyError("form", f"utterance {unknown}: there are the numbers 1 to {count}")
    names = [name for each in answer.statements for name in (each.about, each.other or each.about)]
    if stranger := next((name for name in names if name not in players), None):
        raise ReplyError("form", f"{stranger[:40]!r} is no player: give one of {', '.join(players)}")
