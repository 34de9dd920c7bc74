"""Text for a person's screen as vanilla commands: chat lines for one player, and written books.

A command over RCON has at most 1446 bytes, so a long text becomes several lines, and a long book several volumes. The
texts contain words of agents: they are quoted twice, as JSON inside SNBT, and cannot end their string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

MAX_BYTES = 1300
"""Maximum size of a command's text part in bytes, which keeps the whole command below RCON's limit."""
PAGE = 200
"""Number of characters on a page of a book that a client shows without truncation."""
MAX_LINES = 120
"""Maximum number of chat lines of one text; a client keeps 100."""
MAX_VOLUMES = 4
"""Maximum number of books of one text; the last one says if text is missing."""
_UNSHOWN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\xa7]+")


def printable(text: str) -> str:
    """Return the text without characters that a client obeys or hides, such as control and direction marks."""
    return _UNSHOWN.sub(" ", text.encode("utf-8", "replace").decode("utf-8"))


def lines_for(player: str, text: str) -> list[str]:
    """Return commands that show the text to one player line by line."""
    pieces = [piece for line in printable(text).splitlines() for piece in _pieces(line or " ", MAX_BYTES)]
    if len(pieces) > MAX_LINES:
        pieces = [*pieces[: MAX_LINES - 1], "(the rest has no room here: it is in the record)"]
    return [f"tellraw {player} {_component(piece)}" for piece in pieces]


def books_for(player: str, title: str, text: str, slots: Sequence[str]) -> list[str]:
    """Return commands that put a text into written books, one volume per slot as needed.

    Args:
        player: Receiver of the books.
        title: Title of the books.
        text: Text to write.
        slots: Inventory slots for the volumes.
    """
    title, volumes = " ".join(printable(title).split()), list(_volumes(printable(text)))
    most = min(len(slots), MAX_VOLUMES)
    if len(volumes) > most:
        volumes = volumes[:most]
        volumes[-1][-1] = "(The rest has no room in a book.)"
    made = []
    for number, (slot, pages) in enumerate(zip(slots, volumes, strict=False), 1):
        name = title if len(volumes) == 1 else f"{title} {number}"
        listed = ",".join(_quoted(_component(page)) for page in pages)
        book = f"written_book{{title:{_quoted(name[:32])},author:{_quoted('Accord')},pages:[{listed}]}}"
        made.append(f"item replace entity {player} {slot} with minecraft:{book} 1")
    return made


def _volumes(text: str) -> Iterator[list[str]]:
    """Yield lists of pages, one per volume."""
    volume: list[str] = []
    size = 0
    for page in _paged(text):
        cost = len(_quoted(_component(page)).encode()) + 1
        if volume and size + cost > MAX_BYTES - 100:
            yield volume
            volume, size = [], 0
        volume.append(page)
        size += cost
    if volume:
        yield volume


def _paged(text: str) -> Iterator[str]:
    """Yield pages, broken between words if possible."""
    page = ""
    for piece in re.split(r"(?<=[\s])", text):
        while len(piece) > PAGE:
            if page:
                yield page
                page = ""
            yield piece[:PAGE]
            piece = piece[PAGE:]
        if len(page) + len(piece) > PAGE:
            yield page
            page = ""
        page += piece
    if page.strip():
        yield page


def _pieces(line: str, most: int) -> Iterator[str]:
    """Yield pieces of a line of at most `most` bytes as JSON."""
    piece = ""
    size = 0
    for mark in line:
        cost = len(json.dumps(mark, ensure_ascii=False).encode())
        if size + cost > most:
            yield piece
            piece, size = "", 0
        piece += mark
        size += cost
    yield piece


def _component(text: str) -> str:
    return json.dumps({"text": text}, ensure_ascii=False)


def _quoted(text: str) -> str:
    """Return the text as an SNBT string."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
