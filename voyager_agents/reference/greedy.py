"""Greedy player: maximizes its own earnings and leaves the others what it cannot carry away.

It considers only its own payoffs: the tool that earns most, and the ore that others could still take from it. A
temperament drawn from the seed decides if it hoards every tool, in which order it mines, and how long it hesitates
before the race to the chest. The world decides the outcome.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import Facts, Ore, Tool
from voyager_agents.reference.policies import MINE_ALL, TAKE, chest_lines, items, literal, program, wait_ticks
from voyager_agents.reference.requirements import mining_facts

HOARDING = 1 / 2
"""Share of greedy players that take all tools: it costs nothing and denies the others the contested ore."""
FORESIGHT = 2 / 3
"""Share of greedy players that first mine the ore that others could take from them."""
MAX_HESITATION = 40
"""Maximum ticks (20 per second) that a greedy player waits before it runs."""


@dataclass(frozen=True)
class Temperament:
    """Character of a greedy player."""

    hoards: bool
    """True if it takes all tools out of the chest, so that others can mine nothing."""
    contested_first: bool
    """True if it mines contested ore first, then ore that only it can mine; otherwise it mines by value."""
    hesitation: int
    """Ticks before it starts."""


@dataclass(frozen=True)
class PlayerState:
    """State of a reference player: its seed, from which all randomness derives."""

    seed: int


def temperament(seed: int, player: str, episode: int) -> Temperament:
    """Return the player's temperament in an episode; equal for equal arguments."""
    draw = random.Random(f"greedy:{seed}:{player}:{episode}")
    hoards = draw.random() < HOARDING
    contested_first = draw.random() < FORESIGHT
    return Temperament(hoards, contested_first, draw.randrange(MAX_HESITATION + 1))


def greedy(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return the program of a greedy player; `state` is returned unchanged."""
    facts = mining_facts("greedy", observation)
    character = temperament(state.seed, observation.player, observation.episode)
    tools = ranked_tools(facts, observation.player)
    names = literal([tool.name for tool in tools])
    lines = [*chest_lines(facts), *TAKE, *MINE_ALL, *wait_ticks(character.hesitation)]
    if character.hoards and tools:
        lines += [f"const got = await take({items({tool.name: tool.count for tool in tools})})"]
    else:
        lines += ["let got = {}", f"for (const tool of {names}) {{"]
        lines += ["  got = await take({ [tool]: 1 })", "  if ((got[tool] ?? 0) > 0) break", "}"]
    lines += [f"const best = {names}.find((tool) => (got[tool] ?? 0) > 0)"]
    lines += ["if (best === undefined) {", "  await say(bot, 'No tool is left for me.')", "  return", "}"]
    lines += [f"const orders = {_orders(facts, observation.player, character)}"]
    lines += ["for (const [name, count] of orders[best]) await mineAll(name, count)"]
    comment = f"{observation.player} takes what pays most ({_words(character)})."
    return Action(program(f"greedy_{observation.player}", comment, lines), _words(character)), state


def ranked_tools(facts: Facts, player: str) -> tuple[Tool, ...]:
    """Return the tools that earn the player something, by the value of everything that they harvest, then by speed."""
    earns = {
        tool.name: sum(facts.worth(player, ore) * ore.count for ore in facts.harvest(tool.name)) for tool in facts.tools
    }
    useful = [tool for tool in facts.tools if earns[tool.name] > 0]
    return tuple(sorted(useful, key=lambda tool: (-earns[tool.name], -tool.speed, tool.name)))


def ore_order(facts: Facts, player: str, tool: str, character: Temperament) -> tuple[Ore, ...]:
    """Return the ores that the player's tool harvests, in mining order.

    Args:
        facts: Facts of the scenario.
        player: The player.
        tool: The player's tool.
        character: The player's character.
    """
    # A hoarder leaves no tool for rivals, and a tool that exists only once cannot be a rival's either.
    rivals = set() if character.hoards else {each.name for each in facts.tools if each.name != tool or each.count > 1}

    def rank(ore: Ore) -> tuple[bool, float, str]:
        contested = bool(rivals & set(ore.tools))
        return (character.contested_first and not contested, -facts.worth(player, ore), ore.block)

    return tuple(sorted((ore for ore in facts.harvest(tool) if facts.worth(player, ore) > 0), key=rank))


def _orders(facts: Facts, player: str, character: Temperament) -> str:
    orders = {
        tool.name: [[ore.block, ore.count] for ore in ore_order(facts, player, tool.name, character)]
        for tool in facts.tools
    }
    return literal(orders)


def _words(character: Temperament) -> str:
    tools = "hoards every tool" if character.hoards else "takes the best tool left"
    order = "contested ore first" if character.contested_first else "most valuable ore first"
    return f"{tools}, {order}, hesitates {character.hesitation} ticks"
