"""Conformance cases: digging, placing, walking, using the hands."""

from __future__ import annotations

from bridge.types import Limits, ProgramOutcome
from tests.conformance.plot import Plot
from tests.conformance.suite import case


@case("a stone pickaxe gets raw iron out of iron ore")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~ ~ iron_ore")
    await plot.give("stone_pickaxe")
    await plot.played('tell(await mineBlock(bot, "iron_ore", 1))')
    assert plot.told() == [{"mined": 1, "obtained": {"raw_iron": 1}}]
    assert await plot.items() == {"raw_iron": 1, "stone_pickaxe": 1}
    assert await plot.has_block(4, 0, 0, "air")


@case("a stone pickaxe breaks diamond ore and gets nothing")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ diamond_ore")
    await plot.give("stone_pickaxe")
    await plot.played("await bot.dig(bot.blockAt(at(2, 0, 0))); await bot.waitForTicks(20); await collectDrops(bot, 8)")
    assert await plot.items() == {"stone_pickaxe": 1}
    assert await plot.has_block(2, 0, 0, "air")


@case("mining without the right tool fails by name and leaves the block")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ diamond_ore")
    await plot.give("stone_pickaxe")
    await plot.played('tell(await caught(mineBlock(bot, "diamond_ore", 1)))')
    assert plot.told() == ["NoTool"]
    assert await plot.has_block(3, 0, 0, "diamond_ore")


@case("an iron pickaxe gets a diamond, in vanilla's time")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ diamond_ore")
    await plot.give("iron_pickaxe")
    await plot.played("""
        await equipItem(bot, "iron_pickaxe")
        const began = Date.now()
        await bot.dig(bot.blockAt(at(2, 0, 0)))
        tell(Date.now() - began)
        await collectDrops(bot, 8)""")
    assert plot.took(plot.told()[0], 700, 1000)
    assert await plot.items() == {"diamond": 1, "iron_pickaxe": 1}


@case("the bare hand breaks stone slowly and gets nothing")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ stone")
    await plot.played("""
        const began = Date.now()
        await bot.dig(bot.blockAt(at(2, 0, 0)))
        tell(Date.now() - began)
        await collectDrops(bot, 8)""")
    assert plot.took(plot.told()[0], 7400, 8200)
    assert await plot.items() == {}


@case("dirt comes by the bare hand")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ dirt")
    await plot.played('await mineBlock(bot, "dirt", 1)')
    assert await plot.items() == {"dirt": 1}


@case("bedrock cannot be broken")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ bedrock")
    await plot.give("netherite_pickaxe")
    await plot.played("tell(await caught(bot.dig(bot.blockAt(at(2, 0, 0)))))")
    assert plot.told() == ["NotBroken"]
    assert await plot.has_block(2, 0, 0, "bedrock")


@case("a block out of reach cannot be dug")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~9 ~ ~ dirt")
    await plot.played("tell(await caught(bot.dig(bot.blockAt(at(9, 0, 0)))))")
    assert plot.told() == ["OutOfReach"]
    assert await plot.has_block(9, 0, 0, "dirt")


@case("two who dig the same block get it once", players=2)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~1 ~ ~2 iron_ore")
    await plot.give("stone_pickaxe")
    await plot.give("stone_pickaxe", to=plot.b)
    program = 'tell(await caught(mineBlock(bot, "iron_ore", 1)))'
    await plot.played(program, program)
    both = [(await plot.items(name)).get("raw_iron", 0) for name in plot.names]
    assert sum(both) == 1


@case("sand falls when what carried it is gone")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ dirt")
    await plot.command("setblock ~2 ~1 ~ sand")
    await plot.played("await bot.dig(bot.blockAt(at(2, 0, 0))); await bot.waitForTicks(30)")
    assert await plot.has_block(2, 0, 0, "sand")
    assert await plot.has_block(2, 1, 0, "air")


@case("a torch falls off when its support is gone")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ dirt")
    await plot.command("setblock ~2 ~1 ~ torch")
    await plot.played("await bot.dig(bot.blockAt(at(2, 0, 0))); await bot.waitForTicks(10); await collectDrops(bot, 8)")
    assert await plot.has_block(2, 1, 0, "air")
    assert await plot.items() == {"dirt": 1, "torch": 1}


@case("six ores in a mound are all mined and collected")
async def _(plot: Plot) -> None:
    await plot.command("fill ~6 ~ ~-1 ~7 ~ ~1 coal_ore")
    await plot.give("iron_pickaxe")
    await plot.played('tell(await mineBlock(bot, "coal_ore", 6))')
    assert plot.told() == [{"mined": 6, "obtained": {"coal": 6}}]


@case("drops that lie under leaves are got, and no more leaves go than are in the way")
async def _(plot: Plot) -> None:
    await plot.command("fill ~3 ~ ~2 ~5 ~1 ~4 oak_leaves[persistent=true]")
    await plot.command("setblock ~4 ~ ~3 air")
    await plot.command('summon item ~4.5 ~ ~3.5 {Item:{id:"minecraft:diamond",Count:2b}}')
    await plot.played("""
        tell((await collectDrops(bot, 16, "diamond")).diamond)
        const leaves = bot.registry.blocksByName.oak_leaves.id
        tell(bot.findBlocks({ matching: leaves, maxDistance: 16, count: 99 }).length)""")
    got, left = plot.told()
    assert got == 2
    assert 11 <= left <= 16, left
    assert (await plot.items())["diamond"] == 2


@case("a drop that lies on leaves out of reach is let fall by breaking what holds it up")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~3 ~3 oak_leaves[persistent=true]")
    await plot.command('summon item ~4.5 ~4 ~3.5 {Item:{id:"minecraft:oak_log",Count:1b}}')
    await plot.played('tell(await collectDrops(bot, 16, "oak_log"))')
    [got] = plot.told()
    assert got.pop("oak_log") == 1
    assert set(got) <= {"oak_sapling", "stick", "apple"}, got  # what the leaf dropped, by chance
    assert await plot.has_block(4, 3, 3, "air")


@case("a drop that still falls is waited for")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~4 ~1 iron_ore")
    await plot.give("stone_pickaxe")
    await plot.played('tell(await mineBlock(bot, "iron_ore", 1))')
    assert plot.told() == [{"mined": 1, "obtained": {"raw_iron": 1}}], plot.told()


@case("what is not there to be mined is said by name")
async def _(plot: Plot) -> None:
    await plot.played(
        'tell([await caught(mineBlock(bot, "gold_ore", 1)), await caught(mineBlock(bot, "golden_ore", 1))])'
    )
    assert plot.told() == [["BlockNotFound", "UnknownName"]]


@case("a full inventory leaves the drop where it is")
async def _(plot: Plot) -> None:
    await plot.give("iron_pickaxe")
    for _ in range(35):
        await plot.give("cobblestone 64")
    await plot.command("setblock ~3 ~ ~ iron_ore")
    await plot.played('tell(await caught(mineBlock(bot, "iron_ore", 1)))')
    assert plot.told() == ["InventoryFull"]
    assert "raw_iron" not in await plot.items()
    await plot.command("clear {a} cobblestone 64")
    await plot.played("await collectDrops(bot, 8)")
    assert (await plot.items())["raw_iron"] == 1


@case("a block is placed where it was asked for")
async def _(plot: Plot) -> None:
    await plot.give("dirt 3")
    await plot.played('await placeItem(bot, "dirt", at(3, 0, 0)); await placeItem(bot, "dirt", at(3, 1, 0))')
    assert await plot.has_block(3, 0, 0, "dirt")
    assert await plot.has_block(3, 1, 0, "dirt")
    assert await plot.items() == {"dirt": 1}


@case("nothing is placed where something stands")
async def _(plot: Plot) -> None:
    await plot.give("dirt")
    await plot.command("setblock ~3 ~ ~ stone")
    await plot.played('tell(await caught(placeItem(bot, "dirt", at(3, 0, 0))))')
    assert plot.told() == ["NotPlaced"]
    assert await plot.items() == {"dirt": 1}


@case("nothing is placed into the body of another player", players=2)
async def _(plot: Plot) -> None:
    await plot.give("stone")
    await plot.played("""
        await equipItem(bot, "stone")
        tell(await caught(bot.placeBlock(bot.blockAt(at(2, -1, 0)), new Vec3(0, 1, 0))))""")
    assert plot.told() == ["NotPlaced"]
    assert await plot.items() == {"stone": 1}


@case("a furnace faces whoever places it")
async def _(plot: Plot) -> None:
    await plot.give("furnace")
    await plot.played("""
        await equipItem(bot, "furnace")
        await bot.placeBlock(bot.blockAt(at(2, -1, 0)), new Vec3(0, 1, 0))""")
    assert await plot.has_block(2, 0, 0, "furnace[facing=west]")


@case("a torch is put on a wall's side")
async def _(plot: Plot) -> None:
    await plot.command("fill ~3 ~ ~ ~3 ~1 ~ stone")
    await plot.give("torch")
    await plot.played("""
        await equipItem(bot, "torch")
        await bot.placeBlock(bot.blockAt(at(3, 1, 0)), new Vec3(-1, 0, 0))""")
    assert await plot.has_block(2, 1, 0, "wall_torch[facing=west]")


@case("the empty hand places nothing")
async def _(plot: Plot) -> None:
    await plot.played("tell(await caught(bot.placeBlock(bot.blockAt(at(2, -1, 0)), new Vec3(0, 1, 0))))")
    assert plot.told() == ["NotPlaced"]


@case("a door opens and closes by hand")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ oak_door[half=lower]")
    await plot.command("setblock ~2 ~1 ~ oak_door[half=upper]")
    await plot.played("await bot.activateBlock(bot.blockAt(at(2, 0, 0))); await bot.waitForTicks(4)")
    assert await plot.has_block(2, 0, 0, "oak_door[open=true]")
    assert await plot.has_block(2, 1, 0, "oak_door[open=true]")
    await plot.played("await bot.activateBlock(bot.blockAt(at(2, 0, 0))); await bot.waitForTicks(4)")
    assert await plot.has_block(2, 0, 0, "oak_door[open=false]")


@case("walking ends where it was asked to")
async def _(plot: Plot) -> None:
    await plot.played("const p = await goTo(bot, at(18, 0, -7), 1); tell(p.distanceTo(at(18, 0, -7)))")
    assert plot.told()[0] <= 2.0


@case("25 blocks of flat land take vanilla's sprinting time")
async def _(plot: Plot) -> None:
    # By ticks of the bot: after a pause of its process, mineflayer makes up for all ticks that were lost.
    await plot.played("""
        let ticks = 0
        bot.on('physicsTick', () => { ticks++ })
        await goTo(bot, at(20, 0, 0), 0)
        tell(ticks * 50)""")
    assert plot.took(plot.told()[0], 3300, 4400)


@case("a walled-in goal has no path")
async def _(plot: Plot) -> None:
    await plot.command("fill ~6 ~ ~-2 ~10 ~3 ~2 stone")
    await plot.command("fill ~7 ~ ~-1 ~9 ~2 ~1 air")
    await plot.played("tell(await caught(goTo(bot, at(8, 0, 0), 0)))")
    assert plot.told() == ["NoPath"]
    assert (await plot.see()).position[0] < plot.at(6, 0, 0)[0]


@case("steps of one block are climbed, and drops of three jumped down")
async def _(plot: Plot) -> None:
    for step in range(3):
        await plot.command(f"fill ~{4 + step} ~ ~-1 ~7 ~{step} ~1 stone")
    await plot.played("await goTo(bot, at(6, 3, 0), 0); await goTo(bot, at(11, 0, 0), 1)")
    assert round((await plot.see()).position[1]) == plot.at(0, 0, 0)[1]


@case("water is swum through")
async def _(plot: Plot) -> None:
    await plot.command("fill ~4 ~-1 ~-12 ~7 ~-1 ~12 water")
    await plot.played("await goTo(bot, at(10, 0, 0), 1)")
    assert (await plot.see()).position[0] > plot.at(8, 0, 0)[0]


@case("from the ground of a pool with steep banks a bot swims ashore")
async def _(plot: Plot) -> None:
    await plot.command("fill ~-3 ~-3 ~-3 ~3 ~-1 ~3 stone")
    await plot.command("fill ~-1 ~-3 ~-1 ~2 ~-1 ~1 water")
    await plot.command("tp {a} ~ ~-3 ~")
    await plot.played("await bot.pathfinder.goto(new GoalNear(at(6, 0, 0).x, at(6, 0, 0).y, at(6, 0, 0).z, 1))")
    assert (await plot.see()).position[0] > plot.at(4, 0, 0)[0]


@case("a fall of ten blocks costs seven points of health")
async def _(plot: Plot) -> None:
    await plot.command("fill ~5 ~ ~5 ~5 ~9 ~5 stone")
    await plot.command("tp {a} ~5 ~10 ~5")
    await plot.played("""
        bot.setControlState('forward', true)
        while (bot.health === 20) await bot.waitForTicks(1)
        bot.setControlState('forward', false)
        tell(bot.health)""")
    assert plot.told() == [13]


@case("an item from the pack comes into the hand")
async def _(plot: Plot) -> None:
    for stack in ("dirt", "stone", "sand", "gravel", "clay", "coal", "stick", "string", "bone", "iron_sword"):
        await plot.give(stack)
    await plot.played('await equipItem(bot, "iron_sword"); tell(bot.heldItem.name)')
    assert plot.told() == ["iron_sword"]
    assert (await plot.see()).held == "iron_sword"
    assert len(await plot.items()) == 10


@case("armour is put on and taken off")
async def _(plot: Plot) -> None:
    await plot.give("iron_helmet")
    await plot.played("""
        await equipItem(bot, "iron_helmet", "head")
        tell([bot.inventory.items().length, bot.inventory.slots[5]?.name ?? null])
        await bot.unequip("head")
        tell([bot.inventory.items().length, bot.inventory.slots[5]?.name ?? null])""")
    assert plot.told() == [[0, "iron_helmet"], [1, None]]
    assert await plot.items() == {"iron_helmet": 1}


@case("what is not in the pack cannot be taken into the hand")
async def _(plot: Plot) -> None:
    await plot.played('tell(await caught(equipItem(bot, "iron_sword")))')
    assert plot.told() == ["ItemNotInInventory"]


@case("what one drops another picks up", players=2)
async def _(plot: Plot) -> None:
    await plot.give("emerald 5")
    await plot.played(
        "await bot.lookAt(at(2, 1, 0), true); tell(await bot.toss(mcData.itemsByName.emerald.id, null, 3))",
        "await until(bot, () => bot.nearestEntity((each) => each.name === 'item') !== null);"
        "await bot.waitForTicks(50); await collectDrops(bot, 12)",
    )
    assert await plot.items() == {"emerald": 2}
    assert await plot.items(plot.b) == {"emerald": 3}


@case("a golden apple is eaten and gone")
async def _(plot: Plot) -> None:
    await plot.give("golden_apple 2")
    await plot.played('await equipItem(bot, "golden_apple"); await bot.consume()')
    assert await plot.items() == {"golden_apple": 1}


@case("who is not hungry cannot eat bread")
async def _(plot: Plot) -> None:
    await plot.give("bread")
    await plot.played('await equipItem(bot, "bread"); tell(await caught(bot.consume()))')
    assert plot.told() == ["CannotEat"]
    assert await plot.items() == {"bread": 1}


@case("a spectator's hand reaches nothing")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ dirt")
    await plot.command("gamemode spectator {a}")
    await plot.play("await bot.dig(bot.blockAt(at(2, 0, 0)))", limits=Limits(wall_s=15))
    assert await plot.has_block(2, 0, 0, "dirt")


@case("a program's end tells what became of it")
async def _(plot: Plot) -> None:
    assert (await plot.play("return 1")).outcome is ProgramOutcome.RETURNED
    thrown = await plot.play('throw new TypeError("no such thing")')
    assert thrown.outcome is ProgramOutcome.THREW
    assert thrown.error is not None
    assert (thrown.error.name, thrown.error.message, thrown.error.line) == ("TypeError", "no such thing", 6)
    broken = await plot.play("const = 1")
    assert broken.outcome is ProgramOutcome.SYNTAX
    assert broken.error is not None
    assert broken.error.line == 6
    endless = await plot.play("for (;;) await bot.waitForTicks(5)", limits=Limits(wall_s=2))
    assert endless.outcome is ProgramOutcome.TIMEOUT


@case("a loop that never waits is ended, and the other player plays on", players=2)
async def _(plot: Plot) -> None:
    await plot.play("for (;;) {}", 'await bot.waitForTicks(30); tell("done")')
    assert [result.outcome for result in plot.results.values()] == [ProgramOutcome.TIMEOUT, ProgramOutcome.RETURNED]
    assert plot.told(plot.b) == ["done"]
