"""Small societies with taxes: a few constituents, an influencer and a manager, with early events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

TAXATION = Path(__file__).parents[2] / "dilemmas" / "scenarios" / "taxation" / "taxation.yaml"
TRADES = {"Ann": "farming", "Bob": "building", "Cid": "merchandise", "Dot": "watch"}
PLACES = {"Ann": (3, -12), "Bob": (-3, -3), "Cid": (3, 3), "Dot": (6, 0), "Thorin": (2, -5), "Max": (26, 90)}
SOON: Mapping[str, float] = {"feedback": 22, "amendments": 26, "ballots": 30, "count": 34, "adoption": 40}
SEASONS: Mapping[str, float] = {"count": 3, "every_s": 20, "window_s": 8}


def small_taxation(
    folder: Path,
    *,
    seconds: float = 62,
    at: Mapping[str, float] = SOON,
    items: Mapping[str, Mapping[str, int]] | None = None,
    seasons: Mapping[str, float] = SEASONS,
) -> Path:
    """Write a variant of taxation with four constituents and three seasons of 20 seconds."""
    base: dict[str, Any] = yaml.safe_load(TAXATION.read_text(encoding="utf-8"))
    held = (
        {name: {"bread": 10, "apple": 10, "stone": 20} for name in TRADES}
        | {"Thorin": {}, "Max": {}}
        | dict(items or {})
    )
    personas = [
        {
            "name": name,
            "traits": ["You live here."],
            "spawn_location": {"x": x + 0.5, "y": -60, "z": z + 0.5},
            "inventory": dict(held[name]),
        }
        for name, (x, z) in PLACES.items()
    ]
    changes = {
        "extends": str(TAXATION),
        "name": "small-taxation",
        "population": {"personas": personas},
        "trades": {**dict.fromkeys(base["trades"], None), **TRADES},
        "influencers": ["Thorin"],
        "citizens": {"opinion": {"step": 0.8, "firm": 0}},
        "constitution": {"manager": "Max", "at": dict(at)},
        "rules": {"seasons": dict(seasons)},
        "end": {"time_limit_s": seconds},
    }
    path = folder / "small.yaml"
    path.write_text(yaml.safe_dump(changes), encoding="utf-8")
    return path
