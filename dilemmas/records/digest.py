"""One number for what happened in a run, equal for a run that was interrupted and one that was not.

Left out is what does not belong to the experiment: wall times, ticks and line numbers, server starts and resumptions,
and what bots report by the way (`TELEMETRY_KINDS`: nothing that is scored depends on it). Model calls of players who
were asked at the same time, and what their minds tell then, count in the order of their names.
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
"""Fields that a live server's clock decides."""


def digest(lines: Iterable[LogLine], *, clock: bool = True) -> str:
    """SHA-256 of the run's events. `clock=False` also leaves out game times and the states in between, which on a live
    server depend on when its ticks fall."""
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
