"""The supervisor as Python sees it: jobs in, futures out, events to whoever watches a fleet.

One thread per process talks to Node. It submits what is asked for at once and polls for what has happened when Node's
bell says that there is something; now and then without it.
"""

from __future__ import annotations

import atexit
import json
import logging
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Protocol

from bridge.errors import BotLostError, BridgeError, HostError
from bridge.node import NodeProcess
from bridge.prerequisites import ROOT, ready_node
from bridge.wire import Json
from common.errors import PrerequisiteError
from common.text import read_json

log = logging.getLogger(__name__)

SCRIPT = ROOT / "bridge" / "host" / "supervisor" / "supervisor.js"
PAUSE_S = 0.5
"""Maximum seconds between two polls while events may come, in case a bell is missed."""
JOIN_S = 5.0

Listener = Callable[[list[dict[str, Json]]], None]
"""Takes a batch of events of one fleet, in order; called on the supervisor's thread and must not block."""


class Channel(Protocol):
    """Interface of Node for the supervisor's thread (`NodeProcess`, or a fake in tests)."""

    @property
    def alive(self) -> bool:
        """True while calls are answered."""

    def call(self, name: str, *args: str | int) -> Json:
        """Return the answer of one short call. Raises HostError if the process is gone."""

    def ring(self, bell: Callable[[], None]) -> None:
        """Call `bell`, on any thread, when events can be polled and when the process ends."""

    def close(self) -> None:
        """End the process."""


@dataclass
class _Submit:
    job: dict[str, Json]
    future: Future[Json]


@dataclass
class _Cancel:
    future: Future[Json]


class _Stop:
    pass


def start_node() -> NodeProcess:
    """Node with the supervisor loaded. Raises PrerequisiteError when something has to be installed first."""
    return NodeProcess(ready_node(), SCRIPT)


class Supervisor:
    """Thread-safe front of the Node process; Node starts with the first job and again after it was lost."""

    def __init__(self, start: Callable[[], Channel] = start_node) -> None:
        self._start = start
        self._inbox: queue.SimpleQueue[_Submit | _Cancel | _Stop | None] = queue.SimpleQueue()
        self._node: Channel | None = None
        self._cursor = 0
        self._jobs: dict[str, Future[Json]] = {}
        self._listeners: dict[str, Listener] = {}
        self._rung = False
        self._closed = False
        self._thread = threading.Thread(target=self._main, name="accord-supervisor", daemon=True)
        self._thread.start()

    def submit(self, job: dict[str, Json]) -> Future[Json]:
        """Begin a job (docs/seams.md, section 2); the future has its value or raises a BridgeError."""
        future: Future[Json] = Future()
        if self._closed:
            future.set_exception(HostError("the supervisor is closed"))
            return future
        self._inbox.put(_Submit(job, future))
        return future

    def cancel(self, future: Future[Json]) -> None:
        """Cancel the job of that future, if it is under way; the future still gets its end."""
        self._inbox.put(_Cancel(future))

    def listen(self, fleet: str, listener: Listener) -> None:
        """Pass that fleet's events to `listener` from now on."""
        self._listeners[fleet] = listener
        self._inbox.put(None)

    def unlisten(self, fleet: str) -> None:
        """Stop passing that fleet's events."""
        self._listeners.pop(fleet, None)

    def close(self) -> None:
        """End Node and the thread; every job under way fails."""
        self._closed = True
        self._inbox.put(_Stop())
        self._thread.join(JOIN_S)

    def _main(self) -> None:
        while True:
            request = self._next()
            if isinstance(request, _Stop):
                break
            try:
                if request is not None:
                    self._handle(request)
                while self._node is not None and self._drain():
                    pass
            except HostError as error:
                self._lost(error)
        closed = HostError("the supervisor is closed")
        self._fail_jobs(closed)
        self._fail_requests(closed)
        if self._node is not None:
            self._node.close()

    def _next(self) -> _Submit | _Cancel | _Stop | None:
        """Return the next request, or None when it is time to poll."""
        busy = self._node is not None and (self._jobs or self._listeners)
        try:
            return self._inbox.get(timeout=PAUSE_S if busy else None)
        except queue.Empty:
            return None
        finally:
            self._rung = False

    def _ring(self) -> None:
        """Wake the thread, once for any number of bells before it has looked."""
        if not self._rung:
            self._rung = True
            self._inbox.put(None)

    def _handle(self, request: _Submit | _Cancel) -> None:
        if isinstance(request, _Cancel):
            job = next((each for each, future in self._jobs.items() if future is request.future), None)
            if job is not None and self._node is not None:
                self._node.call("cancel", job)
            return
        if request.job["type"] == "release" and self._node is None:
            request.future.set_result(None)  # nothing was ever started, or all of it is gone
            return
        try:
            if self._node is None:
                self._node = self._start()
                self._node.ring(self._ring)
                self._cursor = 0
            self._jobs[self._node.call("submit", json.dumps(request.job))] = request.future
        except HostError:
            self._jobs["not sent"] = request.future  # it fails with the others, after the fleets have been told
            raise
        except (BridgeError, PrerequisiteError) as error:
            request.future.set_exception(error)

    def _drain(self) -> bool:
        """Fetch one batch and return whether it held any event."""
        assert self._node is not None
        if not self._node.alive:
            raise HostError("the supervisor process has ended")
        batch = read_json(self._node.call("poll", self._cursor))
        self._cursor = batch["cursor"]
        events: list[dict[str, Json]] = batch["events"]
        run: list[dict[str, Json]] = []
        for event in events:
            if event["kind"] != "job":
                if run and run[0]["fleet"] != event["fleet"]:
                    self._pass_on(run)
                    run = []
                run.append(event)
                continue
            self._pass_on(run)  # what happened before a job's end is known before that end
            run = []
            self._settle(event["data"])
        self._pass_on(run)
        return bool(events)

    def _pass_on(self, events: list[dict[str, Json]]) -> None:
        if not events:
            return
        listener = self._listeners.get(events[0]["fleet"])
        if listener is not None:
            listener(events)

    def _settle(self, data: dict[str, Json]) -> None:
        future = self._jobs.pop(data["job"], None)
        if future is None or not future.set_running_or_notify_cancel():
            return
        if data["ok"]:
            future.set_result(data["value"])
        else:
            future.set_exception(error_of(data["error"]))

    def _lost(self, error: HostError) -> None:
        """Fail the running jobs and notify the fleets; the next job starts a new Node."""
        log.warning("%s", error)
        if self._node is not None:
            self._node.close()
            self._node = None
        event = {"kind": "host", "tick": None, "data": {"host": "supervisor", "state": "lost", "reason": str(error)}}
        for fleet, listener in list(self._listeners.items()):
            listener([{"fleet": fleet, **event}])
        self._fail_jobs(error)

    def _fail_jobs(self, error: HostError) -> None:
        for future in self._jobs.values():
            if future.set_running_or_notify_cancel():
                future.set_exception(HostError(str(error)))
        self._jobs.clear()

    def _fail_requests(self, error: HostError) -> None:
        """Fail the requests that never began."""
        while not self._inbox.empty():
            request = self._inbox.get_nowait()
            if isinstance(request, _Submit):
                request.future.set_exception(HostError(str(error)))


def error_of(said: dict[str, str]) -> BridgeError:
    """Return the Python error for an error of the Node side."""
    name, message = said["name"], said["message"]
    if name == "BotLost":
        return BotLostError(message)
    if name in ("BotBusy", "BadArgument"):
        return BridgeError(message)
    return HostError(message if name == "HostLost" else f"{name}: {message}")


_lock = threading.Lock()
_shared: Supervisor | None = None


def shared_supervisor() -> Supervisor:
    """Return the one supervisor of this Python process; it is closed when the interpreter exits."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Supervisor()
            atexit.register(close_supervisor)
        return _shared


def close_supervisor() -> None:
    """End the shared supervisor; the next use starts a new one."""
    global _shared
    with _lock:
        supervisor, _shared = _shared, None
    if supervisor is not None:
        atexit.unregister(close_supervisor)
        supervisor.close()
