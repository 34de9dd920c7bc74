"""Seal of a run that people play: while it is played, the page shows what every player may see, and nothing else.

A person could look at the page of its own study. So a sealed page has no private message, no secret deal, no thought,
no program and no model call, whose texts can quote private words. The kinds of events that it shows are a list; a new
kind is hidden until it is added here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from accord.analysis.report.reader import LOG
from accord.viewer.tailing import parse_line
from common.segments import Log
from dilemmas.records.locking import is_played
from voyager_agents.human.connection import HUMAN

Data = Mapping[str, Any]
Public = Callable[[Data], Data | None]
"""Returns the public part of an event's fields, or None if the event is private."""
MAX_HEAD = 1 << 20
"""Maximum length of a log's first line, in bytes."""


def _whole(data: Data) -> Data:
    return data


def _if_to_nobody(data: Data) -> Data | None:
    return None if data.get("to") else data


def _if_public_channel(data: Data) -> Data | None:
    return data if data.get("channel") == "public" else None


def _if_of_all(data: Data) -> Data | None:
    """Return the fields of an event about the contract of all players, not about a deal."""
    return data if data.get("deal") is None else None


def _if_known_to_all(data: Data) -> Data | None:
    """Return the fields of a step that all people are told of."""
    return data if data.get("known_to") is None else None


def _without_words(data: Data) -> Data:
    return {**data, "args": ()}


PUBLIC: Mapping[str, Public] = {
    **dict.fromkeys(
        (
            "run_started", "run_resumed", "run_ended", "episode_started", "episode_ended", "infrastructure",
            "policies_started", "world_built", "ground", "ground_changed", "weather", "places", "mobs", "state",
            "end_state", "inventory", "life_began", "person", "people", "season_opened", "season_closed", "assembly",
            "negotiation", "contract",
        ),
        _whole,
    ),
    "action": _without_words,
    "chat": _if_to_nobody,
    "speech": _if_to_nobody,
    "talk": _if_public_channel,
    "institution": _if_known_to_all,
    **dict.fromkeys(("terms_typed", "terms_ratified", "verdict", "transfer"), _if_of_all),
}  # fmt: skip
"""Kind of event -> its public part; other kinds have none."""
_OF_BODIES = frozenset({"action", "ground_changed", "inventory", "places", "state"})
PRIVATE_IN_GAMES = {
    "grid_begun": frozenset({"state"}), **dict.fromkeys(("game_begun", "map", "decision"), _OF_BODIES),
}  # fmt: skip
"""Kind of event with which a game begins -> public kinds of events that are private from then on: in a grid game
players do not see what others hold, in a repeated game places and belongings tell choices before they are known, in
Conquest (`map`) they tell what the fog hides, and in rounds of Commons Harvest (`decision`) what is out of sight."""
PUBLIC_LINES = frozenset({"ground"})
"""Kinds of events whose whole line is public. Lines have thoughts that the page's words leave out."""


def public_part(kind: str, data: Data) -> Data | None:
    """Return the fields of an event that every player may see, or None for a private event."""
    public = PUBLIC.get(kind)
    return None if public is None else public(data)


class PublicParts:
    """Public parts of one run's events, which are read in order."""

    def __init__(self) -> None:
        self._private: frozenset[str] = frozenset()

    def note(self, kind: str) -> None:
        """Note an event's kind."""
        self._private = PRIVATE_IN_GAMES.get(kind, self._private)

    def part(self, kind: str, data: Data) -> Data | None:
        """Return the fields of an event that every player may see, or None for a private event."""
        return None if kind in self._private else public_part(kind, data)


class Seals:
    """Decisions on which runs are sealed."""

    def __init__(self) -> None:
        self._peopled: dict[Path, bool] = {}

    def is_sealed(self, run: Path) -> bool:
        """Return True if people play the run, and it is still played."""
        return self._has_people(run) and not (run / "result.json").is_file() and is_played(run)

    def _has_people(self, run: Path) -> bool:
        found = self._peopled.get(run)
        if found is None:
            found = has_people(run)
            if found is not None:
                self._peopled[run] = found
        return bool(found)


def has_people(run: Path) -> bool | None:
    """Return True if a person plays in the run, by the first line of its log; None before there is such a line."""
    try:
        with closing(Log(run / LOG).lines(0, MAX_HEAD)) as lines:
            first = parse_line(next(lines, b"")) or {}
    except OSError:
        return None
    data = first.get("data")
    players = data.get("players") if isinstance(data, dict) else None
    if not isinstance(players, dict):
        return None
    return any(isinstance(each, dict) and each.get("author") == HUMAN for each in players.values())
