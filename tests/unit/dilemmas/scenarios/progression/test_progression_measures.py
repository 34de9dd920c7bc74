"""Measures of explorers: first items, counts over time, the tree of items, reasons for unreached items."""

from __future__ import annotations

from dilemmas.records.events import (
    BeginsAt,
    BegunAt,
    BotEvent,
    EndStateRead,
    EpisodeStarted,
    Event,
    InventoryEvent,
    LogLine,
)
from dilemmas.scenarios.progression.measures import item_progress, measures, society
from dilemmas.scenarios.progression.tree import depths, parents, reason, unreached
from voyager_agents.piano.rule_based.progression.knowledge import knowledge


def held(bot: str, t_s: float | None, **items: int) -> InventoryEvent:
    return InventoryEvent(bot=bot, items=items, t_s=t_s)


def log(*events: Event) -> list[LogLine]:
    return [LogLine(number, None, 0.0, 1, each) for number, each in enumerate(events)]


BEGUN = BegunAt(places={"Ada": BeginsAt(land="plains", at=(0, 64, 0)), "Bea": BeginsAt(land="cave", at=(9, 20, 9))})
LINES = log(
    EpisodeStarted(attempt=1),
    BEGUN,
    held("Ada", 1.0, stick=1),
    EpisodeStarted(attempt=2),
    BEGUN,
    held("Ada", None, bedrock=1),
    held("Ada", 10.0, oak_log=1),
    held("Ada", 70.0, oak_planks=4),
    held("Bea", 65.0, oak_log=2),
    held("Ada", 100.0, wooden_pickaxe=1),
    held("Nobody", 100.0, dirt=1),
    BotEvent(bot="Bea", state="died", t_s=110.0),
    EndStateRead(t_s=150.0, players={}, chest={}, reason="time_limit", wall_s=0.0),
)


def test_the_last_attempt_counts_and_each_item_once_from_when_it_was_held_first() -> None:
    found = item_progress(LINES)
    assert found.firsts == {
        "Ada": {"oak_log": 10.0, "oak_planks": 70.0, "wooden_pickaxe": 100.0},
        "Bea": {"oak_log": 65.0},
    }
    assert found.times == [0.0, 60.0, 120.0, 150.0]
    assert found.counts(found.times) == {"Ada": [0, 1, 3, 3], "Bea": [0, 0, 1, 1]}
    assert found.together_counts(found.times) == [0, 1, 3, 3]


def test_measures_by_player_and_of_all() -> None:
    table = measures(LINES, ["Ada", "Bea"])
    assert table["unique_items"] == {"Ada": 3.0, "Bea": 1.0}
    assert table["wooden_tool_s"] == {"Ada": 100.0}
    assert table["iron_tool_s"] == {}
    assert table["deaths"] == {"Ada": 0.0, "Bea": 1.0}
    told = society(LINES)
    assert (told["mean_items"], told["best_items"], told["least_items"], told["items_together"]) == (2.0, 3, 1, 3)
    assert told["first"]["oak_log"] == {"t_s": 10.0, "player": "Ada"}
    assert told["over_time"]["mean"] == [0.0, 0.5, 2.0, 2.0]
    assert told["lands"]["cave"] == {"players": 1, "mean_items": 1.0}


def test_every_item_that_can_be_had_is_some_steps_from_bare_hands() -> None:
    deep = depths()
    assert set(deep) == set(knowledge().ways)
    chain = ["oak_log", "oak_planks", "crafting_table", "wooden_pickaxe", "cobblestone", "stone_pickaxe", "raw_iron"]
    steps = [deep[item] for item in [*chain, "iron_ingot", "iron_pickaxe", "diamond", "diamond_pickaxe"]]
    assert steps == sorted(set(steps)), steps
    assert deep["oak_log"] == 0


def test_an_item_hangs_from_what_it_was_made_of() -> None:
    reached = {"oak_log", "oak_planks", "stick", "wooden_pickaxe", "cobblestone"}
    assert parents("wooden_pickaxe", reached) == ["oak_planks", "stick"]
    assert parents("cobblestone", reached) == ["wooden_pickaxe"]
    assert parents("oak_log", reached) == []


def test_all_items_of_the_game_are_reached_or_have_a_reason_why_not() -> None:
    reached = {"oak_log", "oak_planks"}
    why = unreached(reached)
    named = [item for items in why.values() for item in items]
    assert len(named) == len(set(named))
    assert set(named) | reached == {*knowledge().ways, *knowledge().others}
    assert reason("netherite_ingot", reached) == "needs gold_ingot, netherite_scrap"
    assert reason("ancient_debris", reached) == reason("blaze_rod", reached) == "needs the Nether"
    assert reason("chorus_fruit", reached) == "needs the End"
    assert "End" not in reason("ender_pearl", reached)
    assert reason("elytra", reached) == "needs the End"
    assert reason("command_block", reached).startswith("no way without commands")
    assert reason("diamond", reached) == "needs iron_pickaxe"
    assert reason("stick", reached) == "could have been crafted"
    assert reason("iron_ingot", {*reached, "raw_iron"}) == "could have been smelted"
