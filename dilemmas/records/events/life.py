"""Events of lives: speech and its hearers, decisions, actions, and changes in minds.

`t_s` is game time in seconds since the lives began. Words of agents are data, never instructions.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from dilemmas.records.events.base import EventModel, is_empty

Spot = tuple[float, float, float]
"""x, y, z in blocks, rounded to a tenth."""


class LifeBegan(EventModel):
    """A player's life began, or restarted after its agent's code failed."""

    kind: Literal["life_began"] = "life_began"
    t_s: float
    player: str
    attempt: int
    """Number of the attempt, from 1."""


class LifeEnded(EventModel):
    """A player's agent ended early: its code failed or returned."""

    kind: Literal["life_ended"] = "life_ended"
    t_s: float
    player: str
    attempt: int
    error: str
    """Text of the exception; empty if the agent returned."""
    again: bool
    """True if the agent restarts; otherwise the player is out and its body stands still."""


class Speech(EventModel):
    """An utterance and its hearers."""

    kind: Literal["speech"] = "speech"
    t_s: float
    speaker: str
    voice: Literal["say", "shout", "whisper"]
    text: str
    to: str = ""
    """Receiver of a whisper."""
    at: Spot
    hearers: list[str]
    """Players within earshot, in the order of the players."""
    choice: int | None = None
    """Number of the speaker's decision that led to it."""
    program: bool = False
    """True if a program spoke instead of the agent."""


class ChoiceMade(EventModel):
    """An agent's high-level decision."""

    kind: Literal["choice"] = "choice"
    t_s: float
    player: str
    number: int
    """Number of the decision, from 1 for each player."""
    choice: dict[str, Any]
    """Intended action, and whether, to whom and to what end to speak."""
    passed: list[dict[str, Any]]
    """Slots that passed the bottleneck, in order: slot, version, length in characters, and characters cut off."""


TOOL_CALLS = "tool_calls"
"""Origin of an action that is a model's tool call (`ActBegan.by`)."""


class ActBegan(EventModel):
    """A body started an action."""

    kind: Literal["act_began"] = "act_began"
    t_s: float
    player: str
    number: int
    label: str
    calls: list[dict[str, Any]] = Field(default_factory=list)
    """Calls of primitives: name and arguments."""
    program: str = ""
    """Source code of a program; empty otherwise."""
    by: str = ""
    """Name of the module that requested it, or `TOOL_CALLS`."""
    choice: int | None = None
    """Number of the decision that led to it."""


class ActEnded(EventModel):
    """Outcome of an action."""

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
    """A new value of a slot in an agent's state."""

    kind: Literal["slot"] = "slot"
    t_s: float
    player: str
    slot: str
    version: int
    writer: str
    value: Any
    """Plain data, as deep as the study records it."""


class MindNoted(EventModel):
    """A problem in an agent's mind that its life survived.

    `stale` is a call that came too late for its purpose, `fault` a failed module, and `unreadable` an unreadable answer
    in a record of an earlier version.
    """

    kind: Literal["mind"] = "mind"
    t_s: float
    player: str
    what: Literal["unreadable", "stale", "fault"]
    module: str
    reason: str
    text: str = ""
    """Text of the answer."""


class LifeSummed(EventModel):
    """Usage of a life by module, recorded at its end."""

    kind: Literal["life_summed"] = "life_summed"
    t_s: float
    player: str
    modules: dict[str, dict[str, float]]
    """Module -> runs, calls, stale, unreadable, faults, and lateness (mean, p99 and maximum, in game seconds)."""


class LifeRated(EventModel):
    """A model's assessment of a completed life, which measures prefer if it exists."""

    kind: Literal["life_rated"] = "life_rated"
    player: str
    roles: list[list[str]]
    """Roles shown by each set of five goals, best first, from the fifth goal on; empty if none fits."""
    unrated: list[int] = Field(default_factory=list, exclude_if=is_empty)
    """Places in `roles` of sets without a usable answer; records of earlier versions do not name them."""
    agree: dict[int, bool]
    """Number of a decision -> True if words and actions concern the same work."""
    unreadable: list[str] = Field(default_factory=list)
    """Errors in unreadable answers, in records of earlier versions; newer ones have them as steps of a mind."""
    fault: str = ""
    """Reason why the model could not be asked."""


LifeEvent = (
    LifeBegan | LifeEnded | Speech | ChoiceMade | ActBegan | ActEnded | SlotWritten | MindNoted | LifeSummed | LifeRated
)
"""Any event of a life."""
