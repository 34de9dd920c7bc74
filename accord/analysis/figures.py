"""The measures of a run, of any scenario, under one name each, for summaries, comparisons and tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from accord.analysis.intervals import NON_NEGATIVE, UNBOUNDED, Interval

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


def bounds(result: Mapping[str, Any], declared: Mapping[str, Interval]) -> dict[Key, Interval]:
    """Return the least and most possible value of each measure of one run's result; unbounded if they are unknown.

    Welfare is the sum of the rewards, since transfers sum to zero. The Gini coefficient of payoffs that cannot be
    negative is at most 1. Bounds that the run's own value contradicts are not believed.

    Args:
        result: Content of the run's result.json.
        declared: Declared bounds for one player, by measure (`recorded_bounds`).
    """
    players = result.get("players") or {}
    found: dict[Key, Interval] = {(name, TOGETHER): NON_NEGATIVE for name in ("wall_s", "episode_wall_s", "game_s")}
    found["welfare", TOGETHER] = _times(declared.get("reward", UNBOUNDED), len(players))
    fair = 1.0 if declared.get("payoff", UNBOUNDED)[0] >= 0 else math.inf
    found["gini", TOGETHER] = found["gini_plain", TOGETHER] = 0.0, fair
    for part in ("reward", "payoff"):
        found |= {(part, player): declared[part] for player in players if part in declared}
    gathered = result.get("gathered") or {}
    for measure, values in (result.get("measures") or {}).items():
        if measure in declared:
            summed = gathered.get(measure, SUM) == SUM and TOGETHER not in values
            found[measure, TOGETHER] = _times(declared[measure], len(values) if summed else 1)
            found |= {(measure, player): declared[measure] for player in values if player != TOGETHER}
    known = {key: (value, *found.get(key, UNBOUNDED)) for key, value in figures(result).items()}
    return {key: (low, high) if low <= value <= high else UNBOUNDED for key, (value, low, high) in known.items()}


def recorded_bounds(config: Any, condition: str) -> dict[str, Interval]:  # noqa: ANN401 - a file of other people
    """Return measure -> declared bounds for one player from the data of a config.yaml; empty without legal ones."""
    try:
        told = {str(name): _ends(*ends) for name, ends in config["bounds"][condition].items()}
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return {}
    return told if all(low <= high for low, high in told.values()) else {}


def common_bounds(runs: Iterable[Mapping[Key, Interval]]) -> dict[Key, Interval]:
    """Return the widest bounds of each measure over several runs."""
    found: dict[Key, Interval] = {}
    listed = list(runs)
    for key in dict.fromkeys(key for run in listed for key in run):
        ends = [run[key] for run in listed if key in run]
        found[key] = min(low for low, _ in ends), max(high for _, high in ends)
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


def _ends(least: float | None, most: float | None) -> Interval:
    return -math.inf if least is None else float(least), math.inf if most is None else float(most)


def _times(bounds: Interval, times: int) -> Interval:
    """Return the bounds of a sum of so many values."""
    return bounds if times == 0 else (bounds[0] * times, bounds[1] * times)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
