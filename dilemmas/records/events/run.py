"""Events of a whole run: start and end, world, models."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, EventPart, Json, Status, is_absent, is_empty


class PlayerTerms(EventPart):
    """A player's prices and author."""

    prices: dict[str, float]
    """Item -> emeralds for each one held at the end."""
    author: str
    """Author of the player's programs, such as `reference/greedy` or `openai/NAME`."""
    group: str = ""
    """Part of the population, such as `agent` or `bot`; empty if all are alike."""


class RunStarted(EventModel):
    """First event: the run's scenario and condition, and the prices for each player."""

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
    """Resumption of the run by another process."""

    kind: Literal["run_resumed"] = "run_resumed"
    run: str
    condition: str
    seed: int
    cut: int
    """Number of lines after the last checkpoint, moved from this log to interrupted.jsonl and played again."""


class WorldReady(EventModel):
    """A server is running; people can join at `address` (host:port)."""

    kind: Literal["world_ready"] = "world_ready"
    address: str | None
    version: str | None
    """Minecraft version that a client needs."""
    reused: bool
    """True if the server was left running by an earlier run."""
    wall_ms: float


class WorldBuilt(EventModel):
    """The scenario's world was built."""

    kind: Literal["world_built"] = "world_built"
    commands: int
    wall_ms: float


class PlayersPlaced(EventModel):
    """Players and observer are in the world at their starting positions."""

    kind: Literal["players_placed"] = "players_placed"
    players: list[str]
    observer: str
    wall_ms: float


class PersonSeen(EventModel):
    """A human player was awaited, came, left, agreed, or sent a word that the study waits for."""

    kind: Literal["person"] = "person"
    player: str
    state: Literal["awaited", "joined", "left", "back", "ready", "done", "consented", "declined", "withdrawn"]
    text: str = ""
    """Instructions for the awaited person (address, player name, deadline), or the hash of the text agreed to."""


class FormAnswer(EventPart):
    """Answer to one question of a questionnaire."""

    id: str
    question: str
    type: Literal["text", "scale", "choice"]
    answer: str | int | None = None
    """None if an optional question was left out."""


class QuestionnaireAnswered(EventModel):
    """A human player has answered a questionnaire of the study."""

    kind: Literal["questionnaire"] = "questionnaire"
    player: str
    stage: Literal["before", "after"]
    answers: list[FormAnswer]


class ModelCalled(EventModel):
    """A model was called; calls.jsonl holds the texts."""

    kind: Literal["model_call"] = "model_call"
    player: str
    purpose: str
    model: str
    number: int | None = None
    """Number of the call for this player and purpose, from 0 in call order; None in old records."""
    tokens: int
    usd: float | None = None
    """Cost in dollars; None if the price is unknown."""
    differs: bool = False
    """True if the answer is replayed and the prompt differs from the recorded one; calls.jsonl has the diff."""
    cached: bool = Field(default=False, exclude_if=is_empty)
    """True for an answer from the cache (`--cache`): it cost nothing, and `tokens` are those of the first time."""
    saved_usd: float | None = Field(default=None, exclude_if=is_absent)
    """Price in dollars of the call that the cache saved; None if it is unknown, or if a model was asked."""
    stage: int | None = Field(default=None, exclude_if=is_absent)
    """Stage of a cascade, from 1, that answered; None without a cascade."""
    why: Literal["", "unreadable", "unsure", "sample"] = Field(default="", exclude_if=is_empty)
    """Reason of a cascade's call after another: that answer was unreadable or unsure, or this is its second sample."""


class RunEnded(EventModel):
    """Last event of a run."""

    kind: Literal["run_ended"] = "run_ended"
    status: Status
    reason: str | None = None
    result: Json
    """Content of result.json."""


RunEvent = (
    RunStarted
    | RunResumed
    | WorldReady
    | WorldBuilt
    | PlayersPlaced
    | PersonSeen
    | QuestionnaireAnswered
    | ModelCalled
    | RunEnded
)
"""Any event of a whole run."""
