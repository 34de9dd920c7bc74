"""Errors of the grid games.

GridError
├── GameError        a game's description is wrong: the message names the key, its value and what is legal
├── StepError        a call that the current state does not allow
├── GridPolicyError  an unknown policy, or an unusable policy file
└── AnswerError      an answer that names no legal action; the text is sent back to its author
"""

from __future__ import annotations


class GridError(ValueError):
    """An error of a grid game; one line that names the fault."""


class GameError(GridError):
    """An invalid description or variant of a game."""


class StepError(GridError):
    """Actions of a wrong shape, or a step of a finished episode."""


class GridPolicyError(GridError):
    """An unknown policy, an invalid policy file, or a policy trained for another game."""


class AnswerError(GridError):
    """A typed answer that is not a legal action."""
