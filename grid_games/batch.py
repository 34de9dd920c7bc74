"""The batched array face, and the core itself: B environments of one game, stepped together.

Environment i plays exactly as a batch of one with its seed. All rules are in here: an action that has no effect does
nothing and is counted, and the mask marks exactly those that have one. (A move has its effect unless somebody stays in
the way or wins the lot for the cell. `stay`, and in Contract choosing the group one is in, change nothing: they are for
those who must act.)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from grid_games.actions import GridAction, physical
from grid_games.arrays import Counts, Flags, Floats, Ints, Parts
from grid_games.core import items
from grid_games.core.dice import generator
from grid_games.core.moves import Mover
from grid_games.core.tables import PRODUCE, STAY, Tables
from grid_games.core.views import maps, windows
from grid_games.core.world import GridWorld
from grid_games.errors import StepError
from grid_games.rules import rules_of
from grid_games.spec import GridGame

Each = TypeVar("Each", bound=np.generic)


@dataclass(frozen=True)
class BatchStep:
    """Result of one step."""

    rewards: Floats
    """(B, N) after pooling."""
    own: Floats
    """(B, N) before: the change in value of what each carries."""
    ended: Flags
    """(B,) environments whose episode is over, by truncation."""
    episodes: tuple[FinishedEpisode, ...] = ()
    """The episodes that ended, in the order of their environments."""


@dataclass(frozen=True)
class FinishedEpisode:
    """An episode that is over, for measures."""

    environment: int
    seed: int
    number: int
    """0 for the environment's first."""
    steps: int
    rewards: Floats
    """(N,) sum of each agent's rewards."""
    own: Floats
    """(N,) value of what each ended with."""
    executions: Counts
    """(N, E) how often each produced at each event."""
    refused: Ints
    """(N,) actions that had no effect."""
    inventory: Counts
    """(N, R) what each ended with."""


class Batch:
    """B environments of a game, one seed each.

    With `autoreset` an environment whose episode ends starts the next one in the same step; else call `reset`.
    Arrays that it hands out are its own memory, read only, and valid until the next call. It may be copied and pickled.
    """

    def __init__(self, game: GridGame, seeds: Iterable[int], *, autoreset: bool = False) -> None:
        self.game, self.tables = game, Tables(game)
        self.seeds = list(seeds)
        self.autoreset = autoreset
        self.size, self.agents = len(self.seeds), game.agents
        if not self.seeds or min(self.seeds) < 0:
            raise StepError(f"seeds are {self.seeds}; give at least one whole number from 0 up")
        rules = rules_of(game.rules)
        rules.check(game)
        self.actions: tuple[GridAction, ...] = physical(game) + rules.actions(game)
        self.world, self.rules = GridWorld(self.tables, self.size), rules(game, self.size)
        self._mover = Mover(self.world)
        self._mask: Flags = np.zeros((self.size * self.agents, len(self.actions)), np.bool_)
        self._row: Ints = self.world.number * len(self.actions)
        self.time: Ints = np.zeros(self.size, np.intp)
        """(B,) steps of the episode so far."""
        self.episode: Ints = np.full(self.size, -1, np.intp)
        """(B,) number of the environment's episode."""
        shape = (self.size, self.agents)
        self.rewards: Floats = np.zeros(shape)
        """(B, N) sums over the episode."""
        self.own: Floats = np.zeros(shape)
        """(B, N) the same before pooling."""
        self.refused: Ints = np.zeros(shape, np.intp)
        """(B, N) actions of the episode that had no effect."""
        self._made: Counts = np.zeros((self.size * self.agents, self.tables.events), np.int32)
        self._hand_out()
        self._lacks: Counts = np.zeros(self.size * self.agents, np.int32)
        self._over = 0
        self._left = 0
        self.reset()

    def _hand_out(self) -> None:
        """Make the arrays that show the batch's own memory in the shapes that others read."""
        self._shaped: Flags = self._mask.reshape(self.size, self.agents, -1)
        self.mask = _read_only(self._shaped)
        """(B, N, A) the actions that have an effect."""
        self.inventory = _read_only(self.world.inventory.reshape(self.size, self.agents, -1))
        """(B, N, R) what each carries."""
        self.executions = _read_only(self._made.reshape(self.size, self.agents, -1))
        """(B, N, E) how often each produced at each event."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A copy shows its own memory, not the original's as it was.
        self.__dict__.update(state)
        self._hand_out()

    @property
    def places(self) -> Ints:
        """(B, N) the cell of each agent, row * width + column."""
        return (self.world.at - self.world.first_cell).reshape(self.size, self.agents)

    @property
    def values(self) -> Floats:
        """(B, N) what each one's inventory is worth to it."""
        return np.asarray((self.inventory * self.tables.value).sum(axis=2))

    def reset(self, environments: Sequence[int] | Ints | None = None, seeds: Sequence[int] | None = None) -> None:
        """Start new episodes, in all or some environments; with seeds they begin again from these.

        Raises:
            StepError: The seeds are not one whole number from 0 for each environment.
        """
        chosen = range(self.size) if environments is None else [int(each) for each in environments]
        if seeds is not None:
            if len(seeds) != len(chosen) or min(seeds, default=0) < 0:
                raise StepError(f"seeds are {list(seeds)}; give one whole number from 0 up for each of {len(chosen)}")
            for each, seed in zip(chosen, seeds, strict=True):
                self.seeds[each], self.episode[each] = seed, -1
        for each in chosen:
            self._begin(each)
        self._over = int((self.time >= self.game.steps).sum())
        self._count()
        self._refresh()

    def step(self, actions: Ints, words: Ints | None = None) -> BatchStep:
        """Return one step of all environments.

        actions: (B, N) action numbers; one without effect counts as refused. words: (B, N, L) what messages say, in
        games that have any. Raises StepError for a wrong shape or number, and if an episode is over.
        """
        chosen = self._effective(actions)
        if words is not None and "words" not in self.game.settings:
            raise StepError(f"game {self.game.name} has no messages; give no words")
        self.rules.act((chosen - self.tables.social).reshape(self.size, self.agents), self.time, words)
        own, worked = self._work(chosen)
        who = (chosen < STAY).nonzero()[0]
        if who.size:
            self._mover.move(who, chosen.take(who), self.time)
        self.time += 1
        self.rules.settle(self.time)
        rewards = own
        if worked:
            rewards = self.rules.graph.pool(own)
            self.own += own
            self.rewards += rewards
        self.rules.change(self.time)
        return self._end(own, rewards, worked)

    def windows(self) -> Parts:
        """Return the smallest useful observation: grid (B, N, W, 2+2R), the own window, layers last; inventory;
        mask."""
        view = windows(self.world, self._lacks)
        shape = (self.size, self.agents, *view.shape[1:])
        return {"grid": view.reshape(shape), "inventory": self.inventory, "action_mask": self.mask}

    def grid(self) -> Parts:
        """grid (B, N, 2+2R, rows, columns): the own window, or in games of the whole map all that is known of it."""
        lacks, side = self._lacks, 2 * self.game.view + 1
        if self.game.full_map:
            view, rows, columns = maps(self.world, lacks, self.rules.graph.views()), self.game.height, self.game.width
        else:
            view, rows, columns = windows(self.world, lacks), side, side
        grid = view.reshape(self.size, self.agents, rows, columns, self.tables.layers)
        return {"grid": np.moveaxis(grid, -1, 2)}

    def _begin(self, environment: int) -> None:
        self.episode[environment] += 1
        dice = generator(self.seeds[environment], int(self.episode[environment]))
        self.world.begin(environment, dice)
        self.rules.begin(environment, dice)
        self.rules.lay(self._shaped[environment], self.tables.social)
        for counter in (self.time, self.rewards, self.own, self.refused):
            counter[environment] = 0
        self._made[environment * self.agents : (environment + 1) * self.agents] = 0

    def _effective(self, actions: Ints) -> Ints:
        """(B*N,) the actions, with `stay` for those without effect, which are counted."""
        given = np.asarray(actions)
        if given.shape != (self.size, self.agents) or given.dtype.kind not in "iu":
            raise StepError(f"actions are {given.dtype} {given.shape}; give whole numbers {(self.size, self.agents)}")
        if self._over:
            over = np.flatnonzero(self.time >= self.game.steps).tolist()
            raise StepError(f"the episodes of environments {over} are over; call reset({over})")
        chosen = given.reshape(-1).astype(np.intp)
        # As numbers without sign those below 0 are the largest.
        if chosen.view(np.uintp).max() >= len(self.actions):
            wrong = int(chosen[(chosen < 0) | (chosen >= len(self.actions))][0])
            raise StepError(f"there is no action {wrong}; actions are 0 to {len(self.actions) - 1}")
        allowed = self._mask.take(self._row + chosen)
        if not np.logical_and.reduce(allowed):
            self.refused += ~allowed.reshape(self.size, self.agents)
            chosen[~allowed] = STAY
        return chosen

    def _work(self, chosen: Ints) -> tuple[Floats, bool]:
        """(B, N) what picking, dumping and producing is worth to each, and whether anybody did."""
        own = np.zeros(len(chosen))
        who = ((chosen >= PRODUCE) & (chosen < self.tables.social)).nonzero()[0]
        if who.size:
            own[who] = items.work(self.world, who, chosen.take(who), self._made)
        return own.reshape(self.size, self.agents), who.size > 0

    def _end(self, own: Floats, rewards: Floats, worked: bool) -> BatchStep:
        """Close episodes that have had their steps, and write the next mask."""
        self._left -= 1
        if self._left:
            self._refresh(worked)
            return BatchStep(rewards, own, np.zeros(self.size, np.bool_))
        ended = self.time >= self.game.steps
        which = np.flatnonzero(ended).tolist()
        episodes = tuple(self._episode(each) for each in which)
        if self.autoreset:
            for each in which:
                self._begin(each)
        else:
            self._over = len(which)
        self._count()
        self._refresh()
        return BatchStep(rewards, own, ended, episodes)

    def _count(self) -> None:
        """Return the number of steps left in the episode that ends first."""
        left = self.game.steps - self.time
        self._left = int(left[left > 0].min(initial=self.game.steps))

    def _refresh(self, worked: bool = True) -> None:
        """Write the mask anew: what the world allows, then what the rules and their stage do.

        worked: whether inventories may have changed, and with them what each lacks.
        """
        mask, world = self._mask, self.world
        mask[:, :STAY] = world.open.take(world.at, 0)
        mask[:, STAY] = True
        if worked:
            self._lacks = world.lacks()
        items.allow(world, self._lacks, mask)
        self.rules.restrict(self._shaped, self.tables.social, self.time)
        if self._over:
            self._shaped[self.time >= self.game.steps] = False

    def _episode(self, environment: int) -> FinishedEpisode:
        mine = slice(environment * self.agents, (environment + 1) * self.agents)
        return FinishedEpisode(
            environment=environment,
            seed=self.seeds[environment],
            number=int(self.episode[environment]),
            steps=int(self.time[environment]),
            rewards=self.rewards[environment].copy(),
            own=self.own[environment].copy(),
            executions=self._made[mine].copy(),
            refused=self.refused[environment].copy(),
            inventory=self.world.inventory[mine].copy(),
        )


def _read_only(array: npt.NDArray[Each]) -> npt.NDArray[Each]:
    """Return a read-only view of the same memory."""
    view = array[:]
    view.flags.writeable = False
    return view
