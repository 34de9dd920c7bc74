"""What of an event line belongs to this run of the machine and not to the experiment: wall times, an endpoint's
trouble, and the run's name.

On a world with a virtual clock the same seed gives the same bytes in the log (architecture.md, "Worlds"), so that
nothing in it may come from the wall clock. On servers the wall times stay.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from dilemmas.records.events import LogLine

NO_TIME = 0.0
"""The time of a line that has none."""
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
"""Field, at any depth of a line -> what stands there instead."""


_DATA = ', "data": {'
_KEY = re.compile('"(?:' + "|".join(WALL) + ')": ')


def may_hold_wall_clock(text: str) -> bool:
    """Whether a line, as it stands in the file, has any of it beside its own time; True in doubt."""
    return _KEY.search(text, max(0, text.find(_DATA))) is not None


def without_wall_clock(line: LogLine) -> LogLine:
    """The line with everything of the wall clock blanked out."""
    data = line.event.model_dump(mode="json", by_alias=True)
    blank = _blank(data)
    # Most events hold nothing of it, and making one costs more than looking.
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
