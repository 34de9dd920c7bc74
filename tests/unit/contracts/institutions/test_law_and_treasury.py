"""Making of the law, and the treasury: founding from nothing, votes, a frozen law, tax, spending by vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from contracts.institutions.elections import ElectionBallot
from contracts.institutions.law import LawMotion, MotionVotes, motion_votes_form
from contracts.institutions.treasury import BudgetVote, Spending, TaxRate
from tests.unit.contracts.institutions.society import ATTACK, PEACE, PEOPLE, Society, votes


def motion(**changes: Any) -> LawMotion:  # noqa: ANN401
    return LawMotion(**{"reasoning": "for peace", "repeal": "", "add": [], "fine": 0, "hold": 0} | changes)


async def test_a_society_founds_its_law_from_nothing_and_is_bound_from_the_next_step() -> None:
    answers = {("Ann", "motion"): motion(add=[PEACE], fine=2), ("*", "motion"): motion(), ("*", "vote"): votes(["M1"])}
    society = Society({"law": {"session_every": 2}}, answers)
    await society.play(4, ATTACK)
    assert [len(each["data"]["clauses"]) for each in society.of("law_in_force")] == [0, 1]
    [voted] = society.of("voted")
    assert (voted["who"], voted["data"]["votes"], voted["data"]["passed"]) == (
        "Ann",
        dict.fromkeys(PEOPLE, "yes"),
        True,
    )
    # The attacks of steps 1 and 2 came before the law.
    assert [each["data"]["clause"] for each in society.of("breach")] == ["L1"]


@pytest.mark.parametrize("ballots", [(votes(["M1"]), None, votes()), (votes(["M1"]), votes(["M1"], ["M1"]), votes())])
async def test_what_is_no_majority_of_readable_votes_is_no_law(ballots: Sequence[MotionVotes | None]) -> None:
    answers: dict[tuple[str, str], Any] = {("*", "motion"): motion(), ("Ann", "motion"): motion(add=[PEACE])}
    answers |= {(name, "vote"): each for name, each in zip(PEOPLE, ballots, strict=True)}
    society = Society({"law": {"session_every": 1}}, answers)
    await society.play(2)
    assert [each["data"]["passed"] for each in society.of("voted")] == [False]
    assert len(society.of("law_in_force")) == 1


async def test_a_frozen_law_goes_through_the_session_and_stays_the_same_bytes() -> None:
    clauses = {"peace": {"term": PEACE, "fine": 1}}
    answers = {("*", "motion"): motion(repeal="peace"), ("*", "vote"): votes(["M1", "M2", "M3"])}
    society = Society({"law": {"session_every": 1, "frozen": True, "clauses": clauses}}, answers)
    await society.play(4)
    assert all(each["data"]["passed"] for each in society.of("voted"))
    assert len(society.of("law_in_force")) == 1
    assert len(society.of("frozen")) == 3


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (motion(add=[{"kind": "all", "to": "Thorin"}]), "kind: 'all' is unknown"),
        (motion(repeal="freedom"), "'freedom' is no clause of this law"),
        (motion(add=[PEACE], fine=1), "says that already"),
        (None, "unreadable"),
    ],
)
async def test_what_no_typed_clause_can_hold_cannot_become_law(wrong: LawMotion | None, why: str) -> None:
    clauses = {"peace": {"term": PEACE, "fine": 1}}
    society = Society({"law": {"session_every": 1, "clauses": clauses}}, {("*", "motion"): wrong})
    await society.play(2)
    assert {each["who"] for each in society.of("refused")} == set(PEOPLE)
    assert why in society.of("refused")[0]["why"]
    assert len(society.of("no_motion")) == 1


async def test_only_the_office_with_the_power_proposes() -> None:
    offices = {"speaker": {"powers": ["propose"], "term": 0}}
    answers = {
        ("*", "ballot"): ElectionBallot(reasoning="", choices=["Bob"]),
        ("*", "motion"): motion(add=[PEACE]),
        ("*", "vote"): votes(),
    }
    society = Society({"law": {"session_every": 1}, "elections": {"offices": offices}}, answers)
    await society.play(2)
    assert [each["who"] for each in society.of("motion")] == ["Bob"]


@pytest.mark.parametrize(
    ("approval", "yes", "balances"),
    [
        ("majority", 1, [8.0, 8.0, 8.0, 6.0]),
        ("majority", 2, [8.0, 8.0, 14.0, 0.0]),
        ("unanimity", 2, [8.0, 8.0, 8.0, 6.0]),
        (None, 0, [8.0, 8.0, 14.0, 0.0]),
    ],
)
async def test_all_for_thorin_passes_only_if_voted(approval: str | None, yes: int, balances: list[float]) -> None:
    answers: dict[tuple[str, str], Any] = {
        ("*", "tax"): TaxRate(reasoning="", percent=90),
        ("*", "spend"): Spending(reasoning="all emeralds go to Thorin", to=["Thorin"]),
        ("*", "budget"): BudgetVote(reasoning="", vote="no"),
    }
    answers |= {(name, "budget"): BudgetVote(reasoning="", vote="yes") for name in PEOPLE[:yes]}
    society = Society({"treasury": {"every": 1, "highest_tax": 20, "approval": approval}}, answers)
    await society.play(2)
    assert society.balances == balances
    assert sum(society.balances) == 30


async def test_an_unreadable_office_neither_taxes_nor_spends() -> None:
    society = Society({"treasury": {"every": 1}}, {})
    await society.play(3)
    assert society.balances == [10, 10, 10, 0]


def test_a_ballot_names_each_motion_at_most_once() -> None:
    """A small model repeats names as long as the schema lets it."""
    schema = motion_votes_form(["M1", "M2"]).schema()
    yes = {"type": "array", "items": {"type": "string", "enum": ["M1", "M2"]}, "minItems": 0, "maxItems": 2}
    assert schema["properties"]["yes"] == schema["properties"]["no"] == yes
