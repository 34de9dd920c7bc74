"""Learned policy: draws legal actions by its network's scores, as in training."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from common.errors import PolicyFileError
from common.policy_file import Network, Saved
from grid_games.arrays import Flags, Inputs, Ints
from grid_games.batch import Batch
from grid_games.errors import GridPolicyError
from grid_games.policies import social
from grid_games.policies.inputs import PARTS, inputs

_MANNERS: dict[str, social.Manner] = {"alone": social.Loner(), "together": social.Uniter()}


class Learned:
    """Policy of a file. Its memory lasts for an episode."""

    def __init__(self, saved: Saved | str | Path, seed: int = 0, *, best: bool = False) -> None:
        """Open the policy.

        Args:
            saved: The policy, or the path of its file.
            seed: Seed of the draws.
            best: Take the action with the highest score instead of drawing.

        Raises:
            GridPolicyError: The file is unusable.
        """
        self._name = "the policy" if isinstance(saved, Saved) else f"policy file {str(saved)!r}"
        try:
            self.saved = saved if isinstance(saved, Saved) else Saved.read(saved)
        except PolicyFileError as error:
            raise GridPolicyError(str(error)) from None
        self._dice = np.random.default_rng(seed)
        self._best = best
        self._states: list[Inputs] = []
        self._checked: object = None

    def check(self, game: Batch) -> None:
        """Check that the policy can play this game. Raises GridPolicyError with a one-line message."""
        saved = self.saved
        if unknown := [part for part in saved.parts if part not in PARTS]:
            raise GridPolicyError(f"{self._name} is fed {unknown[0]!r}; parts are {', '.join(PARTS)}")
        if len(saved.seats) != game.agents:
            raise GridPolicyError(f"{self._name} plays {len(saved.seats)} agents, {game.game.name} has {game.agents}")
        fed, wanted = inputs(game, saved.parts).shape[2], self._actions(game)
        for network in saved.networks:
            if network.inputs != fed or network.actions != wanted:
                raise GridPolicyError(
                    f"{self._name} was trained on {saved.game}: it is fed {network.inputs} numbers and knows "
                    f"{network.actions} actions; {game.game.name} has {fed} and {wanted}"
                )

    def act(self, game: Batch) -> Ints:
        """Return a legal action for each agent, shape (B, N)."""
        if self._checked is not game:
            self.check(game)
            self._checked = game
            size = game.size
            self._states = [np.zeros((size, n.memory), np.float32) for n in self._playing()]
        rows, known = inputs(game, self.saved.parts), self._actions(game)
        acts = np.zeros((game.size, game.agents), np.intp)
        for agent, network in enumerate(self._playing()):
            state = self._states[agent] * (game.time > 0)[:, None]
            scores, self._states[agent] = network.score(rows[:, agent], state)
            acts[:, agent] = self._drawn(scores, game.mask[:, agent, :known])
        manner = _MANNERS.get(self.saved.manner)
        return social.choose(game, acts, manner, self._dice) if manner else acts

    def _playing(self) -> list[Network]:
        """Return the network of each agent."""
        return [self.saved.networks[seat] for seat in self.saved.seats]

    def _actions(self, game: Batch) -> int:
        """Return the number of actions that the networks score: the physical ones, or all."""
        return len(game.actions) if self.saved.manner == "learned" else game.tables.social

    def _drawn(self, scores: Inputs, mask: Flags) -> Ints:
        """Draw a legal action per row by softmax, shape (n,).

        Adding Gumbel noise to the scores and taking the maximum is equivalent.
        """
        noise = 0.0 if self._best else -np.log(-np.log(self._dice.random(scores.shape) + 1e-12) + 1e-12)
        return np.asarray(np.where(mask, scores + noise, -np.inf).argmax(axis=1))
