"""Life histories from the log: goals, decisions, words and deeds of every player, in one pass and bounded memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from dilemmas.records import events as log

MAX_ENTRIES = 3_000
"""Maximum number of entries kept of a life; later ones are counted."""
MAX_ALL_ENTRIES = 90_000
"""Maximum number of entries of all lives together, which a crowd shares."""
MAX_CROWD_EVENTS = 200_000
"""Maximum number of a crowd's decisions and deeds that are kept, of all together; the log has the others."""
LOOK_BACK = (5, 200)
"""Number of entries among which a repetition is looked for: of other kinds, and of goals, which are often set again."""
KINDS = frozenset(
    {"episode_started", "people", "end_state", "life_began", "slot", "choice", "life_summed", "life_rated",
     "model_call", "speech", "act_began", "act_ended", "action", "life_ended", "mind"}
)  # fmt: skip
"""Kinds of events that `LifeHistories` uses."""
WALKING = frozenset({"goTo", "wait", "chat", "followPlayer"})
"""Primitives that are no work."""
Kind = Literal["goal", "decision", "words", "deed", "reflex", "trouble"]


class LifeEvent(NamedTuple):
    """One entry of a life; repetitions of an entry extend it."""

    t_s: float
    kind: Kind
    text: str
    until: float | None = None
    """Time of the last repetition."""
    times: int = 1
    ok: bool = True
    hearers: tuple[str, ...] = ()
    """Hearers, for an entry of words."""


class BodyAct(NamedTuple):
    """Start of a body's act."""

    t_s: float
    label: str
    by: str
    choice: int | None


@dataclass
class PlayerLife:
    """History of one player."""

    goals: list[tuple[float, str]] = field(default_factory=list)
    """(seconds, goal) for each time that the goal was set or set again."""
    choices: dict[int, float] = field(default_factory=dict)
    """Number of a decision -> time."""
    decided: dict[int, str] = field(default_factory=dict)
    """Number of a decision -> act that was decided on."""
    acts: list[BodyAct] = field(default_factory=list)
    words: list[tuple[float, str, int | None]] = field(default_factory=list)
    """(seconds, words, decision that they follow from)."""
    deeds: list[tuple[float, str]] = field(default_factory=list)
    """(seconds, deed) of primitives, such as `mineBlock oak_log`; walking is no deed."""
    events: list[float] = field(default_factory=list)
    """Times of events that ask for an answer: words addressed to the player, an act that failed."""
    modules: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Module -> runs, calls, stale answers, lateness."""
    calls: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Purpose -> number of model calls and tokens."""
    rated_roles: Sequence[Sequence[str]] = ()
    """Roles of each set of five goals as a model rates them; an empty one where it gave no rating."""
    rated_agreements: Mapping[int, bool] = field(default_factory=dict)
    """Number of a decision -> True if words and deeds agree, as a model rates it."""
    entries: list[LifeEvent] = field(default_factory=list)
    left: int = 0
    """Number of entries that are not kept."""
    most: int = MAX_ENTRIES
    """Maximum number of entries that are kept."""
    _latest: dict[Kind, int] = field(default_factory=dict)
    """Kind -> place of its last entry."""

    @property
    def rated(self) -> bool:
        """True if a model has rated anything of the life."""
        return any(self.rated_roles) or bool(self.rated_agreements)

    def add_entry(self, t_s: float, kind: Kind, text: str, *, ok: bool = True, hearers: tuple[str, ...] = ()) -> None:
        """Add an entry, or extend the last entry of the kind.

        Args:
            t_s: Time of the entry, in seconds.
            kind: Kind of the entry.
            text: Text of the entry.
            ok: False for a failure.
            hearers: Names of the hearers of words.
        """
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
"""Events of a crowd of which `MAX_TOLD` are kept."""


@dataclass
class LifeHistories:
    """All lives of the last attempt."""

    lives: dict[str, PlayerLife] = field(default_factory=dict)
    until: float = 0.0
    """End of the lives, in seconds."""
    crowd: int = 0
    """Number of people in a crowd, of whose lives only the entries are kept; 0 if there is no crowd."""

    told: int = 0
    """Number of a crowd's decisions and deeds that were kept."""
    shown_s: float | None = None
    """Time until which a crowd's decisions and deeds are kept; None if they are all kept."""

    @property
    def full(self) -> bool:
        """True if no more decisions and deeds of a crowd will be kept."""
        return self.told >= MAX_CROWD_EVENTS

    def _room(self, t_s: float) -> bool:
        """Count one of a crowd's decisions and deeds, and return True if it is kept."""
        self.told += 1
        if self.full and self.shown_s is None:
            self.shown_s = t_s
        return not self.full

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        note = _NOTED.get(type(event))
        if note is not None and (not self.crowd or not isinstance(event, _COUNTED) or self._room(event.t_s)):
            note(self, event)

    def _on_episode_started(self, _: log.EpisodeStarted) -> None:
        """Start an attempt."""
        self.__dict__.update(LifeHistories().__dict__)

    def _on_people_settled(self, event: log.PeopleSettled) -> None:
        """Take in the people of a crowd."""
        self.crowd = len(event.people)

    def _on_end_state_read(self, event: log.EndStateRead) -> None:
        """End the attempt."""
        if self.lives:
            self.until = event.t_s

    def _on_life_began(self, event: log.LifeBegan) -> None:
        """Start a life."""
        self._of(event.player)
        self.until = max(self.until, event.t_s)

    def _of(self, player: str) -> PlayerLife:
        if (life := self.lives.get(player)) is None:
            most = MAX_ALL_ENTRIES // self.crowd if self.crowd else MAX_ENTRIES
            life = self.lives[player] = PlayerLife(most=min(MAX_ENTRIES, max(1, most)))
        return life

    def _on_slot_written(self, event: log.SlotWritten) -> None:
        """Add a goal that was set or set again; other slots are ignored."""
        if event.slot != "goal":
            return
        life, value = self._of(event.player), event.value
        text = str(value.get("text", "")) if isinstance(value, Mapping) else ""
        if not self.crowd:
            life.goals.append((event.t_s, text))
        life.add_entry(event.t_s, "goal", text)

    def _on_choice_made(self, event: log.ChoiceMade) -> None:
        """Add a decision."""
        life, doing = self._of(event.player), str(event.choice.get("doing", ""))
        if not self.crowd:
            life.choices[event.number] = event.t_s
            life.decided[event.number] = doing
        life.add_entry(event.t_s, "decision", doing)

    def _on_life_rated(self, event: log.LifeRated) -> None:
        """Add a model's ratings of a life."""
        life = self._of(event.player)
        life.rated_roles, life.rated_agreements = event.roles, event.agree

    def _on_life_summed(self, event: log.LifeSummed) -> None:
        """Add the totals of a life."""
        self._of(event.player).modules = event.modules

    def _on_model_called(self, event: log.ModelCalled) -> None:
        """Count a model call of a living player."""
        if (life := self.lives.get(event.player)) is not None:
            calls, tokens = life.calls.get(event.purpose, (0, 0))
            life.calls[event.purpose] = (calls + 1, tokens + event.tokens)

    def _on_speech(self, event: log.Speech) -> None:
        """Add words."""
        speaker = self._of(event.speaker)
        speaker.add_entry(event.t_s, "words", event.text, hearers=tuple(event.hearers))
        if self.crowd:
            return
        speaker.words.append((event.t_s, event.text, event.choice))
        text = event.text.lower()
        for name in event.hearers:
            if event.voice == "whisper" or name.lower() in text:
                self._of(name).events.append(event.t_s)

    def _on_act_began(self, event: log.ActBegan) -> None:
        """Add the start of a body's act."""
        life = self._of(event.player)
        if not self.crowd:
            life.acts.append(BodyAct(event.t_s, event.label, event.by, event.choice))
        life.add_entry(event.t_s, "reflex" if event.by == "reflex" else "deed", event.label)

    def _on_act_ended(self, event: log.ActEnded) -> None:
        """Add the end of an act unless it ended as intended."""
        if event.ended in ("failed", "late", "lost"):
            life = self._of(event.player)
            if not self.crowd:
                life.events.append(event.t_s)
            life.add_entry(event.t_s, "deed", f"{event.label}: {event.error or event.ended}", ok=False)

    def _on_action_event(self, event: log.ActionEvent) -> None:
        """Add the end of a primitive."""
        is_work = event.ok and event.name not in WALKING and not self.crowd
        if is_work and event.t_s is not None and event.bot in self.lives:
            self.lives[event.bot].deeds.append((event.t_s, deed_label(event)))

    def _on_life_ended(self, event: log.LifeEnded) -> None:
        """Add the early end of a life."""
        text = f"life ended: {event.error or 'by itself'}"
        self._of(event.player).add_entry(event.t_s, "trouble", text, ok=False)

    def _on_mind_noted(self, event: log.MindNoted) -> None:
        """Add a fault of a mind."""
        text = f"{event.module}: {event.what}: {event.reason}"
        self._of(event.player).add_entry(event.t_s, "trouble", text, ok=False)


_NOTED: Mapping[type, Callable[[LifeHistories, Any], None]] = {
    log.EpisodeStarted: LifeHistories._on_episode_started,
    log.PeopleSettled: LifeHistories._on_people_settled,
    log.EndStateRead: LifeHistories._on_end_state_read,
    log.LifeBegan: LifeHistories._on_life_began,
    log.SlotWritten: LifeHistories._on_slot_written,
    log.ChoiceMade: LifeHistories._on_choice_made,
    log.LifeSummed: LifeHistories._on_life_summed,
    log.LifeRated: LifeHistories._on_life_rated,
    log.ModelCalled: LifeHistories._on_model_called,
    log.Speech: LifeHistories._on_speech,
    log.ActBegan: LifeHistories._on_act_began,
    log.ActEnded: LifeHistories._on_act_ended,
    log.ActionEvent: LifeHistories._on_action_event,
    log.LifeEnded: LifeHistories._on_life_ended,
    log.MindNoted: LifeHistories._on_mind_noted,
}
"""Event class -> method. Most events of a log pass here, and a table is the quickest way to skip them."""


def deed_label(event: log.ActionEvent) -> str:
    """Return a primitive and its subject, such as `mineBlock oak_log`, without numbers and places."""
    args = (event.model_extra or {}).get("args") or []
    things = [each for each in args if isinstance(each, str) and each.replace("_", "").isalnum()]
    return " ".join([event.name, *things[:1]])


def life_histories(lines: Iterable[log.LogLine]) -> LifeHistories:
    """Return the lives of the last attempt in a log."""
    found = LifeHistories()
    for line in lines:
        found.add_event(line.event)
    return found
