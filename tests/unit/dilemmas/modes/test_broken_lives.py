"""Lives interrupted by lost infrastructure: the repeated attempt starts as if nothing had been lived before."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.worlds import open_world
from dilemmas.records.events import EpisodeBroken, EpisodeStarted, LogLine, MindTold, RunEnded
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.breaking import BreaksOnce
from tests.fakes.life import ANSWERS, module_of, respond, small_village
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.skill_library import newest
from voyager_agents.thought_events import SkillLearned, SkillsFound

SECONDS = 4
SENSES = 14
"""Number of the failing sense; bodies sense every quarter of a second, so it is in the fourth second."""


def lines(found: StudyResult) -> list[LogLine]:
    return list(read_events(found.directory / "events.jsonl"))


def attempt(found: StudyResult) -> list[str]:
    """Return the log of the last attempt, without numbers of attempts and lines."""
    told = lines(found)
    start = max(place for place, line in enumerate(told) if isinstance(line.event, EpisodeStarted))
    kept = [line for line in told[start + 1 :] if not isinstance(line.event, RunEnded)]
    return [replace(line, seq=0).to_json() for line in kept]


def measures(found: StudyResult) -> dict[str, Any]:
    """Return the result without costs and the number of repeats."""
    result = json.loads((found.directory / "result.json").read_text("utf-8"))
    return {key: result[key] for key in ("status", "players", "measures", "village") if key in result}


async def both(folder: Path, **chosen: Any) -> tuple[StudyResult, StudyResult]:  # noqa: ANN401 - settings of any kind
    """Play the same village undisturbed, and interrupted once."""
    found = []
    for name, worlds in (("whole", open_world), ("broken", BreaksOnce(SENSES))):
        (folder / name).mkdir()
        path = small_village(folder / name, people=2, seconds=SECONDS)
        given = {key: value(name) if callable(value) else value for key, value in chosen.items()}
        settings = StudySettings(str(path), world="mock", contracts=("normal",), out=folder / name / "runs", **given)
        found.append(await run_study(settings, worlds=worlds))
    whole, broken = found
    assert [each.results[0]["status"] for each in found] == ["complete", "complete"]
    assert not [line for line in lines(whole) if isinstance(line.event, EpisodeBroken)]
    assert [line.event.repeated for line in lines(broken) if isinstance(line.event, EpisodeBroken)] == [True]
    return whole, broken


async def test_interrupted_lives_restart_with_equal_bytes(tmp_path: Path) -> None:
    whole, broken = await both(tmp_path)
    assert attempt(broken) == attempt(whole)
    assert measures(broken) == measures(whole)
    assert broken.results[0]["repeats"] == 1


TAKE = "async function takeBread(bot) {\n  await getItemFromChest(bot, new Vec3(%s), { %s: 1 })\n}\n"


async def test_minds_and_libraries_hold_nothing_of_a_life_that_was_broken_off(tmp_path: Path) -> None:
    """With models: knowledge learned before the loss is shown to nobody, and enters no library."""
    path = small_village(tmp_path, people=2, seconds=SECONDS)
    spec: Any = load_scenario(str(path)).spec
    chest = spec.world.chests[0]
    item = next(iter(chest.items))
    source = TAKE % (", ".join(str(part) for part in spec.absolute(chest.at)), item)

    def learning(request: Request) -> str:
        if module_of(request.messages) != "to act":
            return respond(request).replace('"speak": true', '"speak": false')
        if worlds.opened > 1:
            return json.dumps(ANSWERS["to act"])
        return json.dumps({"label": "take from the chest", "program": source, "gains": {item: 1}})

    worlds, library = BreaksOnce(SENSES), tmp_path / "library"
    async with FakeServer(learning) as server:
        settings = StudySettings(
            str(path), world="mock", contracts=("normal",), out=tmp_path / "runs", model="openai/x", agents="piano",
            base_url=server.base_url, think="0.25", agents_options={"library": str(library), "keep": "yes"},
        )  # fmt: skip
        found = await run_study(settings, worlds=worlds)
    assert found.results[0]["status"] == "complete"
    told = lines(found)
    broken = next(place for place, line in enumerate(told) if isinstance(line.event, EpisodeBroken))
    steps = [(place, line.event.step) for place, line in enumerate(told) if isinstance(line.event, MindTold)]
    learned = [place for place, step in steps if isinstance(step, SkillLearned)]
    assert learned, "the break came too early to tell anything"
    assert max(learned) < broken
    assert {step.known for place, step in steps if isinstance(step, SkillsFound) and place > broken} == {0}
    assert not (library / "skills").is_dir() or not newest(library)
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text("utf-8").splitlines()]
    assert found.results[0]["usage"]["calls"] == sum("reply" in call for call in calls)
