"""Slots of an agent's state and their value types. Values are immutable; a change writes a new value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from bridge.types import NearMob, NearPlayer, Place, Sensed
from voyager_agents.realtime_agent import Act, ActOutcome, HeardWords, Letter, Voice


@dataclass(frozen=True)
class Percepts:
    """Sensed surroundings and inventory at the last run of perception."""

    at: Place
    health: float
    food: float
    items: Mapping[str, int]
    held: str | None
    day: bool
    players: Sequence[NearPlayer]
    mobs: Sequence[NearMob]
    blocks: Mapping[str, int]
    """Block of interest -> number in sight."""


def without_things(value: Any) -> Any:  # noqa: ANN401 - of any slot
    """Return percepts without blocks and mobs, which a picture of the surroundings shows; other values unchanged."""
    return replace(value, mobs=(), blocks={}) if isinstance(value, Percepts) else value


@dataclass(frozen=True)
class Alarm:
    """Danger that the reflex module reacts to."""

    danger: Literal["mob", "hunger", "drowning", "hurt"]
    what: str
    since_s: float
    answer: str
    """Reaction to the danger; empty without one."""


@dataclass(frozen=True)
class Memo:
    """One memory."""

    t_s: float
    text: str
    importance: int
    """Importance, 1 to 10."""
    kind: Literal["deed", "speech", "goal", "summary", "event"] = "event"


@dataclass(frozen=True)
class Profile:
    """Opinion of another player."""

    summary: str
    sentiment: float
    """Sentiment towards the player, 0 (hate) to 10 (love)."""
    activity: str
    """Apparent activity of the player; empty for unknown."""
    t_s: float
    source: str
    """Source of the opinion: `heard`, `given` or `thought`."""


@dataclass(frozen=True)
class Awareness:
    """Lessons from outcomes: advice, and acts to avoid for some time."""

    advice: str = ""
    avoid: Mapping[str, float] = field(default_factory=dict)
    """Label of an act -> game time until which it is avoided, in seconds."""
    failures: int = 0
    """Number of consecutive failures."""


@dataclass(frozen=True)
class Goal:
    """Social goal: one sentence in the second person."""

    text: str
    activity: str
    """Activity that serves the goal; empty for unknown."""
    t_s: float


@dataclass(frozen=True)
class GoalPlan:
    """Steps towards the goal."""

    steps: tuple[str, ...]
    goal_s: float
    """Game time at which the goal was set, in seconds."""


@dataclass(frozen=True)
class ControllerDecision:
    """High-level decision of the controller. Acting and speaking modules follow it."""

    number: int
    doing: str
    """The act, in a few words."""
    activity: str
    """Kind of work; empty for unknown."""
    why: str
    speak: bool
    to: str
    """Addressee; empty for everybody near."""
    purpose: str
    """Purpose of the words."""
    expects: str
    """Expected result."""
    t_s: float


@dataclass(frozen=True)
class SpokenWords:
    """The agent's last spoken words."""

    text: str
    to: str
    voice: Voice
    choice: int
    """Number of the decision that the words follow; 0 without one."""
    t_s: float


@dataclass(frozen=True)
class BodyAction:
    """Current or last act of the body."""

    number: int
    label: str
    by: str
    """Module that started the act."""
    doing: str
    """Text of the decision in force when the act started."""
    running: bool
    t_s: float


@dataclass(frozen=True)
class CivicDuty:
    """Duty towards an institution or of an office. The controller decides whether to follow it."""

    doing: str
    """The act, in a few words."""
    why: str
    act: Act | None = None
    """Act of rule-based agents; None to keep still or only to speak."""
    words: str = ""
    """Words of rule-based agents."""
    to: str = ""
    """Addressee of the words."""


@dataclass(frozen=True)
class Drives:
    """Needs of the body and the mind."""

    levels: Mapping[str, float]
    """Drive -> level, 0 (content) to 1."""
    pressing: str = ""
    """Drive that asks for a new goal; empty for none."""


def due_duty(duty: CivicDuty | None, errand: CivicDuty | None) -> CivicDuty | None:
    """Return the duty that is due: an errand waits for a duty."""
    return duty if duty is not None else errand


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
    "errand": (CivicDuty, type(None)),
    "drives": (Drives, type(None)),
    "law": tuple,
    "forbids": frozenset,
}
"""Slot -> type of its values.

The body writes `feel` (close surroundings at the last beat), `sight` (view, updated once a second) and `ears` (words
heard in the last beat). `hearing` holds `HeardWords`, `letters` the latest `Letter` objects, the memory slots hold
`Memo`, `working_memory` sentences, and `profiles` maps names to `Profile`. User modules may add slots (`Module.slots`).
`duty` stays None unless a module that writes it is added, and so do `drives` and `errand`, which gives way to a duty.
`law` holds sentences, and `forbids` blocks, mobs and places that the agent keeps away from because of the law.
"""

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
    "errand": None,
    "drives": None,
    "law": (),
    "forbids": frozenset(),
}
"""Initial values of slots. The agent sets `persona`; `feel`, `sight` and `percepts` are None before the first turn."""

GIVEN = {
    "persona": "body", "feel": "body", "sight": "body", "ears": "body", "action": "body", "outcome": "body",
    "letters": "body",
}  # fmt: skip
"""Slot that no module writes -> its writer."""

__all__ = [
    "FIRST",
    "GIVEN",
    "SLOTS",
    "Alarm",
    "Awareness",
    "BodyAction",
    "CivicDuty",
    "ControllerDecision",
    "Drives",
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
    "due_duty",
]  # fmt: skip
