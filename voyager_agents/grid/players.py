"""Players of grid games, as their mode sees them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

from voyager_agents.agent import Observation

Read = TypeVar("Read")


@dataclass(frozen=True)
class ArrayPlayer:
    """A player whose actions a policy over arrays chooses; players of one policy share it."""

    name: str
    policy: str
    """Name for `grid_games.policies.open_policy`, or `policy:FILE`."""


@dataclass(frozen=True)
class GridTurn:
    """Observation of a player by words before a step."""

    step: int
    """From 1."""
    rules: str
    """Text that the player knows from the start; the same in every turn of a game."""
    seen: str
    """Current view, and the legal answers."""


@dataclass(frozen=True)
class GridTexts:
    """Texts that a game shows one of its players."""

    rules: str
    shortest: str
    """Shortest text of one step."""
    longest: str


@runtime_checkable
class WordPlayer(Protocol):
    """A player that reads and types words."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Take in what there is to know before a game: the scenario in words, and its contract."""

    async def choose(self, turn: GridTurn, read: Callable[[str], Read]) -> Read | str:
        """Choose an action: return the value of `read` for the answer. `read` raises ValueError, one line, for a wrong
        answer.

        After a second answer of no use: what was wrong with it, as a text. Raises AgentError when its model fails.
        """
