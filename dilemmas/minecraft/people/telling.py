"""Words for a person's screen, as vanilla commands: lines of chat for one player, and books with a text in them.

A command over RCON has 1446 bytes at most, so that a long text becomes several lines and a long book several volumes.
What agents wrote is among these texts: it is quoted twice, as JSON in SNBT, and cannot end its string.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

MOST_BYTES = 1300
"""Of a command's text part, so that the whole command stays below RCON's limit."""
PAGE = 200
"""Characters of a page of a book: what a client shows of it without cutting."""
MOST_LINES = 120
"""Lines of chat for one text; a client keeps a hundred."""
MOST_VOLUMES = 4
"""Books of one text; what has no room is told so."""
_UNSHOWN = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\xa7]+")


def shown(text: str) -> str:
    """The text without what a client would obey or hide: control and direction marks, the section sign."""
    return _UNSHOWN.sub(" ", text.encode("utf-8", "replace").decode("utf-8"))


def lines_for(player: str, text: str) -> list[str]:
    """Commands that show the text to that player alone, line by line."""
    pieces = [piece for line in shown(text).splitlines() for piece in _pieces(line or " ", MOST_BYTES)]
    if len(pieces) > MOST_LINES:
        pieces = [*pieces[: MOST_LINES - 1], "(the rest has no room here: it is in the record)"]
    return [f"tellraw {player} {_component(piece)}" for piece in pieces]


def books_for(player: str, title: str, text: str, slots: Sequence[str]) -> list[str]:
    """Commands that put the text into written books in these slots of the player, a volume each, as many as needed."""
    title, volumes = " ".join(shown(title).split()), list(_volumes(shown(text)))
    most = min(len(slots), MOST_VOLUMES)
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
    """Pages, by volume."""
    volume: list[str] = []
    size = 0
    for page in _paged(text):
        cost = len(_quoted(_component(page)).encode()) + 1
        if volume and size + cost > MOST_BYTES - 100:
            yield volume
            volume, size = [], 0
        volume.append(page)
        size += cost
    if volume:
        yield volume


def _paged(text: str) -> Iterator[str]:
    """Pages that break between words where they can."""
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
    """The line in pieces of at most so many bytes as JSON."""
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
    """As a string of SNBT."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
