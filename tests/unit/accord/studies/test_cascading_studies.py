"""Studies with a cascade of models: calls by stage in the record, prices, cache, replay, resume and estimate."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from accord.studies.verifying import replay
from dilemmas.errors import UsageError
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.study_records import lines, played, runs
from voyager_agents.models.fake_server import FakeServer, Request

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
CASCADE = "cascade:openai/small::openai/large"


class Doubtful:
    """Small model that is unreadable at every third call, and a large one that is always clear."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, request: Request) -> str:
        model = request.body["model"]
        self.asked.append(model)
        number = self.asked.count(model)
        if model == "small" and number % 3 == 0:
            return "Well, who knows?"
        return json.dumps({"why": f"{model} {number}", "choice": "defect" if number % 4 == 0 else "cooperate"})


def matrix(out: Path, server: FakeServer, **changes: object) -> StudySettings:
    prices = out / "prices.yaml"
    prices.write_text("small: {prompt: 10, completion: 10}\nlarge: {prompt: 1000, completion: 1000}\n")
    chosen: dict[str, Any] = {
        "repeat": 3, "runs": 2, "world": "mock", "agents": "chooser", "model": CASCADE, "out": out / "runs",
        "base_url": server.base_url, "prices": prices, "sampling": {"temperature": "0.7"}, **changes,
    }  # fmt: skip
    return StudySettings("prisoners-dilemma", **chosen)


def steps(study: StudyResult) -> list[tuple[str, int, str]]:
    """Return model, stage and reason of each call in the log."""
    called = [each["data"] for each in lines(study) if each["kind"] == "model_call"]
    return [(each["model"], each["stage"], each.get("why", "")) for each in called]


async def test_unreadable_answers_go_to_the_large_model_and_no_others(tmp_path: Path) -> None:
    model = Doubtful()
    async with FakeServer(model) as server:
        study = await run_study(matrix(tmp_path, server, cache=str(tmp_path / "answers.sqlite")))
        first = list(model.asked)
        again = await run_study(matrix(tmp_path, server, cache=str(tmp_path / "answers.sqlite")))
        assert model.asked == first, "each stage's answers are in the cache"
    assert (first.count("small"), first.count("large")) == (12, 4)
    assert sorted(set(steps(study))) == [("openai/large", 2, "unreadable"), ("openai/small", 1, "")]
    assert played(again) == played(study)
    for run in runs(study):
        assert run["usage"]["cascade"] == {"questions": 6, "sampled": 0, "unreadable": 2, "unsure": 0}
        assert faults(run, RULES) == []
        assert sum(each.get("escalated", 0) for each in run["costs"]) == 2
        assert {each["model"] for each in run["costs"] if each.get("escalated")} == {"openai/large"}
        # An answer that was set aside is neither unusable nor a second question.
        assert sum(each["questions"] for each in run["answers"]) == 6
        assert sum(each["answers"] for each in run["answers"]) == 8
        assert sum(each["unreadable"] + each["given_up"] for each in run["answers"]) == 0
    for path in study.directory.rglob("calls.jsonl"):
        calls = [json.loads(line) for line in path.read_text().splitlines()]
        by_number = {(call["player"], call["number"]): call for call in calls}
        for call in (each for each in calls if each["model"] == "openai/large"):
            before, usage = by_number[call["player"], call["cascade"]["after"]], call["usage"]
            assert (before["reply"], before["prompt"]) == ("Well, who knows?", call["prompt"])
            assert call["cascade"]["fault"]
            assert call["usd"] == pytest.approx((usage["prompt_tokens"] + usage["completion_tokens"]) / 1000)
    write_report([study.directory], study.directory)
    report = (study.directory / "report.html").read_text()
    assert "4 escalated to it" in report
    assert "Of 12 questions to cascades, 4 answers were not enough (4 unreadable, 0 unsure)" in report
    assert "the later stages alone would have cost about" in report


async def test_a_replay_repeats_a_cascade_without_a_call(tmp_path: Path) -> None:
    model = Doubtful()
    async with FakeServer(model) as server:
        for rule in ("", "::agree"):
            study = await run_study(matrix(tmp_path, server, model=CASCADE + rule, runs=1))
            asked = list(model.asked)
            (directory,) = (path.parent for path in study.directory.rglob("events.jsonl"))
            found = await replay(study.directory)
            assert found.ok, found.told
            named = await run_study(matrix(tmp_path, server, model=f"replay:{directory}", base_url=None, runs=1))
            assert [(stage, why) for _, stage, why in steps(named)] == [(stage, why) for _, stage, why in steps(study)]
            assert runs(named)[0]["measures"] == runs(study)[0]["measures"]
            assert model.asked == asked
        assert any(why == "sample" for _, _, why in steps(study))


class Confident:
    """Small model that states a low confidence at every third call and none at every fourth, and a large one."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def __call__(self, request: Request) -> str:
        self.asked.append(request)
        small = sum(each.body["model"] == "small" for each in self.asked)
        answer: dict[str, object] = {"why": f"{len(self.asked)}", "choice": "cooperate"}
        if request.body["model"] == "small" and small % 4:
            answer["confidence"] = 0.3 if small % 3 == 0 else 0.9
        return json.dumps(answer)


async def test_answers_go_on_whose_stated_confidence_is_low_or_cannot_be_read(tmp_path: Path) -> None:
    model = Confident()
    async with FakeServer(model) as server:
        study = await run_study(matrix(tmp_path, server, model=f"{CASCADE}::confidence=0.8", runs=1))
        asked = len(model.asked)
        (directory,) = (path.parent for path in study.directory.rglob("events.jsonl"))
        found = await replay(study.directory)
        assert found.ok, found.told
        named = await run_study(matrix(tmp_path, server, model=f"replay:{directory}", base_url=None, runs=1))
        assert len(model.asked) == asked
    assert runs(study)[0]["usage"]["cascade"] == {"questions": 6, "sampled": 0, "unreadable": 0, "unsure": 3}
    assert runs(named)[0]["measures"] == runs(study)[0]["measures"]
    calls = [json.loads(line) for line in (directory / "calls.jsonl").read_text().splitlines()]
    faults_told = {call["cascade"]["fault"] for call in calls if call["model"] == "openai/large"}
    assert faults_told == {"stated confidence 0.3", "it states no confidence from 0 to 1"}
    for request in model.asked:
        schema = request.body["response_format"]["json_schema"]["schema"]
        small = request.body["model"] == "small"
        assert ("confidence" in schema["required"], '"confidence"' in request.messages[0]["content"]) == (small, small)
    differs = [json.loads(line) for line in (named.directory / "calls.jsonl").read_text().splitlines()]
    assert not any(each.get("differs") for each in differs), "the prompts are those of the record"


@pytest.mark.parametrize(
    ("model", "rule", "why"), [(Doubtful(), "", "unreadable"), (Confident(), "::confidence=0.8", "unsure")]
)
async def test_a_run_cut_between_two_stages_goes_on_with_the_second(
    tmp_path: Path, model: Doubtful | Confident, rule: str, why: str
) -> None:
    asked: list[str] = []

    def answer(request: Request) -> str:
        asked.append(request.body["model"])
        return model(request)

    async with FakeServer(answer) as server:
        cut = await run_study(matrix(tmp_path, server, runs=1, model=CASCADE + rule, budget={"calls": {"all": 3}}))
        assert (cut.status, asked) == ("budget", ["small"] * 3)
        settings = read_settings(cut.directory, budget={"calls": {"all": 99}}, base_url=server.base_url)
        whole = await resume_study(cut.directory, settings)
        assert whole.status == "complete"
        assert asked[3:].count("small") == 3, "the recorded answers are not asked for again"
        (directory,) = (path.parent for path in whole.directory.rglob("events.jsonl"))
        named = await run_study(matrix(tmp_path, server, model=f"replay:{directory}", base_url=None, runs=1))
    usage = runs(whole)[0]["usage"]
    assert (usage["calls"], usage["cascade"][why]) == (len(asked), asked.count("large"))
    assert runs(named)[0]["measures"] == runs(whole)[0]["measures"]


async def test_the_estimate_bounds_a_cascade_by_stage(tmp_path: Path) -> None:
    async with FakeServer(Doubtful()) as server:
        settings = matrix(tmp_path, server, runs=1)
        alone = await expect(replace(settings, model="openai/small"))
        found = await expect(settings)
        stating = await expect(replace(settings, model=f"{CASCADE}::confidence=0.8"))
        agreeing = await expect(replace(settings, model=f"{CASCADE}::agree"))
        study = await run_study(settings)
    small, large = (each for each in found["roles"] if each["most"]["calls"])
    only = next(each for each in alone["roles"] if each["most"]["calls"])
    twice = next(each for each in agreeing["roles"] if each["most"]["calls"])
    assert [small["model"], large["model"]] == ["openai/small", "openai/large"]
    assert small["least"] == only["least"]
    assert (large["least"]["calls"], large["most"]["calls"]) == (0, alone["most"]["calls"])
    assert twice["least"]["calls"] == 2 * small["least"]["calls"]
    (sure, _) = (each for each in stating["roles"] if each["most"]["calls"])
    assert (sure["least"]["calls"], sure["most"]["calls"]) == (small["least"]["calls"], small["most"]["calls"])
    assert sure["most"]["tokens"] > small["most"]["tokens"]
    used = [model for model, _, _ in steps(study)]
    assert small["least"]["calls"] <= used.count("openai/small") <= small["most"]["calls"]
    assert large["least"]["calls"] <= used.count("openai/large") <= large["most"]["calls"]
    (told,) = found["cascades"]
    assert told["model"] == CASCADE
    assert told["last_alone"]["most"] == large["most"]["usd"] > small["most"]["usd"]
    assert 0 < found["equal_prefix"] < 1


async def test_an_illegal_cascade_is_refused_before_a_run(tmp_path: Path) -> None:
    for spec, told in (("cascade:openai/a", "give 2 to 4"), ("cascade:openai/a::bad/b", "unknown model 'bad/b'")):
        with pytest.raises(UsageError, match=told):
            await run_study(
                StudySettings(
                    "prisoners-dilemma", agents="chooser", model=spec, base_url="http://127.0.0.1:9", out=tmp_path
                )
            )
