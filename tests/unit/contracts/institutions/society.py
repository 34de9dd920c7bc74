"""A society of scripted people under institutions, for tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from common.answers.reading import Strict
from contracts.institutions.books import BookLedger
from contracts.institutions.frame import CivicQuestion, Group, HostSlots, Institutions, read_parts
from contracts.institutions.law import MotionVotes
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT, WitnessedAct
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
        self.asked: list[CivicQuestion[Any]] = []

    async def ask(self, questions: Sequence[CivicQuestion[Any]]) -> list[Strict | None]:
        for each in questions:
            # Every question must make a schema, and its example must be an answer.
            each.form.schema()
            each.form.parse(json.dumps(dict(each.form.example)))
        self.asked += questions
        return [self.answers.get((each.to, each.kind), self.answers.get(("*", each.kind))) for each in questions]

    async def play(self, steps: int, *acts: WitnessedAct) -> None:
        for number in range(steps):
            self.told += await self.found.step(number, {PRESENT: PEOPLE, ACTS: acts if number else ()}, self.ask)

    def of(self, what: str) -> Told:
        return [each for each in self.told if each["what"] == what]

    @property
    def balances(self) -> list[float]:
        return [float(self.ledger.holds(name)) for name in (*PEOPLE, "treasury")]


def votes(yes: Sequence[str] = (), no: Sequence[str] = ()) -> MotionVotes:
    return MotionVotes(reasoning="", yes=list(yes), no=list(no))
