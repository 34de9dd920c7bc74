"""Programs of decisions: legality checks, and the short programs of primitives that carry decisions out.

The names and places in these programs are the scenario's own. Of an agent's words only its speech gets into a program,
as a quoted literal.
"""

from __future__ import annotations

import json

from bridge.types import PolicyResult, ProgramOutcome
from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.commons_harvest.spec import Orchard
from voyager_agents.commons_harvest import HarvestDecision, Place

MAX_SPEECH = 240
"""Maximum length of a speech in characters; the game takes 256."""
STRIKE_S = 3
"""Seconds that a player tries to hit another once it is near."""
_AWAY = json.dumps(["NoPath", "NotReached", "TimedOut"])
_MISSED = json.dumps(["NoPath", "NotReached", "TimedOut", "UnknownPlayer", "EntityGone", "OutOfReach"])
_TAKEN = json.dumps(["BlockGone", "NotBroken", "OutOfReach"])


def legality_fault(decision: HarvestDecision, player: str, players: tuple[str, ...], orchard: Orchard) -> str:
    """Return the reason why a decision is illegal, as the player reads it, or an empty text.

    Args:
        decision: The decision.
        player: Name of the player that decided.
        players: Names of all players.
        orchard: The field.
    """
    last = f"{orchard.columns - 1}, {orchard.rows - 1}"
    if decision.move in ("go", "explore") and decision.to is None:
        return f"{decision.move} needs a position; give one from (0, 0) to ({last})"
    if decision.move != "stay" and decision.to is not None and not orchard.inside(decision.to):
        return f"{decision.move}: {decision.to} is outside of the field; legal positions are (0, 0) to ({last})"
    if decision.move == "immobilize":
        others = [name for name in players if name != player]
        if decision.target not in others:
            return f"immobilize: there is no other player {decision.target!r}; legal are {', '.join(others)}"
    if decision.move not in ("go", "immobilize", "stay", "explore"):
        return f"{decision.move!r} is no move; legal are go, immobilize, stay and explore"
    return ""


def speech_of(decision: HarvestDecision) -> str:
    """Return the decision's speech, in one line."""
    return " ".join(decision.say.split())[:MAX_SPEECH]


def program(decision: HarvestDecision, orchard: Orchard, origin: Cell) -> str | None:
    """Return the program of a legal decision, or None if it neither moves nor speaks."""
    lines = []
    if speech_of(decision):
        # A chat line that starts with a slash would be a command, so a space is put before it.
        text = speech_of(decision)
        lines.append(f"await say(bot, {json.dumps(' ' + text if text.startswith('/') else text)})")
    match decision.move:
        case "go" if decision.to is not None:
            lines += [*_walk(decision.to, origin), *_pick(orchard)]
        case "explore" if decision.to is not None:
            lines += _walk(decision.to, origin)
        case "immobilize":
            lines += [*(_walk(decision.to, origin) if decision.to else ()), *_strike(decision.target)]
    if not lines:
        return None
    body = "\n".join(f"  {line}" for line in lines)
    return f"async function move (bot) {{\n{body}\n}}\n"


def _walk(to: Place, origin: Cell) -> list[str]:
    x, y, z = origin[0] + to[0], origin[1], origin[2] + to[1]
    return [f"const at = new Vec3({x}, {y}, {z})", *_trying("await goTo(bot, at, 1)", _AWAY)]


def _pick(orchard: Orchard) -> list[str]:
    """Return a statement that takes the apple in a cell, if there is one."""
    found = f"bot.blockAt(at)?.name === {json.dumps(orchard.apple)}"
    near = "bot.entity.position.distanceTo(at) <= 4"
    return _trying(f"if ({found} && {near}) await bot.dig(bot.blockAt(at), true)", _TAKEN)


def _strike(target: str) -> list[str]:
    return _trying(f"await immobilize(bot, {json.dumps(target)}, {STRIKE_S})", _MISSED)


def _trying(statement: str, expected: str) -> list[str]:
    """Return a statement whose failures in the ways that are a part of the game are ignored."""
    return [
        "try {",
        f"  {statement}",
        "} catch (error) {",
        f"  if (!{expected}.includes(error.name)) throw error",
        "}",
    ]


def failure(result: PolicyResult) -> str:
    """Return the fault of a move's program; empty for none, and for a move that was too long for its round."""
    if result.outcome in (ProgramOutcome.THREW, ProgramOutcome.SYNTAX) and result.error is not None:
        return f"the move failed: {result.error.name}: {result.error.message}"
    return ""
