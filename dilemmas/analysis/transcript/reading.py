"""From a run's log to its steps, in one pass; what is held does not grow with the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from dilemmas.analysis.transcript.desk import Desk
from dilemmas.analysis.transcript.makers import MAKERS
from dilemmas.analysis.transcript.model import Step, Wanted
from dilemmas.records.events import Line
from dilemmas.records.record import read_events

LOG = "events.jsonl"


def read_steps(
    directory: Path, wanted: Wanted | None = None, see: Callable[[Line], None] | None = None
) -> Iterator[Step]:
    """The steps of the run in that directory that are wanted, in their order. `see` is shown each line that was read.

    Raises RecordError when the log cannot be read.
    """
    takes = (wanted or Wanted()).takes
    desk = Desk()
    for line in read_events(directory / LOG, only=MAKERS):
        desk.begin(line)
        if see is not None:
            see(line)
        for step in MAKERS[line.kind](line.event, desk) if line.kind in MAKERS else ():
            if takes(step):
                yield step
    # A run that was killed has no end: what was on the desk is told all the same.
    for step in (*desk.all_deeds(), *desk.unclaimed()):
        if takes(step):
            yield step
