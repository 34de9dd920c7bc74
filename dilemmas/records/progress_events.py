"""Progress events of a study in play: model calls, their states, and run progress.

Progress events are not recorded; calls.jsonl holds the lasting facts. They are frozen data classes that travel through
a pipe as JSON, so that a study handles events of its workers and its own alike.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from voyager_agents.models.watching import State


@dataclass(frozen=True)
class CallKey:
    """Identity of a model call."""

    run: str
    """Directory of the run, since runs may be concurrent."""
    player: str
    role: str
    number: int


@dataclass(frozen=True)
class CallStarted:
    """Start of a model call."""

    who: CallKey
    model: str
    what: Literal["begun"] = "begun"


@dataclass(frozen=True)
class CallState:
    """State of a model call in progress."""

    who: CallKey
    state: Annotated[State, Field(discriminator="what")]
    what: Literal["state"] = "state"


@dataclass(frozen=True)
class CallEnded:
    """End of a model call."""

    who: CallKey
    tokens: int
    usd: float | None
    """Cost in dollars; None if the price is unknown."""
    failed: bool
    """True if the call ended without an answer."""
    what: Literal["ended"] = "ended"


@dataclass(frozen=True)
class StudyStarted:
    """Start or resumption of a study."""

    runs: int
    """Number of runs of the study."""
    done: int
    """Number of runs finished by earlier processes."""
    calls: int
    tokens: int
    usd: float
    """Cost in dollars of earlier processes."""
    what: Literal["study"] = "study"


@dataclass(frozen=True)
class RunAdvanced:
    """Progress of one run."""

    run: str
    episode: int
    """Current episode, from 1; 0 before the first."""
    episodes: int
    """Maximum number of episodes."""
    done: float
    """Finished part of the episode, in `unit`."""
    of: float
    """Maximum of `done`."""
    unit: str
    """Unit of `done`: s (seconds of game time), round, ..."""
    over: bool = False
    """True if the run has ended."""
    what: Literal["reached"] = "reached"

    @property
    def share(self) -> float:
        """Return the finished share of the run, from 0 to 1, if it takes its maximum length."""
        if self.over:
            return 1.0
        inside = min(self.done / self.of, 1.0) if self.of > 0 else 0.0
        return min((max(self.episode - 1, 0) + inside) / max(self.episodes, 1), 1.0)


ProgressEvent = CallStarted | CallState | CallEnded | StudyStarted | RunAdvanced
"""Any progress event."""
ProgressListener = Callable[[ProgressEvent], None]


@cache
def _progress_event() -> TypeAdapter[ProgressEvent]:
    """Return the converter of progress events; only studies with several jobs need it."""
    return TypeAdapter(Annotated[ProgressEvent, Field(discriminator="what")])


def ignore_progress(event: ProgressEvent) -> None:
    """Ignore the event."""


def to_json(event: ProgressEvent) -> str:
    """Return the event as JSON for a pipe."""
    return _progress_event().dump_json(event).decode("utf-8")


def from_json(text: str) -> ProgressEvent:
    """Parse an event from a pipe. Raises ValueError for any other text."""
    return _progress_event().validate_json(text)
