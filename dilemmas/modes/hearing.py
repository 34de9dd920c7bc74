"""Hearing by distance between the positions of speaker and hearers at the time of speech.

Bodies are indexed by squares of land, updated at each beat. Speech in a crowd therefore costs each speaker only its
neighbourhood.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import dist, floor

from bridge.types import Place
from voyager_agents.realtime_agent import MAX_WORDS, Voice

SHOUT_MARK = "!"
"""Prefix of a chat line that marks a shout, for programs and people alike."""
_UNSAYABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\xa7]+")


def sayable(text: str) -> str:
    """Return the text as one chat line without control characters, command or shout prefix, truncated; may be empty."""
    line = " ".join(_UNSAYABLE.sub(" ", text).split()).lstrip("/" + SHOUT_MARK + " ")
    return line[:MAX_WORDS].rstrip()


def voice_of(line: str) -> tuple[Voice, str]:
    """Return the voice of a chat line, and its words."""
    return ("shout", line[len(SHOUT_MARK) :].strip()) if line.startswith(SHOUT_MARK) else ("say", line)


class Earshot:
    """Positions of all players, indexed for hearing."""

    def __init__(self, reach: Mapping[Voice, float]) -> None:
        """Create an empty index.

        Args:
            reach: Voice -> distance that it carries, in blocks.
        """
        self._reach = reach
        self._side = max(*reach.values(), 1.0)
        self._at: dict[str, Place] = {}
        self._order: dict[str, int] = {}
        self._squares: dict[tuple[int, int], list[str]] = {}

    def move(self, at: Mapping[str, Place]) -> None:
        """Update the positions of all players, given in the players' order."""
        before, self._at = self._at, dict(at)
        if list(before) != list(self._at):
            before, self._squares = {}, {}
            self._order = {name: number for number, name in enumerate(self._at)}
        for name, place in self._at.items():
            # Most of a crowd does not move, mostly with the identical position object.
            old = before.get(name)
            if old is not place and old != place:
                self._shift(name, old, place)

    def _shift(self, name: str, old: Place | None, new: Place) -> None:
        """Move a player from one square to another."""
        left, entered = None if old is None else self._square(old), self._square(new)
        if left == entered:
            return
        if left is not None:
            self._squares[left].remove(name)
            if not self._squares[left]:
                del self._squares[left]
        self._squares.setdefault(entered, []).append(name)

    def place(self, name: str) -> Place | None:
        """Return the player's position, or None."""
        return self._at.get(name)

    def hearers(self, speaker: str, voice: Voice, to: str = "") -> Sequence[str]:
        """Return the hearers in the players' order; nobody if the speaker is not in the world."""
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
