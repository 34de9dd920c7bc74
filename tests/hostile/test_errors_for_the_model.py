"""Error messages for models: names, lines, nearest words, awaited operations, and nothing about the host."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bridge.prerequisites import ROOT
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Limits, PolicyResult, ProgramOutcome

pytestmark = pytest.mark.live

HEAD = "async function main (bot) {\n"
T = ProgramOutcome.THREW
WATCHDOG = "without waiting"
TABLE: list[tuple[str, ProgramOutcome, str, str, int | None]] = [
    # body on line 2, outcome, error name, message (regular expression), line
    ("bot.chat('hi'", ProgramOutcome.SYNTAX, "SyntaxError", "Unexpected token", 3),
    ("let x = 1; let x = 2", ProgramOutcome.SYNTAX, "SyntaxError", "already been declared", 2),
    ("mineBlok(bot, 'stone')", T, "ReferenceError", "mineBlok is not defined.*mineBlock", 2),
    ("craftItems(bot, 'stick')", T, "ReferenceError", "craftItems is not defined.*craftItem", 2),
    ("bott.chat('x')", T, "ReferenceError", "bott is not defined.*bot", 2),
    ("bot.chatt('x')", T, "NotSupported", r"bot\.chatt.*bot\.chat", 2),
    ("bot.pathfinder.gotoo(1)", T, "NotSupported", r"bot\.pathfinder\.gotoo.*bot\.pathfinder\.goto", 2),
    ("await mineBlock(bot, 'iron_or')", T, "UnknownName", "iron_or.*iron_ore", 2),
    ("await craftItem(bot, 'stik')", T, "UnknownName", "stik.*stick", 2),
    ("await mineBlock('stone')", T, "BadArgument", "first argument must be bot", 2),
    ("await goTo(bot, null)", T, "BadArgument", "", 2),
    ("bot.on('chatt', () => {})", T, "NotSupported", "chatt.*chat", 2),
    ("await sendSignal(bot, 'Nobody', 'go')", T, "UnknownPlayer", "Nobody.*Gizmo", 2),
    ("bot.chat('/op Gizmo')", T, "ChatRefused", "is a command", 2),
    ("null.at(0)", T, "TypeError", "null", 2),
    ("const f = () => {\n  undefined.x }\nf()", T, "TypeError", "undefined", 3),
    ("setTimeout(() => { throw new Error('late') }, 1); await bot.waitForTicks(20)", T, "Error", "late", 2),
    ("Promise.reject(new Error('forgotten')); await bot.waitForTicks(20)", T, "Error", "forgotten", 2),
    ("throw undefined", T, "Error", "undefined", None),
    ("while (true) {}", ProgramOutcome.TIMEOUT, "TimeoutError", WATCHDOG, None),
    ("await bot.waitForTicks(9999)", ProgramOutcome.TIMEOUT, "TimeoutError", r"waiting for waitTicks\(9999\)", None),
    ("await waitSignal(bot, 'go')", T, "Deadlock|SenderEnded", "signal", 2),
    ("await goTo(bot, { x: 150, y: -60, z: 0 })", ProgramOutcome.TIMEOUT, "TimeoutError", r"waiting for goto\(", None),
    ("await new Promise(() => {})", ProgramOutcome.TIMEOUT, "TimeoutError", "a promise that nothing settles", None),
]


@pytest.fixture
async def world(tmp_path: Path) -> AsyncIterator[EmbeddedWorld]:
    async with EmbeddedWorld(seed=1, log_dir=tmp_path) as opened:
        await opened.connect(["Gizmo"])
        yield opened


def faults(body: str, result: PolicyResult, wanted: tuple[ProgramOutcome, str, str, int | None]) -> list[str]:
    """Return the faults of the message about one program."""
    outcome, name, message, line = wanted
    error = result.error
    if error is None:
        return [f"{body}: no error, {result.outcome}"]
    checks = {
        f"outcome {result.outcome}": result.outcome is outcome,
        f"name {error.name}": re.fullmatch(name, error.name),
        f"message {error.message!r}": re.search(message, error.message),
        f"line {error.line}": error.line == line,
        "a host's path": not re.search(rf"{re.escape(str(ROOT))}|node:|bridge/|accord:", error.message),
    }
    return [f"{body}: {what}" for what, holds in checks.items() if not holds]


async def test_every_mistake_is_reported_with_its_remedy(world: EmbeddedWorld) -> None:
    wrong: list[str] = []
    for body, *wanted in TABLE:
        outcome, name, message, line = wanted
        # Programs that run into their time limit get a short one; others as much as a busy machine may take.
        short = outcome is ProgramOutcome.TIMEOUT and message != WATCHDOG
        limits = Limits(wall_s=1.5 if short else 60)
        result = (await world.run({"Gizmo": f"{HEAD}{body}\n}}"}, limits))["Gizmo"]
        wrong += faults(body, result, (outcome, name, message, line))
    assert wrong == []
