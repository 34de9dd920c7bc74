"""Conformance cases: shields, totems, damage, composters, campfires, sponges, portals and swimming."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case

COOKED_TICKS = 640
"""Cooking time of a campfire with a margin, in ticks."""

# What a composter or a campfire pops flies up to 1.5 blocks. They stand four blocks away, so that nobody picks it up.


@case("a raised shield takes a blow from the front", players=2)
async def _(plot: Plot) -> None:
    await plot.command("item replace entity {a} weapon.offhand with shield")
    await plot.command("item replace entity {b} weapon.mainhand with iron_sword")
    await plot.played(
        """
        await bot.lookAt(at(2, 1, 0).offset(0.5, 0.6, 0.5), true)
        bot.activateItem(true)
        await bot.waitForTicks(60)
        tell(bot.health)
        bot.deactivateItem()""",
        """
        await bot.waitForTicks(20)
        await bot.attack(bot.nearestEntity((each) => each.name === 'player'))
        await bot.waitForTicks(5)""",
    )
    assert plot.told() == [20]
    assert "Damage: 7" in await plot.command("data get entity {a} Inventory")


@case("a totem of undying saves from death, once")
async def _(plot: Plot) -> None:
    await plot.command("item replace entity {a} weapon.offhand with totem_of_undying")
    await plot.command("damage {a} 100 minecraft:generic")
    seen = await plot.see()
    assert 0 < seen.health < 10
    assert seen.items == {}


@case("beds halve a fall, hay takes four fifths of it")
async def _(plot: Plot) -> None:
    lost = []
    for block in ("red_bed[part=foot,facing=south]", "hay_block"):
        await plot.command("effect give {a} instant_health 1 9 true")
        await plot.command("fill ~4 ~ ~4 ~4 ~9 ~5 air")
        await plot.command(f"setblock ~4 ~ ~4 {block}")
        await plot.command("tp {a} ~4 ~14 ~4")
        await plot.played(
            "await until(bot, () => bot.entity.onGround && bot.entity.position.y < -50);"
            "await bot.waitForTicks(10); tell(bot.health)"
        )
        lost.append(plot.told()[-1])
    assert lost[0] < lost[1] < 20


@case("composters turn plants into bone meal")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~ ~ composter")
    await plot.give("cake", "cake", "cake", "cake", "cake", "cake", "cake")
    await plot.played("""
        for (let layer = 1; layer <= 7; layer++) {
          await equipItem(bot, "cake")
          await bot.activateBlock(bot.blockAt(at(4, 0, 0)))
          await until(bot, () => bot.inventory.items().length === 7 - layer)
        }
        await until(bot, () => Number(bot.blockAt(at(4, 0, 0)).getProperties().level) === 8)
        await bot.activateBlock(bot.blockAt(at(4, 0, 0)))
        await until(bot, () => Number(bot.blockAt(at(4, 0, 0)).getProperties().level) === 0)""")
    item = "@e[type=item,limit=1,sort=nearest,distance=..4]"
    assert "bone_meal" in await plot.command(f"execute positioned ~4 ~ ~ run data get entity {item} Item")


@case("a campfire cooks what is laid on it", slow=True)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~ ~ campfire")
    await plot.give("beef")
    await plot.played(f"""
        await equipItem(bot, "beef")
        await bot.activateBlock(bot.blockAt(at(4, 0, 0)))
        await bot.waitForTicks({COOKED_TICKS})""")
    assert await plot.items() == {}
    assert "cooked_beef" in await plot.command(
        "execute positioned ~4 ~ ~ run data get entity @e[type=item,limit=1,sort=nearest,distance=..4] Item"
    )


@case("a sponge drinks the water around it")
async def _(plot: Plot) -> None:
    await plot.command("fill ~2 ~-1 ~ ~4 ~-1 ~ water")
    await plot.command("setblock ~1 ~-1 ~ air")
    await plot.give("sponge")
    await plot.played("""
        await equipItem(bot, "sponge")
        await bot.placeBlock(bot.blockAt(at(1, -2, 0)), new Vec3(0, 1, 0))
        await bot.waitForTicks(5)""")
    assert await plot.has_block(1, -1, 0, "wet_sponge")
    assert await plot.has_block(2, -1, 0, "air")
    assert await plot.has_block(4, -1, 0, "air")


@case("broken ice leaves water over a block")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ ice")
    await plot.give("iron_pickaxe")
    await plot.played('await equipItem(bot, "iron_pickaxe"); await bot.dig(bot.blockAt(at(2, 0, 0)))')
    assert await plot.has_block(2, 0, 0, "water")


@case("berry bushes hurt only who moves in them")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~ ~-1 ~ grass_block")
    await plot.command("setblock ~ ~ ~ sweet_berry_bush[age=3]")
    await plot.played("""
        await bot.waitForTicks(30)
        tell(bot.health)
        for (let turn = 0; turn < 6; turn++) {
          bot.setControlState(turn % 2 ? 'forward' : 'back', true)
          await bot.waitForTicks(6)
          bot.clearControlStates()
        }
        tell(bot.health < 20)""")
    assert plot.told() == [20, True]


@case("a brewing stand that a command fills brews", slow=True)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ brewing_stand")
    for slot, item in ((4, "blaze_powder"), (0, "potion{Potion:'minecraft:water'}"), (3, "nether_wart")):
        await plot.command(f"item replace block ~2 ~ ~ container.{slot} with {item}")
    await plot.played("await bot.waitForTicks(420)")
    assert "awkward" in await plot.command("data get block ~2 ~ ~ Items")
