"""Uninterruptible programs on the mock world: reported, halted, and their process replaced."""

from __future__ import annotations

from pathlib import Path

from bridge.mock.regions import MockRegions
from bridge.mock_world import MockWorld
from bridge.types import Limits, ProgramOutcome

STUCK = """async function main (bot) {
  let asked = 0
  Array.prototype.indexOf.call({ get length () { return asked++ ? 2 ** 53 - 1 : 1 } }, 1)
}"""
"""Array whose length differs between two reads."""
SEARCH = "async function main (bot) { 'a'.repeat(4e6).indexOf('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6)) }"
FINALIZERS = "async function main (bot) { new FinalizationRegistry(() => { for (;;); }) }"
HONEST = "async function main (bot) { await bot.waitForTicks(3); console.log(Math.random()) }"
DRAWS = "async function main (bot) { await bot.waitForTicks(3 + Math.floor(Math.random() * 40)) }"
LIMITS = Limits(wall_s=20)


async def test_a_stuck_program_is_told_the_truth_and_its_region_is_replaced(tmp_path: Path) -> None:
    """One test for a world and its regions: a stuck thread computes for ten seconds before it is halted."""
    async with MockRegions(7, tmp_path, regions=2) as world:
        bots = ["Gizmo", "Glitch", "Rivet", "Pixel"]
        await world.connect(bots)
        assert world.shares(bots) == [["Gizmo", "Rivet"], ["Glitch", "Pixel"]]
        drawn = (await world.run({"Gizmo": DRAWS}, LIMITS))["Gizmo"]
        results = await world.run({"Glitch": STUCK, "Pixel": HONEST}, LIMITS)
        error = results["Glitch"].error
        assert error is not None
        assert (results["Glitch"].outcome, error.name) == (ProgramOutcome.TIMEOUT, "TimeoutError")
        assert error.message.startswith("the program computed in a built-in that nothing interrupts")
        assert results["Pixel"].outcome is ProgramOutcome.RETURNED
        before = world.pids
        await world.renew(7)
        after = world.pids
        assert (after[0] == before[0], after[1] == before[1]) == (True, False)
        assert await world.now() == 0
        await world.connect(["Gizmo", "Glitch"])
        again = (await world.run({"Gizmo": DRAWS}, LIMITS))["Gizmo"]
        assert again.ended_tick == drawn.ended_tick
        assert (await world.run({"Glitch": HONEST}, LIMITS))["Glitch"].outcome is ProgramOutcome.RETURNED
        await world.renew(8)
        assert world.pids == after


async def test_what_would_be_stuck_is_refused_by_name(tmp_path: Path) -> None:
    async with MockWorld(7, tmp_path) as world:
        await world.connect(["Gizmo", "Glitch"])
        results = await world.run({"Gizmo": SEARCH, "Glitch": FINALIZERS}, LIMITS)
        said = {bot: (result.outcome, result.error and result.error.name) for bot, result in results.items()}
        assert said == {
            "Gizmo": (ProgramOutcome.THREW, "RangeError"),
            "Glitch": (ProgramOutcome.THREW, "ReferenceError"),
        }
