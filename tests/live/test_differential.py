"""Comparison of the mock and the embedded world by random programs: their results must agree."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from hypothesis import given

from bridge.worlds import World, open_world
from tests.conformance.differential import Played, play_all, told_apart
from tests.conformance.programs import REFERENCE, Program, batches, drawing, programs_of, random_programs

pytestmark = [pytest.mark.live, pytest.mark.paced]

SEED = 2026
RANDOM = 16
TOLERANCE = 0.15
REPLAYS = 10
"""Maximum number of replayed batches per shrinking; each takes as long as its longest program, in real time."""
PROGRAMS = [*REFERENCE, *random_programs(SEED, RANDOM)]


class Both:
    """A mock and an embedded world that stay open, with the results of every program in both."""

    def __init__(self, folder: Path) -> None:
        self.replays = 0
        """Number of replays."""
        self._folder = folder
        self._worlds: list[World] = []
        self._open = AsyncExitStack()
        self._runner = asyncio.Runner()
        self._played: dict[str, tuple[Played, Played]] = {}

    def __enter__(self) -> Both:
        return self

    def __exit__(self, *_error: object) -> None:
        self._runner.run(self._open.aclose())
        self._runner.close()

    def open(self) -> None:
        """Start both worlds."""
        for name in ("mock", "embedded"):
            world = open_world(name, seed=SEED, log_dir=self._folder / name)
            self._worlds.append(self._runner.run(self._open.enter_async_context(world)))

    def play(self, programs: Sequence[Program]) -> dict[Program, tuple[Played, Played]]:
        """Return the results of each program in both worlds; known results are not repeated.

        New programs are skipped once the replays are used up.
        """
        new = [program for program in programs if program.name not in self._played]
        if new and self.replays <= REPLAYS:
            first = len(self._played)
            mock, embedded = [self._runner.run(play_all(world, new, first)) for world in self._worlds]
            self._played |= {name: (mock[name], embedded[name]) for name in mock}
            self.replays += 1
        return {program: self._played[program.name] for program in programs if program.name in self._played}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    with Both(tmp_path_factory.mktemp("differential")) as worlds:
        worlds.open()
        worlds.play(PROGRAMS)
        yield worlds


def come_to_the_same(both: Both, programs: Sequence[Program]) -> None:
    ends = both.play(programs)
    apart = [program for program, (mock, embedded) in ends.items() if mock.facts != embedded.facts]
    if apart:
        raise AssertionError("\n".join(told_apart(program, *ends[program]) for program in apart))


@pytest.mark.parametrize("program", REFERENCE, ids=lambda program: program.name)
def test_reference_programs_come_to_the_same_in_both_worlds(program: Program, both: Both) -> None:
    come_to_the_same(both, [program])


@drawing(SEED)
@given(batch=batches(RANDOM))
def test_random_programs_come_to_the_same_in_both_worlds(both: Both, batch: list[list[str]]) -> None:
    """Shrink failing programs, so that the report shows a minimal one."""
    come_to_the_same(both, programs_of(batch))


def test_real_bots_are_not_done_sooner_than_those_of_the_mock(both: Both) -> None:
    """Check that real bots are never early, although a busy machine makes them late (see benchmarks/durations.py)."""
    ends = both.play(PROGRAMS).values()
    mock, embedded = (sum(pair[side].seconds for pair in ends) for side in (0, 1))
    assert mock <= embedded * (1 + TOLERANCE)


def test_the_programs_are_not_all_alike(both: Both) -> None:
    played = [mock for mock, _ in both.play(PROGRAMS).values()]
    ends = [end for each in played for end in each.ends]
    assert any(end is None for end in ends)
    assert len({end for end in ends if isinstance(end, str)}) >= 3
    assert sum(each.seconds for each in played) > 60
