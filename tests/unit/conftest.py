"""Fixtures of the unit tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.figures import leave_undrawn
from tests.fakes.warm_hosts import HOSTS

OWN_HOSTS = (Path(__file__).parent / "bridge",)
"""Folders whose tests are about the process of a world: each world starts its own."""


@pytest.fixture(scope="session", autouse=True)
def _warm_hosts() -> Iterator[None]:
    """Let mock worlds of this process use one host after the other (tests/fakes/warm_hosts.py)."""
    with HOSTS.serving():
        yield


@pytest.fixture(autouse=True)
def _own_hosts(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Start a process for each world in tests of processes."""
    own = any(request.path.is_relative_to(each) for each in OWN_HOSTS)
    monkeypatch.setattr(HOSTS, "used", not own)


@pytest.fixture(autouse=True)
def _undrawn(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the figures of reports without drawing them, except in tests that are marked `drawn`."""
    if not request.node.get_closest_marker("drawn"):
        leave_undrawn(monkeypatch)
