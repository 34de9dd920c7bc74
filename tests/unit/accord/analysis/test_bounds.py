"""Possible values of measures, and intervals that are cut to them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from accord.analysis.figures import bounds, common_bounds, recorded_bounds
from accord.analysis.scoring import combine, combine_conditions
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings


def _declared(told: object) -> dict[str, tuple[float, float]]:
    return recorded_bounds({"bounds": {"none": told}}, "none")


RESULT = {
    "players": {name: {"reward": 1.0, "transfer": 0.0, "payoff": 1.0} for name in ("Gizmo", "Glitch", "Laura")},
    "welfare": 3.0, "gini": 0.0, "gini_plain": 0.0, "wall_s": 2.0, "game_s": 60.0,
    "measures": {
        "takes": {"Gizmo": 1.0, "Glitch": 2.0}, "share": {"Gizmo": 0.5, "Glitch": 0.5}, "lean": {"Gizmo": 0.0},
        "mutual": {"": 1.0}, "surplus": {"Gizmo": -1.0},
    },
    "gathered": {"share": "mean"},
}  # fmt: skip
DECLARED = _declared(
    {"reward": [0, 9], "payoff": [0, None], "takes": [0, 4], "share": [0, 1], "lean": [-1, 1], "mutual": [0, 1]}
)


def test_bounds_of_all_together_follow_from_those_of_players() -> None:
    found = bounds(RESULT, DECLARED)
    assert found["reward", "Gizmo"] == (0, 9)
    assert found["payoff", "Laura"] == (0, math.inf)
    assert found["welfare", ""] == (0, 27)
    assert found["takes", ""] == (0, 8)
    assert found["share", ""] == found["share", "Glitch"] == found["mutual", ""] == (0, 1)
    assert found["lean", ""] == (-1, 1)
    assert found["game_s", ""] == (0, math.inf)
    assert found["surplus", ""] == found["transfer", "Gizmo"] == (-math.inf, math.inf)


@pytest.mark.parametrize(("declared", "most"), [({"payoff": [0, None]}, 1), ({"reward": [0, None]}, math.inf)])
def test_inequality_is_at_most_1_if_nobody_can_owe(declared: dict[str, list[float | None]], most: float) -> None:
    assert bounds(RESULT, _declared(declared))["gini", ""] == (0, most)


def test_runs_without_declared_bounds_make_a_measure_unbounded() -> None:
    known, older = bounds(RESULT, DECLARED), bounds(RESULT, {})
    assert common_bounds([known, older])["takes", ""] == (-math.inf, math.inf)
    assert common_bounds([known, known])["takes", ""] == (0, 8)


@pytest.mark.parametrize("ends", [[1, 0], [math.nan, 1], ["a", 1], [0], 3, [10**400, None]])
def test_bounds_that_accord_does_not_write_are_left_out(ends: object) -> None:
    assert _declared({"share": [0, 1]}) == {"share": (0, 1)}
    assert _declared({"share": ends}) == {}


def test_bounds_that_a_value_contradicts_are_not_believed() -> None:
    found = bounds(RESULT, _declared({"takes": [2, 4], "share": [0, 1]}))
    assert found["takes", "Gizmo"] == (-math.inf, math.inf)
    assert found["takes", "Glitch"] == (2, 4)
    assert found["share", "Gizmo"] == (0, 1)


def _runs(shares: list[float]) -> list[dict[str, Any]]:
    head = {"scenario": "a", "version": 1, "world": "mock", "condition": "c", "status": "complete"}
    return [
        {**RESULT, **head, "seed": seed, "measures": {"share": {"Gizmo": share}}} for seed, share in enumerate(shares)
    ]


def test_intervals_of_means_and_differences_are_cut() -> None:
    sides = {"low": _runs([0.0, 0.0, 0.01, 0.02, 0.9]), "high": _runs([1.0, 1.0, 0.99, 0.98, 0.1])}
    plain = {name: combine(runs, 0) for name, runs in sides.items()}
    cut = {name: combine(runs, 0, declared=DECLARED) for name, runs in sides.items()}
    for measure in ("share", "share.Gizmo"):
        low, high = plain["low"]["summary"][measure]["ci95"]
        assert low < 0 < 1 < high
        assert cut["low"]["summary"][measure]["ci95"] == [0, 1]
    wide = _share(combine_conditions(plain))
    assert wide["ci95"][0] < -1 < 1 < wide["ci95"][1]
    found = _share(combine_conditions(cut, declared=dict.fromkeys(sides, DECLARED)))
    assert found["ci95"] == found["paired"]["ci95"] == [-1, 1]


def _share(result: dict[str, Any]) -> dict[str, Any]:
    return next(each for each in result["comparisons"] if each["measure"] == "share")


@pytest.mark.parametrize(
    ("scenario", "condition", "vary", "bounded"),
    [
        ("cleanup", "none", {}, True),
        ("cleanup", "contract-1", {}, False),
        ("cleanup", "none", {"institution.law": ("on",)}, False),
        ("prisoners-dilemma", "none", {}, False),
    ],
)
def test_payoffs_are_bounded_only_where_nothing_moves_emeralds(
    scenario: str, condition: str, vary: dict[str, tuple[str, ...]], bounded: bool
) -> None:
    plan = StudyPlan.of(StudySettings(scenario, (condition,), world="mock", vary=vary))
    found = recorded_bounds(plan.config(plan.conditions), plan.conditions[0].name)
    assert found["reward"] == (0, math.inf)
    assert ("payoff" in found) == bounded
