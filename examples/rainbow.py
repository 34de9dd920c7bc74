"""DQN with Rainbow's parts for the grid games, in one file: masked actions, one network a role, one thread, no GPU.

    python examples/rainbow.py ada-contract --social learned --steps 600000 --save rainbow.npz
    python examples/rainbow.py ada-contract --without noisy --without distributional --save dqn.npz
    python examples/rainbow.py --play rainbow.npz

The parts are double, dueling, prioritized, multi-step, noisy and distributional; `--without PART` leaves one out, and
without all six it is DQN. Without `noisy` it explores by chance, ever less. Values are of legal actions only, now and
in the next state. Games, groups, curricula, files and curves are those of `examples/ppo.py`; there is no memory.
Needs the extra `learn`. Rainbow: Hessel and others, arXiv 1710.02298; AdaSociety: 21 atoms on 0 to 50, 3 steps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from copy import deepcopy
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent))
import ppo

from common.policy_file import Network
from grid_games import FinishedEpisode, GridError
from grid_games.learning_curves import CurvePoint
from grid_games.measures import score

PARTS = ("double", "dueling", "prioritized", "multi-step", "noisy", "distributional")
ATOMS, LOWEST, HIGHEST = 21, 0.0, 50.0
"""Atoms of the distribution of returns, in units of the game's reward."""
STEPS = 3
"""Steps whose rewards are summed before the next state's value is added."""
CAPACITY = 60_000
"""Steps of single agents that are kept for each network."""
BATCH = 512
COLD = 20
"""Steps of the environments before learning begins."""
RENEW = 200
"""Updates after which the target network is a copy of the other again."""
ALPHA, BETA = 0.5, 0.4
"""Exponent of priorities, and first exponent of the weights that make up for them."""
SHARP = 1000.0
"""Factor of the saved scores: drawing by them takes the best action."""


class Noisy(nn.Linear):
    """Linear layer with learned noise, factorised (Fortunato and others, arXiv 1706.10295)."""

    def __init__(self, fed: int, out: int) -> None:
        super().__init__(fed, out)
        self.spread = nn.Parameter(torch.full((out, fed), 0.5 / fed**0.5))
        self.spread_bias = nn.Parameter(torch.full((out,), 0.5 / fed**0.5))

    def forward(self, rows: Tensor) -> Tensor:
        """Return the layer's result under fresh noise."""
        into, out = (
            each.sign() * each.abs().sqrt() for each in (torch.randn(size) for size in self.spread.shape[::-1])
        )
        weight = self.weight + self.spread * out[:, None] * into
        return nn.functional.linear(rows, weight, self.bias + self.spread_bias * out)


class QNet(nn.Module):
    """Shared layers with tanh, then a value and advantages, or values of the actions, perhaps as distributions."""

    def __init__(self, fed: int, actions: int, settings: ppo.Settings, off: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.actions, self.atoms = actions, 1 if "distributional" in off else ATOMS
        sizes, head = (fed, *settings.hidden), nn.Linear if "noisy" in off else Noisy
        self.dense = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))
        self.advantage = head(sizes[-1], actions * self.atoms)
        self.value = None if "dueling" in off else head(sizes[-1], self.atoms)
        self.support = torch.linspace(LOWEST, HIGHEST, ATOMS) / settings.reward

    def forward(self, rows: Tensor) -> Tensor:
        """Return logits of the atoms, or values, shape (n, A, Z), from (n, F)."""
        for layer in self.dense:
            rows = torch.tanh(layer(rows))
        found = self.advantage(rows).unflatten(-1, (self.actions, self.atoms))
        if self.value is None:
            return found
        return self.value(rows)[:, None] + found - found.mean(1, keepdim=True)

    def values(self, found: Tensor) -> Tensor:
        """Return the mean return of each action, shape (n, A)."""
        return found[..., 0] if self.atoms == 1 else found.softmax(-1) @ self.support

    def network(self) -> Network:
        """Return the same over numpy, without noise; value and advantages become a single layer."""
        layers = [(each.weight.detach(), each.bias.detach()) for each in self.dense]
        last = [
            each.detach().unflatten(0, (self.actions, self.atoms))
            for each in (self.advantage.weight, self.advantage.bias)
        ]
        if self.value is not None:
            last = [v.detach() + a - a.mean(0) for v, a in zip((self.value.weight, self.value.bias), last, strict=True)]
        sharp = SHARP if self.atoms == 1 else 1.0
        weight, bias = (each.flatten(0, 1).numpy() * np.float32(sharp) for each in last)
        atoms = None if self.atoms == 1 else self.support.numpy() * np.float32(SHARP)
        return Network(tuple((w.numpy().copy(), b.numpy().copy()) for w, b in layers), (weight, bias), atoms=atoms)


class Replay:
    """Ring of the last steps of the agents of one network, drawn by priority."""

    def __init__(self, agents: int, fed: int, actions: int, steps: int) -> None:
        self.length = max(CAPACITY // agents, 4 * steps)
        shape, self.ahead, self._at = (self.length, agents), steps, -1
        self.rows, self.mask = np.zeros((*shape, fed), np.float16), np.zeros((*shape, actions), np.bool_)
        self.acts, self.rewards = np.zeros(shape, np.intp), np.zeros(shape, np.float32)
        self.ended = np.zeros(shape, np.bool_)
        self.priority = np.zeros(shape)
        """0 for steps that cannot be drawn: empty ones, and those whose next state is still to come."""
        self._highest = 1.0

    def see(self, rows: np.ndarray, mask: np.ndarray) -> None:
        """Begin a step: what is seen now is the next state of the step some steps before."""
        before = self._at
        self._at = (self._at + 1) % self.length
        self.rows[self._at], self.mask[self._at], self.priority[self._at] = rows, mask, 0
        if before >= 0 and (self.priority.any() or self._at >= self.ahead):
            self.priority[(self._at - self.ahead) % self.length] = self._highest

    def act(self, acts: np.ndarray, rewards: np.ndarray, ended: np.ndarray) -> None:
        """End the step."""
        self.acts[self._at], self.rewards[self._at], self.ended[self._at] = acts, rewards, ended

    def draw(
        self, count: int, dice: np.random.Generator, by_priority: bool
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the steps and agents drawn, (n,) each, and their probabilities."""
        weights = (self.priority if by_priority else self.priority > 0).reshape(-1).astype(float)
        total = np.cumsum(weights)
        # A draw that rounding puts past the last entry takes the last.
        chosen = np.minimum(total.searchsorted(dice.random(count) * total[-1], "right"), len(weights) - 1)
        return *np.divmod(chosen, self.rewards.shape[1]), weights[chosen] / total[-1]

    def returns(self, steps: np.ndarray, agents: np.ndarray, discount: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the discounted rewards of the steps ahead, and the factor of the value after them, 0 after an end."""
        gain, factor = np.zeros(len(steps), np.float32), np.ones(len(steps), np.float32)
        for each in range(self.ahead):
            at = (steps + each) % self.length
            gain += factor * self.rewards[at, agents]
            factor *= discount * ~self.ended[at, agents]
        return gain, factor

    def rate(self, steps: np.ndarray, agents: np.ndarray, errors: np.ndarray) -> None:
        """Set the priorities of steps that were learned from."""
        rated = (np.abs(errors) + 1e-6) ** ALPHA
        self.priority[steps, agents] = rated
        self._highest = max(self._highest, float(rated.max()))


class Trainer(ppo.Trainer):
    """PPO's games and stages, learned from a replay memory."""

    learner = "Rainbow"

    def __init__(self, settings: ppo.Settings, off: frozenset[str] = frozenset()) -> None:
        if settings.memory:
            raise GridError(f"--memory {settings.memory}: Rainbow has no recurrent layer here; leave --memory out")
        if unknown := sorted(off - set(PARTS)):
            raise GridError(f"--without {unknown[0]}: there is no such part; parts are {', '.join(PARTS)}")
        self.off, self.network = off, partial(QNet, off=off)
        self.learner = "DQN" if off == frozenset(PARTS) else "Rainbow" + "".join(f" -{part}" for part in sorted(off))
        super().__init__(settings)
        self.targets = [deepcopy(net) for net in self.nets]
        fed, size = self.rows().shape[2], settings.environments
        ahead = 1 if "multi-step" in off else STEPS
        self.replays = [Replay(size * len(mine), fed, self.actions, ahead) for mine in self.agents]
        self.dice = np.random.default_rng(settings.seed)
        self.updates = 0

    def _round(self, total: float) -> None:
        """Play whole episodes, learning after every step, and note how they went."""
        episodes = list[FinishedEpisode]()
        for _ in range(self.game.steps):
            episodes += self.advance()
            if self.steps >= COLD * self.batch.size:
                for number in range(len(self.nets)):
                    self.improve(number)
                self.updates += 1
                if self.updates % RENEW == 0:
                    for net, target in zip(self.nets, self.targets, strict=True):
                        target.load_state_dict(net.state_dict())
        reached = float(np.mean([score(each.rewards, total) for each in episodes]))
        self.points.append(CurvePoint(self.steps, float(np.mean([each.rewards for each in episodes])), reached))

    def advance(self) -> tuple[FinishedEpisode, ...]:
        """Play one step, which the replay memories keep."""
        acts, seen, batch = np.zeros((self.batch.size, self.batch.agents), np.intp), self.rows(), self.batch
        for number, replay in enumerate(self.replays):
            mine = self.agents[number]
            rows, mask = (each[:, mine].reshape(-1, each.shape[2]) for each in (seen, batch.mask[..., : self.actions]))
            replay.see(rows, mask)
            acts[:, mine] = self.choose(number, rows, mask).reshape(batch.size, -1)
        step = batch.step(acts)
        for number, replay in enumerate(self.replays):
            mine = self.agents[number]
            rewards = step.rewards[:, mine].reshape(-1) / self.settings.reward
            replay.act(acts[:, mine].reshape(-1), rewards, np.repeat(step.ended, len(mine)))
        self._unite(np.flatnonzero(step.ended))
        self.steps += batch.size
        return step.episodes

    @torch.no_grad()
    def choose(self, number: int, rows: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """Return the best legal action of each row, shape (n,), or a random one by chance."""
        net = self.nets[number]
        values = net.values(net(torch.from_numpy(rows))).masked_fill(~torch.from_numpy(mask), -torch.inf)
        best = values.argmax(-1).numpy()
        if "noisy" not in self.off:
            return best
        chance = max(0.02, 1 - 3 * self.steps / self.settings.steps)
        drawn = np.where(mask, self.dice.random(mask.shape), -1).argmax(1)
        return np.where(self.dice.random(len(best)) < chance, drawn, best)

    def improve(self, number: int) -> None:
        """Learn from one batch of what one network's agents did."""
        net, target, replay, optimiser = (
            each[number] for each in (self.nets, self.targets, self.replays, self.optimisers)
        )
        prioritized = "prioritized" not in self.off
        steps, agents, chances = replay.draw(BATCH, self.dice, prioritized)
        gain, factor = (torch.from_numpy(each) for each in replay.returns(steps, agents, self.settings.discount))
        after = (steps + replay.ahead) % replay.length
        with torch.no_grad():
            rows = torch.from_numpy(replay.rows[after, agents].astype(np.float32))
            found = target(rows)
            judge = target.values(found) if "double" in self.off else net.values(net(rows))
            best = judge.masked_fill(~torch.from_numpy(replay.mask[after, agents]), -torch.inf).argmax(-1)
            following = found[torch.arange(BATCH), best]
        told = net(torch.from_numpy(replay.rows[steps, agents].astype(np.float32)))
        told = told[torch.arange(BATCH), torch.from_numpy(replay.acts[steps, agents])]
        if net.atoms == 1:
            errors = told[:, 0] - (gain + factor * following[:, 0])
            losses = nn.functional.smooth_l1_loss(told[:, 0], told[:, 0].detach() - errors.detach(), reduction="none")
        else:
            goal = project(following.softmax(-1), gain, factor, net.support)
            losses = errors = -(goal * told.log_softmax(-1)).sum(-1)
        if prioritized:
            replay.rate(steps, agents, errors.detach().numpy())
            beta = BETA + (1 - BETA) * min(1.0, self.steps / self.settings.steps)
            weights = torch.from_numpy((chances / chances.min()) ** -beta).float()
            losses = losses * weights
        optimiser.zero_grad()
        losses.mean().backward()
        nn.utils.clip_grad_norm_(net.parameters(), 10.0)
        optimiser.step()


def project(following: Tensor, gain: Tensor, factor: Tensor, support: Tensor) -> Tensor:
    """Return the distributions (n, Z) of `gain + factor * return` on the support (Bellemare, arXiv 1707.06887)."""
    width = support[1] - support[0]
    places = (gain[:, None] + factor[:, None] * support).clamp(support[0], support[-1])
    places = ((places - support[0]) / width).clamp(0, len(support) - 1)
    low = places.floor().clamp(max=len(support) - 2)
    up = places - low
    result = torch.zeros_like(following)
    result.scatter_add_(1, low.long(), following * (1 - up))
    result.scatter_add_(1, low.long() + 1, following * up)
    return result


def main(given: Sequence[str] | None = None) -> None:
    """Train and save, or play."""
    own = argparse.ArgumentParser(add_help=False)
    own.add_argument("--without", action="append", default=[], metavar="PART")
    options, rest = own.parse_known_args(given)
    about = f"{(__doc__ or '').splitlines()[0]} Also --without PART: {', '.join(PARTS)}."
    ppo.main(rest, partial(Trainer, off=frozenset(options.without)), about)


if __name__ == "__main__":
    ppo.run(main)
