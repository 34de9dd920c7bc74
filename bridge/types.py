"""What crosses the bridge, as frozen types (architecture.md, "Bridge"); JSON on the wire, these in Python.

What bots sense is in named tuples: thousands are made in a second, and they are made four times as fast.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

MOST_RADIUS = 64.0
"""As far as servers tell of entities and as bots search, in blocks."""
MOST_NEAR = 64
"""Entities or blocks of one kind that one bot is told of at most: a host's bots answer in one bounded line."""
_NAME = re.compile(r"[a-z0-9_]{1,64}")

Place = tuple[float, float, float]
"""x, y, z in blocks."""


@dataclass(frozen=True)
class Address:
    """Where a Minecraft client joins."""

    host: str
    port: int
    version: str = "1.20.4"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Door:
    """Where hosts of engine bodies come in to the embedded server."""

    port: int
    secret: str = field(repr=False)
    """What they say first."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one policy run."""

    wall_s: float = 300.0
    """Game clock and wall clock alike on servers; virtual seconds on the mock world."""
    cpu_ms: int = 20_000
    """CPU time of the isolate in total; a single uninterrupted burst is bounded by the host (200 ms)."""
    memory_mb: int = 64


class ProgramOutcome(StrEnum):
    """How a policy run ended."""

    RETURNED = "returned"
    THREW = "threw"
    SYNTAX = "syntax"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"
    """Host killed, bot disconnected, server gone: never an agent's doing."""


@dataclass(frozen=True)
class ProgramError:
    """What the model is told about its own program; positions count in the agent's own source, from 1."""

    name: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class PolicyResult:
    """One policy run of one bot."""

    bot: str
    outcome: ProgramOutcome
    error: ProgramError | None = None
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    started_tick: int | None = None
    """World age in ticks (20 a second) when the run began; equal for all runs of one `World.run`."""
    ended_tick: int | None = None


@dataclass(frozen=True)
class BotObservation:
    """A player as its bot sees itself."""

    name: str
    position: tuple[float, float, float]
    health: float
    food: float
    items: dict[str, int]
    """Item name -> count over the whole inventory, off-hand and armour included."""
    held: str | None
    gamemode: str
    tick: int


@dataclass(frozen=True)
class Senses:
    """What bots are to look for around them (`World.sense`). Raises ValueError for what no bot can do."""

    radius: float = 16.0
    """In blocks, from the feet; at most 64."""
    blocks: tuple[str, ...] = ()
    """Names of blocks of interest, e.g. ("oak_log", "chest"); none are looked for without."""
    most: int = 32
    """Of each kind, the nearest so many; at most 64."""
    patience_s: float | None = None
    """On live worlds: how long, in seconds of the wall clock, a host of bots is waited for that computes and does not
    answer. Then what its bots sensed last stands. None: until it answers."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.radius) and 0 < self.radius <= MOST_RADIUS):
            raise ValueError(f"radius is {self.radius}: give blocks above 0, at most {MOST_RADIUS:g}")
        if self.patience_s is not None and not (math.isfinite(self.patience_s) and self.patience_s > 0):
            raise ValueError(f"patience_s is {self.patience_s}: give seconds above 0, or None")
        if not 1 <= self.most <= MOST_NEAR:
            raise ValueError(f"most is {self.most}: give a number from 1 to {MOST_NEAR}")
        if isinstance(self.blocks, str):
            raise ValueError(f"blocks is {self.blocks!r}: give a tuple of names, e.g. ({self.blocks!r},)")
        for name in self.blocks:
            if _NAME.fullmatch(name) is None:
                raise ValueError(f"block {name!r} is no name: write e.g. oak_log, without minecraft:")


NEARBY = Senses()
"""Players, mobs and drops within 16 blocks."""


class NearPlayer(NamedTuple):
    """Another player within the radius; spectators are seen by nobody."""

    id: int
    """The entity's number, the same that programs find in `bot.entities`."""
    name: str
    position: Place
    distance: float
    """In blocks, from feet to feet."""
    held: str | None
    """Item in its main hand."""


class NearMob(NamedTuple):
    """A living being that is no player."""

    id: int
    kind: str
    """Vanilla's name, e.g. "sheep"."""
    position: Place
    distance: float
    hostile: bool
    """True if minecraft-data counts its kind among the hostile mobs."""


@dataclass(frozen=True, slots=True)
class NearDrop:
    """A stack of items that lies there."""

    id: int
    item: str
    position: Place
    distance: float
    count: int


class NearBlock(NamedTuple):
    """A block of interest."""

    block: str
    position: tuple[int, int, int]
    distance: float
    """In blocks, from the feet to the block's middle."""


class Sensed(NamedTuple):
    """What one bot feels and has around it: everything nearest first."""

    name: str
    position: Place
    yaw: float
    """Degrees as in vanilla commands: 0 south, 90 west, -90 east, from -180 (included) to 180."""
    pitch: float
    """Degrees: 90 down, -90 up."""
    health: float
    food: float
    items: dict[str, int]
    """Item name -> count over the whole inventory, off-hand and armour included."""
    held: str | None
    gamemode: str
    tick: int
    """World age at which it was so; for a bot that stays the same object from look to look, when it was so first."""
    players: Sequence[NearPlayer]
    mobs: Sequence[NearMob]
    drops: Sequence[NearDrop]
    blocks: Sequence[NearBlock]


@dataclass(frozen=True)
class Event:
    """Something that happened in the world or to a policy, in the order of `seq`."""

    seq: int
    kind: str
    """bot | policy | inventory | chat | signal | log | action | ground_changed | host"""
    tick: int | None
    """World age in ticks, where the sender knew it."""
    data: dict[str, Any] = field(default_factory=dict)
