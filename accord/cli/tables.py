"""Terminal tables without truncated cells: columns that do not fit side by side are printed in tables below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

GAPS = (3, 2)
"""Gaps between two columns in characters; the second is used if all columns fit side by side only with it."""
EDGES = 2
"""Width of a table's left and right edges in characters."""
MAX_WORD = 24
"""Maximum length of a word that is kept in one line in a narrow table, in characters."""
UNBOUNDED = 10_000


class Width(NamedTuple):
    """Widths of a column in characters."""

    least: int
    """Minimum width that breaks no number."""
    full: int
    """Minimum width that wraps nothing."""


class NumberTable(Table):
    """Table with leading text columns that name each row, and right-justified columns of numbers.

    Text wraps and numbers do not. If the terminal is too narrow for all numbers, several tables are printed one below
    the other, each with the leading text columns.
    """

    def __init__(self) -> None:
        super().__init__(box=box.SIMPLE_HEAD, header_style="bold", pad_edge=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        widths = [_width(console, options, column) for column in self.columns]
        wide, narrow = ((gap, list(self._parts(widths, options.max_width, gap))) for gap in GAPS)
        gap, parts = wide if len(wide[1]) == 1 else narrow
        for numbers in parts:
            fitted = _fitted([widths[number] for number in numbers], options.max_width, gap)
            yield self._part(numbers, fitted, gap)
        if self.caption:
            yield Text.assemble(self.caption, style="table.caption")

    def _parts(self, widths: Sequence[Width], room: int, gap: int) -> Iterator[list[int]]:
        """Yield the column numbers of each printed table."""
        keys = next((number for number, column in enumerate(self.columns) if column.justify == "right"), 1)
        part = list(range(keys))
        for number in range(keys, len(self.columns)):
            if len(part) > keys and _total([widths[each].least for each in (*part, number)], gap) > room:
                yield part
                part = list(range(keys))
            part.append(number)
        yield part

    def _part(self, numbers: Sequence[int], widths: Sequence[int], gap: int) -> Table:
        narrow = gap < max(GAPS)
        shown = Table(box=self.box, header_style=self.header_style, pad_edge=False, collapse_padding=narrow)
        cells = [list(self.columns[number].cells) for number in numbers]
        for number, width in zip(numbers, widths, strict=True):
            column = self.columns[number]
            shown.add_column(column.header, justify=column.justify, width=width, overflow="fold")
        for row, told in enumerate(self.rows):
            shown.add_row(*(column[row] for column in cells), style=told.style)
        return shown


def table(caption: str = "") -> NumberTable:
    """Return an empty table in the house style."""
    shown = NumberTable()
    shown.caption = caption or None
    return shown


def _width(console: Console, options: ConsoleOptions, column: Column) -> Width:
    measured = [_measured(console, options, cell) for cell in column.cells]
    head = _measured(console, options, column.header)
    full = max(each.maximum for each in (head, *measured))
    if column.no_wrap:
        return Width(full, full)
    words = [min(each.minimum, MAX_WORD) for each in (head, *measured)]
    numbers = [each.maximum for each in measured] if column.justify == "right" else []
    return Width(max([*words, *numbers]), full)


def _measured(console: Console, options: ConsoleOptions, cell: RenderableType) -> Measurement:
    return Measurement.get(console, options.update_width(UNBOUNDED), cell)


def _total(widths: Sequence[int], gap: int) -> int:
    """Return the total width of a table with these column widths, edges included."""
    return sum(widths) + gap * (len(widths) - 1) + EDGES


def _fitted(widths: Sequence[Width], room: int, gap: int) -> list[int]:
    """Return a width for each column: its full width, with the widest columns narrowed until the table fits."""
    found = [width.full for width in widths]
    while _total(found, gap) > room:
        spare = [number for number, width in enumerate(widths) if found[number] > width.least]
        # Last resort on a very narrow terminal: text breaks within words.
        spare = spare or [number for number in range(len(widths) - 1) if found[number] > 1]
        if not spare:
            break
        found[max(spare, key=found.__getitem__)] -= 1
    return found
