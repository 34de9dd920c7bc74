"""All parts together under random answers of their own schemas: units are conserved, and estimates bound questions."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest

from common.answers.reading import Strict
from contracts.institutions import frame
from contracts.institutions.books import BookLedger
from contracts.institutions.frame import CivicQuestion, Group, HostSlots, Institutions, read_parts
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT, WitnessedAct
from tests.fakes.json_schema import draw_value
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative.terms import forms, read_term, term_schema

PEOPLE = ("Ann", "Bob", "Cid", "Dan")
HOST = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
STEPS = 12
CLAUSE = {"term": {"kind": "leave", "tree": "*", "apples": 6}, "fine": 3, "hold": 2}
WORDS = {"text": "Spare the trees.", **CLAUSE}
OFFICES = {
    "chair": {"powers": ["propose", "legislate"], "term": 4, "recall_every": 3},
    "purse": {"powers": ["tax", "spend"], "term": 6},
    "watch": {"powers": ["guard"], "term": 4, "recall_every": 2, "seats": 2},
    "bench": {"powers": ["judge"], "term": 0},
}
LAWS: dict[str, dict[str, Any]] = {
    "typed": {"law": {"clauses": {"leave": CLAUSE}, "session_every": 2}},
    "words": {"statute": {"clauses": {"leave": WORDS}, "session_every": 2}},
    "founded": {"statute": {"session_every": 2}},
    "frozen": {"law": {"clauses": {"leave": CLAUSE}, "session_every": 2, "frozen": True}},
    "frozen words": {"statute": {"clauses": {"leave": WORDS}, "session_every": 2, "frozen": True}},
}
"""Name -> the part that is the law."""
PARTS = {
    "elections": {"method": "condorcet", "offices": OFFICES},
    "treasury": {"every": 2},
    "guards": {"accusations": True, "bribes": True},
    "court": {"complaints": True},
}


class RandomPeople:
    """People who answer by the schema of the question at random, or give no readable answer."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.asked: Counter[tuple[str, str]] = Counter()
        """(part, person) -> number of its questions."""

    async def ask(self, questions: Sequence[CivicQuestion[Any]]) -> list[Strict | None]:
        self.asked.update((each.part, each.to) for each in questions)
        return [self._answer(each) for each in questions]

    def _answer(self, question: CivicQuestion[Any]) -> Strict | None:
        if self.draw.random() < 0.2:
            return None
        answer: Strict = question.form.parse(json.dumps(draw_value(question.form.schema(), self.draw)))
        return answer


def acts(draw: random.Random, step: int) -> tuple[WitnessedAct, ...]:
    found = []
    for number in range(draw.randrange(4)):
        player = draw.choice(PEOPLE)
        deed = HarvestAct("take", player, (0, 0), "tree 1", draw.randrange(13))
        seen = tuple(name for name in PEOPLE if name != player and draw.random() < 0.7)
        found.append(WitnessedAct(10 * step + number, deed, seen))
    return tuple(found)


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("seed", range(6))
def test_random_answers_conserve_every_unit_and_stay_within_the_estimate(law: str, seed: int) -> None:
    draw = random.Random(seed)
    on = {name: each for name, each in PARTS.items() if name != "court" or seed % 2}
    parts = read_parts({**LAWS[law], **on})
    ledger = BookLedger(PEOPLE)
    found = Institutions(parts, HOST, Group(PEOPLE, seed, "apples", read_term, term_schema(), forms()), ledger)
    people, earned, told = RandomPeople(draw), dict.fromkeys(PEOPLE, 0.0), []

    async def play() -> None:
        for step in range(STEPS + 1):
            new = acts(draw, step) if step else ()
            for act in new:
                earned[act.player] += 1
            ledger.set_earned(earned)
            told.extend(await found.step(step, {PRESENT: PEOPLE, ACTS: new}, people.ask))
            assert sum(ledger.holds(name) for name in (*PEOPLE, frame.TREASURY)) == sum(earned.values())
            assert min(ledger.holds(name) for name in (*PEOPLE, frame.TREASURY)) >= 0
        told.extend(await found.close(STEPS, people.ask))

    asyncio.run(play())
    assert round(sum(ledger.transfers().values()), 6) == 0
    asked = {name: max(people.asked[name, person] for person in PEOPLE) for name in parts}
    bounds = {name: frame.part_class(name).max_questions(each, len(PEOPLE), STEPS) for name, each in parts.items()}
    assert all(asked[name] <= bounds[name] for name in parts), (asked, bounds)
    # A law that is founded from nothing may have no clause that guards could enforce.
    assert all(asked[name] for name in parts if name != "court" and (law, name) != ("founded", "guards")), asked
    laws = [json.dumps(each["data"]) for each in told if each["what"] == "law_in_force"]
    assert law.startswith("frozen") <= (len(set(laws)) == 1), "a frozen law stays the same bytes"
