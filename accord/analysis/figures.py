"""The measures of a run, of any scenario, under one name each, for summaries, comparisons and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

Key = tuple[str, str]
"""(measure, player); the player is empty for a measure of all players together."""
TOGETHER = ""
MEASURES = ("welfare", "gini", "gini_plain", "wall_s", "episode_wall_s", "game_s")
"""Measures of all players together, in every scenario."""
PER_PLAYER = ("reward", "transfer", "payoff")
"""Measures of each player, in every scenario."""
SUM, MEAN, EACH = "sum", "mean", "each"
"""Ways to aggregate a scenario's own measure (`dilemmas.scenarios.protocol.Gathering`)."""
NOT_COMPARED = ("gini_plain", "wall_s", "episode_wall_s")
"""Measures in which conditions are not compared: one follows from `gini`, the others depend on the machine."""


def figures(result: Mapping[str, Any]) -> dict[Key, float]:
    """Return all measures of one run's result; null ones are left out.

    A scenario's own measures (the result's `measures`, player -> value) come per player, and for all players together
    as the result's `gathered` says: their sum (the default) or mean; `each` has no value for all together.
    """
    found: dict[Key, float] = {
        (measure, TOGETHER): float(result[measure]) for measure in MEASURES if _is_number(result.get(measure))
    }
    for player, account in (result.get("players") or {}).items():
        found.update({(part, player): float(account[part]) for part in PER_PLAYER if _is_number(account.get(part))})
    gathered = result.get("gathered") or {}
    for measure, values in (result.get("measures") or {}).items():
        whole = gathered_as(gathered.get(measure, SUM), values.values())
        if whole is not None:
            found[measure, TOGETHER] = whole
        found.update({(measure, player): float(value) for player, value in values.items()})
    return found


def gathered_as(how: str, values: Iterable[float]) -> float | None:
    """Return the aggregate of players' values: their `sum`, their `mean`, or None for `each` and an empty mean."""
    found = [float(value) for value in values]
    if how == EACH or (how == MEAN and not found):
        return None
    return float(sum(found)) / (len(found) if how == MEAN else 1)


def series(runs: Iterable[Mapping[Key, float]]) -> dict[Key, list[float]]:
    """Return each measure over several runs, in their order."""
    found: dict[Key, list[float]] = {}
    for run in runs:
        for key, value in run.items():
            found.setdefault(key, []).append(value)
    return found


def seeds_of(runs: Iterable[tuple[int, Mapping[Key, float]]]) -> dict[Key, list[int]]:
    """Return the seeds of the values in `series` of the same runs, each given as (seed, measures)."""
    found: dict[Key, list[int]] = {}
    for seed, run in runs:
        for key in run:
            found.setdefault(key, []).append(seed)
    return found


def figure_name(key: Key) -> str:
    """Return the measure's name in result.json: `welfare`, `payoff.Gizmo`."""
    measure, player = key
    return f"{measure}.{player}" if player else measure


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
