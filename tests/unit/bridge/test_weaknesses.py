"""Patches that disable a defence must still apply to the sources; moved code would disarm the check."""

from __future__ import annotations

import pytest

from bridge.prerequisites import ROOT
from tests.hostile.weakened import Change
from tests.hostile.weaknesses import HOLE, WEAKNESSES

CHANGES = [*HOLE, *(change for each in WEAKNESSES for change in (*each.changes, *each.supervisor))]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: f"{change.file}: {change.old[:40]}")
def test_a_change_finds_its_place_exactly_once(change: Change) -> None:
    assert (ROOT / change.file).read_text("utf-8").count(change.old) == 1
