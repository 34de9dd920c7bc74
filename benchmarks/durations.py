"""Game time of programs on the mock world against the embedded server with real bots.

The programs are those of the differential test: written ones and random ones. Bars: each within 15 % or a tick per call
of a primitive, plus a block of walking (0.25 s) for each mined block, since the place of a drop is random in both
worlds; all together within 15 %. On a busy machine the figures measure the machine.

Run: `python benchmarks/durations.py [--seed 2026] [--programs 16]`.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from pathlib import Path

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bridge.worlds import open_world
from tests.conformance.differential import Played, play_all
from tests.conformance.programs import REFERENCE, Program, random_programs

TOLERANCE = 0.15
ANSWER_S = 0.05
"""A tick: on mock a server's answer comes with the next one, while the embedded server gives it within milliseconds."""
SCATTER_S = 0.25


async def played(name: str, programs: list[Program], seed: int, folder: Path) -> dict[str, Played]:
    """Return all programs, each on a plot of its own of one world."""
    async with open_world(name, seed=seed, log_dir=folder / name) as world:
        return await play_all(world, programs)


def allowed_s(program: Program, mock: Played, embedded: Played) -> float:
    """By how many seconds both worlds may differ."""
    mined = sum(int(count) for count in re.findall(r"mineBlock\(bot, \S+ (\d+)\)", "".join(program.bodies)))
    return max(TOLERANCE * embedded.seconds, ANSWER_S * len(mock.steps)) + SCATTER_S * mined


def tell(programs: list[Program], mock: dict[str, Played], embedded: dict[str, Played]) -> None:
    """A line per program, and the bars."""
    missed = 0
    for program in programs:
        one, other = mock[program.name], embedded[program.name]
        apart = abs(one.seconds - other.seconds) > allowed_s(program, one, other)
        missed += apart
        mark = "MISSED" if apart else "met"
        sys.stdout.write(f"{one.seconds:7.2f} s mock {other.seconds:7.2f} s embedded  {mark:6}  {program.name[:80]}\n")
    sums = [sum(each.seconds for each in side.values()) for side in (mock, embedded)]
    together = "met" if abs(sums[0] - sums[1]) <= TOLERANCE * sums[1] else "MISSED"
    sys.stdout.write(f"together {sums[0]:.1f} s and {sums[1]:.1f} s: {together}; {missed} of {len(programs)} apart\n")


def main() -> None:
    """Play all programs in both worlds and tell how long they took."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--programs", type=int, default=16, help="random ones, beside the written ones")
    asked = parser.parse_args()
    programs = [*REFERENCE, *random_programs(asked.seed, asked.programs)]
    with tempfile.TemporaryDirectory() as folder:
        mock, embedded = (
            asyncio.run(played(name, programs, asked.seed, Path(folder))) for name in ("mock", "embedded")
        )
    tell(programs, mock, embedded)


if __name__ == "__main__":
    main()
