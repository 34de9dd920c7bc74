"""Removal of containers from an engine that sometimes fails, without Docker."""

from __future__ import annotations

import docker.errors
import pytest

from bridge.servers.paper import container as module
from bridge.servers.paper.container import Container
from bridge.servers.paper.settings import PaperSettings


class Thing:
    """Container or volume whose removal fails a given number of times."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures = failures
        self.there = True

    def remove(self, **_how: bool) -> None:
        """Fail, or remove the thing."""
        if self.failures:
            raise self.failures.pop(0)
        self.there = False


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMOVE_AGAIN_S", 0)


def holding(container: Thing, volume: Thing) -> Container:
    held = Container(None, "accord-x", PaperSettings())
    held._container, held._volume = container, volume
    return held


def test_what_the_engine_fails_to_remove_is_removed_a_moment_later() -> None:
    stuck = docker.errors.APIError("could not kill: tried to kill container, but did not receive an exit event")
    container, volume = Thing([stuck, stuck]), Thing([stuck])
    holding(container, volume).remove()
    assert not container.there
    assert not volume.there


def test_what_is_gone_already_is_no_error() -> None:
    volume = Thing([])
    holding(Thing([docker.errors.NotFound("no such container")]), volume).remove()
    assert not volume.there


def test_an_engine_that_never_removes_it_is_told_of() -> None:
    with pytest.raises(docker.errors.APIError, match="in progress"):
        holding(Thing([docker.errors.APIError("removal is in progress")] * 100), Thing([])).remove()
