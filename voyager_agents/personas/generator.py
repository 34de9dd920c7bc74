"""Personas made from a seed: names, traits of many archetypes, two numbers, inventories; the same for the same seed.

The words are in `archetypes.yaml` beside this file. Persona number N is the same however many are asked for.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml
from voyager_agents.personas.persona import Persona, Spot

FILE = Path(__file__).with_name("archetypes.yaml")
MAX_PERSONAS = 2000
"""Personas that are made at most."""


@cache
def words() -> dict[str, Any]:
    """Names, archetypes, sentences and items."""
    data: dict[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    return data


def generate(
    count: int,
    seed: int,
    spawns: Sequence[Spot],
    *,
    traits: Sequence[str] | None = None,
    location_memories: Sequence[str] = (),
    community_goal: str = "",
    inventories: bool = False,
) -> list[Persona]:
    """Generate personas; spawns are given out in their order.

    Args:
        count: Number of personas.
        seed: Seed of names and traits.
        spawns: Places to start at.
        traits: Traits of all personas; None: each has its own.
        location_memories: Known places, in words.
        community_goal: Goal of the community.
        inventories: True for personas that start with items.

    Raises:
        ValueError: The number is not possible, or there are no spawns.
    """
    if not 1 <= count <= MAX_PERSONAS:
        raise ValueError(f"count is {count}: give a number from 1 to {MAX_PERSONAS}")
    if not spawns:
        raise ValueError("there is no spawn: give at least one")
    names = _names(count, seed)
    return [
        _persona(name, random.Random(f"persona:{seed}:{number}"), traits, inventories).model_copy(
            update={
                "spawn_location": spawns[number % len(spawns)],
                "location_memories": tuple(location_memories),
                "community_goal": community_goal,
            }
        )
        for number, name in enumerate(names)
    ]


def _names(count: int, seed: int) -> list[str]:
    """Different names; when the given ones are used up, numbers follow them."""
    given = list(words()["names"])
    random.Random(f"names:{seed}").shuffle(given)
    rounds = -(-count // len(given))
    return [name if turn == 0 else f"{name}{turn + 1}" for turn in range(rounds) for name in given][:count]


def _persona(name: str, chance: random.Random, traits: Sequence[str] | None, inventories: bool) -> Persona:
    known = words()
    extroversion, kindness = round(chance.random(), 2), round(chance.random(), 2)
    archetype = chance.choice(known["archetypes"])
    sentences = list(chance.sample(archetype["traits"], k=min(2, len(archetype["traits"]))))
    sentences += [_degree(known["extroversion"], extroversion), _degree(known["kindness"], kindness)]
    items: dict[str, int] = {}
    if inventories:
        for item in chance.sample(known["items"], k=chance.randint(2, 4)):
            items[item] = chance.choice((4, 8, 10, 16))
    same = traits is not None
    return Persona(
        name=name,
        traits=tuple(traits if traits is not None else sentences),
        spawn_location=Spot(x=0.5, y=64, z=0.5),
        inventory=items,
        extroversion=0.5 if same else extroversion,
        kindness=0.5 if same else kindness,
    )


def _degree(sentences: Sequence[str], share: float) -> str:
    """Return the sentence for that share of the way through them."""
    return sentences[min(int(share * len(sentences)), len(sentences) - 1)]
