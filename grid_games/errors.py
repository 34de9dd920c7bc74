"""Errors of the grid games.

GridError
├── GameError     a game's description is wrong: the message names the key, its value and what is legal
├── StepError     a call that the state of play does not allow
├── PolicyError   there is no such policy, or its file cannot be used here
└── AnswerError   a typed answer that names no action: its text goes back to whoever answered
"""

from __future__ import annotations


class GridError(ValueError):
    """Something about a grid game is wrong; one line that names it."""


class GameError(GridError):
    """A game's description or a variant of it is wrong."""


class StepError(GridError):
    """Actions of a wrong shape, or a step of an episode that is over."""


class GridPolicyError(GridError):
    """A policy that is not there, a file that holds none, or one that was trained for another game."""


class AnswerError(GridError):
    """A typed answer that is not one of the actions on offer."""
