"""One time axis through a whole record: seconds from its first line.

Within an episode a second is a second of game time, or a round in games played in rounds. No game time passes between
episodes; there, each step worth seeing (a negotiation message, a verdict) takes `STEP_S` seconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STEP_S = 2.0
"""Seconds on the axis per step outside episodes."""
STEPS = frozenset(
    {"negotiation", "talk", "terms_typed", "terms_ratified", "contract", "verdict", "policy_written", "critique"}
)
"""Kinds of events that are such steps."""
MAX_S = 1e9
"""Maximum moment; no study is longer, so that later ones are errors in the log."""


@dataclass
class Moments:
    """Converter of log lines, in order, to moments that never decrease."""

    now: float = 0.0
    base: float = 0.0
    """Moment at which the current attempt started."""
    playing: bool = False

    def advance(self, kind: str, data: Mapping[str, Any]) -> float:
        """Return the moment of a line."""
        if kind in ("episode_started", "policies_started"):
            self.base, self.playing = self.now, True
        elif kind in ("episode_ended", "infrastructure"):
            self._reach(data.get("game_s"))
            self.playing = False
        elif self.playing:
            self._reach(_seconds(kind, data))
        elif kind in STEPS and data.get("state") != "none":
            self.now = round(self.now + STEP_S, 3)
        return self.now

    def _reach(self, seconds: object) -> None:
        """Advance to a time since the start of the attempt."""
        if isinstance(seconds, int | float) and math.isfinite(seconds) and 0 <= seconds < MAX_S:
            self.now = max(self.now, round(self.base + seconds, 3))


def _seconds(kind: str, data: Mapping[str, Any]) -> object:
    if kind in ("field", "deed"):
        return data.get("step")
    if kind in ("decision", "word_said"):
        return data.get("round")
    return data.get("t_s")
