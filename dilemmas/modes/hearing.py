"""Who hears what: the distance decides, between where the speaker and the others stand when it is said.

Bodies are sorted into squares of the land, and at each beat those that have moved are sorted anew. So speech in a crowd
costs each speaker its neighbours, not everybody.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import dist, floor

from bridge.types import Place
from voyager_agents.realtime_agent import MOST_WORDS, Voice

SHOUT_MARK = "!"
"""A line of chat that begins so is a shout: what the game's chat can carry of it, for programs and people alike."""
_UNSAYABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\xa7]+")


def sayable(text: str) -> str:
    """The text as one line of chat: no control characters, no command, no shout's mark, cut to size; may be empty."""
    line = " ".join(_UNSAYABLE.sub(" ", text).split()).lstrip("/" + SHOUT_MARK + " ")
    return line[:MOST_WORDS].rstrip()


def voice_of(line: str) -> tuple[Voice, str]:
    """How a line of chat is said, and its words."""
    return ("shout", line[len(SHOUT_MARK) :].strip()) if line.startswith(SHOUT_MARK) else ("say", line)


class Earshot:
    """Where everybody stands now."""

    def __init__(self, reach: Mapping[Voice, float]) -> None:
        """`reach` is how far each voice carries, in blocks."""
        self._reach = reach
        self._side = max(*reach.values(), 1.0)
        self._at: dict[str, Place] = {}
        self._order: dict[str, int] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}

    def move(self, at: Mapping[str, Place]) -> None:
        """Everybody's place, in the order of the players."""
        before, self._at = self._at, dict(at)
        if list(before) != list(self._at):
            before, self._squares = {}, {}
            self._order = {name: number for number, name in enumerate(self._at)}
        for name, place in self._at.items():
            # Most of a crowd stands where it stood, mostly in the very same object.
            old = before.get(name)
            if old is not place and old != place:
                self._shift(name, old, place)

    def _shift(self, name: str, old: Place | None, new: Place) -> None:
        """From one square to another."""
        left, entered = None if old is None else self._square(old), self._square(new)
        if left == entered:
            return
        if left is not None:
            self._squares[left].remove(name)
            if not self._squares[left]:
                del self._squares[left]
        self._squares.setdefault(entered, []).append(name)

    def place(self, name: str) -> Place | None:
        """Where that one stands."""
        return self._at.get(name)

    def hearers(self, speaker: str, voice: Voice, to: str = "") -> Sequence[str]:
        """Who hears it, in the order of the players; nobody where the speaker is not in the world."""
        here = self._at.get(speaker)
        reach = self._reach[voice]
        if here is None or reach <= 0:
            return []
        if voice == "whisper":
            there = self._at.get(to)
            return [to] if there is not None and to != speaker and dist(here, there) <= reach else []
        x, z = self._square(here)
        near = [name for i in (x - 1, x, x + 1) for k in (z - 1, z, z + 1) for name in self._squares.get((i, k), ())]
        found = [name for name in near if name != speaker and dist(here, self._at[name]) <= reach]
        return sorted(found, key=self._order.__getitem__)

    def _square(self, place: Place) -> tuple[int, int]:
        return floor(place[0] / self._side), floor(place[2] / self._side)
