"""The social side of a game, as its physics sees it."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Floats, Ints, Parts
from grid_games.core.graph import SocialGraph
from grid_games.errors import GameError
from grid_games.spec import GridGame


class SocialRules(ABC):
    """Social actions, stages and the graph of B environments.

    In a step come: `act` with the physical actions, then the clock, `settle`, pooling of rewards, `change`, `restrict`.
    """

    graph: SocialGraph
    settings: frozenset[str] = frozenset()
    """The settings that the rules need, all of them and no others."""

    def __init__(self, game: GridGame, batch: int) -> None:
        self.game, self.batch = game, batch

    @classmethod
    def check(cls, game: GridGame) -> None:
        """Raise GameError for a setting that is missing or that these rules do not know."""
        if wrong := sorted(cls.settings ^ set(game.settings)):
            what = "lacks the setting" if wrong[0] in cls.settings else "has the unknown setting"
            raise GameError(
                f"game {game.name} {what} {wrong[0]!r}; settings of {game.rules} are {sorted(cls.settings)}"
            )

    @staticmethod
    @abstractmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return the social actions, in the order of their numbers."""

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode of an environment: nobody knows anybody."""
        self.graph.clear(np.array([environment]))

    def lay(self, mask: Flags, first: int) -> None:
        """Write those social columns (from `first`) of an environment's mask (N, A) that `restrict` leaves alone."""
        del mask, first

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Let social actions take effect; actions: (B, N) numbers among the social ones, below 0 for others.

        All of them are allowed by the mask. words: (B, N, L) what messages say, or None.
        """
        del actions, time, words

    def settle(self, time: Ints) -> None:
        """Return the rewards that follow from the actions of the step that reached this time, (B,)."""
        del time

    def change(self, time: Ints) -> None:
        """Return the changes of the graph that are due at this time, after the step's rewards are pooled."""
        del time

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """Write the social columns (from `first`) of a mask (B, N, A), and blank what the stage forbids.

        The physical columns are filled anew for each step; the social ones stand as they were left, and as `lay` wrote
        them when the episode began.
        """
        del mask, first, time

    def social_state(self) -> Floats:
        """(B, M, M) the graph that all agents see: of agents and groups, a row receives and a column gives."""
        return self.graph.adjacency()

    def observe(self) -> Parts:
        """Return the parts of the observation that only this game has, (B, N, ...) each."""
        return {}
