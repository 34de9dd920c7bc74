"""One axis of time through a whole record: seconds from its first line.

Inside an episode a second is a second of game time, or a round where players play in rounds. Outside of episodes no
game time passes; there each step that a person wants to see (a message of the negotiation, a verdict) takes `STEP_S`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STEP_S = 2.0
"""Seconds on the axis for a step outside of episodes."""
STEPS = frozenset({"negotiation", "terms_typed", "terms_ratified", "contract", "verdict", "policy_written", "critique"})
"""Kinds that are such steps."""
MAX_S = 1e9
"""No study is longer; a later moment is a mistake of the log."""


@dataclass
class Moments:
    """Gives each line of a log, taken in order, its moment; moments never go back."""

    now: float = 0.0
    base: float = 0.0
    """When the attempt began that is played."""
    playing: bool = False

    def take(self, kind: str, data: Mapping[str, Any]) -> float:
        """The moment of the line with that kind and those fields."""
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
        """That many seconds of the attempt have passed."""
        if isinstance(seconds, int | float) and math.isfinite(seconds) and 0 <= seconds < MAX_S:
            self.now = max(self.now, round(self.base + seconds, 3))


def _seconds(kind: str, data: Mapping[str, Any]) -> object:
    if kind in ("field", "deed"):
        return data.get("step")
    if kind == "decision":
        return data.get("round")
    return data.get("t_s")
