"""Studies with a cache of answers: no call twice, no answer shared by two draws, and the savings in the record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.report import write_report
from accord.studies.study import StudySettings, read_settings, resume_study, run_study
from accord.studies.verifying import replay
from dilemmas.errors import UsageError
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.model_players import SPLIT, play, respond
from tests.fakes.study_records import lines, played, runs
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))


class Fickle:
    """Model whose every answer is another one; it cooperates half of the time."""

    def __init__(self) -> None:
        self.numbers: Iterator[int] = count()

    def __call__(self, request: Request) -> FakeReply | str:
        number = next(self.numbers)
        return json.dumps({"why": f"answer {number}", "choice": ["cooperate", "defect"][number * 7 % 5 % 2]})


def matrix(out: Path, server: FakeServer, **changes: object) -> StudySettings:
    prices = out / "prices.yaml"
    prices.write_text("m: {prompt: 1000, completion: 1000}\n")
    chosen: dict[str, Any] = {
        "repeat": 3, "runs": 2, "world": "mock", "agents": "chooser", "model": "openai/m", "out": out / "runs",
        "base_url": server.base_url, "cache": str(out / "answers.sqlite"), "prices": prices,
        "sampling": {"temperature": "0.7"}, **changes,
    }  # fmt: skip
    return StudySettings("prisoners-dilemma", **chosen)


async def test_a_repeated_study_makes_no_call_and_is_played_alike(tmp_path: Path) -> None:
    async with FakeServer(Fickle()) as server:
        first = await run_study(matrix(tmp_path, server))
        asked = len(server.requests)
        again = await run_study(matrix(tmp_path, server, budget={"calls": {"all": 1}, "usd": {"all": 1e-9}}))
        assert (asked, len(server.requests)) == (12, 12)
    assert played(again) == played(first)
    usage = [run["usage"] for run in runs(first)]
    assert [each["calls"] for each in usage] == [6, 6]
    for before, run in zip(usage, runs(again), strict=True):
        cached = {"calls": before["calls"], "tokens": before["tokens"], "usd": pytest.approx(before["usd"])}
        assert run["usage"] == {"calls": 0, "tokens": 0, "usd": 0.0, "cached": cached}
        assert [(each["calls"], each["cached"], each["usd"]) for each in run["costs"]] == [(0, 3, 0.0), (0, 3, 0.0)]
        assert faults(run, RULES) == []
    called = [each["data"] for each in lines(again) if each["kind"] == "model_call"]
    assert {(each["cached"], each["usd"]) for each in called} == {(True, 0.0)}
    assert {each["cached"] for each in lines(again, "calls.jsonl")} == {True}
    assert not any("'cached'" in str(each) for each in (*lines(first), *lines(first, "calls.jsonl")))
    write_report([again.directory], again.directory)
    assert "12 more from the cache" in (again.directory / "report.html").read_text()


async def test_runs_of_other_seeds_and_conditions_get_answers_of_their_own(tmp_path: Path) -> None:
    """Check that no answer of a random model is given twice within a study, or to a study that plays otherwise."""
    async with FakeServer(Fickle()) as server:
        await run_study(matrix(tmp_path, server))
        more = await run_study(matrix(tmp_path, server, runs=3))
        assert len(server.requests) == 18  # the third run alone
        assert [run["usage"]["calls"] for run in runs(more)] == [0, 0, 6]
        for changes in ({"seed": 7}, {"repeat": 4}, {"agents": "chooser,always-cooperate"}, {"reasoning": "none"}):
            before = len(server.requests)
            other = await run_study(matrix(tmp_path, server, runs=1, **changes))
            assert runs(other)[0]["usage"]["calls"] == len(server.requests) - before > 0
            assert "cached" not in runs(other)[0]["usage"]
    replies = [each["reply"] for each in lines(more, "calls.jsonl")]
    assert len(set(replies)) == len(replies)


async def test_at_temperature_0_equal_questions_are_asked_once(tmp_path: Path) -> None:
    async with FakeServer(lambda _: json.dumps({"why": "so", "choice": "cooperate"})) as server:
        cold = {"sampling": {"temperature": "0"}}
        found = await run_study(matrix(tmp_path, server, runs=3, **cold))
        first, *others = runs(found)
        # Two equal players have the same prompts but for their names.
        assert first["usage"]["calls"] == len(server.requests) > 0
        assert [run["usage"]["calls"] for run in others] == [0, 0]


async def test_jobs_share_the_cache(tmp_path: Path) -> None:
    async with FakeServer(Fickle()) as server:
        first = await run_study(matrix(tmp_path, server, jobs=2))
        again = await run_study(matrix(tmp_path, server, jobs=1))
        assert len(server.requests) == 12
    assert played(again) == played(first)


async def test_a_resumed_study_and_its_replay_keep_the_marks(tmp_path: Path) -> None:
    async with FakeServer(Fickle()) as server:
        first = await run_study(matrix(tmp_path, server, runs=1))
        cut = await run_study(matrix(tmp_path, server, runs=2, budget={"calls": {"all": 2}}))
        assert cut.status == "budget"
        cached = await run_study(matrix(tmp_path, server, runs=1))
        asked = len(server.requests)
        settings = read_settings(cut.directory, budget={"calls": {"all": 99}}, base_url=server.base_url)
        assert settings.cache == str(tmp_path / "answers.sqlite")
        whole = await resume_study(cut.directory, settings)
        assert (whole.status, len(server.requests)) == ("complete", asked + 4)
    usages = [run["usage"] for run in runs(whole)]
    assert [(each["calls"], each.get("cached", {}).get("calls")) for each in usages] == [(0, 6), (6, None)]
    assert usages[0]["cached"]["usd"] == pytest.approx(runs(first)[0]["usage"]["usd"])
    (tmp_path / "answers.sqlite").unlink()
    for study in (first, cached):
        found = await replay(study.directory)
        assert found.ok, found.told
    assert not (tmp_path / "answers.sqlite").exists()


async def test_programs_judges_and_talks_are_cached_too(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        for name in ("one", "two"):
            found, _ = await play(tmp_path / name, server, [SPLIT], cache=str(tmp_path / "a.sqlite"))
        assert len(server.requests) == 5
    assert found.results[0]["usage"]["cached"] == {"calls": 5, "tokens": 75, "usd": None}
    assert found.results[0]["players"]["Gizmo"]["payoff"] == 39.0


async def test_bad_caches_are_refused_in_one_line_before_anything_is_written(tmp_path: Path) -> None:
    (tmp_path / "answers.sqlite").write_text("no database " * 99)
    async with FakeServer(Fickle()) as server:
        with pytest.raises(UsageError, match=r"^cache .*answers.sqlite: file is not a database: delete the file, or"):
            await run_study(matrix(tmp_path, server))
        with pytest.raises(UsageError, match="there is no folder"):
            await run_study(matrix(tmp_path, server, cache=str(tmp_path / "none" / "x")))
    assert not (tmp_path / "runs").exists()


async def test_a_record_of_somebody_else_opens_no_cache_unasked(tmp_path: Path) -> None:
    async with FakeServer(Fickle()) as server:
        study = await run_study(matrix(tmp_path, server, runs=1))
        config = study.directory / "config.yaml"
        told = yaml.safe_load(config.read_text())
        told["settings"]["cache"] = str(tmp_path / "elsewhere.sqlite")
        config.write_text(yaml.safe_dump(told))
        with pytest.raises(UsageError, match=r"elsewhere\.sqlite"):
            read_settings(study.directory, base_url=server.base_url, prices=tmp_path / "prices.yaml")
    assert not (tmp_path / "elsewhere.sqlite").exists()


async def test_without_the_option_nothing_changes(tmp_path: Path) -> None:
    async with FakeServer(Fickle()) as server:
        settings = replace(matrix(tmp_path, server, runs=1), cache="off")
        assert "cache" not in settings.to_dict()
        await run_study(settings)
        await run_study(settings)
        assert len(server.requests) == 12
