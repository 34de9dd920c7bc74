"""Conformance cases: many bots share a chest or furnace; nothing is lost, and each learns what it moved."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case

CROWD = 6
CHEST = "at(5, 0, 2)"


async def _crowd(plot: Plot, *contents: str) -> None:
    """Place a chest with these stacks in the middle, and all players within its reach."""
    await plot.command("setblock ~5 ~ ~2 chest")
    for slot, stack in enumerate(contents):
        await plot.command(f"item replace block ~5 ~ ~2 container.{slot} with {stack}")
    for index, name in enumerate(plot.names):
        x, y, z = plot.at(3 + index % 3 * 2, 0, index // 3 * 4)
        await plot.command(f"tp {name} {x + 0.5} {y} {z + 0.5}")


async def _inside(plot: Plot) -> dict[str, int]:
    """Return the contents of the chest."""
    await plot.played(f"tell(await checkItemInsideChest(bot, {CHEST}))")
    inside: dict[str, int] = plot.told()[-1]
    return inside


async def _all_hold(plot: Plot) -> list[dict[str, int]]:
    return [await plot.items(name) for name in plot.names]


@case("many who put into one chest at once lose nothing, and each is told what it put in", players=CROWD)
async def _(plot: Plot) -> None:
    await _crowd(plot)
    for name in plot.names:
        await plot.give("iron_ingot 20", to=name)
    program = f"tell(await depositItemIntoChest(bot, {CHEST}, {{ iron_ingot: 10 }}))"
    await plot.played_by_all(dict.fromkeys(plot.names, program))
    assert [plot.told(name) for name in plot.names] == [[{"iron_ingot": 10}]] * CROWD
    assert await _all_hold(plot) == [{"iron_ingot": 10}] * CROWD
    assert await _inside(plot) == {"iron_ingot": 10 * CROWD}


@case("many who take out of one chest at once get all that is in it, and each is told what it got", players=CROWD)
async def _(plot: Plot) -> None:
    await _crowd(plot, "raw_iron 40", "diamond 1", "raw_iron 5")
    program = f"""
        try {{ tell((await getItemFromChest(bot, {CHEST}, {{ raw_iron: 10 }})).raw_iron) }}
        catch (error) {{ tell(error.name) }}"""
    await plot.played_by_all(dict.fromkeys(plot.names, program))
    told = [plot.told(name)[0] for name in plot.names]
    held = [items.get("raw_iron", 0) for items in await _all_hold(plot)]
    assert held == [0 if each == "ItemNotInChest" else each for each in told]
    assert sorted(held) == [0, 5, 10, 10, 10, 10]
    assert await _inside(plot) == {"diamond": 1}


@case("many who put in and take out of one chest at once keep everything", players=CROWD)
async def _(plot: Plot) -> None:
    await _crowd(plot, "cobblestone 30")
    kinds = ("dirt", "coal", "stick", "emerald", "raw_gold", "apple")
    for name, kind in zip(plot.names, kinds, strict=True):
        await plot.give(f"{kind} 12", to=name)
    programs = {
        name: f"""
        const put = await depositItemIntoChest(bot, {CHEST}, {{ {kind}: 7 }})
        const got = await getItemFromChest(bot, {CHEST}, {{ cobblestone: 3, {kind}: 2 }})
        tell([put.{kind}, got.cobblestone, got.{kind}])"""
        for name, kind in zip(plot.names, kinds, strict=True)
    }
    await plot.played_by_all(programs)
    assert [plot.told(name) for name in plot.names] == [[[7, 3, 2]]] * CROWD
    assert await _all_hold(plot) == [{"cobblestone": 3, kind: 7} for kind in kinds]
    assert await _inside(plot) == {"cobblestone": 30 - 3 * CROWD, **dict.fromkeys(kinds, 5)}


@case("of many who fill the last room of a chest each is told what found room", players=CROWD)
async def _(plot: Plot) -> None:
    await _crowd(plot, "dirt 40", *["stone 64"] * 26)
    for name in plot.names:
        await plot.give("dirt 10", to=name)
    program = f"""
        try {{ tell((await depositItemIntoChest(bot, {CHEST}, {{ dirt: 7 }})).dirt) }}
        catch (error) {{ tell(error.name) }}"""
    await plot.played_by_all(dict.fromkeys(plot.names, program))
    told = [plot.told(name)[0] for name in plot.names]
    held = [items["dirt"] for items in await _all_hold(plot)]
    assert held == [10 if each == "ChestFull" else 10 - each for each in told]
    assert sorted(held) == [3, 3, 3, 7, 10, 10]
    assert await _inside(plot) == {"dirt": 64, "stone": 26 * 64}


@case("many who feed one furnace at once are told what it took", players=CROWD)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~5 ~ ~2 furnace")
    for index, name in enumerate(plot.names):
        x, y, z = plot.at(3 + index % 3 * 2, 0, index // 3 * 4)
        await plot.command(f"tp {name} {x + 0.5} {y} {z + 0.5}")
        await plot.give("raw_iron 20", to=name)
    program = """
        const furnace = await bot.openFurnace(bot.blockAt(at(5, 0, 2)))
        const iron = bot.registry.itemsByName.raw_iron.id
        const before = bot.inventory.count(iron)
        const refused = await caught(furnace.putInput(iron, null, 12))
        await furnace.close()
        tell([refused, before - bot.inventory.count(iron)])"""
    await plot.played_by_all(dict.fromkeys(plot.names, program))
    told = [plot.told(name)[0] for name in plot.names]
    held = [items["raw_iron"] for items in await _all_hold(plot)]
    assert held == [20 - moved for _, moved in told]
    assert sorted(moved for _, moved in told) == [4, 12, 12, 12, 12, 12]
    assert all(refused is None for refused, _ in told)
