"""Events reported by bots (docs/seams.md, 2); rewards never depend on them."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field

from dilemmas.records.events.base import EventModel, Json, is_empty
from dilemmas.records.events.places import Spot


class TimedEvent(EventModel):
    """Base class of bot events; `t_s` is defined in `dilemmas.records.events`."""

    # A newer bridge may report more fields; none of them is lost.
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
    """A chat message in the game."""

    kind: Literal["chat"] = "chat"
    sender: str | None = Field(default=None, alias="from")
    text: str


class SignalEvent(TimedEvent):
    """A signal from one policy to another."""

    kind: Literal["signal"] = "signal"
    sender: str = Field(alias="from")
    receiver: str | None = Field(default=None, alias="to")
    name: str | None = None


class LogEvent(TimedEvent):
    """A line printed by a policy."""

    kind: Literal["log"] = "log"
    bot: str
    level: str
    text: str


class ActionEvent(TimedEvent):
    """A primitive's call ended."""

    kind: Literal["action"] = "action"
    bot: str
    name: str
    ok: bool | None = None


class GroundChanged(TimedEvent):
    """Blocks that players mined or placed since the previous event of this kind, at most a second ago.

    Later changes at places where players have worked are included. Growth, falling blocks and fluids elsewhere are not,
    nor are changes by a person who joins a server with a Minecraft client.
    """

    kind: Literal["ground_changed"] = "ground_changed"
    changed: dict[str, list[tuple[int, int, int, str]]]
    """Player -> [x, y, z, block] of each changed place; `air` stands for a mined block.

    The empty name holds changes with other causes at places where players have worked.
    """
    tops: list[tuple[int, int, int, str]]
    """[x, y, z, block] of the highest visible block of each changed column; an empty block name if there is none."""
    left_out: int
    """Number of changed places that are omitted because there were more than 256 or the land was not loaded."""
    states: list[tuple[int, int, int, str]] = Field(default_factory=list, exclude_if=is_empty)
    """[x, y, z, block] of each changed block that does not stand as usual, as `oak_stairs[facing=east,half=top]`.

    Blocks that stand differently now without being of another kind are here alone. Properties that are not seen are
    left out. Records of earlier versions have none of this.
    """


class WeatherChanged(TimedEvent):
    """The weather changed. A new world is clear."""

    kind: Literal["weather"] = "weather"
    weather: str
    """clear | rain | thunder"""


class DropsSeen(TimedEvent):
    """Items that came to lie on the ground, were moved or are gone since the previous event of this kind.

    At most one event a second. Items that somebody picks up at once are not in it. The first event of an attempt (after
    `episode_started`) names all items; records of earlier versions have none. On servers only items that a bot sees are
    known.
    """

    kind: Literal["drops"] = "drops"
    at: dict[str, tuple[str, int, Spot]]
    """Entity number -> item, number of items in the stack, and place."""
    gone: list[str] = Field(default_factory=list)
    """Numbers of items that are gone."""
    left_out: int = Field(default=0, exclude_if=is_empty)
    """Number of other items on the ground, since at most 300 are told at a time: those nearest to a player."""


class HostEvent(TimedEvent):
    """A bot host started or was lost."""

    kind: Literal["host"] = "host"
    host: str | int | None = None
    state: str
    reason: str | None = None


class UnknownTelemetry(TimedEvent):
    """Telemetry of an unknown kind or shape, kept unchanged."""

    kind: Literal["telemetry"] = "telemetry"
    original: Json


TELEMETRY_KINDS = frozenset(
    {"bot", "policy", "inventory", "chat", "signal", "log", "action", "ground_changed", "weather", "drops", "host"}
)
"""Kinds of events that `World.events()` yields."""


TelemetryEvent = (
    BotEvent
    | PolicyEvent
    | InventoryEvent
    | ChatEvent
    | SignalEvent
    | LogEvent
    | ActionEvent
    | GroundChanged
    | WeatherChanged
    | DropsSeen
    | HostEvent
    | UnknownTelemetry
)
"""Any event reported by bots."""
