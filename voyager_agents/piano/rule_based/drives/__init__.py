"""Tables of drives: what raises them, and what they make villagers wish for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml

FILE = Path(__file__).with_name("drives.yaml")


@cache
def tables() -> Mapping[str, Any]:
    """Return the tables of `drives.yaml`."""
    data: Mapping[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    return data


def with_drives(rules: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the tables of rule-based agents with the activities that only drives ask for."""
    return {**rules, "activities": {**rules["activities"], **tables()["activities"]}}


def wishes(levels: Mapping[str, float]) -> dict[str, float]:
    """Return activity -> weight that the drives add to the wish for it.

    Args:
        levels: Drive -> its level, 0 to 1.
    """
    return _weighted("wishes", levels)


def goods(levels: Mapping[str, float]) -> dict[str, float]:
    """Return item -> share by which the drives raise its worth.

    Args:
        levels: Drive -> its level, 0 to 1.
    """
    return _weighted("goods", levels)


def _weighted(table: str, levels: Mapping[str, float]) -> dict[str, float]:
    found: dict[str, float] = {}
    for drive, weights in tables()[table].items():
        for thing, weight in weights.items():
            found[thing] = found.get(thing, 0.0) + weight * levels.get(drive, 0.0)
    return found
