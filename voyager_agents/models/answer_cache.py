"""Cache of models' answers across studies: one SQLite file, safe for several processes.

An answer's address is a hash of what decides it: the model and its endpoint, the messages with the hashes of their
images, the sampling settings, the tools and the form. At a temperature above 0 an answer is a random draw, so the
address also holds the draw: the run with its seed and all that is played in it (`accord.studies.answer_draws`), player,
role and number of the call. The same draw of a repeated study is found again, while two runs never share one. At
temperature 0 the draw and the seed are left out, so equal questions have one answer everywhere.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from common.text import read_json
from voyager_agents.errors import ModelError
from voyager_agents.models.base import ChatMessage, Reply, Settings, ToolCall, Usage

T = TypeVar("T")
OFF = "off"
"""Value of `--cache` without a cache."""
MAX_BYTES = 1 << 30
"""Maximum size of all answers in a file; the answers unused for longest go first."""
VERSION = 1
"""Version of addresses and of the file; another version finds no answers."""
APPLICATION = 0x41434341
"""Application id of SQLite files that are caches of answers."""
LOCKED_S = 30.0
"""Maximum seconds to wait for another process that writes."""
_PAUSE_S = 0.02
_TABLES = """
CREATE TABLE IF NOT EXISTS answers (address TEXT PRIMARY KEY, reply TEXT NOT NULL, size INTEGER NOT NULL,
    used INTEGER NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_by_use ON answers (used);
CREATE TABLE IF NOT EXISTS totals (id INTEGER PRIMARY KEY CHECK (id = 0), bytes INTEGER NOT NULL,
    uses INTEGER NOT NULL);
INSERT OR IGNORE INTO totals VALUES (0, 0, 0);
"""


class AnswerCache:
    """SQLite file of answers by address, bounded in size. Call `close` in the end."""

    def __init__(self, path: Path, max_bytes: int = MAX_BYTES) -> None:
        """Open the file, or create it.

        Args:
            path: The file; its folder must exist.
            max_bytes: Maximum size of all answers.

        Raises:
            ModelError: The file is no cache, is damaged, or cannot be opened.
        """
        self.path = path
        self._max_bytes = max_bytes
        if path.exists() and not path.is_file():
            raise ModelError(f"cache {path}: is no file: give --cache a file, or off")
        if not path.parent.is_dir():
            raise ModelError(f"cache {path}: there is no folder {path.parent}: create it, or give --cache another file")
        self._files: sqlite3.Connection | None = None
        self._guarded(self._open)

    def find(self, address: str) -> Reply | None:
        """Return the answer at an address, or None. Raises ModelError."""
        return self._guarded(lambda files: self._find(files, address))

    def keep(self, address: str, reply: Reply) -> Reply:
        """Store an answer, and return the answer that the address now has.

        Of two answers to one question that were asked for at the same time, the first stored one stays, so that a
        repeated study gets what this one got.

        Args:
            address: Address of the question.
            reply: Answer of the model.

        Raises:
            ModelError: The file is damaged or cannot be written.
        """
        return self._guarded(lambda files: self._keep(files, address, reply))

    def __len__(self) -> int:
        """Return the number of answers."""
        return self._guarded(lambda files: int(files.execute("SELECT count(*) FROM answers").fetchone()[0]))

    def close(self) -> None:
        """Close the file."""
        if self._files is not None:
            self._files.close()
            self._files = None

    def _guarded(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Return the result of work on the file. Raises ModelError for any fault of the file."""
        try:
            if self._files is None:
                self._files = sqlite3.connect(
                    self.path, timeout=LOCKED_S, isolation_level=None, check_same_thread=False
                )
            return work(self._files)
        except (sqlite3.Error, ValueError, KeyError, TypeError, RecursionError) as error:
            self.close()
            cause = str(error) if isinstance(error, sqlite3.Error) else "holds an answer that cannot be read"
            raise ModelError(f"cache {self.path}: {cause}: delete the file, or give another with --cache") from None

    def _open(self, files: sqlite3.Connection) -> None:
        files.execute(f"PRAGMA busy_timeout = {int(LOCKED_S * 1000)}")
        # Tables and marks are committed together, so a file that has tables has the marks read after them.
        made = files.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        marks = files.execute("PRAGMA application_id").fetchone()[0], files.execute("PRAGMA user_version").fetchone()[0]
        if made and marks != (APPLICATION, VERSION):
            raise sqlite3.DatabaseError("is no cache of answers, or one of another version")
        _use_write_ahead_log(files)
        files.execute("PRAGMA synchronous = NORMAL")
        files.execute("BEGIN IMMEDIATE")
        try:
            for statement in _TABLES.split(";\n"):
                files.execute(statement)
            files.execute(f"PRAGMA application_id = {APPLICATION}")
            files.execute(f"PRAGMA user_version = {VERSION}")
            files.execute("COMMIT")
        except BaseException:
            _roll_back(files)
            raise

    def _find(self, files: sqlite3.Connection, address: str) -> Reply | None:
        with closing(files.execute("SELECT reply FROM answers WHERE address = ?", (address,))) as rows:
            row = rows.fetchone()
        if row is None:
            return None
        files.execute("BEGIN IMMEDIATE")
        try:
            files.execute("UPDATE totals SET uses = uses + 1")
            files.execute("UPDATE answers SET used = (SELECT uses FROM totals) WHERE address = ?", (address,))
            files.execute("COMMIT")
        except BaseException:
            _roll_back(files)
            raise
        return _reply_from(row[0])

    def _keep(self, files: sqlite3.Connection, address: str, reply: Reply) -> Reply:
        text = json.dumps(_reply_to_dict(reply), ensure_ascii=False)
        size = len(text.encode()) + len(address)
        if size > self._max_bytes:
            return reply
        files.execute("BEGIN IMMEDIATE")
        try:
            row = files.execute("SELECT reply FROM answers WHERE address = ?", (address,)).fetchone()
            if row is None:
                files.execute("UPDATE totals SET uses = uses + 1, bytes = bytes + ?", (size,))
                values = address, text, size
                files.execute("INSERT INTO answers SELECT ?, ?, ?, uses FROM totals", values)
                self._drop_oldest(files)
            files.execute("COMMIT")
        except BaseException:
            _roll_back(files)
            raise
        return reply if row is None else replace(_reply_from(row[0]), usage=reply.usage, cached=False)

    def _drop_oldest(self, files: sqlite3.Connection) -> None:
        total = int(files.execute("SELECT bytes FROM totals").fetchone()[0])
        while total > self._max_bytes:
            address, size = files.execute("SELECT address, size FROM answers ORDER BY used LIMIT 1").fetchone()
            files.execute("DELETE FROM answers WHERE address = ?", (address,))
            total -= size
        files.execute("UPDATE totals SET bytes = ?", (total,))


@dataclass(frozen=True)
class CachedRole:
    """Cache as one role of one player in a run uses it."""

    cache: AnswerCache
    source: Mapping[str, Any]
    """Source of the answers, as plain data: model, endpoint and their options."""
    draw: tuple[str | int, ...] | None
    """Name of the run's draws, player and role; None for answers without chance, such as embeddings."""

    def address(self, number: int, messages: Sequence[ChatMessage], settings: Settings) -> str:
        """Return the address of a call.

        Args:
            number: Number of the call in its role.
            messages: The prompt.
            settings: Sampling settings, tools and form of the call.
        """
        fixed = self.draw is None or settings.temperature == 0
        asked = settings.asked
        if fixed:
            asked.pop("seed", None)
        parts = {
            "version": VERSION,
            "source": self.source,
            "messages": [each.to_dict() for each in messages],
            "settings": asked,
            "tools": [each.to_dict() for each in settings.tools],
            "form": None if settings.form is None else [settings.form.name, settings.form.schema],
            "draw": None if fixed or self.draw is None else [*self.draw, number],
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True, ensure_ascii=False, default=dict).encode()).hexdigest()


def open_cache(name: str) -> AnswerCache | None:
    """Return the cache that `--cache` names, or None for `off`. Raises ModelError."""
    return None if name == OFF else AnswerCache(Path(name).expanduser())


def _use_write_ahead_log(files: sqlite3.Connection) -> None:
    """Switch the file to WAL. SQLite does not wait for other processes in this statement."""
    until = time.monotonic() + LOCKED_S
    while True:
        try:
            files.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        time.sleep(_PAUSE_S)


def _roll_back(files: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):
        files.execute("ROLLBACK")


def _reply_to_dict(reply: Reply) -> dict[str, Any]:
    told: dict[str, Any] = {"text": reply.text, "usage": asdict(reply.usage), "model": reply.model}
    more: dict[str, Any] = {"ended": reply.ended, "form_support": reply.form_support}
    more["calls"] = [asdict(call) for call in reply.calls]
    more["logprob"] = reply.logprob
    return told | {key: value for key, value in more.items() if value}


def _reply_from(text: str) -> Reply:
    told = read_json(text)
    return Reply(
        str(told["text"]),
        Usage(**told["usage"]),
        str(told["model"]),
        ended=str(told.get("ended", "")),
        form_support=told.get("form_support"),
        calls=tuple(ToolCall(**call) for call in told.get("calls", ())),
        cached=True,
        logprob=told.get("logprob"),
    )
