"""Events of a whole run: its start and end, its world, its models."""

from __future__ import annotations

from typing import Literal

from dilemmas.records.events.base import EventModel, Json, Status


class PlayerTerms(EventModel):
    """What counts for a player."""

    prices: dict[str, float]
    """Item -> emeralds for each one held at the end."""
    author: str
    """Who writes this player's programs, e.g. `reference/greedy` or `openai/NAME`."""
    group: str = ""
    """The part of the population that it belongs to, e.g. `agent` or `bot`; empty where all are alike."""


class RunStarted(EventModel):
    """The first event: what is run, and what an item is worth to whom."""

    kind: Literal["run_started"] = "run_started"
    run: str
    scenario: str
    version: int
    condition: str
    contract_kind: Literal["none", "given", "negotiated"]
    world: str
    seed: int
    players: dict[str, PlayerTerms]


class RunResumed(EventModel):
    """Another process goes on with the run."""

    kind: Literal["run_resumed"] = "run_resumed"
    run: str
    condition: str
    seed: int
    cut: int
    """Lines after the last checkpoint, taken out of this log and kept in interrupted.jsonl: they are done again."""


class WorldReady(EventModel):
    """A server is up; at `address` (host:port) a person can join."""

    kind: Literal["world_ready"] = "world_ready"
    address: str | None
    version: str | None
    """The Minecraft version that a client needs."""
    reused: bool
    """The server was up already, from an earlier run."""
    wall_ms: float


class WorldBuilt(EventModel):
    """The scenario's world stands as new."""

    kind: Literal["world_built"] = "world_built"
    commands: int
    wall_ms: float


class PlayersPlaced(EventModel):
    """Players and observer are in the world, at their starts."""

    kind: Literal["players_placed"] = "players_placed"
    players: list[str]
    observer: str
    wall_ms: float


class PersonSeen(EventModel):
    """A person who plays was waited for, came, went, or said a word that the study waits for."""

    kind: Literal["person"] = "person"
    player: str
    state: Literal["awaited", "joined", "left", "back", "ready", "done"]
    text: str = ""
    """For whoever is to come: where, as whom and until when."""


class ModelCalled(EventModel):
    """A model was called; the texts are in calls.jsonl."""

    kind: Literal["model_call"] = "model_call"
    player: str
    purpose: str
    model: str
    number: int | None = None
    """Which call of that player and purpose it is, from 0, in the order they were made in; None in old records."""
    tokens: int
    usd: float | None = None
    """None where no price is known."""
    differs: bool = False
    """The answer is a replayed one, and the prompt is not the recorded one; calls.jsonl has the diff."""


class RunEnded(EventModel):
    """The last event."""

    kind: Literal["run_ended"] = "run_ended"
    status: Status
    reason: str | None = None
    result: Json
    """What result.json holds."""


RunEvent = RunStarted | RunResumed | WorldReady | WorldBuilt | PlayersPlaced | PersonSeen | ModelCalled | RunEnded
"""Any event of a whole run."""
