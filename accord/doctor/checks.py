"""Result line of `accord doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "info", "warn", "fail"]
"""Severity of a result."""


@dataclass(frozen=True)
class DoctorCheck:
    """Result of one check."""

    name: str
    state: Level
    found: str
    remedy: str = ""
    """Remedy; empty if none is needed."""
