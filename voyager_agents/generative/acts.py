"""What a member can do at a council meeting, typed: who does it is whoever was asked, never what a text says.

A kind of act is one class and its line in `ACTS`, with the module that it belongs to.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import Field, ValidationError

from contracts.answers import Strict, first_problem
from voyager_agents.errors import ReplyError
from voyager_agents.generative.marks import MAX_TEXT

MAX_ACTS = 4
"""Acts of one message."""


class Act(Strict):
    """One act."""

    act: str
    module: ClassVar[str]
    summary: ClassVar[str]


class Ask(Act):
    """A question to one player, heard by all."""

    to: str = Field(max_length=64)
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    module = "communication"
    summary = '{"act": "ask", "to": NAME, "text": "..."}'


class Answer(Act):
    """An answer to one player, or anything else said; heard by all."""

    to: str = Field(max_length=64)
    text: str = Field(min_length=1, max_length=MAX_TEXT)
    module = "communication"
    summary = '{"act": "answer", "to": NAME, "text": "..."}'


class Propose(Act):
    """An agreement between the proposer and the named members; binding once each of them has accepted."""

    to: list[str] = Field(min_length=1, max_length=20)
    term: dict[str, Any]
    rounds: int
    module = "communication"
    summary = '{"act": "propose", "to": [NAMES], "term": TERM, "rounds": n}: a mutual promise for n rounds'


class Accept(Act):
    """Consent to an agreement."""

    agreement: str = Field(max_length=16)
    module = "communication"
    summary = '{"act": "accept", "agreement": ID}'


class Decline(Act):
    """Refusal of an agreement; it is off then."""

    agreement: str = Field(max_length=16)
    module = "communication"
    summary = '{"act": "decline", "agreement": ID}'


class Rule(Act):
    """A motion for a rule that binds every member, with a penalty for each breach and a reward for keepers."""

    term: dict[str, Any]
    penalty: int
    reward: int
    module = "constitution"
    summary = (
        '{"act": "rule", "term": TERM, "penalty": p, "reward": r}: a motion for a rule; p apples for each breach, paid '
        "to the others; r apples to each keeper at the end of a period, paid by those who broke it"
    )


class Repeal(Act):
    """A motion to end a rule."""

    rule: str = Field(max_length=16)
    module = "constitution"
    summary = '{"act": "repeal", "rule": ID}: a motion to end that rule'


class Vote(Act):
    """A vote on a motion."""

    motion: str = Field(max_length=16)
    yes: bool
    module = "constitution"
    summary = '{"act": "vote", "motion": ID, "yes": true or false}'


ACTS: dict[str, type[Act]] = {
    "ask": Ask,
    "answer": Answer,
    "propose": Propose,
    "accept": Accept,
    "decline": Decline,
    "rule": Rule,
    "repeal": Repeal,
    "vote": Vote,
}
"""Every kind of act."""


def read_act(raw: Mapping[str, Any], modules: tuple[str, ...]) -> Act:
    """The act in this mapping, of one of these modules. Raises ReplyError."""
    legal = [name for name, each in ACTS.items() if each.module in modules]
    kind = raw.get("act")
    if not isinstance(kind, str) or kind not in legal:
        raise ReplyError("act", f"act: {kind!r} is unknown here: choose one of {', '.join(legal) or '(none)'}")
    try:
        return ACTS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise ReplyError("act", f"act {kind}: {first_problem(error)}") from None


def forms(modules: tuple[str, ...]) -> str:
    """How each act of these modules is written."""
    return "\n".join(f"- {each.summary}" for each in ACTS.values() if each.module in modules)
