"""Removal of wall-clock data from event lines: times, the endpoint's retries, and the run's name.

On a world with a virtual clock equal seeds give equal logs, byte for byte, so nothing in the log may depend on the wall
clock. On servers wall times stay.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from dilemmas.records.events import LogLine

NO_TIME = 0.0
"""Time of a line without a wall time."""
WALL: dict[str, float | str] = {
    "time": NO_TIME,
    "wall_ms": 0.0,
    "wall_s": 0.0,
    "cpu_ms": 0.0,
    "episode_wall_s": 0.0,
    "run": "",
    "retries": 0,
    "limited": 0,
    "waited_s": 0.0,
    "unanswered": 0,
}
"""Field name, at any depth of a line -> replacement value."""


_DATA = ', "data": {'
_KEY = re.compile('"(?:' + "|".join(WALL) + ')": ')


def may_hold_wall_clock(text: str) -> bool:
    """Return True if a line of the log may hold wall-clock fields besides its own time."""
    return _KEY.search(text, max(0, text.find(_DATA))) is not None


def without_wall_clock(line: LogLine) -> LogLine:
    """Return the line with all wall-clock fields blanked."""
    data = line.event.model_dump(mode="json", by_alias=True)
    blank = _blank(data)
    # Most events hold no such field, and comparing costs less than validating a new event.
    event = line.event if blank == data else type(line.event).model_validate(blank)
    return replace(line, time=NO_TIME, event=event)


def _blank(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {key: _blanked(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return [_blank(item) for item in value]
    return value


def _blanked(key: str, value: Any) -> Any:  # noqa: ANN401 - any JSON
    if key in WALL and value is not None and not isinstance(value, dict | list):
        return WALL[key]
    return _blank(value)
