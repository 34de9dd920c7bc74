"""Digest of the events of a run, equal for interrupted and uninterrupted runs.

The digest omits values that are not part of the experiment: wall times, ticks and line numbers, server starts,
resumptions, and incidental telemetry of bots (`TELEMETRY_KINDS`), which no score depends on. Model calls and thoughts
of players who were asked concurrently are sorted.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from dilemmas.records.events import (
    TELEMETRY_KINDS,
    LogLine,
    MindTold,
    ModelCalled,
    PlayersPlaced,
    RunResumed,
    UnknownTelemetry,
    WorldReady,
)
from dilemmas.records.wall_clock import without_wall_clock

_CLOCKED = {"t_s", "game_s"}
"""Fields that depend on the clock of a live server."""


def digest(lines: Iterable[LogLine], *, clock: bool = True) -> str:
    """Return the SHA-256 of the events of a run as hexadecimal digits.

    Args:
        lines: The run's event log.
        clock: Include game times and intermediate states, which on a live server depend on the timing of its ticks.
    """
    kept = (line for line in lines if _belongs(line, clock))
    found = hashlib.sha256()
    for thinking, group in groupby(kept, key=lambda line: isinstance(line.event, ModelCalled | MindTold)):
        texts = (_text(line, clock) for line in group)
        for text in sorted(texts) if thinking else texts:
            found.update(text.encode() + b"\n")
    return found.hexdigest()


def _belongs(line: LogLine, clock: bool) -> bool:
    if isinstance(line.event, WorldReady | RunResumed | UnknownTelemetry | PlayersPlaced):
        return False
    return line.kind not in TELEMETRY_KINDS and (clock or line.kind not in ("state", "places"))


def _text(line: LogLine, clock: bool) -> str:
    plain = json.loads(without_wall_clock(line).to_json())
    del plain["seq"], plain["tick"]
    return json.dumps(plain if clock else _without(plain), sort_keys=True)


def _without(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {key: _without(item) for key, item in value.items() if key not in _CLOCKED}
    if isinstance(value, list):
        return [_without(item) for item in value]
    return value
