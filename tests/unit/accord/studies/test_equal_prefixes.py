"""Beginnings of prompts that stay equal between the calls of an agent's role, which providers may bill as cached."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

from accord.analysis.transcript.calls import CallTexts
from accord.studies.estimate import expect
from accord.studies.study import StudySettings, run_study
from tests.fakes.life import respond, small_village
from voyager_agents.models.fake_server import FakeServer


async def test_system_messages_of_a_role_stay_equal_and_are_what_the_estimate_counts(tmp_path: Path) -> None:
    path = small_village(tmp_path, people=2, seconds=24)
    async with FakeServer(respond) as server:
        settings = StudySettings(
            str(path), ("normal",), world="mock", agents="piano", model="openai/x", base_url=server.base_url,
            out=tmp_path / "runs",
        )  # fmt: skip
        told = (await expect(settings))["equal_prefix"]
        study = await run_study(settings)
    assert study.status == "complete"
    prompts: dict[tuple[str, str], list[str]] = defaultdict(list)
    systems: dict[tuple[str, str], set[str]] = defaultdict(set)
    whole = equal = 0
    (calls,) = study.directory.rglob("calls.jsonl")
    for call in CallTexts(calls).all_calls():
        who = str(call["player"]), str(call["role"])
        first, *rest = call["messages"]
        assert (first["role"], {each["role"] for each in rest}) == ("system", {"user"}), "what changes comes last"
        systems[who].add(first["content"])
        prompts[who].append(json.dumps(call["messages"]))
        whole += sum(len(each["content"]) for each in call["messages"])
        equal += len(first["content"])
    several = {who: texts for who, texts in prompts.items() if len(texts) > 1}
    assert len(several) >= 8, "most roles of both people are asked again"
    for who, texts in several.items():
        (system,) = systems[who]
        head = json.dumps(system)
        assert all(head in text[: len(head) + 50] for text in texts), f"{who}: the beginning changes"
    measured = equal / whole
    assert abs(measured - told) < 0.15, f"told {told:.2f}, measured {measured:.2f}"
