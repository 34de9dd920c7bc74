"""Double-Vein: the papers' layout, the commands that build it, observations and readings."""

from __future__ import annotations

import json
import math
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from accord.studies.conditions import resolve
from bridge.errors import BotLostError, CommandError, ServerError
from dilemmas.minecraft import commands
from dilemmas.minecraft.command_tree import is_command
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.arena import Arena
from dilemmas.modes.observation import observation
from dilemmas.records.events import Holdings
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from dilemmas.scenarios.registry import SCENARIOS, load_scenario
from tests.fakes.world import FakeWorld
from voyager_agents.agent import PERMITTED_OBSERVATIONS

ITEMS = Path(__file__).resolve().parents[5] / "node_modules/minecraft-data/minecraft-data/data/pc/1.20.3"
Cell = tuple[int, int, int]


@pytest.fixture
def scenario() -> Scenario:
    return load_scenario("double-vein")


def mounds(scenario: Scenario) -> dict[str, list[Cell]]:
    return {name: list(mound.cells) for name, mound in scenario.spec.world.mounds.items()}


def distance(one: Cell, other: Cell) -> float:
    return math.dist(one, other)


def test_the_layout_is_the_papers(scenario: Scenario) -> None:
    spec = scenario.spec
    assert {mound.block: len(mound.cells) for mound in spec.world.mounds.values()} == {"iron_ore": 12, "diamond_ore": 6}
    assert spec.world.chest.items == {"stone_pickaxe": 1, "iron_pickaxe": 1}
    assert {name: dict(player.prices) for name, player in spec.players.items()} == {
        "Gizmo": {"raw_iron": 4, "diamond": 4},
        "Glitch": {"raw_iron": 3, "diamond": 5},
    }
    best = 12 * spec.players["Gizmo"].prices["raw_iron"] + 6 * spec.players["Glitch"].prices["diamond"]
    assert best == 78


def test_mounds_are_8_to_14_apart_and_the_chest_is_halfway(scenario: Scenario) -> None:
    found = mounds(scenario)
    chest = scenario.spec.world.chest.at
    gaps = {name: min(distance(cell, chest) for cell in cells) for name, cells in found.items()}
    assert gaps["iron"] == gaps["diamond"]
    nearest = min(distance(one, other) for one, other in product(found["iron"], found["diamond"]))
    centres = [sum(x for x, _, _ in cells) / len(cells) for cells in found.values()]
    assert 8 <= nearest <= 14
    assert 8 <= abs(centres[0] - centres[1]) <= 14


def test_players_start_3_from_the_chest_on_opposite_sides_and_equally_far_from_everything(scenario: Scenario) -> None:
    spec = scenario.spec
    one, other = (player.spawn for player in spec.players.values())
    chest = spec.world.chest.at
    assert distance(one, chest) == distance(other, chest) == 3
    assert all(a - c == c - b for a, b, c in zip(one, other, chest, strict=True))
    for cells in mounds(scenario).values():
        assert sorted(distance(one, cell) for cell in cells) == sorted(distance(other, cell) for cell in cells)


def test_every_ore_is_in_reach_without_digging_through_another(scenario: Scenario) -> None:
    solid = {cell for cells in mounds(scenario).values() for cell in cells} | {scenario.spec.world.chest.at}
    stands = reachable(scenario.spec.players["Gizmo"].spawn, solid)
    for cell in solid - {scenario.spec.world.chest.at}:
        x, y, z = cell
        faces = [(x + 1, y, z), (x - 1, y, z), (x, y, z + 1), (x, y, z - 1), (x, y + 1, z)]
        assert any(face not in solid for face in faces), f"{cell} is buried"
        eyes = [(sx + 0.5, sy + 1.62, sz + 0.5) for sx, sy, sz in stands]
        assert min(math.dist(eye, (x + 0.5, y + 0.5, z + 0.5)) for eye in eyes) < 3.5
        # Its drop falls to the floor of its own cell and is picked up from a neighbouring one.
        assert any(max(abs(sx - x), abs(sz - z)) <= 1 and abs(sy - y) <= 1 for sx, sy, sz in stands)


def reachable(start: Cell, solid: set[Cell]) -> set[Cell]:
    """Return the cells where a player can stand, by walking and one-block steps."""

    def stands(cell: Cell) -> bool:
        x, y, z = cell
        floor = y == 0 or (x, y - 1, z) in solid
        return floor and cell not in solid and (x, y + 1, z) not in solid and max(abs(x), abs(z)) <= 12

    found, todo = {start}, [start]
    while todo:
        x, y, z = todo.pop()
        steps = [(x + dx, y + dy, z + dz) for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1)) for dy in (-1, 0, 1)]
        new = [step for step in steps if step not in found and stands(step)]
        found.update(new)
        todo += new
    return found


@pytest.mark.parametrize("name", sorted(SCENARIOS))
def test_a_scenario_is_built_by_few_commands(name: str) -> None:
    scenario = load_scenario(name)
    # Each player of Conquest has territories with a field, a flag and a chest; a pantry is filled stack by stack.
    few = {"conquest": 64, "kitchen": 44}.get(name, 36)
    assert len(scenario.build()) + 2 * len(scenario.place(0)) <= few * len(scenario.spec.players)


async def test_every_question_is_in_the_vanilla_command_tree(scenario: Scenario) -> None:
    world = await stocked(scenario)
    world.texts.clear()
    await scenario.read(world)
    assert len(world.texts) == 6
    assert [text for text in world.texts if not is_command(text)] == []


@pytest.mark.parametrize(
    "text",
    [
        "setblock 0 -60 minecraft:iron_ore",
        "setblok 0 -60 0 minecraft:iron_ore",
        "fill 0 0 0 1 1 1",
        "gamerule doMobSpawning maybe",
        "gamerule doMobSpawn false",
        "clear Gizmo minecraft:diamond -1",
        "tp Gizmo 0.5 -60",
        "scoreboard objectives add mined_iron_ore",
        "item replace block 0 -60 0 slot.1 with minecraft:stone_pickaxe 1",
        "gamemode watcher Judy",
        "data get block 0 -60 0 Items extra words",
    ],
)
def test_the_tree_reports_unreachable_items(text: str) -> None:
    assert not is_command(text)


@pytest.mark.parametrize("name", [name for name in sorted(SCENARIOS) if load_scenario(name).spec.PRICED])
def test_every_block_and_item_exists(name: str) -> None:
    spec = load_scenario(name).spec
    blocks = {block["name"] for block in json.loads((ITEMS / "blocks.json").read_text())}
    items = {item["name"] for item in json.loads((ITEMS / "items.json").read_text())}
    world = spec.resolved()["world"]
    used = named(world, "block") | named(world, "stem")
    held = named(world, "drop") | set(world.get("chest", {}).get("items", {}))
    held |= {item for player in spec.players.values() for item in (*player.prices, *player.items)}
    assert used
    assert held
    assert used - blocks == set()
    assert held - items == set()


def named(data: object, key: str) -> set[str]:
    """Yield every value under the key, anywhere in the data."""
    inner = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    own = {str(data[key])} if isinstance(data, dict) and key in data else set()
    return own.union(*(named(each, key) for each in inner))


def test_the_seed_decides_who_starts_where(scenario: Scenario) -> None:
    even, odd = ([c.text for c in scenario.place(seed) if c.text.startswith("tp G")] for seed in (0, 1))
    assert even[0].removeprefix("tp Gizmo") == odd[1].removeprefix("tp Glitch")
    assert even != odd


def test_the_judge_only_watches(scenario: Scenario) -> None:
    assert "execute as Judy run gamemode spectator @s" in [command.text for command in scenario.place(0)]


def test_the_end_is_all_mined_and_all_collected(scenario: Scenario) -> None:
    def state(iron: int, diamonds: int, mined: int = 12) -> EndState:
        return EndState(
            {
                "Gizmo": Holdings(items={"raw_iron": iron}, mined={"iron_ore": mined}, reward=4.0 * iron),
                "Glitch": Holdings(items={"diamond": diamonds}, mined={"diamond_ore": 6}, reward=5.0 * diamonds),
            }
        )

    assert scenario.finished(state(12, 6))
    assert not scenario.finished(state(11, 6))
    assert not scenario.finished(state(12, 5))
    assert not scenario.finished(state(12, 6, mined=11))


def test_players_are_shown_what_is_permitted_and_no_more(scenario: Scenario) -> None:
    assert scenario.permitted <= PERMITTED_OBSERVATIONS
    contract = resolve(scenario, "contract-1").contract
    seen = observation(scenario, "Gizmo", 1, contract, None)
    assert (seen.player, seen.other, seen.episode, seen.contract) == ("Gizmo", "Glitch", 0, contract)
    assert seen.facts is not None
    assert seen.facts.chest == (0, -60, 0)
    assert {ore.block: ore.tools for ore in seen.facts.ores} == {
        "iron_ore": ("stone_pickaxe", "iron_pickaxe"),
        "diamond_ore": ("iron_pickaxe",),
    }


async def stocked(scenario: Scenario) -> FakeWorld:
    world = FakeWorld([])
    await world.__aenter__()
    await world.connect(["Gizmo", "Glitch", "Judy"])
    await commands.give(world, scenario.build())
    await commands.give(world, scenario.place(0))
    return world


async def test_the_end_state_comes_from_the_server(scenario: Scenario) -> None:
    world = await stocked(scenario)
    world.players["Gizmo"] |= {"raw_iron": 5, "dirt": 9}
    world.scores["mined_iron_ore"]["Gizmo"] = 6
    assert await scenario.read(world) == EndState(
        {
            "Gizmo": Holdings(items={"raw_iron": 5}, mined={"iron_ore": 6}, reward=20.0),
            "Glitch": Holdings(items={}, mined={}, reward=0.0),
        },
        {"stone_pickaxe": 1, "iron_pickaxe": 1},
    )


async def test_building_again_makes_the_world_as_new(scenario: Scenario, tmp_path: Path) -> None:
    world = await stocked(scenario)
    fresh = await scenario.read(world)
    world.players["Glitch"]["iron_pickaxe"] = 1
    world.chest = {"raw_iron": 3}
    world.scores["mined_iron_ore"]["Glitch"] = 3
    record = RunRecord.create(tmp_path / "run", {})
    shown = partial(observation, scenario, episode=1, contract=None, past=None)
    await Arena(world, scenario, record, TelemetryWriter(world, record), shown).build(0)
    record.close()
    assert await scenario.read(world) == fresh


async def test_a_reply_in_other_words_than_vanillas_is_never_guessed_at(scenario: Scenario) -> None:
    class Chatty(FakeWorld):
        async def command(self, text: str) -> str:
            return "There were 12, I think"

    with pytest.raises(ServerError, match="There were 12"):
        await scenario.read(Chatty([]))


async def test_a_player_that_left_is_reported_as_lost_instead_of_poor(scenario: Scenario) -> None:
    world = await stocked(scenario)
    world.gone.add("Glitch")
    with pytest.raises(BotLostError, match="Glitch has left"):
        await scenario.read(world)


async def test_a_chest_that_is_gone_is_empty(scenario: Scenario) -> None:
    world = await stocked(scenario)
    world.chest = None
    assert (await scenario.read(world)).chest == {}


async def test_other_refusals_are_not_swallowed(scenario: Scenario) -> None:
    world = FakeWorld([], refuse={"data get": "An unexpected error occurred"})
    world.open = True
    with pytest.raises(CommandError, match="unexpected error"):
        await commands.contents(world, (0, -60, 0))
