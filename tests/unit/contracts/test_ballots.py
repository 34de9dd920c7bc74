"""Votes counted by code: the moment at which a ballot is decided, and the rule that decides it."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.institutions import BallotChoice, VotingRule, outcome

YES, NO, ABSTAIN = BallotChoice.YES, BallotChoice.NO, BallotChoice.ABSTAIN
VOTERS = ("Ann", "Bob", "Cid", "Dan")


def votes(*choices: BallotChoice) -> dict[str, BallotChoice]:
    return dict(zip(VOTERS, choices, strict=False))


@pytest.mark.parametrize(
    ("rule", "cast", "closed", "passed"),
    [
        (VotingRule.MAJORITY, (YES, YES), False, None),
        (VotingRule.MAJORITY, (YES, YES), True, False),
        (VotingRule.MAJORITY, (YES, YES, YES), False, True),
        (VotingRule.MAJORITY, (NO, NO), False, False),
        (VotingRule.MAJORITY, (YES, YES, ABSTAIN, ABSTAIN), False, False),
        (VotingRule.UNANIMITY, (YES, YES, YES), False, None),
        (VotingRule.UNANIMITY, (YES, YES, YES, YES), False, True),
        (VotingRule.UNANIMITY, (ABSTAIN,), False, False),
        (VotingRule.PLURALITY, (YES,), False, None),
        (VotingRule.PLURALITY, (YES,), True, True),
        (VotingRule.PLURALITY, (), True, False),
        (VotingRule.PLURALITY, (YES, NO, ABSTAIN), True, False),
        (VotingRule.PLURALITY, (YES, YES, ABSTAIN), False, True),
        (VotingRule.PLURALITY, (YES, YES, NO, NO), False, False),
    ],
)
def test_when_and_how_a_ballot_is_decided(
    rule: VotingRule, cast: tuple[BallotChoice, ...], closed: bool, passed: bool | None
) -> None:
    assert outcome(votes(*cast), VOTERS, rule, closed=closed) is passed


@given(st.sampled_from(VotingRule), st.lists(st.sampled_from(BallotChoice), max_size=4))
def test_what_is_decided_before_the_close_no_later_vote_changes(rule: VotingRule, cast: list[BallotChoice]) -> None:
    early = outcome(votes(*cast), VOTERS, rule)
    rest = [*BallotChoice, None]
    late = {
        outcome(
            votes(*cast)
            | {name: each for name, each in zip(VOTERS[len(cast) :], more, strict=True) if each is not None},
            VOTERS,
            rule,
            closed=True,
        )
        for more in itertools.product(rest, repeat=len(VOTERS) - len(cast))
    }
    assert late == ({True, False} if early is None else {early})


def test_strangers_votes_count_for_nothing() -> None:
    assert outcome({"Eve": YES, "Ann": NO}, ("Ann",), VotingRule.PLURALITY, closed=True) is False
