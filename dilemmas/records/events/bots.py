"""Events that the bots' side reports (docs/seams.md, 2); never the ground of a reward."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from dilemmas.records.events.base import EventModel, Json


class TimedEvent(EventModel):
    """Base of them; `t_s` as in `dilemmas.records.events`."""

    # The bridge may tell more than it promised: nothing of it is lost.
    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)
    t_s: float | None = None


class BotEvent(TimedEvent):
    """A bot spawned, died, respawned, was kicked or left."""

    kind: Literal["bot"] = "bot"
    bot: str
    state: str
    reason: str | None = None


class PolicyEvent(TimedEvent):
    """A policy started or ended."""

    kind: Literal["policy"] = "policy"
    bot: str
    state: str
    result: Json | None = None


class InventoryEvent(TimedEvent):
    """A player's inventory changed."""

    kind: Literal["inventory"] = "inventory"
    bot: str
    items: dict[str, int]
    held: str | None = None


class ChatEvent(TimedEvent):
    """Somebody said something in the game."""

    kind: Literal["chat"] = "chat"
    sender: str | None = Field(default=None, alias="from")
    text: str


class SignalEvent(TimedEvent):
    """A policy sent a signal to another player's."""

    kind: Literal["signal"] = "signal"
    sender: str = Field(alias="from")
    receiver: str | None = Field(default=None, alias="to")
    name: str | None = None


class LogEvent(TimedEvent):
    """What a policy printed."""

    kind: Literal["log"] = "log"
    bot: str
    level: str
    text: str


class ActionEvent(TimedEvent):
    """A primitive was called and has ended."""

    kind: Literal["action"] = "action"
    bot: str
    name: str
    ok: bool | None = None


class GroundChanged(TimedEvent):
    """Players have mined or placed blocks since the last one of these, at most a second ago.

    Where they have worked before, what comes there later is told as well. What grows, falls or is poured elsewhere is
    not, nor what a person with a client of its own does on a server.
    """

    kind: Literal["ground_changed"] = "ground_changed"
    changed: dict[str, list[tuple[int, int, int, str]]]
    """Player -> [x, y, z, block] of each place: what stands there now, `air` for a block that was mined. An empty name
    has what came, by other means, to places where players have worked."""
    tops: list[tuple[int, int, int, str]]
    """[x, y, z, block] of what is seen from above in each of these columns now; an empty name for nothing."""
    left_out: int
    """Places that are not told, since there were more than 256 or the land was out of sight."""


class HostEvent(TimedEvent):
    """A bot host came up or was lost."""

    kind: Literal["host"] = "host"
    host: str | int | None = None
    state: str
    reason: str | None = None


class UnknownTelemetry(TimedEvent):
    """Telemetry of a kind or shape that this version does not know, kept as it came."""

    kind: Literal["telemetry"] = "telemetry"
    original: Json


TELEMETRY_KINDS = frozenset({"bot", "policy", "inventory", "chat", "signal", "log", "action", "ground_changed", "host"})
"""Kinds that `World.events()` yields."""


TelemetryEvent = (
    BotEvent
    | PolicyEvent
    | InventoryEvent
    | ChatEvent
    | SignalEvent
    | LogEvent
    | ActionEvent
    | GroundChanged
    | HostEvent
    | UnknownTelemetry
)
"""Any event of the bots' side."""
