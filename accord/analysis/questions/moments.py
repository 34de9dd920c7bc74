"""Moments of an episode, from its log: who holds what, who is where, what places hold, what was said and done."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from dilemmas.records.events import (
    ActionEvent,
    ChatEvent,
    EpisodeStarted,
    Event,
    InventoryEvent,
    LogLine,
    PlacesSeen,
    Speech,
    Spot,
    StateSeen,
    StationLaid,
    StationsSeen,
    WorkDone,
)
from dilemmas.records.states import WholeStates

KINDS = frozenset({"episode_started", "state", "places", "stations", "work", "action", "chat", "speech", "inventory"})
"""Kinds of events that moments are made from."""
Items = Mapping[str, int]


@dataclass(frozen=True)
class TimedAct:
    """Something that a player did."""

    t_s: float
    player: str
    text: str
    """The act without amounts, such as `puts something into the shelf`; acts of one kind have equal texts."""
    told: str
    """The act in full, such as `puts 4 potato into the shelf`."""
    station: str = ""


@dataclass(frozen=True)
class Said:
    """Something that a player said."""

    t_s: float
    speaker: str
    text: str
    hearers: tuple[str, ...] | None = None
    """Players who heard it; None if the log does not tell."""


@dataclass(frozen=True)
class Look:
    """Contents of a place when a player last put something there or took something out."""

    t_s: float
    holds: Items


@dataclass(frozen=True)
class LogMoment:
    """State of an episode at one time, and the acts before and after it."""

    t_s: float
    players: tuple[str, ...]
    held: Mapping[str, Items]
    """Player -> item -> count."""
    at: Mapping[str, Spot]
    stores: Mapping[str, Items]
    """Place -> item -> count, for places that hold items."""
    looks: Mapping[tuple[str, str], Look]
    """(player, place) -> what it held when the player last worked there."""
    said: Sequence[Said]
    acts: Sequence[TimedAct]
    later: Sequence[TimedAct]
    episode: Episode


@dataclass
class Episode:
    """The last attempt at the last episode of a record."""

    laid: dict[str, StationLaid] = field(default_factory=dict)
    rooms: dict[str, str] = field(default_factory=dict)
    needs: Mapping[str, Items] = field(default_factory=dict)
    events: list[tuple[float, Event]] = field(default_factory=list)
    acts: list[TimedAct] = field(default_factory=list)
    items: set[str] = field(default_factory=set)
    """Items that anybody held or any place contained."""
    carried: set[str] = field(default_factory=set)
    """Items that were in an inventory. What a scenario counts without handing it out, such as points, is not among
    them."""
    counts: set[int] = field(default_factory=set)
    """Amounts of items that occurred."""

    def names(self, station: str) -> str:
        """Return the name of a place in the words of an act: stoves are alike."""
        laid = self.laid.get(station)
        return laid.kind if laid is not None and laid.kind == "stove" else station.replace("_", " ")

    def _things(self, items: Items) -> Items:
        return {item: count for item, count in items.items() if item in self.carried}

    def moments(self, times: Iterable[float]) -> Iterator[LogMoment]:
        """Yield the moments at the given times, which must be in order."""
        states, at = WholeStates(), dict[str, Spot]()
        held: Mapping[str, Items] = {}
        stores: dict[str, Items] = {}
        looks: dict[tuple[str, str], Look] = {}
        said: list[Said] = []
        number = 0
        for t_s in times:
            while number < len(self.events) and self.events[number][0] <= t_s:
                when, event = self.events[number]
                number += 1
                match event:
                    case StateSeen() if (whole := states.full_state_of(event)) is not None:
                        held = {name: self._things(each.items) for name, each in whole.players.items()}
                    case PlacesSeen():
                        at = {**{name: spot for name, spot in at.items() if name not in event.gone}, **event.at}
                    case StationsSeen():
                        stores.update(event.holds)
                    case WorkDone(player=player, station=station) if station:
                        looks[player, station] = Look(when, dict(stores.get(station, {})))
                    case ChatEvent(sender=sender, text=text) if sender:
                        said.append(Said(when, sender, text))
                    case Speech():
                        said.append(Said(when, event.speaker, event.text, tuple(event.hearers)))
                    case _:
                        pass
            done = [act for act in self.acts if act.t_s <= t_s]
            later = [act for act in self.acts if act.t_s > t_s]
            yield LogMoment(
                t_s, tuple(held) or tuple(at), dict(held), dict(at), dict(stores), dict(looks), tuple(said), done,
                later, self,
            )  # fmt: skip


_WORK = {"take": "takes something from the", "put": "puts something into the", "cook": "puts something into the"}


def read_episode(lines: Iterable[LogLine]) -> Episode:
    """Return the last attempt at the last episode in these lines."""
    found = Episode()
    for line in lines:
        event = line.event
        if isinstance(event, EpisodeStarted):
            found = Episode()
        t_s = getattr(event, "t_s", None)
        if t_s is None:
            continue
        found.events.append((t_s, event))
        match event:
            case StationsSeen():
                found.laid.update(event.laid)
                found.rooms.update(event.rooms)
                found.needs = event.needs or found.needs
                _note(found, event.holds.values())
            case StateSeen():
                _note(found, (each.items for each in event.players.values()))
            case InventoryEvent():
                found.carried.update(event.items)
            case _:
                pass
    # Work is told a second or two after it was seen first.
    found.events.sort(key=lambda each: (each[0], not isinstance(each[1], StationsSeen | StateSeen | PlacesSeen)))
    worked = any(isinstance(event, WorkDone) for _, event in found.events)
    for t_s, event in found.events:
        match event:
            case WorkDone():
                found.acts.append(_work(found, t_s, event))
            case ActionEvent(bot=player, name=name) if not worked:
                found.acts.append(TimedAct(t_s, player, f"calls {name}", f"calls {name}"))
            case _:
                pass
    return found


def _note(found: Episode, holdings: Iterable[Items]) -> None:
    for items in holdings:
        found.items.update(items)
        found.counts.update(items.values())


def _work(found: Episode, t_s: float, event: WorkDone) -> TimedAct:
    if event.act in _WORK:
        text = f"{_WORK[event.act]} {found.names(event.station)}"
    elif event.act == "give":
        text = f"gives something to {event.to}"
    else:
        text = f"{'crafts' if event.act == 'craft' else 'fills'} {event.item.replace('_', ' ')}"
    return TimedAct(t_s, event.player, text, event.text, event.station)
