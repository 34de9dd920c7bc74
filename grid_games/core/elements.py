"""Elements that change by themselves: temporary stock and events, hunger, and hostiles that chase agents."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Cells, Flags, Floats, Ints
from grid_games.core.dice import draws
from grid_games.core.tables import LAYERS
from grid_games.core.world import SHOWN, GridWorld

HOSTILE = 2
"""Value of a hostile's cell in the layer of blocks, where a block is 1."""
DRAWS = 1 << 32
"""First counter of the draws of hostiles; those of agents' moves are below."""


class Elements:
    """Temporary things, hunger and hostiles of all environments of a batch."""

    def __init__(self, world: GridWorld) -> None:
        self.world, self.game = world, world.tables.game
        count = self.game.hostiles.count if self.game.hostiles else 0
        self.hostiles: Ints = np.zeros((world.batch, count), np.intp)
        """Cell of each hostile in its environment, shape (B, H)."""
        self._events: Ints = np.zeros_like(world.kind)
        self._withheld: Cells = np.zeros((len(world.kind), world.tables.resources), np.int16)
        events, kinds = ([each.name for each in group] for group in (self.game.recipes, self.game.resources))
        spans = self.game.temporary
        self._event_spans = {events.index(name) + 1: span for name, span in spans.items() if name in events}
        self._pile_spans = {kinds.index(name): span for name, span in spans.items() if name in kinds}

    @property
    def active(self) -> bool:
        """True if something in this game changes by itself."""
        return bool(self.game.temporary or self.game.hunger or self.game.hostiles)

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode: withhold what comes later, and place hostiles away from blocks and agents."""
        world = self.world
        cells = slice(environment * world.size, (environment + 1) * world.size)
        self._events[cells], self._withheld[cells] = world.kind[cells], 0
        for kind, (first, _) in self._pile_spans.items():
            if first:
                self._withheld[cells, kind] = world.piles[cells, kind]
                self._lay(cells, kind, 0)
        self._show_events(cells, 0)
        if self.game.hostiles:
            free = (world.cells[cells, SHOWN, 1] == 0) & (world.cells[cells, SHOWN, 0] == 0)
            self.hostiles[environment] = dice.permutation(np.flatnonzero(free))[: self.game.hostiles.count]
            self._mark(environment, HOSTILE)

    def step(self, time: Ints) -> Floats | None:
        """Let a step's changes happen, and return what each agent loses or gains by them, shape (B, N), or None.

        Args:
            time: (B,) steps of the episodes so far, after the step.
        """
        for environment in range(self.world.batch):
            self._turn(environment, int(time[environment]))
        gains = np.zeros((self.world.batch, self.world.agents))
        if self.game.hunger:
            for hungry in np.flatnonzero(time % self.game.hunger.every == 0).tolist():
                self._eat(hungry, gains[hungry])
        if self.game.hostiles:
            for environment in range(self.world.batch):
                self._chase(environment, int(time[environment]))
                self._attack(environment, gains[environment])
        return gains if gains.any() or self.game.hunger else None

    def _turn(self, environment: int, time: int) -> None:
        """Show and remove temporary things at their times."""
        world = self.world
        cells = slice(environment * world.size, (environment + 1) * world.size)
        for kind, (first, last) in self._pile_spans.items():
            if time == first:
                self._lay(cells, kind, world.piles[cells, kind] + self._withheld[cells, kind])
            if time == last:
                self._lay(cells, kind, 0)
        if any(time in span for span in self._event_spans.values()):
            self._show_events(cells, time)

    def _show_events(self, cells: slice, time: int) -> None:
        """Put the events on the map that there are at a time."""
        if not self._event_spans:
            return
        world, size = self.world, self.world.tables.resources
        kind = self._events[cells].copy()
        for event, (first, last) in self._event_spans.items():
            if not first <= time < last:
                kind[kind == event] = 0
        world.kind[cells] = kind
        world.cells[cells, SHOWN, LAYERS : LAYERS + size] = world.tables.event_row[kind]
        world.note(np.arange(cells.start, cells.stop))

    def _lay(self, cells: slice, kind: int, amounts: Cells | int) -> None:
        """Set the amounts of a resource on the ground."""
        layer = LAYERS + self.world.tables.resources + kind
        self.world.cells[cells, :, layer] = amounts if isinstance(amounts, int) else amounts[:, None]
        self.world.note(np.arange(cells.start, cells.stop))

    def _eat(self, environment: int, gains: Floats) -> None:
        """Let every agent eat the first food that it holds, or lose for want of any."""
        hunger, world = self.game.hunger, self.world
        assert hunger is not None
        for agent in range(world.agents):
            held = world.inventory[environment * world.agents + agent]
            food = next((kind for name in hunger.food if held[kind := self.game.resource(name)] > 0), None)
            if food is None:
                gains[agent] -= hunger.loss
            else:
                held[food] -= 1
                gains[agent] -= world.tables.value[agent, food]

    def _places(self, environment: int) -> Ints:
        """Return the cell of each agent in its environment, shape (N,)."""
        agents = slice(environment * self.world.agents, (environment + 1) * self.world.agents)
        return self.world.at[agents] - environment * self.world.size

    def _safe(self, environment: int) -> Flags:
        """Return True for agents that hold all that hostiles fear, shape (N,); all False if they fear nothing."""
        hostiles, world = self.game.hostiles, self.world
        assert hostiles is not None
        held = world.inventory[environment * world.agents : (environment + 1) * world.agents]
        feared = [held[:, self.game.resource(name)] >= count for name, count in hostiles.feared.items()]
        return np.logical_and.reduce(feared) if feared else np.zeros(world.agents, np.bool_)

    def _apart(self, cell: int, places: Ints) -> tuple[Ints, Ints]:
        """Return the way from a cell to places in rows and columns, each the shorter way around the map."""
        height, width = self.game.height, self.game.width
        (row, column), (rows, columns) = divmod(cell, width), np.divmod(places, width)
        down = (rows - row + height // 2) % height - height // 2
        right = (columns - column + width // 2) % width - width // 2
        return down, right

    def _chase(self, environment: int, time: int) -> None:
        """Move the hostiles: towards the nearest agent in sight, else anywhere."""
        hostiles, world = self.game.hostiles, self.world
        assert hostiles is not None
        if time % hostiles.every:
            return
        self._mark(environment, 0)
        places, safe = self._places(environment), self._safe(environment)
        counters = DRAWS + time * hostiles.count + np.arange(hostiles.count)
        drawn = draws(np.full(hostiles.count, world.keys[environment]), counters)
        for number, cell in enumerate(self.hostiles[environment].tolist()):
            down, right = self._apart(cell, places)
            distance = np.where(safe, 10**6, np.abs(down) + np.abs(right))
            nearest = int(distance.argmin())
            ways = [int(drawn[number] % np.uint64(4))]
            if distance[nearest] <= hostiles.sight:
                along = {0: -down[nearest], 1: down[nearest], 2: -right[nearest], 3: right[nearest]}
                ways = sorted((way for way, gap in along.items() if gap > 0), key=lambda way: -along[way])
            open_ways = world.open[environment * world.size + cell]
            way = next((each for each in ways if open_ways[each]), None)
            if way is not None:
                self.hostiles[environment, number] = world.tables.neighbours[cell, way]
        self._mark(environment, HOSTILE)

    def _attack(self, environment: int, gains: Floats) -> None:
        """Hurt the agents that a hostile has reached: on its cell, or beside it."""
        hostiles = self.game.hostiles
        assert hostiles is not None
        places, safe = self._places(environment), self._safe(environment)
        for cell in self.hostiles[environment].tolist():
            down, right = self._apart(cell, places)
            gains -= hostiles.loss * ((np.abs(down) + np.abs(right) <= 1) & ~safe)

    def _mark(self, environment: int, value: int) -> None:
        """Write the hostiles' cells into the map."""
        self.world.cells[environment * self.world.size + self.hostiles[environment], :, 1] = value
