"""The mirror: after every step the Minecraft world shows exactly the grid's state, as read from the world alone."""

from __future__ import annotations

from collections.abc import AsyncIterator

import numpy as np
import pytest
import pytest_asyncio

from bridge.errors import ServerError
from bridge.mock_world import MockWorld
from dilemmas.minecraft.mirror import Mirror, legend, picture_of, read_mirror
from grid_games import Batch, GridGame, load, names
from grid_games.policies import open_policy
from tests.unit.grid_games.play import DOWN, STAY, UP, act, empty, give, place, put

SMALL = {"size": [6, 6], "blocks": 4, "piles": {"wood": [6, 3], "stone": [6, 3], "coal": [3, 3]}, "steps": 40}


one_loop = pytest.mark.asyncio(loop_scope="module")
"""Scope of the world, which all tests share."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[MockWorld]:
    """Yield one world for all tests, since each mirror draws everything anew."""
    async with MockWorld(1, tmp_path_factory.mktemp("mirror"), threaded=False) as opened:
        yield opened


@pytest_asyncio.fixture(loop_scope="module")
async def world(server: MockWorld) -> AsyncIterator[MockWorld]:
    yield server
    await server.disconnect([f"{role}_{number}" for role in ("explorer", "carpenter", "miner") for number in range(8)])


def players(game: GridGame) -> list[str]:
    return [f"{game.role_of(agent).name}_{agent}" for agent in range(game.agents)]


async def opened(world: MockWorld, batch: Batch) -> Mirror:
    await world.connect(players(batch.game))
    return await Mirror.open(world, batch, players(batch.game))


async def played(world: MockWorld, game: GridGame, policy: str) -> None:
    """Play a whole episode, and read the world after every step."""
    batch, chooser = Batch(game, [5]), open_policy(policy, 1)
    mirror = await opened(world, batch)
    assert (await read_mirror(mirror)).differences(picture_of(batch)) == []
    seen = set()
    for step in range(game.steps):
        batch.step(chooser.act(batch))
        await mirror.draw_changes()
        shown = await read_mirror(mirror, ground=False)
        assert shown.differences(picture_of(batch)) == [], f"after step {step + 1}"
        seen.add((shown.places.tobytes(), shown.inventory.tobytes(), shown.piles.tobytes()))
        await world.sleep(0.2)
    assert len(seen) > game.steps / 4
    assert (await read_mirror(mirror)).differences(picture_of(batch)) == []


@one_loop
async def test_a_whole_contract_is_shown_exactly(world: MockWorld) -> None:
    await played(world, load("ada-contract"), "oracle-plan")


@one_loop
async def test_a_whole_exploration_is_shown_exactly(world: MockWorld) -> None:
    events = {"hammer_craft": 8, "torch_craft": 4, "steelmaking": 2}
    await played(world, load("ada-exploration", events=events, players={"explorer": 5}, **SMALL), "random")


@one_loop
async def test_a_whole_negotiation_is_shown_exactly(world: MockWorld) -> None:
    await played(world, load("ada-negotiation", settings={"stage": 12}, steps=40), "oracle-plan")


@one_loop
async def test_a_new_episode_is_drawn_completely(world: MockWorld) -> None:
    batch = Batch(load("ada-contract", settings={"rounds": 0}, steps=20), [1], autoreset=True)
    policy, mirror = open_policy("greedy", 1), await opened(world, batch)
    for _ in range(22):
        batch.step(policy.act(batch))
        await mirror.draw_changes()
    assert batch.episode.tolist() == [1]
    assert (await read_mirror(mirror)).differences(picture_of(batch)) == []


@one_loop
async def test_the_second_environment_is_shown_too(world: MockWorld) -> None:
    batch = Batch(load("ada-contract"), [1, 2])
    await world.connect(players(batch.game))
    mirror = Mirror(world, batch, players(batch.game), environment=1)
    await mirror.draw_all()
    seen = await read_mirror(mirror)
    assert seen == picture_of(batch, 1)
    assert seen != picture_of(batch, 0)


@one_loop
async def test_a_changed_world_is_seen_as_such(world: MockWorld) -> None:
    batch = empty(2)
    place(batch, 7, 12)
    put(batch, 3, wood=2, coal=1)
    put(batch, 12, gem=4)
    mirror = await opened(world, batch)
    true = picture_of(batch)
    assert await read_mirror(mirror) == true
    for change, name, undo in (
        (f"setblock {mirror.place.at(3)} air", "piles", None),
        ("give explorer_1 lever 1", "inventory", "clear explorer_1 lever"),
        (f"tp explorer_0 {mirror.place.stand(8)}", "places", f"tp explorer_0 {mirror.place.stand(7)}"),
        (f"setblock {mirror.place.at(20)} stone_bricks", "blocks", f"setblock {mirror.place.at(20)} air"),
        (f"setblock {mirror.place.at(20, -1)} loom", "events", f"setblock {mirror.place.at(20, -1)} white_concrete"),
        ("team join group_1 explorer_0", "groups", "team leave explorer_0"),
        ("scoreboard players set explorer_1 reward 7", "rewards", "scoreboard players set explorer_1 reward 0"),
    ):
        await world.command(change)
        assert name in (await read_mirror(mirror)).differences(true)
        if undo:
            await world.command(undo)
    await world.command("tp explorer_1 0.7 -60 0.5")
    with pytest.raises(ServerError, match=r"explorer_1 is at .*, which is no cell's middle"):
        await read_mirror(mirror)


@one_loop
async def test_many_units_of_every_kind_are_held_exactly(world: MockWorld) -> None:
    batch = empty(1)
    place(batch, 7)
    mirror = await opened(world, batch)
    give(batch, 0, **{each.name: 70 + number for number, each in enumerate(batch.game.resources)})
    await mirror.draw_changes()
    assert (await read_mirror(mirror)).inventory.tolist() == [[*range(70, 85)]]
    give(batch, 0, **{each.name: number for number, each in enumerate(batch.game.resources)})
    await mirror.draw_changes()
    assert (await read_mirror(mirror)).inventory.tolist() == [[*range(15)]]


@one_loop
async def test_players_look_where_they_go_over_the_edge_too(world: MockWorld) -> None:
    batch = empty(2)
    place(batch, 2, 12)
    mirror = await opened(world, batch)
    for moves, yaws in (((UP, DOWN), (180, 0)), ((UP, STAY), (180, 0)), ((DOWN, 2), (0, 90)), ((3, STAY), (-90, 90))):
        act(batch, *moves)
        await mirror.draw_changes()
        replies = await world.commands([f"data get entity {name} Rotation" for name in mirror.players])
        looks = [float(str(reply).partition("[")[2].partition("f")[0]) for reply in replies]
        assert [look % 360 for look in looks] == [yaw % 360 for yaw in yaws]


@one_loop
async def test_unchanged_parts_are_not_redrawn(world: MockWorld) -> None:
    batch = empty(2)
    place(batch, 2, 12)
    mirror = await opened(world, batch)
    act(batch, STAY, STAY)
    assert await mirror.draw_changes() == 0
    act(batch, UP, STAY)
    assert await mirror.draw_changes() == 1


@pytest.mark.parametrize("name", names())
def test_everything_of_every_game_has_its_sign_item_and_floor(name: str) -> None:
    game = load(name)
    assert {each.name for each in game.resources} <= set(legend.ITEMS)
    assert {recipe.name for recipe in game.recipes} <= set(legend.FLOORS)
    assert len({*legend.ITEMS.values()}) == len(legend.ITEMS)
    assert len({*legend.FLOORS.values(), legend.GROUND, legend.RIM}) == len(legend.FLOORS) + 2


@pytest.mark.parametrize("kinds", range(1, 16))
def test_signs_have_four_lines_that_name_all(kinds: int) -> None:
    amounts = [(name, count + 1) for count, name in enumerate(legend.ITEMS)][:kinds]
    lines = legend.lines_of(amounts)
    assert len(lines) == legend.LINES
    assert ", ".join(line for line in lines if line) == ", ".join(f"{count} {name}" for name, count in amounts)


def test_a_position_maps_to_a_cell_only_at_its_center() -> None:
    field = legend.Place(load("ada-contract"), (10, -60, 20))
    assert field.cell((10.5, -60.0, 20.5)) == 0
    assert field.cell((11.5, -60.0, 22.5)) == 15
    for wrong in ((10.4, -60.0, 20.5), (10.5, -59.9, 20.5), (9.5, -60.0, 20.5), (10.5, -60.0, 27.5)):
        assert field.cell(wrong) is None
    assert np.all([field.cell(tuple(map(float, field.stand(cell).split()))) == cell for cell in range(49)])  # type: ignore[arg-type]


@one_loop
async def test_each_agent_needs_a_player(world: MockWorld) -> None:
    with pytest.raises(ValueError, match="1 players for the 2 agents of ada-exploration"):
        Mirror(world, empty(2), ["explorer_0"])
