"""Memes: topics in people's goals and words, by agent and by place, over time.

A topic is recognized by its words (`voyager_agents.lexicon`). A person has a meme as long as its goal is about it. A
place is the town that a person is in at that time, wherever it lives, or the land.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import dist

from dilemmas.records.events import TownTold
from dilemmas.records.events.life import Spot
from voyager_agents.lexicon import Lexicon

LAND = "rural"
"""The place outside of all towns."""
SPOKEN_S = 120.0
"""Seconds after a speech during which its speaker counts as speaking of the topic."""


@dataclass
class MemeCount:
    """People and memes of one place at one time."""

    people: int = 0
    memes: dict[str, int] = field(default_factory=dict)
    """Topic -> number of people there whose goal is about it."""

    @property
    def count(self) -> int:
        """Number of all memes of all people there."""
        return sum(self.memes.values())


@dataclass(frozen=True)
class Moment:
    """All places at one time."""

    t_s: float
    places: Mapping[str, MemeCount]


@dataclass
class Memes:
    """Current topics of everybody."""

    lexicon: Lexicon
    goals: dict[str, list[str]] = field(default_factory=dict)
    """Player -> topics of its goal."""
    spoken: dict[str, tuple[float, str]] = field(default_factory=dict)
    """Player -> time and topic of its last speech about a topic."""
    times: dict[str, dict[str, int]] = field(default_factory=dict)
    """Player -> topic -> number of its goals about the topic."""

    def set_goal(self, player: str, text: str) -> None:
        """Set the current goal of a player."""
        topics = self.lexicon.about(text)
        self.goals[player] = topics
        counts = self.times.setdefault(player, {})
        for topic in topics:
            counts[topic] = counts.get(topic, 0) + 1

    def add_words(self, t_s: float, player: str, text: str) -> None:
        """Add the words of a player."""
        if topics := self.lexicon.about(text):
            self.spoken[player] = (t_s, topics[0])

    def talks_of(self, player: str, t_s: float) -> str:
        """Return the topic that a player spoke of within the last two minutes, or an empty text."""
        since, topic = self.spoken.get(player, (float("-inf"), ""))
        return topic if t_s - since <= SPOKEN_S else ""

    def moment(self, t_s: float, at: Mapping[str, Spot], towns: Mapping[str, TownTold]) -> Moment:
        """Return the counts of all places now."""
        places = {name: MemeCount() for name in (*towns, LAND)}
        for player, spot in at.items():
            tally = places[place_of(spot, towns)]
            tally.people += 1
            for topic in self.goals.get(player, ()):
                tally.memes[topic] = tally.memes.get(topic, 0) + 1
        return Moment(t_s, places)


def place_of(spot: Spot, towns: Mapping[str, TownTold]) -> str:
    """Return the town that a position is in, or the land."""
    for name, town in towns.items():
        if dist((spot[0], spot[2]), town.at) <= town.radius:
            return name
    return LAND


def per_head(moments: list[Moment], place: str) -> float | None:
    """Return memes per person at a place, averaged over the times at which anybody was there, or None if never."""
    shares = [tally.count / tally.people for each in moments if (tally := each.places[place]).people]
    return sum(shares) / len(shares) if shares else None
