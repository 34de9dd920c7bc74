"""The cases: what the console is told when it asks `execute if` and runs nothing."""

from __future__ import annotations

from bridge.errors import CommandError
from tests.conformance.plot import Plot
from tests.conformance.suite import case


async def answer(plot: Plot, condition: str) -> str:
    """What `execute CONDITION` is answered; refusals are answers, too."""
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
