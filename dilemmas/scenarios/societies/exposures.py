"""Spread of a faith: levels from people's own words, exposures, and the graph of conversions.

A person's level is the highest that its own words have shown; it only rises. An exposure is one speech with a word of
the faith that another person heard. The critical exposure of a convert is the first one at an earlier second than its
conversion; a convert without any is spontaneous. Only the number of pairs of people who heard each other grows with
the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from voyager_agents.lexicon import DIRECT, NONE

LEVELS: Mapping[int, str] = {1: "indirect", 2: "direct"}
"""Level -> name of its converts."""
PRIEST, NOBODY = "priest", "none"


@dataclass(frozen=True)
class Exposure:
    """Words of the faith that a person heard."""

    t_s: float
    speaker: str
    level: int
    """Level that the words show."""


@dataclass(frozen=True)
class Rise:
    """A rise of a person's level, shown by its own words."""

    t_s: float
    level: int
    exposures: int
    """Exposures before that second."""


@dataclass
class HeardFrom:
    """Exposures of one hearer by one speaker."""

    first_s: float
    times: int = 0
    before: int = 0
    """Number of exposures before the hearer's conversion."""
    last_s: float = -1.0
    """Latest second of an exposure before the hearer's conversion."""
    at_last: int = 0
    """Number of exposures at that second."""


@dataclass
class Believer:
    """State of one person."""

    role: str = ""
    town: str = ""
    rises: list[Rise] = field(default_factory=list)
    critical: Exposure | None = None
    """Critical exposure, kept at conversion."""
    first: Exposure | None = None
    """First exposure of all."""
    exposures: int = 0
    heard_s: float = -1.0
    """Second of the latest exposure."""
    heard_now: int = 0
    """Exposures at that second."""
    spoken: int = 0
    """Number of speeches with a word of the faith."""

    @property
    def level(self) -> int:
        """Level now."""
        return self.rises[-1].level if self.rises else NONE

    @property
    def group(self) -> str:
        """Group now: `priest`, `direct`, `indirect` or `none`."""
        return PRIEST if self.role == PRIEST else LEVELS.get(self.level, NOBODY)

    @property
    def is_convert(self) -> bool:
        """True for a person that is no priest and whose words have shown the faith."""
        return self.role != PRIEST and bool(self.rises)

    def level_at(self, t_s: float) -> int:
        """Return the level at a second."""
        return max((rise.level for rise in self.rises if rise.t_s <= t_s), default=NONE)


@dataclass
class Exposures:
    """All people, exposures and conversions so far."""

    people: dict[str, Believer] = field(default_factory=dict)
    pairs: dict[tuple[str, str], HeardFrom] = field(default_factory=dict)
    """(speaker, hearer) -> exposures."""

    def add_speech(self, t_s: float, speaker: str, level: int, hearers: Sequence[str]) -> bool:
        """Add a speech with words of the faith.

        Args:
            t_s: Second of the speech.
            speaker: Name of the speaker.
            level: Level that the words show, above 0.
            hearers: Names of the hearers.

        Returns:
            True if the speaker, who is no priest, has risen by the words.
        """
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
        """Fix the exposures before a conversion: words of the same instant may have come after it."""
        own.critical = own.first if own.first is not None and own.first.t_s < t_s else None
        if own.heard_s < t_s:
            return
        for speaker in self.people:
            pair = self.pairs.get((speaker, name))
            if pair is not None and pair.last_s >= t_s:
                pair.before -= pair.at_last

    def _reach(self, name: str, exposure: Exposure) -> None:
        # `setdefault` would make a new default for every hearer.
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
        """Return name -> convert, in the order of conversion."""
        found = {name: each for name, each in self.people.items() if each.is_convert}
        return dict(sorted(found.items(), key=lambda each: each[1].rises[0].t_s))

    @property
    def spontaneous(self) -> list[str]:
        """Return converts that had not heard of the faith before; agents without a model never convert so."""
        return [name for name, each in self.converts.items() if each.critical is None]

    @property
    def at_once(self) -> list[str]:
        """Return spontaneous converts that first heard of the faith at the second of their conversion."""
        firsts = {name: (self.people[name].first, self.people[name].rises[0].t_s) for name in self.spontaneous}
        return [name for name, (first, t_s) in firsts.items() if first is not None and first.t_s == t_s]

    def counts_at(self, t_s: float) -> dict[str, int]:
        """Return group of converts -> number of converts at a second."""
        levels = [each.level_at(t_s) for each in self.people.values() if each.role != PRIEST]
        return {name: levels.count(level) for level, name in LEVELS.items()}

    def depths(self) -> dict[str, int]:
        """Return convert -> place in its chain of conversions: 1 from a priest, 2 from a convert of a priest."""
        found: dict[str, int] = {}
        for name, each in self.converts.items():
            speaker = each.critical.speaker if each.critical is not None else ""
            found[name] = 1 + found.get(speaker, 0)
        return found

    def reached(self) -> dict[str, int]:
        """Return speaker -> number of converts whose critical exposure was the speaker's."""
        found: dict[str, int] = {}
        for each in self.converts.values():
            if each.critical is not None:
                found[each.critical.speaker] = found.get(each.critical.speaker, 0) + 1
        return found


class Edge(NamedTuple):
    """Exposures of one convert by one speaker."""

    speaker: str
    hearer: str
    critical: bool
    first_s: float
    times: int


def edges(found: Exposures) -> Iterator[Edge]:
    """Return the edges of the graph of conversions, with the critical exposure of each convert marked."""
    critical = {name: each.critical and each.critical.speaker for name, each in found.converts.items()}
    for (speaker, hearer), pair in found.pairs.items():
        if hearer in critical:
            yield Edge(speaker, hearer, critical[hearer] == speaker, pair.first_s, pair.times)


_KEYS = (
    ("node", "group", "string"), ("node", "town", "string"), ("node", "converted_s", "double"),
    ("edge", "critical", "boolean"), ("edge", "first_s", "double"), ("edge", "times", "int"),
)  # fmt: skip


def graphml(found: Exposures) -> str:
    """Return the graph of conversions as GraphML, which networkx reads."""
    # Imported here, because it loads urllib, which most studies do without.
    from xml.sax.saxutils import quoteattr

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
    # There may be an edge for every pair: numbers need no escapes, and the other texts are constant.
    lines += [
        f"<edge source={quoted[edge.speaker]} target={quoted[edge.hearer]}>"
        f'<data key="critical">{"true" if edge.critical else "false"}</data><data key="first_s">{edge.first_s:g}</data>'
        f'<data key="times">{edge.times}</data></edge>'
        for edge in told
    ]
    return "\n".join([*lines, "</graph>", "</graphml>"]) + "\n"


def _data(values: Mapping[str, str]) -> str:
    return "".join(f'<data key="{key}">{_escaped(value)}</data>' for key, value in values.items())


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def check_exposed(found: Exposures, deaf: bool) -> list[str]:
    """Return contradictions to the claim that words alone convert; empty if there are none."""
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
