"""Typed forms of answers: one definition for the words in the prompt, the JSON schema and the strict parser.

A form with a reasoning field asks for the reason before the decision, since a language model writes from left to right.
Reasoning is an experimental factor: the field may be left out (`none`), or the model thinks in free text before the
object (`free`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from common.answers.bounds import limit_length
from common.answers.reading import MAX_ANSWER, Strict, first_problem, json_of
from common.answers.reasoning import Reasoning
from common.answers.schema import bounded_schema, limit_values
from common.answers.spoken import code_blocks, spoken

T = TypeVar("T", bound=Strict)
MAX_STARTS = 20
"""Maximum lines that open with a brace and are tried as the beginning of an object after free text."""
FREE = "Think first, in your own words. Then write one JSON object in a code block, and nothing after it:\n\n```json\n"
_PLACE = re.compile(r'"(<[^"<>]*>)"')
ONLY = "Answer with one JSON object and nothing else, in this form:\n\n"


@dataclass(frozen=True)
class AnswerForm(Generic[T]):
    """Typed form of an answer: its model, an example for prompts, and the values that are legal in this question."""

    name: str
    """Name of the form in records and requests: letters, digits and underscores."""
    shape: type[T]
    example: Mapping[str, Any]
    """Answer shown in prompts, its keys in the order of the model's fields. A text in angle brackets, such as
    `<one short sentence>`, is shown without quotes: small models copy quoted ones as their answer."""
    reasoning: str = ""
    """Field with the reasoning, which is the first one; empty without one."""
    choices: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    """Path of a field, such as `transfers.clause` -> legal values; list items have no step of their own."""
    narrowed: Mapping[str, Mapping[str, Any] | None] = field(default_factory=dict)
    """Field -> its JSON schema where only some values of its type are legal now; None leaves it out of the schema.

    The parser does not read it: the caller's check refuses what is illegal.
    """
    alternatives: Sequence[Sequence[str]] = ()
    """Sets of fields of which an answer has one, beside the reasoning; empty if it has all. For the schema alone."""

    def instructions(self, reasoning: Reasoning = "field") -> str:
        """Return the request for an answer of this form, the last paragraph of a system message."""
        if reasoning == "free":
            return f"{FREE}{self._example('none')}\n```"
        return f"{ONLY}{self._example(reasoning)}"

    def schema(self, reasoning: Reasoning = "field") -> dict[str, Any]:
        """Return the JSON schema: all keys required, in order, and every text and list bounded.

        The bounds keep the longest answer within `common.answers.bounds.MAX_LONGEST` characters, as far as they can.
        """
        found = bounded_schema(self.shape)
        for name, schema in self.narrowed.items():
            if schema is None:
                found["properties"].pop(name)
                found["required"].remove(name)
            else:
                found["properties"][name] = dict(schema)
        limit_values(found, self.choices)
        if reasoning != "field" and self.reasoning:
            found["properties"].pop(self.reasoning)
            found["required"].remove(self.reasoning)
        sets = [[key for key in found["required"] if key in (self.reasoning, *keys)] for keys in self.alternatives]
        parts = [
            {**found, "properties": {key: found["properties"][key] for key in keys}, "required": keys} for keys in sets
        ]
        return limit_length({"anyOf": parts} if parts else found)

    def parse(self, answer: str, reasoning: Reasoning = "field") -> T:
        """Return the object in an answer: alone or in one code fence, after free text only where that is asked for.

        Args:
            answer: The model's text.
            reasoning: Place of the reasoning that the question asked for.

        Raises:
            ValueError: The answer is too long, no JSON object, or of another form; one line for its writer.
        """
        length = len(spoken(answer))
        if length > MAX_ANSWER:
            raise ValueError(f"the answer has {length} characters: write at most {MAX_ANSWER}")
        thoughts, data = _thoughts_and_data(answer) if reasoning == "free" else ("", _object(answer))
        if isinstance(data, dict) and self.reasoning:
            data = self._with_reasoning(data, thoughts)
        try:
            read = self.shape.model_validate(data)
        except ValidationError as error:
            raise ValueError(first_problem(error)) from None
        self._check_choices(read.model_dump())
        return read

    def _with_reasoning(self, data: dict[str, Any], thoughts: str) -> dict[str, Any]:
        """Return the data with its reasoning cut to the bound; an answer without a reason is still an answer."""
        limit = bounded_schema(self.shape)["properties"][self.reasoning]["maxLength"]
        given = data.get(self.reasoning, thoughts)
        return {**data, self.reasoning: given[:limit]} if isinstance(given, str) else data

    def _check_choices(self, data: Any) -> None:  # noqa: ANN401 - a part of the parsed answer
        for path, legal in self.choices.items():
            for value in _values(data, path.split(".")):
                if value not in legal:
                    listed = ", ".join(str(each) or '""' for each in legal)
                    raise ValueError(f"{path} {str(value)[:60]!r} is not legal here; choose one of {listed}")

    def _example(self, reasoning: Reasoning) -> str:
        shown = {key: value for key, value in self.example.items() if reasoning == "field" or key != self.reasoning}
        return _PLACE.sub(r"\1", json.dumps(shown, ensure_ascii=False))


def _object(answer: str) -> Any:  # noqa: ANN401 - whatever the JSON holds
    try:
        return json_of(answer)
    except ValueError as error:
        raise ValueError(f"the answer is not one JSON object ({error})") from None


def _thoughts_and_data(answer: str) -> tuple[str, Any]:
    """Return the free text of an answer, and the data of the JSON object that ends it."""
    try:
        return "", json_of(answer)
    except ValueError:
        pass
    text = spoken(answer).strip()
    blocks, _ = code_blocks(text)
    if blocks and blocks[-1].closed and text.endswith("```"):
        return text[: text.rindex(blocks[-1].body)].rpartition("```")[0].strip(), _object(blocks[-1].body)
    starts = [place for place, letter in enumerate(text) if letter == "{" and (not place or text[place - 1] == "\n")]
    for start in reversed(starts[-MAX_STARTS:]):
        try:
            return text[:start].strip(), json_of(text[start:])
        except ValueError:
            continue
    raise ValueError("the answer does not end with one JSON object")


def _values(data: Any, path: Sequence[str]) -> list[Any]:  # noqa: ANN401 - a part of the parsed answer
    """Return the values at a path; a list stands for each of its items, a missing value for none."""
    if isinstance(data, list | tuple):
        return [value for each in data for value in _values(each, path)]
    if not path:
        return [] if data is None else [data]
    return _values(data.get(path[0]), path[1:]) if isinstance(data, dict) else []
