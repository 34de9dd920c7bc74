"""Thinking of models: all are asked concurrently, nobody starts before the slowest, and time may stand still."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.errors import CommandError
from bridge.types import Limits, PolicyResult
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.modes.thinking import CALL_S, ThinkingCost, thinking_cost
from dilemmas.records.record import read_events
from tests.fakes.model_players import SPLIT, respond, role
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request


class Freezer(FakeWorld):
    """World whose time passes by itself unless it is frozen."""

    capabilities = FakeWorld.capabilities - {"virtual-clock"}

    def __init__(self, scripts: Sequence[Script], *, freezes: bool = True) -> None:
        super().__init__(scripts)
        self.frozen = False
        self._freezes = freezes

    async def command(self, text: str) -> str:
        if not text.startswith("tick "):
            return await super().command(text)
        self.texts.append(text)
        if not self._freezes:
            raise CommandError(text, "Unknown or incomplete command")
        self.frozen = text == "tick freeze"
        return "The game is frozen" if self.frozen else "The game runs normally"

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        assert not self.frozen
        return await super().run(policies, limits)


async def play(tmp_path: Path, server: FakeServer, world: FakeWorld, **chosen: object) -> StudyResult:
    settings = StudySettings(
        "double-vein",
        **{"contracts": ("negotiate",), "world": "fake", "out": tmp_path, "model": "openai/x", **chosen},  # type: ignore[arg-type]
        base_url=server.base_url,
    )
    return await run_study(settings, worlds=FakeWorlds(world))


@pytest.mark.parametrize("think", ["run", "pause"])
async def test_time_stands_still_while_models_think_where_that_is_wanted(tmp_path: Path, think: str) -> None:
    world = Freezer([SPLIT])
    frozen: list[tuple[str, bool]] = []

    def watching(request: Request) -> FakeReply | str:
        frozen.append((role(request), world.frozen))
        return respond(request)

    async with FakeServer(watching) as server:
        found = await play(tmp_path, server, world, think=think)
    asked = ["negotiator", "negotiator", "action", "action", "judge"]
    assert (found.status, frozen) == ("complete", [(each, think == "pause") for each in asked])
    assert not world.frozen
    assert world.texts.count("tick freeze") == (3 if think == "pause" else 0)


async def test_a_world_that_cannot_pause_is_reported_before_any_model_call(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        with pytest.raises(PrerequisiteError, match="the world 'fake' cannot stand still while models think"):
            await play(tmp_path, server, Freezer([], freezes=False), think="pause")
        assert server.requests == []
        assert (await play(tmp_path, server, Freezer([SPLIT], freezes=False))).status == "complete"
    with pytest.raises(UsageError, match="think: 'sleep' is not legal; choose run, pause, seconds"):
        StudySettings("double-vein", think="sleep")


async def test_time_goes_on_when_a_study_ends_while_models_think(tmp_path: Path) -> None:
    world = Freezer([])
    asked = asyncio.Event()

    def silent(request: Request) -> FakeReply:
        asked.set()
        return FakeReply("late", delay_s=60)

    async with FakeServer(silent) as server:
        task = asyncio.create_task(play(tmp_path, server, world, think="pause"))
        await asked.wait()
        assert world.frozen
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert not world.frozen


async def test_a_world_left_frozen_by_a_killed_study_is_set_going(tmp_path: Path) -> None:
    world = Freezer([SPLIT])
    world.frozen = True
    async with FakeServer(respond) as server:
        assert (await play(tmp_path, server, world)).status == "complete"


@pytest.mark.parametrize("slow", ["Gizmo", "Glitch"])
async def test_a_slow_model_gives_nobody_a_head_start(tmp_path: Path, slow: str) -> None:
    """Check that both programs start together, after the slower answer."""

    def respond_slowly(request: Request) -> FakeReply:
        waits = role(request) == "action" and f"You are {slow}." in request.messages[-1]["content"]
        return FakeReply(str(respond(request)), delay_s=0.3 if waits else 0.0)

    world = FakeWorld([SPLIT])
    async with FakeServer(respond_slowly) as server:
        found = await play(tmp_path, server, world, contracts=("none",))
        assert len(server.requests) == 2
    assert [sorted(programs) for programs in world.runs] == [["Gizmo", "Glitch"]]
    kinds = [line.kind for line in read_events(found.directory / "events.jsonl")]
    starts = [number for number, kind in enumerate(kinds) if kind == "policies_started"]
    assert len(starts) == 1
    assert max(number for number, kind in enumerate(kinds) if kind == "model_call") < starts[0]


ROLES = ("action", "negotiator", "judge", "embedding")


def test_costs_of_calls_are_parsed_by_role() -> None:
    usual = thinking_cost(None, virtual=True, roles=ROLES)
    assert (usual.seconds("action"), usual.seconds("embedding")) == (CALL_S, 0.0)
    assert thinking_cost(None, virtual=False, roles=ROLES) == ThinkingCost("run")
    assert thinking_cost("pause", virtual=True, roles=ROLES) == ThinkingCost("pause")
    assert thinking_cost("0.5", virtual=False, roles=ROLES).seconds("judge") == 0.5
    some = thinking_cost("negotiator=5,embedding=1", virtual=False, roles=ROLES)
    assert [some.seconds(role) for role in ROLES] == [CALL_S, 5.0, CALL_S, 1.0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("run", "think: 'run' is for servers"),
        ("", "think: '' is not legal; choose run, pause, seconds"),
        ("fast", "think: 'fast' is not legal; choose run, pause, seconds"),
        ("-1", "think: -1 s is not legal; give seconds from 0 to 36000"),
        ("nan", "think: nan s is not legal; give seconds from 0 to 36000"),
        ("critic=2", "think: 'critic' in 'critic=2' is no role; choose from action, negotiator, judge, embedding"),
        ("judge=1,judge=2", "think: 'judge=1,judge=2' gives 'judge' twice; give each role once"),
        ("judge=slow", "think: 'judge=slow' is not legal; choose run, pause, seconds"),
        ("judge=", "think: 'judge=' is not legal; choose run, pause, seconds"),
    ],
)
def test_bad_costs_are_refused_in_one_line(text: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        thinking_cost(text, virtual=True, roles=ROLES)
    assert str(refused.value).startswith(said)
    assert "\n" not in str(refused.value)


async def test_on_the_mock_world_the_log_does_not_tell_how_long_an_endpoint_took(tmp_path: Path) -> None:
    """Check that early, late and reordered answers give equal bytes."""
    logs = []
    for name, late in (("quick", None), ("slow", "Gizmo")):

        def answer(request: Request, late: str | None = late) -> FakeReply:
            waits = late is not None and f"You are {late}" in request.messages[-1]["content"]
            return FakeReply(str(respond(request)), delay_s=0.2 if waits else 0.0)

        async with FakeServer(answer) as server:
            settings = StudySettings(
                "double-vein",
                contracts=("negotiate",),
                world="mock",
                out=tmp_path / name,
                model="openai/x",
                base_url=server.base_url,
                time_limit_s=5,
                think="negotiator=3",
            )
            found = await run_study(settings)
        assert found.results[0]["episodes"] == 1
        lines = (found.directory / "events.jsonl").read_text(encoding="utf-8").splitlines()
        assert sum('"kind": "model_call"' in line or '"kind":"model_call"' in line for line in lines) >= 4
        logs.append([line for line in lines if '"run_started"' not in line])
    assert logs[0] == logs[1]
