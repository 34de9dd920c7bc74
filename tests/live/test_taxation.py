"""A taxed society on a real server: deposits match the chests, however fast constituents walk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import SeasonClosed, SeasonOpened, TaxMoved
from dilemmas.records.record import read_events
from tests.fakes.taxed import TRADES, small_taxation

pytestmark = pytest.mark.live

LATE = {"feedback": 20, "amendments": 21, "ballots": 22, "count": 23, "adoption": 24}
"""Beyond the end, so that the law stays unchanged."""
PAID, NOT_PAID = {"paid", "paid_again"}, {"nothing_held", "present", "absent", "gone"}


async def test_payments_of_a_season_equal_the_contents_of_the_chests(tmp_path: Path) -> None:
    """Nobody has to arrive in time: late constituents are recorded as not having paid."""
    seasons = {"count": 1, "every_s": 12, "window_s": 9}
    path = small_taxation(tmp_path, seconds=13, at=LATE, items={"Dot": {}}, seasons=seasons)
    settings = StudySettings(str(path), world="embedded", contracts=("no-influencers",), out=tmp_path / "runs")
    found = await run_study(settings)
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    told: list[Any] = [line.event for line in read_events(found.directory / "events.jsonl")]
    (opened,) = [event for event in told if isinstance(event, SeasonOpened)]
    (closed,) = [event for event in told if isinstance(event, SeasonClosed)]
    moves = [event for event in told if isinstance(event, TaxMoved)]
    # A deposit at the very moment of closing may be seen on one side only; it is then recorded as unattributed.
    assert closed.balanced == (not closed.unattributed)
    assert opened.held.keys() == closed.state.keys() == {*TRADES}
    assert not any(opened.chests.values())
    for name, state in closed.state.items():
        assert state in (PAID if closed.paid[name] else NOT_PAID), (name, state)
    per_item: dict[str, int] = {}
    for move in moves:
        for item, count in move.items.items():
            per_item[item] = per_item.get(item, 0) + (-count if move.taken else count)
    there: dict[str, int] = {}
    for items in closed.chests.values():
        for item, count in items.items():
            there[item] = there.get(item, 0) + count
    assert {item: count for item, count in per_item.items() if count} == there
    assert sum(closed.paid.values()) + sum(closed.unattributed.values()) == sum(there.values())
    for name, paid in closed.paid.items():
        assert paid == sum(
            (-1 if move.taken else 1) * sum(move.items.values()) for move in moves if move.player == name
        )
