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
    inventory: Mapping[str, int] = field(default_factory=dict)
    """Resource -> units held at the start of an episode."""


@dataclass(frozen=True)
class Pile:
    """Piles of one resource with the same number of units each."""

    resource: str
    count: int
    amount: int


Places2D = tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Places:
    """Fixed positions (row, column); what is not listed is placed at random."""

    blocks: Places2D = ()
    piles: Mapping[str, Places2D] = field(default_factory=dict)
    """Resource -> cells of its first piles."""
    events: Mapping[str, Places2D] = field(default_factory=dict)
    """Event -> its first cells."""
    players: Mapping[str, Places2D] = field(default_factory=dict)
    """Role -> cells of its first agents."""

    def groups(self) -> Mapping[str, tuple[tuple[str, Places2D], ...]]:
        """Return what shares no cells: kind of thing -> names and cells."""
        named = {"piles": self.piles, "events": self.events, "players": self.players}
        return {"blocks": (("blocks", self.blocks),)} | {kind: tuple(each.items()) for kind, each in named.items()}


@dataclass(frozen=True)
class Hunger:
    """Need for food."""

    food: tuple[str, ...]
    """Resources that are eaten, in this order."""
    every: int
    """Steps between meals."""
    loss: float
    """Reward that an agent without food loses at a meal."""


@dataclass(frozen=True)
class Hostiles:
    """Creatures that chase agents."""

    count: int
    sight: int
    """Distance in steps at which a hostile notices an agent."""
    every: int
    """Steps between their moves."""
    loss: float
    """Reward that an agent loses in each step in which a hostile is on its cell or beside it."""
    feared: Mapping[str, int] = field(default_factory=dict)
    """Resource -> units that keep hostiles away from their holder."""


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
    social_actions: bool = True
    """False to forbid social actions; groups then stay as they start."""
    places: Places = field(default_factory=Places)
    temporary: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Resource or event -> first step with it on the map, and the first one without it again."""
    hunger: Hunger | None = None
    hostiles: Hostiles | None = None

    def __post_init__(self) -> None:
        self._check_names()
        self._check_room()
        self._check_start_groups()
        self._check_places()
        self._check_elements()
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
        uses += [(f"inventory of role {each.name}", each.inventory) for each in self.roles]
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

    def _check_places(self) -> None:
        where, blocks = f"places of game {self.name}", set(self.places.blocks)
        counts = {"blocks": {"blocks": self.blocks}, "piles": dict[str, int](), "players": dict[str, int]()}
        for pile in self.piles:
            counts["piles"][pile.resource] = counts["piles"].get(pile.resource, 0) + pile.count
        counts["events"] = {each.name: count for each, count in zip(self.recipes, self.events, strict=True)}
        for player in self.players:
            role = self.roles[player].name
            counts["players"][role] = counts["players"].get(role, 0) + 1
        for kind, named in self.places.groups().items():
            cells = [cell for _, each in named for cell in each]
            for name, each in named:
                if len(each) > counts[kind].get(name, 0):
                    raise GameError(f"{where} fix {len(each)} {name}; the game has {counts[kind].get(name, 0)}")
            for row, column in cells:
                if not (0 <= row < self.height and 0 <= column < self.width):
                    raise GameError(f"{where} name [{row}, {column}]; the map has {self.height} by {self.width} cells")
            taken = [cell for cell in cells if cells.count(cell) > 1 or (kind != "blocks" and cell in blocks)]
            if taken:
                raise GameError(f"{where} put two things on {list(taken[0])}; {kind} need free cells of their own")

    def _check_elements(self) -> None:
        known = [each.name for each in self.resources] + [each.name for each in self.recipes]
        for name, (first, _) in self.temporary.items():
            if name not in known:
                raise GameError(f"temporary of game {self.name} names {name!r}; this game has {', '.join(known)}")
            if first >= self.steps:
                raise GameError(f"temporary of game {self.name}: {name} comes in step {first} of {self.steps}")
        eaten = dict.fromkeys(self.hunger.food if self.hunger else ())
        feared = self.hostiles.feared if self.hostiles else {}
        kinds = {each.name for each in self.resources}
        for where, names in (("hunger", eaten), ("hostiles", feared)):
            if unknown := sorted(set(names) - kinds):
                raise GameError(f"{where} of game {self.name} names {unknown[0]!r}; this game has {sorted(kinds)}")
        if self.hostiles and self.hostiles.count > self.cells - self.blocks - self.agents:
            raise GameError(f"game {self.name} has {self.hostiles.count} hostiles; use fewer, or a larger size")
        for role in self.roles:
            for name, held in role.inventory.items():
                if held > role.capacity.get(name, held):
                    raise GameError(
                        f"role {role.name} of game {self.name} starts with {held} {name}; it can carry "
                        f"{role.capacity[name]}"
                    )
