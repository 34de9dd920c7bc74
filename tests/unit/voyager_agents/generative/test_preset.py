"""The preset `paper`: the part's models, prompts and answers as Mosquera et al. print them, with a server."""

from __future__ import annotations

import json
import math
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import ModelCalled
from dilemmas.records.record import read_events
from tests.unit.voyager_agents.generative.thinker import Thinker, part
from voyager_agents.generative import GenerativeSettings
from voyager_agents.generative.act import THOUGHTS
from voyager_agents.models import ChatMessage
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.thought_events import Recalled, TurnPerceived

MODELS = {"act": "openai/gpt-4", "plan": "openai/planner"}
MODEL = "openai/gpt-3.5-turbo"
EMBEDDING = "openai/text-embedding-ada-002"
FORMS = {
    "act": {*THOUGHTS, "move", "to"},
    "perceive": {"reason", "react"},
    "plan": {"reasoning", "goal", "plan", "steps"},
    "reflect": {"questions"},
}
"""Part -> keys of the answer's example in its prompt; `say` is left out, since nobody can be spoken to."""


def respond(request: Request) -> str:
    """Answer as `Thinker` does, in the paper's forms."""
    messages = [ChatMessage(each["role"], each["content"]) for each in request.messages]
    found = Thinker().answer(messages)
    if part(messages) == "act":
        del found["reasoning"]
        found = {**{name: f"{name} of {request.body['model']}" for name in THOUGHTS}, **found}
    if part(messages) == "perceive":
        del found["poignancy"]
    return json.dumps(found)


def embed(request: Request) -> list[list[float]]:
    return [[float(len(text)), *([1.0] * 1535)] for text in request.body["input"]]


async def play(out: Path, **chosen: Any) -> tuple[StudyResult, list[Request]]:  # noqa: ANN401 - settings of any kind
    options = {"preset": "paper", "reflect_every": "5", "embedding": EMBEDDING}
    async with FakeServer(respond, embed) as server:
        settings = StudySettings(
            "commons-harvest", world="mock", out=out, agents="generative", models=MODELS,
            base_url=server.base_url, time_limit_s=4, **{"model": MODEL, "agents_options": options, **chosen},
        )  # fmt: skip
        return await run_study(settings), server.requests


async def test_every_part_asks_its_model_in_the_papers_form(tmp_path: Path) -> None:
    found, requests = await play(tmp_path)
    assert found.results[0]["status"] == "complete"
    models: dict[str, set[str]] = defaultdict(set)
    keys: dict[str, set[frozenset[str]]] = defaultdict(set)
    for request in requests:
        if request.path.endswith("/embeddings"):
            models["embedding"].add(request.body["model"])
            continue
        messages = [ChatMessage(each["role"], each["content"]) for each in request.messages]
        asked = part(messages).partition(",")[0]
        models[asked].add(request.body["model"])
        # The first question of a reflection has one key, the second one "insights".
        shown = messages[0].content.rpartition("in this form:\n\n")[2]
        keys[asked].add(frozenset(re.findall(r'"(\w+)":', shown)) - {"x", "z"})
    expected = {role: {MODELS.get(role, MODEL).partition("/")[2]} for role in ("act", "plan", "perceive", "reflect")}
    assert models == {**expected, "embedding": {"text-embedding-ada-002"}}
    assert {role: {frozenset(FORMS[role])} for role in ("act", "perceive", "plan")} == {
        role: keys[role] for role in ("act", "perceive", "plan")
    }
    assert frozenset(FORMS["reflect"]) in keys["reflect"]


async def test_the_record_names_parts_and_remembers_everything_alike(tmp_path: Path) -> None:
    found, _ = await play(tmp_path)
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    called = {(each.purpose, each.model) for each in events if isinstance(each, ModelCalled)}
    assert {
        ("act", "openai/gpt-4"),
        ("plan", "openai/planner"),
        ("perceive", MODEL),
        ("embedding", EMBEDDING),
    } <= called
    steps = [getattr(each, "step", None) for each in events]
    kept = [memory for step in steps if isinstance(step, TurnPerceived) for memory in step.remembered]
    assert kept
    assert {memory.poignancy for memory in kept} == {10}
    assert any(isinstance(step, Recalled) for step in steps)
    why = {each.why for each in events if getattr(each, "kind", "") == "decision"}
    assert why == {"\n".join(f"{name.replace('_', ' ')}: {name} of gpt-4" for name in THOUGHTS)}


def test_the_preset_is_a_set_of_settings_that_others_replace() -> None:
    paper = GenerativeSettings.from_mapping({"preset": "paper"})
    assert (paper.importance, paper.act_form, paper.decay) == ("uniform", "paper", math.exp(-1))
    assert GenerativeSettings.from_mapping({"preset": "paper", "decay": "0.9"}).decay == 0.9
    assert GenerativeSettings.from_mapping({"preset": "accord"}) == GenerativeSettings()
    assert GenerativeSettings.from_mapping(paper.to_dict()) == paper


async def test_a_part_without_a_model_is_an_error_before_the_game(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"need a model for the role 'perceive': give .* --model-for perceive="):
        await play(tmp_path, model=None)
