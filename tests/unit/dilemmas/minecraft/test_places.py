"""Positions of players: the ground as it was built, and positions in the log of every scenario and mode."""

from __future__ import annotations

import random
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report.reader import read_run
from accord.studies.study import StudySettings, run_study
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.ground import MAX_SIDE, UNSEEN, seen_from_above
from dilemmas.records.digest import digest
from dilemmas.records.events import FieldStepped, GroundLaid, PlacesSeen
from dilemmas.records.positions import MobChanges, PositionChanges
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario, scenario_names

BUILT = [
    Command("gamerule doMobSpawning false"),
    Command("fill 0 -1 0 3 -1 2 minecraft:grass_block"),
    Command("fill 0 0 0 3 6 2 minecraft:air"),
    Command("setblock 1 0 1 minecraft:chest[facing=north]"),
    Command("fill 3 0 0 3 2 0 minecraft:barrier"),
]


def cells(ground: GroundLaid) -> list[list[str]]:
    return [
        [ground.blocks[name] for count, name in zip(row[::2], row[1::2], strict=True) for _ in range(count)]
        for row in ground.rows
    ]


def test_the_ground_is_the_highest_block_that_one_cannot_look_through() -> None:
    ground = seen_from_above(BUILT, (0, 0, 0))
    assert ground is not None
    grass = "grass_block"
    assert ground.corner == (0, 0)
    assert cells(ground) == [[grass] * 4, [grass, "chest", grass, grass], [grass] * 4]


def test_the_ground_tells_where_its_heights_begin() -> None:
    ground = seen_from_above(BUILT, (0, 0, 0))
    assert ground is not None
    assert (ground.low, ground.heights[1][:4]) == (-1, [1, 0, 1, 1])
    raised = [Command("fill 0 70 0 2 70 0 stone"), Command("setblock 1 72 0 stone")]
    ground = seen_from_above(raised, (0, 0, 0))
    assert ground is not None
    assert (ground.low, ground.heights) == (70, [[1, 0, 1, 2, 1, 0]])
    assert "low" not in GroundLaid(origin=(0, 0, 0), corner=(0, 0), blocks=[], rows=[]).model_dump()


def test_cleared_blocks_are_not_seen_and_an_empty_building_has_no_map() -> None:
    ground = seen_from_above([*BUILT, Command("setblock 1 0 1 air"), Command("fill 2 -1 2 3 -1 2 air")], (0, 0, 0))
    assert ground is not None
    assert cells(ground)[2] == ["grass_block", "grass_block", "", ""]
    assert "chest" not in {block for row in cells(ground) for block in row}
    assert seen_from_above([Command("gamerule doMobSpawning false")], (0, 0, 0)) is None
    assert seen_from_above([Command(f"fill 0 0 0 {MAX_SIDE} 0 0 stone")], (0, 0, 0)) is None


@pytest.mark.parametrize("seed", range(20))
def test_the_ground_is_what_painting_block_by_block_gives(seed: int) -> None:
    chance = random.Random(seed)
    painted: dict[tuple[int, int, int], str] = {}
    building = []
    for _ in range(chance.choice([3, 12, 30])):
        start = [chance.randint(-6, 6) for _ in range(3)]
        end = [place + chance.choice([0, 0, chance.randint(0, 8)]) for place in start]
        block = chance.choice(["air", "stone", "oak_log", "barrier", "water"])
        building.append(Command(f"fill {' '.join(map(str, start))} {' '.join(map(str, end))} {block}"))
        painted |= dict.fromkeys(product(*(range(low, high + 1) for low, high in zip(start, end, strict=True))), block)
    west, north = min(x for x, _, _ in painted), min(z for _, _, z in painted)
    east, south = max(x for x, _, _ in painted), max(z for _, _, z in painted)
    tops: dict[tuple[int, int], str] = {}
    for (x, _, z), block in sorted(painted.items(), key=lambda each: each[0][1]):
        if block not in UNSEEN:
            tops[x, z] = block
    ground = seen_from_above(building, (0, 0, 0))
    assert ground is not None
    assert ground.corner == (west, north)
    assert cells(ground) == [[tops.get((x, z), "") for x in range(west, east + 1)] for z in range(north, south + 1)]


WILD = {"progression", "progression-long", "voyager-progress", "voyager-zero-shot"}
BARE = {"religion", "religion-small", "perception-town", *WILD}
"""Scenarios on a bare plain or wild land larger than a `ground` line holds; `people` describes their features."""


@pytest.mark.parametrize(
    "name", [name for name in scenario_names() if name not in BARE and load_scenario(name).build()]
)
def test_every_scenario_has_a_map_with_landmarks(name: str) -> None:
    scenario = load_scenario(name)
    ground = seen_from_above(scenario.build(), scenario.spec.world.origin)
    assert ground is not None
    seen = {block for row in cells(ground) for block in row} - {""}
    assert len(seen) > 1
    assert len({len(row) for row in cells(ground)}) == 1


def test_only_moved_players_are_logged_again_and_departures_once() -> None:
    where = PositionChanges()
    first = where.event(0.0, {"Gizmo": (0.5, -60.0, 0.5), "Glitch": (-0.04, -60.0, 2.0)})
    assert first is not None
    assert first.at == {"Gizmo": (0.5, -60.0, 0.5), "Glitch": (0.0, -60.0, 2.0)}
    assert str(first.at["Glitch"][0]) == "0.0"
    assert where.event(1.0, {"Gizmo": (0.52, -60.0, 0.5), "Glitch": (0.0, -60.0, 2.0)}) is None
    moved = where.event(2.0, {"Gizmo": (1.5, -60.0, 0.5)})
    assert moved == PlacesSeen(t_s=2.0, at={"Gizmo": (1.5, -60.0, 0.5)}, gone=["Glitch"])
    assert where.event(3.0, {"Gizmo": (1.5, -60.0, 0.5)}) is None


@pytest.mark.parametrize(
    ("scenario", "chosen"),
    [
        ("double-vein", {}),
        ("cleanup", {"time_limit_s": 12.0}),
        ("commons-harvest", {"time_limit_s": 8.0}),
        ("commons-harvest", {"time_limit_s": 6.0, "agents": "foragers"}),
        ("commons-harvest-bots", {"time_limit_s": 6.0}),
    ],
)
async def test_in_every_scenario_and_mode_each_player_has_a_way(
    scenario: str, chosen: dict[str, Any], tmp_path: Path
) -> None:
    found = await run_study(StudySettings(scenario, ("none",), world="mock", out=tmp_path, **chosen))
    assert [result["reason"] for result in found.results] == [None]
    log = next(found.directory.rglob("events.jsonl"))
    run = read_run(log.parent, "run")
    (episode,) = run.episodes
    assert set(episode.ways) == set(run.players)
    for way in episode.ways.values():
        steps = [step for part in way for step in part]
        assert len(steps) >= 2
        assert [t_s for t_s, _, _ in steps] == sorted({t_s for t_s, _, _ in steps})
    events = [line.event for line in read_events(log)]
    assert [type(event) for event in events].count(GroundLaid) == 1
    # If the scenario reports positions itself, nobody queries the server a second time.
    told = [any(isinstance(event, kind) for event in events) for kind in (PlacesSeen, FieldStepped)]
    assert sorted(told) == [False, True]
    seen = [event.t_s for event in events if isinstance(event, PlacesSeen)]
    assert all(after - before >= 1 for before, after in pairwise(seen))


async def test_places_count_in_the_digest_but_where_the_clock_does_not(tmp_path: Path) -> None:
    found = await run_study(StudySettings("double-vein", ("none",), world="mock", out=tmp_path, time_limit_s=3.0))
    lines = list(read_events(next(found.directory.rglob("events.jsonl"))))
    without = [line for line in lines if not isinstance(line.event, PlacesSeen)]
    assert len(without) < len(lines)
    assert digest(lines) != digest(without)
    assert digest(lines, clock=False) == digest(without, clock=False)


def test_mobs_are_logged_when_they_appear_move_or_disappear() -> None:
    mobs = MobChanges()
    first = mobs.event(0, {7: ("sheep", (1.04, -60.0, 2.0)), 3: ("cow", (0.0, -60.0, 0.0))})
    assert first is not None
    assert (first.at, first.gone) == ({"3": ("cow", (0.0, -60.0, 0.0)), "7": ("sheep", (1.0, -60.0, 2.0))}, [])
    assert mobs.event(5, {7: ("sheep", (1.01, -60.0, 2.0)), 3: ("cow", (0.0, -60.0, 0.0))}) is None
    third = mobs.event(10, {7: ("sheep", (2.0, -60.0, 2.0))})
    assert third is not None
    assert (third.at, third.gone) == ({"7": ("sheep", (2.0, -60.0, 2.0))}, ["3"])
    assert MobChanges().event(0, {}) is None
