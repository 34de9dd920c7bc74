"""What crosses the bridge, as frozen types (architecture.md, "Bridge"); JSON on the wire, these in Python."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True)
class Address:
    """Where a Minecraft client joins."""

    host: str
    port: int
    version: str = "1.20.4"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


@dataclass(frozen=True)
class Limits:
    """Bounds of one policy run."""

    wall_s: float = 300.0
    """Game clock and wall clock alike on servers; virtual seconds on the mock world."""
    cpu_ms: int = 20_000
    """CPU time of the isolate in total; a single uninterrupted burst is bounded by the host (200 ms)."""
    memory_mb: int = 64


class Outcome(StrEnum):
    """How a policy run ended."""

    RETURNED = "returned"
    THREW = "threw"
    SYNTAX = "syntax"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    INFRASTRUCTURE = "infrastructure"
    """Host killed, bot disconnected, server gone: never an agent's doing."""


@dataclass(frozen=True)
class PolicyError:
    """What the model is told about its own program; positions count in the agent's own source, from 1."""

    name: str
    message: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class PolicyResult:
    """One policy run of one bot."""

    bot: str
    outcome: Outcome
    error: PolicyError | None = None
    wall_ms: float = 0.0
    cpu_ms: float = 0.0
    started_tick: int | None = None
    """World age in ticks (20 a second) when the run began; equal for all runs of one `World.run`."""
    ended_tick: int | None = None


@dataclass(frozen=True)
class Observation:
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
class Event:
    """Something that happened in the world or to a policy, in the order of `seq`."""

    seq: int
    kind: str
    """bot | policy | inventory | chat | signal | log | action | host"""
    tick: int | None
    """World age in ticks, where the sender knew it."""
    data: dict[str, Any] = field(default_factory=dict)
