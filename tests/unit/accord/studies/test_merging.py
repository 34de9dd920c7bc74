"""Log lines of several regions merged in one order, independent of the regions' speed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest

from bridge.regions import within
from dilemmas.records.events import LifeBegan
from dilemmas.records.merging import LEAD, RegionMerger
from dilemmas.records.record import RunRecord, read_events

LINES = {0: [(5, "a"), (10, "b"), (10, "c")], 1: [(5, "d"), (7, "e"), (15, "f")]}
"""Region -> world age in ticks and text of its log lines."""


def said(text: str) -> LifeBegan:
    return LifeBegan(t_s=0, player=text, attempt=1)


def merged(order: Sequence[int]) -> list[str]:
    """Return the merged lines when regions log in the given order."""
    found: list[str] = []
    merging = RegionMerger(2, 0, lambda event, _tick: found.append(getattr(event, "player", "")))
    left = {region: list(lines) for region, lines in LINES.items()}
    for region in order:
        tick, text = left[region].pop(0)
        merging.advance_clock(region, tick)
        merging.add_event(region, said(text), tick)
    for region in (0, 1):
        merging.finish_region(region)
    merging.write_rest()
    return found


@pytest.mark.parametrize("order", [[0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0], [0, 1, 1, 0, 1, 0], [1, 0, 1, 0, 0, 1]])
def test_lines_come_by_tick_and_region_whichever_is_quicker(order: list[int]) -> None:
    assert merged(order) == ["a", "d", "e", "b", "c", "f"]


def test_a_line_of_an_earlier_tick_stays_behind_those_of_its_region() -> None:
    found: list[str] = []
    merging = RegionMerger(2, 0, lambda event, _tick: found.append(getattr(event, "player", "")))
    merging.advance_clock(0, 20)
    merging.add_event(0, said("late"), 3)
    merging.add_event(1, said("early"), 19)
    merging.advance_clock(1, 20)
    assert found == ["early"]
    merging.write_rest()
    assert found == ["early", "late"]


async def test_who_is_far_ahead_waits_until_the_others_have_come_near_or_are_over() -> None:
    merging = RegionMerger(2, 100, lambda _event, _tick: None)
    merging.advance_clock(0, 100 + LEAD)
    assert not merging.is_far_ahead(0)
    merging.advance_clock(0, 101 + LEAD)
    assert merging.is_far_ahead(0)
    waits = asyncio.create_task(merging.wait_for_others(0))
    for _ in range(3):
        await asyncio.sleep(0)
    assert not waits.done()
    merging.advance_clock(1, 101)
    await waits
    merging.advance_clock(0, 10_000)
    again = asyncio.create_task(merging.wait_for_others(0))
    await asyncio.sleep(0)
    merging.finish_region(1)
    await again


def test_a_record_merges_what_regions_log_and_writes_all_that_is_left(tmp_path: Path) -> None:
    record = RunRecord.create(tmp_path / "run", {})
    with record.merge_regions(2, 0) as merging:
        with within(1):
            record.log(said("second"), 4)
        record.log(said("outside"))
        with within(0):
            record.log(said("first"), 4)
        merging.advance_clock(0, 5)
        assert [line.event.player for line in read_events(tmp_path / "run" / "events.jsonl")] == ["outside"]  # type: ignore[union-attr]
    with within(1):
        record.log(said("afterwards"))
    record.close()
    lines = list(read_events(tmp_path / "run" / "events.jsonl"))
    assert [line.event.player for line in lines] == ["outside", "first", "second", "afterwards"]  # type: ignore[union-attr]
    assert [line.seq for line in lines] == [0, 1, 2, 3]
