"""Conformance cases: senses of bots, many commands at once, concurrent runs."""

from __future__ import annotations

import asyncio
import math

from bridge.errors import CommandError
from bridge.types import Limits, ProgramOutcome, Senses
from tests.conformance.plot import LIMITS, Plot
from tests.conformance.suite import case

SETTLE_S = 1.0
"""Game time in which things come to rest and bots learn about them, in seconds."""


@case("a bot senses itself as it is", players=1)
async def _(plot: Plot) -> None:
    x, y, z = plot.at(0, 0, 0)
    await plot.command(f"tp {{a}} {x + 0.5} {y} {z + 0.5} 90 30")
    await plot.give("bread 3", "stone_sword")
    await plot.settle(SETTLE_S)
    before = await plot.world.now()
    seen = (await plot.world.sense([plot.a]))[plot.a]
    assert math.dist(seen.position, (x + 0.5, y, z + 0.5)) < 0.01
    assert (round(seen.yaw), round(seen.pitch)) == (90, 30)
    assert (seen.health, seen.food, seen.gamemode) == (20, 20, "survival")
    assert (seen.items, seen.held) == ({"bread": 3, "stone_sword": 1}, "bread")
    assert (seen.mobs, seen.drops, seen.blocks) == (
        (),
        (),
        (),
    )  # a player that joins meanwhile appears at the world's spawn
    assert before - 40 <= seen.tick <= await plot.world.now() + 40


@case("bots sense who and what is near, nearest first, and nothing beyond the radius", players=2)
async def _(plot: Plot) -> None:
    await plot.give("wheat 2", to=plot.b)
    await plot.command("summon sheep ~0 ~0 ~5 {NoAI:1b}")
    await plot.command("summon zombie ~0 ~0 ~3 {NoAI:1b}")
    await plot.command('summon item ~0 ~0 ~2 {Item:{id:"minecraft:coal",Count:4b},PickupDelay:32767}')
    await plot.command("setblock ~4 ~0 ~0 oak_log")
    await plot.command("setblock ~3 ~0 ~0 chest")
    await plot.command("setblock ~12 ~0 ~0 oak_log")
    await plot.command("summon sheep ~0 ~0 ~12 {NoAI:1b}")
    await plot.settle(SETTLE_S)
    seen = await plot.world.sense([plot.a, plot.b, "Nobody"], Senses(radius=8, blocks=("oak_log", "chest")))
    assert list(seen) == [plot.a, plot.b]
    mine, other = seen[plot.a], seen[plot.b]
    assert [(each.name, each.held, round(each.distance)) for each in mine.players] == [(plot.b, "wheat", 2)]
    assert [(each.name, each.held) for each in other.players] == [(plot.a, None)]
    assert [(each.kind, each.hostile) for each in mine.mobs] == [("zombie", True), ("sheep", False)]
    assert [(each.item, each.count) for each in mine.drops] == [("coal", 4)]
    assert [(each.block, each.position) for each in mine.blocks] == [
        ("chest", plot.at(3, 0, 0)),
        ("oak_log", plot.at(4, 0, 0)),
    ]
    assert [each.block for each in other.blocks] == ["chest", "oak_log"]
    nearest = (await plot.world.sense([plot.a], Senses(radius=8, blocks=("oak_log", "chest"), most=1)))[plot.a]
    assert (nearest.mobs, nearest.blocks) == (mine.mobs[:1], mine.blocks[:1])
    assert all(each.id in {mob.id for mob in other.mobs} for each in nearest.mobs)
    for kind in ("zombie", "sheep"):
        await plot.command(f"kill @e[type={kind},x=~-20,y=~-5,z=~-20,dx=40,dy=10,dz=40]")


@case("many commands are answered each, in their order, whatever one of them says")
async def _(plot: Plot) -> None:
    x, y, z = plot.at(0, 0, 6)
    texts = [f"setblock {x} {y + height} {z} stone" for height in range(40)]
    texts[20] = "setblock nowhere stone"
    replies = await plot.world.commands([*texts, f"fill {x} {y} {z} {x} {y + 39} {z} air"])
    refusal = replies.pop(20)
    assert isinstance(refusal, CommandError)
    assert refusal.command == "setblock nowhere stone"
    heights = [height for height in range(40) if height != 20]
    assert replies[:-1] == [f"Changed the block at {x}, {y + height}, {z}" for height in heights]
    assert replies[-1] == "Successfully filled 39 block(s)"


@case("runs of single bots begin, end and are cancelled side by side", players=2)
async def _(plot: Plot) -> None:
    world = plot.world
    forever = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"
    stays = asyncio.create_task(world.run({plot.a: forever}, LIMITS))
    for turn in range(3):
        ended = await world.run({plot.b: "async function main (bot) { await bot.waitForTicks(2) }"}, LIMITS)
        assert ended[plot.b].outcome is ProgramOutcome.RETURNED, (turn, ended)
    stopped = asyncio.create_task(world.run({plot.b: forever}, LIMITS))
    await world.sleep(0.5)
    await world.cancel([plot.b])
    assert (await stopped)[plot.b].outcome is ProgramOutcome.CANCELLED
    again = asyncio.create_task(world.run({plot.b: forever}, Limits(wall_s=60)))
    await world.sleep(0.5)
    again.cancel()
    await asyncio.wait([again])
    assert again.cancelled()
    assert not stays.done()
    await world.cancel([plot.a])
    assert (await stays)[plot.a].outcome is ProgramOutcome.CANCELLED


@case("a bot whose program was cancelled runs the next while the others of its run go on", players=2)
async def _(plot: Plot) -> None:
    world = plot.world
    forever = "async function main (bot) { for (;;) await bot.waitForTicks(1) }"
    both = asyncio.create_task(world.run({plot.a: forever, plot.b: forever}, LIMITS))
    await world.sleep(0.5)
    await world.cancel([plot.a])
    ended = await world.run({plot.a: "async function main (bot) { await bot.waitForTicks(2) }"}, LIMITS)
    assert ended[plot.a].outcome is ProgramOutcome.RETURNED
    next_one = asyncio.create_task(world.run({plot.a: forever}, LIMITS))
    await world.sleep(0.5)
    both.cancel()
    await asyncio.wait([both])
    await world.sleep(0.5)
    assert not next_one.done()
    await world.cancel([plot.a])
    assert (await next_one)[plot.a].outcome is ProgramOutcome.CANCELLED


@case("what programs draw at random is theirs: by bot and how many it has run, not by who else starts", players=2)
async def _(plot: Plot) -> None:
    draw = "async function main (bot) { console.log('told ' + Math.floor(Math.random() * 1e9)) }"
    for bots in ((plot.a, plot.b), (plot.b,), (plot.b,), (plot.a,), (plot.a, plot.b)):
        await plot.world.run(dict.fromkeys(bots, draw), LIMITS)
    await plot.world.sleep(0.5)
    a, b = plot.told(plot.a), plot.told(plot.b)
    assert (len(set(a)), len(set(b))) == (3, 4)
    assert not set(a) & set(b)
