"""Interface between a game's social rules and its physics."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags, Floats, Ints, Parts
from grid_games.core.graph import SocialGraph
from grid_games.errors import GameError
from grid_games.spec import GridGame


class SocialRules(ABC):
    """Base class of social rules: social actions, stages and the graphs of B environments.

    A step calls `act` with the physical actions, advances the clock, then calls `settle`, pools the rewards, and calls
    `change` and `restrict`.
    """

    graph: SocialGraph
    settings: frozenset[str] = frozenset()
    """Names of the required settings; no others are allowed."""
    talk_setting: str = ""
    """Setting that is 0 in a game without talk; empty for rules without a stage of their own for it."""

    def __init__(self, game: GridGame, batch: int) -> None:
        self.game, self.batch = game, batch

    @classmethod
    def check(cls, game: GridGame) -> None:
        """Raise GameError for a missing or unknown setting."""
        if wrong := sorted(cls.settings ^ set(game.settings)):
            what = "lacks the setting" if wrong[0] in cls.settings else "has the unknown setting"
            raise GameError(
                f"game {game.name} {what} {wrong[0]!r}; settings of {game.rules} are {sorted(cls.settings)}"
            )
        if not game.social_actions and cls.talk_steps(game):
            raise GameError(
                f"game {game.name} begins with social actions, so that social_actions cannot be false; "
                f"set {cls.talk_setting} to 0 as well"
            )

    @staticmethod
    @abstractmethod
    def actions(game: GridGame) -> tuple[GridAction, ...]:
        """Return the social actions, in the order of their numbers."""

    @classmethod
    def talk_steps(cls, game: GridGame) -> int:
        """Return the number of steps at the start of an episode in which agents only choose groups or bargain."""
        return int(game.settings[cls.talk_setting]) if cls.talk_setting else 0

    def begin(self, environment: int, dice: np.random.Generator) -> None:
        """Start an episode of an environment with an empty graph."""
        self.graph.clear(np.array([environment]))

    def enrol(self, environment: int, groups: Ints) -> None:
        """Put all agents of an environment into groups, shape (N,), with equal shares."""
        agents = np.arange(self.game.agents)
        self.graph.join(np.full_like(agents, environment), agents, groups)

    def lay(self, mask: Flags, first: int) -> None:
        """Write the social columns (from `first`) of an environment's mask (N, A) that `restrict` does not change."""
        del mask, first

    def act(self, actions: Ints, time: Ints, words: Ints | None) -> None:
        """Apply social actions, all of which are legal.

        Args:
            actions: (B, N) numbers among the social actions; below 0 for physical actions.
            time: (B,) step number.
            words: (B, N, L) contents of messages, or None.
        """
        del actions, time, words

    def settle(self, time: Ints) -> None:
        """Settle the consequences of the step's actions; `time` (B,) is the step just reached."""
        del time

    def change(self, time: Ints) -> None:
        """Change the graph if a change is due at this time, after the step's rewards are pooled."""
        del time

    def restrict(self, mask: Flags, first: int, time: Ints) -> None:
        """Write the social columns (from `first`) of a mask (B, N, A), and clear what the stage forbids.

        The physical columns are recomputed for every step. The social columns keep their last values, starting with
        those that `lay` wrote at the start of the episode.
        """
        del mask, first, time

    def social_state(self) -> Floats:
        """Return the graph of agents and groups that all agents see, shape (B, M, M); rows receive, columns give."""
        return self.graph.adjacency()

    def observe(self) -> Parts:
        """Return the observation's parts that only this game has, of shape (B, N, ...)."""
        return {}
