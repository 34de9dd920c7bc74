"""Hosts on a live world: oversized and unreadable programs, and one host per player."""

from __future__ import annotations

from pathlib import Path

import pytest

from bridge.hostile import load_corpus
from bridge.mock_world import MockWorld
from bridge.programs import MAX_SOURCE
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, ProgramOutcome
from bridge.worlds import World

pytestmark = pytest.mark.live

HONEST = "async function main (bot) { await bot.waitForTicks(1) }"
LONG = f"async function main (bot) {{}} // {'x' * 3_000_000}"
LONGEST = "async function main (bot) {} // " + "\x01" * (MAX_SOURCE - 40)
"""Program of maximum length, in characters that take six bytes in JSON."""
LIMITS = Limits(wall_s=20)


def worlds(folder: Path) -> list[World]:
    return [EmbeddedWorld(1, folder / "embedded"), MockWorld(1, folder / "mock")]


@pytest.mark.parametrize("which", [0, 1], ids=["embedded", "mock"])
async def test_oversized_programs_fail_their_authors_only(tmp_path: Path, which: int) -> None:
    (slow,) = load_corpus(["denial/slow-to-read"])
    programs = {"Long": LONG, "Slow": slow.source, "Gizmo": HONEST, **{f"Longest{each}": LONGEST for each in range(7)}}
    async with worlds(tmp_path)[which] as world:
        await world.connect(list(programs))
        results = await world.run(programs, LIMITS)
        outcomes = {bot: result.outcome for bot, result in results.items()}
        syntax = {"Long", "Slow"}
        assert outcomes == {
            bot: ProgramOutcome.SYNTAX if bot in syntax else ProgramOutcome.RETURNED for bot in programs
        }
        said = {bot: error.message for bot, result in results.items() if (error := result.error) is not None}
        assert said["Long"] == "the program has more than 200000 characters; at most 200000 are accepted"
        assert said["Slow"].startswith("reading the program takes more than")
        again = await world.run(dict.fromkeys(programs, HONEST), LIMITS)
        assert {result.outcome for result in again.values()} == {ProgramOutcome.RETURNED}


async def test_each_player_has_a_host_where_that_is_asked_for(tmp_path: Path) -> None:
    world = EmbeddedWorld(1, tmp_path)
    world.separate()
    async with world:
        await world.connect(["Gizmo", "Glitch"])
        await world.connect(["Golem"])
        assert len((await world.fleet.stats())["hosts"]) == 3
        talk = {
            "Gizmo": "async function main (bot) { await waitSignal(bot, 'now') }",
            "Glitch": "async function main (bot) { await sendSignal(bot, 'Gizmo', 'now') }",
            "Golem": HONEST,
        }
        results = await world.run(talk, LIMITS)
        assert {result.outcome for result in results.values()} == {ProgramOutcome.RETURNED}
        assert len({result.started_tick for result in results.values()}) == 1


async def test_a_dig_ends_with_the_block_on_a_server_that_has_fallen_behind(tmp_path: Path) -> None:
    mine = "async function main (bot) { await bot.dig(bot.blockAt(new Vec3(2, -60, 0))) }"
    async with EmbeddedWorld(1, tmp_path) as world:
        await world.connect(["Gizmo"])
        await world.commands(["tp Gizmo 0.5 -60 0.5", "setblock 2 -60 0 dirt", "gamerule doTileDrops false"])
        await world.sleep(0.5)
        # By the client's clock the block breaks within 4 of the 15 ticks that it takes.
        await world.command("tick rate 5")
        results = await world.run({"Gizmo": mine}, LIMITS)
        assert results["Gizmo"].outcome == ProgramOutcome.RETURNED, results["Gizmo"].error
        assert (await world.command("execute if block 2 -60 0 air")).startswith("Test passed")
