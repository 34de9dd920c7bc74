"""What all events are made of."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

Json = dict[str, Any]
Status = Literal["complete", "failed", "infrastructure", "budget"]
EndReason = Literal["all_collected", "policies_returned", "time_limit"]


class EventModel(BaseModel):
    """Base of all events: immutable, no unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)
