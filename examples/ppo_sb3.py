"""Another's learner on the PettingZoo face: MaskablePPO of Stable-Baselines3, one network for all agents.

    python examples/ppo_sb3.py ada-contract --steps 100000 --save sb3.zip
    python examples/ppo_sb3.py ada-contract --play sb3.zip

`--save sb3.zip` also writes the learning curve, `sb3.curve.csv`, as examples/ppo.py does.

`AgentsVec` is all it takes: it shows every agent of every environment as an environment of its own. What is trained
is the game without its talk, each for itself. Needs the extra `learn`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from grid_games import GameError, GridError, GridGame, load, parallel_env
from grid_games.curriculum import without_talk
from grid_games.learning_curves import CurvePoint, LearningCurve, curve_file, write_curves
from grid_games.measures import score
from grid_games.oracle import plan_of
from grid_games.rules import rules_of

PARTS = ("grid", "inventory", "social_state", "time", "player_id")
"""Parts of the observation that are the network's flat input."""
SCALE = {"grid": 0.2, "inventory": 0.2, "time": 0.01}
REWARD = 0.2
"""Factor of rewards."""


class AgentsVec(VecEnv):
    """Several PettingZoo environments of one game as a vector: a place for each agent of each."""

    render_mode = None

    def __init__(self, game: GridGame, seeds: Sequence[int]) -> None:
        self.games = [parallel_env(game, seed=seed) for seed in seeds]
        self.finished: list[np.ndarray] = []
        """Rewards by agent of each episode that has ended."""
        self._sums = [np.zeros(game.agents) for _ in seeds]
        self._seen = [env.reset()[0] for env in self.games]
        self._acts = np.zeros(0, np.intp)
        space = spaces.Box(-np.inf, np.inf, self._rows().shape[1:], np.float32)
        agent = self.games[0].possible_agents[0]
        super().__init__(len(seeds) * game.agents, space, self.games[0].action_space(agent))

    def reset(self) -> np.ndarray:
        """New episodes everywhere."""
        self._seen = [env.reset()[0] for env in self.games]
        return self._rows()

    def step_async(self, actions: np.ndarray) -> None:
        """Note what each does."""
        self._acts = actions.reshape(len(self.games), -1)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Return one step of all.

        An episode's end is its end: the time is in the observation, so nothing is to be guessed.
        """
        gains, over, infos = [], [], list[dict[str, Any]]()
        for number, env in enumerate(self.games):
            acts = dict(zip(env.agents, self._acts[number], strict=True))
            self._seen[number], rewards, _, truncated, _ = env.step(acts)
            mine = np.array(list(rewards.values()))
            self._sums[number] += mine
            ended, last = not env.agents, [_flat(each) for each in self._seen[number].values()]
            infos += [{"terminal_observation": row, "TimeLimit.truncated": False} if ended else {} for row in last]
            gains.append(mine * REWARD)
            over += list(truncated.values())
            if ended:
                self.finished.append(self._sums[number].copy())
                self._sums[number][:] = 0
                self._seen[number], _ = env.reset()
        return self._rows(), np.concatenate(gains).astype(np.float32), np.array(over), infos

    def action_masks(self) -> list[np.ndarray]:
        """Return what each may do: what MaskablePPO asks for."""
        return [each["action_mask"].astype(np.bool_) for seen in self._seen for each in seen.values()]

    def get_attr(self, attr_name: str, indices: object = None) -> list[Any]:
        """Return an attribute, once for each place."""
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: object, indices: object = None) -> None:
        """Nothing is to be set."""
        raise AttributeError(attr_name)

    def env_method(self, method_name: str, *args: object, indices: object = None, **kwargs: object) -> list[Any]:
        """Return the masks; no other method is there."""
        if method_name != "action_masks":
            raise AttributeError(method_name)
        return self.action_masks()

    def env_is_wrapped(self, wrapper_class: object, indices: object = None) -> list[bool]:
        """Nothing is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing is held open."""

    def _rows(self) -> np.ndarray:
        return np.array([_flat(each) for seen in self._seen for each in seen.values()])


def _flat(seen: dict[str, Any]) -> np.ndarray:
    """Return one agent's observation as one row."""
    parts = seen["observation"]
    return np.concatenate([np.ravel(parts[part]) * SCALE.get(part, 1.0) for part in PARTS], dtype=np.float32)


def game_of(name: str) -> GridGame:
    """Return a game without its talk."""
    try:
        return without_talk(name)
    except GameError:
        return load(name)


def learner(world: AgentsVec, seed: int) -> MaskablePPO:
    """MaskablePPO, set up as examples/ppo.py is."""
    torch.set_num_threads(1)
    length = world.games[0].game.steps
    return MaskablePPO(
        "MlpPolicy", world, learning_rate=3e-4, n_steps=length, batch_size=2400, n_epochs=4, ent_coef=0.01,
        policy_kwargs={"net_arch": [192, 96]}, seed=seed, device="cpu",
    )  # fmt: skip


def play(model: MaskablePPO, world: AgentsVec, episodes: int) -> float:
    """Return the mean score of so many episodes."""
    seen, before = world.reset(), len(world.finished)
    while len(world.finished) < before + episodes:
        acts, _ = model.predict(seen, action_masks=np.array(world.action_masks()))
        seen, *_ = world.step(acts)
    return mean_score(world, world.finished[before:])


def mean_score(world: AgentsVec, rewards: Sequence[np.ndarray]) -> float:
    """Mean score of episodes, by their agents' rewards."""
    total = plan_of(world.games[0].game).total
    return float(np.mean([score(each, total) for each in rewards]))


class Curve(BaseCallback):
    """A point of the learning curve after each rollout, from the episodes that ended in it."""

    def __init__(self, world: AgentsVec) -> None:
        super().__init__()
        self.points: list[CurvePoint] = []
        self._world, self._told = world, 0

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        episodes = self._world.finished[self._told :]
        self._told += len(episodes)
        if episodes:
            steps = self.num_timesteps // self._world.games[0].game.agents
            self.points.append(CurvePoint(steps, float(np.mean(episodes)), mean_score(self._world, episodes)))

    def curve(self, seed: int) -> LearningCurve:
        """Return the learning curve."""
        game = self._world.games[0].game
        social = "alone" if without_stage(game) else "learned"
        return LearningCurve("SB3 PPO", game.name, "", social, seed, tuple(self.points))


def without_stage(game: GridGame) -> bool:
    """Return whether a game's talk was left out."""
    setting = rules_of(game.rules).talk_setting
    return bool(setting) and not game.settings[setting]


def main(given: Sequence[str] | None = None) -> None:
    """Train and save, or play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default="ada-contract")
    parser.add_argument("--steps", type=int, default=200_000, help="environment steps in all")
    parser.add_argument("--environments", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="write the model here")
    parser.add_argument("--play", type=Path, help="train nothing; play this model")
    options = parser.parse_args(given)
    first = options.seed * options.environments
    world = AgentsVec(game_of(options.game), range(first, first + options.environments))
    curve = Curve(world)
    if options.play:
        model = MaskablePPO.load(options.play, device="cpu")
    else:
        model = learner(world, options.seed)
        model.learn(options.steps * world.games[0].game.agents, callback=curve)
    sys.stdout.write(f"score {play(model, world, 24):.4f} of the oracle's, mean of 24 episodes\n")
    if options.save:
        model.save(options.save)
        if curve.points:
            write_curves(curve_file(options.save), [curve.curve(options.seed)])


if __name__ == "__main__":
    try:
        main()
    except GridError as error:
        raise SystemExit(str(error)) from None
