"""Reset of the arena on the real engine: whatever players hide, and wherever, is gone in the next episode."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from functools import partial
from pathlib import Path

import pytest

from bridge.errors import CommandError
from bridge.mock_world import MockWorld
from bridge.types import Limits, ProgramOutcome
from dilemmas.minecraft import commands, renewal
from dilemmas.minecraft.command_tree import is_command
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.observation import observation
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario, scenario_names

POCKETS = {
    "a chest high above": "setblock 3 200 3 minecraft:chest",
    "a chest below the ground": "setblock 3 -63 3 minecraft:chest",
    "a barrel at the edge": "setblock -24 -60 24 minecraft:barrel",
    "an armour stand": 'summon minecraft:armor_stand 5 -60 5 {HandItems:[{id:"minecraft:diamond",Count:1b},{}]}',
    "an item frame": 'summon minecraft:item_frame 5 -60 5 {Facing:1b,Item:{id:"minecraft:diamond",Count:1b}}',
    "a minecart": 'summon minecraft:chest_minecart 5 -60 5 {Items:[{Slot:0b,id:"minecraft:diamond",Count:6b}]}',
    "a boat": "summon minecraft:boat 5 -60 5",
    "a villager": "summon minecraft:villager 5 -60 5",
    "a zombie": 'summon minecraft:zombie 5 -60 5 {HandItems:[{id:"minecraft:diamond",Count:1b},{}]}',
    "an item on the ground": 'summon minecraft:item 5 -60 5 {Item:{id:"minecraft:diamond",Count:6b}}',
    "an ender chest": "item replace entity Gizmo enderchest.26 with minecraft:diamond 6",
    "the off-hand": "item replace entity Gizmo weapon.offhand with minecraft:diamond 6",
    "the head": "item replace entity Gizmo armor.head with minecraft:diamond_helmet",
    "experience": "experience set Gizmo 30 levels",
    "an effect": "effect give Gizmo minecraft:haste 1000 2",
}


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[MockWorld]:
    async with MockWorld(seed=0, log_dir=tmp_path, threaded=False) as found:
        yield found


@pytest.fixture
def record(tmp_path: Path) -> Iterator[RunRecord]:
    found = RunRecord.create(tmp_path / "run", {})
    yield found
    found.close()


def arena(world: MockWorld, scenario: Scenario, record: RunRecord) -> Arena:
    shown = partial(observation, scenario, episode=1, contract=None, past=None)
    return Arena(world, scenario, record, TelemetryWriter(world, record), shown)


async def state(world: MockWorld) -> dict[str, str]:
    """Return replies that reveal everything hidden in and around the arena and on its players."""
    questions = [
        "execute if entity @e[type=!player]",
        *(f"data get entity Gizmo {path}" for path in ("Inventory", "EnderItems", "XpLevel", "active_effects")),
        *(f"data get block {at} Items" for at in ("3 200 3", "3 -63 3", "-24 -60 24", "0 -60 0")),
    ]
    replies = await world.commands(questions)
    return {
        question: reply.reply if isinstance(reply, CommandError) else reply
        for question, reply in zip(questions, replies, strict=True)
    }


@pytest.mark.parametrize("pocket", POCKETS)
async def test_no_pocket_outlives_an_episode(world: MockWorld, record: RunRecord, pocket: str) -> None:
    played = arena(world, load_scenario("double-vein"), record)
    await played.build(0)
    fresh = await state(world)
    await world.command(POCKETS[pocket])
    assert await state(world) != fresh, "nothing was hidden"
    await played.stage(0)
    assert await state(world) == fresh


@pytest.mark.parametrize("name", ["double-vein", "cleanup", "commons-harvest", "prisoners-dilemma", "public-goods"])
async def test_nobody_leaves_the_area_that_is_restored(world: MockWorld, record: RunRecord, name: str) -> None:
    scenario = load_scenario(name)
    played = arena(world, scenario, record)
    await played.build(0)
    player = next(iter(scenario.spec.players))
    spawns = [each.spawn for each in scenario.spec.players.values()]
    bounds = renewal.bounds_of(scenario.build(), scenario.spec.world.origin, spawns)
    assert bounds is not None
    x, z = (round(corner + bounds.size / 2) for corner in (bounds.x, bounds.z))
    for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        # On a floor above all walls, walking longer than it takes to get out.
        half = bounds.size / 2
        await world.command(f"fill {x - 70} -51 {z - 70} {x + 69} -51 {z + 69} glass")
        await world.command(f"tp {player} {x + dx * (half - 1)} -50 {z + dz * (half - 1)}")
        walk = f"""async function walk (bot) {{
          await bot.lookAt(bot.entity.position.offset({100 * dx}, 1.6, {100 * dz}), true)
          bot.setControlState('forward', true)
          await bot.waitForTicks(60)
        }}"""
        result = (await world.run({player: walk}, Limits(wall_s=30)))[player]
        assert result.outcome is ProgramOutcome.RETURNED, result.error
        at = (await commands.positions(world, list(scenario.spec.players)))[player]
        assert bounds.x <= at[0] <= bounds.x + bounds.size
        assert bounds.z <= at[2] <= bounds.z + bounds.size


BOUNDED = [name for name in scenario_names() if load_scenario(name).build() and load_scenario(name).spec.bounded]


@pytest.mark.parametrize("name", BOUNDED)
def test_every_command_is_vanillas(name: str) -> None:
    scenario = load_scenario(name)
    spawns = [each.spawn for each in scenario.spec.players.values()]
    bounds = renewal.bounds_of(scenario.build(), scenario.spec.world.origin, spawns)
    assert bounds is not None
    players = [*renewal.RESET_PLAYERS, *renewal.EMPTY_ENDER_CHESTS]
    given = [*players, *renewal.reset_land(bounds, (0, -60, 0)), renewal.UNBOUNDED]
    assert [each.text for each in given if not is_command(each.text)] == []


def test_roaming_players_have_no_border() -> None:
    assert "double-vein" in BOUNDED
    assert {"village", "religion", "taxation", "progression", "voyager-progress"}.isdisjoint(BOUNDED)
