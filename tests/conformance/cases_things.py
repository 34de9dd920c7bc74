"""Conformance cases: fishing, beds, boats, books, signs, and other uses of the hands."""

from __future__ import annotations

from tests.conformance.plot import Plot
from tests.conformance.suite import case

POND = ("fill ~2 ~-2 ~2 ~9 ~-2 ~9 stone", "fill ~2 ~-1 ~2 ~9 ~-1 ~9 water")
NIGHT = 18_000
"""Midnight in ticks; players may sleep from 12542 to 23459 (minecraft.wiki, "Bed")."""


async def _pond(plot: Plot) -> None:
    for text in POND:
        await plot.command(text)


@case("a rod brings something up out of open water", slow=True)
async def _(plot: Plot) -> None:
    await _pond(plot)
    await plot.give("fishing_rod")
    await plot.played("""
        // A host that is late at the bite brings nothing up, and casts again.
        let sum = 0
        for (let cast = 0; cast < 2 && sum === 0; cast++) {
          for (const count of Object.values(await fish(bot, 1))) sum += count
        }
        tell(sum)""")
    assert plot.told() == [1]


@case("there is no fishing without rod or water, by name")
async def _(plot: Plot) -> None:
    await plot.give("bread")
    await plot.played("""
        tell(await caught(fish(bot)))
        await bot.equip(bot.inventory.items()[0], 'hand')
        tell(await caught(bot.fish()))""")
    await plot.give("fishing_rod")
    await plot.played("tell(await caught(fish(bot)))")
    assert plot.told() == ["ItemNotInInventory", "NotUsed", "BlockNotFound"]


async def _beds(plot: Plot, count: int) -> None:
    for index in range(count):
        await plot.command(f"setblock ~{2 * index} ~ ~3 red_bed[part=foot,facing=south]")
        await plot.command(f"setblock ~{2 * index} ~ ~4 red_bed[part=head,facing=south]")


@case("the night is over when all sleep", players=3)
async def _(plot: Plot) -> None:
    await _beds(plot, 3)
    await plot.command("gamerule doDaylightCycle true")
    await plot.command(f"time set {NIGHT}")
    body = """
        let slept = 0
        let woken = 0
        bot.on('sleep', () => { slept++ })
        bot.on('wake', () => { woken++ })
        tell(bot.isSleeping)
        tell(await sleepInBed(bot, at(%d, 0, 3)))
        await until(bot, () => woken > 0 && bot.time.timeOfDay < 2000)
        tell([slept, woken, bot.isSleeping])"""
    try:
        await plot.played_by_all({name: body % (2 * index) for index, name in enumerate(plot.names)})
    finally:
        await plot.command("time set day")
    for name in plot.names:
        assert plot.told(name) == [False, True, [1, 1, False]], (name, plot.told(name))


@case("who sleeps alone gets up again; by day, in a taken bed and near monsters nobody sleeps", players=3)
async def _(plot: Plot) -> None:
    await _beds(plot, 2)
    await plot.played("tell(await caught(sleepInBed(bot, at(0, 0, 3))))")
    await plot.command(f"time set {NIGHT}")
    alone = """
        const bed = bot.blockAt(at(0, 0, 3))
        await goTo(bot, at(0, 0, 2), 1)
        await bot.sleep(bed)
        tell(bot.isSleeping)
        tell(await caught(goTo(bot, at(6, 0, 6), 1)))
        tell(await caught(bot.sleep(bed)))
        await sendSignal(bot, others[0], "lies")
        await waitSignal(bot, "tried")
        await bot.wake()
        tell(bot.isSleeping)
        tell(await caught(bot.wake()))
        await goTo(bot, at(6, 0, 6), 1)"""
    late = """
        await goTo(bot, at(1, 0, 2), 1)
        await waitSignal(bot, "lies")
        tell(await caught(bot.sleep(bot.blockAt(at(0, 0, 3)))))
        await sendSignal(bot, others[0], "tried")"""
    try:
        await plot.played(alone, late)
        await plot.command("summon zombie ~3 ~ ~5 {NoAI:1b}")
        await plot.played("tell(await caught(sleepInBed(bot, at(2, 0, 3))))")
    finally:
        await plot.command("time set day")
        await plot.command("kill @e[type=zombie]")
    assert plot.told() == ["NotUsed", True, "NotReached", "NotUsed", False, "NotUsed", "NotUsed"], plot.told()
    assert plot.told(plot.b) == ["NotUsed"], plot.told(plot.b)


@case("a boat is got into, paddled and left")
async def _(plot: Plot) -> None:
    await _pond(plot)
    await plot.command("summon boat ~3.5 ~ ~3.5 {Rotation:[0f,0f]}")
    await plot.played("""
        const boat = bot.nearestEntity((each) => each.name === 'boat')
        const told = []
        bot.on('mount', () => told.push('mount'))
        bot.on('dismount', (left) => told.push(left.id === boat.id))
        await goTo(bot, at(2, 0, 1), 1)
        tell(bot.vehicle)
        await bot.mount(boat)
        tell(bot.vehicle.id === boat.id)
        tell(await caught(goTo(bot, at(0, 0, 0), 1)))
        const from = boat.position
        bot.moveVehicle(0, 1)
        await until(bot, () => boat.position.z - from.z > 1)
        bot.moveVehicle(0, 0)
        await until(bot, () => bot.entity.position.distanceTo(boat.position) < 0.6)
        await bot.dismount()
        tell(bot.vehicle)
        tell(await caught(bot.dismount()))
        await until(bot, () => told.length === 2)
        tell(told)""")
    expected = [None, True, "NotReached", None, "NotUsed", ["mount", True]]
    assert plot.told() == expected, plot.told()


@case("nobody sits on a cow")
async def _(plot: Plot) -> None:
    await plot.command("summon cow ~2 ~ ~2 {NoAI:1b}")
    await plot.played("""
        const cow = bot.nearestEntity((each) => each.name === 'cow')
        tell(await caught(bot.mount(cow)))
        tell(bot.vehicle)""")
    assert plot.told() == ["NotUsed", None]


@case("pages are written into a book, and a signed one stays as it is")
async def _(plot: Plot) -> None:
    await plot.give("writable_book", "stick")
    await plot.played("""
        const slot = () => bot.inventory.items().find((item) => item.name === 'writable_book')?.slot
        tell(await caught(bot.writeBook(slot() + 1, ['x'])))
        tell(await caught(bot.writeBook(slot(), Array(101).fill('x'))))
        tell(await caught(bot.writeBook(slot(), ['x'.repeat(1025)])))
        tell(await caught(bot.writeBook(slot(), 'x')))
        await bot.writeBook(slot(), ['one', 'two'])""")
    assert plot.told() == ["ItemNotInInventory", "LimitExceeded", "LimitExceeded", "BadArgument"], plot.told()
    assert "Found 1" in await plot.command('clear {a} writable_book{pages:["one","two"]} 0')
    await plot.played("""
        const book = bot.inventory.items().find((item) => item.name === 'writable_book')
        tell(await caught(bot.signBook(book.slot, ['end'], bot.username, '')))
        await bot.signBook(book.slot, ['end'], bot.username, 'Ours')
        tell(await caught(bot.writeBook(book.slot, ['more'])))""")
    assert plot.told()[4:] == ["BadArgument", "ItemNotInInventory"]
    assert await plot.items() == {"written_book": 1, "stick": 1}


@case("a book that lies deeper in the inventory is written, and goes back to its slot")
async def _(plot: Plot) -> None:
    await plot.command("item replace entity {a} inventory.3 with writable_book")
    await plot.command("item replace entity {a} hotbar.0 with stick 3")
    await plot.played("""
        const book = bot.inventory.items().find((item) => item.name === 'writable_book')
        await bot.writeBook(book.slot, ['deep'])
        const lies = (slot) => bot.inventory.slots[slot]
        await until(bot, () => lies(book.slot)?.name === 'writable_book' && lies(36)?.count === 3)
        tell(book.slot)""")
    assert plot.told() == [12]
    assert "Found 1" in await plot.command('clear {a} writable_book{pages:["deep"]} 0')


@case("lines are written onto a sign")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~2 oak_sign")
    await plot.played("""
        const sign = () => bot.blockAt(at(2, 0, 2))
        tell(await caught(bot.updateSign(sign(), 'a\\nb\\nc\\nd\\ne')))
        tell(await caught(bot.updateSign(bot.blockAt(at(2, -1, 2)), 'a')))
        await bot.updateSign(sign(), 'to the\\nmine')
        await bot.waitForTicks(5)""")
    assert plot.told() == ["LimitExceeded", "NotUsed"], plot.told()
    reply = await plot.command("data get block ~2 ~ ~2 front_text.messages")
    assert "to the" in reply
    assert "mine" in reply


@case("hands reach armour stands, frames and barrels")
async def _(plot: Plot) -> None:
    await plot.command("summon armor_stand ~2 ~ ~2")
    await plot.command("setblock ~-2 ~ ~2 barrel")
    await plot.command("setblock ~-2 ~1 ~-1 stone")
    await plot.give("iron_helmet", "compass", "item_frame")
    await plot.played("""
        const hold = (name) => bot.equip(bot.inventory.items().find((item) => item.name === name), 'hand')
        const named = (name) => bot.nearestEntity((each) => each.name === name)
        await hold('iron_helmet')
        const stand = named('armor_stand')
        await bot.activateEntityAt(stand, stand.position.offset(0, 1.7, 0))
        await until(bot, () => bot.heldItem === null)
        await hold('item_frame')
        tell(await caught(bot.activateBlock(bot.blockAt(at(-2, 1, -1)), at(2, 3, 4))))
        await bot.activateBlock(bot.blockAt(at(-2, 1, -1)), at(0, 0, 1).minus(at(0, 0, 0)))
        await until(bot, () => named('item_frame') !== null)
        const frame = named('item_frame')
        tell(frame.position.floored().equals(at(-2, 1, 0)))
        await hold('compass')
        await bot.activateEntity(frame)
        await until(bot, () => bot.inventory.items().length === 0)
        await bot.activateBlock(bot.blockAt(at(-2, 0, 2)))
        await until(bot, () => bot.currentWindow !== null)
        tell(bot.currentWindow.type.includes('9x3'))
        await bot.closeWindow(bot.currentWindow)
        tell(await caught(bot.activateEntityAt({ id: 999999 }, stand.position)))
        tell(await caught(bot.activateEntityAt(stand, { x: NaN, y: 0, z: 0 })))
        tell(await caught(bot.useOn(null)))""")
    assert plot.told() == ["BadArgument", True, True, "EntityGone", "BadArgument", "BadArgument"], plot.told()


@case("what is put into one ender chest lies in every other, for its player alone", players=2, slow=True)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~2 ender_chest")
    await plot.command("setblock ~-3 ~ ~2 ender_chest")
    await plot.give("dirt 3", "iron_pickaxe")
    await plot.played(
        """
        tell(await depositItemIntoChest(bot, at(2, 0, 2), { dirt: 3 }))
        tell(await getItemFromChest(bot, at(-3, 0, 2), { dirt: 1 }))
        await sendSignal(bot, others[0], "now")
        await waitSignal(bot, "looked")
        tell((await mineBlock(bot, "ender_chest", 2)).mined)
        await placeItem(bot, "obsidian", at(0, 0, 5))""",
        """
        await waitSignal(bot, "now")
        tell(await caught(getItemFromChest(bot, at(2, 0, 2), { dirt: 1 })))
        await goTo(bot, at(2, 0, -6)) // What drops from the chest flies to whoever stands beside it.
        await sendSignal(bot, others[0], "looked")""",
    )
    assert plot.told() == [{"dirt": 3}, {"dirt": 1}, 2], plot.told()
    assert plot.told(plot.b) == ["ItemNotInChest"], plot.told(plot.b)
    # Vanilla drops eight obsidian and keeps the contents (minecraft.wiki, "Ender Chest").
    held = await plot.items()
    assert held == {"dirt": 1, "iron_pickaxe": 1, "obsidian": 15}, held
    await plot.command("setblock ~4 ~ ~-3 ender_chest")
    await plot.played("tell(await getItemFromChest(bot, at(4, 0, -3), { dirt: 2 }))")
    assert plot.told()[3:] == [{"dirt": 2}]


@case("a trapdoor opens and closes by hand and carries who stands on it while it is closed; an iron one stays")
async def _(plot: Plot) -> None:
    await plot.command("fill ~3 ~ ~2 ~5 ~1 ~4 stone hollow")
    await plot.command("fill ~4 ~ ~3 ~4 ~1 ~3 air")
    await plot.command("setblock ~4 ~1 ~3 oak_trapdoor[half=top]")
    await plot.command("setblock ~-3 ~ ~3 iron_trapdoor")
    await plot.command("tp {a} ~4.5 ~2 ~3.5")
    await plot.played("""
        const trap = () => bot.blockAt(at(4, 1, 3))
        const open = () => String(trap().getProperties().open)
        const high = () => bot.entity.position.y - at(0, 0, 0).y
        const until = async (done) => { for (let i = 0; i < 100 && !done(); i++) await bot.waitForTicks(5) }
        await until(() => high() === 2)
        tell([high(), open()])
        await bot.activateBlock(trap())
        await until(() => high() === 0 && open() === "true")
        tell([high(), open()])
        await bot.activateBlock(trap())
        await until(() => open() === "false")
        tell(open())""")
    assert plot.told() == [[2, "false"], [0, "true"], "false"], plot.told()
    await plot.command("tp {a} ~0.5 ~ ~0.5")
    await plot.played("""
        await goTo(bot, at(-3, 0, 1), 1)
        await bot.activateBlock(bot.blockAt(at(-3, 0, 3)))
        await bot.waitForTicks(5)""")
    assert await plot.has_block(-3, 0, 3, "iron_trapdoor[open=false]")
    assert await plot.has_block(4, 1, 3, "oak_trapdoor[open=false]")


@case("TNT that a hand lights goes off, and takes what stands near but not what is hard")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~8 ~ ~8 tnt")
    await plot.command("setblock ~9 ~ ~8 glass")
    await plot.command("setblock ~8 ~ ~9 obsidian")
    await plot.give("flint_and_steel")
    await plot.command("effect give {a} resistance 600 4")
    await plot.played("""
        const standing = () => [[8, 0, 8], [9, 0, 8], [8, 0, 9]].map(([x, y, z]) => bot.blockAt(at(x, y, z)).name)
        await goTo(bot, at(6, 0, 8), 1)
        await bot.equip(bot.inventory.items()[0], "hand")
        await bot.activateBlock(bot.blockAt(at(8, 0, 8)))
        for (let i = 0; i < 100 && standing()[1] === "glass"; i++) await bot.waitForTicks(5)
        tell(standing())""")
    # A power of 4; obsidian's resistance is 1200 (minecraft.wiki, "TNT", "Explosion").
    assert plot.told() == [["air", "air", "obsidian"]], plot.told()


@case("water that is let out runs to the hole and nowhere else, and a bucket takes it back")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~5 ~-1 ~3 air")
    await plot.give("water_bucket")
    await plot.played("""
        const named = (x, y, z) => bot.blockAt(at(x, y, z)).name
        // A look reaches the server with the bot's next step; what comes of a use is there some ticks later.
        const use = async (y, done) => {
          await bot.lookAt(at(3, 0, 3).offset(0.5, y, 0.5), true)
          await bot.waitForTicks(10)
          bot.activateItem()
          for (let i = 0; i < 100 && !done(); i++) await bot.waitForTicks(5)
        }
        await goTo(bot, at(3, 0, 1), 0)
        await bot.equip(bot.inventory.items()[0], "hand")
        await use(0, () => named(5, -1, 3) === "water")
        tell([named(3, 0, 3), named(4, 0, 3), named(5, -1, 3)])
        tell([named(2, 0, 3), named(3, 0, 2), named(3, 0, 4)])
        await use(0.5, () => named(4, 0, 3) === "air" && bot.heldItem?.name === "water_bucket")
        tell([named(3, 0, 3), named(4, 0, 3)])
        tell(bot.inventory.items().map((item) => item.name))""")
    # All water flows to the nearest hole within four blocks (minecraft.wiki, "Water": spread).
    expected = [["water", "water", "water"], ["air", "air", "air"], ["air", "air"], ["water_bucket"]]
    assert plot.told() == expected, plot.told()
