"""Events of lives: who said what and who heard it, what was decided and done, what changed in minds.

`t_s` is seconds of game time since the lives began. The words of agents are data.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel

Spot = tuple[float, float, float]
"""x, y, z in blocks, rounded to a tenth."""


class LifeBegan(EventModel):
    """A player's life begins, or goes on after its agent's code failed."""

    kind: Literal["life_began"] = "life_began"
    t_s: float
    player: str
    attempt: int
    """From 1."""


class LifeEnded(EventModel):
    """A player's agent has come to an end before its time: its code failed, or it returned."""

    kind: Literal["life_ended"] = "life_ended"
    t_s: float
    player: str
    attempt: int
    error: str
    """What was raised; empty for an agent that returned."""
    again: bool
    """Whether it is begun again; otherwise the player is out, and its body stands still."""


class Speech(EventModel):
    """Somebody said something, and who heard it."""

    kind: Literal["speech"] = "speech"
    t_s: float
    speaker: str
    voice: Literal["say", "shout", "whisper"]
    text: str
    to: str = ""
    """Whom it was whispered to."""
    at: Spot
    hearers: list[str]
    """Who was near enough when it was said, in the order of the players."""
    choice: int | None = None
    """The number of the speaker's decision that it follows from."""
    program: bool = False
    """A program said it, not the agent."""


class ChoiceMade(EventModel):
    """An agent's one high-level decision."""

    kind: Literal["choice"] = "choice"
    t_s: float
    player: str
    number: int
    """From 1, for each player."""
    choice: dict[str, Any]
    """What to do, whether to speak, with whom and to what end."""
    passed: list[dict[str, Any]]
    """What passed the bottleneck, in its order: slot, version, characters, and how many of them were cut off."""


class ActBegan(EventModel):
    """A body begins to do something."""

    kind: Literal["act_began"] = "act_began"
    t_s: float
    player: str
    number: int
    label: str
    calls: list[dict[str, Any]] = Field(default_factory=list)
    """Calls of primitives: name and arguments."""
    program: str = ""
    """The source, where it is a program."""
    by: str = ""
    """The module that wants it."""
    choice: int | None = None
    """The number of the decision that it follows from."""


class ActEnded(EventModel):
    """What came of it."""

    kind: Literal["act_ended"] = "act_ended"
    t_s: float
    player: str
    number: int
    label: str
    ended: Literal["done", "failed", "stopped", "late", "lost"]
    error: str
    seconds: float
    gained: dict[str, int]


class SlotWritten(EventModel):
    """A slot of an agent's state has a new value."""

    kind: Literal["slot"] = "slot"
    t_s: float
    player: str
    slot: str
    version: int
    writer: str
    value: Any
    """Plain data, as deep as the study keeps it."""


class MindNoted(EventModel):
    """Something went wrong in an agent's mind, and its life went on: an answer that could not be read (`unreadable`), a
    call that came too late for its purpose (`stale`), a module whose code failed (`fault`)."""

    kind: Literal["mind"] = "mind"
    t_s: float
    player: str
    what: Literal["unreadable", "stale", "fault"]
    module: str
    reason: str
    text: str = ""
    """The answer as it came."""


class LifeSummed(EventModel):
    """What a life took, at its end, by module."""

    kind: Literal["life_summed"] = "life_summed"
    t_s: float
    player: str
    modules: dict[str, dict[str, float]]
    """Module -> runs, calls, stale, unreadable, faults, and lateness (mean, p99 and most, in game seconds)."""


class LifeRated(EventModel):
    """What a model makes of a life after it was lived; measures take its word, where there is one."""

    kind: Literal["life_rated"] = "life_rated"
    player: str
    roles: list[list[str]]
    """Roles that each set of five goals shows, the best first, from the fifth goal on; empty where none was told."""
    agree: dict[int, bool]
    """Number of a decision -> whether what was said and done for it is about the same work."""
    unreadable: list[str] = Field(default_factory=list)
    """What was wrong with answers that could not be read."""
    fault: str = ""
    """Why the model could not be asked."""


LifeEvent = (
    LifeBegan | LifeEnded | Speech | ChoiceMade | ActBegan | ActEnded | SlotWritten | MindNoted | LifeSummed | LifeRated
)
"""Any event of a life."""
