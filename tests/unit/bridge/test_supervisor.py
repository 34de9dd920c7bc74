"""Jobs as futures, ordered delivery of events to fleets, and the failure of everything when Node is lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bridge.errors import BotLostError, BridgeError, HostError, InfrastructureError
from bridge.supervisor import Supervisor, error_of
from common.errors import PrerequisiteError
from tests.unit.bridge.channel import FakeChannel, at_once, never

WAIT_S = 60


@pytest.fixture
def make() -> Iterator[Callable[[Callable[[], Any]], Supervisor]]:
    made: list[Supervisor] = []

    def build(start: Callable[[], Any]) -> Supervisor:
        made.append(Supervisor(start))
        return made[-1]

    yield build
    for supervisor in made:
        supervisor.close()


def test_a_job_ends_with_its_value(make: Callable[..., Supervisor]) -> None:
    channel = FakeChannel(lambda c, job, spec: c.end(job, {"said": spec["type"]}))
    supervisor = make(lambda: channel)
    assert supervisor.submit({"type": "echo", "fleet": "f"}).result(WAIT_S) == {"said": "echo"}


def test_a_job_fails_with_its_error(make: Callable[..., Supervisor]) -> None:
    channel = FakeChannel(lambda c, job, spec: c.fail(job, "BotLost", "Gizmo is not in the world"))
    future = make(lambda: channel).submit({"type": "observe", "fleet": "f"})
    with pytest.raises(BotLostError, match="Gizmo is not in the world"):
        future.result(WAIT_S)


@pytest.mark.parametrize(
    ("name", "kind", "infrastructure"),
    [
        ("BotLost", BotLostError, True),
        ("HostLost", HostError, True),
        ("TypeError", HostError, True),
        ("BotBusy", BridgeError, False),
    ],
)
def test_errors_have_an_audience(name: str, kind: type[BridgeError], infrastructure: bool) -> None:
    error = error_of({"name": name, "message": "what happened"})
    assert type(error) is kind
    assert isinstance(error, InfrastructureError) is infrastructure
    assert "what happened" in str(error)


def test_events_before_the_end_of_a_job_are_heard_before_it(make: Callable[..., Supervisor]) -> None:
    heard: list[str] = []

    def tell_and_end(channel: FakeChannel, job: str, spec: dict[str, Any]) -> None:
        channel.say("chat", {"text": "first"}, fleet="f")
        channel.say("chat", {"text": "not mine"}, fleet="g")
        channel.say("chat", {"text": "second"}, fleet="f")
        channel.end(job)
        channel.say("chat", {"text": "after"}, fleet="f")

    supervisor = make(lambda: FakeChannel(tell_and_end))
    supervisor.listen("f", lambda batch: heard.extend(event["data"]["text"] for event in batch))
    ended: list[list[str]] = []
    future = supervisor.submit({"type": "run", "fleet": "f"})
    future.add_done_callback(lambda _: ended.append(list(heard)))
    future.result(WAIT_S)
    supervisor.close()
    assert ended == [["first", "second"]]
    assert heard == ["first", "second", "after"]


def test_a_lost_node_fails_what_waits_and_the_next_job_starts_another(make: Callable[..., Supervisor]) -> None:
    first, second = FakeChannel(never), FakeChannel(at_once)
    channels = iter([first, second])
    supervisor = make(lambda: next(channels))
    lost = threading.Event()
    heard: list[dict[str, Any]] = []

    def listen(batch: list[dict[str, Any]]) -> None:
        heard.extend(batch)
        lost.set()

    supervisor.listen("f", listen)
    future = supervisor.submit({"type": "run", "fleet": "f"})
    first.alive = False
    with pytest.raises(HostError, match="has ended"):
        future.result(WAIT_S)
    assert lost.wait(WAIT_S)
    assert [(event["kind"], event["data"]["state"]) for event in heard] == [("host", "lost")]
    assert first.closed
    assert supervisor.submit({"type": "echo", "fleet": "f"}).result(WAIT_S) is None
    assert second.jobs == [{"type": "echo", "fleet": "f"}]


def test_a_missing_prerequisite_is_told_to_who_asked(make: Callable[..., Supervisor]) -> None:
    def start() -> FakeChannel:
        raise PrerequisiteError("run `make setup`")

    supervisor = make(start)
    for _ in range(2):
        with pytest.raises(PrerequisiteError, match="make setup"):
            supervisor.submit({"type": "open", "fleet": "f"}).result(WAIT_S)


def test_nothing_is_started_to_release_nothing(make: Callable[..., Supervisor]) -> None:
    def start() -> FakeChannel:
        raise AssertionError("started")

    assert make(start).submit({"type": "release", "fleet": "f"}).result(WAIT_S) is None


def test_cancel_names_the_job_of_the_future(make: Callable[..., Supervisor]) -> None:
    channel = FakeChannel(never)
    channel.on_cancel = lambda job: channel.end(job, "cancelled")
    supervisor = make(lambda: channel)
    supervisor.submit({"type": "observe", "fleet": "f"})
    future = supervisor.submit({"type": "run", "fleet": "f"})
    supervisor.cancel(future)
    assert future.result(WAIT_S) == "cancelled"
    assert channel.cancelled == ["j2"]


def test_closing_fails_what_waits_and_takes_no_more(make: Callable[..., Supervisor]) -> None:
    channel = FakeChannel(never)
    supervisor = make(lambda: channel)
    waiting = supervisor.submit({"type": "run", "fleet": "f"})
    supervisor.close()
    with pytest.raises(HostError, match="closed"):
        waiting.result(WAIT_S)
    with pytest.raises(HostError, match="closed"):
        supervisor.submit({"type": "echo", "fleet": "f"}).result(WAIT_S)
    assert channel.closed
