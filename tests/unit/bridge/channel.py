"""Strict fake of the Node channel, which answers from the test's script and raises on any other call."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any, TypeAlias

from bridge.errors import HostError

Json: TypeAlias = Any
Answer = Callable[["FakeChannel", str, dict[str, Any]], None]


class FakeChannel:
    """Channel that takes jobs like the supervisor; `on_job` decides the outcome of each."""

    def __init__(self, on_job: Answer) -> None:
        self._on_job = on_job
        self._lock = threading.Lock()
        self._events: list[dict[str, Any]] = []
        self._count = 0
        self.alive = True
        self.closed = False
        self.jobs: list[dict[str, Any]] = []
        self.cancelled: list[str] = []
        self.on_submit: Callable[[], object] = lambda: None
        self.on_cancel: Callable[[str], None] = lambda job: None
        self._bell: Callable[[], None] = lambda: None

    def call(self, name: str, *args: str | int) -> Json:
        if not self.alive:
            raise HostError("the supervisor process has ended")
        if name == "submit":
            job = json.loads(str(args[0]))
            self._count += 1
            self.jobs.append(job)
            self._on_job(self, f"j{self._count}", job)
            self.on_submit()
            return f"j{self._count}"
        if name == "poll":
            return self._poll(int(args[0]))
        if name == "cancel":
            self.cancelled.append(str(args[0]))
            self.on_cancel(str(args[0]))
            return True
        raise AssertionError(f"no call {name}")

    def ring(self, bell: Callable[[], None]) -> None:
        self._bell = bell

    def close(self) -> None:
        self.alive = False
        self.closed = True

    def say(self, kind: str, data: dict[str, Any], fleet: str = "", tick: int | None = None) -> None:
        with self._lock:
            self._events.append(
                {"seq": len(self._events) + 1, "fleet": fleet, "kind": kind, "tick": tick, "data": data}
            )
        self._bell()

    def end(self, job: str, value: Json = None) -> None:
        self.say("job", {"job": job, "ok": True, "value": value})

    def fail(self, job: str, name: str, message: str) -> None:
        self.say("job", {"job": job, "ok": False, "error": {"name": name, "message": message}})

    def _poll(self, cursor: int) -> str:
        with self._lock:
            return json.dumps({"cursor": len(self._events), "events": self._events[cursor:]})


def at_once(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
    """End every job immediately, without a value."""
    channel.end(job)


def never(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
    """Never end a job."""
