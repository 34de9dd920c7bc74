"""Transcripts of every family, from studies on the mock world, which are identical for equal seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

import pytest

from accord.analysis.transcript import CallTexts, TranscriptStep, read_steps
from accord.studies.study import read_settings, resume_study, run_study
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from tests.fakes.minds import STUDIES, study
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

KINDS = {
    "paper": {"saw", "thought", "said", "judged", "wrote", "did", "ended", "critic"},
    "voyager": {"saw", "task", "skills", "wrote", "did", "said", "ended", "critic", "learned"},
    "generative": {"saw", "recalled", "plan", "insight", "understood", "thought", "decided", "did", "judged", "ended"},
    "reference": {"saw", "thought", "said", "judged", "wrote", "did", "ended"},
    "foragers": {"judged", "decided", "did", "ended"},
    "bots": {"saw", "wrote", "did", "ended"},
}
"""Family -> kinds of steps that each of its players takes or observes."""


@pytest.fixture(autouse=True)
def _no_real_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "0")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Awaitable[Path]]:
    """Return a function that gives the one study of a family that all tests read."""
    known: dict[str, Path] = {}

    async def once(family: str) -> Path:
        if family not in known:
            known[family] = await play(family, tmp_path_factory.mktemp(family))
        return known[family]

    return once


async def play(family: str, out: Path) -> Path:
    responder = STUDIES[family][1]
    async with FakeServer(responder or (lambda _: FakeReply(status=500))) as server:
        found = await run_study(study(family, out, server.base_url))
    assert found.status == "complete", found.results
    return found.directory


def kinds(steps: list[TranscriptStep], player: str) -> set[str]:
    return {step.kind for step in steps if step.concerns(player)}


@pytest.mark.parametrize("family", STUDIES)
async def test_every_player_has_its_transcript_and_every_call_its_step(
    tmp_path: Path, family: str, played: Callable[[str], Awaitable[Path]]
) -> None:
    directory = await played(family)
    steps = list(read_steps(directory))
    result = read_result(directory / "result.json")
    for player in result["players"]:
        assert kinds(steps, player) >= KINDS[family], player
    assert not [step for step in steps if step.kind in ("call", "lost")]
    calls = [call for step in steps for call in step.calls]
    assert len(set(calls)) == len(calls) == result["usage"]["calls"]
    assert sum(call.tokens for call in calls) == result["usage"]["tokens"]
    texts = CallTexts(directory / "calls.jsonl")
    assert all((texts.of(call) or {})["reply"] for call in calls)
    again = await play(family, tmp_path)
    logs = [digest(read_events(each / "events.jsonl")) for each in (directory, again)]
    assert logs[0] == logs[1]
    assert list(read_steps(again)) == steps


async def test_memories_stand_with_their_scores_and_insights_with_their_evidence(
    played: Callable[[str], Awaitable[Path]],
) -> None:
    steps = list(read_steps(await played("generative")))
    recalled = next(step for step in steps if step.kind == "recalled")
    scores = [float(line.split()[0]) for line in recalled.parts[-1].text.splitlines()]
    assert scores == sorted(scores, reverse=True)
    assert 0 < scores[0] <= 1
    insight = next(step for step in steps if step.kind == "insight")
    assert all("(from #" in line for line in insight.parts[-1].text.splitlines())
    decided = [step for step in steps if step.kind == "decided"]
    assert all(step.parts[0].label == "why" for step in decided)
    assert Counter(step.player for step in decided) == dict.fromkeys(("Laura", "Pedro", "Marta"), 6)


async def test_unusable_answers_are_faults_with_their_calls(tmp_path: Path) -> None:
    seen: Counter[str] = Counter()

    def stubborn(request: Request) -> FakeReply | str:
        system = request.messages[0]["content"][:18]
        seen[system] += 1
        responder = STUDIES["voyager"][1]
        assert responder is not None
        useless = seen[system] == 1 and system.startswith(("You choose", "You write"))
        return "Not today." if useless else responder(request)

    async with FakeServer(stubborn) as server:
        found = await run_study(study("voyager", tmp_path, server.base_url))
    faults = [step for step in read_steps(found.directory) if step.kind == "fault"]
    assert Counter(call.role for step in faults for call in step.calls) == {"curriculum": 1, "action": 1}
    assert sum(each["faults"] for each in found.results[0]["costs"]) == 2


@pytest.mark.parametrize(("family", "calls"), [("voyager", 7), ("generative", 40)])
async def test_a_resumed_run_has_the_same_transcripts(
    tmp_path: Path, family: str, calls: int, played: Callable[[str], Awaitable[Path]]
) -> None:
    whole = await played(family)
    responder = STUDIES[family][1]
    assert responder is not None
    async with FakeServer(responder) as server:
        poor = replace(study(family, tmp_path / "part", server.base_url), budget={"calls": {"all": calls}})
        stopped = await run_study(poor)
        assert stopped.status == "budget"
        rich = read_settings(stopped.directory, budget={"calls": {"all": 1e6}}, base_url=server.base_url)
        found = await resume_study(stopped.directory, rich)
    assert found.results[0]["costs"] == read_result(whole / "result.json")["costs"]
    assert digest(read_events(found.directory / "events.jsonl")) == digest(read_events(whole / "events.jsonl"))
    for player in found.results[0]["players"]:
        minds = [
            [(step.title, step.calls) for step in read_steps(each) if step.player == player]
            for each in (whole, found.directory)
        ]
        assert minds[0] == minds[1]
