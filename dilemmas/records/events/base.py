"""What all events are made of."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Json = dict[str, Any]
Status = Literal["complete", "failed", "infrastructure", "budget"]
EndReason = Literal["all_collected", "policies_returned", "time_limit"]


class EventModel(BaseModel):
    """Base of all events: immutable, no unknown keys."""

    # Texts that differ from line to line would only fill the cache of the parser.
    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, cache_strings="keys")
