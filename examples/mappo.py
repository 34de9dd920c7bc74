"""MAPPO for the grid games, in one file: PPO of `examples/ppo.py` with a central critic.

    python examples/mappo.py ada-contract --social learned --steps 600000 --save mappo.npz
    python examples/mappo.py --play mappo.npz

The actor sees what its agent sees. The critic, which is there only in training, sees what all agents see and, first,
the row of its own agent. Masks, groups, memory, curricula, files and curves are PPO's. Needs the extra `learn`.
MAPPO: Yu and others, arXiv 2103.01955. AdaSociety's critic sees the agents' actions as well; this one does not.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
from torch import Tensor, nn

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent))
import ppo


class CentralNet(ppo.Net):
    """An actor on the own row, and a critic on the rows of all agents.

    A row holds the own numbers first, then those of all agents in their order.
    """

    def __init__(self, fed: int, actions: int, settings: ppo.Settings) -> None:
        # A module takes layers only after its own set-up, so the size is found first.
        own = fed // (1 + ppo.game_of(settings).agents)
        super().__init__(own, actions, settings)
        self.own = own
        sizes = (fed, *settings.hidden)
        layers: list[nn.Module] = []
        for pair in pairwise(sizes):
            layers += [nn.Linear(*pair), nn.Tanh()]
            nn.init.orthogonal_(layers[-2].weight, 2**0.5)
        self.critic = nn.Sequential(*layers, nn.Linear(sizes[-1], 1))

    def forward(self, rows: Tensor, mask: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities (t, n, A), values (t, n) and the last state (n, H), from (t, n, F), (t, n, A), (n, H)."""
        acting, state = self.act(rows[..., : self.own], state)
        scores = self.actor(acting).masked_fill(~mask, -1e9)
        return scores.log_softmax(-1), self.critic(rows)[..., 0], state


class Trainer(ppo.Trainer):
    """PPO's loop, with rows that hold what all agents see."""

    learner = "MAPPO"
    network = CentralNet

    def rows(self) -> np.ndarray:
        """Return the own row and then all agents', shape (B, N, F * (1 + N))."""
        own = super().rows()
        everyone = np.broadcast_to(own.reshape(len(own), 1, -1), (*own.shape[:2], own.shape[1] * own.shape[2]))
        return np.concatenate([own, everyone], axis=2)


def main(given: Sequence[str] | None = None) -> None:
    """Train and save, or play."""
    ppo.main(given, Trainer, (__doc__ or "").splitlines()[0])


if __name__ == "__main__":
    ppo.run(main)
