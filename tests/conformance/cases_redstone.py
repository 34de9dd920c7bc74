"""Conformance cases: automatic machines, minecarts, rain."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case


@case("a hopper carries what is put into its chest, and a comparator lights a lamp by it")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~1 ~ chest")
    await plot.command("setblock ~3 ~ ~ hopper[facing=east]")
    await plot.command("setblock ~4 ~ ~ barrel")
    await plot.command("setblock ~5 ~ ~ comparator[facing=west]")
    await plot.command("setblock ~6 ~ ~ redstone_lamp")
    await plot.give("dirt 4")
    await plot.played("""
        const lit = () => bot.blockAt(at(6, 0, 0)).getProperties().lit
        tell(lit())
        await depositItemIntoChest(bot, at(3, 1, 0), { dirt: 4 })
        await until(bot, () => lit() === true)
        tell(lit())
        await bot.waitForTicks(60)
        const barrel = await bot.openContainer(bot.blockAt(at(4, 0, 0)))
        tell(barrel.containerItems().map((item) => [item.name, item.count]))
        await barrel.close()""")
    assert plot.told() == [False, True, [["dirt", 4]]], plot.told()


@case("an observer sees a block that is placed, and has a dropper drop something")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~ ~2 observer[facing=north]")
    await plot.command('setblock ~4 ~ ~3 dropper[facing=up]{Items:[{Slot:0b,id:"minecraft:apple",Count:1b}]}')
    await plot.give("dirt 1")
    await plot.played("""
        await placeItem(bot, 'dirt', at(4, 0, 1))
        await until(bot, () => bot.nearestEntity((each) => each.name === 'item') !== null)
        tell(bot.blockAt(at(4, 0, 1)).name)""")
    assert plot.told() == ["dirt"], plot.told()


@case("a bot rides a minecart along rails that another one powers, around a corner", players=2)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~4 stone")
    await plot.command("fill ~3 ~ ~4 ~6 ~ ~4 powered_rail[shape=east_west]")
    await plot.command("fill ~7 ~ ~4 ~8 ~ ~4 rail")
    await plot.command("fill ~8 ~ ~5 ~8 ~ ~9 rail")
    await plot.command("summon minecart ~3.5 ~ ~4.5")
    await plot.give("redstone_block", to=plot.b)
    await plot.played(
        """
        const cart = bot.nearestEntity((each) => each.name === 'minecart')
        await goTo(bot, at(1, 0, 4), 1)
        await bot.mount(cart)
        tell(bot.vehicle.id === cart.id)
        await sendSignal(bot, others[0], 'in')
        await until(bot, () => cart.position.z - at(8, 0, 5).z > 1)
        await until(bot, () => bot.entity.position.distanceTo(cart.position) < 0.6)
        await bot.dismount()
        tell(bot.vehicle)""",
        """
        await goTo(bot, at(3, 0, 1), 1)
        await waitSignal(bot, 'in')
        await placeItem(bot, 'redstone_block', at(3, 0, 3))""",
    )
    assert plot.told() == [True, None], plot.told()


@case("bots are told of rain when it comes and when it goes", players=3)
async def _(plot: Plot) -> None:
    body = "await until(bot, () => bot.isRaining === %s); tell(bot.isRaining)"
    try:
        await plot.command("weather rain")
        await plot.played_by_all(dict.fromkeys(plot.names, body % "true"))
    finally:
        await plot.command("weather clear")
    await plot.played_by_all(dict.fromkeys(plot.names, body % "false"))
    for name in plot.names:
        assert plot.told(name) == [True, False], (name, plot.told(name))
