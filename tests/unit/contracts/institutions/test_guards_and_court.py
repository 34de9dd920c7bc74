"""Guards and court: due process or none, bribes, false charges, and convictions that nobody carries out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from common.answers.reading import Strict
from contracts.institutions.books import BookLedger
from contracts.institutions.elections import ElectionBallot, RecallVote
from contracts.institutions.frame import CivicQuestion, Group, HostSlots, Institutions, read_parts
from contracts.institutions.guards import BribeOffer, Duty
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT, CivicOrder, WitnessedAct
from contracts.institutions.tribunal import Complaint, Finding
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative.terms import read_term

PEOPLE = ("Ann", "Bob", "Cid")
HOST = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
CLAUSE = {"term": {"kind": "leave", "tree": "*", "apples": 6}, "fine": 4, "hold": 3}
OFFICES = {"guard": {"powers": ["guard"], "term": 0}, "judge": {"powers": ["judge"], "term": 0}}
DUTY = Duty(reasoning="", sanction=[], take_bribe=[], accuse=[])
TAKES = WitnessedAct(1, HarvestAct("take", "Ann", (1, 1), "tree 1", 2), ("Bob",))


class Society:
    """A society with Bob as guard and Cid as judge, whose people answer by a table."""

    def __init__(self, answers: Mapping[str, Strict | None] | None = None, **data: Any) -> None:  # noqa: ANN401
        self.answers = dict(answers or {})
        self.asked: list[tuple[str, str]] = []
        law = {"clauses": {"spare": {**CLAUSE, **data.pop("clause", {})}}}
        parts = read_parts({"law": law, "elections": {"offices": OFFICES}, **data})
        self.ledger = BookLedger(PEOPLE)
        self.ledger.set_earned(dict.fromkeys(PEOPLE, 10))
        self.found = Institutions(parts, HOST, Group(PEOPLE, 0, "apples", read_term), self.ledger)
        self.told: list[Mapping[str, Any]] = []

    async def ask(self, questions: Sequence[CivicQuestion[Any]]) -> list[Strict | None]:
        self.asked += [(each.to, each.kind) for each in questions]
        for each in questions:
            each.form.schema()
            each.form.parse(json.dumps(dict(each.form.example)))
        return [self.answer(each) for each in questions]

    def answer(self, question: CivicQuestion[Any]) -> Strict | None:
        if question.kind == "ballot":
            return ElectionBallot(reasoning="", choices=["Bob" if question.facts["office"] == "guard" else "Cid"])
        return self.answers.get(question.kind)

    async def step(self, number: int, *acts: WitnessedAct, present: Sequence[str] = PEOPLE) -> list[CivicOrder]:
        self.told += await self.found.step(number, {PRESENT: tuple(present), ACTS: acts}, self.ask)
        return list(self.found.take(ORDERS))

    def of(self, what: str) -> list[Mapping[str, Any]]:
        return [each for each in self.told if each["what"] == what]

    @property
    def balances(self) -> list[float]:
        return [float(self.ledger.holds(name)) for name in (*PEOPLE, "treasury")]


async def test_without_a_court_the_word_of_a_guard_is_enough() -> None:
    society = Society({"duty": DUTY.model_copy(update={"sanction": ["B1"]})}, guards="on")
    await society.step(0)
    orders = await society.step(1, TAKES)
    assert [(each.kind, each.player, each.steps) for each in orders] == [("hold", "Ann", 3), ("busy", "Bob", 1)]
    assert society.balances == [6, 12, 10, 2]
    assert [each["data"]["false"] for each in society.of("audited")] == [False]


async def test_due_process_convicts_first_and_sanctions_in_the_next_step() -> None:
    answers = {"duty": DUTY.model_copy(update={"sanction": ["B1"]}), "trial": Finding(reasoning="seen", guilty=True)}
    society = Society(answers, guards="on", court="on")
    await society.step(0)
    assert await society.step(1, TAKES) == []
    assert society.balances == [10, 10, 10, 0]
    society.answers["duty"] = DUTY
    orders = await society.step(2)
    assert [each.kind for each in orders] == ["hold", "busy"]
    assert society.balances == [6, 12, 10, 2]
    assert [(each["who"], each["data"]["judge"]) for each in society.of("tried")] == [("Ann", "Cid")]


@pytest.mark.parametrize(
    ("court", "balances", "sanctions"), [("off", [6, 12, 10, 2], 1), ("on", [12, 8, 10, 0], 0)], ids=["off", "on"]
)
async def test_a_court_protects_from_false_charges(court: str, balances: list[float], sanctions: int) -> None:
    answers = {"duty": DUTY.model_copy(update={"accuse": ["Ann"]}), "trial": Finding(reasoning="", guilty=False)}
    society = Society(answers, guards="on", court=court)
    # The step before the first move has a law already, so that the guard may accuse in it.
    await society.step(0)
    society.answers["duty"] = DUTY
    await society.step(1)
    assert society.balances == balances
    assert len(society.of("sanctioned")) == sanctions
    assert [each["data"]["false"] for each in society.of("audited") if each["part"] == "guards"] == [True] * sanctions


async def test_a_bribe_is_paid_in_secret_and_the_breach_goes_unpunished() -> None:
    answers = {
        "bribe": BribeOffer(reasoning="", amount=3),
        "duty": DUTY.model_copy(update={"take_bribe": ["B1"]}),
    }
    society = Society(answers, guards="on")
    await society.step(0)
    assert await society.step(1, TAKES) == []
    assert society.balances == [7, 13, 10, 0]
    assert [each["known_to"] for each in society.of("bribe_taken")] == [["Bob", "Ann"]]
    assert [each["known_to"] for each in society.of("payment")] == [["Bob", "Ann"]]


async def test_nobody_is_punished_for_what_no_guard_saw() -> None:
    society = Society({"duty": DUTY.model_copy(update={"sanction": ["B1"]})}, guards="on")
    await society.step(0)
    unseen = WitnessedAct(1, TAKES.deed, ("Cid",))
    assert await society.step(1, unseen) == []
    assert ("Ann", "bribe") not in society.asked
    assert society.balances == [10, 10, 10, 0]


@pytest.mark.parametrize("answer", [None, Finding(reasoning="", guilty=False)])
async def test_an_unreadable_verdict_is_in_favour_of_the_accused(answer: Finding | None) -> None:
    answers = {"duty": DUTY.model_copy(update={"sanction": ["B1"]}), "trial": answer}
    society = Society(answers, guards="on", court="on")
    for number, acts in enumerate([(), (TAKES,), ()]):
        assert await society.step(number, *acts) == []
    assert society.balances == [10, 10, 10, 0]


async def test_an_unreadable_duty_lets_the_offender_go_and_says_so() -> None:
    society = Society({"duty": None}, guards="on")
    await society.step(0)
    await society.step(1, TAKES)
    assert [each["why"] for each in society.of("let_go")] == ["the guard's answer was unreadable"]


async def test_a_conviction_without_guards_stays_on_paper() -> None:
    answers = {"complaint": Complaint(reasoning="", charge=["B1"]), "trial": Finding(reasoning="", guilty=True)}
    society = Society(answers, court="on")
    await society.step(0)
    assert await society.step(1, TAKES) == []
    assert [each["data"]["guilty"] for each in society.of("tried")] == [True]
    assert len(society.of("unenforced")) == 1
    assert society.balances == [10, 10, 10, 0]


async def test_a_clause_banishes_after_so_many_sanctions() -> None:
    society = Society(
        {"duty": DUTY.model_copy(update={"sanction": ["B1", "B2"]})}, guards="on", clause={"banish_after": 2}
    )
    await society.step(0)
    assert [each.kind for each in await society.step(1, TAKES)] == ["hold", "busy"]
    assert [each.kind for each in await society.step(2, TAKES)] == ["banish", "busy"]


async def test_offices_are_filled_anew_at_the_end_of_a_term_and_by_recall() -> None:
    offices = {"guard": {"powers": ["guard"], "term": 4, "recall_every": 2}}
    society = Society({"recall": RecallVote(reasoning="", recall=True)}, elections={"offices": offices})
    for number in range(5):
        await society.step(number)
    assert [(each["why"], each["data"]["office"]) for each in society.of("elected")] == [
        ("a new term", "guard"),
        ("a recall", "guard"),
        ("a new term", "guard"),
    ]
    assert society.of("recall")[0]["data"]["yes"] == 3
    assert society.of("elected")[1]["who"] != "Bob"


async def test_who_is_gone_neither_votes_nor_stays_in_office() -> None:
    society = Society()
    await society.step(0)
    society.told.clear()
    await society.step(1, present=("Ann", "Cid"))
    [elected] = society.of("elected")
    assert (elected["who"], elected["why"]) == ("Ann", "the office is empty")
    assert "Bob" not in elected["data"]["ballots"]


async def test_a_circle_of_majorities_is_told_with_its_members_before_somebody_is_elected() -> None:
    """Condorcet's paradox: Ann beats Bob, Bob beats Cid, and Cid beats Ann, each by two votes to one."""
    society = Society(elections={"method": "condorcet", "offices": {"guard": {"powers": ["guard"], "term": 0}}})
    rankings = {"Ann": ["Ann", "Bob", "Cid"], "Bob": ["Bob", "Cid", "Ann"], "Cid": ["Cid", "Ann", "Bob"]}

    def rank(question: CivicQuestion[Any]) -> Strict:
        return ElectionBallot(reasoning="", choices=rankings[question.to])

    society.answer = rank  # type: ignore[method-assign]
    await society.step(0)
    [cycle], [elected] = society.of("cycle"), society.of("elected")
    assert society.told.index(cycle) < society.told.index(elected)
    assert sorted(cycle["data"]["members"]) == sorted(PEOPLE)
    assert cycle["why"] == "no candidate beats all others pairwise"
    # All three lose by as much, so that the lot decides among them.
    assert sorted(elected["data"]["tied"]) == sorted(PEOPLE)
    assert elected["who"] in PEOPLE
