"""Paths that dig, tower, bridge and swim: bots of mineflayer-pathfinder on the embedded server, and the mock world's
bots.

One bot walks each course, in the same cells of both worlds. Broken blocks, placed blocks, the remaining inventory and
the final position must agree.
"""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from bridge.types import Limits, ProgramOutcome
from bridge.worlds import open_world

pytestmark = [pytest.mark.live, pytest.mark.paced]

APART = 48
"""Distance between courses along x, in blocks."""
WALL = (
    "fill {-4} -61 -4 {4} -61 4 bedrock",
    "fill {2} -60 -9 {2} -57 9 stone",
    "fill {-2} -60 -9 {-2} -57 9 stone",
    "fill {-2} -60 -9 {2} -57 -9 stone",
    "fill {-2} -60 9 {2} -57 9 stone",
)
BOX = (
    "fill {2} -60 -9 {2} -50 9 bedrock",
    "fill {-2} -60 -9 {-2} -50 9 bedrock",
    "fill {-2} -60 -9 {2} -50 -9 bedrock",
    "fill {-2} -60 9 {2} -50 9 bedrock",
)
LOW_WALL = (*WALL, "fill {-2} -57 -9 {2} -57 9 air")
CHASM = (
    "fill {-4} -64 3 {4} -61 9 air",
    "fill {-4} -60 -3 {4} -50 -3 bedrock",
    "fill {-4} -60 -3 {-4} -50 12 bedrock",
    "fill {4} -60 -3 {4} -50 12 bedrock",
)

LAKE = (*CHASM, "fill {-3} -64 3 {3} -61 9 water", "fill {-3} -64 9 {3} -62 9 stone")
CLIFF = ("fill {3} -60 -2 {5} -57 2 stone",)
HILL = ("fill {3} -60 -3 {9} -57 3 stone",)


@dataclass(frozen=True)
class Course:
    """Land, inventory, goal and movement rules of a course; `{n}` is the n-th block from the middle."""

    name: str
    land: tuple[str, ...]
    goal: tuple[int, int, int]
    items: tuple[str, ...] = ()
    change: str = ""
    spare: int = 0
    """Number of extra blocks allowed on a busy machine, where towering does not always succeed at once."""


ON_FOOT = "m.allowParkour = false"
"""A jump from a block's edge sometimes fails on a busy machine, and the path continues from the landing point."""
COURSES = [
    Course("through a wall", WALL, (6, -60, 0), ("iron_pickaxe",), "m.scafoldingBlocks = []"),
    Course("over a wall", LOW_WALL, (6, -60, 0), ("dirt 12",), f"m.canDig = false; {ON_FOOT}", spare=2),
    Course("up a tower", (), (0, -56, 0), ("cobblestone 9",)),
    Course("a bridge", CHASM, (0, -60, 11), ("dirt 20",), f"m.canDig = false; {ON_FOOT}"),
    Course("a lake", LAKE, (0, -60, 11), (), "m.canDig = false"),
    Course("under a wall", BOX, (7, -60, 0), ("diamond_shovel",), "m.scafoldingBlocks = []"),
    Course("down a shaft", (), (0, -62, 0), ("diamond_shovel",)),
    Course("up a cliff", CLIFF, (4, -56, 0), ("dirt 8", "stone_pickaxe"), ON_FOOT),
    Course("into a hill", HILL, (6, -60, 0), ("stone_pickaxe",), "m.scafoldingBlocks = []"),
]


def program(course: Course, at: int) -> str:
    """Return a program that walks, and prints changes of the land and inventory, and the final position."""
    x, y, z = course.goal
    return f"""
    async function walk (bot) {{
      const m = new Movements(bot, mcData)
      {course.change}
      const look = async () => {{
        const seen = {{}}
        for (let x = -6; x <= 10; x++) {{
          for (let y = -63; y <= -50; y++) for (let z = -9; z <= 12; z++) {{
            seen[[x, y, z].join(' ')] = bot.blockAt(new Vec3({at} + x, y, z)).name
          }}
          // All 5236 blocks are more than a program may look at without a wait, where nine do so at once.
          await bot.waitForTicks(1)
        }}
        return seen
      }}
      const before = await look()
      bot.pathfinder.setMovements(m)
      await bot.pathfinder.goto(new GoalBlock({at + x}, {y}, {z}))
      await bot.waitForTicks(10)
      const after = await look()
      const changed = Object.keys(after).filter((key) => after[key] !== before[key])
      const kinds = changed.map((key) => key + ': ' + before[key] + ' -> ' + after[key])
      const feet = bot.entity.position.floored()
      // What lies about is picked up by who happens to come by, so only what cannot be dug up here is counted.
      const counted = bot.inventory.items().filter((item) => !m.canDig || /_/.test(item.name))
      const items = counted.map((item) => item.name + ' ' + item.count).sort()
      console.log(JSON.stringify({{ feet: [feet.x - {at}, feet.y, feet.z], items, kinds: kinds.slice(0, 24) }}))
    }}"""


async def walked(name: str, folder: Path) -> dict[str, Any]:
    """Return course -> line printed by its bot, or the end of its program."""
    players = {course.name: f"Walker{number}" for number, course in enumerate(COURSES)}
    told: dict[str, Any] = {}
    async with open_world(name, seed=3, log_dir=folder / name) as world:
        await world.connect(list(players.values()))
        # Grass under a wall withers randomly, whoever walks there.
        await world.command("gamerule randomTickSpeed 0")
        programs = {}
        for number, course in enumerate(COURSES):
            at, bot = number * APART, players[course.name]
            await world.command(f"tp {bot} {at}.5 -60 0.5")
            await world.sleep(0.5)
            for text in course.land:
                await world.command(re.sub(r"\{(-?\d+)\}", lambda found, at=at: str(at + int(found[1])), text))
            for item in course.items:
                await world.command(f"give {bot} {item}")
            programs[bot] = program(course, at)
        await world.sleep(1)
        stream = world.events()
        lines: dict[str, str] = {}

        async def listen() -> None:
            async for event in stream:
                if event.kind == "log":
                    lines[event.data["bot"]] = event.data["text"]

        listener = asyncio.create_task(listen())
        results = await world.run(programs, Limits(wall_s=240))
        ended = {bot for bot, result in results.items() if result.outcome is ProgramOutcome.RETURNED}
        async with asyncio.timeout(60):
            while not ended <= set(lines):  # noqa: ASYNC110 - the last line arrives after the program
                await asyncio.sleep(0.02)
        listener.cancel()
        for course in COURSES:
            result = results[players[course.name]]
            good = result.outcome is ProgramOutcome.RETURNED
            told[course.name] = json.loads(lines[players[course.name]]) if good else f"{result.outcome}: {result.error}"
    return told


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], dict[str, Any]]:
    folder = tmp_path_factory.mktemp("ways")
    return asyncio.run(walked("mock", folder)), asyncio.run(walked("embedded", folder))


@pytest.mark.parametrize("course", COURSES, ids=lambda course: course.name)
def test_a_way_comes_to_the_same_in_both_worlds(course: Course, both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    mock, embedded = (side[course.name] for side in both)
    assert isinstance(mock, dict), mock
    assert isinstance(embedded, dict), embedded
    assert mock["feet"] == embedded["feet"] == list(course.goal)
    more = [kind for kind in embedded["kinds"] if kind not in mock["kinds"]]
    if more and course.spare:
        assert len(more) <= course.spare
        assert all(kind.endswith(": air -> dirt") for kind in more)
        assert set(mock["kinds"]) <= set(embedded["kinds"])
    else:
        assert mock == embedded


def test_the_courses_are_worked_on(both: tuple[dict[str, Any], dict[str, Any]]) -> None:
    changed = {name: len(told["kinds"]) for name, told in both[0].items()}
    assert all(count > 0 for name, count in changed.items() if name != "a lake"), changed
