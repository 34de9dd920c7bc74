"""Requests and answers of many tasks, in an order that does not depend on the machine's speed.

The answers to tasks that ask the mock world at the same time arrive piece by piece over a pipe. If each task woke with
its own piece, chance would decide which task asks next, and so what happens in the world. Therefore the requests of all
tasks are sent together, once no task is about to make another, and all answers are delivered together.

Time can also run ahead: it passes while tasks still work (`run_ahead`). What they ask meanwhile is carried out after it
and answered together with it, once they wait for it (`catch_up`).
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence

from bridge.errors import BridgeError, HostError
from bridge.mock.pacer import SETTLE_TURNS, about_to_run
from bridge.wire import Json
from common.text import read_json

TIME = "advance"
"""The only long request. Requests made meanwhile are sent at once and end it early, unless time runs ahead."""
VIEWS = ("picture", "survey")
"""Requests of watchers, which change nothing. They are sent and answered at once even while time runs ahead, so that a
page shows a world that is paused then."""
_said = json.JSONEncoder().encode
_READY = 0
"""Number of the first, unrequested answer: the process accepts requests."""


class RequestExchange:
    """The requests to one process. `write` sends bytes to it, `receive` takes each line of its output.

    `hear` gets each batch of events and `run_ended` the results of a run by its number, both before the answer to the
    request that caused them. `time_passed` gets the tick reached, before the events until then. `error_of` turns an
    error message of the process into an exception.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        hear: Callable[[list[dict[str, Json]]], None],
        run_ended: Callable[[int, dict[str, Json]], None],
        time_passed: Callable[[int], None],
        error_of: Callable[[dict[str, str]], BridgeError],
    ) -> None:
        self._write = write
        self._hear = hear
        self._run_ended = run_ended
        self._time_passed = time_passed
        self._error_of = error_of
        self._last = _READY
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self._outgoing: list[tuple[int, dict[str, Json]]] = []
        self._under_way: dict[int, str] = {}
        """Number -> verb of the unanswered requests."""
        self._said: list[dict[str, Json]] = []
        self._reached: int | None = None
        self._planned = False
        self._turns = 0
        self._ahead = False
        """True while time runs ahead: answers are kept until `catch_up`."""

    @property
    def waiting(self) -> bool:
        """True if an answer is due."""
        return bool(self._under_way)

    @property
    def asked(self) -> int:
        """Number of the last request."""
        return self._last

    def ready(self) -> asyncio.Future[Json]:
        """A future that is done once the process accepts requests."""
        ready: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[_READY] = ready
        return ready

    def ask(self, verb: str, fields: dict[str, Json]) -> asyncio.Future[Json]:
        """Make a request, which is sent even if its asker is cancelled."""
        answer = self._add(verb, fields)
        if self._ahead and verb in VIEWS:
            self._send([self._outgoing.pop()])
        self._turns = 0
        self._plan()
        return answer

    def run_ahead(self, fields: dict[str, Json]) -> asyncio.Future[Json]:
        """Let time pass from now on, while tasks still work; its answer comes after `catch_up`."""
        answer = self._add(TIME, {"ahead": True, **fields})
        self._send_all()
        self._ahead = True
        return answer

    def catch_up(self) -> None:
        """Send what was asked while time ran ahead; the answers are delivered when all of them are there."""
        self._ahead = False
        self._send_all()
        if not self._under_way:
            self._deliver_answers()

    def _add(self, verb: str, fields: dict[str, Json]) -> asyncio.Future[Json]:
        self._last += 1
        self._outgoing.append((self._last, {"id": self._last, "verb": verb, **fields}))
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[self._last] = answer
        return answer

    def receive(self, line: bytes) -> None:
        """Take a line of the process and deliver all answers once none is missing."""
        said = read_json(line)
        if "alive" in said:
            return
        if "events" in said or "run" in said:
            self._said.append(said)
            return
        verb = self._under_way.pop(said.get("id", _READY), None)
        if self._ahead and verb in VIEWS:
            self._answer(said)
            return
        self._said.append(said)
        if verb == TIME and said["ok"]:
            value = said["value"]
            self._reached = value["age"] if isinstance(value, dict) else value
        if not self._under_way and not self._ahead:
            self._deliver_answers()
            self._plan()

    def fail(self, error: HostError) -> None:
        """Deliver what a lost process said before, then fail all unanswered requests."""
        self._ahead = False
        self._deliver_answers()
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(HostError(str(error)))
        self._answers.clear()
        self._outgoing.clear()
        self._under_way.clear()

    def _plan(self) -> None:
        """Schedule a look in the loop's next turn."""
        if self._ahead or self._planned or not self._outgoing:
            return
        if any(verb != TIME for verb in self._under_way.values()):
            return
        self._planned = True
        asyncio.get_running_loop().call_soon(self._look)

    def _look(self) -> None:
        """Send once no task is about to run, or none has asked for `SETTLE_TURNS` turns of the loop."""
        loop = asyncio.get_running_loop()
        others = about_to_run(loop)
        self._turns += 1
        if self._turns < SETTLE_TURNS and (others is None or len(others) > 0):
            loop.call_soon(self._look)
            return
        self._planned = False
        if not self._ahead:
            self._send_all()

    def _send_all(self) -> None:
        outgoing, self._outgoing = self._outgoing, []
        if outgoing:
            self._send(outgoing)

    def _send(self, requests: Sequence[tuple[int, dict[str, Json]]]) -> None:
        self._under_way.update((number, request["verb"]) for number, request in requests)
        self._write(b"".join(_said(request).encode() + b"\n" for _, request in requests))

    def _deliver_answers(self) -> None:
        """Deliver everything at once: tasks wake in the order of their requests, in one turn of the loop."""
        said, self._said = self._said, []
        if self._reached is not None:
            self._time_passed(self._reached)
            self._reached = None
        for each in said:
            if "events" in each:
                self._hear(each["events"])
            elif "run" in each:
                self._run_ended(each["run"], each["results"])
            else:
                self._answer(each)

    def _answer(self, said: dict[str, Json]) -> None:
        answer = self._answers.pop(said.get("id", _READY), None)
        if answer is None or answer.done():
            return
        if said.get("ready") or said["ok"]:
            answer.set_result(said.get("value"))
        else:
            answer.set_exception(self._error_of(said["error"]))
