"""`accord report --rater`: a finished record is rated by models, and the report says how far they agree."""

from __future__ import annotations

import asyncio
import csv
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from accord.analysis.claims import number
from accord.cli.app import run
from accord.studies.study import StudySettings, run_study
from common.kappa import cohen_kappa
from tests.fakes.command_line import refused
from tests.fakes.hostile_records import snapshot
from tests.fakes.life import small_village
from tests.fakes.rated import respond
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request, Responder


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a village of nine for a minute."""
    folder = tmp_path_factory.mktemp("villages")
    settings = StudySettings(
        str(small_village(folder, people=9, seconds=60)),
        world="mock",
        contracts=("normal",),
        out=folder / "runs",
    )
    return asyncio.run(run_study(settings)).directory


def rate(respond: Responder, *arguments: str) -> tuple[int, int]:
    """Run `accord report` beside a scripted model; return its exit code and the number of calls."""

    async def report() -> tuple[int, int]:
        async with FakeServer(respond) as server:
            code = await asyncio.to_thread(run, ["report", *arguments, "--base-url", server.base_url])
            return code, len(server.requests)

    return asyncio.run(report())


def rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(file.read_text("utf-8").splitlines()))


def events_of(study: Path, rater: str) -> list[dict[str, object]]:
    (file,) = (study / "ratings").glob(f"{rater}-*.json")
    found: list[dict[str, object]] = json.loads(file.read_text())["events"]
    return found


def test_a_record_is_rated_once_and_stays_what_it_was(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    before = {name: told for name, told in snapshot(study).items() if "/ratings/" not in name}
    arguments = (str(study), "--rater", "openai/m", "--rater", "openai/n", "--rater-seeds", "2", "--out", str(tmp_path))
    code, calls = rate(respond, *arguments)
    assert code == 0
    told = capsys.readouterr().err
    assert "openai/m: records rated: 1, rated before: 0; " in told
    assert "openai/n, seed 1: records rated: 1, " in told
    assert calls > 0
    agreements = rows(tmp_path / "rater_agreement.csv")
    assert rate(respond, *arguments) == (0, 0)
    assert "openai/m: records rated: 0, rated before: 1; 0 calls" in capsys.readouterr().err
    assert rows(tmp_path / "rater_agreement.csv") == agreements
    assert {name: each for name, each in snapshot(study).items() if "/ratings/" not in name} == before
    assert run(["verify", str(study)]) == 0

    # Both models are one script, which goes by the seed alone.
    by_pair = {
        (each["question"], each["first"], each["second"]): float(each["kappa"]) if each["kappa"] else None
        for each in agreements
    }
    assert by_pair["role", "openai/m", "openai/n"] == 1
    assert by_pair["role", "openai/m", "openai/m, seed 1"] == by_pair["role", "openai/n", "openai/n, seed 1"]
    # Nobody dances or composts in the village, so that no goal has a topic, which is one label for all.
    assert by_pair["goal with a topic", "openai/m", "openai/n"] is None
    assert not [pair for pair in by_pair if "goal with a topic" in pair and "record" in pair]
    first, second = (
        [role[0] for each in events_of(study, rater) if each["kind"] == "life_rated" for role in each["roles"]]  # type: ignore[attr-defined]
        for rater in ("openai-m-seed-0", "openai-m-seed-1")
    )
    kappa = by_pair["role", "openai/m", "openai/m, seed 1"]
    assert kappa is not None
    assert kappa == cohen_kappa(list(zip(first, second, strict=True))) != 1
    page = (tmp_path / "report.html").read_text("utf-8")
    assert f"with itself over seeds on roles under normal: kappa {number(kappa)} in 1 run (too few" in page
    assert "too few runs for an interval" in page
    assert "undefined: both gave one and the same label to all items" in page


def test_measures_are_those_of_the_first_rater(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert rate(respond, str(study), "--rater", "openai/m", "--out", str(tmp_path / "rated"))[0] == 0
    assert run(["report", str(study), "--out", str(tmp_path / "own")]) == 0
    rated = {each["role"] for each in rows(tmp_path / "rated" / "roles.csv")}
    assert rated == {"farmer", "miner"}
    assert {each["role"] for each in rows(tmp_path / "own" / "roles.csv")} - rated
    assert not (tmp_path / "own" / "rater_agreement.csv").exists()
    assert "A role is inferred from each rolling set of five\ngoals by a model" in (
        tmp_path / "rated" / "report.html"
    ).read_text("utf-8")


def copied(study: Path, folder: Path) -> Path:
    """Return a copy of a record without its ratings."""
    copy = folder / "copy"
    copy.mkdir()
    for name in ("events.jsonl", "config.yaml", "result.json"):
        (copy / name).write_bytes((study / name).read_bytes())
    return copy


def test_a_cascade_rates_and_the_ratings_tell_which_model_answered(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    copy = copied(study, tmp_path)
    asked: list[str] = []

    def unsure_of_roles(request: Request) -> str:
        asked.append(request.body["model"])
        system = request.messages[0]["content"]
        if request.body["model"] == "small":
            assert "confidence" in system
            return json.dumps({**json.loads(respond(request)), "confidence": 0.2 if "the role" in system else 0.9})
        return respond(request)

    spec = "cascade:openai/small::openai/large::confidence=0.5"
    arguments = (str(copy), "--rater", spec, "--out", str(tmp_path / "out"))
    assert rate(unsure_of_roles, *arguments)[0] == 0
    told = capsys.readouterr().err
    (file,) = (copy / "ratings").glob("cascade-*.json")
    kept = json.loads(file.read_text())
    assert kept["model"] == spec
    assert kept["answered"] == {
        "openai/small": 2 * asked.count("small") - len(asked),
        "openai/large": asked.count("large"),
    }
    assert min(kept["answered"].values()) > 0
    assert f"answers by openai/large: {asked.count('large')}" in told
    assert rate(unsure_of_roles, *arguments) == (0, 0), "kept ratings are used again"
    assert "give 2 to 4 different models" in refused("report", str(copy), "--rater", "cascade:openai/small")


def test_unusable_answers_are_no_labels_and_a_changed_log_is_rated_anew(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    copy = copied(study, tmp_path)
    code, calls = rate(lambda _: "no", str(copy), "--rater", "openai/mute", "--out", str(tmp_path / "mute"))
    assert (code, calls > 0) == (0, True)
    found = rows(tmp_path / "mute" / "rater_agreement.csv")
    assert {(each["items"], each["kappa"]) for each in found} == {("0", "")}
    assert all(int(each["unlabelled_second"]) > 0 for each in found)
    assert "no item has a label of both" in (tmp_path / "mute" / "report.html").read_text("utf-8")
    assert rate(respond, str(copy), "--rater", "openai/mute", "--out", str(tmp_path / "mute")) == (0, 0)
    warm = ("--sampling", "temperature=1", "--out", str(tmp_path / "warm"))
    assert rate(respond, str(copy), "--rater", "openai/mute", *warm)[1] > 0
    log = copy / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"seed": 0', b'"seed": 7'))
    assert rate(respond, str(copy), "--rater", "openai/mute", "--out", str(tmp_path / "mute"))[1] > 0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--rater", "openai/m", "--rater-seeds", "0"], "--rater-seeds 0: give 1 to 20"),
        (["--rater", "openai/m", "--rater", "openai/m"], "--rater openai/m: is given twice"),
        (["--rater", "openai/m", "--sampling", "mood=1"], "'mood' in 'mood' is no setting"),
        (["--rater", "gpt"], "unknown model 'gpt'"),
        (["--rater", "openai/m", "--max-usd", "1"], "no price is known for openai/m"),
        (["--rater", "openai/m", "--max-usd", "x"], "--max-usd 'x' is no limit"),
        (["--rater", "openai/m", "--base-url", "openai/n=http://localhost:1"], "no 'openai/n' plays"),
    ],
)
def test_bad_input_is_refused_in_one_line(
    study: Path, more: Sequence[str], words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    assert words in refused("report", str(study), *more)


def test_a_model_that_cannot_be_asked_leaves_no_ratings(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    code, _ = rate(
        lambda _: FakeReply("no such model", status=404), str(study), "--rater", "openai/gone", "--out", str(tmp_path)
    )
    assert code != 0
    assert "--rater openai/gone: could not be asked about" in capsys.readouterr().err
    assert not list(study.rglob("openai-gone*"))
