"""Whole villages on the mock world: the same bytes twice, interruptions, budgets, failing agents, hearing."""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections import Counter
from dataclasses import replace
from math import dist
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import SpecError
from dilemmas.records.digest import digest
from dilemmas.records.events import (
    ActBegan,
    LifeEnded,
    LifeSummed,
    MindNoted,
    MindTold,
    ModelCalled,
    PlacesSeen,
    Speech,
)
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.village.measures import coherence, lives
from tests.fakes.killing import begun, events, kill_after, killed_at, log_of
from tests.fakes.life import respond, small_village
from voyager_agents.budget import ALL
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import RATER

TICKS = 20


def village(folder: Path, **chosen: Any) -> StudySettings:  # noqa: ANN401 - settings of any kind
    """Return a small village; `people`, `seconds` and `more` make its file, everything else is a setting."""
    folder.mkdir(parents=True, exist_ok=True)
    shape = {key: chosen.pop(key) for key in ("people", "seconds", "more") if key in chosen}
    path = small_village(folder, **shape)
    return StudySettings(str(path), **{"world": "mock", "contracts": ("normal",), "out": folder / "runs", **chosen})


def sha(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


async def test_thirty_agents_with_ten_modules_give_the_same_bytes_twice(tmp_path: Path) -> None:
    found = [await run_study(village(tmp_path / str(n), people=30, seconds=5)) for n in range(2)]
    assert [each.results[0]["status"] for each in found] == ["complete", "complete"]
    assert sha(log_of(found[0])) == sha(log_of(found[1]))
    modules = events(found[0], LifeSummed)[0].modules
    assert len(modules) == 10
    assert all(each["late_p99"] < 0.25 for each in modules.values())


async def test_models_of_two_seconds_think_side_by_side_and_repeat_to_the_byte(tmp_path: Path) -> None:
    found = []
    for number in range(2):
        async with FakeServer(respond) as server:
            chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "2"}
            found.append(await run_study(village(tmp_path / str(number), people=4, seconds=8, **chosen)))
    assert found[0].results[0]["status"] == "complete"
    assert digest(read_events(log_of(found[0]))) == digest(read_events(log_of(found[1])))
    ends: dict[str, list[tuple[int, str]]] = {}
    for line in read_events(log_of(found[0])):
        if isinstance(line.event, ModelCalled) and line.tick is not None:
            ends.setdefault(line.event.player, []).append((line.tick, line.event.purpose))
    calls = [line.event for line in read_events(log_of(found[0])) if isinstance(line.event, ModelCalled)]
    assert {"controller", "talking", "goal_generation", "planning", "skill_execution"} <= {e.purpose for e in calls}
    # Each of the four lives eight seconds: modules in turn would make four calls of two seconds each.
    assert all(sum(e.player == name for e in calls) > 4 for name in {e.player for e in calls})
    assert any(act.by == "skill_execution" for act in events(found[0], ActBegan))


async def test_thirty_with_models_of_two_seconds_think_side_by_side_and_none_is_late(tmp_path: Path) -> None:
    # Thirty agents who waited for each other's calls, or modules that did, would come to three calls in six seconds.
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "2"}
        found = await run_study(village(tmp_path, people=30, seconds=6, **chosen))
    assert found.results[0]["status"] == "complete"
    asked = Counter(event.player for event in events(found, ModelCalled))
    players = set(found.results[0]["players"])
    assert len(players) == 30
    assert all(asked[name] > 3 for name in players), asked
    began = {event.player: event.t_s for event in reversed(events(found, ActBegan)) if event.by == "skill_execution"}
    # A decision takes two seconds and its act two more; beats, and no others, come on top.
    assert set(began) == players
    assert max(began.values()) <= 2 + 2 + 1
    late = [use["late_p99"] for each in events(found, LifeSummed) for use in each.modules.values()]
    assert len(late) == 30 * 10
    assert max(late) < 0.25


async def test_hearing_follows_from_positions(tmp_path: Path) -> None:
    found = await run_study(village(tmp_path, people=12, seconds=15))
    spoken = events(found, Speech)
    assert len(spoken) > 5
    places: dict[float, dict[str, tuple[float, float, float]]] = {}
    for each in events(found, PlacesSeen):
        places[each.t_s] = {**(places[max(places)] if places else {}), **each.at}
    assert set(places[0.0]) == set(found.results[0]["players"])
    checked = 0
    for speech in spoken:
        if (at := places.get(speech.t_s)) is None:
            continue
        near = [name for name, there in at.items() if name != speech.speaker and dist(there, speech.at) <= 16]
        sure = [name for name in near if dist(at[name], speech.at) <= 15.8]
        assert set(sure) <= set(speech.hearers) <= set(near)
        checked += 1
    assert checked


OWN = """
from voyager_agents.piano.module import Module, Result, When
def rule(view):
    if view["persona"]["name"] == {name!r} and view.now > {after}:
        raise RuntimeError("a bug in a module")
    return Result()
MODULE = Module(name="mine", reads=("persona",), writes=(), when=When(every_s=1), rule=rule)
"""


async def test_an_agent_whose_code_fails_is_begun_again_then_out_and_stops_nobody(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    name = next(iter(load_scenario(village(tmp_path / "usual").scenario).spec.players))
    own.write_text(OWN.format(name=name, after=3))
    found = await run_study(village(tmp_path / "failing", seconds=20, agents_options={"modules": str(own)}))
    assert found.results[0]["status"] == "complete"
    ended = events(found, LifeEnded)
    assert [(each.player, each.again) for each in ended] == [(name, True), (name, True), (name, False)]
    assert ended[0].error == "RuntimeError: a bug in a module"
    late = {act.player for act in events(found, ActBegan) if act.t_s > 10}
    assert late == set(found.results[0]["players"]) - {name}


async def test_a_village_in_which_nobody_lives_any_more_has_failed(tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(OWN.format(name="", after=1).replace('view["persona"]["name"] == \'\'', "True"))
    found = await run_study(village(tmp_path / "runs", people=2, seconds=15, agents_options={"modules": str(own)}))
    assert found.results[0]["status"] == "failed"
    assert "nobody lives any more" in found.results[0]["reason"]
    assert "a bug in a module" in found.results[0]["reason"]


def test_thirty_agents_killed_at_five_seeded_moments_end_as_uninterrupted_ones(tmp_path: Path) -> None:
    """It is killed five times in a row, each time at another moment after resuming."""
    whole = asyncio.run(run_study(village(tmp_path / "whole", people=30, seconds=2)))
    expected, count = digest(read_events(log_of(whole))), sum(1 for _ in read_events(log_of(whole)))
    assert count > 300
    first, *moments = random.Random("village kills").sample(range(2, count), 5)
    settings = village(tmp_path / "killed", people=30, seconds=2)
    killed_at(run_study(settings, listen=kill_after(first)))
    (directory,) = settings.out.iterdir()
    for moment in moments:
        # Lives are played again from their start: what follows the beginning of the attempt is written anew.
        again = min(moment, count - sum(1 for _ in begun(directory)) - 1)
        killed_at(resume_study(directory, read_settings(directory), listen=kill_after(again)))
    found = asyncio.run(resume_study(directory, read_settings(directory)))
    assert found.results[0]["status"] == "complete"
    assert digest(read_events(log_of(found))) == expected


async def test_a_budget_that_is_used_up_ends_the_village_clean_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "2"}
        whole = await run_study(village(tmp_path / "whole", people=3, seconds=7, **chosen))
        settings = village(tmp_path / "short", people=3, seconds=7, budget={"calls": {ALL: 12}}, **chosen)
        short = await run_study(settings)
        assert short.results[0]["status"] == "budget"
        assert short.results[0]["usage"]["calls"] <= 12
        more = {"calls": {ALL: 100_000.0}}
        kept = replace(read_settings(short.directory, base_url=server.base_url), budget=more)
        found = await resume_study(short.directory, kept)
    assert found.results[0]["status"] == "complete"
    assert digest(read_events(log_of(found))) == digest(read_events(log_of(whole)))


async def test_calls_under_way_when_the_lives_end_count_as_they_are_paid(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "4"}
        found = await run_study(village(tmp_path, people=2, seconds=5, **chosen))
        asked = len(server.requests)
    paid = [line for line in (found.directory / "calls.jsonl").read_text().splitlines() if '"reply"' in line]
    assert len(paid) == asked
    assert found.results[0]["usage"]["calls"] == asked
    counted = Counter(event.purpose for event in events(found, ModelCalled))
    assert counted["controller"] == sum(
        '"role": "controller"' in line or '"role":"controller"' in line for line in paid
    )


async def test_answers_that_cannot_be_read_are_recorded_and_the_village_lives_on(tmp_path: Path) -> None:
    async with FakeServer(lambda _: "I would rather not say.") as server:
        chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "0"}
        found = await run_study(village(tmp_path, people=2, seconds=5, **chosen))
    assert found.results[0]["status"] == "complete"
    told = [event.step for event in events(found, MindTold)]
    assert {step.what for step in told} == {"unusable"}
    assert len(told) <= found.results[0]["usage"]["calls"] <= len(told) + 2
    assert sum(each["faults"] for each in found.results[0]["costs"]) == len(told)
    assert not events(found, MindNoted)
    assert not events(found, ActBegan)


async def test_the_estimate_bounds_what_is_asked(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        chosen = {"model": "openai/x", "agents": "piano", "base_url": server.base_url, "think": "1"}
        settings = village(tmp_path, people=3, seconds=10, **chosen)
        found = await run_study(settings)
    asked = Counter(event.purpose for event in events(found, ModelCalled))
    expected = await expect(settings)
    for each in expected["roles"]:
        assert each["least"]["calls"] <= asked[each["role"]] <= each["most"]["calls"], each
    assert expected["least"]["calls"] > 0


async def test_a_dry_run_tells_calls_tokens_and_price_of_every_module(tmp_path: Path) -> None:
    chosen = {"model": "openai/gpt-4o", "agents": "piano", "base_url": "http://127.0.0.1:9/v1"}
    plain = await expect(village(tmp_path / "plain", people=2, seconds=20, **chosen))
    asking = {each["role"] for each in plain["roles"] if each["most"]["calls"]}
    assert asking == {*FAMILIES["piano"].roles, RATER} - {"citizen"}
    for each in plain["roles"]:
        if each["role"] in asking:
            assert each["most"]["tokens"] > each["most"]["calls"] > 0
            assert each["most"]["usd"] > each["least"]["usd"] >= 0
    skilled = await expect(village(tmp_path / "own", people=2, seconds=20, agents_options={"library": "own"}, **chosen))
    acting, with_skills = (
        next(each for each in found["roles"] if each["role"] == "skill_execution") for found in (plain, skilled)
    )
    assert with_skills["most"]["tokens"] > acting["most"]["tokens"]


async def test_words_and_deeds_agree_less_without_the_broadcast(tmp_path: Path) -> None:
    shares = []
    for name, options in (("with", {}), ("without", {"broadcast": "no"})):
        found = await run_study(village(tmp_path / name, people=6, seconds=25, agents_options=options))
        shares.append(coherence(lives(read_events(log_of(found)))))
    assert shares[0] is not None
    assert shares[1] is not None
    assert shares[0] > 0.9
    assert shares[1] < 0.5


PERSONAS = """
population:
  personas:
    - {name: Ada, spawn_location: {x: 4.5, y: -60, z: -3.5}}
    - {name: Bea, spawn_location: {x: 5.5, y: -60, z: -3.5}}
"""


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ((", spawn_location: {x: 5.5, y: -60, z: -3.5}", ""), "persona 2 ('Bea'): spawn_location: is missing"),
        (("x: 5.5, y: -60, z: -3.5", "x: -27.5, y: -60, z: 18.5"), "persona 'Bea' spawns inside of stone at [-28, -60"),
        (("name: Bea", "name: Ada"), "two personas are called 'Ada'"),
        (("name: Bea,", "name: Bea, mood: bad,"), "persona 2 ('Bea'): mood: is not a known key"),
    ],
)
async def test_personas_that_cannot_live_there_are_told_in_one_line(
    tmp_path: Path, change: tuple[str, str], told: str
) -> None:

    good = small_village(tmp_path).read_text().replace("population: {count: 6}\n", "") + PERSONAS
    path = tmp_path / "own.yaml"
    path.write_text(good)
    assert list(load_scenario(str(path)).spec.players) == ["Ada", "Bea"]
    path.write_text(good.replace(*change))
    with pytest.raises(SpecError) as error:
        load_scenario(str(path))
    assert told in str(error.value)
    assert "\n" not in str(error.value)
