"""Primitives as tools: JSON schemas from their JSDoc, strict reading of calls, and the program that makes a call."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from bridge.primitive_signatures import PrimitiveParameter, PrimitiveSignature, primitive_signatures
from common.answers.reading import Strict, first_problem, json_of
from voyager_agents.errors import ReplyError, did_you_mean
from voyager_agents.models import ModelTool, ToolCall
from voyager_agents.models.base import NO_PARAMETERS

MAX_TEXT = 500
"""Maximum characters of a text among the arguments."""
MAX_LABEL = 200
"""Maximum characters of a call in records and results."""
WITHIN_A_RUN = ("sendSignal", "waitSignal")
"""Primitives that are no tools: signals reach the programs of one run only, and each call is a run of its own."""
FINISH = ModelTool(
    "finish",
    "Stop acting: you make no further call. Call it alone, once your work is done or you want to do nothing.",
    NO_PARAMETERS,
)
"""Tool by which a model stops."""


class Position(Strict):
    """A place in the world."""

    x: float = Field(allow_inf_nan=False)
    y: float = Field(allow_inf_nan=False)
    z: float = Field(allow_inf_nan=False)


_READERS: Mapping[str, TypeAdapter[Any]] = {
    "string": TypeAdapter(Annotated[str, Field(max_length=MAX_TEXT)]),
    "number": TypeAdapter(Annotated[float, Field(allow_inf_nan=False)]),
    "boolean": TypeAdapter(bool),
    "Vec3": TypeAdapter(Position),
    "Object": TypeAdapter(Annotated[dict[str, int], Field(max_length=36)]),
}
"""JSDoc's type -> validator; a primitive that requires another type is no tool."""


@dataclass(frozen=True)
class PrimitiveUse:
    """A checked call of one primitive."""

    name: str
    args: tuple[Any, ...]
    """JSON values in the primitive's order, without the bot; None for a parameter left out."""

    @property
    def label(self) -> str:
        """Call as a line of code, for records and results."""
        return f"{self.name}({', '.join(_literal(each) for each in self.args)})"[:MAX_LABEL]

    @property
    def program(self) -> str:
        """Program that makes this call and nothing else, and prints what came of it."""
        args = ", ".join(["bot", *(_literal(each) for each in self.args)])
        return _PROGRAM.format(label=json.dumps(self.label), call=f"{self.name}({args})")


_PROGRAM = """\
async function call (bot) {{
  const made = {label}
  try {{
    const found = await {call}
    const block = found?.name !== undefined && found?.position !== undefined
    if (found === undefined) console.log(made, 'is done')
    else console.log(made, 'returned', block ? `${{found.name}} at ${{found.position}}` : found)
  }} catch (error) {{
    console.log(made, 'failed:', `${{error.name}}: ${{error.message}}`)
    throw error
  }}
}}
"""


def _literal(value: Any) -> str:  # noqa: ANN401 - a JSON value
    return "undefined" if value is None else json.dumps(value, allow_nan=False)


class Toolbox:
    """Tools of one agent."""

    def __init__(self, docs: Sequence[PrimitiveSignature], *, brief: bool = False) -> None:
        """Make a tool of each primitive whose required parameters JSON can express.

        Args:
            docs: The primitives.
            brief: Describe tools by one sentence, and parameters by their types alone.
        """
        self._docs = {doc.name: doc for doc in docs if doc.name not in WITHIN_A_RUN and _expressible(doc)}
        self.tools = (*(_tool(doc, brief=brief) for doc in self._docs.values()), FINISH)

    def shorter(self, needed: Collection[str]) -> tuple[Toolbox, Toolbox]:
        """Return two shorter boxes: all tools with brief descriptions, and of these the needed ones alone.

        Args:
            needed: Names of the tools that the player needs first.
        """
        docs = list(self._docs.values())
        return Toolbox(docs, brief=True), Toolbox([doc for doc in docs if doc.name in needed], brief=True)

    def read(self, call: ToolCall) -> PrimitiveUse | None:
        """Return the checked call; None for a call of `finish`. Raises ReplyError."""
        doc = self._docs.get(call.name)
        if doc is None and call.name != FINISH.name:
            legal = [tool.name for tool in self.tools]
            raise ReplyError("unknown-tool", f"there is no tool {call.name[:40]!r}{did_you_mean(call.name, legal)}")
        try:
            given = json_of(call.arguments.strip() or "{}")
        except ValueError as error:
            raise ReplyError("arguments", f"{call.name}: the arguments are no JSON object: {error}") from None
        if not isinstance(given, dict):
            raise ReplyError("arguments", f"{call.name}: the arguments are no JSON object")
        return None if doc is None else PrimitiveUse(doc.name, _arguments(doc, given))


@cache
def standard_toolbox() -> Toolbox:
    """Return the tools of all primitives, plugins' primitives included. Raises ValueError for unreadable JSDoc."""
    return Toolbox(primitive_signatures())


def _expressible(doc: PrimitiveSignature) -> bool:
    return all(each.optional or each.type in _READERS for each in doc.parameters)


def _parameters(doc: PrimitiveSignature) -> list[PrimitiveParameter]:
    """Return the parameters that a call may set."""
    return [each for each in doc.parameters if each.type in _READERS]


def _tool(doc: PrimitiveSignature, *, brief: bool) -> ModelTool:
    parameters = _parameters(doc)
    returns = f" Returns {doc.returns}." if doc.returns else ""
    text = re.split(r"(?<=[.:]) ", doc.text, maxsplit=1)[0] if brief else f"{doc.text}{returns}"
    schema = {
        "type": "object",
        "properties": {each.name: _schema(each, brief=brief) for each in parameters},
        "required": [each.name for each in parameters if not each.optional],
        "additionalProperties": False,
    }
    return ModelTool(doc.name, text, schema)


def _schema(parameter: PrimitiveParameter, *, brief: bool) -> dict[str, Any]:
    found: dict[str, Any] = _untitled(_READERS[parameter.type].json_schema())
    found.pop("description", None)
    if brief:
        return found
    if parameter.text:
        found["description"] = parameter.text
    if parameter.default is not None:
        found["default"] = parameter.default
    return found


def _untitled(schema: Any) -> Any:  # noqa: ANN401 - a part of a JSON schema
    """Return the schema without pydantic's titles."""
    if not isinstance(schema, dict):
        return schema
    return {key: _untitled(value) for key, value in schema.items() if key != "title"}


def _arguments(doc: PrimitiveSignature, given: Mapping[str, Any]) -> tuple[Any, ...]:
    """Return the arguments in order, without those left out at the end. Raises ReplyError."""
    parameters = _parameters(doc)
    names = [each.name for each in parameters]
    unknown = next((name for name in given if name not in names), None)
    if unknown is not None:
        legal = f"it takes {', '.join(names)}" if names else "it takes no arguments"
        raise ReplyError("arguments", f"{doc.name}: there is no argument {unknown[:40]!r}; {legal}")
    values = [_value(doc, each, given.get(each.name)) for each in doc.parameters]
    while values and values[-1] is None:
        values.pop()
    return tuple(values)


def _value(doc: PrimitiveSignature, parameter: PrimitiveParameter, value: Any) -> Any:  # noqa: ANN401 - a JSON value
    """Return the argument as given, None if it is left out. Raises ReplyError."""
    if value is None:
        if parameter.optional:
            return None
        raise ReplyError("arguments", f"{doc.name}: the argument {parameter.name} is missing")
    try:
        _READERS[parameter.type].validate_python(value, strict=True)
    except ValidationError as error:
        fault = first_problem(error).removeprefix("the answer: ")
        raise ReplyError("arguments", f"{doc.name}: {parameter.name}: {fault}") from None
    return value
