"""SQLite index of a run in this user's cache, built once and updated while the log grows.

The index lets the page show any moment at once. It holds the record in chunks, each with the full scene at its start
and the later changes, compressed as browsers expect; and words, acts, numbers and model calls by time. The file is
complete up to the end of a chunk. The open chunk stays in memory, and the next process reads it from the log again. If
the file cannot be written, or another process updates it, a private index is made in a temporary folder.

No index is kept inside a record: a received database could contain anything, or lead out of the record by a link or
journal. An index in the cache was made by this program from the log; otherwise it is rebuilt.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Sequence
from functools import cache as cache_forever
from pathlib import Path
from typing import Any

from accord.viewer.event_handlers import CLOCKED, EVENT_HANDLERS, handle_event
from accord.viewer.scene import compact
from accord.viewer.scene_builder import SceneBuilder
from accord.viewer.schema import CALL, INSERTS, TABLES, VERSION
from accord.viewer.sealing import PublicParts
from accord.viewer.tailing import Tail, parse_line
from bridge.bundled import cache
from dilemmas.errors import RecordError

NAME = "view.sqlite"
FOLDER = "views"
"""Folder in the cache."""
MAX_KEPT = 200
"""Maximum number of kept indexes; the least recently opened ones are removed."""
CHUNK = 200_000
"""Minimum size of a chunk's changes in characters; the size of its scene if that is larger."""
STEP = 1 << 19
"""Number of bytes read from a log at a time, which bounds the waiting time of other threads."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')
_WANTED = EVENT_HANDLERS.keys() | CLOCKED


class RunIndex:
    """Open index of one run. Thread-safe; close it at the end."""

    def __init__(self, directory: Path, *, sealed: bool = False) -> None:
        """Open or build the index.

        Args:
            directory: Directory of the run.
            sealed: Index only what every player may see (`accord.viewer.sealing`), in a private file.

        Raises:
            RecordError: Not even a private index can be written.
        """
        self.directory = directory
        self.sealed = sealed
        self._public = PublicParts()
        self.skipped = 0
        """Number of lines whose fields are not those of their kind."""
        self._lock = threading.RLock()
        if sealed:
            self._open_privately()
            return
        try:
            self._open(index_path(directory))
        except (sqlite3.Error, OSError):
            self._open_privately()

    def _open_privately(self) -> None:
        """Open an index in a temporary file of SQLite's, which is gone with this process however it ends."""
        try:
            self._connect("")
        except sqlite3.Error as error:
            raise RecordError(f"cannot write an index of {self.directory}: {error}; make room for it") from None

    def _open(self, file: Path) -> None:
        try:
            self._connect(file)
        except sqlite3.OperationalError:
            raise
        except (sqlite3.DatabaseError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            # Not an index, or a broken one: it holds nothing that is not in the log.
            file.unlink()
            self._connect(file)

    def _connect(self, file: Path | str) -> None:
        self._connection = sqlite3.connect(file, check_same_thread=False, timeout=0, isolation_level=None)
        try:
            self._begin()
        except BaseException:
            self._connection.close()
            raise

    def _begin(self) -> None:
        self._connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        self._connection.execute("PRAGMA synchronous=OFF")
        self._connection.execute("BEGIN EXCLUSIVE")
        if _schema(self._connection) not in ([], _own_schema()):
            raise sqlite3.DatabaseError("it has other tables than an index")
        kept = self._saved_progress()
        if kept is None:
            self._begin_anew()
        else:
            self._go_on(kept)

    def _saved_progress(self) -> dict[str, Any] | None:
        """Return the saved progress, or None if this is no index of this log."""
        try:
            row = self._connection.execute("SELECT value FROM meta WHERE key = 'kept'").fetchone()
            kept: dict[str, Any] = json.loads(row[0]) if row else {}
        except (sqlite3.OperationalError, ValueError):
            return None
        if kept.get("version") != VERSION:
            return None
        same = all(
            Tail(self.directory / name, offset).fingerprint() == printed
            for name, (offset, printed) in kept["logs"].items()
        )
        return kept if same else None

    def _begin_anew(self) -> None:
        for (name,) in self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            self._connection.execute(f'DROP TABLE "{name}"')
        for statement in TABLES.split(";"):
            self._connection.execute(statement)
        self._events, self._calls = Tail(self.directory / "events.jsonl"), Tail(self.directory / "calls.jsonl")
        self._start_chunk(SceneBuilder(), 0)

    def _go_on(self, kept: dict[str, Any]) -> None:
        (events, _), (calls, _) = kept["logs"]["events.jsonl"], kept["logs"]["calls.jsonl"]
        self._events = Tail(self.directory / "events.jsonl", events)
        self._calls = Tail(self.directory / "calls.jsonl", calls)
        self.skipped = kept["skipped"]
        self._start_chunk(SceneBuilder.from_dict(kept["builder"]), kept["chunks"])

    def _start_chunk(self, builder: SceneBuilder, number: int) -> None:
        self._builder = builder
        self._number = number
        self._at = builder.now
        self._scene = compact(builder.scene.sections)

    def step(self, most: int = STEP) -> bool:
        """Read on in the logs, and return True if there was anything new. A replaced log is indexed from its start."""
        with self._lock:
            if self._events.size() < self._events.offset or self._calls.size() < self._calls.offset:
                self._begin_anew()
            before = self._events.offset + self._calls.offset
            for line, offset, length in self._events.read_lines(most):
                self._index_line(line, (offset, length))
                if self._builder.scene.size > max(CHUNK, len(self._scene)):
                    self._write_rows()
                    self._end_chunk()
            if not self.sealed:
                self._connection.executemany(CALL, list(self._read_calls(most)))
            self._write_rows()
            return self._events.offset + self._calls.offset > before

    def _index_line(self, line: bytes, ref: tuple[int, int]) -> None:
        head = _HEAD.match(line)
        if head is not None:
            self._public.note(head[1].decode())
            if head[1].decode() not in _WANTED:
                return
        found = parse_line(line)
        data = found.get("data") if found else None
        if self.sealed and found is not None and isinstance(data, dict):
            data = self._public.part(str(found.get("kind")), data)
            if data is None:
                return
        if (
            found is None
            or not isinstance(data, dict)
            or not handle_event(str(found.get("kind")), data, self._builder, ref)
        ):
            self.skipped += 1

    def _read_calls(self, most: int) -> Iterator[tuple[Any, ...]]:
        for line, offset, length in self._calls.read_lines(most):
            call = parse_line(line)
            if call is None:
                self.skipped += 1
                continue
            usage, error = _mapping(call.get("usage")), _mapping(call.get("error"))
            tokens = sum(_whole(usage.get(key)) for key in ("prompt_tokens", "completion_tokens"))
            yield (
                str(call.get("player")), str(call.get("role")), _whole(call.get("number")), str(call.get("model")),
                _whole(call.get("episode")), tokens, _real(call.get("usd")), _real(call.get("wall_ms")),
                f"{error.get('name')}: {error.get('message')}"[:300] if error else None, offset, length,
            )  # fmt: skip

    def _write_rows(self) -> None:
        for kind, insert in INSERTS.items():
            rows = [_stored(row) for row in self._builder.rows if type(row) is kind]
            if rows:
                self._connection.executemany(insert, rows)
        self._builder.rows.clear()

    def _end_chunk(self) -> None:
        """Write the open chunk with all its rows, and start the next one."""
        body = self._body()
        until = self._builder.now
        chunk = (self._number, self._at, until, zlib.compress(body.encode("utf-8"), 3))
        self._connection.execute("INSERT OR REPLACE INTO chunks VALUES (?, ?, ?, ?)", chunk)
        self._builder.scene.take_changes()
        self._start_chunk(self._builder, self._number + 1)
        logs = {tail.path.name: (tail.offset, tail.fingerprint()) for tail in (self._events, self._calls)}
        kept = {"version": VERSION, "logs": logs, "skipped": self.skipped, "chunks": self._number}
        kept["builder"] = self._builder.to_dict()
        self._connection.execute("INSERT OR REPLACE INTO meta VALUES ('kept', ?)", (compact(kept),))
        self._connection.execute("COMMIT")
        self._connection.execute("BEGIN EXCLUSIVE")

    def _body(self, after: int = 0) -> str:
        """Return the open chunk as JSON without its first `after` changes; if any are omitted, without its scene."""
        changes = self._builder.scene.changes
        scene = "null" if after else self._scene
        head = (
            f'"n":{self._number},"at":{compact(self._at)},"until":{compact(self._builder.now)},"count":{len(changes)}'
        )
        return f'{{{head},"scene":{scene},"changes":[{",".join(changes[after:])}]}}'

    def chunk(self, number: int, after: int = 0) -> tuple[bytes, bool]:
        """Return a chunk as JSON bytes, and True if they are compressed (zlib).

        Args:
            number: Number of the chunk.
            after: Number of initial changes to omit; only for the open chunk.

        Raises:
            KeyError: There is no such chunk.
        """
        with self._lock:
            if number == self._number:
                return self._body(after).encode("utf-8"), False
            row = self._connection.execute("SELECT body FROM chunks WHERE n = ?", (number,)).fetchone()
        if row is None:
            raise KeyError(number)
        return row[0], True

    def reach(self) -> dict[str, Any]:
        """Return start times of all chunks, the open one last, and the bytes read of the logs."""
        with self._lock:
            chunks = self._connection.execute("SELECT at FROM chunks ORDER BY n").fetchall()
            return {
                "chunks": [*(at for (at,) in chunks), self._at],
                "until": self._builder.now,
                "count": len(self._builder.scene.changes),
                "read": self._events.offset,
                "size": max(self._events.size(), self._events.offset),
                "skipped": self.skipped,
                "ended": self._builder.scene.get("run", "status") is not None,
            }

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT query."""
        with self._lock:
            return self._connection.execute(query, values).fetchall()

    def close(self) -> None:
        """Write the open chunk and close the index, which ends a private one."""
        with self._lock:
            with contextlib.suppress(sqlite3.Error):
                if self._builder.scene.changes:
                    self._write_rows()
                    self._end_chunk()
                self._connection.execute("COMMIT")
            self._connection.close()


def _schema(connection: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """Return the database's schema as SQL."""
    return connection.execute("SELECT type, name, sql FROM sqlite_master ORDER BY type, name").fetchall()


@cache_forever
def _own_schema() -> list[tuple[Any, ...]]:
    """Return the schema of an index of this version."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        return _schema(connection)


def index_path(directory: Path) -> Path:
    """Return the path of a run's index, and create its folder. Raises OSError."""
    folder = cache() / FOLDER
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = hashlib.sha256(str(directory.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    file = folder / f"{name}.sqlite"
    _prune(folder, file)
    return file


def _prune(folder: Path, wanted: Path) -> None:
    """Remove the oldest indexes if there are too many."""
    others = [each for each in folder.glob("*.sqlite") if each != wanted]
    if len(others) < MAX_KEPT:
        return
    with contextlib.suppress(OSError):
        others.sort(key=lambda each: each.stat().st_mtime)
        for each in others[: len(others) - MAX_KEPT + 1]:
            each.unlink()


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _stored(row: Sequence[Any]) -> tuple[Any, ...]:
    """Return a row of plain values; integers beyond SQLite's range become text."""
    return tuple(
        str(value)[:64] if not isinstance(value, str | float | int | None) or _is_huge(value) else value
        for value in row
    )


def _is_huge(value: object) -> bool:
    return isinstance(value, int) and value.bit_length() > 63


def _whole(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0


def _real(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e15 else None
