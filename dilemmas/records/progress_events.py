"""News of a study while it is played, for whoever looks on: what is asked of models, what is waited for, how far it is.

Nothing of it is in the record; what the record needs of it stands in calls.jsonl. News are plain frozen data that go
through a pipe as JSON (`to_json`, `from_json`), so that a study hears its workers as it hears itself.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from voyager_agents.models.watching import State


@dataclass(frozen=True)
class Who:
    """A call under way."""

    run: str
    """The run's directory: two runs may ask at the same time."""
    player: str
    role: str
    number: int


@dataclass(frozen=True)
class CallBegun:
    """A model is asked."""

    who: Who
    model: str
    what: Literal["begun"] = "begun"


@dataclass(frozen=True)
class CallState:
    """What a call under way is doing."""

    who: Who
    state: Annotated[State, Field(discriminator="what")]
    what: Literal["state"] = "state"


@dataclass(frozen=True)
class CallEnded:
    """A call has ended."""

    who: Who
    tokens: int
    usd: float | None
    """None where no price is known."""
    failed: bool
    """It gave no answer."""
    what: Literal["ended"] = "ended"


@dataclass(frozen=True)
class StudyBegan:
    """A study begins, or goes on."""

    runs: int
    """In all."""
    done: int
    """Of them, in earlier processes."""
    calls: int
    tokens: int
    usd: float
    """Of earlier processes."""
    what: Literal["study"] = "study"


@dataclass(frozen=True)
class Reached:
    """How far a run is."""

    run: str
    episode: int
    """The one that is played, from 1; 0 before the first."""
    episodes: int
    """At most."""
    done: float
    """Of the episode."""
    of: float
    """The most of it that there can be."""
    unit: str
    """What `done` counts: s (seconds of game time), round, ..."""
    over: bool = False
    """The run has ended."""
    what: Literal["reached"] = "reached"

    @property
    def share(self) -> float:
        """How much of the run is done, from 0 to 1, if it takes as long as it can."""
        if self.over:
            return 1.0
        inside = min(self.done / self.of, 1.0) if self.of > 0 else 0.0
        return min((max(self.episode - 1, 0) + inside) / max(self.episodes, 1), 1.0)


News = CallBegun | CallState | CallEnded | StudyBegan | Reached
"""Any of it."""
Watch = Callable[[News], None]
_NEWS: TypeAdapter[News] = TypeAdapter(Annotated[News, Field(discriminator="what")])


def unwatched(news: News) -> None:
    """Nobody looks on."""


def to_json(news: News) -> str:
    """As it goes through a pipe."""
    return _NEWS.dump_json(news).decode("utf-8")


def from_json(text: str) -> News:
    """What came out of the pipe. Raises ValueError for anything else."""
    return _NEWS.validate_json(text)
