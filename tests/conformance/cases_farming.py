"""Conformance cases: fields, trees, animals, food, doors, fences, and interactions between players."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case

FIELD = ("fill ~3 ~-1 ~-1 ~5 ~-1 ~1 farmland[moisture=7]", "setblock ~4 ~-1 ~ water")
RIPE = "fill ~3 ~ ~-1 ~5 ~ ~-1 wheat[age=7]"


async def _field(plot: Plot) -> None:
    for text in FIELD:
        await plot.command(text)


@case("a hoe tills the earth near water first, and wheat is sown on it")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~4 ~-1 ~4 water")
    await plot.give("iron_hoe", "wheat_seeds 5")
    await plot.played("""
        const field = await tillSoil(bot, 3)
        tell(field.length)
        tell(field.every((each) => Math.abs(each.x - at(4, 0, 0).x) <= 4 && Math.abs(each.z - at(0, 0, 4).z) <= 4))
        tell(await plantCrop(bot, "wheat", 5))
        tell(bot.findBlocks({ matching: bot.registry.blocksByName.wheat.id, maxDistance: 16, count: 9 }).length)""")
    assert plot.told() == [3, True, 3, 3], plot.told()
    assert await plot.items() == {"iron_hoe": 1, "wheat_seeds": 2}


@case("without hoe, seeds or farmland there is no farming, by name")
async def _(plot: Plot) -> None:
    await plot.give("wheat_seeds 2")
    await plot.played("""
        tell(await caught(tillSoil(bot, 1)))
        tell(await caught(plantCrop(bot, "wheat", 1)))
        tell(await caught(plantCrop(bot, "carrots", 1)))
        tell(await caught(harvestCrop(bot, "wheat", 1)))
        tell(await caught(harvestCrop(bot, "nonsense", 1)))""")
    expected = ["ItemNotInInventory", "BlockNotFound", "ItemNotInInventory", "BlockNotFound", "BadArgument"]
    assert plot.told() == expected


@case("ripe wheat is harvested and sown again, unripe wheat is left")
async def _(plot: Plot) -> None:
    await _field(plot)
    await plot.command(RIPE)
    await plot.command("setblock ~5 ~ ~1 wheat[age=2]")
    await plot.played("""
        const { harvested, obtained } = await harvestCrop(bot, "wheat", 9)
        tell(harvested)
        tell(obtained.wheat)
        tell(bot.findBlocks({ matching: bot.registry.blocksByName.wheat.id, maxDistance: 16, count: 9 }).length)""")
    assert plot.told() == [3, 3, 4]
    assert not await plot.has_block(5, 0, 1, "air")
    assert (await plot.items()).get("wheat") == 3


@case("bone meal ripens a crop and is used up")
async def _(plot: Plot) -> None:
    await _field(plot)
    await plot.command("setblock ~3 ~ ~1 carrots")
    await plot.give("bone_meal 10")
    await plot.played("""
        const { used, ripe } = await boneMealCrop(bot, "carrots", 10)
        tell(ripe)
        tell(used >= 2 && used <= 4)
        tell(bot.inventory.count(bot.registry.itemsByName.bone_meal.id) === 10 - used)
        tell(await caught(boneMealCrop(bot, "carrots", 1)))""")
    assert plot.told() == [1, True, True, "BlockNotFound"]
    assert await plot.has_block(3, 0, 1, "carrots[age=7]")


@case("a sapling is planted, and with bone meal it becomes a tree that can be felled")
async def _(plot: Plot) -> None:
    await plot.give("oak_sapling", "bone_meal 64", "stone_axe")
    await plot.played("""
        const tree = await plantSapling(bot, "oak_sapling", at(4, 0, 3))
        tell(tree.equals(at(4, 0, 3)))
        tell((await boneMealCrop(bot, "oak_sapling", 64)).ripe)
        const { logs, obtained } = await fellTree(bot, "oak")
        tell(logs >= 4)
        tell(obtained.oak_log >= 2)
        tell(await caught(fellTree(bot, "oak")))""")
    assert plot.told()[:4] == [True, 1, True, True], plot.told()
    assert await plot.has_block(4, 0, 3, "air")


@case("sugar cane is cut above its lowest block, a melon is broken, berries are picked")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~-1 ~3 water")
    await plot.command("fill ~4 ~ ~3 ~4 ~2 ~3 sugar_cane")
    await plot.command("setblock ~-4 ~ ~3 melon")
    await plot.command("setblock ~-4 ~ ~-3 sweet_berry_bush[age=3]")
    await plot.played("""
        tell((await harvestCrop(bot, "sugar_cane", 1)).obtained.sugar_cane)
        tell((await harvestCrop(bot, "melon")).obtained.melon_slice >= 3)
        tell((await harvestCrop(bot, "sweet_berry_bush")).obtained.sweet_berries >= 2)""")
    assert plot.told() == [2, True, True]
    assert await plot.has_block(4, 0, 3, "sugar_cane")
    # Picking leaves age 1, and by chance the bush has grown since.
    assert any([await plot.has_block(-4, 0, -3, f"sweet_berry_bush[age={age}]") for age in (1, 2)])


@case("two cows that are fed have a calf")
async def _(plot: Plot) -> None:
    for z in (2, 4):
        await plot.command(f"summon cow ~3 ~ ~{z}")
    await plot.give("wheat 5")
    await plot.played("""
        tell(await feedAnimal(bot, "cow", 2))
        let cows = 0
        for (let i = 0; i < 30 && cows < 3; i++) {
          await bot.waitForTicks(20)
          cows = Object.values(bot.entities).filter((each) => each.name === "cow").length
        }
        tell(cows)
        tell(await caught(feedAnimal(bot, "pig", 1)))""")
    assert plot.told() == [2, 3, "ItemNotInInventory"]
    assert (await plot.items())["wheat"] == 3


@case("a sheep is shorn once, and a cow milked as often as there are buckets")
async def _(plot: Plot) -> None:
    await plot.command("summon sheep ~3 ~ ~2 {Color:14b}")
    await plot.command("summon cow ~-3 ~ ~2")
    await plot.give("shears", "bucket", "bucket")
    await plot.played("""
        const { shorn, obtained } = await shearSheep(bot, 1)
        tell(shorn)
        tell(obtained.red_wool >= 1 && obtained.red_wool <= 3)
        tell(await caught(shearSheep(bot, 1)))
        tell(await milkCow(bot, 2))
        tell(await caught(milkCow(bot)))""")
    assert plot.told() == [1, True, "NotUsed", 2, "ItemNotInInventory"]
    assert (await plot.items())["milk_bucket"] == 2


@case("bones tame a wolf")
async def _(plot: Plot) -> None:
    await plot.command("summon wolf ~3 ~ ~2")
    await plot.give("bone 40")
    await plot.played("""
        const given = await tameAnimal(bot, "wolf")
        tell(given >= 1)
        tell(await caught(tameAnimal(bot, "wolf")))
        tell(await caught(tameAnimal(bot, "cow")))""")
    assert plot.told() == [True, "NotUsed", "BadArgument"]


@case("the hungry eat what fills best, the sated nothing")
async def _(plot: Plot) -> None:
    await plot.give("bread 2", "cookie 3")
    await plot.command("effect give {a} hunger 10 100")
    await plot.world.sleep(8)
    await plot.command("effect clear {a}")
    await plot.played("""
        const before = bot.food
        tell(before < 18)
        tell(await eatFood(bot) > before)
        while (bot.food < 20) await eatFood(bot, bot.inventory.items()[0].name)
        tell(await caught(eatFood(bot)))""")
    assert plot.told()[:2] == [True, True]
    assert plot.told()[2] in ("CannotEat", "ItemNotInInventory")


@case("what is given to a player by hand arrives", players=2)
async def _(plot: Plot) -> None:
    await plot.give("bread 3")
    await plot.command("tp {b} ~6.5 ~ ~0.5")
    await plot.played(
        """
        tell(await giveItem(bot, others[0], "bread", 3))
        tell(await caught(giveItem(bot, others[0], "bread", 9)))
        tell(await caught(giveItem(bot, "Nobody", "bread", 1)))
        await bot.waitForTicks(60)""",
        "await bot.waitForTicks(160)",
    )
    assert plot.told() == [3, "ItemNotInInventory", "UnknownPlayer"], plot.told()
    assert await plot.items(plot.b) == {"bread": 3}, await plot.items(plot.b)


@case("a player is followed, another fled from", players=2)
async def _(plot: Plot) -> None:
    await plot.played(
        """
        tell(await followPlayer(bot, others[0], 8, 3) <= 5)
        await bot.waitForTicks(10)
        tell(await fleeFrom(bot, others[0], 12) >= 12)
        tell(await caught(fleeFrom(bot, "ghast", 12)))""",
        "await goTo(bot, at(14, 0, 0), 1); await bot.waitForTicks(200)",
    )
    assert plot.told() == [True, True, "MobNotFound"], plot.told()


@case("a player that is attacked loses health", players=2)
async def _(plot: Plot) -> None:
    await plot.give("stone_sword")
    await plot.played(
        "tell((await attackPlayer(bot, others[0], 5)).blows >= 2)",
        """
        while (bot.health === 20) await bot.waitForTicks(2)
        tell(bot.health)""",
    )
    assert plot.told() == [True]
    assert 0 < plot.told(plot.b)[0] < 20


@case("doors and gates are opened and closed by hand, iron ones not")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~1 oak_fence_gate")
    await plot.command("setblock ~-3 ~ ~1 oak_door[half=lower]")
    await plot.command("setblock ~-3 ~1 ~1 oak_door[half=upper]")
    await plot.command("setblock ~0 ~ ~5 iron_trapdoor")
    await plot.played("""
        await openDoor(bot, at(3, 0, 1))
        await openDoor(bot)
        tell(await caught(openDoor(bot)))
        await closeDoor(bot, at(3, 0, 1))
        tell(await caught(openDoor(bot, at(0, 0, 5))))""")
    assert plot.told() == ["BlockNotFound", "BlockNotFound"]
    assert await plot.has_block(3, 0, 1, "oak_fence_gate[open=false]")
    assert await plot.has_block(-3, 0, 1, "oak_door[open=true]")
    assert await plot.has_block(-3, 1, 1, "oak_door[open=true]")


@case("a fence goes around a place, with a gate in it")
async def _(plot: Plot) -> None:
    await plot.give("oak_fence 20", "oak_fence_gate")
    await plot.played("""
        tell(await buildFence(bot, at(2, 0, 2), at(5, 0, 5)))
        tell(await caught(buildFence(bot, at(2, 0, 2), at(3, 0, 3))))
        tell(await buildFence(bot, at(2, 0, 2), at(5, 0, 5)))
        tell(await caught(buildFence(bot, at(-2, 0, 2), at(-12, 0, 12))))""")
    assert plot.told() == [12, "BadArgument", 0, "ItemNotInInventory"]
    assert await plot.items() == {"oak_fence": 9}
    assert await plot.has_block(5, 0, 5, "oak_fence")


@case("flowers are picked")
async def _(plot: Plot) -> None:
    for x in (2, 4, 6):
        await plot.command(f"setblock ~{x} ~ ~2 poppy")
    await plot.command("setblock ~-3 ~ ~2 dandelion")
    await plot.played("""
        tell(await pickFlower(bot, "poppy", 2))
        tell(await caught(pickFlower(bot, "allium", 1)))
        tell(await caught(pickFlower(bot, "rose", 1)))""")
    assert plot.told() == [{"poppy": 2}, "BlockNotFound", "BadArgument"]


@case("who guards a place kills the zombie that comes")
async def _(plot: Plot) -> None:
    await plot.give("diamond_sword")
    await plot.command("summon husk ~6 ~ ~2")
    await plot.played("tell(await guardArea(bot, at(0, 0, 0), 12, 15))")
    assert plot.told() == [1]
