"""Options of choosers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voyager_agents.errors import AgentError

ROLE = "player"
"""The role of the players' models."""
HISTORY = 20
"""Rounds that a chooser is reminded of by default."""
MAX_HISTORY = 500
"""Rounds that a chooser can be reminded of at most."""


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options of a chooser.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - {"history"}):
        raise AgentError(f"{unknown[0]!r} is no option of 'chooser' agents: they have history, the rounds remembered")
    history_of(options)


def history_of(options: Mapping[str, Any]) -> int:
    """Return the number of rounds that a chooser is reminded of.

    Raises:
        AgentError: The number is not legal.
    """
    given = str(options.get("history", HISTORY))
    if not given.isdecimal() or int(given) > MAX_HISTORY:
        raise AgentError(f"history: {given!r} is not legal; give rounds from 0 to {MAX_HISTORY}")
    return int(given)
