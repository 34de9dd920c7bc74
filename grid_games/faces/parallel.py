"""PettingZoo's `ParallelEnv`: one environment, dictionaries by agent. Needs the extra `rl`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import ParallelEnv

from grid_games.arrays import Array, Parts
from grid_games.batch import Batch
from grid_games.observe import observe
from grid_games.spec import GridGame

Observations = dict[str, dict[str, Any]]


class GridParallel(ParallelEnv):
    """A game as a PettingZoo environment.

    An observation is `{"observation": {part: array}, "action_mask": (A,) int8}`. Actions are numbers from 0 to A-1, and
    those without effect do nothing. Episodes end by truncation, for all agents at once. Info holds `own`, the reward
    before pooling, and `refused`, true if the action had no effect.
    """

    def __init__(self, game: GridGame, seed: int = 0) -> None:
        self.game = game
        self.metadata = {"name": game.name, "render_modes": [], "is_parallelizable": True}
        self.render_mode = None
        self.batch = Batch(game, [seed])
        self._fresh = True
        names = [f"{game.role_of(agent).name}_{agent}" for agent in range(game.agents)]
        self.possible_agents = names
        self.agents: list[str] = []
        self.observation_spaces = dict.fromkeys(names, self._space())
        self.action_spaces = {name: spaces.Discrete(len(self.batch.actions)) for name in names}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's action space, the same object at every call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Start an episode: the first one of `seed`, or without it the next one of the current seed."""
        del options
        if seed is not None:
            self.batch.reset(seeds=[seed])
        elif not self._fresh:
            self.batch.reset()
        self._fresh = False
        self.agents = list(self.possible_agents)
        return self._observations(), {name: {} for name in self.agents}

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Step the environment; every agent must give an action."""
        given = np.array([[int(actions[name]) for name in self.agents]], np.intp)
        refused = self.batch.refused[0].copy()
        step = self.batch.step(given)
        over = bool(step.ended[0])
        names, refused = self.agents, self.batch.refused[0] - refused
        infos = {
            name: {"own": float(step.own[0, index]), "refused": bool(refused[index])}
            for index, name in enumerate(names)
        }
        rewards = {name: float(step.rewards[0, index]) for index, name in enumerate(names)}
        observations = self._observations()
        if over:
            self.agents = []
        return observations, rewards, dict.fromkeys(names, False), dict.fromkeys(names, over), infos

    def render(self) -> None:
        """Do nothing; there is no render mode."""

    def close(self) -> None:
        """Do nothing; the environment holds no resources."""

    def _observations(self) -> Observations:
        parts = observe(self.batch)
        return {name: _split(parts, index) for index, name in enumerate(self.agents)}

    def _space(self) -> spaces.Space[Any]:
        """Return the observation space of all agents, from the shapes and types of the parts."""
        example = _split(observe(self.batch), 0)
        inner = {name: _box(array) for name, array in example["observation"].items()}
        mask = spaces.Box(0, 1, example["action_mask"].shape, np.int8)
        return spaces.Dict({"observation": spaces.Dict(inner), "action_mask": mask})


def _split(parts: Parts, agent: int) -> dict[str, Any]:
    """Return one agent's observation as a copy."""
    own = {name: array[0, agent].copy() for name, array in parts.items()}
    mask = own.pop("action_mask")
    return {"observation": own, "action_mask": mask}


def _box(array: Array) -> spaces.Box:
    """Return a box with an array's shape and type and the type's full range."""
    if array.dtype.kind == "f":
        return spaces.Box(0.0, np.inf, array.shape, array.dtype)
    limits = np.iinfo(array.dtype)
    low = limits.min if array.dtype == np.int16 else 0
    return spaces.Box(low, limits.max, array.shape, array.dtype)
