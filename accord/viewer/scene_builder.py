"""Builder of scenes and index rows from a log, used by the handlers of `accord.viewer.event_handlers`."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from accord.viewer.moments import Moments
from accord.viewer.scene import Ref, Scene, short

MAX_WORDS = 4000
"""Maximum length of spoken text in the index, in characters; the log has the rest."""


class Word(NamedTuple):
    """An utterance, or a step of a contract's life cycle."""

    at: float
    kind: str
    speaker: str
    receiver: str
    text: str
    offset: int
    length: int


class TimelineMark(NamedTuple):
    """A mark on the time bar."""

    at: float
    kind: str
    player: str
    text: str
    offset: int
    length: int


class ActSpan(NamedTuple):
    """An act from its start to its end."""

    player: str
    at: float
    until: float
    label: str
    ok: int
    """1 for success, 0 for failure, -1 if unknown."""


class Figure(NamedTuple):
    """A number at a moment."""

    name: str
    at: float
    value: float


class CallMark(NamedTuple):
    """Moment of a model call."""

    player: str
    role: str
    number: int
    at: float


WEATHERS = ("clear", "rain", "thunder")
BLOCK = re.compile(r"[a-z0-9_]{1,60}(\[[a-z0-9_]{1,30}=[a-z0-9_]{1,30}(,[a-z0-9_]{1,30}=[a-z0-9_]{1,30}){0,15}\])?")
"""Texts of blocks: a name, and properties that are not the usual ones. Others never become part of a command."""
KIND = re.compile(r"[a-z0-9_]{1,60}")
"""Names of kinds of mobs and items. Others never become part of a command."""
NUMBER = re.compile(r"[0-9]{1,16}")
"""Numbers of entities. Others never become part of a command."""
MAX_COUNT = 127
"""Maximum number of items in a stack."""


class BlockChange(NamedTuple):
    """A changed block; an empty text means that the world is built anew, which undoes all earlier changes."""

    at: float
    x: int
    y: int
    z: int
    block: str
    """Name, with unusual properties as commands write them: `oak_stairs[facing=east,half=top]`."""


def changes_of(at: float, event: Mapping[str, Any]) -> dict[str, list[BlockChange]]:
    """Return player -> changed blocks of a `ground_changed` event, without texts that name no block.

    Args:
        at: Moment of the changes.
        event: Fields of the event.
    """
    states = {(int(x), int(y), int(z)): str(text) for x, y, z, text in event.get("states", ())}
    # Scenarios that place blocks themselves report the highest ones alone.
    rows = event["changed"] or {"": event["tops"]}
    found: dict[str, list[BlockChange]] = {}
    for player, changed in rows.items():
        for x, y, z, name in changed:
            place = (int(x), int(y), int(z))
            state = states.pop(place, "")
            block = state if state.partition("[")[0] == name and BLOCK.fullmatch(state) else str(name) or "air"
            if BLOCK.fullmatch(block):
                found.setdefault(player, []).append(BlockChange(at, *place, block))
    turned = [BlockChange(at, *place, text) for place, text in states.items() if BLOCK.fullmatch(text)]
    return {**found, "": [*found.get("", ()), *turned]} if turned else found


class DropSpot(NamedTuple):
    """An item that lies on the ground."""

    kind: str
    amount: int
    """Number of items in the stack."""
    x: float
    y: float
    z: float


def drops_of(event: Mapping[str, Any]) -> dict[str, DropSpot | None]:
    """Return number -> item of a `drops` event, None for items that are gone, without entries that are no items.

    Args:
        event: Fields of the event.
    """
    found: dict[str, DropSpot | None] = {str(number): None for number in event["gone"]}
    for number, (kind, count, spot) in event["at"].items():
        x, y, z = (round(float(part), 1) for part in spot)
        if KIND.fullmatch(str(kind)) and all(math.isfinite(part) for part in (x, y, z)):
            found[number] = DropSpot(str(kind), min(max(int(count), 1), MAX_COUNT), x, y, z)
    return {number: drop for number, drop in found.items() if NUMBER.fullmatch(number)}


Row = Word | TimelineMark | ActSpan | Figure | CallMark | BlockChange


@dataclass
class SceneBuilder:
    """State of a log read so far, with rows that are not written yet."""

    scene: Scene = field(default_factory=Scene)
    moments: Moments = field(default_factory=Moments)
    rows: list[Row] = field(default_factory=list)
    lived: bool = False
    """True in societies, where `speech` has the words that `chat` repeats."""
    since: dict[str, float] = field(default_factory=dict)
    """Player -> end of its last act."""
    now: float = 0.0
    ref: Ref = (0, 0)

    def start_line(self, kind: str, data: Mapping[str, Any], ref: Ref) -> None:
        """Start the next line of the log."""
        self.ref = ref
        self.now = self.moments.advance(kind, data)

    def put(self, section: str, key: str, value: object) -> bool:
        """Change the scene; return True if anything changed."""
        return self.scene.put(self.now, section, key, value)

    def add_words(self, kind: str, speaker: str, text: str, receiver: str = "") -> None:
        """Add an utterance, which is shown beside its speaker.

        Args:
            kind: Kind of the utterance, such as `say` or `verdict`.
            speaker: Name of the speaker; empty for none.
            text: Words of the utterance.
            receiver: Name of the receiver; empty for all.
        """
        self.rows.append(Word(self.now, kind, str(speaker), str(receiver), str(text)[:MAX_WORDS], *self.ref))
        if speaker:
            said = {"text": short(text), "at": self.now, "to": receiver, "kind": kind, "ref": self.ref}
            self.put("say", speaker, said)

    def add_mark(self, kind: str, text: str, player: str = "") -> None:
        """Add a mark on the time bar."""
        self.rows.append(TimelineMark(self.now, kind, str(player), short(text, 160), *self.ref))

    def add_act(self, player: str, seconds: float | None, label: str, ok: object) -> None:
        """Add an act that ends now.

        Args:
            player: Name of the player.
            seconds: Duration of the act; None if it started at the end of the player's last act.
            label: Description of the act.
            ok: True or False for success or failure; any other value if unknown.
        """
        at = max(0.0, self.now - seconds) if seconds is not None else self.since.get(player, self.moments.base)
        self.since[player] = self.now
        told = int(ok) if isinstance(ok, bool) else -1
        self.rows.append(ActSpan(str(player), min(at, self.now), self.now, short(label, 120), told))

    def set_number(self, name: str, value: object) -> None:
        """Set a number."""
        if isinstance(value, int | float) and self.put("number", name, round(float(value), 6)):
            self.rows.append(Figure(name, self.now, round(float(value), 6)))

    def add_to_number(self, name: str, value: object) -> None:
        """Increase a number."""
        if isinstance(value, int | float):
            self.set_number(name, (self.scene.get("number", name) or 0.0) + value)

    def to_dict(self) -> dict[str, Any]:
        """Return the state needed to continue later, as JSON data; rows and changes were written before."""
        moments = self.moments
        return {
            "sections": self.scene.sections,
            "moments": [moments.now, moments.base, moments.playing],
            "lived": self.lived,
            "since": self.since,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> SceneBuilder:
        """Restore the state from `to_dict`."""
        moments = Moments(*plain["moments"])
        return cls(Scene(plain["sections"]), moments, lived=plain["lived"], since=plain["since"], now=moments.now)
