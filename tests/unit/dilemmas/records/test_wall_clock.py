"""Removal of the wall clock from lines."""

from __future__ import annotations

import json

import pytest

from dilemmas.records.events import EpisodeStarted, LogLine, WorldReady
from dilemmas.records.wall_clock import WALL, may_hold_wall_clock, without_wall_clock


def test_wall_times_are_blanked_and_nothing_else() -> None:
    ready = WorldReady(address="127.0.0.1:1", version="1.20.4", reused=False, wall_ms=12.5)
    line = without_wall_clock(LogLine(3, 40, 1_790_000_000.5, 1, ready))
    assert line == LogLine(3, 40, 0.0, 1, ready.model_copy(update={"wall_ms": 0.0}))


def test_an_event_without_wall_times_stays() -> None:
    line = LogLine(4, 41, 0.0, 1, EpisodeStarted(attempt=2))
    assert without_wall_clock(line) == line


@pytest.mark.parametrize("key", list(WALL))
def test_a_line_that_may_hold_wall_clock_is_seen_by_its_text(key: str) -> None:
    """Check keys at any depth of the data; a line's own time and quoted words are no match."""
    head = '{"seq": 1, "kind": "speech", "tick": 3, "time": 0.0, "episode": 1, "data": '
    assert may_hold_wall_clock(head + json.dumps({"t_s": 1, "all": [{"there": {key: 3}}]}) + "}")
    assert not may_hold_wall_clock(head + json.dumps({"t_s": 1, "text": f'"{key}": 3', "times": key}) + "}")
