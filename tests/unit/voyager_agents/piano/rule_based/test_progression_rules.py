"""Plans of rule-based explorers from their inventory, their past items and their surroundings."""

from __future__ import annotations

import re

import pytest

from tests.fakes.life import sensed, zombie
from voyager_agents.piano.module import SlotView
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.progression import FILE
from voyager_agents.piano.rule_based.progression.errands import (
    BARGAIN,
    BOTTLE,
    FARM,
    FISH,
    LAVA,
    LOOT,
    MILK,
    SHEAR,
    SLEEP,
    STRIP,
    TIDY,
    WATER,
    crowded,
    errand,
    errands,
    useless,
)
from voyager_agents.piano.rule_based.progression.knowledge import knowledge, serves
from voyager_agents.piano.rule_based.progression.planner import ExplorerState, Planner
from voyager_agents.piano.rule_based.progression.routine_programs import program
from voyager_agents.piano.rule_based.progression.rules import WHY, _way
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.slots import Awareness, BodyAction, Percepts
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import ActOutcome


def planner(held: dict[str, int], had: tuple[str, ...] = (), **seen: object) -> Planner:
    return Planner(ExplorerState(held, frozenset({*held, *had}), **seen), rules(FILE))  # type: ignore[arg-type]


def spent(steps: list[tuple[str, int, bool]], held: dict[str, int]) -> dict[str, int]:
    """Return the items left after crafting these steps in order; fail if an item is missing."""
    stock = dict(held)
    for item, times, _ in steps:
        fits = [
            each
            for each in knowledge().recipes[item]
            if all(stock.get(part, 0) >= count * times for part, count in each.of.items())
        ]
        assert fits, (item, times, stock)
        for part, count in fits[0].of.items():
            stock[part] -= count * times
        stock[item] = stock.get(item, 0) + fits[0].gives * times
    return stock


def test_four_logs_become_a_table_and_a_pickaxe_by_steps_that_can_be_done() -> None:
    held = {"oak_log": 4}
    steps = planner(held).crafts
    left = spent(steps, held)
    assert left["crafting_table"] == 1
    assert left["wooden_pickaxe"] == 1
    made = [item for item, _, _ in steps]
    assert made.index("crafting_table") < made.index("wooden_pickaxe")


def test_nothing_at_a_table_is_planned_without_one() -> None:
    assert [item for item, _, table in planner({"oak_planks": 2}).crafts if table] == []
    near = planner({"cobblestone": 3, "stick": 2}, near=("crafting_table",)).crafts
    assert ("stone_pickaxe", 1, True) in near


def test_what_was_had_is_not_made_again_but_for_tools_that_were_lost() -> None:
    had = tuple(knowledge().ways)
    tools = {"crafting_table", "wooden_pickaxe"}
    made = [item for item, _, _ in planner({"oak_log": 8}, had).crafts]
    assert tools <= set(made) <= {*tools, "oak_planks", "stick"}
    held = dict.fromkeys(rules(FILE)["first"], 1)
    assert planner({"oak_log": 8, **held}, had).crafts == []


def test_what_is_wanted_of_the_land_follows_from_the_tools_at_hand() -> None:
    bare = planner({}).gathers
    assert "oak_log" in bare
    assert "stone" not in bare
    with_pickaxe = planner({"wooden_pickaxe": 1}).gathers
    assert "stone" in with_pickaxe
    assert "iron_ore" not in with_pickaxe
    assert "iron_ore" in planner({"stone_pickaxe": 1}).gathers
    assert "diamond_ore" not in planner({"stone_pickaxe": 1}).gathers
    assert "diamond_ore" in planner({"iron_pickaxe": 1}).gathers


def test_a_better_pickaxe_serves_and_a_poorer_one_does_not() -> None:
    assert serves("wooden_pickaxe", {"diamond_pickaxe": 1})
    assert not serves("iron_pickaxe", {"stone_pickaxe": 1})
    assert serves("", {})


def test_smelting_needs_a_furnace_and_fuel() -> None:
    assert planner({"raw_iron": 3}).smelts == []
    assert planner({"raw_iron": 3, "furnace": 1}).smelts == []
    assert planner({"raw_iron": 3, "furnace": 1, "coal": 2}).smelts[0][:2] == ("raw_iron", "coal")


def test_hunting_wants_a_weapon_and_good_health() -> None:
    assert planner({}, mobs={"cow": 5.0}).hunts() == []
    assert planner({"wooden_sword": 1}, mobs={"cow": 5.0, "villager": 2.0}).hunts() == ["cow"]
    assert planner({"wooden_sword": 1}, mobs={"zombie": 5.0}, health=8.0).hunts() == []


def test_a_monster_that_nobody_gets_away_from_does_not_stop_all_work() -> None:
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    (module,) = [each for each in wiring.modules if each.name == "reflex"]
    acts = []
    state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {}})
    state.write("body", "feel", sensed(mobs=(zombie(),)), 0.0)
    for beat in range(40):
        found = module.rule(SlotView(state, module.reads, beat * 0.5, frozenset(), "test", rules(FILE)))
        acts += [beat * 0.5] if found.act is not None else []
        if "alarm" in found.writes:
            state.write("reflex", "alarm", found.writes["alarm"], beat * 0.5)
    assert acts == [0.0, 8.0, 16.0]


def test_a_program_has_what_its_deed_needs_and_no_more() -> None:
    craft, forage = program("craftAll", [("stick", 1, False)]), program("forage", {"oak_log": 4}, {"x": 1}, 60, 8)
    steps = [{"name": "forage", "args": [{"oak_log": 4}, {"x": 1}, 60, 8]}]
    assert forage.to_dict() == {"steps": steps, "pause_ticks": 0, "library": "explorer_routines"}
    assert 'await craftAll(bot, [["stick", 1, false]])' in craft
    assert "function smeltAll" not in craft
    for text in (craft, forage):
        defined = set(re.findall(r"function (\w+)", text)) | set(re.findall(r"^const (\w+)", text, re.MULTILINE))
        assert {"attempt", "QUIET"} <= defined


def test_modules_can_be_taken_out_of_explorers_as_of_others() -> None:
    full = {each.name for each in wire(PianoSettings.read({"tables": "explorers"})).modules}
    options = {"tables": "explorers", "without": "action_awareness"}
    assert full - {each.name for each in wire(PianoSettings.read(options)).modules} == {"action_awareness"}
    baseline = {each.name for each in wire(PianoSettings.read({"tables": "explorers", "baseline": True})).modules}
    assert not baseline & {"goal_generation", "action_awareness", "reflex"}


def test_a_full_pack_is_tidied_of_what_is_of_the_least_use_and_never_of_tools_or_food() -> None:
    plenty = dict.fromkeys(sorted(knowledge().recipes)[:33], 1)
    full = planner({**plenty, "dirt": 64, "iron_pickaxe": 1, "bread": 3, "raw_iron": 5})
    assert crowded(full)
    left = useless(full)
    assert left
    assert not {"iron_pickaxe", "bread", "raw_iron"} & set(left)
    assert not crowded(planner({"dirt": 64, "iron_pickaxe": 1}))
    assert crowded(planner({"snowball": 29 * 16})), "snowballs go sixteen to a place"


def test_errands_follow_from_what_is_held_and_seen() -> None:
    cases: list[tuple[str, dict[str, int], tuple[str, ...], dict[str, object]]] = [
        (f"{STRIP}:birch_log", {"birch_log": 2, "stone_axe": 1}, (), {}),
        (LOOT, {}, (), {"near": ("chest",)}),
        (BARGAIN, {"emerald": 1}, (), {"mobs": {"villager": 4.0}}),
        (BARGAIN, {"wheat": 20}, (), {"mobs": {"villager": 4.0}}),
        (f"{FARM}:wheat", {"wooden_hoe": 1, "wheat_seeds": 2, "bone_meal": 3}, (), {}),
        (BOTTLE, {"glass_bottle": 1}, (), {"near": ("water",)}),
        (WATER, {"bucket": 1}, (), {"near": ("water",)}),
    ]
    for kind, held, had, seen in cases:
        assert kind in errands(planner(held, had, **seen)), kind
        assert kind not in errands(planner({}, had)), kind
    assert f"{STRIP}:birch_log" not in errands(planner({"birch_log": 2, "stone_axe": 1}, ("stripped_birch_log",)))
    assert f"{FARM}:wheat" not in errands(planner({"wooden_hoe": 1, "wheat_seeds": 2, "bone_meal": 3}, ("wheat",)))


def test_every_errand_has_a_reason_and_a_program() -> None:
    able = planner({"white_bed": 1, "stone_axe": 1, "oak_log": 2, "bone_meal": 1, "wooden_hoe": 1, "wheat_seeds": 1})
    for kind in (SLEEP, MILK, SHEAR, FISH, WATER, LAVA, BOTTLE, LOOT, BARGAIN, STRIP, FARM, TIDY):
        assert kind in WHY
        call = errand(kind, {STRIP: "oak_log", FARM: "wheat"}.get(kind, ""), able, {"x": 1, "y": None, "z": 0})
        assert call is not None
        assert f"await {call[0]}(bot" in program(*call)


@pytest.mark.parametrize(
    ("label", "gained", "avoided"),
    [
        (LOOT, {"dirt": -64}, [LOOT]),
        # Items dropped on purpose are no failure; the action is only not repeated immediately.
        (TIDY, {"dirt": -64}, [TIDY]),
        ("gather", {"oak_log": 2}, []),
        # Items picked up by chance are not the purpose of these actions.
        ("hunt:creeper", {"dirt": 64}, ["hunt:creeper"]),
        ("hunt:creeper", {"gunpowder": 1}, []),
        (WATER, {"dirt": 64}, [WATER]),
        (WATER, {"bucket": -1, "water_bucket": 1}, []),
        ("craft", {"dirt": 64}, ["craft"]),
        ("craft", {"oak_log": -1, "oak_planks": 4}, []),
    ],
)
def test_a_deed_that_did_not_bring_what_it_is_for_is_left_alone(
    label: str, gained: dict[str, int], avoided: list[str]
) -> None:
    assert list(learnt(ActOutcome(1, label, "done", "", 0.0, 4.0, gained)).avoid) == avoided


def test_who_tidies_has_neither_failed_nor_succeeded() -> None:
    before = Awareness("", {}, 3)
    assert learnt(ActOutcome(1, TIDY, "done", "", 0.0, 4.0, {"dirt": -64}), before).failures == 3
    assert learnt(ActOutcome(1, "hunt:creeper", "done", "", 0.0, 4.0, {}), before).failures == 4
    assert learnt(ActOutcome(1, "gather", "done", "", 0.0, 4.0, {"dirt": 1}), before).failures == 0


def test_nobody_stops_to_eat_while_it_flees() -> None:
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    (module,) = [each for each in wiring.modules if each.name == "reflex"]
    answers = []
    for label, by in (("gather", "skill_execution"), ("flee from the zombie", "reflex")):
        state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {}})
        state.write("body", "feel", sensed(food=4.0, items={"bread": 1}), 0.0)
        state.write("body", "action", BodyAction(1, label, by, "", True, 0.0), 0.0)
        found = module.rule(SlotView(state, module.reads, 0.0, frozenset(), "test", rules(FILE)))
        answers.append(found.act.label if found.act is not None else "")
    assert answers == ["eat bread", ""]


def test_who_found_nothing_twice_goes_back_where_it_began() -> None:
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    ways = set()
    for failures in range(5):
        state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {"name": "Amos"}})
        state.write("perception", "percepts", Percepts((90, 64, 0), 20, 20, {}, None, True, (), (), {}), 0.0)
        state.write("home", "home", (0, 64, 0), 0.0)
        state.write("action_awareness", "awareness", Awareness("", {}, failures), 0.0)
        reads = ("persona", "percepts", "awareness", "home")
        way = _way(SlotView(state, reads, 0.0, frozenset(), "test", rules(FILE)), deep=False)
        ways.add((failures in (2, 4), (way["x"], way["z"]) == (-1, 0)))
    assert ways == {(True, True), (False, False)}


def learnt(outcome: ActOutcome, before: Awareness | None = None) -> Awareness:
    """Return the awareness after the outcome."""
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    (module,) = [each for each in wiring.modules if each.name == "action_awareness"]
    state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {}})
    state.write("body", "outcome", outcome, 4.0)
    if before is not None:
        state.write("action_awareness", "awareness", before, 0.0)
    found = module.rule(SlotView(state, module.reads, 4.0, frozenset(), "test", rules(FILE))).writes["awareness"]
    assert isinstance(found, Awareness)
    return found


def test_a_full_pack_is_tidied_before_anything_is_made() -> None:
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    (module,) = [each for each in wiring.modules if each.name == "goal_generation"]
    goals = []
    for items in ({"oak_log": 8}, {"oak_log": 8, **dict.fromkeys(sorted(knowledge().recipes)[:33], 1)}):
        state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {}})
        percepts = Percepts((0, 64, 0), 20, 20, items, None, True, (), (), {})
        state.write("perception", "percepts", percepts, 0.0)
        goals.append(
            module.rule(SlotView(state, module.reads, 0.0, frozenset(), "test", rules(FILE))).writes["goal"].activity
        )
    assert goals == ["craft", TIDY]
