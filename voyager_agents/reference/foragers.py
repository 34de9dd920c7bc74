"""Players of a harvested commons such as Commons Harvest, which differ in what they leave on a tree to regrow.

    sustainable-harvester    leaves half of each tree's blocks, those that promote regrowth most
    quota-harvester          like the sustainable one, but at most its quota in the contract
    greedy-harvester         takes the nearest block
    conditional-harvester    like the sustainable one, until it sees an overharvested tree
    aggressive-bot           takes the nearest block and immobilizes players nearby

All are pure functions. A player takes at most two blocks a second.
"""

from __future__ import annotations

from voyager_agents.agent import Action, Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Commons
from voyager_agents.reference.greedy import PlayerState
from voyager_agents.reference.planning import quota
from voyager_agents.reference.policies import literal, program
from voyager_agents.reference.requirements import commons

PACE_TICKS = 10
"""Ticks between two blocks taken by one player."""
LEAVES = 1 / 2
"""Share of a tree's blocks that sustainable players leave."""
TRUST = 1 / 3
"""Share of a tree's blocks below which a conditional cooperator concludes that others overharvest."""
REACH = 4
"""Distance in blocks at which a player can take a block."""
ANGER = 6
"""Distance in blocks within which an aggressive bot attacks."""
PEACE_TICKS = 100
"""Minimum ticks between two attacks."""


def sustainable_harvester(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that leaves half of each tree's blocks, those that promote regrowth most, and then waits."""
    return _action("harvests sustainably", observation, ["const next = () => nearest(spare())"]), state


def quota_harvester(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that harvests sustainably up to the contract's limit; without a limit, until the end.

    Raises PlayerError for a contract without typed terms, because a player without a model cannot read text.
    """
    facts, contract = commons("quota-harvester", observation), observation.contract
    if contract is not None and not (contract.typed or contract.schedule):
        raise PlayerError(
            f"contract {contract.name!r} has no typed terms: a reference player cannot follow its text alone"
        )
    most = None if contract is None else quota(contract, facts, observation.player)
    if most is None:
        return sustainable_harvester(observation, state)
    lines = [f"const next = () => taken < {most} ? nearest(spare()) : null"]
    return _action(f"harvests sustainably, {most} at most", observation, lines), state


def greedy_harvester(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that always takes the nearest block."""
    return _action("takes all", observation, ["const next = () => nearest(trees.flatMap(blocks))"]), state


def conditional_harvester(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that harvests sustainably until it sees an overharvested tree, and then takes everything."""
    lines = [
        "let trusting = true",
        "const next = () => {",
        f"  trusting &&= trees.every((cells) => blocks(cells).length >= cells.length * {TRUST:g})",
        "  return nearest(trusting ? spare() : trees.flatMap(blocks))",
        "}",
    ]
    return _action("harvests sustainably while others do", observation, lines), state


def aggressive_bot(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that immobilizes players nearby, takes the nearest block, and leaves nothing."""
    lines = [
        f"let peace = bot.time.age + {PEACE_TICKS}",
        "const next = async () => {",
        "  const near = Object.values(bot.entities).find((entity) => entity.username &&",
        f"    entity.username !== bot.username && entity.position.distanceTo(bot.entity.position) <= {ANGER})",
        "  if (near !== undefined && bot.time.age >= peace) {",
        f"    peace = bot.time.age + {PEACE_TICKS}",
        "    await patiently(() => immobilize(bot, near.username, 3))",
        "  }",
        "  return nearest(trees.flatMap(blocks))",
        "}",
    ]
    return _action("takes all and attacks", observation, lines), state


def _action(verb: str, observation: Observation, choosing: list[str]) -> Action:
    facts = commons(verb, observation)
    thought = f"{observation.player} {verb}"
    return Action(program(f"forager_{observation.player}", thought, [*_tools(facts), *choosing, *_HARVEST]), thought)


def _tools(facts: Commons) -> list[str]:
    """Return code that declares `trees`, `look`, `blocks`, `spare`, `nearest` and `patiently`."""
    return [
        f"const trees = {literal([list(map(list, tree)) for tree in facts.trees])}",
        "  .map((cells) => cells.map(([x, y, z]) => new Vec3(x, y, z)))",
        f"const middle = new Vec3({', '.join(map(str, facts.middle))})",
        f"const chances = {literal(list(facts.regrowth))}",
        "// All that is left, looked at once for each decision: only where it can grow, which is little to look at.",
        "let left = new Set()",
        "const look = () => {",
        f"  const there = trees.flat().filter((at) => bot.blockAt(at)?.name === {literal(facts.crop)})",
        "  left = new Set(there.map(String))",
        "}",
        "const blocks = (cells) => cells.filter((at) => left.has(String(at)))",
        "// How much a tree can be expected to grow in a second, with these blocks on it.",
        "const growth = (cells, held) => cells.filter((cell) => !held.includes(cell)).map((cell) => {",
        f"  const near = held.filter((other) => other.distanceTo(cell) <= {facts.near:g}).length",
        "  return chances[Math.min(near, chances.length - 1)]",
        "}).reduce((sum, chance) => sum + chance, 0)",
        "// Of each tree with more than is to be left the block that it misses least.",
        "const spare = () => trees.flatMap((cells) => {",
        "  const held = blocks(cells)",
        f"  if (held.length <= cells.length * {LEAVES:g}) return []",
        "  const without = held.map((at) => ({ at, grows: growth(cells, held.filter((other) => other !== at)) }))",
        "  return [without.reduce((a, b) => (b.grows > a.grows ? b : a)).at]",
        "})",
        "const nearest = (places) => {",
        "  const here = bot.entity.position",
        "  return places.reduce((a, b) => (a === null || here.distanceTo(b) < here.distanceTo(a) ? b : a), null)",
        "}",
        "// Others take what one was about to take, hit one, or stand in the way: all in the day's work.",
        "const patiently = async (job) => {",
        "  try {",
        "    await job()",
        "  } catch (error) {",
        "    const taken = ['BlockGone', 'NotBroken', 'OutOfReach', 'UnknownPlayer', 'EntityGone']",
        "    const away = ['NoPath', 'NotReached', 'TimedOut']",
        "    if (![...taken, ...away].includes(error.name)) throw error",
        "    await bot.waitForTicks(5)",
        "  }",
        "}",
    ]


_HARVEST = (
    "let taken = 0",
    "for (;;) {",
    "  look()",
    "  const at = await next()",
    "  const begun = bot.time.age",
    "  if (at === null) {",
    "    if (bot.entity.position.distanceTo(middle) > 6) await patiently(() => goTo(bot, middle, 4))",
    "    await bot.waitForTicks(10)",
    "    continue",
    "  }",
    "  await patiently(async () => {",
    f"    if (bot.entity.position.distanceTo(at) > {REACH}) await goTo(bot, at, {REACH - 1})",
    "    const block = bot.blockAt(at)",
    "    if (block === null || block.name === 'air') return",
    "    await bot.dig(block, true)",
    "    taken++",
    "  })",
    f"  await bot.waitForTicks(Math.max(1, {PACE_TICKS} - (bot.time.age - begun)))",
    "}",
)
"""Loop around `next()`, which returns the cell to take from, or null; `taken` counts the blocks obtained."""
