"""The core and its array interface: B environments of one game, stepped together.

Environment i plays exactly like a batch of one with its seed. An action without effect does nothing and is counted. The
action mask marks exactly the actions with an effect, with two exceptions: a move may still fail because another agent
stays in the way or wins the draw for the cell; `stay`, and in Contract choosing the current group, change nothing and
are legal for agents that must act.
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
from grid_games.core.elements import Elements
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
    """Rewards after pooling, shape (B, N)."""
    own: Floats
    """Rewards before pooling, shape (B, N): the change in value of each agent's inventory."""
    ended: Flags
    """True for environments whose episode was truncated in this step, shape (B,)."""
    episodes: tuple[FinishedEpisode, ...] = ()
    """Episodes that ended in this step, in the order of their environments."""


@dataclass(frozen=True)
class FinishedEpisode:
    """Record of a finished episode, for measures."""

    environment: int
    seed: int
    number: int
    """Number of the episode in its environment, from 0."""
    steps: int
    rewards: Floats
    """Sum of each agent's rewards, shape (N,)."""
    own: Floats
    """Final value of each agent's inventory, shape (N,)."""
    executions: Counts
    """Number of times each agent ran each event, shape (N, E)."""
    refused: Ints
    """Number of each agent's actions without effect, shape (N,)."""
    inventory: Counts
    """Final inventories, shape (N, R)."""


class Batch:
    """B environments of a game, one seed each.

    With `autoreset` an environment starts its next episode in the step that ends the last one; otherwise call `reset`.
    Returned arrays are read-only views of internal memory, valid until the next call. A batch can be copied and
    pickled.
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
        self.elements = Elements(self.world)
        self._mover = Mover(self.world)
        self._mask: Flags = np.zeros((self.size * self.agents, len(self.actions)), np.bool_)
        self._row: Ints = self.world.number * len(self.actions)
        self.time: Ints = np.zeros(self.size, np.intp)
        """Steps of the current episode so far, shape (B,)."""
        self.episode: Ints = np.full(self.size, -1, np.intp)
        """Number of the current episode, shape (B,)."""
        shape = (self.size, self.agents)
        self.rewards: Floats = np.zeros(shape)
        """Sums of rewards over the episode, shape (B, N)."""
        self.own: Floats = np.zeros(shape)
        """Sums of rewards before pooling, shape (B, N)."""
        self.refused: Ints = np.zeros(shape, np.intp)
        """Actions without effect in the episode, shape (B, N)."""
        self._made: Counts = np.zeros((self.size * self.agents, self.tables.events), np.int32)
        self._hand_out()
        self._lacks: Counts = np.zeros(self.size * self.agents, np.int32)
        self._over = 0
        self._left = 0
        self.reset()

    def _hand_out(self) -> None:
        """Create the public read-only arrays as reshaped views of internal memory."""
        self._shaped: Flags = self._mask.reshape(self.size, self.agents, -1)
        self.mask = _read_only(self._shaped)
        """Mask of actions with an effect, shape (B, N, A)."""
        self.inventory = _read_only(self.world.inventory.reshape(self.size, self.agents, -1))
        """Inventories, shape (B, N, R)."""
        self.executions = _read_only(self._made.reshape(self.size, self.agents, -1))
        """Number of times each agent ran each event, shape (B, N, E)."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        # Views of a copy must refer to its own memory, not to the original's.
        self.__dict__.update(state)
        self._hand_out()

    @property
    def places(self) -> Ints:
        """Cell of each agent (row * width + column), shape (B, N)."""
        return (self.world.at - self.world.first_cell).reshape(self.size, self.agents)

    @property
    def values(self) -> Floats:
        """Value of each agent's inventory to the agent, shape (B, N)."""
        return np.asarray((self.inventory * self.tables.value).sum(axis=2))

    def reset(self, environments: Sequence[int] | Ints | None = None, seeds: Sequence[int] | None = None) -> None:
        """Start new episodes in all or some environments; with seeds, restart from these seeds.

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
        """Step all environments and return the result.

        Args:
            actions: (B, N) action numbers; an action without effect counts as refused.
            words: (B, N, L) contents of messages, in games that have messages.

        Raises:
            StepError: A shape or number is wrong, or an episode is over.
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
        if self.elements.active and (gains := self.elements.step(self.time)) is not None:
            own, worked = own + gains, True
        self.rules.settle(self.time)
        rewards = own
        if worked:
            rewards = self.rules.graph.pool(own)
            self.own += own
            self.rewards += rewards
        self.rules.change(self.time)
        return self._end(own, rewards, worked)

    def windows(self) -> Parts:
        """Return `grid`, the own window with layers last, shape (B, N, W, 2+2R), `inventory` and `action_mask`."""
        view = windows(self.world, self._lacks)
        shape = (self.size, self.agents, *view.shape[1:])
        return {"grid": view.reshape(shape), "inventory": self.inventory, "action_mask": self.mask}

    def grid(self) -> Parts:
        """Return `grid`, shape (B, N, 2+2R, rows, columns): the own window, or the known part of the whole map."""
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
        if self.elements.active:
            self.elements.begin(environment, dice)
        if self.game.start_groups:
            self.rules.enrol(environment, self._drawn_groups(dice, int(self.episode[environment])))
        self.rules.lay(self._shaped[environment], self.tables.social)
        for counter in (self.time, self.rewards, self.own, self.refused):
            counter[environment] = 0
        self._made[environment * self.agents : (environment + 1) * self.agents] = 0

    def _drawn_groups(self, dice: np.random.Generator, episode: int) -> Ints:
        """Return the group that each agent starts in, shape (N,)."""
        start = self.game.start_groups
        assert start is not None
        given = dice.random(self.agents) < start.chance(episode)
        return np.where(given, start.group, dice.integers(self.game.groups, size=self.agents))

    def _effective(self, actions: Ints) -> Ints:
        """Return the actions, shape (B*N,), with `stay` in place of those without effect, which are counted."""
        given = np.asarray(actions)
        if given.shape != (self.size, self.agents) or given.dtype.kind not in "iu":
            raise StepError(f"actions are {given.dtype} {given.shape}; give whole numbers {(self.size, self.agents)}")
        if self._over:
            over = np.flatnonzero(self.time >= self.game.steps).tolist()
            raise StepError(f"the episodes of environments {over} are over; call reset({over})")
        chosen = given.reshape(-1).astype(np.intp)
        # Viewed as unsigned integers, negative numbers are the largest.
        if chosen.view(np.uintp).max() >= len(self.actions):
            wrong = int(chosen[(chosen < 0) | (chosen >= len(self.actions))][0])
            raise StepError(f"there is no action {wrong}; actions are 0 to {len(self.actions) - 1}")
        allowed = self._mask.take(self._row + chosen)
        if not np.logical_and.reduce(allowed):
            self.refused += ~allowed.reshape(self.size, self.agents)
            chosen[~allowed] = STAY
        return chosen

    def _work(self, chosen: Ints) -> tuple[Floats, bool]:
        """Pick, dump and produce; return each agent's gain, shape (B, N), and True if any agent did one of these."""
        own = np.zeros(len(chosen))
        who = ((chosen >= PRODUCE) & (chosen < self.tables.social)).nonzero()[0]
        if who.size:
            own[who] = items.work(self.world, who, chosen.take(who), self._made)
        return own.reshape(self.size, self.agents), who.size > 0

    def _end(self, own: Floats, rewards: Floats, worked: bool) -> BatchStep:
        """End the episodes that have reached their length, and update the mask."""
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
        """Store the number of steps until the next episode ends."""
        left = self.game.steps - self.time
        self._left = int(left[left > 0].min(initial=self.game.steps))

    def _refresh(self, worked: bool = True) -> None:
        """Recompute the mask: first the world's part, then the part of the rules and their stage.

        Args:
            worked: True if inventories may have changed.
        """
        mask, world = self._mask, self.world
        mask[:, :STAY] = world.open.take(world.at, 0)
        mask[:, STAY] = True
        if worked:
            self._lacks = world.lacks()
        items.allow(world, self._lacks, mask)
        self.rules.restrict(self._shaped, self.tables.social, self.time)
        if not self.game.social_actions:
            self._shaped[..., self.tables.social :] = False
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
    """Return a read-only view of an array."""
    view = array[:]
    view.flags.writeable = False
    return view
