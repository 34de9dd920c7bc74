"""Conformance cases: replies to `execute if` without `run`."""

from __future__ import annotations

from bridge.errors import CommandError
from tests.conformance.plot import Plot
from tests.conformance.suite import case


async def answer(plot: Plot, condition: str) -> str:
    """Return the reply to `execute CONDITION`, or the text of a refusal."""
    try:
        return await plot.command(f"execute {condition}")
    except CommandError as error:
        return error.reply


@case("a test of entities tells how many there are", players=2)
async def _(plot: Plot) -> None:
    assert await answer(plot, "if entity {a}") == "Test passed, count: 1"
    assert await answer(plot, "unless entity {a}") == "Test failed, count: 1"
    assert await answer(plot, "if entity @e[type=ender_dragon]") == "Test failed"
    assert await answer(plot, "unless entity @e[type=ender_dragon]") == "Test passed"
    around = "positioned ~ ~ ~ if entity @a[distance=..10]"
    assert await answer(plot, around) == "Test passed, count: 2"
    assert await answer(plot, around.replace("if", "unless")) == "Test failed, count: 2"


@case("a test of one block or score passes or fails without a number")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ chest")
    assert await answer(plot, "if block ~2 ~ ~ chest") == "Test passed"
    assert await answer(plot, "unless block ~2 ~ ~ chest") == "Test failed"
    assert await answer(plot, "if block ~2 ~ ~ stone") == "Test failed"
    await plot.command("scoreboard objectives add tries_{a} dummy")
    await plot.command("scoreboard players set {a} tries_{a} 3")
    assert await answer(plot, "if score {a} tries_{a} matches 2..") == "Test passed"
    assert await answer(plot, "if score {a} tries_{a} matches 4..") == "Test failed"
    assert await answer(plot, "unless score {a} tries_{a} matches 4..") == "Test passed"


@case("a test of data or of blocks tells how many it compared")
async def _(plot: Plot) -> None:
    await plot.command("setblock ~2 ~ ~ chest")
    await plot.command("item replace block ~2 ~ ~ container.0 with stone 5")
    await plot.command("item replace block ~2 ~ ~ container.3 with dirt 1")
    assert await answer(plot, "if data block ~2 ~ ~ Items[]") == "Test passed, count: 2"
    assert await answer(plot, "if data block ~2 ~ ~ Nothing") == "Test failed"
    await plot.command("fill ~4 ~ ~ ~5 ~1 ~ stone")
    await plot.command("fill ~4 ~ ~3 ~5 ~1 ~3 stone")
    assert await answer(plot, "if blocks ~4 ~ ~ ~5 ~2 ~ ~4 ~ ~3 all") == "Test passed, count: 6"
    assert await answer(plot, "if blocks ~4 ~ ~ ~5 ~2 ~ ~4 ~ ~3 masked") == "Test passed, count: 4"
    assert await answer(plot, "unless blocks ~4 ~ ~ ~5 ~2 ~ ~4 ~ ~3 masked") == "Test failed, count: 4"
    await plot.command("setblock ~4 ~ ~3 dirt")
    assert await answer(plot, "if blocks ~4 ~ ~ ~5 ~2 ~ ~4 ~ ~3 all") == "Test failed"


@case("data is set, appended, cut out and copied between storages, blocks and bodies")
async def _(plot: Plot) -> None:
    store = f"storage conformance:{plot.a.lower()}"
    await plot.command(f"data merge {store} {{list:[1,2],text:'abc'}}")
    await plot.command(f"data modify {store} list append value 3")
    await plot.command(f"data modify {store} list prepend value 0")
    await plot.command(f"data modify {store} deep.copy set from {store} list[-1]")
    await plot.command(f"data modify {store} part set string {store} text 1 2")
    await plot.command(f"data remove {store} list[0]")
    reply = await plot.command(f"data get {store}")
    for part in ("list: [1, 2, 3]", "deep: {copy: 3}", 'part: "b"'):
        assert part in reply, reply
    await plot.command("setblock ~3 ~ ~ chest")
    item = '{Slot:4b,id:"minecraft:emerald",Count:5b}'
    await plot.command(f"data modify block ~3 ~ ~ Items append value {item}")
    assert "5b" in await plot.command("data get block ~3 ~ ~ Items[0].Count")
    await plot.command("summon pig ~4 ~ ~4 {NoAI:1b}")
    pig = "@e[type=pig,distance=..9,limit=1]"
    await plot.command(f"execute positioned ~ ~ ~ run data modify entity {pig} Health set value 4f")
    assert "4.0f" in await plot.command(f"execute positioned ~ ~ ~ run data get entity {pig} Health")
    await plot.command("execute positioned ~ ~ ~ run kill @e[type=pig,distance=..9]")


@case("results are stored in data and scores, and conditions ask for biomes and riders")
async def _(plot: Plot) -> None:
    store = f"storage conformance:{plot.a.lower()}_stored"
    await plot.command("scoreboard objectives add stored_{a} dummy")
    await plot.command(f"execute store result {store} n int 2 if entity {{a}}")
    assert "2" in await plot.command(f"data get {store} n")
    await answer(plot, "store success score {a} stored_{a} run clear {a} diamond")
    assert "has 0" in await plot.command("scoreboard players get {a} stored_{a}")
    assert await answer(plot, "if biome ~ ~ ~ plains") == "Test passed"
    assert await answer(plot, "if biome ~ ~ ~ #is_ocean") == "Test failed"
    await plot.command('summon pig ~3 ~ ~3 {NoAI:1b,Passengers:[{id:"minecraft:chicken"}]}')
    here = "positioned ~ ~ ~ as @e[type=pig,distance=..9]"
    assert await answer(plot, f"{here} on passengers if entity @s[type=chicken]") == "Test passed, count: 1"
    await plot.command("execute positioned ~ ~ ~ run kill @e[type=!player,distance=..9]")


@case("bodies of all sorts are summoned and seen, but for a marker")
async def _(plot: Plot) -> None:
    kinds = (
        "llama",
        "fox",
        "squid",
        "villager",
        "zombie_villager",
        "minecart",
        "armor_stand",
        "text_display",
        "interaction",
    )
    for index, kind in enumerate(kinds):
        await plot.command(f"summon {kind} ~{index - 4} ~ ~6 {{NoAI:1b,NoGravity:1b,Invulnerable:1b}}")
    await plot.command("summon marker ~ ~ ~6")
    await plot.played(f"""
        const wanted = {list(kinds)!r}
        await until(bot, () => wanted.every((name) => bot.nearestEntity((each) => each.name === name)))
        tell(wanted.length)
        tell(bot.nearestEntity((each) => each.name === 'marker'))""")
    assert plot.told() == [len(kinds), None], plot.told()
    await plot.command("execute positioned ~ ~ ~ run kill @e[type=!player,distance=..16]")
