"""Compliance checks of primitives."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

from accord.compliance.finding import ComplianceFinding, NotMet, require, run_check
from bridge.plugin_primitives import PRIMITIVES, documentation
from bridge.types import Limits, PolicyResult, ProgramOutcome
from bridge.worlds import open_world

PLAYER = "Gizmo"
MIN_DESCRIPTION_CHARS = 20
"""Minimum length of the description, in characters."""
WALL_S = 60.0
"""Maximum game time of an example, in seconds."""
LAND = (
    f"gamemode survival {PLAYER}", "gamerule doMobSpawning false", "fill -8 -61 -8 8 -61 8 minecraft:grass_block",
    "fill -8 -60 -8 8 -56 8 minecraft:air", f"tp {PLAYER} 0.5 -60 0.5",
)  # fmt: skip
"""Commands that prepare flat land for the examples."""
UNFINISHED = ("ReferenceError", "TypeError", "SyntaxError", "RangeError", "NoFunction", "Error")
"""Errors of defective code; a primitive's own errors have names of their own."""


async def check_primitive(name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for a primitive.

    Args:
        name: Name of the primitive.
        out: Folder for logs of what is played.
        played: Include the checks that run its example.
    """
    thing = f"primitive {name}"
    loaded: list[str] = []
    yield await run_check(thing, "can be read", lambda: loaded.append(PRIMITIVES[name]))
    if not loaded:
        return
    yield await run_check(thing, "is documented", lambda: check_documented(name))
    if played:
        yield await run_check(thing, "its example runs, the same each time", lambda: check_example(name, out))


def check_documented(name: str) -> None:
    """Check that its JSDoc tells models its purpose and usage. Raises NotMet."""
    text = _doc(name)
    about = re.split(r"\n@", text)[0]
    require(
        len(about) > MIN_DESCRIPTION_CHARS,
        f"the JSDoc says in {len(about)} characters what it does; give more than {MIN_DESCRIPTION_CHARS}",
    )
    require("@returns" in text, "the JSDoc has no @returns")
    _example(name)


async def check_example(name: str, out: Path) -> str:
    """Check that its example ends by itself, normally or with a named error, and repeatably. Raises NotMet."""
    first, second = [await _run(name, out / str(number)) for number in range(2)]
    require(first.outcome in (ProgramOutcome.RETURNED, ProgramOutcome.THREW), f"the example ends as {first.outcome}")
    error = first.error.name if first.error else ""
    require(error not in UNFINISHED, f"the example throws {error}: {first.error.message if first.error else ''}")
    require(
        (first.outcome, first.error) == (second.outcome, second.error), "the example ends otherwise the second time"
    )
    return f"{first.outcome}{f' ({error})' if error else ''}"


async def _run(name: str, out: Path) -> PolicyResult:
    async with open_world("mock", seed=0, log_dir=out) as world:
        await world.connect([PLAYER])
        for text in LAND:
            await world.command(text)
        program = f"async function example (bot) {{\n  {_example(name)}\n}}"
        return (await world.run({PLAYER: program}, Limits(wall_s=WALL_S)))[PLAYER]


def _doc(name: str) -> str:
    section = documentation().partition(f"### {name}\n\n")[2]
    return section.partition("\n\n### ")[0]


def _example(name: str) -> str:
    found = re.search(rf"@example (.*\b{re.escape(name)}\(bot.*)", _doc(name))
    if found is None:
        raise NotMet(f"the JSDoc has no @example that calls {name}(bot, ...)")
    return found[1]
