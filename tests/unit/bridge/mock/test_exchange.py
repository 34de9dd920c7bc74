"""Requests of many tasks to a fake process whose answers arrive in arbitrary pieces."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence

import pytest

from bridge.errors import BridgeError, HostError
from bridge.mock.exchange import TIME, RequestExchange
from bridge.wire import Json

Work = Callable[["Talk"], Awaitable[None]]


class Talk:
    """Exchange with a fake process that answers each request with its number and verb, piece by piece."""

    def __init__(self, pieces: Sequence[int] = (), *, at_once: bool = True) -> None:
        self.order: list[str] = []
        self.written: list[list[str]] = []
        self.heard: list[str] = []
        self.exchange = RequestExchange(
            self._write, self._hear, self._run_ended, self._time_passed, lambda said: BridgeError(said["message"])
        )
        self._pieces = list(pieces)
        self._at_once = at_once
        self.lines: list[bytes] = []
        self._writing = asyncio.Event()

    async def wrote(self, requests: int) -> None:
        """Wait until `requests` requests have been sent."""
        while len(self.order) < requests:
            self._writing.clear()
            await self._writing.wait()

    async def ask(self, verb: str) -> Json:
        return await self.exchange.ask(verb, {})

    def _hear(self, batch: list[dict[str, Json]]) -> None:
        self.heard += [f"event {event}" for event in batch]

    def _run_ended(self, run: int, results: dict[str, Json]) -> None:
        self.heard.append(f"run {run} {results}")

    def _time_passed(self, tick: int) -> None:
        self.heard.append(f"time {tick}")

    def _write(self, sent: bytes) -> None:
        requests = [json.loads(line) for line in sent.splitlines()]
        self.written.append([each["verb"] for each in requests])
        self.order += self.written[-1]
        self._writing.set()
        self.lines += [json.dumps({"id": each["id"], "ok": True, "value": each["verb"]}).encode() for each in requests]
        if self._at_once:
            asyncio.get_running_loop().call_soon(self._piece)

    def _piece(self) -> None:
        """Deliver some answers in this iteration of the event loop and the rest eight iterations later."""
        size = self._pieces.pop(0) if self._pieces else len(self.lines)
        arrived, self.lines = self.lines[:size], self.lines[size:]
        for line in arrived:
            self.exchange.receive(line)
        if self.lines:
            self._after(8, self._piece)

    def _after(self, turns: int, call: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        loop.call_soon(call if turns == 0 else lambda: self._after(turns - 1, call))


async def agent(talk: Talk, name: str, hops: Sequence[int]) -> None:
    """Send one request per entry of `hops`, each after that many iterations of the event loop."""
    for number, turns in enumerate(hops):
        for _ in range(turns):
            await asyncio.sleep(0)
        assert await talk.ask(f"{name}{number}") == f"{name}{number}"


@pytest.mark.parametrize("pieces", [(), (1,) * 30, (2, 1, 1, 2, 1), (1, 2, 2, 1)])
async def test_the_order_of_requests_does_not_depend_on_how_answers_arrive(pieces: Sequence[int]) -> None:
    talk = Talk(pieces)
    hops = {"a": (0, 5, 0, 5), "b": (2, 0, 2, 0), "c": (1, 1, 1, 1)}
    await asyncio.gather(*(agent(talk, name, turns) for name, turns in hops.items()))
    assert talk.order == ["a0", "c0", "b0", "b1", "c1", "a1", "a2", "c2", "b2", "b3", "c3", "a3"]
    assert [len(each) for each in talk.written] == [3, 3, 3, 3]


async def test_what_happened_is_told_with_the_answer_that_it_belongs_to() -> None:
    talk = Talk(at_once=False)
    first, second = asyncio.ensure_future(talk.ask("one")), asyncio.ensure_future(talk.ask("two"))
    await talk.wrote(1)
    one, two = talk.lines
    for said in (
        b'{"events": ["a", "b"]}',
        b'{"alive": true}',
        b'{"run": 3, "results": {}}',
        one,
        b'{"events": ["c"]}',
    ):
        talk.exchange.receive(said)
        await asyncio.sleep(0)
        assert talk.heard == []
        assert talk.exchange.waiting
    talk.exchange.receive(two)
    assert talk.heard == ["event a", "event b", "run 3 {}", "event c"]
    assert await first == "one"
    assert await second == "two"
    assert not talk.exchange.waiting


async def test_what_is_asked_while_time_passes_goes_out_at_once() -> None:
    talk = Talk(at_once=False)
    passing = asyncio.ensure_future(talk.ask(TIME))
    await talk.wrote(1)
    asked = asyncio.ensure_future(talk.ask("command"))
    await talk.wrote(2)
    for line in talk.lines:
        talk.exchange.receive(line)
    assert await passing == TIME
    assert await asked == "command"


async def test_the_clock_stands_where_time_went_before_anybody_hears_what_happened() -> None:
    talk = Talk(at_once=False)
    passing = asyncio.ensure_future(talk.ask(TIME))
    await talk.wrote(1)
    talk.exchange.receive(b'{"events": ["late"]}')
    talk.exchange.receive(b'{"id": 1, "ok": true, "value": 40}')
    assert talk.heard == ["time 40", "event late"]
    assert await passing == 40


async def test_a_request_that_nobody_waits_for_any_more_goes_out_all_the_same() -> None:
    talk = Talk()
    asked = asyncio.ensure_future(talk.ask("start"))
    await asyncio.sleep(0)
    asked.cancel()
    await talk.ask("cancel")
    assert talk.order == ["start", "cancel"]


async def test_a_task_that_never_rests_does_not_keep_requests_back() -> None:
    talk = Talk()

    async def restless() -> None:
        for _ in range(100_000):
            await asyncio.sleep(0)

    busy = asyncio.create_task(restless())
    assert await talk.ask("one") == "one"
    assert not busy.done()
    busy.cancel()


async def test_an_error_is_the_askers_and_a_lost_process_everybodys() -> None:
    talk = Talk(at_once=False)
    asked = [asyncio.ensure_future(talk.ask(verb)) for verb in ("one", "two", "three")]
    await talk.wrote(1)
    for number in (1, 2):
        talk.exchange.receive(json.dumps({"id": number, "ok": False, "error": {"message": f"no {number}"}}).encode())
    talk.exchange.receive(b'{"events": ["last"]}')
    talk.exchange.fail(HostError("gone"))
    assert talk.heard == ["event last"]
    ends = await asyncio.gather(*asked, return_exceptions=True)
    assert [str(end) for end in ends] == ["no 1", "no 2", "gone"]


async def test_time_that_runs_ahead_is_heard_of_once_somebody_waits_for_it() -> None:
    talk = Talk(at_once=False)
    passing = talk.exchange.run_ahead({})
    assert talk.written == [[TIME]]
    talk.exchange.receive(b'{"events": ["in time"]}')
    talk.exchange.receive(b'{"id": 1, "ok": true, "value": 40}')
    asked = [asyncio.ensure_future(talk.ask(verb)) for verb in ("start", "cancel")]
    for _ in range(100):
        await asyncio.sleep(0)
    assert (talk.heard, talk.written, passing.done()) == ([], [[TIME]], False)
    talk.exchange.catch_up()
    assert talk.written == [[TIME], ["start", "cancel"]]
    assert talk.heard == []
    for line in talk.lines[1:]:
        talk.exchange.receive(line)
    assert talk.heard == ["time 40", "event in time"]
    assert await asyncio.gather(passing, *asked) == [40, "start", "cancel"]


async def test_who_watches_is_answered_while_time_runs_ahead() -> None:
    talk = Talk(at_once=False)
    passing = talk.exchange.run_ahead({})
    order, view = asyncio.ensure_future(talk.ask("start")), asyncio.ensure_future(talk.ask("picture"))
    await asyncio.sleep(0)
    assert talk.written == [[TIME], ["picture"]]
    for line in talk.lines:
        talk.exchange.receive(line)
    assert await view == "picture"
    assert not passing.done()
    talk.exchange.catch_up()
    talk.exchange.receive(talk.lines[-1])
    assert await asyncio.gather(passing, order) == [TIME, "start"]


async def test_what_was_asked_before_time_runs_ahead_goes_before_it() -> None:
    talk = Talk()
    asked = talk.exchange.ask("command", {})
    passing = talk.exchange.run_ahead({})
    assert talk.written == [["command", TIME]]
    talk.exchange.catch_up()
    assert await asyncio.gather(asked, passing) == ["command", TIME]


async def test_a_lost_process_fails_time_that_runs_ahead() -> None:
    talk = Talk(at_once=False)
    passing, asked = talk.exchange.run_ahead({}), talk.exchange.ask("start", {})
    talk.exchange.fail(HostError("gone"))
    ends = await asyncio.gather(passing, asked, return_exceptions=True)
    assert [str(end) for end in ends] == ["gone", "gone"]
