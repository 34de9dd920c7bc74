"""Religion: five hundred people in towns and on the land, twenty priests, and what spreads by words alone.

Rules
    Vanilla's, on flat land. There are six towns; people walk about, travel between towns and talk to whoever is in
    earshot. There are no payoffs.

What is asked
    How a faith and other topics spread from mouth to mouth. Levels follow from what somebody says: the faith's name
    makes a direct convert, its theme an indirect one; they only rise, and priests are a group of their own. Who hears
    nothing (`deaf`) must take up nothing.

Source
    Project Sid (sections 5.3 and 8.4, appendix E): 500 agents, 9000 s, the towns' names and places. Where it is silent
    the YAML file beside this module chooses.

Version history
    1   first version
    2   believers are moved less by one exposure (docs/religion.md): converts of both kinds rise for all of 9000 s
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.protocol import COUNT, Gathering, MeasureTally, ValueBounds
from dilemmas.scenarios.religion.measures import KINDS, SpreadTally, measures, society
from dilemmas.scenarios.religion.spec import ReligionSpec
from dilemmas.scenarios.societies.scenario import LivedSociety
from voyager_agents.realtime_agent import Voice


class Religion(LivedSociety):
    """The society of towns and its variants."""

    Spec = ReligionSpec
    spec: ReligionSpec
    reads = KINDS
    """Kinds of events that the measures use; most lines of a crowd's log are of others."""
    gathers: Mapping[str, Gathering] = dict.fromkeys(("level", "converted_s"), "mean")

    def voice_ranges(self, condition: str) -> Mapping[Voice, float]:
        """Return the spec's ranges, or 0 for every voice under a condition in which everybody is deaf."""
        ranges = self.spec.voice_ranges()
        return dict.fromkeys(ranges, 0.0) if self.spec.is_deaf(condition) else ranges

    def opening_events(self, condition: str) -> Sequence[Event]:
        """Return homes and preachers."""
        return [self.spec.settlement(condition)]

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return level, words spoken and heard of the faith, and number of people reached, by player."""
        return measures(lines)

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | dict.fromkeys(
            ("level", "converted_s", "faith_said", "faith_heard", "converts_made"), COUNT
        )

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return converts over time, area, exposures, and memes by place."""
        return society(lines)

    def tally(self) -> MeasureTally:
        """Return a tally of spread."""
        return SpreadTally()
