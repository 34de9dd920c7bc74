"""Tables in the terminal. No cell is ever cut: columns that have no room beside the others are printed below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich import box
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

GAPS = (3, 2)
"""Characters between two columns; the second where all columns fit side by side only so."""
EDGES = 2
"""Characters at the left and right of a table."""
MAX_WORD = 24
"""Characters of a word that stay in one line where there is little room."""
UNBOUNDED = 10_000


class Width(NamedTuple):
    """Widths of a column in characters."""

    least: int
    """The narrowest at which no number is broken."""
    full: int
    """The narrowest at which nothing is wrapped."""


class NumberTable(Table):
    """Table whose right-justified columns hold numbers, and whose leading text columns say what each row is.

    Text wraps and numbers do not. Where the terminal is too narrow for all numbers side by side, the table is printed
    as several tables one below the other, each with the leading text columns.
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
        """Yield the numbers of the columns of each table that is printed."""
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
    """Return the width of a table with columns of these widths, its edges included."""
    return sum(widths) + gap * (len(widths) - 1) + EDGES


def _fitted(widths: Sequence[Width], room: int, gap: int) -> list[int]:
    """Return a width for each column: as wide as it likes, the widest ones narrowed until all have room."""
    found = [width.full for width in widths]
    while _total(found, gap) > room:
        spare = [number for number, width in enumerate(widths) if found[number] > width.least]
        # The last resort on a very narrow terminal: text breaks within words.
        spare = spare or [number for number in range(len(widths) - 1) if found[number] > 1]
        if not spare:
            break
        found[max(spare, key=found.__getitem__)] -= 1
    return found
