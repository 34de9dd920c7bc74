"""Unusable answers in the costs of a run: each one is counted once, also in records of earlier versions."""

from __future__ import annotations

from pathlib import Path

import pytest

from dilemmas.records import events as log
from dilemmas.records.costs import faults
from dilemmas.records.record import RunRecord
from voyager_agents.thought_events import Reviewed, Step, Unusable


def told(step: Step) -> log.Event:
    return log.MindTold(player="Ada", step=step)


def counted(folder: Path, events: list[log.Event]) -> dict[tuple[str, str], int]:
    record = RunRecord(folder)
    for event in events:
        record.log(event)
    record.close()
    return dict(faults(folder))


FIRST, LAST = (Unusable("critic", "no JSON", final=final, role="critic") for final in (False, True))
UNREAD = Reviewed(None, "", "unreadable: no JSON")


@pytest.mark.parametrize(
    ("steps", "number"),
    [([FIRST, Reviewed(True, "Well.")], 1), ([FIRST, LAST, UNREAD], 2), ([UNREAD, Reviewed(True, "Well.")], 1)],
    ids=["corrected", "unreadable twice", "of an earlier version"],
)
def test_unusable_reviews_are_counted_once(tmp_path: Path, steps: list[Step], number: int) -> None:
    assert counted(tmp_path, [told(step) for step in steps]) == {("Ada", "critic"): number}
