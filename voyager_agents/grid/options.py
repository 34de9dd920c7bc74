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
"""Beginning of the names of the prompts with which players of grid games negotiate."""
PLANNER = "planner"
"""Name of the model role of planners."""
HISTORY = 8
"""Default number of past answers in the prompt of a model's player."""
MAX_HISTORY = 200
"""Maximum number of past answers in the prompt of a model's player."""
REVIEW = 20
"""Default number of steps after which a planner makes a new plan at the latest."""
MAX_REVIEW = 500
"""Maximum number of these steps."""


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


def check_planner_options(options: Mapping[str, Any]) -> None:
    """Check the options of planners.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - {"history", "review"}):
        raise AgentError(
            f"{unknown[0]!r} is no option of 'planner' agents: they have history, the plans remembered, and review, "
            "the steps after which a new plan is asked for at the latest"
        )
    history_of(options)
    review_of(options)


def check_script_options(options: Mapping[str, Any]) -> None:
    """Check the options of scripted planners.

    Raises:
        AgentError: An option is unknown, or its value is not legal.
    """
    if unknown := sorted(set(options) - {"review"}):
        raise AgentError(f"{unknown[0]!r} is no option of 'scripted-planner' agents: they have review")
    review_of(options)


def history_of(options: Mapping[str, Any]) -> int:
    """Return the number of past answers in the prompt of a model's player.

    Raises:
        AgentError: The number is not legal.
    """
    return _count(options, "history", HISTORY, 0, MAX_HISTORY)


def review_of(options: Mapping[str, Any]) -> int:
    """Return the number of steps after which a planner makes a new plan at the latest.

    Raises:
        AgentError: The number is not legal.
    """
    return _count(options, "review", REVIEW, 1, MAX_REVIEW)


def _count(options: Mapping[str, Any], name: str, usual: int, least: int, most: int) -> int:
    """Return a number of steps. Raises AgentError if it is not legal."""
    given = options.get(name, usual)
    try:
        count = int(str(given))
    except ValueError:
        count = least - 1
    if not least <= count <= most:
        raise AgentError(f"{name}: {given!r} is not legal; give steps from {least} to {most}")
    return count
