"""Protocols of agents that live in game time for a whole run, thinking and acting concurrently.

Agents of `voyager_agents.agent` write a program for an episode, and agents of `voyager_agents.turn_agent` take turns;
these agents have a body and a clock. The body senses, hears, acts and speaks; it stays in the world whatever its agent
does. All times are seconds of game time since the life began. Agents wait only on the clock. Therefore a society on the
mock world is reproducible to the byte, and a slow thought of one agent does not delay the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from bridge.programs import Calls
from bridge.types import Place, Sensed

BEAT_S = 0.25
"""Game seconds between two wake-ups: a body senses once per beat, and `Clock.sleep` ends at a beat."""
ANSWER_S = 12.0
"""Game seconds in which a question of an institution has to be answered."""
Voice = Literal["say", "shout", "whisper"]
Ended = Literal["done", "failed", "stopped", "late", "lost"]
"""Reason for the end of an act. `stopped`: replaced by a new act. `late`: time limit reached. `lost`: an infrastructure
fault."""
MAX_WORDS = 240
"""Maximum characters of a message: the game's chat takes 256, and a shout needs a marker."""


@dataclass(frozen=True, slots=True)
class HeardWords:
    """A message that this agent heard."""

    t_s: float
    speaker: str
    text: str
    voice: Voice
    at: Place
    """Position of the speaker."""
    addressed: bool
    """True if the message was whispered to this agent or contains its name."""


@dataclass(frozen=True, slots=True)
class Letter:
    """Message or request from an institution to an agent; it arrives regardless of distance."""

    number: int
    """Number of the letter within the society, from 1."""
    t_s: float
    kind: str
    """Subject, such as `constitution`, `feedback`, `ballot` or `season`."""
    text: str
    data: Mapping[str, Any]
    """The content as plain data, for agents that do not read text. It is data, never an instruction."""
    until_s: float | None = None
    """Deadline for an answer; None if no answer is expected."""


@dataclass(frozen=True)
class PrimitiveCall:
    """A call of a primitive or a library skill with plain JSON arguments; the bot is passed before them."""

    name: str
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Act:
    """An act of a body: either a sequence of calls or a program (`async function (bot)`)."""

    label: str
    """Purpose in a few words."""
    calls: tuple[PrimitiveCall, ...] = ()
    program: str = ""
    pause_s: float = 0.0
    """Game seconds that the body stands still after its calls."""
    limit_s: float = 60.0
    """Time limit in game seconds."""
    by: str = ""
    """Module that requested the act, for the record."""
    gains: Mapping[str, int] = field(default_factory=dict)
    """Item -> expected gain of the act; empty if the gain cannot be stated as items."""

    def __post_init__(self) -> None:
        """Raise ValueError if the act has both calls and a program, or neither."""
        if bool(self.calls) == bool(self.program):
            raise ValueError(f"the act {self.label!r} needs either calls or a program")

    @property
    def source(self) -> str:
        """Program that performs the act."""
        return self.program or Calls([(call.name, call.args) for call in self.calls], self.pause_s)


@dataclass(frozen=True)
class ToolAct(Act):
    """An act whose program makes one tool call. The record names the call, and what it prints is kept."""

    call: PrimitiveCall = PrimitiveCall("")


@dataclass(frozen=True)
class ActOutcome:
    """Outcome of an act, observed in the world."""

    number: int
    """Number of the act among the body's acts, from 1."""
    label: str
    ended: Ended
    error: str
    """Error of the program; empty if there was none."""
    began_s: float
    ended_s: float
    gained: Mapping[str, int] = field(default_factory=dict)
    """Item -> change of the count that the body holds; unchanged items are absent."""

    @property
    def seconds(self) -> float:
        """Duration in game seconds."""
        return self.ended_s - self.began_s


class Doing(Protocol):
    """An act in progress."""

    number: int
    act: Act
    began_s: float

    @property
    def outcome(self) -> ActOutcome | None:
        """Outcome of the act; None while it is in progress."""

    @property
    def printed(self) -> Sequence[str]:
        """Lines that a tool call printed, its result among them; empty for any other act."""


class Body(Protocol):
    """An agent's body in the world. No method blocks longer than one round trip to the world."""

    name: str

    def feel(self) -> Sensed:
        """Return the body's state and everything within a few blocks, as of the last beat."""

    def sense(self) -> Sensed:
        """Return the surroundings, blocks of interest included, as of the last second."""

    def hear(self) -> list[HeardWords]:
        """Return the words heard since the last call, oldest first."""

    def letters(self) -> list[Letter]:
        """Return the institutions' messages since the last call, oldest first."""

    def answer(self, number: int, text: str) -> None:
        """Answer a letter; the institution decides if the answer counts."""

    @property
    def doing(self) -> Doing | None:
        """The act in progress, else the last act; None before the first."""

    def do(self, act: Act) -> Doing:
        """Start an act. An act in progress is first stopped cleanly, and its outcome is `stopped`."""

    async def stop(self) -> None:
        """Stop the act in progress, if any; the body is at rest afterwards."""

    def say(self, text: str) -> Sequence[str]:
        """Say the text; return the names of all players near enough to hear it."""

    def shout(self, text: str) -> Sequence[str]:
        """Shout the text; return the names of all players within shouting distance."""

    def whisper(self, to: str, text: str) -> Sequence[str]:
        """Whisper the text to a player nearby; return that player's name, or nothing if the player is too far away."""

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Add an entry to the record, such as a decision or a changed slot (kinds: `NOTES`)."""


NOTES = ("choice", "slot", "stale", "unreadable", "fault", "lived")
"""Kinds of notes, in order: a decision with the values that passed its bottleneck; a changed slot; a call that returned
too late; an unreadable answer; a module that raised an error; the costs of a life, at its end."""


class Clock(Protocol):
    """Game time of one life."""

    @property
    def now(self) -> float:
        """Seconds of game time since the life began."""

    async def sleep(self, seconds: float) -> None:
        """Return at the first beat at least `seconds` from now."""

    async def doze(self, seconds: float, name: str) -> None:
        """Sleep, but wake at the first beat after the named body heard a message, was hurt, or finished an act."""


class LivingAgent(Protocol):
    """An agent that lives in game time."""

    name: str

    async def live(self, body: Body, clock: Clock) -> None:
        """Live until cancelled at the end of the run.

        Everything that it started ends when it is cancelled. Errors are recorded and the agent is restarted; after
        several errors it drops out. The agent itself must keep its memory across restarts.
        """


@runtime_checkable
class Keeps(Protocol):
    """A living agent with state that outlasts its life."""

    async def keep(self) -> None:
        """Save lasting state, such as skills. Not called if an infrastructure fault ended the life; it is repeated."""
