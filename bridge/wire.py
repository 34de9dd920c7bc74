"""JSON forms of the data that crosses the bridge, shared by the supervisor and the mock world's process."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from bridge.types import (
    BotObservation,
    Limits,
    NearBlock,
    NearDrop,
    NearMob,
    NearPlayer,
    PolicyResult,
    ProgramError,
    ProgramOutcome,
    Sensed,
    Senses,
)
from common.lazy_sequence import LazySequence

Json: TypeAlias = Any
"""A value as returned by `json.loads`."""


def bounds_of(limits: Limits) -> dict[str, Json]:
    """Return limits in JSON form. Raises ValueError for bounds that are not positive."""
    for name, value in (("wall_s", limits.wall_s), ("cpu_ms", limits.cpu_ms), ("memory_mb", limits.memory_mb)):
        if not math.isfinite(value) or value <= 0:
            raise ValueError(f"limit {name} is {value}: give a number above 0")
    return {"wall_ms": limits.wall_s * 1000, "cpu_ms": limits.cpu_ms, "memory_mb": limits.memory_mb}


def senses_of(senses: Senses) -> dict[str, Json]:
    """Return senses in JSON form."""
    said: dict[str, Json] = {"radius": senses.radius, "most": senses.most, "blocks": list(senses.blocks)}
    return said if senses.patience_s is None else {**said, "patience_ms": senses.patience_s * 1000}


def result_of(said: dict[str, Json]) -> PolicyResult:
    """Return a policy result from its JSON form (the `result` of a `policy` event has the same)."""
    error = said.get("error")
    fields = {**said, "outcome": ProgramOutcome(said["outcome"]), "error": ProgramError(**error) if error else None}
    return PolicyResult(**fields)


def observation_of(said: dict[str, Json]) -> BotObservation:
    """Return a bot's observation of itself from its JSON form."""
    return BotObservation(**{**said, "position": tuple(said["position"])})


def sensed_of(said: dict[str, Json]) -> Sensed:
    """Return a bot's senses from their JSON form; nearby things come as rows (skills_js/nearby.js)."""
    near = {kind: near_of(kind, said[kind]) for kind in _NEAR}
    return Sensed(**{**said, "position": tuple(said["position"]), **near})


def near_of(kind: str, rows: list[Json]) -> Sequence[Any]:
    """Return the nearby things of one kind: players, mobs, drops or blocks."""
    return LazySequence(rows, _NEAR[kind]) if rows else ()


_new = tuple.__new__
"""Constructor of named tuples that takes two thirds of the usual time."""


def _players(rows: list[Json]) -> tuple[NearPlayer, ...]:
    return tuple([_new(NearPlayer, (id, name, (x, y, z), far, more)) for id, name, x, y, z, far, more in rows])


def _mobs(rows: list[Json]) -> tuple[NearMob, ...]:
    return tuple([_new(NearMob, (id, name, (x, y, z), far, more)) for id, name, x, y, z, far, more in rows])


def _drops(rows: list[Json]) -> tuple[NearDrop, ...]:
    return tuple([NearDrop(id, name, (x, y, z), far, more) for id, name, x, y, z, far, more in rows])


def _blocks(rows: list[Json]) -> tuple[NearBlock, ...]:
    return tuple([_new(NearBlock, (name, (x, y, z), far)) for name, x, y, z, far in rows])


_NEAR: dict[str, Callable[[list[Json]], tuple[Any, ...]]] = {
    "players": _players,
    "mobs": _mobs,
    "drops": _drops,
    "blocks": _blocks,
}
