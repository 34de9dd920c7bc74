"""One line of `accord doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "info", "warn", "fail"]
"""How good or bad it is."""


@dataclass(frozen=True)
class DoctorCheck:
    """One thing that was looked at."""

    name: str
    state: Level
    found: str
    remedy: str = ""
    """What to do; empty where nothing is to be done."""
