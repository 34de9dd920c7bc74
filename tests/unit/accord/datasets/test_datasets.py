"""Datasets: rows follow their schema in every format, add up to the results, and hold no words of people unasked."""

from __future__ import annotations

import json
import math
import shutil
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pyarrow.parquet
import pytest
import yaml

from accord.cli import main
from accord.datasets.card import DatasetFacts
from accord.datasets.exporting import INCOMPLETE, export_dataset
from accord.datasets.rows import RowFilter
from accord.datasets.splits import WHOLE, parse_splits, split_of
from accord.datasets.tables import TABLES
from dilemmas.errors import UsageError
from tests.fakes.model_players import SPLIT, play, respond, role
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.faults import WRONG

ARCHIVE = Path(__file__).parents[3] / "fixtures" / "records-0.1.0.tar.xz"
EVERYTHING = RowFilter()
Rows = dict[str, list[dict[str, Any]]]


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with one short record per scenario."""
    folder = tmp_path_factory.mktemp("records")
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def record(records: Path, tmp_path: Path) -> Path:
    """Copy of a record of Double-Vein, which a test may change."""
    return Path(shutil.copytree(records / "double-vein", tmp_path / "double-vein"))


def export(
    record: Path,
    to: Path,
    file_format: str = "jsonl",
    wanted: RowFilter = EVERYTHING,
    shares: Mapping[str, float] = WHOLE,
) -> DatasetFacts:
    return export_dataset([record], to, file_format, shares, wanted)


def read(dataset: Path, split: str = "train") -> Rows:
    found: Rows = {}
    for table in TABLES:
        lines = (dataset / table.name / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
        found[table.name] = [json.loads(line) for line in lines]
    return found


def test_rows_of_every_scenario_follow_the_schema_and_add_up_to_the_results(records: Path, tmp_path: Path) -> None:
    export(records, tmp_path / "set")
    schema = json.loads((tmp_path / "set" / "schema.json").read_text(encoding="utf-8"))
    rows = read(tmp_path / "set")
    assert {row["scenario"] for row in rows["runs"]} == {path.name for path in records.iterdir()}
    for name, found in rows.items():
        check = jsonschema.Draft202012Validator(schema["tables"][name])
        assert [error.message for row in found for error in check.iter_errors(row)] == []
    payoffs: dict[str, list[float | None]] = {row["run"]: [] for row in rows["runs"]}
    for player in rows["players"]:
        payoffs[player["run"]].append(player["payoff"])
    for run in rows["runs"]:
        result = json.loads((records.parent / run["run"] / "result.json").read_text(encoding="utf-8"))
        assert run["welfare"] == result["welfare"]
        paid = [payoff for payoff in payoffs[run["run"]] if payoff is not None]
        assert run["welfare"] is None or not paid or math.isclose(math.fsum(paid), run["welfare"], abs_tol=1e-6)
        events = [row for row in rows["events"] if row["run"] == run["run"]]
        assert [row["seq"] for row in events] == list(range(len(events)))


def test_parquet_holds_the_same_rows_as_json_lines(records: Path, tmp_path: Path) -> None:
    for scenario in ("double-vein", "commons-harvest", "ada-contract", "village"):
        shutil.copytree(records / scenario, tmp_path / "some" / scenario)
    export(tmp_path / "some", tmp_path / "lines")
    export(tmp_path / "some", tmp_path / "packed", "hf")
    for name, rows in read(tmp_path / "lines").items():
        assert pyarrow.parquet.read_table(tmp_path / "packed" / name / "train.parquet").to_pylist() == rows


async def test_calls_hold_prompts_and_answers_and_tell_unusable_ones(tmp_path: Path) -> None:
    failed: list[str] = []

    def once(request: Request) -> FakeReply | str:
        if role(request) == "action" and not failed:
            failed.append("action")
            return WRONG["refusal"]
        return respond(request)

    async with FakeServer(once) as server:
        found, _ = await play(tmp_path, server, [SPLIT])
    export(found.directory, tmp_path / "set")
    rows = read(tmp_path / "set")
    calls = rows["calls"]
    assert len(calls) == rows["runs"][0]["calls"] == found.results[0]["usage"]["calls"]
    assert [(each["role"], each["usable"]) for each in calls if not each["usable"]] == [("action", False)]
    assert all({message["role"] for message in each["messages"]} >= {"system", "user"} for each in calls)
    assert sum(each["prompt_tokens"] + each["completion_tokens"] for each in calls) == rows["runs"][0]["tokens"]
    export(found.directory, tmp_path / "worked", wanted=RowFilter(worked=True))
    assert [each["usable"] for each in read(tmp_path / "worked")["calls"]] == [True] * (len(calls) - 1)


def test_texts_of_runs_with_people_are_left_out_unless_asked_for(record: Path, tmp_path: Path) -> None:
    config = yaml.safe_load((record / "config.yaml").read_text(encoding="utf-8"))
    config["settings"]["players"] = {"Gizmo": "human"}
    (record / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    export(record, tmp_path / "without")
    rows = read(tmp_path / "without")
    assert [(row["player"], row["person"]) for row in rows["players"]] == [("Gizmo", True), ("Glitch", False)]
    for table in TABLES:
        assert {row[name] for row in rows[table.name] for name in table.personal} <= {None}
    assert "all texts of these runs are left out" in (tmp_path / "without" / "README.md").read_text(encoding="utf-8")
    export(record, tmp_path / "with", wanted=RowFilter(people=True))
    assert all(row["data"] for row in read(tmp_path / "with")["events"])
    assert "**included**" in (tmp_path / "with" / "README.md").read_text(encoding="utf-8")


def test_only_what_worked_leaves_out_failed_runs_and_programs(record: Path, tmp_path: Path) -> None:
    export(record, tmp_path / "all")
    everything = read(tmp_path / "all")
    export(record, tmp_path / "worked", wanted=RowFilter(worked=True))
    worked = read(tmp_path / "worked")
    assert worked["programs"] == [row for row in everything["programs"] if row["outcome"] == "returned"]
    assert worked["turns"] == [row for row in everything["turns"] if not row["trouble"]]
    result = json.loads((record / "result.json").read_text(encoding="utf-8"))
    (record / "result.json").write_text(json.dumps({**result, "status": "failed", "reason": "tested"}))
    with pytest.raises(UsageError, match="no run is left to export"):
        export(record, tmp_path / "none", wanted=RowFilter(worked=True))


def test_splits_are_by_seed_alone() -> None:
    shares = parse_splits("train=0.8,test=0.2")
    drawn = [split_of(seed, shares) for seed in range(2000)]
    assert 0.17 < drawn.count("test") / 2000 < 0.23
    # A larger share keeps the seeds that a smaller one has.
    wider = parse_splits("train=0.9,test=0.1")
    assert all(split_of(seed, wider) == "train" for seed in range(2000) if drawn[seed] == "train")


def test_the_card_names_the_files_with_rows_and_quotes_hostile_names(record: Path, tmp_path: Path) -> None:
    result = json.loads((record / "result.json").read_text(encoding="utf-8"))
    hostile = "x`\n# A heading\n\x1b[31m<script>"
    (record / "result.json").write_text(json.dumps({**result, "condition": hostile}))
    facts = export(record, tmp_path / "set")
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---\n")[1])
    named = {config["config_name"]: config["data_files"] for config in front["configs"]}
    assert set(named) == {table.name for table in TABLES if facts.rows_of(table.name)}
    assert all((tmp_path / "set" / file["path"]).stat().st_size for files in named.values() for file in files)
    assert "\n# A heading" not in card
    assert "\x1b" not in card


def test_a_broken_off_export_begins_anew_and_a_failed_one_leaves_nothing(
    record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = tmp_path / "set"
    (to / "turns").mkdir(parents=True)
    (to / INCOMPLETE).touch()
    export(record, to)
    assert not (to / INCOMPLETE).exists()
    with pytest.raises(UsageError, match="exists and is not an empty folder: choose another with --to"):
        export(record, to)
    monkeypatch.setenv("SOME_API_KEY", "returned"[:8])
    with pytest.raises(UsageError, match="looks like an API key"):
        export(record, tmp_path / "leaky")
    assert not (tmp_path / "leaky").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["--format", "csv"], "csv"),
        (["--split", "train=1"], "--split is for datasets: add --format parquet, jsonl or hf"),
        (["--format", "jsonl", "--split", "train=0.8"], "add up to 0.8; they have to add up to 1"),
        (["--format", "jsonl", "--split", "Train=1"], "'Train=1' is not NAME=SHARE"),
        (["--format", "jsonl", "--split", "a=0.5,b=0.5"], "none of the 1 seeds falls into"),
    ],
)
def test_bad_input_is_refused_and_nothing_is_written(
    record: Path, tmp_path: Path, given: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["export", str(record), "--to", str(tmp_path / "set"), *given]) == 2
    assert told in " ".join(capsys.readouterr().err.split())
    assert not (tmp_path / "set").exists()


def test_the_command_tells_what_it_wrote(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", str(record), "--to", str(tmp_path / "set"), "--format", "parquet", "--only", "worked"]) == 0
    assert "1 runs, 2 players" in capsys.readouterr().out
