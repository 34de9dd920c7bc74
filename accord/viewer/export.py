"""A record as one HTML file: the page and what it shows, for a paper's supplement. Nothing is loaded from anywhere.

The page's modules are put one behind the other, each without its `import` lines, so that the file needs no server; a
Content-Security-Policy in it allows that one script by its hash and nothing else. The record is in the file as data,
compressed, and a text in it can end no script. Where all of it is more than the file may have, first details of old
lines are left out, then places between looks, and it says so.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from accord.analysis.report.reader import find_runs
from accord.viewer.run_catalog import LONGEST, Shelf
from accord.viewer.scene import compact
from accord.viewer.server import PAGE
from dilemmas.errors import UsageError
from dilemmas.records.record import write_atomically

START = "main.mjs"
_IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)
STEPS = (0.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds between two places of a player that are kept, from all of them on."""
MAX_ROWS = 20_000
"""Words, marks and calls that a file holds at most, the first ones."""


@dataclass(frozen=True)
class ExportResult:
    """What was written."""

    size: int
    """Bytes."""
    left_out: str
    """What is not in it, in words; empty for nothing."""


def export(paths: Sequence[Path], file: Path, most: int, *, prompts: bool = True) -> ExportResult:
    """Write the one run at or below these paths as a page of at most so many bytes.

    Raises UsageError where there is no run, more than one, or not even the least of it has room.
    """
    found = find_runs(paths)
    if len(found) > 1:
        raise UsageError(f"--export takes one run, and there are {len(found)}: give one of them, e.g. {found[0]}")
    shelf = Shelf(found)
    try:
        index = shelf.index(0)
        while shelf.reach(0)["read"] < shelf.reach(0)["size"] and index.step():
            pass
        text, left_out = _bounded(shelf, most, prompts)
    finally:
        shelf.close()
    try:
        write_atomically(file, text)
    except OSError as error:
        raise UsageError(f"--export {file}: cannot write it ({error.strerror})") from None
    return ExportResult(len(text.encode("utf-8")), left_out)


def _bounded(shelf: Shelf, most: int, prompts: bool) -> tuple[str, str]:
    """The page, with as much of the record as there is room for."""
    details = True
    for step in (0.0, *STEPS):
        text = page(_held(shelf, step, details=details, prompts=prompts))
        if len(text.encode("utf-8")) <= most:
            parts = [] if prompts else ["prompts and answers of models"]
            parts += [] if details else ["programs, memories and other details"]
            parts += [f"places nearer than {step:g} s to each other"] if step else []
            return text, f"; left out: {', '.join(parts)}" if parts else ""
        details = prompts = False
    raise UsageError(f"--max-mb: the record does not fit into {most / 1e6:g} MB; give more, or export a shorter run")


def page(held: Mapping[str, Any]) -> str:
    """The page with that record in it."""
    script = bundle({path.name: path.read_text(encoding="utf-8") for path in PAGE.glob("*.mjs")})
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    # A text that ends a script, or begins a comment, can only do so by this sign.
    data = compact(held).replace("<", "\\u003c")
    text = text.replace(
        '<meta charset="utf-8">',
        f'<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="{policy}">',
    )
    text = re.sub(r'<link rel="icon"[^>]*>\n', "", text)
    text = text.replace('<link rel="stylesheet" href="style.css">', f"<style>{style}</style>")
    text = text.replace(f'<script type="module" src="{START}"></script>\n', "")
    scripts = f'<script id="held" type="application/json">{data}</script>\n<script type="module">{script}</script>\n'
    return text.replace("</body>", scripts + "</body>")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('utf-8')).digest()).decode('ascii')}"


def bundle(modules: Mapping[str, str]) -> str:
    """The modules as one, each behind those that it imports. Top-level names are the same in none of them."""
    ordered: dict[str, str] = {}

    def put(name: str) -> None:
        if name in ordered:
            return
        ordered[name] = ""
        for needed in _IMPORT.findall(modules[name]):
            put(needed)
        # What was put meanwhile stands before this one.
        del ordered[name]
        ordered[name] = _EXPORT.sub("", _IMPORT.sub("", modules[name]))

    put(START)
    return "\n".join(ordered.values()).replace("</", "<\\/")


def _held(shelf: Shelf, step: float, *, details: bool, prompts: bool) -> dict[str, Any]:
    """All that the page asks for, as `source.mjs` takes it."""
    reach = shelf.reach(0)
    chunks = [_chunk(shelf, number, step) for number in range(len(reach["chunks"]))]
    index = shelf.index(0)
    words = index.rows(
        f"SELECT at, kind, speaker, receiver, text, offset, length FROM words ORDER BY id LIMIT {MAX_ROWS}"
    )
    calls = _calls(shelf)
    lines = dict(_readable(shelf.line, sorted(_refs(chunks)))) if details else {}
    parts: dict[str, object] = {
        "words": words,
        "marks": shelf.marks(0),
        "figures": shelf.figures(0),
        "sums": shelf.sums(0),
        "asked": calls,
        "deeds": _deeds(shelf),
        "lines": lines,
        "calls": _texts(shelf, calls) if prompts else {},
        "grounds": dict(_readable(shelf.ground, _grounds(chunks))),
    }
    return {
        "run": {**shelf.runs()[0], "live": False},
        "reach": {**reach, "live": False},
        "chunks": [_packed(chunk) for chunk in chunks],
        "parts": {name: _packed(part) for name, part in parts.items()},
    }


def _packed(data: object) -> str:
    return base64.b64encode(zlib.compress(compact(data).encode("utf-8"), 9)).decode("ascii")


def _chunk(shelf: Shelf, number: int, step: float) -> dict[str, Any]:
    """A chunk; of each player only places that are so many seconds apart."""
    body, packed = shelf.index(0).chunk(number)
    chunk: dict[str, Any] = json.loads(zlib.decompress(body) if packed else body)
    if step:
        last: dict[str, float] = {}
        chunk["changes"] = [each for each in chunk["changes"] if _kept(each, last, step)]
    chunk["count"] = len(chunk["changes"])
    return chunk


def _kept(change: Sequence[Any], last: dict[str, float], step: float) -> bool:
    at, section, name, value = change
    if section != "at" or value is None:
        return True
    if at - last.get(name, -step) < step:
        return False
    last[name] = at
    return True


def _refs(chunks: Sequence[Mapping[str, Any]]) -> set[tuple[int, int]]:
    """Lines of the log that scenes refer to, grounds aside."""
    found = {tuple(ref) for value in _values(chunks) if isinstance(value, dict) and (ref := value.get("ref"))}
    return {(offset, length) for offset, length in found if length <= LONGEST}


def _grounds(chunks: Sequence[Mapping[str, Any]]) -> list[tuple[int, int]]:
    found = [chunk["scene"].get("run", {}).get("ground") for chunk in chunks]
    found += [each[3] for chunk in chunks for each in chunk["changes"] if each[1:3] == ["run", "ground"]]
    return sorted({(ref[0], ref[1]) for ref in found if ref})


def _values(chunks: Sequence[Mapping[str, Any]]) -> Iterator[object]:
    for chunk in chunks:
        for held in chunk["scene"].values():
            yield from held.values()
        for _, _, _, value in chunk["changes"]:
            yield value


def _calls(shelf: Shelf) -> list[Any]:
    rows: list[Any] = []
    start: int | None = 0
    while start is not None and len(rows) < MAX_ROWS:
        found = shelf.calls(0, start=start)
        rows += found["rows"]
        start = found["next"]
    return rows


def _texts(shelf: Shelf, calls: Sequence[Any]) -> dict[int, Any]:
    places = [(row[10], row[11]) for row in calls if row[11] <= LONGEST]
    return dict(_readable(partial(shelf.line, log="calls.jsonl"), places))


def _readable(read: Callable[[int, int, int], Any], places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Any]]:
    """Yield the lines at these places; those that cannot be read are left away, as the page shows nothing there."""
    for offset, length in places:
        with contextlib.suppress(KeyError):
            yield offset, read(0, offset, length)


def _deeds(shelf: Shelf) -> dict[str, Any]:
    players = [name for (name,) in shelf.index(0).rows("SELECT DISTINCT player FROM deeds ORDER BY player")]
    return {player: shelf.deeds(0, player, 1e12) for player in players}
