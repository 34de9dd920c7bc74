"""Measures of a scenario counted while a run is played, so that the log is not read again at the end."""

from __future__ import annotations

from collections.abc import Container
from typing import Any

from dilemmas.records.events import LogLine
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import MeasureTally

AS_LOGGED = frozenset({"speech", "choice", "slot", "act_began", "act_ended", "action", "places", "inventory"})
"""Frequent kinds of events, passed to tallies without a round trip through JSON: the fields that tallies use are equal
in the log."""


class Tallying:
    """Counter of one run's measures, fed with its events in the form in which a reader of the log sees them."""

    def __init__(self, tally: MeasureTally, reads: Container[str] | None) -> None:
        """Feed `tally` with the kinds of events in `reads`; None for all kinds."""
        self._tally = tally
        self._reads = reads

    def hear(self, line: LogLine) -> None:
        """Handle the next line of the log."""
        kind = line.kind
        if self._reads is not None and kind not in self._reads:
            return
        # A list in the log may be a tuple in the event, or a list that its owner still changes.
        self._tally.add_event(line.event if kind in AS_LOGGED else LogLine.from_json(line.to_json()).event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the measures of the log so far, as `dilemmas.scenarios.base.Scenario.measures` does."""
        return self._tally.measures()

    def society(self) -> dict[str, Any]:
        """Return the society of the log so far, as `dilemmas.scenarios.base.Scenario.society` does."""
        return self._tally.society()


def tallying(scenario: Scenario, record: RunRecord) -> Tallying | None:
    """Return a counter fed with all further lines of the record; None if the scenario has no tally."""
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
