"""Outcome of an agreement in an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Outcome:
    """Outcome of one agreement in an episode, as plain data."""

    deal: int | None
    """Number of the deal; None for the contract of all players."""
    verdict: dict[str, Any]
    enforced: dict[str, Any]
    """Breaches, promises that fell due, and forfeited deposits (`contracts.enforcement.Enforced.to_dict`)."""
