"""Modules: functions of the state that declare the slots they read and write, and when they run.

A module keeps nothing between its runs. It has a rule (tables, no model), a question for a model, or both; with a model
for its role the question is asked, else the rule decides. Only modules with `acts` may move the body, only those with
`speaks` may say something.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from contracts.answers import Strict
from voyager_agents.errors import WiringError
from voyager_agents.piano.state import SlotState, SlotValue
from voyager_agents.realtime_agent import Act, Voice


@dataclass(frozen=True)
class When:
    """When a module runs: at the first of these, but not sooner than `least_s` after its last run began."""

    every_s: float | None = None
    """Game seconds between two runs."""
    changes: tuple[str, ...] = ()
    """Slots whose change makes it run."""
    events: tuple[str, ...] = ()
    """`heard`, `addressed`, `hurt`, `act_ended` (see `mind.EVENTS`)."""
    least_s: float = 0.0


@dataclass(frozen=True)
class Utterance:
    """Something to say."""

    text: str
    voice: Voice = "say"
    to: str = ""


@dataclass(frozen=True)
class Result:
    """Result of a run. An empty result changes nothing."""

    writes: Mapping[str, Any] = field(default_factory=dict)
    act: Act | None = None
    """Next act of the body; the current act is stopped."""
    words: Utterance | None = None
    answers: tuple[tuple[int, str], ...] = ()
    """(number of a letter, what it is answered)."""


NOTHING = Result()


class SlotView:
    """View of a module in one run: the slots that it reads, and nothing else."""

    def __init__(
        self,
        state: SlotState,
        reads: Collection[str],
        now: float,
        events: frozenset[str],
        seed: str,
        rules: Mapping[str, Any],
        docs: str = "",
        skills: Collection[str] = (),
        *,
        asks: bool = False,
    ) -> None:
        self._held = state.held
        self._reads = reads
        self._seed = seed
        self._chance: random.Random | None = None
        self.now = now
        """Game time in seconds."""
        self.events = events
        """Events that made it run, beside time and changes."""
        self.asks = asks
        """True if the module has a model to ask."""
        self.docs = docs
        """The documentation of the primitives, where a model plays."""
        self.rules = rules
        """Numbers and tables of agents without a model (`village.yaml`)."""
        self.skills = skills
        """Names of the skill library that calls may have beside the primitives'; empty without a library."""
        self.likeness: Mapping[str, float] | None = None
        """Text -> how like the module's cue it is, from -1 to 1; None where memories are found by their words."""

    def __getitem__(self, slot: str) -> Any:  # noqa: ANN401 - of the slot's type
        if slot not in self._reads:
            raise WiringError(f"the module does not declare that it reads the slot {slot!r}")
        return self._held[slot].value

    def __contains__(self, slot: str) -> bool:
        return slot in self._reads and slot in self._held

    def get(self, slot: str, default: Any = None) -> Any:  # noqa: ANN401 - of the slot's type
        """Return the value of a slot that a bottleneck may hide; the default if it may not be read."""
        return self._held[slot].value if slot in self else default

    def at(self, slot: str) -> SlotValue:
        """Return the slot's value with its version and time."""
        self[slot]
        return self._held[slot]

    @property
    def chance(self) -> random.Random:
        """Random numbers of this run alone."""
        if self._chance is None:
            self._chance = random.Random(self._seed)
        return self._chance


@dataclass(frozen=True)
class Module:
    """A module."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    when: When
    rule: Callable[[SlotView], Result] | None = None
    """Without a model."""
    role: str | None = None
    """The role of the model that it asks."""
    ask: Callable[[SlotView], Mapping[str, Any] | None] | None = None
    """The data that it asks about; None: it asks nothing this time."""
    else_rule: bool = False
    """True if the rule is followed when there is a model and nothing to ask it."""
    shape: type[Strict] | None = None
    """The form of the answer."""
    read: Callable[[SlotView, Any], Result] | None = None
    """Turns an answer into a result. Raises ReplyError for an answer of the right form that is not legal."""
    prompt: str = ""
    """Instructions for the model, form of the answer included: the text, or the name of a prompt in `prompts/`,
    which a user can replace (`--prompts`)."""
    purpose: Callable[[SlotView], object] | None = None
    """Key of a call's purpose: an answer is dropped if the key has changed meanwhile."""
    skills: Callable[[SlotView], str] | None = None
    """Query for the skill library, if there is one; the found skills are shown to the model as `skills`."""
    cue: Callable[[SlotView], tuple[str, Sequence[str]]] | None = None
    """Query for the index of memories, and the texts to search, if memories are found so (`SlotView.likeness`)."""
    acts: bool = False
    speaks: bool = False
    answers: bool = False
    """True if it may answer letters."""
    slots: Mapping[str, type] = field(default_factory=dict)
    """Slots of its own -> the type of their values; they hold `first` at birth."""
    first: Mapping[str, Any] = field(default_factory=dict)
