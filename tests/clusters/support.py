"""Helpers of the tests of clusters."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from dilemmas.records.digest import digest
from dilemmas.records.record import read_events

PATIENCE_S = 300.0


def logs(sweep: Path) -> dict[str, str]:
    """Task -> hash of its log, of all runs that have come home to a sweep's folder."""
    return {each.parent.name: digest(read_events(each)) for each in (sweep / "tasks").glob("*/*/events.jsonl")}


def until(there: Callable[[], bool], what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < end, what
        time.sleep(0.1)
