"""Tables for narrow screens: every cell carries its column's header, which the style sheet shows before it."""

from __future__ import annotations

import html
import re

_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_HEAD = re.compile(r"<thead>.*?</thead>", re.DOTALL)
_NAME = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_CELL = re.compile(r"<t([dh])\b")
_TAG = re.compile(r"<[^>]*>")


def label_cells(page: str) -> str:
    """Return the page with `data-label` on every cell of a table's body. Its text must be escaped."""
    return _TABLE.sub(lambda found: _table(found[0]), page)


def _table(table: str) -> str:
    head = _HEAD.search(table)
    if head is None:
        return table
    names = [_label_text(name) for name in _NAME.findall(head[0])]
    body = _ROW.sub(lambda row: _row(row[0], names), table[head.end() :])
    return table[: head.end()] + body


def _row(row: str, names: list[str]) -> str:
    places = iter(range(len(names)))

    def label(cell: re.Match[str]) -> str:
        place = next(places, None)
        return cell[0] if place is None else f'{cell[0]} data-label="{names[place]}"'

    return _CELL.sub(label, row)


def _label_text(name: str) -> str:
    """Return the words of a header for an attribute."""
    return html.escape(html.unescape(_TAG.sub(" ", name)).strip(), quote=True)
