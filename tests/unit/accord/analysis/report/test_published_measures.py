"""Values beside those that a paper prints for a scenario."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.published import PUBLISHED
from accord.analysis.report.published_measures import MEASURES, PUBLISHED_MEASURES
from accord.analysis.report.sections import parts_of
from dilemmas.scenarios.registry import scenario_names
from tests.unit.accord.analysis.report.synthetic import Story, write_run

PLAYERS = ("Laura", "Pedro")


def runs_with(folder: Path, hits: list[tuple[float, float]]) -> Path:
    """Write a run for each (Laura's hits on Pedro, her hits on John); Pedro's own hits count for nothing."""
    for seed, (pedro, john) in enumerate(hits):
        own = {"hits_on_pedro": {"Laura": pedro}, "hits_on_john": {"Laura": john, "Pedro": 50.0}}
        story = Story(
            condition="none", seed=seed, scenario="commons-harvest-known-selfish", players=PLAYERS, measures=own
        )
        write_run(folder / f"none-{seed}", story)
    return folder


def test_hits_on_pedro_stand_beside_the_published_share(tmp_path: Path) -> None:
    runs = runs_with(tmp_path / "runs", [(3, 1), (1, 1), (0, 0)])
    written = write_report([runs], tmp_path / "report").html
    (row,) = csv.DictReader((written.parent / "published.csv").read_text().splitlines())
    # A run without hits has no share.
    assert (row["measure"], row["n"], float(row["mean"])) == ("share_of_hits_on_pedro", "2", 0.625)
    assert (row["published"], row["published_spread"]) == ("0.86", "")
    page = re.sub(r"<[^>]*>", " ", written.read_text(encoding="utf-8"))
    assert re.search(r"here\s+0\.62\s+published\s+0\.86", page)
    # Without models there are no costs to compare.
    assert "Cost of a run" not in page


def test_without_a_value_of_its_own_nothing_published_is_shown(tmp_path: Path) -> None:
    runs = runs_with(tmp_path / "runs", [(0, 0)])
    assert not [each for each in parts_of("standard", read_comparison([runs])) if each.section is PUBLISHED_MEASURES]


def test_published_measures_are_of_scenarios_and_measures_that_exist() -> None:
    assert set(PUBLISHED) <= set(scenario_names())
    assert {name for known in PUBLISHED.values() for name in known.measures} <= set(MEASURES)
