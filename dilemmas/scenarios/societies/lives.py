"""Lives as the log tells them: goals, decisions, words and deeds of every player, in one pass and within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

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


class LifeEvent(NamedTuple):
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


class BodyAct(NamedTuple):
    """A body began to do something."""

    t_s: float
    label: str
    by: str
    choice: int | None


@dataclass
class PlayerLife:
    """One player's life."""

    goals: list[tuple[float, str]] = field(default_factory=list)
    """(seconds, goal) each time that it was set or set again."""
    choices: dict[int, float] = field(default_factory=dict)
    """Number of a decision -> when."""
    decided: dict[int, str] = field(default_factory=dict)
    """Number of a decision -> what was to be done."""
    acts: list[BodyAct] = field(default_factory=list)
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
    entries: list[LifeEvent] = field(default_factory=list)
    left: int = 0
    """Entries that are not kept."""
    most: int = MAX_ENTRIES
    """Entries that are kept."""
    _latest: dict[Kind, int] = field(default_factory=dict)
    """Kind -> place of the last entry of it."""

    @property
    def rated(self) -> bool:
        """Whether a model has rated anything of it."""
        return any(self.rated_roles) or bool(self.rated_agreements)

    def tell(self, t_s: float, kind: Kind, text: str, *, ok: bool = True, hearers: tuple[str, ...] = ()) -> None:
        """Note it, or that what was noted last of its kind goes on."""
        entries, place = self.entries, self._latest.get(kind, -1)
        if place >= 0 and place > len(entries) - LOOK_BACK[kind == "goal"]:
            before = entries[place]
            if before.text == text and before.ok == ok and before.hearers == hearers:
                entries[place] = LifeEvent(before.t_s, kind, text, t_s, before.times + 1, ok, hearers)
                return
        if len(entries) < self.most:
            self._latest[kind] = len(entries)
            entries.append(LifeEvent(t_s, kind, text, ok=ok, hearers=hearers))
        else:
            self.left += 1


_COUNTED = (log.ChoiceMade, log.ActBegan, log.ActEnded)
"""Events of a crowd of which `MAX_TOLD` are told."""


@dataclass
class LifeHistories:
    """All lives of the last attempt."""

    lives: dict[str, PlayerLife] = field(default_factory=dict)
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

    def add_event(self, event: log.Event) -> None:
        """Note what belongs to a life."""
        note = _NOTED.get(type(event))
        if note is not None and (not self.crowd or not isinstance(event, _COUNTED) or self._room(event.t_s)):
            note(self, event)

    def begin(self, _: log.EpisodeStarted) -> None:
        """An attempt begins."""
        self.__dict__.update(LifeHistories().__dict__)

    def settle(self, event: log.PeopleSettled) -> None:
        """A people has settled."""
        self.crowd = len(event.people)

    def end(self, event: log.EndStateRead) -> None:
        """The attempt is over."""
        if self.lives:
            self.until = event.t_s

    def live(self, event: log.LifeBegan) -> None:
        """A life begins."""
        self._of(event.player)
        self.until = max(self.until, event.t_s)

    def _of(self, player: str) -> PlayerLife:
        if (life := self.lives.get(player)) is None:
            most = MAX_OF_ALL // self.crowd if self.crowd else MAX_ENTRIES
            life = self.lives[player] = PlayerLife(most=min(MAX_ENTRIES, max(1, most)))
        return life

    def want(self, event: log.SlotWritten) -> None:
        """A goal is set, or set again; of other slots nothing is noted."""
        if event.slot != "goal":
            return
        life, value = self._of(event.player), event.value
        text = str(value.get("text", "")) if isinstance(value, Mapping) else ""
        if not self.crowd:
            life.goals.append((event.t_s, text))
        life.tell(event.t_s, "goal", text)

    def decide(self, event: log.ChoiceMade) -> None:
        """A decision."""
        life, doing = self._of(event.player), str(event.choice.get("doing", ""))
        if not self.crowd:
            life.choices[event.number] = event.t_s
            life.decided[event.number] = doing
        life.tell(event.t_s, "decision", doing)

    def rate(self, event: log.LifeRated) -> None:
        """What a model makes of a life."""
        life = self._of(event.player)
        life.rated_roles, life.rated_agreements = event.roles, event.agree

    def sum_up(self, event: log.LifeSummed) -> None:
        """What a life took."""
        self._of(event.player).modules = event.modules

    def ask(self, event: log.ModelCalled) -> None:
        """A model was asked for somebody that lives."""
        if (life := self.lives.get(event.player)) is not None:
            calls, tokens = life.calls.get(event.purpose, (0, 0))
            life.calls[event.purpose] = (calls + 1, tokens + event.tokens)

    def hear(self, event: log.Speech) -> None:
        """Words."""
        speaker = self._of(event.speaker)
        speaker.tell(event.t_s, "words", event.text, hearers=tuple(event.hearers))
        if self.crowd:
            return
        speaker.words.append((event.t_s, event.text, event.choice))
        text = event.text.lower()
        for name in event.hearers:
            if event.voice == "whisper" or name.lower() in text:
                self._of(name).events.append(event.t_s)

    def act(self, event: log.ActBegan) -> None:
        """A body begins to do something."""
        life = self._of(event.player)
        if not self.crowd:
            life.acts.append(BodyAct(event.t_s, event.label, event.by, event.choice))
        life.tell(event.t_s, "reflex" if event.by == "reflex" else "deed", event.label)

    def stop(self, event: log.ActEnded) -> None:
        """It has ended; what came about as meant is not noted."""
        if event.ended in ("failed", "late", "lost"):
            life = self._of(event.player)
            if not self.crowd:
                life.events.append(event.t_s)
            life.tell(event.t_s, "deed", f"{event.label}: {event.error or event.ended}", ok=False)

    def do(self, event: log.ActionEvent) -> None:
        """A primitive has ended."""
        is_work = event.ok and event.name not in WALKING and not self.crowd
        if is_work and event.t_s is not None and event.bot in self.lives:
            self.lives[event.bot].deeds.append((event.t_s, deed(event)))

    def die(self, event: log.LifeEnded) -> None:
        """A life ends before its time."""
        text = f"life ended: {event.error or 'by itself'}"
        self._of(event.player).tell(event.t_s, "trouble", text, ok=False)

    def note(self, event: log.MindNoted) -> None:
        """Something went wrong in a mind."""
        text = f"{event.module}: {event.what}: {event.reason}"
        self._of(event.player).tell(event.t_s, "trouble", text, ok=False)


_NOTED: Mapping[type, Callable[[LifeHistories, Any], None]] = {
    log.EpisodeStarted: LifeHistories.begin,
    log.PeopleSettled: LifeHistories.settle,
    log.EndStateRead: LifeHistories.end,
    log.LifeBegan: LifeHistories.live,
    log.SlotWritten: LifeHistories.want,
    log.ChoiceMade: LifeHistories.decide,
    log.LifeSummed: LifeHistories.sum_up,
    log.LifeRated: LifeHistories.rate,
    log.ModelCalled: LifeHistories.ask,
    log.Speech: LifeHistories.hear,
    log.ActBegan: LifeHistories.act,
    log.ActEnded: LifeHistories.stop,
    log.ActionEvent: LifeHistories.do,
    log.LifeEnded: LifeHistories.die,
    log.MindNoted: LifeHistories.note,
}
"""What is noted of an event, by its class: most events of a log pass here, and a look into a table is quickest."""


def deed(event: log.ActionEvent) -> str:
    """A primitive and what it was about: `mineBlock oak_log`; numbers and places are left away."""
    args = (event.model_extra or {}).get("args") or []
    things = [each for each in args if isinstance(each, str) and each.replace("_", "").isalnum()]
    return " ".join([event.name, *things[:1]])


def chronicle(lines: Iterable[log.LogLine]) -> LifeHistories:
    """The lives of the last attempt in that log."""
    found = LifeHistories()
    for line in lines:
        found.add_event(line.event)
    return found
