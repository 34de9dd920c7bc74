"""Who took up a faith from whom: levels from what people say, exposures, and the graph of conversions.

Somebody's level is the highest that its own words have shown; it only rises. An exposure is one speech with a word of
the faith that somebody else heard. The critical exposure of a convert is the first one at an earlier second than its
conversion; a convert without any is spontaneous. Only the number of pairs of people who heard each other grows with
the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from voyager_agents.lexicon import DIRECT, NONE

LEVELS: Mapping[int, str] = {1: "indirect", 2: "direct"}
"""Level -> what its converts are called."""
PRIEST, NOBODY = "priest", "none"


@dataclass(frozen=True)
class Exposure:
    """Words of the faith that somebody heard."""

    t_s: float
    speaker: str
    level: int
    """That the words show."""


@dataclass(frozen=True)
class Rise:
    """Somebody's own words showed a higher level than ever before."""

    t_s: float
    level: int
    exposures: int
    """Heard before that second."""


@dataclass
class HeardFrom:
    """What one has heard from another."""

    first_s: float
    times: int = 0
    before: int = 0
    """Times that came before the hearer's conversion."""
    last_s: float = -1.0
    """The latest second before its conversion."""
    at_last: int = 0
    """Times at that second."""


@dataclass
class Believer:
    """One of the people."""

    role: str = ""
    town: str = ""
    rises: list[Rise] = field(default_factory=list)
    critical: Exposure | None = None
    """Kept when it converts."""
    first: Exposure | None = None
    """The first of all."""
    exposures: int = 0
    heard_s: float = -1.0
    """Second of the latest exposure."""
    heard_now: int = 0
    """Exposures at that second."""
    spoken: int = 0
    """How often it said a word of the faith."""

    @property
    def level(self) -> int:
        """Now."""
        return self.rises[-1].level if self.rises else NONE

    @property
    def group(self) -> str:
        """`priest`, `direct`, `indirect` or `none`."""
        return PRIEST if self.role == PRIEST else LEVELS.get(self.level, NOBODY)

    @property
    def is_convert(self) -> bool:
        """Whether its words have shown the faith, where it is no priest."""
        return self.role != PRIEST and bool(self.rises)

    def level_at(self, t_s: float) -> int:
        """At that second."""
        return max((rise.level for rise in self.rises if rise.t_s <= t_s), default=NONE)


@dataclass
class Exposures:
    """All of it, so far."""

    people: dict[str, Believer] = field(default_factory=dict)
    pairs: dict[tuple[str, str], HeardFrom] = field(default_factory=dict)
    """(speaker, hearer) -> what was heard."""

    def say(self, t_s: float, speaker: str, level: int, hearers: Sequence[str]) -> bool:
        """Somebody said words of that level (above 0), heard by these; whether it has converted or risen by them."""
        own = self.people.setdefault(speaker, Believer())
        own.spoken += 1
        risen = level > own.level
        if risen:
            if not own.rises:
                self._convert(t_s, speaker, own)
            own.rises.append(Rise(t_s, level, own.exposures - (own.heard_now if own.heard_s >= t_s else 0)))
        exposure = Exposure(t_s, speaker, level)
        for name in hearers:
            self._reach(name, exposure)
        return risen and own.role != PRIEST

    def _convert(self, t_s: float, name: str, own: Believer) -> None:
        """Settle what came before the conversion: words of the same instant may have come after it."""
        own.critical = own.first if own.first is not None and own.first.t_s < t_s else None
        if own.heard_s < t_s:
            return
        for speaker in self.people:
            pair = self.pairs.get((speaker, name))
            if pair is not None and pair.last_s >= t_s:
                pair.before -= pair.at_last

    def _reach(self, name: str, exposure: Exposure) -> None:
        # A default for `setdefault` would be made anew for every ear.
        if (hearer := self.people.get(name)) is None:
            hearer = self.people[name] = Believer()
        hearer.exposures += 1
        hearer.first = hearer.first or exposure
        hearer.heard_now = hearer.heard_now + 1 if exposure.t_s == hearer.heard_s else 1
        hearer.heard_s = exposure.t_s
        if (pair := self.pairs.get((exposure.speaker, name))) is None:
            pair = self.pairs[exposure.speaker, name] = HeardFrom(exposure.t_s)
        pair.times += 1
        if not hearer.rises:
            pair.before += 1
            pair.at_last = pair.at_last + 1 if exposure.t_s == pair.last_s else 1
            pair.last_s = exposure.t_s

    @property
    def converts(self) -> dict[str, Believer]:
        """Name -> convert, in the order of conversion."""
        found = {name: each for name, each in self.people.items() if each.is_convert}
        return dict(sorted(found.items(), key=lambda each: each[1].rises[0].t_s))

    @property
    def spontaneous(self) -> list[str]:
        """Converts that had heard nothing of the faith before: among agents without a model there is none."""
        return [name for name, each in self.converts.items() if each.critical is None]

    @property
    def at_once(self) -> list[str]:
        """Spontaneous converts that heard of the faith for the first time at the second of their conversion."""
        firsts = {name: (self.people[name].first, self.people[name].rises[0].t_s) for name in self.spontaneous}
        return [name for name, (first, t_s) in firsts.items() if first is not None and first.t_s == t_s]

    def counts_at(self, t_s: float) -> dict[str, int]:
        """Group of converts -> how many at that second."""
        levels = [each.level_at(t_s) for each in self.people.values() if each.role != PRIEST]
        return {name: levels.count(level) for level, name in LEVELS.items()}

    def depths(self) -> dict[str, int]:
        """Convert -> its place in its chain of conversions: 1 from a priest, 2 from a convert of a priest."""
        found: dict[str, int] = {}
        for name, each in self.converts.items():
            speaker = each.critical.speaker if each.critical is not None else ""
            found[name] = 1 + found.get(speaker, 0)
        return found

    def reached(self) -> dict[str, int]:
        """Speaker -> of how many converts the critical exposure was its doing."""
        found: dict[str, int] = {}
        for each in self.converts.values():
            if each.critical is not None:
                found[each.critical.speaker] = found.get(each.critical.speaker, 0) + 1
        return found


class Edge(NamedTuple):
    """What a convert heard from one speaker."""

    speaker: str
    hearer: str
    critical: bool
    first_s: float
    times: int


def edges(found: Exposures) -> Iterator[Edge]:
    """The edges of the graph of conversions: all that converts heard, the critical exposure of each marked."""
    critical = {name: each.critical and each.critical.speaker for name, each in found.converts.items()}
    for (speaker, hearer), pair in found.pairs.items():
        if hearer in critical:
            yield Edge(speaker, hearer, critical[hearer] == speaker, pair.first_s, pair.times)


_KEYS = (
    ("node", "group", "string"), ("node", "town", "string"), ("node", "converted_s", "double"),
    ("edge", "critical", "boolean"), ("edge", "first_s", "double"), ("edge", "times", "int"),
)  # fmt: skip


def graphml(found: Exposures) -> str:
    """The graph of conversions as GraphML: priests and converts, and who told whom; networkx reads it."""
    told = list(edges(found))
    names = {name for edge in told for name in (edge.speaker, edge.hearer)}
    shown = [name for name, each in found.people.items() if name in names or each.group != NOBODY]
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">']
    lines += [f'<key id="{name}" for="{where}" attr.name="{name}" attr.type="{kind}"/>' for where, name, kind in _KEYS]
    lines.append('<graph id="conversions" edgedefault="directed">')
    for name in shown:
        each = found.people[name]
        data = {"group": each.group, "town": each.town}
        if each.is_convert:
            data["converted_s"] = f"{each.rises[0].t_s:g}"
        lines.append(f"<node id={quoteattr(name)}>{_data(data)}</node>")
    quoted = {name: quoteattr(name) for name in names}
    # There may be an edge for every two people: numbers need no escapes, and the rest is the same in all.
    lines += [
        f"<edge source={quoted[edge.speaker]} target={quoted[edge.hearer]}>"
        f'<data key="critical">{"true" if edge.critical else "false"}</data><data key="first_s">{edge.first_s:g}</data>'
        f'<data key="times">{edge.times}</data></edge>'
        for edge in told
    ]
    return "\n".join([*lines, "</graph>", "</graphml>"]) + "\n"


def _data(values: Mapping[str, str]) -> str:
    return "".join(f"<data key={quoteattr(key)}>{_escaped(value)}</data>" for key, value in values.items())


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def check_exposed(found: Exposures, deaf: bool) -> list[str]:
    """Return what contradicts that words alone convert, whoever decides for the people; empty where nothing does."""
    at_once = set(found.at_once)
    wrong = [
        f"{name} converted when it heard of it first"
        if name in at_once
        else f"{name} converted and had heard nothing of it"
        for name in found.spontaneous
    ]
    if deaf and found.pairs:
        speaker, hearer = next(iter(found.pairs))
        wrong.append(f"{hearer} heard {speaker}, and all are deaf")
    return wrong


__all__ = [
    "DIRECT", "LEVELS", "NOBODY", "PRIEST", "Believer", "Edge", "Exposure", "Exposures", "HeardFrom", "Rise",
    "check_exposed", "edges", "graphml",
]  # fmt: skip
