"""Events of games of hidden roles by words: secrets, clues, votes and guesses, and the end of a game."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_empty


class RolesDealt(EventModel):
    """Secrets of a game; each player is told its own word alone."""

    kind: Literal["roles_dealt"] = "roles_dealt"
    game: int
    """Number of the game, from 1."""
    topic: str
    words: list[str]
    """Words of the card, which all players see."""
    word: str
    """Secret word of the insiders."""
    odd: str
    """Player that does not share it."""
    odd_word: str = Field(default="", exclude_if=is_empty)
    """Word of that player; empty for none."""
    order: list[str]
    """Order in which the players give their clues."""


class WordSaid(EventModel):
    """A player's clue, vote or guess. An illegal or unusable one counts for nothing, and has a fault."""

    kind: Literal["word_said"] = "word_said"
    round: int
    """Number of the stage in the run, from 1."""
    game: int
    stage: Literal["clue", "vote", "guess"]
    player: str
    clue: str = Field(default="", exclude_if=is_empty)
    vote: str = Field(default="", exclude_if=is_empty)
    guess: str = Field(default="", exclude_if=is_empty)
    role: str = Field(default="", exclude_if=is_empty)
    """Role that the player thinks it has; said with its vote, and never shown to other players."""
    expects: str = Field(default="", exclude_if=is_empty)
    """Player that it thinks most players will vote for; said with its vote, and never shown to other players."""
    why: str = ""
    fault: str = ""


class RolesRevealed(EventModel):
    """End of a game, of which all players are told."""

    kind: Literal["roles_revealed"] = "roles_revealed"
    game: int
    odd: str
    word: str
    accused: str
    """Player with the most votes; empty for a tie or without a vote."""
    outcome: Literal["escaped", "guessed", "caught"]


HiddenRoleEvent = RolesDealt | WordSaid | RolesRevealed
"""Any event of a game of hidden roles."""
