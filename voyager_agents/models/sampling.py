"""Sampling settings by role and player, which override each part's defaults.

A setting or model is addressed by `critic` (a role), `Gizmo` (a player), `Gizmo.critic` (one role of one player), or
the empty string (all). The most specific address wins: player and role, then player, then role, then all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from voyager_agents.errors import ModelError
from voyager_agents.models.base import Settings

T = TypeVar("T")
ALL = ""
"""Address of a setting for all players and roles."""
DEFAULT = "default"
"""Value that leaves the choice to the provider."""
RUN = "run"
"""Value of `seed` that passes the run's own seed to the provider."""


def chosen(table: Mapping[str, T], player: str, role: str) -> T | None:
    """Return the most specific value in the table for a player's role; None if there is none."""
    return next((table[who] for who in (f"{player}.{role}", player, role, ALL) if who in table), None)


def _number(low: float, high: float) -> Callable[[str], float | None]:
    def read(text: str) -> float | None:
        value = None if text == DEFAULT else float(text)
        if value is not None and not (math.isfinite(value) and low <= value <= high):
            raise ValueError
        return value

    return read


def _count(text: str) -> int | None:
    value = None if text == DEFAULT else int(text)
    if value is not None and value < 1:
        raise ValueError
    return value


def _effort(text: str) -> str | None:
    if not text.isalpha():
        raise ValueError
    return None if text == DEFAULT else text


def _seed(text: str) -> int | str | None:
    return text if text == RUN else None if text == DEFAULT else int(text)


_READ: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "temperature": (_number(0, 2), f"a number from 0 to 2, or {DEFAULT}"),
    "top_p": (_number(0, 1), f"a number from 0 to 1, or {DEFAULT}"),
    "max_tokens": (_count, f"a whole number from 1, or {DEFAULT}"),
    "max_completion_tokens": (_count, f"a whole number from 1, or {DEFAULT}"),
    "reasoning_effort": (_effort, f"a word of the provider's such as low, or {DEFAULT}"),
    "seed": (_seed, f"a whole number, {RUN} for the run's own seed, or {DEFAULT}"),
}
"""Setting -> (parser, description of legal values)."""
KEYS = tuple(_READ)
"""Names of the settings."""


@dataclass(frozen=True)
class Sampling:
    """Settings and the players and roles that they apply to."""

    table: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Setting -> address -> value."""

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> Sampling:
        """Parse `[WHO.]KEY` -> text, the form of `--sampling`. Raises ModelError with a one-line message."""
        table: dict[str, dict[str, Any]] = {}
        for name, text in given.items():
            who, _, key = name.rpartition(".")
            if key not in _READ:
                raise ModelError(f"sampling: {key!r} in {name!r} is no setting; legal are {', '.join(KEYS)}")
            read, legal = _READ[key]
            try:
                value = read(text)
            except ValueError:
                raise ModelError(f"sampling: {name}={text}: {text!r} is not legal; give {legal}") from None
            table.setdefault(key, {})[who] = value
        return cls(table)

    @property
    def names(self) -> tuple[str, ...]:
        """All addresses that occur, except the one for all."""
        return tuple(dict.fromkeys(who for each in self.table.values() for who in each if who != ALL))

    def of(self, player: str, role: str, seed: int | str) -> dict[str, Any]:
        """Return setting -> value for a player's role in the run with this seed; unset settings are absent."""
        found: dict[str, Any] = {}
        for key, table in self.table.items():
            if any(who in table for who in (f"{player}.{role}", player, role, ALL)):
                value = chosen(table, player, role)
                found[key] = seed if value == RUN else value
        return found


def applied(settings: Settings, changes: Mapping[str, Any]) -> Settings:
    """Return the settings with these changes applied."""
    return replace(settings, **changes) if changes else settings
