"""Requirements of bodies on the mock world: speech beside programs, hearing by distance, calls without an isolate."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bridge.errors import BridgeError
from bridge.mock_world import MockWorld
from bridge.programs import Calls
from bridge.types import Limits, ProgramOutcome
from tests.fakes.earwitnesses import BY_ALL, BY_DISTANCE, heard_by_programs

WALK = [("goTo", [{"x": 6, "y": -60, "z": 3}, 1]), ("equipItem", ["bread"])]


@pytest.mark.parametrize("threaded", [False, True])
async def test_programs_hear_by_distance_where_it_counts(tmp_path: Path, threaded: bool) -> None:
    for reach, heard in (({"say": 16.0, "shout": 32.0}, BY_DISTANCE), (None, BY_ALL)):
        async with MockWorld(1, tmp_path, threaded=threaded) as world:
            assert await heard_by_programs(world, reach) == heard


async def test_calls_do_what_their_source_does_in_the_same_ticks(tmp_path: Path) -> None:
    ends = []
    calls = Calls(WALK, pause_s=1.5)
    for source in (calls, str.__str__(calls)):
        async with MockWorld(1, tmp_path, threaded=False) as world:
            await world.connect(["Ada"])
            await world.command("give Ada bread 2")
            await world.sleep(1)
            assert isinstance(source, Calls) == (source is calls)
            result = (await world.run({"Ada": source}, Limits()))["Ada"]
            ends.append((result.outcome, result.ended_tick, await world.observe("Ada")))
    assert ends[0] == ends[1]
    assert ends[0][0] is ProgramOutcome.RETURNED
    assert ends[0][2].held == "bread"


@pytest.mark.parametrize(
    ("steps", "name"), [([("noSuchThing", [])], "ReferenceError"), ([("goTo", ["nowhere"])], "BadArgument")]
)
async def test_calls_that_cannot_be_made_end_as_programs_do(
    tmp_path: Path, steps: list[tuple[str, list[str]]], name: str
) -> None:
    async with MockWorld(1, tmp_path, threaded=False) as world:
        await world.connect(["Ada"])
        result = (await world.run({"Ada": Calls(steps)}, Limits()))["Ada"]
    assert result.outcome is ProgramOutcome.THREW
    assert result.error is not None
    assert result.error.name == name


async def test_calls_are_stopped_cleanly_while_others_go_on(tmp_path: Path) -> None:
    far = Calls([("goTo", [{"x": 40, "y": -60, "z": 0}, 1])])
    async with MockWorld(1, tmp_path, threaded=False) as world:
        await world.connect(["Ada", "Bea"])
        other = asyncio.create_task(world.run({"Bea": far}, Limits()))
        walking = asyncio.create_task(world.run({"Ada": far}, Limits()))
        await world.sleep(2)
        with pytest.raises(BridgeError):
            await world.run({"Ada": far}, Limits())
        walking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await walking
        stood = (await world.observe("Ada")).position
        await world.sleep(2)
        assert (await world.observe("Ada")).position == stood
        assert (await other)["Bea"].outcome is ProgramOutcome.RETURNED
        back = await world.run({"Ada": Calls([("goTo", [{"x": 0, "y": -60, "z": 0}, 1])])}, Limits())
    assert back["Ada"].outcome is ProgramOutcome.RETURNED


def test_calls_hold_data_and_no_code() -> None:
    assert str.__str__(Calls([("goTo", [{"x": 1}, 'a"); evil()'])])) == (
        'async function act (bot) {\n  await goTo(bot, {"x": 1}, "a\\"); evil()")\n}'
    )
    for steps in ([("go to", [])], [("goTo", [float("nan")])], [("a(); b", [])]):
        with pytest.raises(ValueError, match=r"no name of a primitive|not JSON compliant"):
            Calls(steps)
