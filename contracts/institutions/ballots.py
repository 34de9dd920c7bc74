"""Votes and their count, by code and never by a model.

A ballot is decided as soon as no outstanding vote could change its outcome, and at its close at the latest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum


class BallotChoice(StrEnum):
    """A voter's choice; an unreadable ballot is an abstention."""

    YES = "yes"
    NO = "no"
    ABSTAIN = "abstain"


class VotingRule(StrEnum):
    """Condition under which a motion passes."""

    MAJORITY = "majority"
    """Yes votes of more than half of all voters, absent ones included."""
    UNANIMITY = "unanimity"
    """Yes votes of all voters."""
    PLURALITY = "plurality"
    """More yes than no votes; abstentions and absences count for neither."""


def outcome(
    votes: Mapping[str, BallotChoice], voters: Sequence[str], rule: VotingRule, *, closed: bool = False
) -> bool | None:
    """Return whether the motion passes, or None while outstanding votes could decide it.

    Args:
        votes: Voter -> choice, of those who have voted.
        voters: All who may vote.
        rule: Condition under which the motion passes.
        closed: True if no further vote is accepted.
    """
    yes = sum(votes.get(voter) is BallotChoice.YES for voter in voters)
    no = sum(votes.get(voter) is BallotChoice.NO for voter in voters)
    left = 0 if closed else sum(voter not in votes for voter in voters)
    if rule is VotingRule.PLURALITY:
        low, high = yes > no + left, yes + left > no
    else:
        needed = len(voters) if rule is VotingRule.UNANIMITY else len(voters) // 2 + 1
        low, high = yes >= needed, yes + left >= needed
    return low if low == high else None
