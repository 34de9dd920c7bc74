"""Beginnings of prompts that stay equal between the calls of an agent's role, which providers may bill as cached."""

from __future__ import annotations

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

from accord.analysis.transcript.calls import CallTexts
from accord.studies.estimate import expect
from accord.studies.study import StudySettings, run_study
from tests.fakes.life import respond, small_village
from voyager_agents.cost import equal_beginning
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
    prompts: dict[tuple[str, str], list[list[str]]] = defaultdict(list)
    (calls,) = study.directory.rglob("calls.jsonl")
    for call in CallTexts(calls).all_calls():
        first, *rest = call["messages"]
        assert (first["role"], {each["role"] for each in rest}) == ("system", {"user"}), "what changes comes last"
        prompts[str(call["player"]), str(call["role"])].append([each["content"] for each in call["messages"]])
    several = {who: texts for who, texts in prompts.items() if len(texts) > 1}
    assert len(several) >= 8, "most roles of both people are asked again"
    shares = {who: _equal_share(texts) for who, texts in several.items()}
    for who, texts in several.items():
        assert len({system for system, _ in texts}) == 1, f"{who}: the beginning changes"
    acting = [share for (_, role), share in shares.items() if role == "skill_execution"]
    assert min(acting) > 0.6, "places and primitives come before what changes"
    chars = {who: sum(map(len, map("".join, texts))) for who, texts in several.items()}
    measured = sum(shares[who] * chars[who] for who in several) / sum(chars.values())
    assert abs(measured - told) < 0.2, f"told {told:.2f}, measured {measured:.2f}"


def _equal_share(texts: list[list[str]]) -> float:
    """Return the share of a role's characters that begin a prompt as they began the one before."""
    prompts = ["".join(each) for each in texts]
    equal = sum(equal_beginning(now, before) for before, now in pairwise(prompts))
    return equal / sum(map(len, prompts[1:]))
