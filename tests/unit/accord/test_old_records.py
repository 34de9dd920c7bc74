"""Records of Accord 0.1.0 that must still open: shown, reported, indexed, verified, replayed and resumed.

`tests/fixtures/records-0.1.0.tar.xz` holds one short record per scenario, most of them made before files and classes
were renamed; `records-0.1.0.json` holds the digests that the code of their time computed.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.analysis.report import drawing
from accord.cli.app import app
from accord.studies.study import read_settings, resume_study
from accord.viewer.index import RunIndex
from contracts.institutions.frame import read_parts
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.scenarios.observables import GOAL_MEASURE
from dilemmas.scenarios.protocol import SHARE
from dilemmas.scenarios.registry import SCENARIOS, load_scenario

FIXTURES = Path(__file__).parents[2] / "fixtures"
DIGESTS: dict[str, str] = json.loads((FIXTURES / "records-0.1.0.json").read_text(encoding="utf-8"))
RESUMED = "double-vein"
BESIDES = {"cleanup-law"}
"""Records besides those of the scenarios: Cleanup under a law with guards, whose log has steps of institutions."""


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the unpacked records, one folder per scenario."""
    folder = tmp_path_factory.mktemp("records")
    with tarfile.open(FIXTURES / "records-0.1.0.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def record(records: Path, tmp_path: Path, scenario: str) -> Path:
    """Copy of one record, which the test may write to."""
    return Path(shutil.copytree(records / scenario, tmp_path / scenario))


def run(*arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.output


UNBOUNDED = {
    "captured", "own_value", "per_round", "reward", "score", "split", "surplus", "value_created", "wasted",
    "felt", "likeability", "perceived", "perceived_likeability",
}  # fmt: skip
"""Measures that may be negative, or whose scale a study sets."""


def test_the_archive_has_a_record_of_each_scenario() -> None:
    assert set(SCENARIOS) == set(DIGESTS) - BESIDES


def test_the_archive_has_the_events_of_institutions_that_act_in_episodes(records: Path) -> None:
    kinds = {line.event.kind for line in read_events(records / "cleanup-law" / "events.jsonl")}
    assert {"institution", "grounds_used"} <= kinds


@pytest.mark.parametrize("scenario", DIGESTS)
def test_the_digest_is_unchanged(records: Path, scenario: str) -> None:
    assert digest(read_events(records / scenario / "events.jsonl")) == DIGESTS[scenario]


@pytest.mark.parametrize("scenario", DIGESTS)
def test_show_prints_the_transcript(records: Path, scenario: str) -> None:
    assert scenario in run("show", str(records / scenario))


@pytest.mark.parametrize("scenario", DIGESTS)
def test_report_writes_a_page(record: Path, scenario: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Drawing takes most of the time, and figures of such short records may be empty.
    monkeypatch.setattr(drawing, "svg_of", lambda make, theme: "<svg></svg>")
    run("report", str(record))
    assert scenario in (record / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("scenario", DIGESTS)
def test_the_page_indexes_every_line(
    record: Path, scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ACCORD_CACHE", str(tmp_path / "cache"))
    with closing(RunIndex(record)) as index:
        while index.step():
            pass
        reach = index.reach()
    assert reach["skipped"] == 0
    assert reach["read"] == reach["size"] > 0
    assert reach["ended"]


@pytest.mark.parametrize("scenario", DIGESTS)
def test_verify_finds_the_record_whole(records: Path, scenario: str) -> None:
    answers = json.loads(run("verify", str(records / scenario), "--json"))
    assert [answer["question"] for answer in answers if answer["ok"] is False] == []


def test_replaying_gives_the_same_log(records: Path) -> None:
    answers = json.loads(run("verify", "--replay", str(records / RESUMED), "--json"))
    assert answers[-1]["ok"] is True


@pytest.mark.parametrize("scenario", [RESUMED])
async def test_an_interrupted_record_resumes_to_the_same_end(record: Path, scenario: str) -> None:
    log = record / "events.jsonl"
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    ended = next(number for number, line in enumerate(lines) if '"kind": "episode_ended"' in line)
    log.write_text("".join(lines[: ended + 3]), encoding="utf-8")
    (record / "result.json").unlink()
    found = await resume_study(record, read_settings(record))
    assert found.results[0]["status"] == "complete"
    assert digest(read_events(log)) == DIGESTS[scenario]


@pytest.mark.parametrize("scenario", DIGESTS)
def test_measures_are_within_the_bounds_that_the_scenario_declares(records: Path, scenario: str) -> None:
    for file in records.joinpath(scenario).rglob("result.json"):
        result = json.loads(file.read_text(encoding="utf-8"))
        played = load_scenario(result["scenario"].removesuffix("-law"))
        if scenario in BESIDES:
            played = played.under(read_parts({"guards": "on"}))
        bounds = played.bounds() | {GOAL_MEASURE: SHARE}
        rewards = {player: account["reward"] for player, account in result["players"].items()}
        measures = {**result.get("measures", {}), "reward": rewards}
        assert {name for name in measures if name not in bounds} <= UNBOUNDED
        for name, values in measures.items():
            least, most = bounds.get(name, (None, None))
            assert all(least is None or value >= least for value in values.values()), name
            assert all(most is None or value <= most for value in values.values()), name
