"""Base class and shared types of events."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict

Json = dict[str, Any]
Status = Literal["complete", "failed", "infrastructure", "budget"]
EndReason = Literal["all_collected", "policies_returned", "time_limit"]


def is_empty(value: object) -> bool:
    """Return True for an empty value, which an event omits as records of earlier versions do."""
    return not value


def is_absent(value: object) -> bool:
    """Return True for None, which an event omits as records of earlier versions do."""
    return value is None


class RecordModel(BaseModel):
    """Base class of events, and of ratings kept beside a record: immutable, without unknown keys."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        populate_by_name=True,
        # Caching string values would fill the parser's cache, since they differ from line to line.
        cache_strings="keys",
        # Most runs have few kinds of events, and building the validators of all takes a tenth of the start.
        defer_build=True,
    )


class EventModel(RecordModel):
    """Base class of all events, and the type `Event` to type checkers."""

    if TYPE_CHECKING:
        kind: str


class EventPart(BaseModel):
    """Base class of models within events: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
