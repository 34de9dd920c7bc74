"""Seeded generator of personas: names, traits by archetype, extroversion, kindness and inventories.

Its vocabulary is in `archetypes.yaml` beside this file. Persona N of a seed does not depend on `count`.
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
"""Maximum number of generated personas."""


@cache
def words() -> dict[str, Any]:
    """Return the vocabulary: names, archetypes, trait sentences and items."""
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
    """Generate personas, assigning spawn locations in order and cyclically.

    Args:
        count: Number of personas.
        seed: Seed of names, traits, numbers and inventories.
        spawns: Spawn locations.
        traits: Traits of all personas; None for generated traits.
        location_memories: Places that all personas know, in words.
        community_goal: Goal of the community.
        inventories: True to give each persona random starting items.

    Raises:
        ValueError: `count` is out of range, or `spawns` is empty.
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
    """Return distinct names in random order; numbered variants follow if the vocabulary is exhausted."""
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
    """Return the sentence for a value from 0 to 1 on a scale of sentences in ascending order."""
    return sentences[min(int(share * len(sentences)), len(sentences) - 1)]
