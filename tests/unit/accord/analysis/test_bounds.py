"""Possible values of measures, and intervals that are cut to them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from accord.analysis.figures import bounds, common_bounds
from accord.analysis.scoring import combine, combine_conditions

RESULT = {
    "players": {name: {"reward": 1.0, "transfer": 0.0, "payoff": 1.0} for name in ("Gizmo", "Glitch", "Laura")},
    "welfare": 3.0, "gini": 0.0, "gini_plain": 0.0, "wall_s": 2.0, "game_s": 60.0,
    "measures": {
        "takes": {"Gizmo": 1.0, "Glitch": 2.0}, "share": {"Gizmo": 0.5, "Glitch": 0.5}, "lean": {"Gizmo": 0.0},
        "mutual": {"": 1.0}, "surplus": {"Gizmo": -1.0},
    },
    "gathered": {"share": "mean"},
    "bounds": {
        "reward": [0, 9], "payoff": [0, None], "takes": [0, 4], "share": [0, 1], "lean": [-1, 1], "mutual": [0, 1],
    },
}  # fmt: skip


def test_bounds_of_all_together_follow_from_those_of_players() -> None:
    found = bounds(RESULT)
    assert found["reward", "Gizmo"] == (0, 9)
    assert found["payoff", "Laura"] == (0, math.inf)
    assert found["welfare", ""] == (0, 27)
    assert found["takes", ""] == (0, 8)
    assert found["share", ""] == found["share", "Glitch"] == found["mutual", ""] == (0, 1)
    assert found["lean", ""] == (-1, 1)
    assert found["game_s", ""] == (0, math.inf)
    assert found["surplus", ""] == found["transfer", "Gizmo"] == (-math.inf, math.inf)


@pytest.mark.parametrize(("declared", "most"), [({"payoff": [0, None]}, 1), ({"reward": [0, None]}, math.inf)])
def test_inequality_is_at_most_1_if_nobody_can_owe(declared: dict[str, Any], most: float) -> None:
    assert bounds({**RESULT, "bounds": declared})["gini", ""] == (0, most)


def test_runs_without_declared_bounds_make_a_measure_unbounded() -> None:
    older = {key: value for key, value in RESULT.items() if key != "bounds"}
    assert common_bounds([bounds(RESULT), bounds(older)])["takes", ""] == (-math.inf, math.inf)
    assert common_bounds([bounds(RESULT), bounds(RESULT)])["takes", ""] == (0, 8)


def _runs(shares: list[float]) -> list[dict[str, Any]]:
    head = {"scenario": "a", "version": 1, "world": "mock", "condition": "c", "status": "complete"}
    return [
        {**RESULT, **head, "seed": seed, "measures": {"share": {"Gizmo": share}}} for seed, share in enumerate(shares)
    ]


def test_intervals_of_means_and_differences_are_cut() -> None:
    low, high = [0.0, 0.0, 0.01, 0.02, 0.9], [1.0, 1.0, 0.99, 0.98, 0.1]
    plain = combine([{**run, "bounds": {}} for run in _runs(low)], 0)["summary"]["share"]["ci95"]
    assert plain[0] < 0 < 1 < plain[1]
    sides = {"low": combine(_runs(low), 0), "high": combine(_runs(high), 0)}
    assert sides["low"]["summary"]["share"]["ci95"] == [0, 1]
    assert sides["low"]["summary"]["share.Gizmo"]["ci95"] == [0, 1]
    unbounded = {name: combine([{**run, "bounds": {}} for run in side["runs"]], 0) for name, side in sides.items()}
    wide, cut = (
        next(each for each in combine_conditions(found)["comparisons"] if each["measure"] == "share")
        for found in (unbounded, sides)
    )
    assert wide["ci95"][0] < -1 < 1 < wide["ci95"][1]
    assert cut["ci95"] == cut["paired"]["ci95"] == [-1, 1]
