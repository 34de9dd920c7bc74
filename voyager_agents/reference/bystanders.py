"""Players that take no part in a game, as stand-ins for absent players.

    idle      stands still and does nothing
    random    draws each of its acts uniformly from those that the scenario's facts name, and waits in between

Both make no agreements and pay nothing.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import Commons, Facts, Place, PublicGood, StageGame
from voyager_agents.reference.booths import USES
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.policies import items, literal, program

IDLE, RANDOM = "idle", "random"
BYSTANDERS = frozenset({IDLE, RANDOM})
"""Kinds of players that take no part."""
PAUSE = 10
"""Ticks (20 per second) between two random acts."""
STEPS = 6
"""Maximum distance of a random walk along each axis, in blocks."""
IMPOSSIBLE = (
    "BlockNotFound", "BlockGone", "NotBroken", "NoTool", "NoPath", "NotReached", "OutOfReach", "TimedOut",
    "ItemNotInChest", "ItemNotInInventory", "ChestFull", "InventoryFull",
)  # fmt: skip
"""Names of errors of acts that are not possible at the moment."""


def idle(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that does nothing; `state` is returned unchanged."""
    me = observation.player
    return Action(program(f"idle_{me}", f"{me} does nothing.", []), "does nothing"), state


def random_actor(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that acts at random until the episode ends; `state` is returned unchanged."""
    me = observation.player
    seed = random.Random(f"random:{state.seed}:{me}:{observation.episode}").getrandbits(32)
    lines = [
        f"let drawn = {seed}",
        "// A linear congruential generator (Numerical Recipes): programs have no seeded randomness of their own.",
        "const draw = (below) => {",
        "  drawn = (drawn * 1664525 + 1013904223) % 4294967296",
        "  return Math.floor((drawn / 4294967296) * below)",
        "}",
        "const wander = () => {",
        f"  const [x, z] = [draw({2 * STEPS + 1}) - {STEPS}, draw({2 * STEPS + 1}) - {STEPS}]",
        "  return goTo(bot, bot.entity.position.offset(x, 0, z), 1)",
        "}",
        "const acts = [",
        *(f"  () => {act}," for act in ["wander()", *_acts(observation)]),
        "]",
        "for (;;) {",
        "  try {",
        "    await acts[draw(acts.length)]()",
        "  } catch (error) {",
        f"    if (!{literal(list(IMPOSSIBLE))}.includes(error.name)) throw error",
        "  }",
        f"  await bot.waitForTicks({PAUSE})",
        "}",
    ]
    return Action(program(f"random_{me}", f"{me} acts at random.", lines), "acts at random"), state


def _acts(observation: Observation) -> list[str]:
    """Return one JavaScript expression for each act that the facts name; a plugin's facts name none."""
    match observation.facts:
        case Facts() as facts:
            mining = [_mine(ore.block) for ore in facts.ores]
            chest = facts.chest
            taking = [f"getItemFromChest(bot, {_vec(chest)}, {items({tool.name: 1})})" for tool in facts.tools if chest]
            return [*mining, *taking]
        case PublicGood() as facts:
            return [_mine(facts.crop), _mine(facts.waste), _go(facts.field), _go(facts.commons)]
        case Commons() as facts:
            return [_mine(facts.crop), _go(facts.middle)]
        case StageGame() as facts:
            return [f"({USES[facts.by]})({_vec(cell)})" for cell in facts.devices[observation.player]]
    return []


def _mine(block: str) -> str:
    return f"mineBlock(bot, {literal(block)}, 1)"


def _go(place: Place) -> str:
    return f"goTo(bot, {_vec(place)}, 2)"


def _vec(place: Sequence[int]) -> str:
    return f"new Vec3({', '.join(str(int(part)) for part in place)})"
