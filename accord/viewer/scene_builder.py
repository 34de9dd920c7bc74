"""Where a log becomes a scene and rows: what makers of `accord.viewer.event_handlers` write to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from accord.viewer.moments import Moments
from accord.viewer.scene import Ref, Scene, short

MAX_WORDS = 4000
"""Characters of something said that the index keeps; the rest is in the log."""


class Word(NamedTuple):
    """Something that was said, or a step of a contract's life."""

    at: float
    kind: str
    speaker: str
    receiver: str
    text: str
    offset: int
    length: int


class TimelineMark(NamedTuple):
    """A place on the bar of time."""

    at: float
    kind: str
    player: str
    text: str
    offset: int
    length: int


class ActSpan(NamedTuple):
    """Something done, from when until when."""

    player: str
    at: float
    until: float
    label: str
    ok: int
    """1, 0, or -1 where nobody knows."""


class Figure(NamedTuple):
    """A number at a moment."""

    name: str
    at: float
    value: float


class CallMark(NamedTuple):
    """When a model was asked."""

    player: str
    role: str
    number: int
    at: float


Row = Word | TimelineMark | ActSpan | Figure | CallMark


@dataclass
class SceneBuilder:
    """Holds what a log has told so far, and the rows that are not yet written."""

    scene: Scene = field(default_factory=Scene)
    moments: Moments = field(default_factory=Moments)
    rows: list[Row] = field(default_factory=list)
    lived: bool = False
    """Whether agents live: what they say is told by `speech`, and `chat` repeats it."""
    since: dict[str, float] = field(default_factory=dict)
    """Player -> when its last act ended."""
    now: float = 0.0
    ref: Ref = (0, 0)

    def begin(self, kind: str, data: Mapping[str, Any], ref: Ref) -> None:
        """The next line of the log."""
        self.ref = ref
        self.now = self.moments.take(kind, data)

    def put(self, section: str, key: str, value: object) -> bool:
        """Change the scene."""
        return self.scene.put(self.now, section, key, value)

    def say(self, kind: str, speaker: str, text: str, receiver: str = "") -> None:
        """Something was said; it is shown beside its speaker."""
        self.rows.append(Word(self.now, kind, str(speaker), str(receiver), str(text)[:MAX_WORDS], *self.ref))
        if speaker:
            said = {"text": short(text), "at": self.now, "to": receiver, "kind": kind, "ref": self.ref}
            self.put("say", speaker, said)

    def mark(self, kind: str, text: str, player: str = "") -> None:
        """Something that one wants to find again."""
        self.rows.append(TimelineMark(self.now, kind, str(player), short(text, 160), *self.ref))

    def did(self, player: str, seconds: float | None, label: str, ok: object) -> None:
        """Something done ends now; `seconds` ago it began, or when the last one ended."""
        at = max(0.0, self.now - seconds) if seconds is not None else self.since.get(player, self.moments.base)
        self.since[player] = self.now
        told = int(ok) if isinstance(ok, bool) else -1
        self.rows.append(ActSpan(str(player), min(at, self.now), self.now, short(label, 120), told))

    def number(self, name: str, value: object) -> None:
        """A number as it is now."""
        if isinstance(value, int | float) and self.put("number", name, round(float(value), 6)):
            self.rows.append(Figure(name, self.now, round(float(value), 6)))

    def add(self, name: str, value: object) -> None:
        """A number has grown by that much."""
        if isinstance(value, int | float):
            self.number(name, (self.scene.get("number", name) or 0.0) + value)

    def plain(self) -> dict[str, Any]:
        """All that has to be kept to go on later, as JSON; the rows and changes have been written before."""
        moments = self.moments
        return {
            "sections": self.scene.sections,
            "moments": [moments.now, moments.base, moments.playing],
            "lived": self.lived,
            "since": self.since,
        }

    @classmethod
    def of(cls, plain: Mapping[str, Any]) -> SceneBuilder:
        """As it was kept."""
        moments = Moments(*plain["moments"])
        return cls(Scene(plain["sections"]), moments, lived=plain["lived"], since=plain["since"], now=moments.now)
