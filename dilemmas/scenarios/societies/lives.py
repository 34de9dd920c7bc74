"""Lives as the log tells them: goals, decisions, words and deeds of every player, in one pass and within bounds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dilemmas.records import events as log

MAX_ENTRIES = 3_000
"""Entries of a life that are kept; how many came after them is told."""
MAX_OF_ALL = 90_000
"""Entries of all lives together: of a crowd each keeps fewer."""
MAX_TOLD = 200_000
"""Decisions and deeds of a crowd that are told, of all together; the log has the others."""
LOOK_BACK = (5, 200)
"""Entries in which a repetition is looked for: of all else, and of a goal, which is set again and again."""
KINDS = frozenset(
    {"episode_started", "people", "end_state", "life_began", "slot", "choice", "life_summed", "life_rated",
     "model_call", "speech", "act_began", "act_ended", "action", "life_ended", "mind"}
)  # fmt: skip
"""Kinds of events that a chronicle takes."""
WALKING = frozenset({"goTo", "wait", "chat", "followPlayer"})
"""Primitives that are no work."""
Kind = Literal["goal", "decision", "words", "deed", "reflex", "trouble"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in a life; the same again and again is one."""

    t_s: float
    kind: Kind
    text: str
    until: float | None = None
    """When it was so for the last time, of several times."""
    times: int = 1
    ok: bool = True
    hearers: tuple[str, ...] = ()
    """Who heard it, of words."""


@dataclass(frozen=True, slots=True)
class Act:
    """A body began to do something."""

    t_s: float
    label: str
    by: str
    choice: int | None


@dataclass
class Life:
    """One player's life."""

    goals: list[tuple[float, str]] = field(default_factory=list)
    """(seconds, goal) each time that it was set or set again."""
    choices: dict[int, float] = field(default_factory=dict)
    """Number of a decision -> when."""
    decided: dict[int, str] = field(default_factory=dict)
    """Number of a decision -> what was to be done."""
    acts: list[Act] = field(default_factory=list)
    words: list[tuple[float, str, int | None]] = field(default_factory=list)
    """(seconds, what was said, the decision that it follows from)."""
    deeds: list[tuple[float, str]] = field(default_factory=list)
    """(seconds, what) of what primitives brought about, such as `mineBlock oak_log`; walking is none."""
    events: list[float] = field(default_factory=list)
    """When something happened that asks for an answer: words meant for it, an act that failed."""
    modules: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Module -> runs, calls, stale answers, lateness."""
    calls: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Purpose -> calls of models and their tokens."""
    rated_roles: Sequence[Sequence[str]] = ()
    """Roles of each set of five goals as a model rates them; empty ones, or none at all, where it did not."""
    rated_agreements: Mapping[int, bool] = field(default_factory=dict)
    """Number of a decision -> whether words and deeds agree, as a model rates it."""
    entries: list[Entry] = field(default_factory=list)
    left: int = 0
    """Entries that are not kept."""
    most: int = MAX_ENTRIES
    """Entries that are kept."""

    @property
    def rated(self) -> bool:
        """Whether a model has rated anything of it."""
        return any(self.rated_roles) or bool(self.rated_agreements)

    def tell(self, entry: Entry) -> None:
        """Note it, or that what was noted last of its kind goes on."""
        back = LOOK_BACK[entry.kind == "goal"]
        for place in range(len(self.entries) - 1, max(-1, len(self.entries) - back), -1):
            before = self.entries[place]
            if before.kind == entry.kind:
                if (before.text, before.ok, before.hearers) == (entry.text, entry.ok, entry.hearers):
                    times = before.times + 1
                    self.entries[place] = Entry(
                        before.t_s, before.kind, before.text, entry.t_s, times, before.ok, before.hearers
                    )
                    return
                break
        if len(self.entries) < self.most:
            self.entries.append(entry)
        else:
            self.left += 1


_COUNTED = (log.ChoiceMade, log.ActBegan, log.ActEnded)
"""Events of a crowd of which `MAX_TOLD` are told."""


@dataclass
class Chronicle:
    """All lives of the last attempt."""

    lives: dict[str, Life] = field(default_factory=dict)
    until: float = 0.0
    """When they ended, in seconds."""
    crowd: int = 0
    """How many people have settled, where a people has: of their lives the entries alone are kept."""

    told: int = 0
    """Decisions and deeds of a crowd that were taken in."""
    shown_s: float | None = None
    """Until when decisions and deeds of a crowd are told, where not to the end."""

    @property
    def full(self) -> bool:
        """Whether no more decisions and deeds of a crowd will be told."""
        return self.told >= MAX_TOLD

    def _room(self, t_s: float) -> bool:
        """Whether one more of a crowd's decisions and deeds is told."""
        self.told += 1
        if self.full and self.shown_s is None:
            self.shown_s = t_s
        return not self.full

    def take(self, event: log.Event) -> None:
        """Note what belongs to a life."""
        if not self.crowd or not isinstance(event, _COUNTED) or self._room(event.t_s):
            self._take(event)

    def _take(self, event: log.Event) -> None:
        match event:
            case log.EpisodeStarted():
                self.__dict__.update(Chronicle().__dict__)
            case log.PeopleSettled():
                self.crowd = len(event.people)
            case log.EndStateRead() if self.lives:
                self.until = event.t_s
            case log.LifeBegan():
                self._of(event.player)
                self.until = max(self.until, event.t_s)
            case log.SlotWritten(slot="goal") | log.ChoiceMade() | log.LifeSummed() | log.LifeRated():
                self._mind(event)
            case log.ModelCalled() if event.player in self.lives:
                self._mind(event)
            case log.Speech():
                self._heard(event)
            case log.ActBegan() | log.ActEnded() | log.ActionEvent():
                self._body(event)
            case log.LifeEnded() | log.MindNoted():
                self._trouble(event)
            case _:
                pass

    def _of(self, player: str) -> Life:
        if (life := self.lives.get(player)) is None:
            most = MAX_OF_ALL // self.crowd if self.crowd else MAX_ENTRIES
            life = self.lives[player] = Life(most=min(MAX_ENTRIES, max(1, most)))
        return life

    def _mind(self, event: log.SlotWritten | log.ChoiceMade | log.LifeSummed | log.LifeRated | log.ModelCalled) -> None:
        life = self._of(event.player)
        match event:
            case log.SlotWritten():
                text = str(event.value.get("text", "")) if isinstance(event.value, Mapping) else ""
                if not self.crowd:
                    life.goals.append((event.t_s, text))
                life.tell(Entry(event.t_s, "goal", text))
            case log.ChoiceMade():
                if not self.crowd:
                    life.choices[event.number] = event.t_s
                    life.decided[event.number] = str(event.choice.get("doing", ""))
                life.tell(Entry(event.t_s, "decision", str(event.choice.get("doing", ""))))
            case log.LifeRated():
                life.rated_roles, life.rated_agreements = event.roles, event.agree
            case log.LifeSummed():
                life.modules = event.modules
            case log.ModelCalled():
                calls, tokens = life.calls.get(event.purpose, (0, 0))
                life.calls[event.purpose] = (calls + 1, tokens + event.tokens)

    def _heard(self, event: log.Speech) -> None:
        speaker = self._of(event.speaker)
        if not self.crowd:
            speaker.words.append((event.t_s, event.text, event.choice))
        speaker.tell(Entry(event.t_s, "words", event.text, hearers=tuple(event.hearers)))
        for name in () if self.crowd else event.hearers:
            if event.voice == "whisper" or name.lower() in event.text.lower():
                self._of(name).events.append(event.t_s)

    def _body(self, event: log.ActBegan | log.ActEnded | log.ActionEvent) -> None:
        match event:
            case log.ActBegan():
                life = self._of(event.player)
                if not self.crowd:
                    life.acts.append(Act(event.t_s, event.label, event.by, event.choice))
                life.tell(Entry(event.t_s, "reflex" if event.by == "reflex" else "deed", event.label))
            case log.ActEnded() if event.ended in ("failed", "late", "lost"):
                life = self._of(event.player)
                if not self.crowd:
                    life.events.append(event.t_s)
                life.tell(Entry(event.t_s, "deed", f"{event.label}: {event.error or event.ended}", ok=False))
            case log.ActionEvent() if event.ok and event.name not in WALKING and event.t_s is not None:
                if event.bot in self.lives and not self.crowd:
                    self.lives[event.bot].deeds.append((event.t_s, deed(event)))

    def _trouble(self, event: log.LifeEnded | log.MindNoted) -> None:
        life = self._of(event.player)
        if isinstance(event, log.LifeEnded):
            life.tell(Entry(event.t_s, "trouble", f"life ended: {event.error or 'by itself'}", ok=False))
        else:
            life.tell(Entry(event.t_s, "trouble", f"{event.module}: {event.what}: {event.reason}", ok=False))


def deed(event: log.ActionEvent) -> str:
    """A primitive and what it was about: `mineBlock oak_log`; numbers and places are left away."""
    args = (event.model_extra or {}).get("args") or []
    things = [each for each in args if isinstance(each, str) and each.replace("_", "").isalnum()]
    return " ".join([event.name, *things[:1]])


def chronicle(lines: Iterable[log.Line]) -> Chronicle:
    """The lives of the last attempt in that log."""
    found = Chronicle()
    for line in lines:
        found.take(line.event)
    return found
