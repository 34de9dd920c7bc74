"""The mock world and the embedded one, told apart by random programs: they must not be."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bridge.worlds import open_world
from tests.conformance.differential import Played, play_all
from tests.conformance.programs import REFERENCE, random_programs

pytestmark = pytest.mark.live

SEED = 2026
RANDOM = 16
TOLERANCE = 0.15
LATENCY_S = 0.75
"""What network and ticks out of step may add to a whole program, however short."""
PROGRAMS = [*REFERENCE, *random_programs(SEED, RANDOM)]


async def play_in(name: str, folder: Path) -> dict[str, Played]:
    async with open_world(name, seed=SEED, log_dir=folder / name) as world:
        return await play_all(world, PROGRAMS)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Played], dict[str, Played]]:
    folder = tmp_path_factory.mktemp("differential")
    return asyncio.run(play_in("mock", folder)), asyncio.run(play_in("embedded", folder))


@pytest.mark.parametrize("name", [program.name for program in PROGRAMS])
def test_both_worlds_come_to_the_same(name: str, both: tuple[dict[str, Played], dict[str, Played]]) -> None:
    mock, embedded = (world[name] for world in both)
    assert mock.facts == embedded.facts


@pytest.mark.parametrize("name", [program.name for program in PROGRAMS])
def test_both_worlds_take_the_same_time(name: str, both: tuple[dict[str, Played], dict[str, Played]]) -> None:
    mock, embedded = (world[name].seconds for world in both)
    assert mock == pytest.approx(embedded, rel=TOLERANCE, abs=LATENCY_S)


def test_all_programs_together_take_the_same_time_within_15_percent(
    both: tuple[dict[str, Played], dict[str, Played]],
) -> None:
    mock, embedded = (sum(played.seconds for played in world.values()) for world in both)
    assert mock == pytest.approx(embedded, rel=TOLERANCE)


def test_the_programs_are_not_all_alike(both: tuple[dict[str, Played], dict[str, Played]]) -> None:
    ends = [end for played in both[0].values() for end in played.ends]
    assert any(end is None for end in ends)
    assert len({end for end in ends if isinstance(end, str)}) >= 3
    assert sum(played.seconds for played in both[0].values()) > 60
