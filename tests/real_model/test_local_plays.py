"""A short episode of each family with the local model's real weights, beside reference players of the same game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.fakes.real_model import ALWAYS, check, play
from voyager_agents.models.local.shared_engine import engines
from voyager_agents.roles import JUDGE, NEGOTIATOR

pytestmark = [pytest.mark.local_model, pytest.mark.usefixtures("local_model")]

ENGINE = {"cache": "1", "threads": "1"}
"""Options of the engine. Two threads would wait for each other on processors that other tests use."""
PLAYS: dict[str, dict[str, Any]] = {
    "chooser": {"repeat": 3, "agents": "chooser,tit-for-tat"},
    "text": {"time_limit_s": 5, "contracts": ("none",), "agents": "text,greedy,greedy,greedy"},
    "generative": {
        "time_limit_s": 1, "contracts": ("none",), "agents_options": {"perceive": "rule"},
        "agents": "generative,foragers,foragers",
    },
    "piano": {"time_limit_s": 1, "reasoning": "none", "sampling": {"skill_execution.max_tokens": "128"}},
    "paper": {"episodes": 1, "rounds": 2, "sampling": {"action.max_tokens": "32"}, "agents": "paper,reference"},
}  # fmt: skip
"""Family -> changes of its shortest study, which keep it within a minute on a busy processor."""


@pytest.mark.parametrize(("family", "changes"), PLAYS.items())
async def test_it_plays_an_episode_of_each_kind(family: str, changes: dict[str, Any], tmp_path: Path) -> None:
    study = await play(family, "local", None, tmp_path, local=ENGINE, prompts=Path("compact"), **changes)
    asked = ALWAYS[family] - ({JUDGE, NEGOTIATOR} if changes.get("contracts") == ("none",) else {JUDGE})
    check(family, study, asked, writes_programs=False)
    assert engines() == []
