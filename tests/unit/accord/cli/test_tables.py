"""Terminal tables at every width: no number is cut, and every number appears in a table with its row's name."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from accord.analysis.report.comparison import compare
from accord.analysis.report.reader import read_runs
from accord.cli import show
from accord.cli.show import comparison_table, contrast_table
from accord.cli.tables import table
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run

WIDTHS = (40, 60, 80, 100, 120, 200)


def printed(shown: Table, width: int) -> str:
    out = io.StringIO()
    Console(file=out, width=width).print(shown)
    return out.getvalue()


def whole(shown: Table, width: int) -> None:
    """Check that the text fits the width and contains every line of every number cell unchanged."""
    text = printed(shown, width)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    for column in shown.columns:
        if column.justify == "right":
            for cell in column.cells:
                for line in str(cell).splitlines():
                    assert f" {line.strip()} " in f" {text} ".replace("\n", " "), (line, text)


@pytest.mark.parametrize("width", WIDTHS)
def test_a_wide_table_is_printed_as_tables_one_below_the_other(width: int) -> None:
    shown = table("what the numbers are")
    shown.add_column("condition")
    for number in range(9):
        shown.add_column(f"measure {number}", justify="right")
    for name in ("none", "negotiate+transfers=pairwise", "a name of several words"):
        shown.add_row(name, *(f"{number}.1234567 ({-number}.5)" for number in range(9)))
    whole(shown, width)
    text = printed(shown, width)
    assert text.count("condition") == text.count("several")
    assert (text.count("condition") == 1) is (width == 200)
    assert text.count("what the numbers are") == 1


def test_a_table_with_room_is_one_table_as_wide_as_its_cells() -> None:
    shown = table()
    shown.add_column("name")
    shown.add_column("count", justify="right")
    shown.add_row("a name of several words", "12")
    head, _, row = [line.rstrip() for line in printed(shown, 80).splitlines() if line.strip()]
    assert (head, row) == (f" {'name':23}   count", f" {'a name of several words':23}      12")


def test_a_comparison_keeps_its_digits(tmp_path: Path) -> None:
    for seed, items in enumerate((Story().items, GREEDY, Story().items)):
        write_run(tmp_path / f"n{seed}", Story(seed=seed, items=items))
        long = Story(condition="negotiate+transfers=pairwise+judge=hash", contract="double_vein_1", transfer=1234567)
        write_run(tmp_path / f"c{seed}", replace(long, seed=seed, items=items))
    comparison = compare(read_runs([tmp_path]))
    for width in WIDTHS:
        whole(comparison_table(comparison), width)
        whole(contrast_table(comparison), width)


def test_all_pairs_are_shown_and_above_the_limit_the_rest_is_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place, name in enumerate(("none", "a", "b", "c", "d")):
        for seed, items in enumerate((Story().items, GREEDY, Story().items)):
            story = Story(condition=name, seed=seed, items=items, transfer=float(place * (1 + seed)))
            write_run(tmp_path / f"{name}{seed}", story)
    comparison = compare(read_runs([tmp_path]))
    count = len(comparison.notable)
    assert count > len(comparison.conditions)
    assert contrast_table(comparison).row_count == count
    assert "more in comparisons.csv" not in str(contrast_table(comparison).caption)
    monkeypatch.setattr(show, "MAX_CONTRASTS", count - 1)
    cut = contrast_table(comparison)
    assert f"; {count - cut.row_count} more in comparisons.csv" in str(cut.caption)
    assert 0 < cut.row_count < count
