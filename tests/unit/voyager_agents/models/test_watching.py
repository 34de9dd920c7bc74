"""Progress events of a model call: failed tries, queues, and the switch."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from voyager_agents import ModelBlocked, ModelError, Settings
from voyager_agents.models import ChatMessage
from voyager_agents.models.fake_server import FakeReply, FakeServer
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.switch import require_permission
from voyager_agents.models.watching import Asking, Blocked, GaveUp, Queued, Retrying, State, tell, watched

ASKED, SETTINGS = [ChatMessage("user", "hello")], Settings(timeout_s=20)
LIMITED = FakeReply("too many", status=429, headers={"retry-after-ms": "8000"})


async def no_pause(seconds: float) -> None:
    """Return at once instead of sleeping."""


@asynccontextmanager
async def model_at(base_url: str) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("tiny", base_url=base_url, api_key="key-1", sleep=no_pause)
    try:
        yield model
    finally:
        await model.close()


async def told(answers: list[FakeReply | str]) -> list[State]:
    states: list[State] = []
    async with FakeServer(answers) as server, model_at(server.base_url) as model:
        with suppress(ModelError), watched(states.append):
            await model.complete(ASKED, SETTINGS)
    return states


async def test_every_failed_try_is_told_with_its_reason_and_its_pause() -> None:
    asking = Asking("openai/tiny")
    states = await told([LIMITED, FakeReply("oops", status=503, headers={"retry-after-ms": "20"}), "fine"])
    assert states == [
        asking,
        Retrying("openai/tiny", "429", overload=True, limited=True, pause_s=8.0, tries=1),
        asking,
        Retrying("openai/tiny", "503", overload=True, limited=False, pause_s=0.02, tries=2),
        asking,
    ]


async def test_what_cannot_be_waited_for_is_told_too() -> None:
    assert await told([FakeReply("no such model", status=404)]) == [Asking("openai/tiny"), GaveUp("openai/tiny", "404")]


async def test_a_call_that_waits_for_its_turn_says_so() -> None:
    states: list[State] = []
    async with FakeServer(["one"]) as server, model_at(server.base_url) as model:
        model.gate.limit = 1.0
        await model.gate.enter()
        with watched(states.append):
            call = asyncio.ensure_future(model.complete(ASKED, SETTINGS))
            await asyncio.sleep(0)
        assert states == [Queued("openai/tiny", 1)]
        model.gate.leave()
        assert (await call).text == "one"
    assert states[1:] == [Asking("openai/tiny")]


def test_the_switch_tells_that_it_forbids(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "0")
    states: list[State] = []
    with watched(states.append), pytest.raises(ModelBlocked) as error:
        require_permission(None)
    assert states == [Blocked(str(error.value))]


async def test_calls_at_the_same_time_are_told_apart_and_nobody_need_look_on() -> None:
    heard: dict[int, list[State]] = {0: [], 1: []}

    async def call(number: int) -> None:
        with watched(heard[number].append):
            await asyncio.sleep(0)
            tell(Asking(f"model {number}"))

    await asyncio.gather(call(0), call(1))
    assert heard == {0: [Asking("model 0")], 1: [Asking("model 1")]}
    tell(Asking("nobody"))
    assert sum(map(len, heard.values())) == 2
