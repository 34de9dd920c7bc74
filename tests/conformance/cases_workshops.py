"""Conformance cases: anvils, enchanting tables, villagers' trades, redstone."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case

LIBRARIAN = (
    'summon villager ~2 ~ ~ {NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},Offers:{Recipes:['
    '{buy:{id:"minecraft:paper",Count:24},sell:{id:"minecraft:emerald",Count:1},maxUses:3},'
    '{buy:{id:"minecraft:emerald",Count:2},buyB:{id:"minecraft:book",Count:1},sell:{id:"minecraft:bookshelf",Count:1},maxUses:3}]}}'
)


@case("an anvil gives a name for a level")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ anvil")
    await plot.command(f"xp set {plot.a} 5 levels")
    await plot.give("iron_sword")
    await plot.played("""
        const anvil = await bot.openAnvil(bot.blockAt(at(2, 0, 0)))
        const made = await anvil.rename(anvil.findInventoryItem("iron_sword"), "Edge")
        await until(bot, () => bot.experience.level === 4)
        tell(made.name)
        await anvil.close()""")
    assert plot.told() == ["iron_sword"]


@case("an enchanting table takes a level and lapis for its first offer")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ enchanting_table")
    await plot.command(f"xp set {plot.a} 30 levels")
    await plot.give("iron_pickaxe", "lapis_lazuli 3")
    await plot.played("""
        const table = await bot.openEnchantmentTable(bot.blockAt(at(2, 0, 0)))
        await table.putLapis(table.findInventoryItem("lapis_lazuli"))
        await table.putTargetItem(table.findInventoryItem("iron_pickaxe"))
        tell(table.enchantments[0].level > 0)
        const made = await table.enchant(0)
        await until(bot, () => bot.experience.level === 29)
        tell(made.enchants.length > 0)
        await table.takeTargetItem()
        await table.close()""")
    assert plot.told() == [True, True]
    assert await plot.items() == {"iron_pickaxe": 1, "lapis_lazuli": 2}


@case("a villager gives an emerald for paper, and a bookshelf for emeralds and a book")
async def _(plot: Plot) -> None:
    await plot.command(LIBRARIAN)
    await plot.give("paper 50", "book 2")
    await plot.played("""
        const villager = await bot.openVillager(bot.nearestEntity((each) => each.name === "villager"))
        tell(villager.trades.map((trade) => [trade.realPrice, trade.outputItem.name]))
        await bot.trade(villager, 0, 2)
        await bot.trade(villager, 1, 1)
        tell(await caught(bot.trade(villager, 0, 2)))
        await villager.close()""")
    assert plot.told() == [[[24, "emerald"], [2, "bookshelf"]], "NotUsed"]
    assert await plot.items() == {"paper": 2, "book": 1, "bookshelf": 1}


@case("a lever lights a lamp through dust")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ lever[face=floor]")
    await plot.command("fill ~3 ~ ~ ~5 ~ ~ redstone_wire")
    await plot.command("setblock ~6 ~ ~ redstone_lamp")
    await plot.played("""
        await bot.activateBlock(bot.blockAt(at(2, 0, 0)))
        await until(bot, () => bot.blockAt(at(6, 0, 0)).getProperties().lit)""")
    assert await plot.has_block(6, 0, 0, "redstone_lamp[lit=true]")
