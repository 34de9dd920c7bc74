"""Composition of institutions: conflicts are refused before the start, in one line; payments conserve every unit."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.answers.reading import Strict
from contracts.errors import ContractFormatError
from contracts.institutions import frame
from contracts.institutions.books import BookLedger
from contracts.institutions.elections import ElectionBallot, RecallVote
from contracts.institutions.frame import (
    CivicQuestion,
    Group,
    HostSlots,
    InstitutionPart,
    Institutions,
    PartSettings,
    Slot,
    read_parts,
)
from contracts.institutions.guards import BribeOffer, Duty
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT, WitnessedAct
from contracts.institutions.tribunal import Complaint, Finding
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative.terms import read_term

PEOPLE = ("Ann", "Bob", "Cid", "Dan")
HOST = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
LAW = {"clauses": {"leave": {"term": {"kind": "leave", "tree": "*", "apples": 6}, "fine": 3, "hold": 2}}}
Answers = Mapping[str, Strict | None]


def compose(data: Mapping[str, Any], seed: int = 0) -> tuple[Institutions, BookLedger]:
    ledger = BookLedger(PEOPLE)
    return Institutions(read_parts(data), HOST, Group(PEOPLE, seed, "apples", read_term), ledger), ledger


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            {"guards": "on"},
            r"guards reads law \(clauses in force\), which nothing here writes: turn on law or statute or",
        ),
        ({"court": "on"}, "court reads breaches .* turn on law or statute or constitution, or turn off court"),
        ({"juries": "on"}, "'juries' is no institution: choose from law, statute, constitution, elections, treasury"),
        ({"law": "perhaps"}, "institutions.law: 'perhaps': give on, off or its settings"),
        ({"law": LAW, "guards": {"share": 2}}, r"institutions\.guards\.share: .*less than or equal to 1"),
        ({"law": {"clauses": {"x": {"term": {"kind": "leave"}}}}}, r"clauses\.x: term leave: tree: Field required"),
        ({"elections": {"offices": {"king": {"powers": ["rule"]}}}}, "powers"),
        ({"elections": {"offices": {"a": {"powers": ["guard"]}, "b": {"powers": ["guard"]}}}}, "to two offices"),
        ({"elections": {"offices": {"a": {"powers": ["guard"], "seats": 4}}}}, "give fewer seats than people"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(data: Mapping[str, Any], words: str) -> None:
    with pytest.raises(ContractFormatError, match=words) as error:
        compose(data)
    assert "\n" not in str(error.value)


def test_what_is_off_is_left_out_and_keeps_its_settings() -> None:
    assert list(read_parts({"guards": "off", "law": LAW, "court": {"active": "off", "evidence": "witnesses"}})) == [
        "law"
    ]


class _Second(InstitutionPart):
    """A second writer of the law."""

    name = "second"
    Settings = PartSettings
    writes = frame.part_class("law").writes

    async def step(self, desk: frame.Desk) -> None:
        """Do nothing."""


class _Nobody(InstitutionPart):
    """Writes a queue that nobody reads."""

    name = "nobody"
    Settings = PartSettings
    writes: tuple[Slot[Any], ...] = (Slot("flags", "flags to hoist", (), queue=True),)

    async def step(self, desk: frame.Desk) -> None:
        """Reach for a slot that it has not declared."""
        desk.read(PRESENT)


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (_Second, r"law and second both write law \(clauses in force\): turn one of them off"),
        (_Nobody, r"nobody writes flags \(flags to hoist\), which nothing here carries out: turn off nobody"),
    ],
)
def test_two_writers_and_a_queue_without_a_reader_are_refused(
    part: type[InstitutionPart], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(frame.REGISTRY, part.name, f"{__name__}:{part.__name__}")
    with pytest.raises(ContractFormatError, match=words):
        compose({"law": LAW, part.name: "on"})


async def test_a_part_cannot_reach_what_it_has_not_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(frame.REGISTRY, "nobody", f"{__name__}:_Nobody")
    host = HostSlots(HOST.fills, (*HOST.carries, *_Nobody.writes))
    found = Institutions(read_parts({"nobody": "on"}), host, Group(PEOPLE, 0), BookLedger(PEOPLE))
    with pytest.raises(KeyError, match="nobody does not declare the slot 'present'"):
        await found.step(0, {}, lambda _: _none())


async def _none() -> Sequence[None]:
    return ()


@dataclass
class Random:
    """People who answer at random, or not at all."""

    dice: random.Random

    async def ask(self, questions: Sequence[CivicQuestion[Any]]) -> list[Strict | None]:
        return [self.answer(each) for each in questions]

    def answer(self, question: CivicQuestion[Any]) -> Strict | None:
        if self.dice.random() < 0.2:
            return None
        some = lambda names: [name for name in names if self.dice.random() < 0.5]  # noqa: E731
        facts, why = question.facts, "chance"
        match question.kind:
            case "ballot":
                return ElectionBallot(reasoning=why, choices=some(facts["candidates"]))
            case "recall":
                return RecallVote(reasoning=why, recall=self.dice.random() < 0.5)
            case "bribe":
                return BribeOffer(reasoning=why, amount=self.dice.randrange(6))
            case "duty":
                cases = [each["case"] for each in facts["cases"]]
                return Duty(
                    reasoning=why, sanction=some(cases), take_bribe=some(cases), accuse=some([*facts["people"], "Eve"])
                )
            case "complaint":
                return Complaint(reasoning=why, charge=some([each["case"] for each in facts["cases"]]))
            case "trial":
                return Finding(reasoning=why, guilty=self.dice.random() < 0.5)
        raise AssertionError(question.kind)


def acts(dice: random.Random, first: int) -> tuple[WitnessedAct, ...]:
    found = []
    for number in range(dice.randrange(4)):
        player = dice.choice(PEOPLE)
        deed = HarvestAct("take", player, (0, 0), "tree 1", dice.randrange(13))
        seen = tuple(name for name in PEOPLE if name != player and dice.random() < 0.5)
        found.append(WitnessedAct(first + number, deed, seen))
    return tuple(found)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.booleans(), st.booleans(), st.booleans())
def test_random_play_conserves_every_unit_and_nobody_owes(
    seed: int, court: bool, guards: bool, elections: bool
) -> None:
    dice = random.Random(seed)
    parts = {"court": court, "guards": guards, "elections": elections}
    found, ledger = compose({"law": LAW, **parts}, seed)
    people, earned, told = Random(dice), dict.fromkeys(PEOPLE, 0.0), []

    async def play() -> None:
        for step in range(25):
            new = acts(dice, 10 * step) if step else ()
            for act in new:
                earned[act.player] += 1
            ledger.set_earned(earned)
            told.extend(await found.step(step, {PRESENT: PEOPLE, ACTS: new}, people.ask))
            assert sum(ledger.holds(name) for name in (*PEOPLE, frame.TREASURY)) == sum(earned.values())
            assert min(ledger.holds(name) for name in (*PEOPLE, frame.TREASURY)) >= 0
        told.extend(await found.close(25, people.ask))

    asyncio.run(play())
    transfers = ledger.transfers()
    assert round(sum(transfers.values()), 6) == 0
    assert all(earned[name] + transfers[name] >= 0 for name in PEOPLE)
    assert guards or not [each for each in told if each["what"] in ("sanctioned", "bribe_taken")]
    assert guards or court or not any(transfers.values())
