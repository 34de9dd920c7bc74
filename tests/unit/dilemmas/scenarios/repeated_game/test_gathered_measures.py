"""Measures of single players in a comparison of runs."""

from __future__ import annotations

from pathlib import Path
from statistics import fmean

import pytest

from accord.analysis.report import read_comparison
from accord.studies.study import StudySettings, run_study


async def test_the_reciprocity_of_a_condition_is_the_mean_over_players(tmp_path: Path) -> None:
    found = await run_study(
        StudySettings(
            "prisoners-dilemma", ("none",), agents="tit-for-tat,alternator", repeat=12, world="mock", out=tmp_path
        )
    )
    own = found.results[0]["measures"]["reciprocity"]
    assert len(own) == 2
    (condition,) = read_comparison([found.directory]).conditions
    told = condition.measure("reciprocity")
    assert told is not None
    assert told.mean == pytest.approx(fmean(own.values()))
