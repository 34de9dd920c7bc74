"""Budgets of studies with models, and estimates of a study's cost."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.study import StudySettings, read_settings, resume_study, run_study
from accord.studies.wall_clock_budget import Stopwatch
from bridge.types import ProgramOutcome
from dilemmas.errors import UsageError
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.model_players import SPLIT, play, respond
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
STUCK = Script(ends={"Gizmo": (1, ProgramOutcome.THREW), "Glitch": (1, ProgramOutcome.THREW)})


@pytest.mark.parametrize(
    ("budget", "told", "calls"),
    [
        ({"calls": {"all": 3}}, "--max-calls 3", 3),
        ({"calls": {"Glitch": 1}}, "--max-calls Glitch=1", 3),
        ({"tokens": {"each": 15}}, "--max-tokens each=15 is reached by Gizmo", 2),
        ({"usd": {"all": 0.02}}, "--max-usd 0.02", 2),
    ],
)
async def test_a_budget_ends_the_study_and_its_log_is_whole(
    tmp_path: Path, budget: dict[str, dict[str, float]], told: str, calls: int
) -> None:
    prices = tmp_path / "prices.yaml"
    prices.write_text("test: {prompt: 1000, completion: 0}\n")
    async with FakeServer(respond) as server:
        found, world = await play(tmp_path / "runs", server, [], budget=budget, prices=prices, runs=2)
    result = found.results[0]["runs"][0]
    assert (found.status, result["status"], len(found.results[0]["runs"])) == ("budget", "budget", 1)
    assert told in result["reason"]
    assert result["usage"]["calls"] == calls
    assert result["usage"]["usd"] == pytest.approx(0.01 * calls)
    assert faults(found.results[0], RULES) == []
    events = [line.event for line in read_events(found.directory / "seed-0/events.jsonl")]
    assert [event.usd for event in events if event.kind == "model_call"] == [pytest.approx(0.01)] * calls
    assert (events[-1].kind, events[-1].status) == ("run_ended", "budget")
    assert world.runs == []


async def test_time_that_is_over_ends_the_study_in_mid_episode(tmp_path: Path) -> None:
    endless = Script(ends={"Gizmo": (1e12, ProgramOutcome.RETURNED)})
    world = FakeWorld([endless])
    settings = StudySettings(
        "double-vein", out=tmp_path, world="fake", time_limit_s=1e12, budget={"wall": {"all": 0.2}}
    )
    found = await run_study(settings, worlds=FakeWorlds(world))
    assert found.results[0]["status"] == "budget"
    assert "--max-wall 0.2" in found.results[0]["reason"]
    assert not world.open


async def test_without_a_price_tokens_alone_are_counted_and_that_is_said(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        found, _ = await play(tmp_path, server, [SPLIT])
        result = found.results[0]
        assert result["usage"] == {"calls": 5, "tokens": 75, "usd": None, "unpriced": ["openai/test"]}
        assert faults(result, RULES) == []
        with pytest.raises(UsageError, match=r"no price is known for openai/test.*--prices FILE or use --max-tokens"):
            await play(tmp_path, server, [], budget={"usd": {"all": 1.0}})


async def test_episodes_that_change_nothing_end_the_run(tmp_path: Path) -> None:
    world = FakeWorld([STUCK] * 5)
    settings = StudySettings("double-vein", out=tmp_path, world="fake", episodes=9, no_progress=2)
    found = await run_study(settings, worlds=FakeWorlds(world))
    result = found.results[0]
    assert (result["status"], result["episodes"]) == ("budget", 3)
    assert result["reason"].startswith("no progress: 2 episodes in a row")


async def test_the_last_episode_is_never_no_progress(tmp_path: Path) -> None:
    settings = StudySettings("double-vein", out=tmp_path, world="fake", episodes=3, no_progress=2)
    found = await run_study(settings, worlds=FakeWorlds(FakeWorld([STUCK] * 3)))
    # Every program failed in every episode. The run fails for that reason and not for lack of progress.
    assert (found.status, found.results[0]["episodes"]) == ("failed", 3)
    assert found.results[0]["reason"].startswith("every program broke off")


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"budget": {"calls": {"all": 0.0}}}, "--max-calls 0 is not legal"),
        ({"budget": {"calls": {"Bob": 1.0}}}, r"budget for 'Bob': name one of Gizmo, Glitch, Judy"),
        ({"no_progress": 0}, "no progress: 0 is not legal"),
        ({"prices": Path("nowhere.yaml")}, r"nowhere\.yaml: cannot be read"),
    ],
)
async def test_wrong_budgets_are_one_line(tmp_path: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        await run_study(StudySettings("double-vein", out=tmp_path, world="fake", **settings), worlds=FakeWorlds())


async def test_the_estimate_is_of_the_real_prompts(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        await play(tmp_path, server, [SPLIT])
        asked = [request for request in server.requests if "You are the judge" not in request.messages[0]["content"]]
        chars = sum(len(each["content"]) for request in asked for each in request.messages)
    found = await expect(StudySettings("double-vein", ("negotiate",), model="openai/gpt-4o", episodes=1))
    answered = 2 * 200 + 2 * 900
    # The players may agree on no contract; then nothing is judged.
    assert found["least"]["calls"] == 4
    assert found["least"]["tokens"] - answered == pytest.approx(chars / 4, rel=0.03)
    # Every message twice, two signatures by two players twice, programs three times, two typings and the verdict too.
    assert found["most"]["calls"] == 2 * 6 + 2 * 2 * 2 + 3 * 2 + 2 * 3 + 3
    assert 0 < found["least"]["usd"] < found["most"]["usd"]
    assert found["unpriced"] == []


async def test_the_estimate_counts_runs_conditions_episodes_and_players(tmp_path: Path) -> None:
    settings = StudySettings(
        "double-vein", ("none", "contract-1"), runs=2, episodes=3, model="openai/x", players={"Glitch": "greedy"}
    )
    found = await expect(settings)
    calls = {each["role"]: (each["least"]["calls"], each["most"]["calls"]) for each in found["roles"]}
    assert calls == {"action": (4, 36), "critic": (4, 16), "negotiator": (0, 0), "judge": (2, 18)}
    assert (found["most"]["usd"], found["unpriced"]) == (None, ["openai/x"])


async def test_the_estimate_knows_what_the_agents_ask_for() -> None:
    found = await expect(StudySettings("double-vein", episodes=3, model="openai/gpt-4o", agents="voyager"))
    calls = {each["role"]: (each["least"]["calls"], each["most"]["calls"]) for each in found["roles"]}
    assert calls == {"action": (6, 18), "critic": (6, 12), "curriculum": (2, 24), "negotiator": (0, 0), "judge": (0, 0)}


async def test_the_estimate_of_a_game_in_rounds_counts_what_is_stated_of_each_part() -> None:
    settings = StudySettings("commons-harvest", model="openai/gpt-4o", agents="generative", time_limit_s=40)
    found = await expect(settings)
    calls = {each["role"]: (each["least"]["calls"], each["most"]["calls"]) for each in found["roles"]}
    # 78 apples for three players last at least 26 rounds, and a player that is always hit acts in five of them; every
    # answer may need a second call. See docs/generative-agents.md.
    most = 2 * 3 * 40
    assert calls == {
        "act": (3 * 5, most), "perceive": (3, most), "plan": (3, most), "reflect": (0, 2 * most),
        "understand": (0, 0), "council": (0, 0), "reputation": (0, 0), "judge": (0, 0),
    }  # fmt: skip
    ruled = await expect(replace(settings, agents_options={"perceive": "rule"}))
    assert (ruled["least"]["calls"], ruled["most"]["calls"]) == (3 * (5 + 1), 2 * 3 * 40 * 4)
    modules = await expect(replace(settings, contracts=("modules",)))
    # Understanding runs every fifth round, and meetings of two phases take place before rounds 1, 6, 11, ...; all
    # players attend the first.
    assert modules["least"]["calls"] == 3 * (5 + 2 + 2)
    assert modules["most"]["calls"] == 2 * 3 * (40 * 5 + 8 + 2 * 8)
    mixed = replace(settings, players={"Marta": "greedy-harvester"})
    assert (await expect(mixed))["most"]["calls"] == 2 * 2 * 40 * 5
    assert 0 < found["least"]["tokens"] < found["most"]["tokens"] < modules["most"]["tokens"]
    assert 0 < found["least"]["usd"] < found["most"]["usd"]
    with pytest.raises(UsageError, match="modules: 'magic' is unknown"):
        await expect(replace(settings, agents_options={"modules": "magic"}))


async def test_a_price_without_date_and_source_is_told_as_a_recollection(tmp_path: Path) -> None:
    settings = StudySettings("double-vein", model="openai/gpt-4o")
    assert (await expect(settings))["undated"] == ["openai/gpt-4o"]
    own = tmp_path / "prices.yaml"
    own.write_text("gpt-4o: {prompt: 3, completion: 9, as_of: 2026-11-01, source: 'https://example.org/prices'}")
    assert (await expect(replace(settings, prices=own)))["undated"] == []


async def test_time_that_was_used_counts_when_the_study_goes_on(tmp_path: Path) -> None:
    slow = FakeReply("late", delay_s=60)
    async with FakeServer(lambda _: slow) as server:
        limited = {"wall": {"all": 0.5}}
        found, _ = await play(tmp_path, server, [], budget=limited)
        assert found.status == "budget"
        assert 0.5 <= Stopwatch.read(found.directory) < 30
        asked = len(server.requests)
        same = read_settings(found.directory, base_url=server.base_url)
        again = await resume_study(found.directory, same, worlds=FakeWorlds(FakeWorld([])))
        # No time is left, so no further call starts.
        assert (again.status, len(server.requests)) == ("budget", asked)
        used = Stopwatch.read(found.directory)
    async with FakeServer(respond) as server:
        more = read_settings(found.directory, budget={"wall": {"all": used + 60}}, base_url=server.base_url)
        whole = await resume_study(found.directory, more, worlds=FakeWorlds(FakeWorld([SPLIT])))
    assert whole.status == "complete"
    assert Stopwatch.read(found.directory) >= used


async def test_an_estimate_needs_models() -> None:
    with pytest.raises(UsageError, match="reference players cost nothing"):
        await expect(StudySettings("double-vein"))
