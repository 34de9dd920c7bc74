"""Villagers without a model under institutions: what they keep away from, and typed clauses of a village."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from common.answers.schema import bounded_schema
from contracts.errors import Refused
from contracts.institutions.law import LawMotion
from tests.fakes.life import Life, sensed
from voyager_agents.piano.modules.polity import Polity, numbers
from voyager_agents.piano.rule_based.activity_tables import due_act
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.slots import Percepts
from voyager_agents.realtime_agent import Letter
from voyager_agents.reference.citizens import CitizenMemory
from voyager_agents.village_norms import (
    NORMS,
    VillageDeed,
    VillageThings,
    read_village_norm,
    village_norm_forms,
    village_norm_schema,
)

THINGS = VillageThings(("oak_log", "coal_ore"), ("sheep",), ("square", "cave"))
LIMIT = {"kind": "limit", "block": "oak_log", "blocks": 2}


def news(number: int, *entries: dict[str, Any]) -> Letter:
    told = [{"part": "law", "who": "", "why": "", "data": {}, **each} for each in entries]
    return Letter(number, 0.0, "institutions", "News.", {"entries": told, "step": number, "every_s": 30.0}, None)


def in_force(*terms: dict[str, Any]) -> dict[str, Any]:
    clauses = [{"clause": f"c{number}", "term": term} for number, term in enumerate(terms)]
    return {"what": "law_in_force", "data": {"clauses": clauses}}


def person(*, honest: bool) -> Life:
    """Return a villager of a given character."""
    life = Life(modules=["polity"])
    memory = CitizenMemory("Ada", 0, honest, read_village_norm, numbers()["wanted"][0])
    held = life.agent.state.at("polity")
    life.agent.state.held["polity"] = held._replace(value=Polity(memory=memory, items={"oak_log": 0}))
    return life


async def after(life: Life, *letters: Letter, **felt: Any) -> frozenset[str]:  # noqa: ANN401 - senses
    life.body.mailbox += letters
    life.body.felt = sensed(**felt)
    await life.pass_time(6)
    found: frozenset[str] = life.agent.state.value("forbids")
    return found


async def test_an_honest_person_stops_at_the_limit_and_keeps_away_from_what_is_forbidden() -> None:
    life = person(honest=True)
    law = news(1, in_force(LIMIT, {"kind": "keep_out", "place": "cave"}, {"kind": "spare", "mob": "sheep"}))
    assert await after(life, law, items={"oak_log": 1}) == {"cave", "sheep"}
    assert await after(life, items={"oak_log": 3}) == {"oak_log", "cave", "sheep"}
    # A clause counts from the day on which it became law.
    assert await after(life, news(2, in_force({"kind": "limit", "block": "coal_ore", "blocks": 1})), items={}) == set()
    await life.end()
    assert life.agent.state.value("law") == ("c0: break at most 1 blocks of coal_ore",)


async def test_clauses_of_words_alone_are_law_to_read_and_forbid_nothing() -> None:
    life = person(honest=True)
    worded = {"clause": "S1", "text": "All emeralds go to Thorin.", "term": {}}
    typed = {"clause": "S2", "text": "Spare the sheep.", "term": {"kind": "spare", "mob": "sheep"}}
    law = {"what": "law_in_force", "data": {"clauses": [worded, typed]}}
    assert await after(life, news(1, law), items={}) == {"sheep"}
    await life.end()
    said = read_village_norm(typed["term"], THINGS).says()  # type: ignore[arg-type]
    assert life.agent.state.value("law") == ("S1: All emeralds go to Thorin.", f"S2: Spare the sheep. [{said}]")


async def test_others_break_the_law_until_it_costs_them_more_than_it_brings() -> None:
    life = person(honest=False)
    breach = {"what": "breach", "who": "Ada", "data": {"breach": "B1"}}
    assert await after(life, news(1, in_force(LIMIT), breach), items={"oak_log": 9}) == set()
    fined = {"what": "sanctioned", "who": "Ada", "data": {"by": "Bob", "fined": 2.0, "held": 1}}
    assert await after(life, news(2, fined), items={"oak_log": 9}) == {"oak_log"}
    await life.end()


async def test_a_question_is_answered_in_its_form_and_once() -> None:
    life = person(honest=True)
    facts = {"law": [], "forms_of_terms": "", "highest_fine": 10}
    data = {"part": "law", "kind": "motion", "facts": facts, "form": {}, "schema": {}}
    question = Letter(1, 0.0, "question", "You may move to change the law.", data, 12.0)
    market = Letter(2, 0.0, "question", "You are at the market.", {**data, "part": "market", "kind": "trade"}, 12.0)
    late = Letter(3, 0.0, "question", "Too late.", data, -1.0)
    await after(life, question, market, late)
    await life.pass_time(6)
    await life.end()
    [(_, number, text)] = life.body.answered
    assert number == 1
    assert LawMotion.model_validate(json.loads(text)).add == [numbers()["wanted"][0]]


def test_a_forbidden_act_gives_way_to_the_next_of_its_work() -> None:
    seen = Percepts((0, 64, 0), 20, 20, {}, None, True, (), (), {"oak_log": 3})
    places = {"forest": (0, 64, 0)}
    chosen = [
        due_act("wood", rules(), seen, places, {}, now=0, chance=random.Random(0), forbids=frozenset(each))
        for each in ((), ("oak_log",), ("oak_log", "forest"))
    ]
    assert [each and each.label for each in chosen] == ["fell an oak", "walk through the forest", None]


@pytest.mark.parametrize(
    ("term", "deed", "broken"),
    [
        (LIMIT, VillageDeed("mine", "Ann", "oak_log"), [False, False, True, True]),
        (LIMIT, VillageDeed("mine", "Ann", "coal_ore"), [False] * 4),
        ({"kind": "spare", "mob": "sheep"}, VillageDeed("kill", "Ann", "sheep"), [True] * 4),
        ({"kind": "spare", "mob": "sheep"}, VillageDeed("kill", "Ann", "cow"), [False] * 4),
        ({"kind": "keep_out", "place": "cave"}, VillageDeed("visit", "Ann", "cave"), [True] * 4),
        ({"kind": "curfew", "place": "square"}, VillageDeed("night", "Ann", where=("cave",)), [True] * 4),
        ({"kind": "curfew", "place": "square"}, VillageDeed("night", "Ann", where=("square",)), [False] * 4),
    ],
)
def test_each_norm_is_broken_by_its_own_deeds(term: dict[str, Any], deed: VillageDeed, broken: list[bool]) -> None:
    norm, count, found = read_village_norm(term, THINGS), 0, []
    for _ in range(4):
        count += norm.counts(deed)
        found.append(norm.breaks(deed, count))
    assert found == broken


@pytest.mark.parametrize(
    ("term", "why"),
    [
        ({"kind": "all emeralds go to Thorin"}, "is unknown: choose one of limit, spare, keep_out, curfew"),
        ({"kind": "pay", "percent": 20}, "is unknown"),
        ({"kind": "limit", "block": "bedrock", "blocks": 1}, "block: 'bedrock' is not here: use oak_log, coal_ore"),
        ({"kind": "limit", "block": "oak_log", "blocks": -1}, "greater than or equal to 0"),
        ({"kind": "keep_out", "place": "cave", "except": "Thorin"}, "Extra inputs"),
        ({"kind": ["limit"]}, "is unknown"),
    ],
)
def test_what_is_no_norm_of_the_village_is_refused_in_one_line(term: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=why) as error:
        read_village_norm(term, THINGS)
    assert "\n" not in str(error.value)


def test_forms_and_schema_offer_what_a_village_has() -> None:
    schema, forms = village_norm_schema(THINGS), village_norm_forms(THINGS)
    assert [each["properties"]["kind"]["enum"] for each in schema["anyOf"]] == [[kind] for kind in THINGS.kinds]
    assert schema["anyOf"][0]["properties"]["block"]["enum"] == ["coal_ore", "oak_log"]
    assert "B is one of: oak_log, coal_ore" in forms
    assert "percent" not in forms
    taxed = VillageThings((), (), (), taxed=True)
    assert taxed.kinds == ["pay"]
    assert village_norm_schema(taxed)["anyOf"][0]["required"] == bounded_schema(NORMS["pay"])["required"]


def test_villagers_can_count_what_they_want_to_limit() -> None:
    assert set(numbers()["drops"]) >= {each["block"] for each in numbers()["wanted"]}
