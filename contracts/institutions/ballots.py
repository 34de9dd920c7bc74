"""Votes and how they are counted: by code, never by a model.

A ballot is decided as soon as no vote that is still to come could change its outcome, and at its close at the latest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum


class BallotChoice(StrEnum):
    """What a voter can say; a ballot that cannot be read is an abstention."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"


class VotingRule(StrEnum):
    """What passes."""

    MAJORITY = "majority"
    """Yes of more than half of all voters, whether they vote or not."""
    UNANIMITY = "unanimity"
    """Yes of all voters."""
    PLURALITY = "plurality"
    """More yes than no; who abstains or stays away counts for neither."""


def outcome(
    votes: Mapping[str, BallotChoice], voters: Sequence[str], rule: VotingRule, *, closed: bool = False
) -> bool | None:
    """Whether these votes of those voters pass under that rule; None while later votes could decide it."""
    yes = sum(votes.get(voter) is BallotChoice.YES for voter in voters)
    no = sum(votes.get(voter) is BallotChoice.NO for voter in voters)
    left = 0 if closed else sum(voter not in votes for voter in voters)
    if rule is VotingRule.PLURALITY:
        low, high = yes > no + left, yes + left > no
    else:
        needed = len(voters) if rule is VotingRule.UNANIMITY else len(voters) // 2 + 1
        low, high = yes >= needed, yes + left >= needed
    return low if low == high else None
