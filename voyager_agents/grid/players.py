"""What a player of a grid game is, for the mode that lets it play."""

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
    """As `grid_games.policies.open_policy` takes it: a name, or `policy:FILE`."""


@dataclass(frozen=True)
class GridTurn:
    """What a player by words is shown before a step."""

    step: int
    """From 1."""
    rules: str
    """What it knows from the start; the same in every turn of a game."""
    seen: str
    """What it sees now, and the answers that are legal."""


@dataclass(frozen=True)
class GridTexts:
    """Texts that a game shows one of its players."""

    rules: str
    shortest: str
    """Of what it sees in a step."""
    longest: str


@runtime_checkable
class WordPlayer(Protocol):
    """A player that reads and types words."""

    name: str

    def observe(self, observation: Observation) -> None:
        """Takes in what there is to know before a game: the scenario in words, and its contract."""

    async def choose(self, turn: GridTurn, read: Callable[[str], Read]) -> Read | str:
        """What `read` makes of its answer. `read` raises ValueError, one line, for a text that is none.

        After a second answer of no use: what was wrong with it, as a text. Raises AgentError when its model fails.
        """
