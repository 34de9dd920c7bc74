"""Whole study of Voyager's configuration on the mock world, against a local model server."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import Critique, ModelCalled, PolicyWritten
from dilemmas.records.record import read_events
from voyager_agents.index import open_embedding, open_index
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.skill_library import index_folder, newest, records

TAKE = """async function takePickaxe(bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { PICKAXE: 1 })
}
"""
MINE = """async function mineTwo(bot) {
  await takePickaxe(bot)
  await mineBlock(bot, "iron_ore", 2)
}
"""
BROKEN = "async function mineTwo(bot) {\n  await takePickaxe(bot)\n  await mineBlok(bot, 'iron_ore', 2)\n}\n"
TASKS = {
    0: {"reasoning": "", "task": "Take the PICKAXE", "goal": [{"item": "PICKAXE", "count": 1}]},
    1: {"reasoning": "", "task": "Mine 2 iron ore", "goal": [{"item": "raw_iron", "count": 2}]},
    2: {"reasoning": "", "task": "Mine 4 iron ore", "goal": [{"item": "raw_iron", "count": 4}]},
}


def respond(request: Request) -> str:
    """Return a model that learns: it takes a tool, errs once, and then mines with its skill."""
    system, user = (request.messages[place]["content"] for place in (0, 1))
    pickaxe = "stone_pickaxe" if "Player: Gizmo" in user or "You are Gizmo" in user else "iron_pickaxe"
    if system.startswith("You choose what"):
        done = user.partition("Completed tasks: ")[2].partition("\n")[0]
        return json.dumps(TASKS[0 if done == "(none)" else 1 + done.count(";")]).replace("PICKAXE", pickaxe)
    if system.startswith("You decide whether"):
        # The critic accepts every program that ended without an error; the world does not.
        well = "ended: returned" in user
        return json.dumps({"reasoning": "", "success": well, "critique": "" if well else "Spell the names right."})
    if system.startswith("You describe"):
        return "Takes a pickaxe out of the chest." if "getItemFromChest" in user else "Mines two iron ore."
    assert system.startswith("You write programs")
    if "Take the" in user:
        source = TAKE
    elif "Spell the names right." in user:
        source = MINE
    else:
        source = BROKEN
    return f"Plan:\n1. Go.\n```javascript\n{source}```".replace("PICKAXE", pickaxe)


def letters(request: Request) -> list[list[float]]:
    """Return an embedding: the counts of some letters in each text."""
    return [[text.count(letter) + 0.5 for letter in "iron"] for text in request.body["input"]]


async def play(out: Path, episodes: int, **settings: Any) -> StudyResult:  # noqa: ANN401 - a study's settings
    async with FakeServer(respond, letters) as server:
        asked = {"model": "openai/fake", "base_url": server.base_url} | settings
        return await run_study(
            StudySettings("double-vein", world="mock", agents="voyager", out=out, episodes=episodes, **asked)
        )


def embeddings(run: Path) -> list[dict[str, Any]]:
    calls = [json.loads(line) for line in (run / "calls.jsonl").read_text().splitlines()]
    return [call for call in calls if call["role"] == "embedding"]


def replies(run: Path) -> dict[tuple[str, int], str]:
    return {(call["player"], call["number"]): call["reply"] for call in embeddings(run)}


@pytest.fixture(autouse=True)
def _no_real_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "0")


async def test_tasks_are_proposed_done_learned_and_built_upon(tmp_path: Path) -> None:
    found = await play(tmp_path, 3)
    result = found.results[0]
    assert (result["status"], result["episodes"]) == ("complete", 3)
    assert result["players"]["Gizmo"]["items"] == {"raw_iron": 2, "stone_pickaxe": 1}
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    for player, pickaxe in (("Gizmo", "stone_pickaxe"), ("Glitch", "iron_pickaxe")):
        library = found.directory / "agents" / player
        skills = newest(library)
        assert sorted(skills) == ["mineTwo", "takePickaxe"]
        assert skills["takePickaxe"].about.goal == {pickaxe: 1}
        assert skills["mineTwo"].about.provenance["episode"] == 3
        index = open_index(index_folder(library), open_embedding(), fix="-")
        assert index.records() == records(skills)
        index.close()
        programs = [each.source for each in events if isinstance(each, PolicyWritten) and each.player == player]
        assert ["async function takePickaxe" in program for program in programs] == [True] * 3
        assert programs[2].index("async function takePickaxe") < programs[2].index("async function mineTwo")
    told = [each.text for each in events if isinstance(each, Critique) and each.player == "Gizmo"]
    assert told == ["Spell the names right."]


LETTERS = {"embedding": "openai/letters:4"}


async def test_embeddings_are_written_down_priced_and_repeated(tmp_path: Path) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("letters: {prompt: 1000, completion: 0}\nfake: {prompt: 0, completion: 0}\n")
    found = await play(tmp_path / "one", 2, agents_options=LETTERS, prices=prices)
    calls = embeddings(found.directory)
    # Each agent searches its skills before each program and learns one skill after the first episode.
    assert Counter(call["player"] for call in calls) == {"Gizmo": 3, "Glitch": 3}
    tokens = {id(call): sum(len(text["content"].split()) for text in call["messages"]) for call in calls}
    assert all(call["usage"]["prompt_tokens"] == tokens[id(call)] > 0 for call in calls)
    assert all(call["usd"] == pytest.approx(tokens[id(call)] / 1000) for call in calls)
    assert found.results[0]["usage"]["usd"] == pytest.approx(sum(tokens.values()) / 1000, abs=1e-5)
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    assert sum(isinstance(each, ModelCalled) and each.purpose == "embedding" for each in events) == len(calls)
    again = await play(
        tmp_path / "two", 2, model=f"replay:{found.directory}", base_url=None, agents_options=LETTERS, prices=prices
    )
    assert replies(again.directory) == replies(found.directory)
    assert again.results[0]["usage"] == {"calls": found.results[0]["usage"]["calls"], "tokens": ANY, "usd": 0.0}
    assert again.results[0]["players"] == found.results[0]["players"]


async def test_embeddings_keep_to_the_budget(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no price is known for openai/letters, so --max-usd cannot hold"):
        await play(tmp_path, 1, agents_options=LETTERS, budget={"usd": {"all": 1.0}}, prices=_free(tmp_path))
    # The curriculum asks once before the first search for skills.
    found = await play(tmp_path, 1, agents_options=LETTERS, budget={"calls": {"Gizmo": 1}})
    assert found.results[0]["status"] != "complete"
    assert "--max-calls Gizmo=1 is reached" in found.results[0]["reason"]
    assert [call for call in embeddings(found.directory) if call["player"] == "Gizmo"] == []


def _free(folder: Path) -> Path:
    path = folder / "prices.yaml"
    path.write_text("fake: {prompt: 0, completion: 0}\n")
    return path
