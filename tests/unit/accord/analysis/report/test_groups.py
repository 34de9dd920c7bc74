"""Groups of runs by condition: their intervals stay within the possible values of a measure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest

from accord.analysis.measures import summarize
from accord.analysis.report.groups import RunGroup

SKEWED = (0.0, 0.0, 0.05, 0.0, 0.9, 0.1)
TITLES = {"kept": ("Promises kept", "share"), "fines": ("Fines", "paid a run"), "gain": ("Gain", "emeralds")}


@dataclass(frozen=True)
class FakeRun:
    """Run with given measures."""

    values: Mapping[str, float]

    @property
    def run(self) -> Any:  # noqa: ANN401 - stands for a record
        return SimpleNamespace(seed=1)


@pytest.mark.parametrize(("measure", "scale"), [("kept", 1.0), ("fines", 40.0)])
def test_an_interval_is_cut_to_what_its_unit_allows(measure: str, scale: float) -> None:
    values = [scale * value for value in SKEWED]
    plain = summarize(values, 1).ci95
    found = RunGroup("c", tuple(FakeRun({measure: value}) for value in values), TITLES).measure(measure)
    assert plain is not None
    assert found is not None
    assert plain[0] < 0
    assert plain[1] > 1
    assert found.ci95 == (0.0, 1.0 if measure == "kept" else plain[1])


def test_a_measure_that_may_be_negative_keeps_its_interval() -> None:
    group = RunGroup("c", tuple(FakeRun({"gain": value}) for value in SKEWED), TITLES)
    assert group.measure("gain") == summarize(SKEWED, 1)
