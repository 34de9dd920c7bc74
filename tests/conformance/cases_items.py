"""Conformance cases: chests, crafting, furnaces, commands, signals, chat, death, mobs."""

from __future__ import annotations

from tests.conformance.plot import ARRIVAL_LOOKS, SETTLE_S, Plot
from tests.conformance.suite import case

CHEST = "setblock ~3 ~ ~ chest"


@case("what is put into a chest lies in it, and can be taken out")
async def _(plot: Plot) -> None:
    await plot.command(CHEST)
    await plot.give("emerald 5", "dirt 70")
    await plot.played("""
        const chest = at(3, 0, 0)
        tell(await depositItemIntoChest(bot, chest, { emerald: 3, dirt: 70 }))
        tell(await checkItemInsideChest(bot, chest))
        tell(await getItemFromChest(bot, chest, { dirt: 66 }))
        tell(await checkItemInsideChest(bot, chest))""")
    assert plot.told() == [
        {"emerald": 3, "dirt": 70},
        {"emerald": 3, "dirt": 70},
        {"dirt": 66},
        {"emerald": 3, "dirt": 4},
    ]
    assert await plot.items() == {"dirt": 66, "emerald": 2}


@case("the only item of a chest goes to one of two hands", players=2)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~1 ~ ~2 chest")
    await plot.command("item replace block ~1 ~ ~2 container.0 with iron_pickaxe 1")
    program = "tell(await caught(getItemFromChest(bot, at(1, 0, 2), { iron_pickaxe: 1 })))"
    await plot.played(program, program)
    assert sorted([*plot.told(), *plot.told(plot.b)], key=str) == ["ItemNotInChest", None]
    owners = [(await plot.items(name)).get("iron_pickaxe", 0) for name in plot.names]
    assert sorted(owners) == [0, 1]


@case("more than a chest holds cannot be taken out")
async def _(plot: Plot) -> None:
    await plot.command(CHEST)
    await plot.command("item replace block ~3 ~ ~ container.5 with diamond 3")
    await plot.played("tell(await getItemFromChest(bot, at(3, 0, 0), { diamond: 10 }))")
    assert plot.told() == [{"diamond": 3}]
    assert await plot.items() == {"diamond": 3}


@case("an empty chest gives nothing, by name")
async def _(plot: Plot) -> None:
    await plot.command(CHEST)
    await plot.played("tell(await caught(getItemFromChest(bot, at(3, 0, 0), { diamond: 1 })))")
    assert plot.told() == ["ItemNotInChest"]


@case("a full chest takes nothing more, by name")
async def _(plot: Plot) -> None:
    await plot.command(CHEST)
    for slot in range(27):
        await plot.command(f"item replace block ~3 ~ ~ container.{slot} with stone 64")
    await plot.give("diamond")
    await plot.played("tell(await caught(depositItemIntoChest(bot, at(3, 0, 0), { diamond: 1 })))")
    assert plot.told() == ["ChestFull"]
    assert await plot.items() == {"diamond": 1}


@case("where no chest is none can be opened")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ stone")
    await plot.played("tell(await caught(checkItemInsideChest(bot, at(3, 0, 0))))")
    assert plot.told() == ["ChestNotFound"]


@case("a double chest has 54 slots")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ chest[facing=north,type=left]")
    await plot.command("setblock ~4 ~ ~ chest[facing=north,type=right]")
    await plot.played("""
        const chest = await bot.openContainer(bot.blockAt(at(3, 0, 0)))
        tell(chest.inventoryStart)
        await chest.close()""")
    assert plot.told() == [54]


@case("a chest that is broken spills what was in it")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ chest")
    await plot.command("item replace block ~2 ~ ~ container.3 with diamond 2")
    await plot.give("iron_axe")
    await plot.played("""
        await equipItem(bot, "iron_axe")
        await bot.dig(bot.blockAt(at(2, 0, 0)))
        await collectDrops(bot, 8)""")
    assert await plot.items() == {"chest": 1, "diamond": 2, "iron_axe": 1}


@case("the same chest shows the same to two who look into it", players=2)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~1 ~ ~2 chest")
    await plot.give("emerald 4")
    await plot.played(
        "await waitSignal(bot, 'open'); await depositItemIntoChest(bot, at(1, 0, 2), { emerald: 4 })",
        """const chest = await bot.openContainer(bot.blockAt(at(1, 0, 2)))
        tell(chest.containerItems().length)
        await sendSignal(bot, others[0], "open")
        await until(bot, () => chest.containerItems().length > 0)
        tell(chest.containerItems().map((item) => item.count))
        await chest.close()""",
    )
    assert plot.told(plot.b) == [0, [4]]


@case("planks are crafted in the own grid")
async def _(plot: Plot) -> None:
    await plot.give("oak_log 2")
    await plot.played('tell(await craftItem(bot, "oak_planks", 2))')
    assert plot.told() == [8]
    assert await plot.items() == {"oak_planks": 8}


@case("a pickaxe is crafted at a table")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ crafting_table")
    await plot.give("cobblestone 4", "stick 2")
    await plot.played('tell(await craftItem(bot, "stone_pickaxe", 1))')
    assert plot.told() == [1]
    assert await plot.items() == {"cobblestone": 1, "stone_pickaxe": 1}


@case("without table or ingredients nothing is crafted, and nothing lost")
async def _(plot: Plot) -> None:
    await plot.give("cobblestone 3", "stick 2")
    await plot.played('tell(await caught(craftItem(bot, "stone_pickaxe", 1)))')
    await plot.command("setblock ~3 ~ ~ crafting_table")
    await plot.played('tell(await caught(craftItem(bot, "iron_pickaxe", 1)))')
    assert plot.told() == ["NoRecipe", "NoRecipe"]
    assert await plot.items() == {"cobblestone": 3, "stick": 2}


@case("iron is smelted with coal, ten seconds each", slow=True)
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ furnace")
    await plot.give("raw_iron 2", "coal")
    await plot.played("""
        const began = Date.now()
        tell(await smeltItem(bot, "raw_iron", "coal", 2))
        tell(Date.now() - began)""")
    obtained, took = plot.told()
    assert obtained == {"iron_ingot": 2}
    assert plot.took(took, 19_000, 25_000)
    assert await plot.items() == {"iron_ingot": 2}


@case("a furnace without fuel stays cold")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~3 ~ ~ furnace")
    await plot.give("raw_iron")
    await plot.played('tell(await caught(smeltItem(bot, "raw_iron", "coal", 1)))')
    assert plot.told() == ["ItemNotInInventory"]
    assert await plot.items() == {"raw_iron": 1}


@case("fill says how many blocks it filled")
async def _(plot: Plot) -> None:
    assert await plot.command("fill ~2 ~ ~2 ~4 ~2 ~4 gold_block") == "Successfully filled 27 block(s)"
    assert await plot.has_block(3, 1, 3, "gold_block")
    assert await plot.command("fill ~2 ~ ~2 ~4 ~2 ~4 air") == "Successfully filled 27 block(s)"
    assert await plot.has_block(3, 1, 3, "air")


@case("setblock changes one block")
async def _(plot: Plot) -> None:
    x, y, z = plot.at(2, 0, 2)
    assert await plot.command("setblock ~2 ~ ~2 diamond_block") == f"Changed the block at {x}, {y}, {z}"


@case("give and clear say whom and how many")
async def _(plot: Plot) -> None:
    assert await plot.command("give {a} stick 3") == f"Gave 3 [Stick] to {plot.a}"
    assert await plot.command("give {a} diamond 130") == f"Gave 130 [Diamond] to {plot.a}"
    assert await plot.items() == {"diamond": 130, "stick": 3}
    assert await plot.command("clear {a} stick") == f"Removed 3 item(s) from player {plot.a}"
    assert await plot.items() == {"diamond": 130}


@case("a player is teleported to where the command says")
async def _(plot: Plot) -> None:
    await plot.command("tp {a} ~10 ~ ~-5")
    await plot.played("await bot.waitForTicks(10)")
    x, _, z = (await plot.see()).position
    assert (round(x - plot.at(10, 0, 0)[0]), round(z - plot.at(0, 0, -5)[2])) in {(0, 0), (1, 1), (0, 1), (1, 0)}


@case("wrong commands are refused in vanilla's words")
async def _(plot: Plot) -> None:
    assert (await plot.refused("frobnicate now")).startswith("Unknown or incomplete command, see below for error")
    assert "Unknown block type 'minecraft:no_such_block'" in await plot.refused("setblock ~ ~ ~ no_such_block")
    assert "Unknown item 'minecraft:no_such_item'" in await plot.refused("give {a} no_such_item")
    assert await plot.refused("give Nobody stick") == "No player was found"


@case("scores are set and read")
async def _(plot: Plot) -> None:
    goal = f"s{plot.a}"
    await plot.command(f"scoreboard objectives add {goal} dummy")
    await plot.command(f"scoreboard players set {{a}} {goal} 7")
    await plot.command(f"scoreboard players add {{a}} {goal} 5")
    assert await plot.command(f"scoreboard players get {{a}} {goal}") == f"{plot.a} has 12 [{goal}]"
    await plot.command(f"scoreboard objectives remove {goal}")


@case("a signal wakes who waits for it", players=2)
async def _(plot: Plot) -> None:
    await plot.played(
        'await bot.waitForTicks(20); tell(await sendSignal(bot, others[0], "go"))',
        'const signal = await waitSignal(bot, "go"); tell([signal.from, signal.name])',
    )
    assert plot.told() == [True]
    assert plot.told(plot.b) == [[plot.a, "go"]]
    assert {"from": plot.a, "to": plot.b, "name": "go"} in plot.events("signal")


@case("a signal sent before the wait is kept", players=2)
async def _(plot: Plot) -> None:
    await plot.played(
        'await sendSignal(bot, others[0], "early"); await bot.waitForTicks(60)',
        'await waitSignal(bot, "early", async () => { await bot.waitForTicks(30) }); tell("woken")',
    )
    assert plot.told(plot.b) == ["woken"]


@case("two who wait for each other are told of the deadlock", players=2)
async def _(plot: Plot) -> None:
    program = "tell(await caught(waitSignal(bot, others[0])))"
    await plot.played(program, program)
    assert plot.told() == ["Deadlock"]
    assert plot.told(plot.b) == ["Deadlock"]


@case("who waits for a player that has ended is told so", players=2)
async def _(plot: Plot) -> None:
    await plot.played("await bot.waitForTicks(20)", "tell(await caught(waitSignal(bot, others[0])))")
    assert plot.told(plot.b) == ["SenderEnded"]


@case("what one says the other hears", players=2)
async def _(plot: Plot) -> None:
    await plot.played(
        'await bot.waitForTicks(20); await say(bot, "I take the iron"); await bot.waitForTicks(20)',
        """const heard = new Promise((resolve) => bot.on("chat", (from, text) => {
          if (from === others[0]) resolve([from, text])
        }))
        tell(await heard)""",
    )
    assert plot.told(plot.b) == [[plot.a, "I take the iron"]]
    assert {"from": plot.a, "text": "I take the iron"} in plot.events("chat")


@case("what was not said when a program ends is never said, and its author is told")
async def _(plot: Plot) -> None:
    await plot.played("for (let i = 1; i <= 20; i++) bot.chat(`line ${i}`)")
    await plot.played("bot.chat('mine'); await bot.waitForTicks(60)")

    def said() -> list[str]:
        return [chat["text"] for chat in plot.events("chat") if chat["from"] == plot.a]

    for _ in range(ARRIVAL_LOOKS):
        if "mine" in said():
            break
        await plot.world.sleep(SETTLE_S)
    (told,) = [log for log in plot.events("log") if log["bot"] == plot.a]
    unsaid = int(told["text"].partition(" ")[0])
    assert told["text"].startswith(f'{unsaid} lines were not said, "line {21 - unsaid}" first: the run ended')
    assert unsaid > 0
    assert said() == [*(f"line {number}" for number in range(1, 21 - unsaid)), "mine"]


@case("players say no commands")
async def _(plot: Plot) -> None:
    await plot.played('tell(await caught(say(bot, "/give @s diamond 64")))')
    assert plot.told() == ["ChatRefused"]
    assert await plot.items() == {}


@case("whoever dies drops everything and comes back")
async def _(plot: Plot) -> None:
    await plot.give("diamond 3")
    await plot.command("gamerule doImmediateRespawn true")
    x, y, z = plot.at(0, 0, 0)
    await plot.command(f"spawnpoint {{a}} {x} {y} {z}")
    await plot.command("kill {a}")
    await plot.played("await until(bot, () => bot.isAlive && bot.health === 20); await bot.waitForTicks(40)")
    states = [data["state"] for data in plot.events("bot") if data["bot"] == plot.a]
    assert "died" in states
    await plot.played("await collectDrops(bot, 16)")
    assert await plot.items() == {"diamond": 3}


@case("a cow is hunted and gives beef")
async def _(plot: Plot) -> None:
    await plot.command("summon cow ~5 ~ ~1")
    await plot.give("iron_sword")
    await plot.played('tell(await killMob(bot, "cow", 60))')
    assert plot.told()[0].get("beef", 0) >= 1
    assert (await plot.items())["beef"] == plot.told()[0]["beef"]


@case("a player is hit where it stands, and the clock goes on", players=2)
async def _(plot: Plot) -> None:
    await plot.played(
        f"""
        const before = readClock(bot)
        await immobilize(bot, "{plot.b}")
        tell(readClock(bot).tick - before.tick)""",
        """
        while (bot.health === 20) await bot.waitForTicks(1)
        tell(bot.health)""",
    )
    assert plot.took(plot.told()[0], 1, 200)
    assert 0 < plot.told(plot.b)[0] < 20
    assert (await plot.see()).health == 20


@case("unsupported members are refused by name")
async def _(plot: Plot) -> None:
    await plot.played("""
        try { bot.creativ } catch (error) { tell([error.name, error.message]) }""")
    ((name, message),) = plot.told()
    assert name == "NotSupported"
    assert message.startswith("bot.creativ; nearest supported: bot.")
