"""Populations over generations: who survives, who learns from whom, who meets whom. Pure functions of a seed.

After each generation the members with the highest payoffs survive. Newcomers take the places of the others: each copies
the strategy of a parent, drawn with a probability in proportion to its payoff above the lowest possible one, and
mutates with a fixed probability to a strategy drawn uniformly. Parents are the survivors; if nobody survives, they are
the whole generation, and the expected change of a strategy's share is that of the discrete replicator equation
(Taylor and Jonker 1978; the drawing is that of Wright and Fisher).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

TextChange = Callable[[str, random.Random], str]
"""Function from a text and a random generator to a mutated text."""


@dataclass(frozen=True)
class PopulationMember:
    """One member of a population."""

    id: str
    """Number of its first generation and place among the members, such as `2.07`."""
    kind: str
    """Strategy, family of agents or model."""
    text: str = ""
    """Strategy in the words of its model; empty without one."""
    parents: tuple[str, ...] = ()
    """Ids of the members that it has learned from."""
    mutated: bool = False
    """True if its kind was drawn at random instead of copied, or its program changed."""


@dataclass(frozen=True)
class Inheritance:
    """Rules of survival and learning."""

    survivors: int
    """Number of members that survive a generation."""
    mutation: float
    """Probability that a newcomer draws its kind at random."""
    kinds: tuple[str, ...]
    """Kinds that it draws from."""
    change: TextChange | None = None
    """Mutation of a text. Newcomers then inherit their parents' texts, and a mutation changes the text instead of the
    kind. None: a newcomer has no text at first."""


def first_generation(kinds: Sequence[str]) -> tuple[PopulationMember, ...]:
    """Return the first generation, with one member for each of these kinds."""
    return tuple(PopulationMember(_id(1, place), kind) for place, kind in enumerate(kinds, 1))


def next_generation(
    members: Sequence[PopulationMember],
    payoffs: Mapping[str, float],
    floor: float,
    rules: Inheritance,
    draw: random.Random,
    number: int,
) -> tuple[PopulationMember, ...]:
    """Return the next generation: survivors first, best first, then newcomers.

    Args:
        members: Members of the last generation.
        payoffs: Id -> payoff in it.
        floor: Lowest payoff that is possible.
        rules: Rules of survival and learning.
        draw: Random generator.
        number: Number of the next generation.
    """
    places = {each.id: place for place, each in enumerate(draw.sample(members, len(members)))}
    ranked = sorted(members, key=lambda each: (-payoffs[each.id], places[each.id]))
    kept = ranked[: rules.survivors]
    parents = kept or list(members)
    weights = [max(0.0, payoffs[each.id] - floor) for each in parents]
    if not any(weights):
        weights = [1.0] * len(parents)
    newcomers = []
    for place in range(1, len(members) - len(kept) + 1):
        parent = draw.choices(parents, weights)[0]
        mutates = draw.random() < rules.mutation
        if rules.change is not None:
            text = rules.change(parent.text, draw) if mutates and parent.text else parent.text
            changed = text != parent.text
            newcomers.append(PopulationMember(_id(number, place), parent.kind, text, (parent.id,), changed))
            continue
        kind = draw.choice(rules.kinds) if mutates else parent.kind
        found = PopulationMember(_id(number, place), kind, "", () if mutates else (parent.id,), mutates)
        newcomers.append(found)
    return (*kept, *newcomers)


def taught_by(member: PopulationMember, teachers: Sequence[PopulationMember]) -> PopulationMember:
    """Return a newcomer that has read the advice of these members."""
    return replace(member, parents=tuple(each.id for each in teachers))


def groups(
    members: Sequence[PopulationMember], size: int, games: int, draw: random.Random
) -> list[tuple[PopulationMember, ...]]:
    """Return the groups of all games of a generation.

    Args:
        members: Members of the generation, a multiple of `size`.
        size: Number of players of the game.
        games: Number of games of each member; for each all members are put into random groups.
        draw: Random generator.
    """
    found = []
    for _ in range(games):
        order = draw.sample(members, len(members))
        found += [tuple(order[start : start + size]) for start in range(0, len(order), size)]
    return found


def _id(number: int, place: int) -> str:
    return f"{number}.{place:02d}"
