"""Frozen types of the data that crosses the bridge as JSON.

Senses are named tuples: thousands are made per second, and named tuples are made four times as fast as dataclasses.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

MAX_RADIUS = 64.0
"""Maximum radius of senses in blocks; servers report no entities beyond it."""
MAX_NEAR = 64
"""Maximum entities or blocks of one kind in a bot's senses, which bounds the line in which a host answers."""
_NAME = re.compile(r"[a-z0-9_]{1,64}")

Place = tuple[float, float, float]
"""x, y, z in blocks."""


@dataclass(frozen=True)
class Address:
    """Address for Minecraft clients."""

    host: str
    port: int
    version: str = "1.20.4"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class BodiesAddress:
    """Address at which hosts of engine bodies connect to the embedded server."""

    port: int
    secret: str = field(repr=False)
    """Secret that a host sends first."""


@dataclass(frozen=True)
class Limits:
    """Bounds of one policy run."""

    wall_s: float = 300.0
    """Limit of game time and wall time on servers, and of virtual seconds on the mock world."""
    cpu_ms: int = 20_000
    """CPU time of the isolate in total; a single uninterrupted burst is bounded by the host (200 ms)."""
    memory_mb: int = 64


class ProgramOutcome(StrEnum):
    """End of a program's run."""

    RETURNED = "returned"
    THREW = "threw"
    SYNTAX = "syntax"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"
    """The host was killed, the bot disconnected or the server lost; never an act of an agent."""


@dataclass(frozen=True)
class ProgramError:
    """Error of a program as shown to the model; positions refer to the agent's own source, from 1."""

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
    """Senses that bots use (`World.sense`). Raises ValueError for values out of bounds."""

    radius: float = 16.0
    """Radius in blocks from the feet; at most 64."""
    blocks: tuple[str, ...] = ()
    """Names of blocks to search for, e.g. ("oak_log", "chest")."""
    most: int = 32
    """Maximum results of each kind, nearest first; at most 64."""
    patience_s: float | None = None
    """Maximum seconds of wall time to wait for a busy host on live worlds; then its bots' last senses are returned.
    None waits until it answers."""

    def __post_init__(self) -> None:
        if not (math.isfinite(self.radius) and 0 < self.radius <= MAX_RADIUS):
            raise ValueError(f"radius is {self.radius}: give blocks above 0, at most {MAX_RADIUS:g}")
        if self.patience_s is not None and not (math.isfinite(self.patience_s) and self.patience_s > 0):
            raise ValueError(f"patience_s is {self.patience_s}: give seconds above 0, or None")
        if not 1 <= self.most <= MAX_NEAR:
            raise ValueError(f"most is {self.most}: give a number from 1 to {MAX_NEAR}")
        if isinstance(self.blocks, str):
            raise ValueError(f"blocks is {self.blocks!r}: give a tuple of names, e.g. ({self.blocks!r},)")
        for name in self.blocks:
            if _NAME.fullmatch(name) is None:
                raise ValueError(f"block {name!r} is no name: write e.g. oak_log, without minecraft:")


NEARBY = Senses()
"""Players, mobs and drops within 16 blocks."""


class NearPlayer(NamedTuple):
    """Another player within the radius; spectators are invisible."""

    id: int
    """Entity id, the key in `bot.entities`."""
    name: str
    position: Place
    distance: float
    """Distance in blocks, from feet to feet."""
    held: str | None
    """Item in its main hand."""


class NearMob(NamedTuple):
    """A mob: a living entity that is no player."""

    id: int
    kind: str
    """Vanilla's name, e.g. "sheep"."""
    position: Place
    distance: float
    hostile: bool
    """True if minecraft-data counts its kind among the hostile mobs."""


@dataclass(frozen=True, slots=True)
class NearDrop:
    """A stack of items on the ground."""

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
    """Distance in blocks, from the feet to the centre of the block."""


class Sensed(NamedTuple):
    """Senses of one bot; lists are sorted by distance."""

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
    """World age in ticks; if nothing changed between two looks, the tick of the first one."""
    players: Sequence[NearPlayer]
    mobs: Sequence[NearMob]
    drops: Sequence[NearDrop]
    blocks: Sequence[NearBlock]


@dataclass(frozen=True)
class Event:
    """An event of the world or of a program, ordered by `seq`."""

    seq: int
    kind: str
    """bot | policy | inventory | chat | signal | log | action | ground_changed | weather | drops | host"""
    tick: int | None
    """World age in ticks, if known to the sender."""
    data: dict[str, Any] = field(default_factory=dict)
