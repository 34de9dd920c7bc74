"""Options of `chooser` agents."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voyager_agents.errors import AgentError

ROLE = "player"
"""Name of the model role of players."""
HISTORY = 20
"""Default number of past rounds in a chooser's prompt."""
MAX_HISTORY = 500
"""Maximum number of past rounds in a chooser's prompt."""


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options of a chooser.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - {"history"}):
        raise AgentError(f"{unknown[0]!r} is no option of 'chooser' agents: they have history, the rounds remembered")
    history_of(options)


def history_of(options: Mapping[str, Any]) -> int:
    """Return the number of past rounds in a chooser's prompt.

    Raises:
        AgentError: The number is not legal.
    """
    given = str(options.get("history", HISTORY))
    if not given.isdecimal() or int(given) > MAX_HISTORY:
        raise AgentError(f"history: {given!r} is not legal; give rounds from 0 to {MAX_HISTORY}")
    return int(given)
