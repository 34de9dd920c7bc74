"""Seats of a league's games: which are focal, and who plays in each. All are drawn from the seed."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.studies.league_file import FocalPlayer, ScenarioEntry
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario
from voyager_agents.models import is_model
from voyager_agents.stage_games.strategies import STRATEGIES


@dataclass(frozen=True)
class SeatedAgent:
    """Agent of a seat: a strategy, a reference player, a family or a model."""

    name: str
    model: str | None = None

    @property
    def plain(self) -> bool:
        """True for a strategy of repeated games."""
        return self.name in STRATEGIES


@dataclass(frozen=True)
class PlannedGame:
    """Game of a league that is to be played."""

    seed: int
    player: str
    """The focal player."""
    focal: tuple[str, ...]
    """Its seats."""
    seats: Mapping[str, SeatedAgent]
    """Agent of each seat."""


@dataclass(frozen=True)
class SeatDraw:
    """Draw of the seats of a scenario's games."""

    where: str
    """Place of the scenario in its file, for messages."""
    name: str
    entry: ScenarioEntry
    game_name: str
    seats: tuple[str, ...]
    base: Path
    """Folder against which files of the background are resolved."""

    def game(self, player: FocalPlayer, seed: int) -> PlannedGame:
        """Return a game with its seats. Focal seats and background are equal for all focal players.

        Args:
            player: The focal player.
            seed: Seed of the game.

        Raises:
            UsageError: The scenario does not fit the game's players.
        """
        draw = random.Random(f"league:{self.name}:{seed}")
        focal = self._focal(draw)
        self._check_mode(focal)
        rest = [each for each in self.seats if each not in focal]
        if isinstance(self.entry.background, dict):
            others = self.entry.background
        else:
            others = {seat: draw.choice(self.entry.background) for seat in rest}
        # The focal population is drawn apart, so that the background does not depend on it.
        own = random.Random(f"league:{self.name}:{seed}:{player.name}")
        agents = {seat: SeatedAgent(with_path(agent, self.base)) for seat, agent in others.items()}
        agents |= {seat: _agent(own.choice(player.agents_in(self.game_name)), player.model) for seat in focal}
        return PlannedGame(seed, player.name, focal, {seat: agents[seat] for seat in self.seats})

    def _focal(self, draw: random.Random) -> tuple[str, ...]:
        """Return the focal seats, in the order of the game's players. Raises UsageError."""
        wanted, background = self.entry.focal, self.entry.background
        if isinstance(background, dict):
            chosen = [each for each in self.seats if each not in background]
            self._check_named("background", background)
            if wanted is not None and wanted != len(chosen) and set(_names(wanted)) != set(chosen):
                raise UsageError(f"{self.where}.focal: the background leaves {_joined(chosen)}; leave focal out")
        elif isinstance(wanted, tuple):
            self._check_named("focal", wanted)
            chosen = list(wanted)
        else:
            usual = {"visitor": 1, "resident": max(1, len(self.seats) - 1), "universal": len(self.seats)}
            number = usual[self.entry.mode] if wanted is None else wanted
            if not 1 <= number <= len(self.seats):
                raise UsageError(f"{self.where}.focal: {number} is not legal; give 1 to {len(self.seats)}")
            chosen = draw.sample(list(self.seats), number)
        return tuple(each for each in self.seats if each in chosen)

    def _check_named(self, key: str, names: Collection[str]) -> None:
        for name in names:
            if name not in self.seats:
                raise UsageError(f"{self.where}.{key}: {name!r} is no seat; choose from {_joined(self.seats)}")

    def _check_mode(self, focal: Sequence[str]) -> None:
        """Check that the numbers of seats make the scenario's mode. Raises UsageError."""
        count, others = len(focal), len(self.seats) - len(focal)
        fits = {"visitor": 0 < count <= others, "resident": count >= others > 0, "universal": not others}
        if not fits[self.entry.mode]:
            legal = ", ".join(mode for mode, fit in fits.items() if fit) or "none"
            raise UsageError(
                f"{self.where}.mode: {self.entry.mode} is not legal for {count} focal seats of {len(self.seats)}; "
                f"legal: {legal}"
            )


def with_path(agent: str, base: Path) -> str:
    """Return an agent with its file, if it names one (`NAME:FILE`), as an absolute path."""
    name, sign, file = agent.partition(":")
    return f"{name}:{(base / Path(file).expanduser()).absolute()}" if sign and not is_model(agent) else agent


def free_seats(game: Scenario) -> list[str]:
    """Return the players of a game that are no bots of its own."""
    return [player for player, spec in game.spec.players.items() if spec.bot is None]


def _agent(name: str, model: str | None) -> SeatedAgent:
    return SeatedAgent(name, name if is_model(name) else model)


def _names(wanted: int | tuple[str, ...]) -> tuple[str, ...]:
    return wanted if isinstance(wanted, tuple) else ()


def _joined(names: Collection[str]) -> str:
    return ", ".join(names) or "none"
