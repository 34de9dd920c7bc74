"""Typed acts by which members make agreements and rules.

The actor is the member that was asked, never a name in the text.
"""

from __future__ import annotations

from typing import Any, ClassVar

from pydantic import Field

from common.answers.reading import Strict


class InstitutionAct(Strict):
    """Base class of acts.

    `module` is the institution's name, `summary` the act's form in prompts; UNITS stands for the unit of earnings.
    """

    act: str
    module: ClassVar[str]
    summary: ClassVar[str]


class Propose(InstitutionAct):
    """An agreement between the proposer and the named members; binding once each of them has accepted."""

    to: list[str] = Field(min_length=1, max_length=20)
    term: dict[str, Any]
    rounds: int
    module = "communication"
    summary = '{"act": "propose", "to": [NAMES], "term": TERM, "rounds": n}: a mutual promise for n rounds'


class Accept(InstitutionAct):
    """Consent to an agreement."""

    agreement: str = Field(max_length=16)
    module = "communication"
    summary = '{"act": "accept", "agreement": ID}'


class Decline(InstitutionAct):
    """Refusal of an agreement, which ends it."""

    agreement: str = Field(max_length=16)
    module = "communication"
    summary = '{"act": "decline", "agreement": ID}'


class Rule(InstitutionAct):
    """A motion for a rule that binds every member, with a penalty for each breach and a reward for keepers."""

    term: dict[str, Any]
    penalty: int
    reward: int
    module = "constitution"
    summary = (
        '{"act": "rule", "term": TERM, "penalty": p, "reward": r}: a motion for a rule; p UNITS for each breach, paid '
        "to the others; r UNITS to each keeper at the end of a period, paid by those who broke it"
    )


class Amend(InstitutionAct):
    """A motion to replace norm, penalty and reward of a rule."""

    rule: str = Field(max_length=16)
    term: dict[str, Any]
    penalty: int
    reward: int
    module = "constitution"
    summary = '{"act": "amend", "rule": ID, "term": TERM, "penalty": p, "reward": r}: a motion to change that rule'


class Repeal(InstitutionAct):
    """A motion to end a rule."""

    rule: str = Field(max_length=16)
    module = "constitution"
    summary = '{"act": "repeal", "rule": ID}: a motion to end that rule'


class Vote(InstitutionAct):
    """A vote on a motion."""

    motion: str = Field(max_length=16)
    yes: bool
    module = "constitution"
    summary = '{"act": "vote", "motion": ID, "yes": true or false}'
