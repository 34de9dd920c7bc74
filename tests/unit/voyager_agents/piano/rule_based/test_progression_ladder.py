"""Explorers' reserves for their next tools, and reactions to dangers that they cannot flee."""

from __future__ import annotations

import pytest

from tests.fakes.life import sensed, zombie
from voyager_agents.piano.module import SlotView
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.progression import FILE
from voyager_agents.piano.rule_based.progression.knowledge import knowledge
from voyager_agents.piano.rule_based.progression.ladder import missing, needs
from voyager_agents.piano.rule_based.progression.planner import ExplorerState, Planner
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import ActOutcome


def planner(held: dict[str, int], had: tuple[str, ...] = (), **seen: object) -> Planner:
    return Planner(ExplorerState(held, frozenset({*held, *had}), **seen), rules(FILE))  # type: ignore[arg-type]


def test_a_tool_is_missing_when_it_was_never_held_or_was_lost_and_a_better_pickaxe_does() -> None:
    tools = ["crafting_table", "wooden_pickaxe", "stone_pickaxe", "furnace"]
    had = frozenset(tools)
    assert missing(tools, frozenset(), {}, ()) == tools
    assert missing(tools, had, {"stone_pickaxe": 1}, ("crafting_table",)) == ["furnace"]
    assert missing(tools, had, {"wooden_pickaxe": 1, "furnace": 1}, ("crafting_table",)) == ["stone_pickaxe"]


@pytest.mark.parametrize(
    ("tool", "held", "lacks"),
    [
        ("wooden_pickaxe", {}, {"oak_log": 2}),
        ("wooden_pickaxe", {"spruce_log": 1}, {"spruce_log": 1}),
        ("wooden_pickaxe", {"birch_planks": 5}, {}),
        ("stone_pickaxe", {"stick": 2, "cobblestone": 1}, {"cobblestone": 2}),
        ("iron_pickaxe", {"stick": 2, "raw_iron": 1}, {"raw_iron": 2}),
        ("iron_pickaxe", {"stick": 2, "iron_ingot": 3}, {}),
        ("diamond_pickaxe", {"stick": 2}, {"diamond": 3}),
    ],
)
def test_what_a_tool_takes_is_followed_down_to_what_is_dug(
    tool: str, held: dict[str, int], lacks: dict[str, int]
) -> None:
    found = needs(knowledge(), [tool], held)
    assert {item: count for item, count in found.lacks.items() if count} == lacks
    assert all(found.kept[item] >= min(held[item], 1) for item in held)


def test_the_last_wood_becomes_no_slab_while_a_tool_waits_for_it() -> None:
    had = ("crafting_table", "wooden_pickaxe")
    tools = {"crafting_table": 1, "wooden_pickaxe": 1}
    scarce = [item for item, _, _ in planner({**tools, "oak_planks": 2}, had).crafts]
    assert not [item for item in scarce if item.startswith("oak_")]
    plenty = [item for item, _, _ in planner({**tools, "oak_planks": 30}, had).crafts]
    assert [item for item in plenty if item.startswith("oak_")]


def test_any_wood_and_any_rubble_serves_and_only_what_the_tools_at_hand_get_is_looked_for() -> None:
    bare = planner({}).urgent
    assert {"oak_log", "spruce_log", "birch_log"} <= set(bare)
    assert "stone" not in bare
    digs = planner({"crafting_table": 1, "wooden_pickaxe": 1, "oak_planks": 12}).urgent
    assert {"stone", "deepslate", "cobblestone"} <= set(digs)
    assert "oak_log" not in digs
    had = ("wooden_pickaxe", "stone_axe", "stone_sword")
    stone = {"crafting_table": 1, "stone_pickaxe": 1, "furnace": 1, "stone_axe": 1, "stone_sword": 1, "stick": 9}
    assert "iron_ore" in planner(stone, had).urgent
    assert "iron_ore" in planner(stone, had).gathers


def test_who_has_iron_to_smelt_looks_for_coal_and_keeps_wood_for_a_fire() -> None:
    had = ("wooden_pickaxe",)
    tools = {"crafting_table": 1, "stone_pickaxe": 1, "furnace": 1, "stone_axe": 1, "stone_sword": 1, "stick": 9}
    cold = planner({**tools, "raw_iron": 3, "oak_log": 2}, had)
    assert "coal_ore" in cold.urgent
    assert not [item for item, _, _ in cold.crafts if item.startswith("oak_")]
    assert ("raw_iron", "oak_log", 3) in cold.smelts
    assert planner({**tools, "raw_iron": 3, "coal": 1}, had).needs.lacks["coal"] == 0


def test_who_cannot_flee_fights_and_what_was_in_vain_is_left_alone_for_longer() -> None:
    wiring = wire(PianoSettings.read({"tables": "explorers"}))
    (reflex,) = [each for each in wiring.modules if each.name == "reflex"]
    (lessons,) = [each for each in wiring.modules if each.name == "action_awareness"]
    acts = []
    state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": {}})
    for beat in range(200):
        now = beat * 0.5
        # The mob disappears from view for a moment; it must not count as a new danger.
        state.write("body", "feel", sensed(mobs=() if beat % 7 == 3 else (zombie(),)), now)
        found = reflex.rule(SlotView(state, reflex.reads, now, frozenset(), "test", rules(FILE)))
        if "alarm" in found.writes:
            state.write("reflex", "alarm", found.writes["alarm"], now)
        if found.act is None:
            continue
        acts.append((found.act.label.partition(" ")[0], now))
        state.write("body", "outcome", ActOutcome(1, found.act.label, "failed", "NoPath: no way", now, now), now)
        learnt = lessons.rule(SlotView(state, lessons.reads, now, frozenset(), "test", rules(FILE))).writes
        state.write("action_awareness", "awareness", learnt["awareness"], now)
    assert acts == [("flee", 0.0), ("fight", 2.0), ("flee", 40.5), ("fight", 44.0), ("flee", 80.5), ("fight", 84.0)]


def test_smelting_is_for_what_is_new_and_again_for_ingots_alone() -> None:
    tools = {"crafting_table": 1, "furnace": 1, "stone_pickaxe": 1, "coal": 4}
    assert ("cobblestone", "coal", 6) in planner({**tools, "cobblestone": 30}).smelts
    assert planner({**tools, "cobblestone": 30}, ("stone", "smooth_stone")).smelts == []
    again = planner({**tools, "raw_iron": 3}, ("iron_ingot",)).smelts
    assert again == [("raw_iron", "coal", 3)]
    kinds = {"beef": 9, "porkchop": 9, "mutton": 9, "chicken": 9, "rabbit": 9}
    many = planner({**tools, **kinds}).smelts
    assert 0 < sum(count for _, _, count in many) <= 6, "no deed stands at the furnace for minutes"
