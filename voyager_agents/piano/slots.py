"""Slots of an agent's state. Values are immutable: a module that changes one writes a new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from bridge.types import NearMob, NearPlayer, Place, Sensed
from voyager_agents.realtime_agent import Act, ActOutcome, HeardWords, Letter, Voice


@dataclass(frozen=True)
class Percepts:
    """Senses of the body, as of the last look around."""

    at: Place
    health: float
    food: float
    items: Mapping[str, int]
    held: str | None
    day: bool
    players: Sequence[NearPlayer]
    mobs: Sequence[NearMob]
    blocks: Mapping[str, int]
    """Block of interest -> how many are in sight."""


@dataclass(frozen=True)
class Alarm:
    """A danger that the reflex answers."""

    danger: Literal["mob", "hunger", "drowning", "hurt"]
    what: str
    since_s: float
    answer: str
    """Reaction to the danger; empty without one."""


@dataclass(frozen=True)
class Memo:
    """One thing remembered."""

    t_s: float
    text: str
    importance: int
    """1 to 10."""
    kind: Literal["deed", "speech", "goal", "summary", "event"] = "event"


@dataclass(frozen=True)
class Profile:
    """Opinion of another player."""

    summary: str
    sentiment: float
    """0 (hate) to 10 (love)."""
    activity: str
    """Apparent activity of the other; empty for unknown."""
    t_s: float
    source: str
    """Source of the opinion."""


@dataclass(frozen=True)
class Awareness:
    """Lessons of outcomes: a change to make, and acts to avoid for a while."""

    advice: str = ""
    avoid: Mapping[str, float] = field(default_factory=dict)
    """Label of an act -> until when it is not worth another try, in seconds."""
    failures: int = 0
    """In a row."""


@dataclass(frozen=True)
class Goal:
    """The social goal: one sentence in the second person."""

    text: str
    activity: str
    """Activity that the goal means; empty for unknown."""
    t_s: float


@dataclass(frozen=True)
class GoalPlan:
    """Steps towards the goal."""

    steps: tuple[str, ...]
    goal_s: float
    """When the goal that it is for was set."""


@dataclass(frozen=True)
class ControllerDecision:
    """The one high-level decision of the controller, which all that acts and speaks follows."""

    number: int
    doing: str
    """The act, in a few words."""
    activity: str
    """Which kind of work that is; empty for unknown."""
    why: str
    speak: bool
    to: str
    """Whom to talk to; empty for whoever is near."""
    purpose: str
    """To what end it speaks."""
    expects: str
    """Expected result."""
    t_s: float


@dataclass(frozen=True)
class SpokenWords:
    """Words that were spoken last."""

    text: str
    to: str
    voice: Voice
    choice: int
    t_s: float


@dataclass(frozen=True)
class BodyAction:
    """Current act of the body."""

    number: int
    label: str
    by: str
    """The module that wanted it."""
    doing: str
    """Decision under which it began."""
    running: bool
    t_s: float


@dataclass(frozen=True)
class CivicDuty:
    """Request of an institution or an office; a decision may follow it or not."""

    doing: str
    """The act, in a few words."""
    why: str
    act: Act | None = None
    """Act of agents without a model; None: to keep still, or to speak only."""
    words: str = ""
    """Words of agents without a model."""
    to: str = ""
    """To whom."""


Texts = tuple[str, ...]
Memos = tuple[Memo, ...]
Profiles = Mapping[str, Profile]

SLOTS: Mapping[str, type | tuple[type, ...]] = {
    "persona": Mapping,
    "feel": Sensed,
    "sight": Sensed,
    "ears": tuple,
    "percepts": Percepts,
    "hearing": tuple,
    "alarm": (Alarm, type(None)),
    "working_memory": tuple,
    "short_memory": tuple,
    "long_memory": tuple,
    "recalled": tuple,
    "awareness": Awareness,
    "profiles": Mapping,
    "goal": (Goal, type(None)),
    "plan": (GoalPlan, type(None)),
    "decision": (ControllerDecision, type(None)),
    "said": (SpokenWords, type(None)),
    "action": (BodyAction, type(None)),
    "outcome": (ActOutcome, type(None)),
    "letters": tuple,
    "duty": (CivicDuty, type(None)),
}
"""Slot -> the type of its values. `feel`, `sight` and `ears` are the body's: what it meets close by as of the last
beat, what it sees as of the last second, and all words that it heard in the last beat. `hearing` holds `HeardWords`,
`letters` every `Letter` so far, memories hold `Memo`, `working_memory` sentences, `profiles` `Profile` by name. A
user's module may add slots of its own (`Module.slots`). Nobody writes `duty` unless a module for it is added."""

FIRST: Mapping[str, Any] = {
    "ears": (),
    "hearing": (),
    "alarm": None,
    "working_memory": (),
    "short_memory": (),
    "long_memory": (),
    "recalled": (),
    "awareness": Awareness(),
    "profiles": {},
    "goal": None,
    "plan": None,
    "decision": None,
    "said": None,
    "action": None,
    "outcome": None,
    "letters": (),
    "duty": None,
}
"""Initial values of slots; `persona` and `percepts` are written at birth."""

GIVEN = {
    "persona": "body", "feel": "body", "sight": "body", "ears": "body", "action": "body", "outcome": "body",
    "letters": "body",
}  # fmt: skip
"""Slots that no module writes -> who does."""

__all__ = [
    "FIRST",
    "GIVEN",
    "SLOTS",
    "Alarm",
    "Awareness",
    "BodyAction",
    "CivicDuty",
    "ControllerDecision",
    "Goal",
    "GoalPlan",
    "HeardWords",
    "Letter",
    "Memo",
    "Memos",
    "Percepts",
    "Profile",
    "Profiles",
    "Sensed",
    "SpokenWords",
    "Texts",
]  # fmt: skip
