"""Private connection between a human player and the player's agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from contracts import Contract
from voyager_agents.human.grid_view import GridChoice, GridView
from voyager_agents.human.seat_question import SeatQuestion

HUMAN = "human"
"""Kind of human players, and their author in the record."""
KINDS = (HUMAN,)
IN_WORLD, ON_GRID, IN_WORDS = "world", "grid", "words"
"""Kinds of play on a person's page: in a Minecraft world, in a grid game, and by answers to questions."""
READY, DONE = "ready", "done"
"""Chat messages with which a player starts an episode, and ends its own part in it."""


@dataclass(frozen=True)
class ChatLine:
    """One chat message of a human player."""

    text: str
    to: str = ""
    """Recipient of a whisper; empty for a public message."""


class HumanConnection(Protocol):
    """A private channel to one human player."""

    async def send_text(self, text: str) -> None:
        """Show the text to the player alone."""

    def present(self, question: SeatQuestion | None) -> None:
        """Show a question on the player's page, if it has one; None if nothing is asked any more."""

    async def hear(self) -> ChatLine:
        """Wait for the player's next message.

        Raises:
            PrerequisiteError: The player is silent or away for too long.
        """

    def show_grid(self, view: GridView) -> None:
        """Show a grid game on the player's page."""

    async def choose(self, view: GridView) -> GridChoice:
        """Show a step of a grid game, and wait for the player's action.

        Raises:
            PrerequisiteError: The player does not choose, or is away for too long.
        """

    def heard(self) -> Sequence[ChatLine]:
        """Return the messages since the last call, oldest first, without waiting."""

    def forget(self) -> None:
        """Discard all messages that were not read yet."""


@dataclass(frozen=True)
class HumanContext:
    """Resources of a human player's agent, in addition to its `AgentContext`."""

    line: HumanConnection
    ear: str
    """Name of the bot that receives whispers hidden from other players; empty if the player has a page and no chat."""
    drafts: Mapping[str, Contract] = field(default_factory=dict)
    """Contracts with typed terms that the player can propose by name."""
    reads_text: bool = False
    """True if a judge reads the contract's text, so that free text can be proposed."""
