"""PPO of Ray's RLlib on the PettingZoo face: a policy a role, masked actions, files and curves of `examples/ppo.py`.

    python examples/rllib.py ada-contract --steps 100000 --save rllib.npz
    python examples/rllib.py --play rllib.npz
    accord run ada-contract --agents policy:rllib.npz

`Rows` turns a game's `ParallelEnv` into one whose observations are rows of numbers, which RLlib's own wrapper takes;
its other algorithms can take it as well. Everything computes in this process; `--runners N` plays in N further ones.
Needs the extra `rllib` (Ray and torch).
"""

from __future__ import annotations

import argparse
import logging
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

# Ray sends statistics of its use away unless told otherwise.
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent))

import ppo
import ray
import torch
from gymnasium import spaces
from pettingzoo.utils.wrappers import BaseParallelWrapper
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.core.rl_module.torch import TorchRLModule
from ray.rllib.env.env_context import EnvContext
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv

from common.policy_file import Saved
from grid_games import GridError, GridGame, parallel_env
from grid_games.learning_curves import CurvePoint, LearningCurve, curve_file, write_curves
from grid_games.oracle import plan_of
from grid_games.policies.inputs import inputs

Observations = dict[str, dict[str, np.ndarray]]
REWARD = ppo.Settings.reward
"""Divisor of rewards."""
MAX_SEEDS = 1_000_000
"""Seeds of environments that a seed of training has for itself."""
RUNNER_SEEDS = 10_000
"""Seeds of environments that a runner has for itself."""


class Rows(BaseParallelWrapper):
    """A game whose observations are a saved policy's inputs, a row of numbers for each agent, beside the mask.

    The steps left are among the inputs, so that an episode's end is an end: agents are terminated, not truncated.

    Args:
        game: The game.
        seed: Seed of its episodes.
        parts: Names of the inputs.
        social: Whether agents have the social actions, which come after all others.
    """

    def __init__(self, game: GridGame, seed: int, parts: Sequence[str] = ppo.PARTS, *, social: bool = True) -> None:
        super().__init__(parallel_env(game, seed=seed))
        self._parts, tables = tuple(parts), self.env.batch.tables
        self._acts = spaces.Discrete(len(self.env.batch.actions) if social else tables.social)
        self._row = spaces.Box(-np.inf, np.inf, self._rows().shape[1:], np.float32)

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of rows and masks."""
        return spaces.Dict({"observation": self._row, "action_mask": spaces.Box(0, 1, (self._acts.n,), np.int8)})

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of the actions that agents have."""
        return self._acts

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """Start an episode."""
        seen, infos = super().reset(seed, options)
        return self._with_rows(seen), infos

    def step(
        self, actions: Mapping[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Step the game; rewards are scaled."""
        seen, rewards, terminated, truncated, infos = super().step(dict(actions))
        scaled = {agent: reward / REWARD for agent, reward in rewards.items()}
        return self._with_rows(seen), scaled, truncated, terminated, infos

    def _rows(self) -> np.ndarray:
        return inputs(self.env.batch, self._parts)[0]

    def _with_rows(self, seen: Mapping[str, Mapping[str, Any]]) -> Observations:
        rows = self._rows()
        return {
            agent: {"observation": rows[number], "action_mask": each["action_mask"][: self._acts.n]}
            for number, (agent, each) in enumerate(seen.items())
        }


class GridEnv(ParallelPettingZooEnv):
    """`Rows` as RLlib's runners make them, from `env_config`."""

    def __init__(self, context: EnvContext) -> None:
        rows = Rows(context["game"], 0, context["parts"], social=context["social"])
        # RLlib would take the agents from a set, whose order changes with the interpreter's hash seed.
        self.agents, self.possible_agents = list(rows.possible_agents), list(rows.possible_agents)
        self._first_seed = context.worker_index * RUNNER_SEEDS
        super().__init__(rows)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, Any]]:
        """Start an episode. RLlib numbers the seeds of each runner's environments from nearly the same one."""
        return super().reset(seed=None if seed is None else seed + self._first_seed, options=options)


class Module(TorchRLModule, ValueFunctionAPI):
    """The network of `examples/ppo.py` as RLlib takes one."""

    def setup(self) -> None:
        """Make the network."""
        fed, actions = self.observation_space["observation"].shape[0], int(self.action_space.n)
        self.net = ppo.Net(fed, actions, ppo.Settings(hidden=tuple(self.model_config["hidden"])))

    def _forward(self, batch: Mapping[str, Any], **kwargs: object) -> dict[str, Any]:
        chances, value = self._both(batch)
        return {Columns.ACTION_DIST_INPUTS: chances, Columns.EMBEDDINGS: value}

    def compute_values(self, batch: Mapping[str, Any], embeddings: torch.Tensor | None = None) -> torch.Tensor:
        """Return the values, which are embeddings already if the batch was just looked at."""
        return self._both(batch)[1] if embeddings is None else embeddings

    def _both(self, batch: Mapping[str, Any]) -> tuple[torch.Tensor, torch.Tensor]:
        seen = batch[Columns.OBS]
        rows = seen["observation"].float()
        chances, value, _ = self.net(rows[None], seen["action_mask"].bool()[None], rows)
        return chances[0], value[0]


def role_of(agent: str, *_: object, **__: object) -> str:
    """Return the policy of an agent: its role's."""
    return agent.rpartition("_")[0]


def configured(game: GridGame, settings: ppo.Settings, runners: int = 0) -> PPOConfig:
    """Return RLlib's configuration, with the settings of `examples/ppo.py`.

    Args:
        game: The game that is trained on.
        settings: Settings of the training, without a curriculum and memory.
        runners: Number of further processes that play; 0 to play in this one.
    """
    social = settings.social == "learned"
    rows = Rows(game, 0, settings.parts, social=social)
    agents = {role_of(agent): agent for agent in rows.possible_agents}
    modules = {
        role: RLModuleSpec(
            Module, rows.observation_space(agent), rows.action_space(agent),
            model_config={"hidden": list(settings.hidden)},
        )
        for role, agent in agents.items()
    }  # fmt: skip
    return (
        PPOConfig()
        .environment(GridEnv, env_config={"game": game, "parts": settings.parts, "social": social})
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=-(-settings.environments // max(1, runners)),
            batch_mode="complete_episodes",
        )
        .learners(num_learners=0)
        .multi_agent(policies=set(modules), policy_mapping_fn=role_of)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=modules))
        .training(
            train_batch_size_per_learner=settings.environments * game.steps,
            minibatch_size=min(settings.minibatch, settings.environments * game.steps),
            num_epochs=settings.passes,
            lr=settings.rate,
            gamma=settings.discount,
            lambda_=settings.trace,
            clip_param=settings.clip,
            vf_clip_param=float("inf"),
            vf_loss_coeff=settings.value,
            entropy_coeff=settings.entropy,
            use_kl_loss=False,
            grad_clip=settings.gradient,
        )
        .reporting(metrics_num_episodes_for_smoothing=settings.environments)
        .debugging(seed=settings.seed * MAX_SEEDS, log_level="ERROR")
    )


class Trainer:
    """An algorithm of RLlib on one game, with the points of its learning curve."""

    def __init__(self, settings: ppo.Settings, runners: int = 0) -> None:
        torch.set_num_threads(1)
        self.settings, self.game = settings, ppo.game_of(settings)
        self.total = plan_of(ppo.whole_game(settings.game, settings.variants, settings.structure)).total
        for name in ("ray", "ray.rllib"):
            logging.getLogger(name).setLevel(logging.ERROR)
        if not ray.is_initialized():
            ray.init(
                address="local", num_cpus=1 + runners, include_dashboard=False, log_to_driver=False,
                logging_level=logging.ERROR,
            )  # fmt: skip
        self.algorithm: PPO = configured(self.game, settings, runners).build_algo()
        self.points: list[CurvePoint] = []

    def train(self, tell: Callable[[int, float], bool]) -> None:
        """Train until all steps are done, or `tell(steps, score)` says so."""
        steps = 0
        while steps < self.settings.steps:
            found = self.algorithm.train()["env_runners"]
            steps, returned = int(found["num_env_steps_sampled_lifetime"]), float(found["episode_return_mean"]) * REWARD
            self.points.append(CurvePoint(steps, returned / self.game.agents, returned / self.total))
            if tell(steps, self.points[-1].score):
                return

    def saved(self) -> Saved:
        """Return what was learned, as `examples/ppo.py` saves it."""
        settings, names = self.settings, [role_of(agent) for agent in self.game.names]
        roles = sorted(set(names))
        nets = tuple(self.algorithm.get_module(role).net.network() for role in roles)
        notes = {"steps": self.points[-1].steps, "seed": settings.seed, "variants": list(settings.variants)}
        notes |= {"structure": settings.structure} if settings.structure else {}
        seats = tuple(roles.index(name) for name in names)
        return Saved(settings.game, settings.parts, seats, nets, settings.social, {**notes, "by": "rllib ppo"})

    def curve(self) -> LearningCurve:
        """Return the learning curve."""
        settings = self.settings
        game = "+".join((settings.game, *settings.variants))
        return LearningCurve("RLlib PPO", game, settings.structure, settings.social, settings.seed, tuple(self.points))

    def close(self) -> None:
        """Stop RLlib, and Ray with it."""
        self.algorithm.stop()
        ray.shutdown()


def main(given: Sequence[str] | None = None) -> None:
    """Train and save, or play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", nargs="?", default=ppo.Settings.game)
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--structure", default="", help="social structure of ada-social-structure, such as isolation")
    parser.add_argument("--social", choices=("alone", "learned"), default="alone")
    parser.add_argument("--steps", type=int, default=100_000, help="environment steps in all")
    parser.add_argument("--environments", type=int, default=24)
    parser.add_argument("--runners", type=int, default=0, help="further processes that play; 0 for none")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="write the policy here, and its learning curve beside it")
    parser.add_argument("--play", type=Path, help="train nothing; play this policy and tell its score")
    options = parser.parse_args(given)
    if options.play:
        reached = ppo.play(Saved.read(options.play), seed=options.seed)
        sys.stdout.write(f"score {reached:.4f} of the oracle's, mean of 20 episodes\n")
        return
    for name, least in (("steps", 1), ("environments", 1), ("runners", 0), ("seed", 0)):
        if getattr(options, name) < least:
            raise GridError(f"--{name} {getattr(options, name)}: give a number of at least {least}")
    chosen = {name: getattr(options, name) for name in ("game", "structure", "social", "steps", "environments", "seed")}
    trainer = Trainer(ppo.Settings(**chosen, variants=tuple(options.variant)), options.runners)
    began = time.monotonic()

    def tell(steps: int, reached: float) -> bool:
        sys.stdout.write(f"{steps:>9} steps  score {reached:.4f}  {time.monotonic() - began:6.1f} s\n")
        sys.stdout.flush()
        return False

    try:
        trainer.train(tell)
        if options.save:
            trainer.saved().write(options.save)
            write_curves(curve_file(options.save), [trainer.curve()])
    finally:
        trainer.close()


if __name__ == "__main__":
    ppo.run(main)
