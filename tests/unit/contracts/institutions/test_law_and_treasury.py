"""Making of the law, and the treasury: founding from nothing, votes, a frozen law, tax, spending by vote."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from common.answers.reading import Strict
from contracts.institutions.books import BookLedger
from contracts.institutions.elections import ElectionBallot
from contracts.institutions.frame import CivicQuestion, Group, HostSlots, Institutions, read_parts
from contracts.institutions.law import LawMotion, MotionVotes
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT, WitnessedAct
from contracts.institutions.treasury import BudgetVote, Spending, TaxRate
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative.terms import forms, read_term, term_schema

PEOPLE = ("Ann", "Bob", "Thorin")
HOST = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
PEACE = {"kind": "peace", "player": "*"}
ATTACK = WitnessedAct(1, HarvestAct("attack", "Ann", (0, 0), target="Bob", hit=True), ())
Told = list[Mapping[str, Any]]


class Society:
    """A society whose people answer by a table of (person or *, kind)."""

    def __init__(self, parts: Mapping[str, Any], answers: Mapping[tuple[str, str], Strict | None]) -> None:
        self.answers = dict(answers)
        self.ledger = BookLedger(PEOPLE)
        self.ledger.set_earned(dict.fromkeys(PEOPLE, 10))
        group = Group(PEOPLE, 0, "apples", read_term, term_schema(), forms())
        self.found = Institutions(read_parts(parts), HOST, group, self.ledger)
        self.told: Told = []

    async def ask(self, questions: Sequence[CivicQuestion[Any]]) -> list[Strict | None]:
        for each in questions:
            # Every question must make a schema, and its example must be an answer.
            each.form.schema()
            each.form.parse(json.dumps(dict(each.form.example)))
        return [self.answers.get((each.to, each.kind), self.answers.get(("*", each.kind))) for each in questions]

    async def play(self, steps: int, *acts: WitnessedAct) -> None:
        for number in range(steps):
            self.told += await self.found.step(number, {PRESENT: PEOPLE, ACTS: acts if number else ()}, self.ask)

    def of(self, what: str) -> Told:
        return [each for each in self.told if each["what"] == what]

    @property
    def balances(self) -> list[float]:
        return [float(self.ledger.holds(name)) for name in (*PEOPLE, "treasury")]


def motion(**changes: Any) -> LawMotion:  # noqa: ANN401
    return LawMotion(**{"reasoning": "for peace", "repeal": "", "add": [], "fine": 0, "hold": 0} | changes)


def votes(yes: Sequence[str] = (), no: Sequence[str] = ()) -> MotionVotes:
    return MotionVotes(reasoning="", yes=list(yes), no=list(no))


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
