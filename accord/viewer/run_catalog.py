"""The runs on show, and the page's queries about them, with plain data in and out and no HTTP."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from accord.analysis.report.blocks import colour_of
from accord.analysis.report.reader import LOG, find_runs
from accord.analysis.validity import WORDS, invalid
from accord.viewer.bargaining import channel_receiver
from accord.viewer.index import RunIndex
from accord.viewer.land import Lands
from accord.viewer.sealing import PUBLIC_LINES, Seals
from accord.viewer.tailing import parse_line
from accord.viewer.word_marks import MarkedWords, WordMarks
from bridge.land import SurveyPart
from common.plain_files import is_plain
from common.segments import Log
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.answers import RoleAnswers
from dilemmas.records.locking import is_played
from dilemmas.records.results import read_result
from voyager_agents.models.parts import PART_HEAD, PARTS, MessageParts

MAX_OPEN = 6
"""Maximum number of open runs; the least recently used one is closed."""
MAX_RUNS = 2000
"""Maximum number of listed runs; the newest are kept."""
MAX_ROWS = 400
"""Maximum number of rows in an answer."""
POINTS = 400
"""Maximum number of points of a curve."""
MAX_LINE_BYTES = 4 << 20
"""Maximum length of a line that is shown, in bytes."""
MAX_SEARCH_BYTES = 256 << 20
"""Number of bytes of calls searched per request; the page asks for the rest."""
MAX_PARTS = 200
"""Maximum number of prompt parts that a search looks up."""
MAX_BLOCKS = 20_000
"""Maximum number of changed blocks in an answer."""
SEALED_LAND = "while people play, the page has only the map: what is below the ground is not for every player"
WAIT_S = 0.25
"""Interval between two checks of a log without news, in seconds."""


class OpenRun:
    """An open run, whose index a thread keeps up to date."""

    def __init__(self, directory: Path, *, sealed: bool = False) -> None:
        self.index = RunIndex(directory, sealed=sealed)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._follow, name=f"index of {directory.name}", daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        while not self._end.is_set():
            if not self.index.step():
                self._end.wait(WAIT_S)

    def close(self) -> None:
        """Stop following, and close the index."""
        self._end.set()
        self._thread.join()
        self.index.close()


class RunCatalog:
    """All runs below some directories, by number; close it at the end."""

    def __init__(self, paths: Sequence[Path], *, awaited: bool = False) -> None:
        """Find the runs.

        Args:
            paths: Directories of records.
            awaited: Allow that there is no run yet.

        Raises UsageError if there is no run and none is awaited.
        """
        self._paths = list(paths)
        self._awaited = awaited
        self._runs: list[Path] = []
        self._open: dict[int, OpenRun] = {}
        self._logs: dict[Path, Log] = {}
        self._word_marks: dict[Path, WordMarks] = {}
        self._seals = Seals()
        self._lands = Lands()
        self._lock = threading.Lock()
        self.look()

    def add(self, path: Path) -> None:
        """Add a directory whose runs are shown as soon as there are any."""
        with self._lock:
            self._paths.append(path)

    def look(self) -> None:
        """Find new runs; known ones keep their numbers. Raises UsageError if there is no run and none is awaited."""
        try:
            found = find_runs(self._paths)
        except UsageError:
            if not self._awaited:
                raise
            return
        known = set(self._runs)
        self._runs += sorted((each for each in found if each not in known), key=_age)[-MAX_RUNS:]

    def runs(self) -> list[dict[str, Any]]:
        """Return descriptions of the runs, in the order of their numbers."""
        with self._lock:
            self.look()
            return [_describe_run(number, each, self._name(each)) for number, each in enumerate(self._runs)]

    def _name(self, run: Path) -> str:
        roots = [path.resolve() for path in self._paths]
        return next(
            (f"{root.name}/{run.relative_to(root)}".removesuffix("/.") for root in roots if run.is_relative_to(root)),
            run.name,
        )

    def directory(self, number: int) -> Path:
        """Return the directory of a run.

        Raises:
            KeyError: There is no such run.
        """
        if not 0 <= number < len(self._runs):
            raise KeyError(number)
        return self._runs[number]

    def index(self, number: int) -> RunIndex:
        """Return a run's index, kept up to date from now on. Raises KeyError and RecordError."""
        directory = self.directory(number)
        sealed = self._seals.is_sealed(directory)
        with self._lock:
            opened = self._open.pop(number, None)
            if opened is not None and opened.index.sealed != sealed:
                opened.close()
                opened = None
            opened = opened or OpenRun(directory, sealed=sealed)
            self._open[number] = opened
            while len(self._open) > MAX_OPEN:
                self._open.pop(next(iter(self._open))).close()
            return opened.index

    def close(self) -> None:
        """Close all runs and lands."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()
        self._lands.close()

    def reach(self, number: int) -> dict[str, Any]:
        """Return the progress of a run's index, and whether the run is being played."""
        index = self.index(number)
        told = {**index.reach(), "sealed": index.sealed}
        return {**told, "live": not told["ended"] and is_played(self.directory(number))}

    def line(self, number: int, offset: int, length: int, *, log: str = LOG) -> dict[str, Any]:
        """Return a line of a run's log.

        Args:
            number: Number of the run.
            offset: Position of the line, in bytes.
            length: Length of the line, in bytes.
            log: Name of the log.

        Raises:
            KeyError: No line starts there, it is not a JSON object, or it is not public while the run is sealed.
        """
        sealed = self._seals.is_sealed(self.directory(number))
        if sealed and log != LOG:
            raise KeyError(offset)
        if not (offset >= 0 and 0 < length <= MAX_LINE_BYTES):
            raise KeyError(offset)
        try:
            before = min(offset, 1)
            raw = self._log(number, log).read(offset - before, length + before)
            if before and not raw.startswith(b"\n"):
                raise KeyError(offset)
            found = parse_line(raw[before:])
            if found is None or (sealed and found.get("kind") not in PUBLIC_LINES):
                raise KeyError(offset)
            return found if log == LOG else MessageParts(self.directory(number) / PARTS).whole(found)
        except (OSError, ValueError) as error:
            raise KeyError(offset) from error

    def _log(self, number: int, name: str) -> Log:
        """Return a run's log, cached with its segments."""
        path = self.directory(number) / name
        return self._logs.setdefault(path, Log(path))

    def ground(self, number: int, offset: int, length: int) -> dict[str, Any]:
        """Return the ground in a line, with a colour for each of its blocks.

        Raises:
            KeyError: The line holds no ground.
        """
        line = self.line(number, offset, length)
        if line.get("kind") != "ground":
            raise KeyError(offset)
        data = line.get("data")
        blocks = data.get("blocks") if isinstance(data, dict) else None
        if not isinstance(data, dict) or not isinstance(blocks, list):
            raise KeyError(offset)
        return {**data, "colours": [colour_of(str(name)) if name else "" for name in blocks]}

    def land(self, number: int, *, build: bool) -> dict[str, Any]:
        """Return whether a run has land to show in three dimensions, and how far it is built; see `Lands.describe`."""
        directory = self.directory(number)
        if self._seals.is_sealed(directory):
            return {"able": False, "state": "asleep", "why": SEALED_LAND, "notes": [], "facts": {}}
        return self._lands.describe(directory, build=build)

    def survey(self, number: int, part: SurveyPart, **fields: object) -> Any:  # noqa: ANN401
        """Return a part of a run's land. Raises KeyError and RecordError."""
        return self._lands.survey(self._open_directory(number), part, **fields)

    def columns(self, number: int, places: Sequence[tuple[int, int]]) -> bytes:
        """Return columns of a run's land, deflated. Raises KeyError and RecordError."""
        return self._lands.columns(self._open_directory(number), places)

    def blocks(self, number: int, after: int = 0) -> Any:  # noqa: ANN401
        """Return the changed blocks after an id; those without a name undo all before them."""
        query = "SELECT id, at, x, y, z, block FROM blocks WHERE id > ? ORDER BY id LIMIT ?"
        return self.index(number).rows(query, (after, MAX_BLOCKS))

    def _open_directory(self, number: int) -> Path:
        """Return the directory of a run that is not sealed. Raises KeyError and RecordError."""
        directory = self.directory(number)
        if self._seals.is_sealed(directory):
            raise RecordError(SEALED_LAND)
        return directory

    def words(
        self,
        number: int,
        *,
        before: float,
        text: str = "",
        who: str = "",
        kinds: Sequence[str] = (),
        channel: tuple[str, Sequence[str]] | None = None,
    ) -> Any:  # noqa: ANN401
        """Return the last words up to a moment, oldest first.

        Args:
            number: Number of the run.
            before: Latest moment.
            text: Text that the words contain.
            who: Speaker or receiver.
            kinds: Kinds of words; all if empty.
            channel: Kind and members of the channel of a talk; None for all words.
        """
        where: list[str] = ["at <= ?"]
        values: list[object] = [before]
        if text:
            where.append("text LIKE ? ESCAPE '!'")
            values.append(like(text))
        if who:
            where.append("(speaker = ? OR receiver = ?)")
            values += [who, who]
        if kinds:
            where.append(f"kind IN ({','.join('?' * len(kinds))})")
            values += kinds
        if channel is not None:
            kind, members = channel
            where.append(f"kind = 'negotiation' AND ({' OR '.join(['speaker = ? AND receiver = ?'] * len(members))})")
            values += [part for name in members for part in (name, channel_receiver(members, name, kind))]
        query = f"SELECT at, kind, speaker, receiver, text, offset, length FROM words WHERE {' AND '.join(where)}"
        rows = self.index(number).rows(f"{query} ORDER BY at DESC, id DESC LIMIT {MAX_ROWS}", values)
        return rows[::-1]

    def word_marks(self, number: int, *, whole: bool = False) -> MarkedWords:
        """Return the marks of a run's utterances; none while the run is sealed.

        Args:
            number: Number of the run.
            whole: True to read all of a long log at once.
        """
        directory = self.directory(number)
        if self._seals.is_sealed(directory):
            return MarkedWords({}, 1.0)
        with self._lock:
            marks = self._word_marks.setdefault(directory, WordMarks(directory))
            while len(self._word_marks) > MAX_OPEN:
                self._word_marks.pop(next(iter(self._word_marks)))
        return marks.read_all() if whole else marks.read()

    def marks(self, number: int, after: int = 0) -> Any:  # noqa: ANN401
        """Return the marks on the time bar after an id."""
        query = "SELECT id, at, kind, player, text, offset, length FROM marks WHERE id > ? ORDER BY id LIMIT 5000"
        return self.index(number).rows(query, (after,))

    def deeds(self, number: int, player: str, before: float) -> Any:  # noqa: ANN401
        """Return a player's acts up to a moment, latest first."""
        query = "SELECT at, until, label, ok FROM deeds WHERE player = ? AND at <= ? ORDER BY until DESC LIMIT 2000"
        return self.index(number).rows(query, (player, before))

    def figures(self, number: int) -> dict[str, list[tuple[float, float]]]:
        """Return the numbers over time: name -> (moment, value) pairs, thinned to `POINTS` intervals."""
        index = self.index(number)
        found: dict[str, list[tuple[float, float]]] = {}
        sizes = "SELECT name, count(*), min(at), max(at) FROM figures GROUP BY name ORDER BY name"
        for name, count, start, end in index.rows(sizes):
            width = (end - start) / POINTS if count > POINTS else 0.0
            if width:
                query = "SELECT max(at), value FROM figures WHERE name = ? GROUP BY CAST((at - ?) / ? AS INTEGER)"
                found[name] = index.rows(query, (name, start, width))
            else:
                query = "SELECT at, value FROM figures WHERE name = ? ORDER BY id"
                found[name] = index.rows(query, (name,))
        return found

    def calls(self, number: int, *, text: str = "", player: str = "", role: str = "", start: int = 0) -> dict[str, Any]:
        """Return model calls in order, as `rows`; `next` is the start of the following request, or None.

        Args:
            number: Number of the run.
            text: Text that the calls contain; then `start` is an offset in the file.
            player: Player that asked; all if empty.
            role: Role of the player; all if empty.
            start: First id, or offset.
        """
        if self._seals.is_sealed(self.directory(number)):
            return {"rows": [], "next": None}
        if text:
            return self._search(number, text, start)
        where: list[str] = ["calls.id >= ?"]
        values: list[object] = [start]
        for name, value in (("player", player), ("role", role)):
            if value:
                where.append(f"calls.{name} = ?")
                values.append(value)
        query = f"{_CALLS} WHERE {' AND '.join(where)} ORDER BY calls.id LIMIT 201"
        rows = self.index(number).rows(query, values)
        return {"rows": rows[:200], "next": rows[200][0] if len(rows) > 200 else None}

    def _search(self, number: int, text: str, start: int) -> dict[str, Any]:
        """Return calls whose line contains `text`; `start` and `next` are offsets in the file."""
        offsets, left = _find_calls(self.directory(number) / "calls.jsonl", text, start)
        index = self.index(number)
        rows = [row for offset in offsets for row in index.rows(f"{_CALLS} WHERE calls.offset = ?", (offset,))]
        return {"rows": rows, "next": left}

    def sums(self, number: int) -> Any:  # noqa: ANN401
        """Return rows by player, role and model: calls, tokens, dollars, mean latency in ms, errors."""
        query = (
            "SELECT player, role, model, count(*), sum(tokens), sum(usd), avg(wall_ms), count(error) FROM calls "
            "GROUP BY player, role, model ORDER BY count(*) DESC LIMIT 400"
        )
        return self.index(number).rows(query)

    def answers(self, number: int) -> dict[str, Any]:
        """Return the answers of models by kind, in the form of result.json, and the reason if the run is invalid.

        `rows` is None if the run recorded no kinds of answers; a run that is still played has none yet.
        """
        try:
            result = read_result(self.directory(number) / "result.json")
            rows = [RoleAnswers.from_dict(each).to_dict() for each in result.get("answers", ())]
            unrecorded = "answers" not in result and bool(result["usage"]["calls"])
        except (RecordError, ValueError, TypeError, AttributeError, KeyError):
            return {"rows": [], "invalid": ""}
        return {"rows": None if unrecorded else rows, "invalid": WORDS.get(invalid(result), "")}


_CALLS = (
    "SELECT calls.id, calls.player, calls.role, calls.number, model, episode, tokens, usd, wall_ms, error, offset, "
    "length, (SELECT at FROM asked WHERE asked.player = calls.player AND asked.role = calls.role "
    "AND asked.number = calls.number LIMIT 1) FROM calls"
)


def like(text: str) -> str:
    """Return a LIKE pattern (ESCAPE '!') for texts that contain `text`."""
    return "%" + re.sub(r"([!%_])", r"!\1", text) + "%"


def _find_calls(path: Path, text: str, start: int, most: int = 50) -> tuple[list[int], int | None]:
    """Return offsets of calls with a text, ignoring case, and the offset to continue at (None at the end)."""
    plain = re.escape(json.dumps(text, ensure_ascii=False)[1:-1].encode("utf-8"))
    # Calls refer to shared prompt parts by name.
    wanted = re.compile(b"|".join([plain, *_parts_with(path.with_name(PARTS), plain)]), re.IGNORECASE)
    found: list[int] = []
    end = start + MAX_SEARCH_BYTES
    if start < 0 or not is_plain(path):
        return found, None
    with closing(Log(path).lines(start)) as lines:
        for line in lines:
            if len(found) == most or start >= end:
                return found, start
            if wanted.search(line):
                found.append(start)
            start += len(line)
    return found, None


def _parts_with(path: Path, plain: bytes) -> list[bytes]:
    """Return the names of the first prompt parts that contain a text."""
    wanted, found = re.compile(plain, re.IGNORECASE), list[bytes]()
    if is_plain(path):
        with closing(Log(path).lines(0)) as lines:
            for line in lines:
                if len(found) < MAX_PARTS and (head := PART_HEAD.match(line)) and wanted.search(line, head.end()):
                    found.append(head[1])
    return found


def _age(run: Path) -> tuple[float, str]:
    try:
        return ((run / LOG).stat().st_mtime, str(run))
    except OSError:
        return (0.0, str(run))


def _describe_run(number: int, run: Path, name: str) -> dict[str, Any]:
    """Return the description of a run; unreadable values are empty."""
    try:
        with closing(Log(run / LOG).lines(0, 1 << 20)) as lines:
            first = parse_line(next(lines, b"")) or {}
    except OSError:
        first = {}
    data = first.get("data")
    began: dict[str, Any] = data if isinstance(data, dict) and first.get("kind") == "run_started" else {}
    told = {key: str(began.get(key, "")) for key in ("scenario", "condition", "seed", "world")}
    players = began.get("players")
    live = not (run / "result.json").is_file() and is_played(run)
    count = len(players) if isinstance(players, dict | list) else 0
    return {"number": number, "name": name, **told, "players": count, "live": live}
