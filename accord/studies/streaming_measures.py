"""Counting what a scenario measures while a run is played, so that its log is not read again at the end."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from dilemmas.records.events import LogLine
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import MeasureTally

AS_LOGGED = frozenset({"speech", "choice", "slot", "act_began", "act_ended", "action", "places", "inventory"})
"""Kinds of events that there are very many of; what tallies use of them is the same in the log."""


class Tallying:
    """Takes the events of one run as somebody would who reads its log."""

    def __init__(self, tally: MeasureTally, reads: Container[str] | None) -> None:
        """`reads` are the kinds that the tally uses; None: all."""
        self._tally = tally
        self._reads = reads

    def hear(self, line: LogLine) -> None:
        """The next line of the log."""
        kind = line.kind
        if self._reads is not None and kind not in self._reads:
            return
        # A list in the log may be a tuple here, or somebody else's, who goes on changing it.
        self._tally.add_event(line.event if kind in AS_LOGGED else LogLine.from_json(line.to_json()).event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return as `dilemmas.scenarios.base.Scenario.measures`, of the log so far."""
        return self._tally.measures()

    def society(self) -> dict[str, Any]:
        """Return as `dilemmas.scenarios.base.Scenario.society`, of the log so far."""
        return self._tally.society()


def tallying(scenario: Scenario, record: RunRecord) -> Tallying | None:
    """Return one that hears whatever the record gets from now on; None where the scenario cannot count so."""
    if "tally" not in scenario.abilities:
        return None
    found = Tallying(scenario.tally(), scenario.reads)
    before = record.listen

    def hear(line: LogLine) -> None:
        found.hear(line)
        if before is not None:
            before(line)

    record.listen = hear
    return found
