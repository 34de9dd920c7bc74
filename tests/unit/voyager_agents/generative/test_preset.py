"""The preset `paper`: the part's models, prompts and answers as Mosquera et al. print them, with a server."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import CouncilEntry, ModelCalled
from dilemmas.records.record import read_events
from tests.unit.voyager_agents.generative.thinker import Thinker, part
from voyager_agents.generative import MODULES, GenerativeSettings
from voyager_agents.generative.act import THOUGHTS
from voyager_agents.generative.asking import FOLDER
from voyager_agents.generative.settings import ROLES
from voyager_agents.models import ChatMessage
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.prompts import load_prompt
from voyager_agents.thought_events import Recalled, TurnPerceived

MODELS = {role: f"openai/model-of-{role}" for role in ROLES}
EMBEDDING = "openai/text-embedding-ada-002"
OPTIONS = {
    "preset": "paper", "embedding": EMBEDDING, "modules": ",".join(MODULES), "reflect_every": "5",
    "understand_every": "2", "talk_every": "2",
}  # fmt: skip
PAPER = GenerativeSettings.from_mapping({key: each for key, each in OPTIONS.items() if key != "embedding"})
FORMS: dict[str, set[str]] = {
    "act_weighed": {*THOUGHTS, "move", "to", "say"},
    "perceive_equal": {"reason", "react"},
    "plan": {"reasoning", "goal", "plan", "steps"},
    "reflect_questions": {"questions"},
    "reflect_insights": {"insights", "evidence", "insight"},
    "understand": {"hypotheses", "text", "test", "evidence", "hypothesis", "observation", "supports"},
    "council": {"reasoning", "acts"},
    "reputation": {"reasoning", "score"},
}
"""Prompt -> keys of the answer's example in it."""


def chat(request: Request) -> list[ChatMessage]:
    return [ChatMessage(each["role"], each["content"]) for each in request.messages]


def respond(request: Request) -> str:
    """Answer as `Thinker` does, in the paper's forms."""
    found = Thinker().answer(chat(request))
    if part(chat(request)) == "act":
        del found["reasoning"]
        found = {**{name: f"{name} of {request.body['model']}" for name in THOUGHTS}, **found}
    if part(chat(request)) == "perceive":
        del found["poignancy"]
    return json.dumps(found)


def embed(request: Request) -> list[list[float]]:
    return [[float(len(text)), *([1.0] * 1535)] for text in request.body["input"]]


Played = tuple[StudyResult, list[Request]]


async def play(out: Path, **chosen: Any) -> Played:  # noqa: ANN401 - settings of any kind
    async with FakeServer(respond, embed) as server:
        settings = StudySettings(
            "commons-harvest", world="mock", out=out, agents="generative", base_url=server.base_url,
            **{"time_limit_s": 4, "models": MODELS, "agents_options": OPTIONS, **chosen},
        )  # fmt: skip
        return await run_study(settings), server.requests


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return asyncio.run(play(tmp_path_factory.mktemp("played")))


def prompts_in(text: str) -> set[str]:
    """Return the names of the prompt files whose instructions are in a system message."""
    return {
        path.stem
        for path in FOLDER.glob("*.md")
        if path.stem != "preamble"
        and all(each.strip() in text for each in re.split(r"\{\{\w+\}\}", load_prompt(path.stem, FOLDER).system))
    }


def test_every_part_asks_its_model_with_the_prompts_that_the_preset_declares(played: Played) -> None:
    found, requests = played
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    embedded = {each.body["model"] for each in requests if each.path.endswith("/embeddings")}
    assert embedded == {"text-embedding-ada-002"}
    asked: dict[str, set[str]] = defaultdict(set)
    keys: dict[str, set[frozenset[str]]] = defaultdict(set)
    for request in requests:
        if request.path.endswith("/embeddings"):
            continue
        system = chat(request)[0].content
        (prompt,) = prompts_in(system)
        asked[request.body["model"]].add(prompt)
        shown = system.rpartition("in this form:\n\n")[2]
        keys[prompt].add(frozenset(re.findall(r'"(\w+)":', shown)) - {"x", "z"})
    assert PAPER.roles == ROLES
    assert asked == {f"model-of-{role}": set(names) for role, names in PAPER.prompts.items()}
    assert {name: {*frozenset.union(*each)} for name, each in keys.items()} == FORMS


def test_the_record_names_parts_and_remembers_everything_alike(played: Played) -> None:
    found, _ = played
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    called = {(each.purpose, each.model) for each in events if isinstance(each, ModelCalled)}
    assert called == {*MODELS.items(), ("embedding", EMBEDDING)}
    steps = [getattr(each, "step", None) for each in events]
    kept = [memory for step in steps if isinstance(step, TurnPerceived) for memory in step.remembered]
    assert kept
    assert {memory.poignancy for memory in kept} == {10}
    assert any(isinstance(step, Recalled) for step in steps)
    why = {each.why for each in events if getattr(each, "kind", "") == "decision"}
    assert why == {"\n".join(f"{name.replace('_', ' ')}: {name} of model-of-act" for name in THOUGHTS)}
    entries = [each.entry for each in events if isinstance(each, CouncilEntry)]
    judged = [each["player"] for each in entries if each["what"] == "judged"]
    assert set(judged) == {"Laura", "Pedro", "Marta"}


async def test_embeddings_are_repeated_if_all_parts_are(played: Played, tmp_path: Path) -> None:
    """Regression: embeddings followed a role of other families, so that a replay of all parts asked an endpoint."""
    first, _ = played
    replay = f"replay:{first.directory}"
    found, requests = await play(tmp_path / "all", models=dict.fromkeys(ROLES, replay))
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    assert requests == []
    assert found.results[0]["players"] == first.results[0]["players"]


@pytest.mark.parametrize("anew", [["act"], [role for role in ROLES if role != "act"]], ids=["act", "all but act"])
async def test_embeddings_are_asked_anew_beside_a_part_that_answers_anew(
    played: Played, tmp_path: Path, anew: list[str]
) -> None:
    """Regression: with one part answered anew, texts got the recorded vectors of other texts."""
    first, _ = played
    models = {role: MODELS[role] for role in anew}
    found, requests = await play(tmp_path, model=f"replay:{first.directory}", models=models, time_limit_s=2)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    asked = {each.body["model"] for each in requests} - {"text-embedding-ada-002"}
    assert "model-of-act" in asked or "model-of-plan" in asked
    assert asked <= {f"model-of-{role}" for role in anew}
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    assert {each.model for each in events if isinstance(each, ModelCalled) and each.purpose == "embedding"} == {
        EMBEDDING
    }


def test_the_preset_is_a_set_of_settings_that_others_replace() -> None:
    paper = GenerativeSettings.from_mapping({"preset": "paper"})
    assert (paper.importance, paper.act_form, paper.decay) == ("uniform", "paper", math.exp(-1))
    assert paper.reputation == "judged"
    assert GenerativeSettings.from_mapping({"preset": "paper", "decay": "0.9"}).decay == 0.9
    assert GenerativeSettings.from_mapping({"preset": "accord"}) == GenerativeSettings()
    assert GenerativeSettings.from_mapping(paper.to_dict()) == paper


async def test_a_part_without_a_model_is_an_error_before_the_game(tmp_path: Path) -> None:
    models = {role: spec for role, spec in MODELS.items() if role != "reputation"}
    with pytest.raises(UsageError, match=r"need a model for the role 'reputation': give .* --model-for reputation="):
        await play(tmp_path, models=models)
