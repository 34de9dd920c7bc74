"""Measures of the society of towns, from the log alone, in one pass: levels, exposures, area of influence, memes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records import events as log
from dilemmas.records.events.life import Spot
from dilemmas.records.positions import CurrentPositions
from dilemmas.scenarios.societies.areas import influence
from dilemmas.scenarios.societies.exposures import LEVELS, PRIEST, Believer, Exposures, check_exposed
from dilemmas.scenarios.societies.memes import LAND, Memes, Moment, per_head
from voyager_agents.lexicon import Lexicon

KINDS = frozenset({"run_started", "episode_started", "people", "speech", "slot", "places", "end_state"})
"""Kinds of events that the measures use."""
MIN_LAST_GAP_S = 1.0
"""Seconds after the last sample within which the end of a run needs no sample of its own."""
SAMPLE_S = 60.0
"""Minimum interval between two samples of the map, in seconds."""
MAX_SAMPLES = 100
"""Maximum number of samples; beyond it every second one is dropped, repeatedly."""
MAX_CHATS = 20_000
"""Maximum number of speeches about the faith in a figure; beyond it every second one is dropped, repeatedly."""
MAP_S = 6000.0
"""Second of the map of memes, or the last one of a shorter run: 100 minutes, as in figure 11."""


@dataclass(frozen=True)
class ConvertSample:
    """Positions of converts at one time."""

    t_s: float
    converts: Mapping[str, tuple[Spot, ...]]
    """Name of a level -> positions."""
    moment: Moment


@dataclass(frozen=True)
class Chat:
    """A speech with a word of the faith."""

    t_s: float
    player: str
    level: int


@dataclass
class Spreading:
    """Spread so far, from the events of a run in their order."""

    settled: log.PeopleSettled | None = None
    condition: str = ""
    topics: log.TopicsNamed | None = None
    """A rater's topics, in place of those of the population."""
    until: float = 0.0
    exposures: Exposures = field(default_factory=Exposures)
    memes: Memes = field(default_factory=lambda: Memes(Lexicon()))
    samples: list[ConvertSample] = field(default_factory=list)
    chats: list[Chat] = field(default_factory=list)
    map_at: dict[str, Spot] = field(default_factory=dict)
    map_of: dict[str, str] = field(default_factory=dict)
    """Player -> topic that it spoke of, at the time of the map."""
    map_s: float = 0.0
    speeches: int = 0
    heard: int = 0
    """Number of hearers, summed over all speeches."""
    _now: CurrentPositions = field(default_factory=CurrentPositions)
    _lexicon: Lexicon = field(default_factory=Lexicon)
    _every: float = SAMPLE_S
    _seen: int = 0
    _thin: int = 1

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        if (note := _NOTED.get(type(event))) is not None:
            note(self, event)

    def _on_run_started(self, event: log.RunStarted) -> None:
        """Start the run."""
        self.condition = event.condition

    def _on_episode_started(self, _: log.EpisodeStarted) -> None:
        """Start an attempt."""
        self.__dict__.update(Spreading(condition=self.condition, topics=self.topics).__dict__)

    def _on_topics_named(self, event: log.TopicsNamed) -> None:
        """Take a rater's topics for the goals and words that follow."""
        self.topics = event

    def _on_slot_written(self, event: log.SlotWritten) -> None:
        """Add a goal; other slots are ignored."""
        if event.slot == "goal" and isinstance(event.value, Mapping):
            self.memes.set_goal(event.player, str(event.value.get("text", "")))

    def _on_places_seen(self, event: log.PlacesSeen) -> None:
        """Add new positions."""
        self._now.apply(event)
        self._look(event.t_s, self._now.at)

    def _on_end_state_read(self, event: log.EndStateRead) -> None:
        """End the attempt."""
        self._look(event.t_s, self._now.at, last=True)
        self.until = event.t_s

    def _on_people_settled(self, event: log.PeopleSettled) -> None:
        """Start counting for the people of the scenario."""
        self.settled = event
        memes = event.memes if self.topics is None else self.topics.words
        self._lexicon = Lexicon(event.direct, event.indirect, memes)
        self.memes = Memes(self._lexicon)
        self.exposures = Exposures({name: Believer(folk.role, folk.town) for name, folk in event.people.items()})

    def _on_speech(self, event: log.Speech) -> None:
        """Add a speech."""
        self.speeches += 1
        self.heard += len(event.hearers)
        self.memes.add_words(event.t_s, event.speaker, event.text)
        level = self._lexicon.level(event.text)
        if not level:
            return
        self.exposures.add_speech(event.t_s, event.speaker, level, event.hearers)
        if self._seen % self._thin == 0:
            self.chats.append(Chat(event.t_s, event.speaker, level))
        self._seen += 1
        if len(self.chats) > MAX_CHATS:
            self.chats, self._thin = self.chats[::2], self._thin * 2

    def _look(self, t_s: float, at: Mapping[str, Spot], *, last: bool = False) -> None:
        """Take a sample if one is due; the last one always is, so that curves end with the run."""
        self.until = max(self.until, t_s)
        due = self.samples[-1].t_s + self._every if self.samples else 0.0
        if last and self.samples:
            due = self.samples[-1].t_s + MIN_LAST_GAP_S
        if self.settled is None or t_s < due:
            return
        places: dict[str, list[Spot]] = {name: [] for name in LEVELS.values()}
        for name, spot in at.items():
            group = self.exposures.people[name].group if name in self.exposures.people else ""
            if group in places:
                places[group].append(spot)
        moment = self.memes.moment(t_s, at, self.settled.towns)
        self.samples.append(ConvertSample(t_s, {name: tuple(each) for name, each in places.items()}, moment))
        if t_s <= MAP_S:
            self.map_s, self.map_at = t_s, dict(at)
            self.map_of = {name: self.memes.talks_of(name, t_s) for name in at}
        if len(self.samples) > MAX_SAMPLES:
            self.samples, self._every = self.samples[::2], self._every * 2

    @property
    def counts(self) -> dict[str, int]:
        """Return the number of converts of each level now."""
        groups = [each.group for each in self.exposures.people.values()]
        return {name: groups.count(name) for name in LEVELS.values()}

    def areas(self, sample: ConvertSample) -> dict[str, float]:
        """Return the area within hearing of converts of each level and of both together, in square blocks."""
        radius = self.settled.hearing if self.settled is not None else 0.0
        return influence(sample.converts, radius)

    def wrong(self) -> list[str]:
        """Return contradictions to the claim that words alone convert; empty if there are none."""
        return check_exposed(self.exposures, self.deaf)

    @property
    def deaf(self) -> bool:
        """True if nobody hears anybody, by the log."""
        return self.settled is not None and self.settled.deaf


_NOTED: Mapping[type, Callable[[Spreading, Any], None]] = {
    log.RunStarted: Spreading._on_run_started,
    log.EpisodeStarted: Spreading._on_episode_started,
    log.TopicsNamed: Spreading._on_topics_named,
    log.PeopleSettled: Spreading._on_people_settled,
    log.Speech: Spreading._on_speech,
    log.SlotWritten: Spreading._on_slot_written,
    log.PlacesSeen: Spreading._on_places_seen,
    log.EndStateRead: Spreading._on_end_state_read,
}
"""Event class -> method."""


def spreading(lines: Iterable[log.LogLine]) -> Spreading:
    """Return the spread in the last attempt of a log."""
    found = Spreading()
    for line in lines:
        found.add_event(line.event)
    return found


def measures(lines: Iterable[log.LogLine]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; `converted_s` has converts only."""
    return measures_of(spreading(lines))


def measures_of(spread: Spreading) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value from the events that were read."""
    found = spread.exposures
    reached = found.reached()
    return {
        "level": {name: float(each.level) for name, each in found.people.items()},
        "converted_s": {name: each.rises[0].t_s for name, each in found.converts.items()},
        "faith_said": {name: float(each.spoken) for name, each in found.people.items()},
        "faith_heard": {name: float(each.exposures) for name, each in found.people.items()},
        "converts_made": {name: float(reached.get(name, 0)) for name in found.people},
    }


def society(lines: Iterable[log.LogLine]) -> dict[str, Any]:
    """Return the measures of all together, for result.json."""
    return society_of(spreading(lines))


@dataclass
class SpreadTally:
    """Measures of spread, counted while a run is played (a `dilemmas.scenarios.protocol.MeasureTally`)."""

    spread: Spreading = field(default_factory=Spreading)

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        self.spread.add_event(event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the measures by player."""
        return measures_of(self.spread)

    def society(self) -> dict[str, Any]:
        """Return the measures of all together."""
        return society_of(self.spread)


def society_of(found: Spreading) -> dict[str, Any]:
    """Return converts, exposures, area (square blocks), and memes by place; curves are bounded."""
    people = found.exposures.people
    converts = found.exposures.converts
    wrong = found.wrong()
    before = [each.rises[0].exposures for each in converts.values()]
    depths = found.exposures.depths()
    by_priests = sum(people[each.critical.speaker].role == PRIEST for each in converts.values() if each.critical)
    rows = [[each.t_s, *found.exposures.counts_at(each.t_s).values()] for each in found.samples]
    return {
        "people": len(people),
        "priests": sum(each.role == PRIEST for each in people.values()),
        "converts": found.counts,
        "spontaneous": len(found.exposures.spontaneous),
        "at_once": len(found.exposures.at_once),
        # Without people there is no ratio.
        "words_alone_convert": not wrong if converts or wrong else None,
        "wrong": wrong[:10],
        "exposures_before": sum(before) / len(before) if before else None,
        "converted_by_priests": by_priests / len(converts) if converts else None,
        "depth": max(depths.values(), default=0),
        "speeches": found.speeches,
        "hearers": found.heard / found.speeches if found.speeches else None,
        "area": found.areas(found.samples[-1]) if found.samples else None,
        "curve": {"columns": ["t_s", *LEVELS.values()], "rows": rows},
        "memes": memes_of(found),
    }


def memes_of(found: Spreading) -> dict[str, Any]:
    """Return place -> mean number of people and memes per person, and the comparison of towns and land."""
    moments = [each.moment for each in found.samples]
    if found.settled is None or not moments:
        return {}
    places = {}
    for name in (*found.settled.towns, LAND):
        whole = [each.places[name].people for each in moments]
        places[name] = {"people": sum(whole) / len(whole), "per_head": per_head(moments, name)}
    towns = [each["per_head"] for name, each in places.items() if name != LAND and each["per_head"] is not None]
    mean = sum(towns) / len(towns) if towns else None
    land = places[LAND]["per_head"]
    return {"places": places, "towns_per_head": mean, "rural_share": land / mean if mean and land is not None else None}
