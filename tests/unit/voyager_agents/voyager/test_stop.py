"""The option `stop` of the paper's agents: the first program that ends without an error is kept, without a critic."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import ModelCalled, PolicyEnded
from dilemmas.records.record import read_events
from voyager_agents.models.fake_server import FakeServer, Request

BREAKS = "```javascript\nasync function play(bot) {\n  throw new Error('no tool')\n}\n```"
WORKS = "```javascript\nasync function play(bot) {\n  await bot.chat('done')\n}\n```"


def respond(request: Request) -> str:
    """Write a program that breaks, and one that works once the prompt shows the error. A critic is never content."""
    text = "".join(str(each["content"]) for each in request.messages)
    if "critique" in str(request.messages[0]["content"]):
        return '{"reasoning": "", "success": false, "critique": "more"}'
    return WORKS if "no tool" in text else BREAKS


async def play(out: Path, **options: str) -> tuple[StudyResult, list[Any]]:
    async with FakeServer(respond) as server:
        settings = StudySettings(
            "double-vein", world="mock", contracts=("none",), agents="paper", model="openai/fake", episodes=4, out=out,
            base_url=server.base_url, agents_options=options,
        )  # fmt: skip
        found = await run_study(settings)
    return found, [line.event for line in read_events(found.directory / "events.jsonl")]


async def test_the_first_program_that_works_is_kept(tmp_path: Path) -> None:
    found, events = await play(tmp_path, stop="works")
    assert (found.results[0]["status"], found.results[0]["episodes"]) == ("complete", 2)
    ends = [each.outcome for each in events if isinstance(each, PolicyEnded)]
    assert ends == ["threw", "threw", "returned", "returned"]
    assert Counter(each.purpose for each in events if isinstance(each, ModelCalled)) == {"action": 4}


async def test_with_a_critic_that_is_never_content_all_episodes_are_played(tmp_path: Path) -> None:
    found, events = await play(tmp_path)
    assert found.results[0]["episodes"] == 4
    assert any(each.purpose == "critic" for each in events if isinstance(each, ModelCalled))


async def test_the_estimate_asks_no_critic(tmp_path: Path) -> None:
    settings = StudySettings(
        "double-vein", episodes=3, model="openai/gpt-4o", agents_options={"stop": "works"}, out=tmp_path
    )
    calls = {each["role"]: each["most"]["calls"] for each in (await expect(settings))["roles"]}
    assert calls["critic"] == 0
    assert calls["action"] > 0


@pytest.mark.parametrize("options", [{"warm-up": "0"}, {"warm-up": "0", "stop": "works"}])
async def test_families_in_one_game_need_not_know_each_others_options(options: dict[str, str]) -> None:
    agents = {"Gizmo": "voyager", "Glitch": "paper"}
    settings = StudySettings("double-vein", model="openai/gpt-4o", players=agents, agents_options=options)
    assert (await expect(settings))["roles"]
    with pytest.raises(UsageError, match="'end' is not known"):
        await expect(replace(settings, agents_options={**options, "end": "1"}))


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"stop": "never"}, "stop: 'never' is not legal: choose one of critic, works"),
        ({"end": "1"}, "'end' is not known"),
    ],
)
async def test_wrong_options_are_errors_in_one_line(tmp_path: Path, options: dict[str, str], told: str) -> None:
    with pytest.raises(UsageError, match=told):
        await play(tmp_path, **options)
