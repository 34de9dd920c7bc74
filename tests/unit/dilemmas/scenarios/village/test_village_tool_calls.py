"""Real-time agents whose skill execution acts by tool calls, on the mock world."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from accord.studies.estimate import estimate
from accord.studies.study import StudyResult, StudySettings, read_settings, run_study
from dilemmas.records.digest import digest
from dilemmas.records.events import ActBegan, ActEnded, LifeSummed, MindTold, ModelCalled
from dilemmas.records.record import read_events
from tests.fakes.killing import events, log_of
from tests.fakes.life import respond, small_village
from tests.fakes.tool_models import FINISH, READY, call
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

MARK = "calling tools, one after the other"
"""Part of the system prompt of skill execution by tool calls."""
SCRIPT = [
    call(("findBlock", {"name": "grass_block"}), text="Where is grass?"),
    call(("say", {"text": "I am at work"}), ("mineBlock", {"name": "bedrock"}), ("readClock", {})),
    call(("readClock", {})),
]


def acting(request: Request) -> FakeReply | str:
    """Answer tool calls by the script, and then finish; the controller decides anew now and then."""
    system = str(request.messages[0]["content"])
    if "tools" not in request.body:
        return respond(request)
    if MARK not in system:
        return READY
    turns = sum(each["role"] == "assistant" for each in request.messages)
    return SCRIPT[turns] if turns < len(SCRIPT) else FINISH


async def live(folder: Path, server: FakeServer, **chosen: Any) -> StudyResult:  # noqa: ANN401 - settings of any kind
    os.makedirs(folder, exist_ok=True)
    path = small_village(folder, people=2, seconds=chosen.pop("seconds", 14))
    basic = {"world": "mock", "contracts": ("normal",), "out": folder / "runs", "agents": "piano", "act": "tools"}
    basic |= {"model": "openai/x", "base_url": server.base_url, "think": "1"}
    return await run_study(StudySettings(str(path), **{**basic, **chosen}))


async def test_skill_execution_makes_calls_within_the_estimate_and_reads_their_results(tmp_path: Path) -> None:
    async with FakeServer(acting) as server:
        found = await live(tmp_path / "one", server)
        again = await live(tmp_path / "two", server)
        replayed = await live(tmp_path / "three", server, model=f"replay:{found.directory}")
        estimated = await estimate(read_settings(found.directory, base_url=server.base_url))
    assert found.status == "complete"
    assert digest(read_events(log_of(found))) == digest(read_events(log_of(again)))
    made = [each for each in events(found, ActBegan) if each.by == "tool_calls"]
    assert [each.model_dump() for each in events(replayed, ActBegan)] == [
        each.model_dump() for each in events(found, ActBegan)
    ]
    who = made[0].player
    names = [each.calls[0]["name"] for each in made if each.player == who]
    assert names[:4] == ["findBlock", "say", "mineBlock", "readClock"]
    assert not any(each.program for each in made)
    ends = {each.number: each.ended for each in events(found, ActEnded) if each.player == who}
    assert [ends[each.number] for each in made if each.player == who][:3] == ["done", "done", "failed"]
    recorded = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    longest = max((each for each in recorded if each["role"] == "skill_execution"), key=lambda e: len(e["messages"]))
    results = [each["content"] for each in longest["messages"] if each["role"] == "tool"]
    assert results[0].startswith("returned grass_block at (")
    assert results[2].startswith("failed: ")
    assert results[3] == "not made, because the call before it did not succeed"
    asked = [each for each in events(found, ModelCalled) if each.purpose == "skill_execution"]
    expected = next(each for each in estimated if each.role == "skill_execution")
    assert expected.least.calls <= len(asked) <= expected.most.calls
    assert expected.most.prompt / expected.most.calls > 5000  # the tools alone


async def test_an_unusable_answer_leaves_the_body_at_rest_until_the_next_decision(tmp_path: Path) -> None:
    def wrong(request: Request) -> FakeReply | str:
        if MARK in str(request.messages[0]["content"]):
            return call(("fly", {}))
        return acting(request)

    async with FakeServer(wrong) as server:
        found = await live(tmp_path, server, seconds=8)
    assert found.status == "complete"
    assert not [each for each in events(found, ActBegan) if each.by == "tool_calls"]
    steps = [each.step for each in events(found, MindTold) if each.step.what == "unusable"]
    assert {each.final for each in steps} == {True, False}
    assert all("there is no tool 'fly'" in each.why for each in steps)
    summed = events(found, LifeSummed)[0].modules["skill_execution"]
    assert summed["unreadable"]
