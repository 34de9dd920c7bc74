"""Agents that live: for the whole of a run, in game time, thinking and acting at once.

Beside agents that write a program for an episode (`voyager_agents.agent`) and agents that take turns
(`voyager_agents.turn_agent`) these have a body and a clock. A body senses, hears, does and speaks; it is in the world
whatever its agent does. All time is game time, in seconds since the life began. Whoever waits, waits on the clock: so a
society on the mock world repeats to the byte, and a slow thought of one agent holds nobody else up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from bridge.programs import Calls
from bridge.types import Place, Sensed

BEAT_S = 0.25
"""Game seconds between two moments at which agents wake: a body senses once in each, and `Clock.sleep` ends in one."""
Voice = Literal["say", "shout", "whisper"]
Ended = Literal["done", "failed", "stopped", "late", "lost"]
"""End of an act. `stopped`: a new one took its place. `late`: its time was up. `lost`: infrastructure broke it."""
MAX_WORDS = 240
"""Characters of one speech: the game's chat takes 256, and a shout is marked in it."""


@dataclass(frozen=True, slots=True)
class HeardWords:
    """Words that somebody said where this agent could hear them."""

    t_s: float
    speaker: str
    text: str
    voice: Voice
    at: Place
    """Position of the speaker."""
    addressed: bool
    """True if they were meant for this agent: whispered to it, or said with its name."""


@dataclass(frozen=True, slots=True)
class Letter:
    """Message or request of an institution to an agent, wherever the agent is."""

    number: int
    """Counts the letters of the society from 1."""
    t_s: float
    kind: str
    """Subject, such as `constitution`, `feedback`, `ballot` or `season`."""
    text: str
    data: Mapping[str, Any]
    """The same as plain data, for whoever reads no words; data, never an instruction."""
    until_s: float | None = None
    """Until when an answer is taken; None: none is wanted."""


@dataclass(frozen=True)
class PrimitiveCall:
    """A call of a primitive or a library skill, with plain JSON arguments; the bot comes before them."""

    name: str
    args: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Act:
    """Act of a body: calls one after the other, or a program (`async function (bot)`); one of them."""

    label: str
    """Purpose, in a few words."""
    calls: tuple[PrimitiveCall, ...] = ()
    program: str = ""
    pause_s: float = 0.0
    """Game seconds that the body stays there after its calls."""
    limit_s: float = 60.0
    """Game seconds after which it is broken off."""
    by: str = ""
    """The module that wants it, for the record."""
    gains: Mapping[str, int] = field(default_factory=dict)
    """Item -> how many more the body should hold when it is done; empty for nothing that can be said so."""

    def __post_init__(self) -> None:
        """Raise ValueError for neither or both."""
        if bool(self.calls) == bool(self.program):
            raise ValueError(f"the act {self.label!r} needs either calls or a program")

    @property
    def source(self) -> str:
        """The program that does it."""
        return self.program or Calls([(call.name, call.args) for call in self.calls], self.pause_s)


@dataclass(frozen=True)
class ActOutcome:
    """Outcome of an act, as the world shows it."""

    number: int
    """Which act of that body it was, from 1."""
    label: str
    ended: Ended
    error: str
    """Error of the program; empty without one."""
    began_s: float
    ended_s: float
    gained: Mapping[str, int] = field(default_factory=dict)
    """Item -> change of how many the body holds; without those that did not change."""

    @property
    def seconds(self) -> float:
        """Game time that it took."""
        return self.ended_s - self.began_s


class Doing(Protocol):
    """An act under way."""

    number: int
    act: Act
    began_s: float

    @property
    def outcome(self) -> ActOutcome | None:
        """Outcome of the act; None while it goes on."""


class Body(Protocol):
    """An agent's body in the world. Nothing here blocks longer than a crossing to the world takes."""

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
        """Answer the letter of that number; the institution decides what becomes of it."""

    @property
    def doing(self) -> Doing | None:
        """The act under way, or the last one; None before the first."""

    def do(self, act: Act) -> Doing:
        """Begin that act. One that is under way is stopped cleanly first; its outcome says so."""

    async def stop(self) -> None:
        """Stop what it does, if it does something; it is at rest afterwards."""

    def say(self, text: str) -> Sequence[str]:
        """Say the text; return the names of everybody who is near enough to hear it."""

    def shout(self, text: str) -> Sequence[str]:
        """Shout the text; return the names of everybody within shouting distance."""

    def whisper(self, to: str, text: str) -> Sequence[str]:
        """Tell it to one, who must be near; returns that one, or nobody."""

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        """Put something into the record: what was decided, which slot changed (kinds: `NOTES`)."""


NOTES = ("choice", "slot", "stale", "unreadable", "fault", "lived")
"""Kinds of notes: a decision with the values that passed its bottleneck; a slot's change; a call that came too late;
an unreadable answer; a module whose code failed; the costs of a life, at its end."""


class Clock(Protocol):
    """Game time of one life."""

    @property
    def now(self) -> float:
        """Seconds since the life began."""

    async def sleep(self, seconds: float) -> None:
        """Return at the first beat at least that many seconds from now."""

    async def doze(self, seconds: float, name: str) -> None:
        """Sleep, but wake at the first beat after an event of the body of that name: it heard words, was hurt, or an
        act of it has ended."""


class LivingAgent(Protocol):
    """An agent that lives."""

    name: str

    async def live(self, body: Body, clock: Clock) -> None:
        """Live until cancelled, when the run ends.

        It leaves nothing running when it is cancelled. What it raises is recorded; it is begun again, and out after a
        few times. Its memory of the time before is its own to keep.
        """


@runtime_checkable
class Keeps(Protocol):
    """A living agent of which something outlasts its life."""

    async def keep(self) -> None:
        """Save what is to last after the life, such as skills. Not called for a life that lost infrastructure broke
        off: it is lived again."""
