"""Pause, resume and end from the page: the events of a run stay the same; some worlds cannot be paused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from accord.viewer.control import StudyControl
from bridge.errors import HostError
from bridge.worlds import CAN_PAUSE, VIRTUAL_CLOCK, World, capabilities, open_world
from dilemmas.records.events import LogLine, StateSeen


class _World:
    """World that counts its pauses."""

    def __init__(self, *capabilities: str, lost: bool = False) -> None:
        self.capabilities = frozenset(capabilities)
        self.still = 0
        self._lost = lost

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        if self._lost:
            raise HostError("the world is lost")
        self.still += 1
        try:
            yield
        finally:
            self.still -= 1


def steering(world: _World, ended: list[int]) -> StudyControl:
    made = StudyControl(lambda: cast(World, world), lambda: ended.append(1))
    made.worlds()
    return made


@pytest.mark.parametrize("able", [VIRTUAL_CLOCK, CAN_PAUSE])
async def test_a_world_that_can_is_paused_goes_on_and_ends(able: str) -> None:
    ended: list[int] = []
    world = _World(able)
    steer = steering(world, ended)
    assert steer.state == "running"
    assert await steer.ask("pause") == "paused"
    assert await steer.ask("pause") == "paused"
    assert world.still == 1
    assert await steer.ask("go") == "running"
    assert await steer.ask("go") == "running"
    assert world.still == 0
    assert await steer.ask("nonsense") == "running"
    await steer.ask("pause")
    assert await steer.ask("end") == "ending"
    assert await steer.ask("end") == "ending"
    assert await steer.ask("pause") == "ending"
    assert (world.still, ended) == (0, [1])


async def test_a_server_is_not_paused_and_a_lost_world_does_not_hold_anybody_up() -> None:
    server, lost = _World(), _World(VIRTUAL_CLOCK, lost=True)
    assert await steering(server, []).ask("pause") == "steady"
    assert server.still == 0
    assert await steering(lost, []).ask("pause") == "running"
    assert await StudyControl(lambda: cast(World, server), lambda: None).ask("pause") == "steady"


def test_mock_and_embedded_worlds_can_be_paused_and_paper_cannot() -> None:
    able = {name for name in ("mock", "embedded", "paper") if capabilities(name) & {VIRTUAL_CLOCK, CAN_PAUSE}}
    assert able == {"mock", "embedded"}


async def test_a_world_that_is_not_open_is_never_reported_as_paused() -> None:
    opening, told = asyncio.Event(), []

    class Opening(_World):
        @asynccontextmanager
        async def standing_still(self) -> AsyncIterator[None]:
            await opening.wait()
            raise HostError("the world is not open")
            yield

    steer = steering(Opening(CAN_PAUSE), [])
    asked = asyncio.create_task(steer.ask("pause"))
    for _ in range(5):
        await asyncio.sleep(0)
        told.append(steer.state)
    opening.set()
    assert [*told, await asked, steer.state] == ["running"] * 7


async def test_closing_lets_time_pass_again() -> None:
    world = _World(VIRTUAL_CLOCK)
    steer = steering(world, [])
    await steer.ask("pause")
    await steer.close()
    assert world.still == 0


async def _played(out: Path, *, pause: bool) -> bytes:
    settings = StudySettings(scenario="double-vein", world="mock", contracts=("contract-1",), out=out)
    steer = StudyControl(open_world, lambda: None)
    states: list[str] = []
    tasks: list[asyncio.Task[Any]] = []

    async def rest() -> None:
        states.append(await steer.ask("pause"))
        for _ in range(20):
            await asyncio.sleep(0)
        states.append(await steer.ask("go"))

    def listen(line: LogLine) -> None:
        if pause and isinstance(line.event, StateSeen) and line.event.t_s in (3.0, 7.0):
            tasks.append(asyncio.get_running_loop().create_task(rest()))

    result = await run_study(settings, listen=listen, worlds=steer.worlds)
    await asyncio.gather(*tasks)
    assert states == (["paused", "running"] * 2 if pause else [])
    return (result.directory / "events.jsonl").read_bytes()


async def test_a_run_that_was_paused_is_the_same_to_the_byte(tmp_path: Path) -> None:
    assert await _played(tmp_path / "paused", pause=True) == await _played(tmp_path / "straight", pause=False)


def test_the_page_beside_a_study_ends_with_it(tmp_path: Path) -> None:
    import urllib.request

    from accord.cli.watch import Watching

    with Watching() as watching, urllib.request.urlopen(watching.address) as page:
        assert b"<title>Accord</title>" in page.read()
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(watching.address)
