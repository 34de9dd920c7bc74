"""Facts of a moment that can be asked about: words to fill in, the true answer, and wrong ones from the same log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import dist

from accord.analysis.questions.moments import LogMoment, Said
from common.untrusted_text import quote_text

NOBODY = "nobody"
MARGIN = 1.0
"""Minimum difference of two distances, in blocks, for one of the places to be the nearer one."""
MAX_WAIT_S = 30.0
"""Maximum time until an act that is asked about, in seconds."""
MAX_ACTS = 24
"""Maximum number of the latest acts that are shown with a question."""
MIN_WORDS = 3
"""Minimum number of words of a message that is asked about."""


@dataclass(frozen=True)
class Fact:
    """A fact as the answer to a question."""

    slots: Mapping[str, str]
    answer: str
    others: Sequence[str]
    """Wrong answers from the same log, without the right one."""
    first: str = ""
    """Wrong answer that must be among the options."""


def _words(item: str) -> str:
    return item.replace("_", " ")


def holder(moment: LogMoment) -> Iterator[Fact]:
    """Yield every item that one player alone holds."""
    for item in sorted({item for items in moment.held.values() for item in items}):
        owners = [player for player, items in moment.held.items() if items.get(item)]
        if len(owners) == 1:
            others = [name for name in moment.players if name != owners[0]]
            yield Fact({"item": _words(item)}, owners[0], [*others, NOBODY])


def held(moment: LogMoment) -> Iterator[Fact]:
    """Yield the number of each item that a player holds."""
    for player, items in moment.held.items():
        for item, count in sorted(items.items()):
            others = [str(each) for each in sorted({0, *moment.episode.counts}) if each != count]
            yield Fact({"item": _words(item), "player": player}, str(count), others)


def store(moment: LogMoment) -> Iterator[Fact]:
    """Yield every item that lies in one place alone."""
    for item in sorted({item for items in moment.stores.values() for item in items}):
        places = [name for name, items in moment.stores.items() if items.get(item)]
        if len(places) == 1:
            others = [_words(name) for name in moment.stores if name != places[0]]
            yield Fact({"item": _words(item)}, _words(places[0]), others)


def nearest_station(moment: LogMoment) -> Iterator[Fact]:
    """Yield the place that a player is clearly nearest to."""
    for player, spot in moment.at.items():
        near = sorted(
            (dist(spot, [part + 0.5 for part in each.at]), name) for name, each in moment.episode.laid.items()
        )
        if len(near) > 1 and near[1][0] - near[0][0] >= MARGIN:
            yield Fact({"player": player}, _words(near[0][1]), [_words(name) for _, name in near[1:]])


def nearest_player(moment: LogMoment) -> Iterator[Fact]:
    """Yield the player that is clearly nearest to another one, of two others or more."""
    for player, spot in moment.at.items():
        near = sorted((dist(spot, other), name) for name, other in moment.at.items() if name != player)
        if len(near) > 1 and near[1][0] - near[0][0] >= MARGIN:
            yield Fact({"player": player}, near[0][1], [name for _, name in near[1:]])


def _told_once(moment: LogMoment) -> Iterator[Said]:
    """Yield messages with words that only one player used."""
    for each in moment.said:
        if len(each.text.split()) >= MIN_WORDS:
            speakers = {other.speaker for other in moment.said if other.text == each.text}
            if speakers == {each.speaker} and each.speaker in moment.players:
                yield each


def speaker(moment: LogMoment) -> Iterator[Fact]:
    """Yield who said something."""
    for each in _told_once(moment):
        others = [name for name in moment.players if name != each.speaker]
        yield Fact({"words": quote_text(each.text)}, each.speaker, others)


def hearer(moment: LogMoment) -> Iterator[Fact]:
    """Yield the only one of two others or more who heard something."""
    for each in _told_once(moment):
        others = [name for name in moment.players if name != each.speaker]
        heard = {name for told in moment.said if told.text == each.text for name in told.hearers or ()} & {*others}
        if each.hearers is not None and len(heard) == 1 and len(others) > 1:
            (answer,) = heard
            deaf = [name for name in others if name != answer]
            yield Fact({"speaker": each.speaker, "words": quote_text(each.text)}, answer, deaf)


def in_sight(moment: LogMoment) -> Iterator[Fact]:
    """Yield the only other player in the same room, or nobody; where walls part rooms."""
    rooms = moment.episode.rooms
    if len(set(rooms.values())) < 2:
        return
    for player, room in rooms.items():
        seen = [name for name, other in rooms.items() if name != player and other == room]
        if len(seen) <= 1:
            answer = seen[0] if seen else NOBODY
            others = [name for name in (*rooms, NOBODY) if name not in (player, answer)]
            yield Fact({"player": player}, answer, others)


def last_look(moment: LogMoment) -> Iterator[Fact]:
    """Yield what a place held when a player last worked there, if it holds another number now."""
    for (player, station), look in sorted(moment.looks.items()):
        now = moment.stores.get(station)
        since = sum(act.t_s > look.t_s for act in moment.acts)
        # Stoves change what they hold, which a cook knows. Older visits are not among the acts that are shown.
        if now is None or moment.episode.laid[station].kind == "stove" or since >= MAX_ACTS:
            continue
        for item in sorted({*look.holds, *now}):
            then, current = look.holds.get(item, 0), now.get(item, 0)
            if then != current:
                others = [str(each) for each in sorted({0, *moment.episode.counts}) if each not in (then, current)]
                slots = {"player": player, "station": _words(station), "item": _words(item)}
                yield Fact(slots, str(then), others, first=str(current))


def unaware(moment: LogMoment) -> Iterator[Fact]:
    """Yield the only player who has not worked at a place where all others have."""
    for station in moment.episode.laid:
        out = [name for name in moment.players if (name, station) not in moment.looks]
        if len(out) == 1 and len(moment.players) > 1:
            others = [name for name in moment.players if name != out[0]]
            yield Fact({"station": _words(station)}, out[0], others)


def next_act(moment: LogMoment) -> Iterator[Fact]:
    """Yield what a player does next, if that is one kind of act."""
    texts = sorted({act.text for act in moment.episode.acts})
    for player in moment.players:
        own = [act for act in moment.later if act.player == player and act.t_s <= moment.t_s + MAX_WAIT_S]
        first = {act.text for act in own if act.t_s == own[0].t_s}
        if len(first) == 1:
            (answer,) = first
            yield Fact({"player": player}, answer, [text for text in texts if text != answer])


def next_actor(moment: LogMoment) -> Iterator[Fact]:
    """Yield the player who is the next to do something that is not done at once by two."""
    for text in sorted({act.text for act in moment.later}):
        same = [act for act in moment.later if act.text == text]
        first = {act.player for act in same if act.t_s == same[0].t_s}
        if len(first) == 1 and same[0].t_s <= moment.t_s + MAX_WAIT_S:
            (answer,) = first
            yield Fact({"act": text}, answer, [name for name in moment.players if name != answer])


def lacking(moment: LogMoment) -> Iterator[Fact]:
    """Yield the only item that a counter lacks to be served."""
    wanted = moment.episode.needs.get("serve", {})
    for station, laid in moment.episode.laid.items():
        missing = [item for item in wanted if not moment.stores.get(station, {}).get(item)]
        if laid.kind == "counter" and len(missing) == 1 and len(wanted) > 1:
            others = [_words(item) for item in sorted(moment.episode.items) if item not in missing]
            first = next(_words(item) for item in wanted if item not in missing)
            yield Fact(
                {"station": _words(station)}, _words(missing[0]), [each for each in others if each != first], first
            )


SOURCES: Mapping[str, Callable[[LogMoment], Iterator[Fact]]] = {
    each.__name__: each
    for each in (
        holder, held, store, nearest_station, nearest_player, speaker, hearer, in_sight, last_look, unaware, next_act,
        next_actor, lacking,
    )
}  # fmt: skip
"""Name of a source of facts -> function that yields the facts of a moment; none where the log does not tell."""
