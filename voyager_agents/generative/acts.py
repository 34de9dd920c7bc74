"""Typed acts of members at a council meeting. The actor is the member that was asked, regardless of its text.

To add a kind of act, write a class with its module's name and register it in `ACTS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from common.answers.reading import first_problem
from common.answers.schema import tagged_schema
from common.untrusted_text import MAX_QUOTE
from contracts.institutions import Accept, Decline, InstitutionAct, Propose, Repeal, Rule, Vote
from voyager_agents.errors import ReplyError

MAX_ACTS = 4
"""Maximum number of acts in one message."""


class Ask(InstitutionAct):
    """Public question to one player."""

    to: str = Field(max_length=64)
    text: str = Field(min_length=1, max_length=MAX_QUOTE)
    module = "communication"
    summary = '{"act": "ask", "to": NAME, "text": "..."}'


class AnswerAct(InstitutionAct):
    """Public answer or other message to one player."""

    to: str = Field(max_length=64)
    text: str = Field(min_length=1, max_length=MAX_QUOTE)
    module = "communication"
    summary = '{"act": "answer", "to": NAME, "text": "..."}'


ACTS: dict[str, type[InstitutionAct]] = {
    "ask": Ask,
    "answer": AnswerAct,
    "propose": Propose,
    "accept": Accept,
    "decline": Decline,
    "rule": Rule,
    "repeal": Repeal,
    "vote": Vote,
}
"""Kind of act -> its class."""


def read_act(raw: Mapping[str, Any], modules: tuple[str, ...]) -> InstitutionAct:
    """Parse an act of one of the modules. Raises ReplyError for an unknown kind or an illegal field."""
    legal = [name for name, each in ACTS.items() if each.module in modules]
    kind = raw.get("act")
    if not isinstance(kind, str) or kind not in legal:
        raise ReplyError("act", f"act: {kind!r} is unknown here: choose one of {', '.join(legal) or '(none)'}")
    try:
        return ACTS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise ReplyError("act", f"act {kind}: {first_problem(error)}") from None


def act_schema(
    modules: tuple[str, ...], choices: Mapping[str, Sequence[str]], fields: Mapping[str, Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the JSON schema of an act of the modules.

    Args:
        modules: The enabled modules.
        choices: Field of an act -> legal values; an act that has none is left out.
        fields: Field of an act -> its schema.
    """
    kinds = {name: each for name, each in ACTS.items() if each.module in modules}
    return tagged_schema(kinds, "act", choices, fields)


def forms(modules: tuple[str, ...]) -> str:
    """Return the JSON form of each act of the modules, for prompts."""
    return "\n".join(f"- {each.summary.replace('UNITS', 'apples')}" for each in ACTS.values() if each.module in modules)
