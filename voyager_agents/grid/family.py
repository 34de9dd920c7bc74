"""The families that play grid games: `random`, `greedy`, `oracle-plan`, `policy` (of a file), and `text`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from voyager_agents.errors import AgentError
from voyager_agents.grid.players import ArrayPlayer
from voyager_agents.grid.words import HISTORY, ROLE, WordsPlayer
from voyager_agents.registry import AgentContext, needed

FILE = "file"
MOST = 200
"""Steps that a player can be reminded of."""


def random(seats: Sequence[AgentContext]) -> list[ArrayPlayer]:
    """Players that draw among what is allowed."""
    return [ArrayPlayer(seat.player, "random") for seat in seats]


def greedy(seats: Sequence[AgentContext]) -> list[ArrayPlayer]:
    """Players each for itself."""
    return [ArrayPlayer(seat.player, "greedy") for seat in seats]


def oracle_plan(seats: Sequence[AgentContext]) -> list[ArrayPlayer]:
    """Players that know all and do what is best for all."""
    return [ArrayPlayer(seat.player, "oracle-plan") for seat in seats]


def of_file(seats: Sequence[AgentContext]) -> list[ArrayPlayer]:
    """Players of the policy in the file that the option `file` names."""
    return [ArrayPlayer(seat.player, f"policy:{seat.options[FILE]}") for seat in seats]


def check_file(options: Mapping[str, Any]) -> None:
    """Whether these options name a file that is there. Raises AgentError."""
    unknown = sorted(set(options) - {FILE})
    if unknown or FILE not in options:
        what = f"{unknown[0]!r} is no option of 'policy' agents" if unknown else "no file is named"
        raise AgentError(f"{what}: say which policy plays with --agents policy:FILE")
    if not Path(str(options[FILE])).is_file():
        raise AgentError(f"policy:{options[FILE]}: there is no such file; give a policy that was saved")


def files(options: Mapping[str, Any]) -> list[Path]:
    """The file of the policy."""
    return [Path(str(options[FILE]))]


def text(seats: Sequence[AgentContext]) -> list[WordsPlayer]:
    """Players that are language models."""
    return [
        WordsPlayer(
            seat.player,
            needed(seat, ROLE),
            history=history_of(seat.options),
            prompts=seat.prompts,
            tell=seat.tell,
        )
        for seat in seats
    ]


def check_text(options: Mapping[str, Any]) -> None:
    """Whether these options are legal. Raises AgentError."""
    if unknown := sorted(set(options) - {"history"}):
        raise AgentError(f"{unknown[0]!r} is no option of 'text' agents: they have history, the steps remembered")
    history_of(options)


def history_of(options: Mapping[str, Any]) -> int:
    """How many steps a player is reminded of. Raises AgentError."""
    given = options.get("history", HISTORY)
    try:
        count = int(str(given))
    except ValueError:
        count = -1
    if not 0 <= count <= MOST:
        raise AgentError(f"history: {given!r} is not legal; give steps from 0 to {MOST}")
    return count
