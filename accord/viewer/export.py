"""Export of a record as one HTML file with page and data, for a paper's supplement; nothing is loaded from elsewhere.

The page's modules are concatenated without their `import` lines, so that the file needs no server. Its
Content-Security-Policy allows only that script, by its hash. The record is embedded as compressed data that cannot end
the script. If the file would exceed its limit, details of lines are omitted first, then positions, and the result says
so.
"""

from __future__ import annotations

import base64
import contextlib
import hashlib
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from accord.analysis.report.reader import find_runs
from accord.viewer.export_land import land_parts, without_land
from accord.viewer.responses import PAGE
from accord.viewer.run_catalog import MAX_LINE_BYTES, RunCatalog
from accord.viewer.scene import compact
from dilemmas.errors import UsageError
from dilemmas.records.record import write_atomically

START = "main.mjs"
_IMPORT = re.compile(r"^import \{[^}]*\} from '\./([\w.]+)'\n", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const)\b)", re.MULTILINE)
STEPS = (0.0, 2.0, 5.0, 15.0, 60.0)
"""Minimum intervals between kept positions of a player, in seconds, tried in this order; 0 keeps all."""
MAX_ROWS = 20_000
"""Maximum number of words, marks and calls in a file; the first ones are kept."""


@dataclass(frozen=True)
class ExportResult:
    """Result of an export."""

    size: int
    """Size of the file in bytes."""
    left_out: str
    """Omitted parts as text; empty if there are none."""


def export(paths: Sequence[Path], file: Path, most: int, *, prompts: bool = True) -> ExportResult:
    """Write the only run at or below `paths` as a page.

    Args:
        paths: Directories of records.
        file: File to write.
        most: Maximum size of the file, in bytes.
        prompts: Include prompts and answers of models.

    Raises:
        UsageError: There is no run or more than one, it does not fit, or the file cannot be written.
    """
    found = find_runs(paths)
    if len(found) > 1:
        raise UsageError(f"--export takes one run, and there are {len(found)}: give one of them, e.g. {found[0]}")
    catalog = RunCatalog(found)
    try:
        index = catalog.index(0)
        while catalog.reach(0)["read"] < catalog.reach(0)["size"] and index.step():
            pass
        text, left_out = _bounded(catalog, most, prompts)
    finally:
        catalog.close()
    try:
        write_atomically(file, text)
    except OSError as error:
        raise UsageError(f"--export {file}: cannot write it ({error.strerror})") from None
    return ExportResult(len(text.encode("utf-8")), left_out)


def _bounded(catalog: RunCatalog, most: int, prompts: bool) -> tuple[str, str]:
    """Return the page with as much of the record as fits, and the omitted parts as text.

    The land in three dimensions is left out first, then details, then positions.
    """
    details = True
    land, reason = land_parts(catalog)
    steps = (0.0, *STEPS) if land is None else (0.0, 0.0, *STEPS)
    for step in steps:
        text = page(_held(catalog, step, land or without_land(reason), details=details, prompts=prompts))
        if len(text.encode("utf-8")) <= most:
            parts = [] if prompts else ["prompts and answers of models"]
            parts += [reason] if land is None and reason else []
            parts += [] if details else ["programs, memories and other details"]
            parts += [f"places nearer than {step:g} s to each other"] if step else []
            return text, f"; left out: {', '.join(parts)}" if parts else ""
        if land is not None:
            land, reason = None, "the land in three dimensions"
            continue
        details = prompts = False
    raise UsageError(f"--max-mb: the record does not fit into {most / 1e6:g} MB; give more, or export a shorter run")


def page(held: Mapping[str, Any]) -> str:
    """Return the page with an embedded record."""
    script = bundle({path.name: path.read_text(encoding="utf-8") for path in PAGE.glob("*.mjs")})
    style = (PAGE / "style.css").read_text(encoding="utf-8")
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; "
        "form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    # Text can end a script or start a comment only with this character.
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
    """Concatenate the modules, each after those that it imports. Top-level names are unique across modules."""
    ordered: dict[str, str] = {}

    def put(name: str) -> None:
        if name in ordered:
            return
        ordered[name] = ""
        for needed in _IMPORT.findall(modules[name]):
            put(needed)
        # Its imports have been added meanwhile and precede it.
        del ordered[name]
        ordered[name] = _EXPORT.sub("", _IMPORT.sub("", modules[name]))

    put(START)
    return "\n".join(ordered.values()).replace("</", "<\\/")


def _held(
    catalog: RunCatalog, step: float, land: Mapping[str, object], *, details: bool, prompts: bool
) -> dict[str, Any]:
    """Return all data that the page requests, in the form that `source.mjs` reads."""
    reach = catalog.reach(0)
    chunks = [_chunk(catalog, number, step) for number in range(len(reach["chunks"]))]
    index = catalog.index(0)
    words = index.rows(
        f"SELECT at, kind, speaker, receiver, text, offset, length FROM words ORDER BY id LIMIT {MAX_ROWS}"
    )
    calls = _calls(catalog)
    lines = dict(_readable(catalog.line, sorted(_refs(chunks)))) if details else {}
    parts: dict[str, object] = {
        "words": words,
        "word_marks": asdict(catalog.word_marks(0, whole=True)),
        "marks": catalog.marks(0),
        "figures": catalog.figures(0),
        "sums": catalog.sums(0),
        "answers": catalog.answers(0),
        "asked": calls,
        "deeds": _deeds(catalog),
        "lines": lines,
        "calls": _texts(catalog, calls) if prompts else {},
        "grounds": dict(_readable(catalog.ground, _grounds(chunks))),
        **land,
    }
    return {
        "run": {**catalog.runs()[0], "live": False},
        "reach": {**reach, "live": False},
        "chunks": [_packed(chunk) for chunk in chunks],
        "parts": {name: _packed(part) for name, part in parts.items()},
    }


def _packed(data: object) -> str:
    return base64.b64encode(zlib.compress(compact(data).encode("utf-8"), 9)).decode("ascii")


def _chunk(catalog: RunCatalog, number: int, step: float) -> dict[str, Any]:
    """Return a chunk, with positions of each player at least `step` seconds apart."""
    body, packed = catalog.index(0).chunk(number)
    chunk: dict[str, Any] = json.loads(zlib.decompress(body) if packed else body)
    if step:
        last: dict[str, float] = {}
        chunk["changes"] = [each for each in chunk["changes"] if _is_kept(each, last, step)]
    chunk["count"] = len(chunk["changes"])
    return chunk


def _is_kept(change: Sequence[Any], last: dict[str, float], step: float) -> bool:
    at, section, name, value = change
    if section != "at" or value is None:
        return True
    if at - last.get(name, -step) < step:
        return False
    last[name] = at
    return True


def _refs(chunks: Sequence[Mapping[str, Any]]) -> set[tuple[int, int]]:
    """Return the log lines that scenes refer to, except grounds."""
    found = {tuple(ref) for value in _values(chunks) if isinstance(value, dict) and (ref := value.get("ref"))}
    return {(offset, length) for offset, length in found if length <= MAX_LINE_BYTES}


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


def _calls(catalog: RunCatalog) -> list[Any]:
    rows: list[Any] = []
    start: int | None = 0
    while start is not None and len(rows) < MAX_ROWS:
        found = catalog.calls(0, start=start)
        rows += found["rows"]
        start = found["next"]
    return rows


def _texts(catalog: RunCatalog, calls: Sequence[Any]) -> dict[int, Any]:
    places = [(row[10], row[11]) for row in calls if row[11] <= MAX_LINE_BYTES]
    return dict(_readable(partial(catalog.line, log="calls.jsonl"), places))


def _readable(read: Callable[[int, int, int], Any], places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, Any]]:
    """Yield the readable lines at these places; the page shows nothing for the others."""
    for offset, length in places:
        with contextlib.suppress(KeyError):
            yield offset, read(0, offset, length)


def _deeds(catalog: RunCatalog) -> dict[str, Any]:
    players = [name for (name,) in catalog.index(0).rows("SELECT DISTINCT player FROM deeds ORDER BY player")]
    return {player: catalog.deeds(0, player, 1e12) for player in players}
