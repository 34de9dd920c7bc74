"""Modules: stateless functions that declare the slots they read and write, and when they run.

A module has a rule (tables, no model), a question for a model, or both. If its role has a model, the model is asked;
otherwise the rule decides. Only modules with `acts` may move the body, and only modules with `speaks` may speak.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from common.answers.form import AnswerForm
from voyager_agents.errors import WiringError
from voyager_agents.piano.state import SlotState, SlotValue
from voyager_agents.realtime_agent import Act, Voice


@dataclass(frozen=True)
class When:
    """Conditions to run a module. Any of them suffices, but runs begin at least `least_s` apart."""

    every_s: float | None = None
    """Period in game seconds; None: no periodic runs."""
    changes: tuple[str, ...] = ()
    """Slots whose change triggers a run."""
    events: tuple[str, ...] = ()
    """Events that trigger a run: `heard`, `addressed`, `hurt`, `act_ended`."""
    least_s: float = 0.0
    """Minimum game seconds between the starts of two runs."""


@dataclass(frozen=True)
class Utterance:
    """Words to speak."""

    text: str
    voice: Voice = "say"
    to: str = ""
    """Addressee; a whisper needs one."""


@dataclass(frozen=True)
class Result:
    """Result of a module's run. An empty result changes nothing."""

    writes: Mapping[str, Any] = field(default_factory=dict)
    act: Act | None = None
    """Next act of the body; it replaces the current act."""
    words: Utterance | None = None
    answers: tuple[tuple[int, str], ...] = ()
    """Answers to letters: (number of the letter, text)."""


NOTHING = Result()


class SlotView:
    """Read-only view of the state for one run of a module, limited to the slots that the module declares."""

    def __init__(
        self,
        state: SlotState,
        reads: Collection[str],
        now: float,
        events: frozenset[str],
        seed: str,
        rules: Mapping[str, Any],
        *,
        docs: str = "",
        skills: Collection[str] = (),
        asks: bool = False,
    ) -> None:
        self._held = state.held
        self._reads = reads
        self._seed = seed
        self._chance: random.Random | None = None
        self.now = now
        """Current game time in seconds."""
        self.events = events
        """Events of this turn; empty for a run triggered by time or by a slot change."""
        self.asks = asks
        """True if the module has a model to ask."""
        self.docs = docs
        """Documentation of the primitives, for prompts."""
        self.rules = rules
        """Numbers and tables of agents without a model (`village.yaml`)."""
        self.skills = skills
        """Names of library skills that may be called like primitives; empty without a library."""
        self.likeness: Mapping[str, float] | None = None
        """Text of a memory -> similarity to the module's cue, -1 to 1; None without an embedding index."""

    def show_instead(self, slot: str, value: Any) -> None:  # noqa: ANN401 - of the slot's type
        """Show another value of a slot to the module of this view alone."""
        self._held = {**self._held, slot: self._held[slot]._replace(value=value)}

    def __getitem__(self, slot: str) -> Any:  # noqa: ANN401 - of the slot's type
        if slot not in self._reads:
            raise WiringError(f"the module does not declare that it reads the slot {slot!r}")
        return self._held[slot].value

    def __contains__(self, slot: str) -> bool:
        return slot in self._reads and slot in self._held

    def get(self, slot: str, default: Any = None) -> Any:  # noqa: ANN401 - of the slot's type
        """Return the slot's value, or `default` if the module may not read the slot."""
        return self._held[slot].value if slot in self else default

    def at(self, slot: str) -> SlotValue:
        """Return the slot's value with its version and time."""
        self[slot]
        return self._held[slot]

    @property
    def known_players(self) -> list[str]:
        """Names of the players whom the module's slots show: heard, in sight, or with a profile."""
        names = {heard.speaker for heard in self.get("hearing") or ()} | set(self.get("profiles") or {})
        percepts = self.get("percepts")
        return sorted(names | {each.name for each in percepts.players} if percepts is not None else names)

    @property
    def chance(self) -> random.Random:
        """Random number generator of this run, seeded by agent, module and run number."""
        if self._chance is None:
            self._chance = random.Random(self._seed)
        return self._chance


@dataclass(frozen=True)
class Module:
    """Declaration of a module: slots, conditions to run, rule and model question."""

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    when: When
    rule: Callable[[SlotView], Result] | None = None
    """Decision without a model."""
    role: str | None = None
    """Role of the model to ask; None: the module never asks a model."""
    ask: Callable[[SlotView], Mapping[str, Any] | None] | None = None
    """Returns the data of the question, or None to skip the model in this run."""
    else_rule: bool = False
    """True if the rule runs when `ask` returns None; otherwise such a run does nothing."""
    form: AnswerForm[Any] | Callable[[SlotView], AnswerForm[Any]] | None = None
    """Form of the model's answer, or a function that returns it with the values that are legal in this run."""
    read: Callable[[SlotView, Any], Result] | None = None
    """Turns a parsed answer into a result. Raises ReplyError for a well-formed answer that is not legal."""
    prompt: str = ""
    """System instructions without the form of the answer: a text, or the name of a prompt in `prompts/`, which users
    can replace (`--prompts`)."""
    purpose: Callable[[SlotView], object] | None = None
    """Returns a key of the call's purpose. An answer is dropped as stale if the key changed during the call."""
    heeds: tuple[str, ...] | None = None
    """Slots whose changes matter to a call (`skip=unchanged`); None: all that it reads, but its own."""
    draws: bool = False
    """True if each answer is a new choice even where nothing has changed, so that no call is skipped."""
    repeats: bool = False
    """True if an equal question asked lately gets the same answer again without a call (`skip=unchanged`)."""
    skills: Callable[[SlotView], str] | None = None
    """Returns the query for the skill library. Found skills appear in the prompt as `skills`."""
    cue: Callable[[SlotView], tuple[str, Sequence[str]]] | None = None
    """Returns the query for the memory index and the texts to search (result: `SlotView.likeness`)."""
    acts: bool = False
    """True if the module may start acts of the body."""
    speaks: bool = False
    """True if the module may speak."""
    answers: bool = False
    """True if the module may answer letters."""
    slots: Mapping[str, type] = field(default_factory=dict)
    """Additional slots of the module -> type of their values."""
    first: Mapping[str, Any] = field(default_factory=dict)
    """Initial values of the additional slots."""

    def answer_form(self, view: SlotView) -> AnswerForm[Any]:
        """Return the form of the model's answer in this run."""
        assert self.form is not None
        return self.form if isinstance(self.form, AnswerForm) else self.form(view)
