"""Conformance cases: boss bars, teams, attributes and signs, by vanilla's texts on minecraft.wiki."""

from __future__ import annotations

from bridge.errors import CommandError
from tests.conformance.plot import Plot
from tests.conformance.suite import case


async def answer(plot: Plot, command: str) -> str:
    """Return the reply to a command, or the text of a refusal."""
    try:
        return await plot.command(command)
    except CommandError as error:
        return error.reply


@case("a boss bar is made, shown and taken away")
async def _(plot: Plot) -> None:
    assert await answer(plot, 'bossbar add plot:bar "Round"') == "Created custom bossbar [Round]"
    assert await answer(plot, "bossbar set plot:bar max 8") == "Custom bossbar [Round] has changed maximum to 8"
    assert await answer(plot, "bossbar set plot:bar value 3") == "Custom bossbar [Round] has changed value to 3"
    assert await answer(plot, "bossbar get plot:bar value") == "Custom bossbar [Round] has a value of 3"
    assert await answer(plot, "bossbar remove plot:bar") == "Removed custom bossbar [Round]"


@case("team-mates whose team forbids it are told so, and counted", players=2)
async def _(plot: Plot) -> None:
    assert (await answer(plot, "team add t{a}")).startswith("Created team [")
    await plot.command("team add u{a}")
    assert "already exists" in await answer(plot, "team add t{a}")
    await plot.command("team join t{a} {a}")
    await plot.command("team join t{a} {b}")
    assert "has 2 member(s)" in await answer(plot, "team list t{a}")
    await plot.command("team remove t{a}")
    await plot.command("team remove u{a}")
    assert "Unknown team" in await answer(plot, "team list t{a}")


@case("an attribute is a base and its modifiers")
async def _(plot: Plot) -> None:
    name = "attribute {a} generic.attack_damage"
    await plot.command(f"{name} base set 4")
    await plot.command(f"{name} modifier add 0-0-0-0-1 half 0.5 multiply_base")
    assert "is 6.0" in await answer(plot, f"{name} get")
    await plot.command(f"{name} modifier remove 0-0-0-0-1")
    assert "is 4.0" in await answer(plot, f"{name} get")
    await plot.command(f"{name} base set 1")


@case("a sign keeps the text that it was set with")
async def _(plot: Plot) -> None:
    lines = """{front_text:{messages:['"east"','""','""','""']}}"""
    await plot.command(f"setblock ~2 ~ ~ oak_sign{lines}")
    assert "east" in await answer(plot, "data get block ~2 ~ ~ front_text.messages[0]")
