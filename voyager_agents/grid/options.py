"""Options of grid game players."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from voyager_agents.errors import AgentError

FILE = "file"
"""Name of the option with the path of a policy file."""
ROLE = "player"
"""Name of the model role of text players."""
PREFIX = "grid_"
"""Beginning of the names of the prompts with which text players negotiate."""
HISTORY = 8
"""Default number of past steps in a text player's prompt."""
MAX_HISTORY = 200
"""Maximum number of past steps in a text player's prompt."""


def check_policy_file(options: Mapping[str, Any]) -> None:
    """Check that the options name an existing policy file and nothing else.

    Raises:
        AgentError: An option is unknown, or the file does not exist.
    """
    unknown = sorted(set(options) - {FILE})
    if unknown or FILE not in options:
        what = f"{unknown[0]!r} is no option of 'policy' agents" if unknown else "no file is named"
        raise AgentError(f"{what}: say which policy plays with --agents policy:FILE")
    if not Path(str(options[FILE])).is_file():
        raise AgentError(f"policy:{options[FILE]}: there is no such file; give a policy that was saved")


def files_of_options(options: Mapping[str, Any]) -> list[Path]:
    """Return the paths of files that the options refer to: the policy file."""
    return [Path(str(options[FILE]))]


def check_text_options(options: Mapping[str, Any]) -> None:
    """Check the options of text players.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - {"history"}):
        raise AgentError(f"{unknown[0]!r} is no option of 'text' agents: they have history, the steps remembered")
    history_of(options)


def history_of(options: Mapping[str, Any]) -> int:
    """Return the number of past steps in a text player's prompt.

    Raises:
        AgentError: The number is not legal.
    """
    given = options.get("history", HISTORY)
    try:
        count = int(str(given))
    except ValueError:
        count = -1
    if not 0 <= count <= MAX_HISTORY:
        raise AgentError(f"history: {given!r} is not legal; give steps from 0 to {MAX_HISTORY}")
    return count
