"""Frozen description of a game, validated on creation. `grid_games.loader` builds it from YAML."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grid_games.errors import GameError

MAX_GATES = 15
"""Maximum number of different requirements in a game, because a cell stores them as bits of a 32-bit integer."""


@dataclass(frozen=True)
class Resource:
    """A kind of item on the map or in an inventory."""

    name: str
    value: int
    """Objective value of one unit."""
    made: bool = False
    """True if an event makes it; false if it is found on the map."""
    requires: Mapping[str, int] = field(default_factory=dict)
    """Item -> count that an agent must hold to see and pick it."""


@dataclass(frozen=True)
class EventRecipe:
    """Effect of an event on the agent that uses it."""

    name: str
    consumes: Mapping[str, int]
    makes: Mapping[str, int]
    requires: Mapping[str, int] = field(default_factory=dict)
    """Item -> count that an agent must hold to see and use it; these items are not consumed."""

    def __post_init__(self) -> None:
        if len(self.makes) != 1:
            raise GameError(f"recipe {self.name} makes {dict(self.makes)}; a recipe makes one kind of thing")
        if set(self.makes) & set(self.consumes):
            raise GameError(f"recipe {self.name} consumes what it makes: {sorted(self.makes)}")


@dataclass(frozen=True)
class GridRole:
    """Capacities and preferences shared by some agents."""

    name: str
    capacity: Mapping[str, int] = field(default_factory=dict)
    """Resource -> maximum units; absent resources are unlimited."""
    preference: Mapping[str, Fraction] = field(default_factory=dict)
    """Resource -> factor on the objective value; 1 if absent."""


@dataclass(frozen=True)
class Pile:
    """Piles of one resource with the same number of units each."""

    resource: str
    count: int
    amount: int


@dataclass(frozen=True)
class StartGroups:
    """Groups that agents are put into when an episode begins, each agent by its own draw."""

    group: int
    """Group that an agent joins with the current probability; otherwise it joins any group, all alike."""
    probability: tuple[float, float]
    """Probability in the first episode of an environment, and in the last of `episodes`; between them it is a line."""
    episodes: int = 1

    def chance(self, episode: int) -> float:
        """Return the probability in an episode, counted from 0."""
        first, last = self.probability
        return first + (last - first) * min(1.0, episode / max(1, self.episodes - 1))


@dataclass(frozen=True)
class GridGame:
    """A game: map, contents, players, and social rules with their settings."""

    name: str
    height: int
    width: int
    blocks: int
    view: int
    """Radius f of the view; the window has 2f+1 by 2f+1 cells."""
    full_map: bool
    """True if observations are the whole map, filled from the own and shared windows; false for the own window only."""
    resources: tuple[Resource, ...]
    recipes: tuple[EventRecipe, ...]
    events: tuple[int, ...]
    """Number of cells that carry each recipe."""
    roles: tuple[GridRole, ...]
    players: tuple[int, ...]
    """Index of each agent's role."""
    piles: tuple[Pile, ...]
    rules: str
    settings: Mapping[str, Any]
    steps: int
    """Length of an episode in steps."""
    groups: int
    """Number of groups on offer."""
    start_groups: StartGroups | None = None
    """Groups at the start of an episode; None for the rules' own."""

    def __post_init__(self) -> None:
        self._check_names()
        self._check_room()
        self._check_start_groups()
        if len(self.gates) > MAX_GATES:
            raise GameError(f"game {self.name} has {len(self.gates)} different requirements; at most {MAX_GATES}")

    @property
    def agents(self) -> int:
        """Number of agents."""
        return len(self.players)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the agents as players: role and index, in their order."""
        return tuple(f"{self.role_of(agent).name}_{agent}" for agent in range(self.agents))

    @property
    def cells(self) -> int:
        """Number of cells."""
        return self.height * self.width

    @property
    def gates(self) -> tuple[tuple[str, int], ...]:
        """All distinct requirements (resource, amount), in the order of the tables."""
        wanted = [*(each.requires for each in self.resources), *(each.requires for each in self.recipes)]
        return tuple(dict.fromkeys(gate for requires in wanted for gate in requires.items()))

    def role_of(self, agent: int) -> GridRole:
        """Return the role of an agent."""
        return self.roles[self.players[agent]]

    def resource(self, name: str) -> int:
        """Return a resource's index."""
        return [each.name for each in self.resources].index(name)

    def _check_names(self) -> None:
        known = {each.name for each in self.resources}
        uses = [(f"resource {each.name}", each.requires) for each in self.resources]
        uses += [(f"recipe {each.name}", {**each.consumes, **each.makes, **each.requires}) for each in self.recipes]
        uses += [(f"role {each.name}", {**each.capacity, **dict.fromkeys(each.preference, 0)}) for each in self.roles]
        uses += [("piles", dict.fromkeys((each.resource for each in self.piles), 0))]
        for where, names in uses:
            if unknown := sorted(set(names) - known):
                raise GameError(f"{where} of game {self.name} names {unknown[0]!r}; this game has {sorted(known)}")

    def _check_room(self) -> None:
        numbers = [self.height, self.width, self.agents, self.steps, self.groups, len(self.resources)]
        if min(numbers) < 1 or min(self.blocks, self.view, *self.events, 0) < 0:
            raise GameError(f"game {self.name}: size, players, steps, groups and resources must be at least 1")
        free = self.cells - self.blocks
        most = {"piles": sum(each.count for each in self.piles), "events": sum(self.events), "players": self.agents}
        for what, count in most.items():
            if count > free:
                raise GameError(f"game {self.name} has {count} {what} for {free} free cells; use a larger size")

    def _check_start_groups(self) -> None:
        start = self.start_groups
        if start is None:
            return
        where = f"start_groups of game {self.name}"
        if not 0 <= start.group < self.groups:
            raise GameError(f"{where} name the group {start.group}; groups are 0 to {self.groups - 1}")
        if not all(0 <= each <= 1 for each in start.probability):
            raise GameError(f"{where} have the probabilities {list(start.probability)}; give two from 0 to 1")
        if start.episodes < 1:
            raise GameError(f"{where} fall over {start.episodes} episodes; give at least 1")
