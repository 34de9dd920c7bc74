"""The record of a run: one directory, append-only logs, atomic writes; whole from the moment it exists.

    runs/<id>/
        interrupted.jsonl    events after the last checkpoint of a process that was interrupted
        config.yaml          resolved settings and scenario, versions, seed, prices
        events.jsonl         one `dilemmas.records.events.Line` a line
        calls.jsonl          every model call with its usage
        parts.jsonl          parts of prompts that long logs of calls refer to (voyager_agents.models.parts)
        segments/            what long logs held before, packed (common.segments)
        episodes/N/policies/PLAYER.js
        episodes/N/inventories.json      end state as the server gave it
        contract.json        the contract, when there is one
        prompts/FOLDER/      the user's own prompts, when there are any
        result.json          see dilemmas/records/result.schema.json
        manifest.json        versions, seeds, models, and the hash of each file (dilemmas.records.manifest)
        logs/                of the server and the hosts; with several jobs a folder for each
        lock.json            who plays the study, while it is played (dilemmas.records.locking)
    wall.json            seconds that the study took so far (accord.studies.wall_clock_budget)
        report.html plots/   written by the report

With several conditions or runs, `runs/<id>/` holds config.yaml, result.json and one directory per condition and, in it,
per seed: `contract-1/`, `seed-3/` or `contract-1/seed-3/`.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Container, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from bridge.regions import here
from common.segments import raw_lines
from common.text import well_formed, well_formed_data
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import Event, LogLine
from dilemmas.records.log_truncation import cut
from dilemmas.records.merging import Merging
from dilemmas.records.rotating import Keeping, RotatingLog
from dilemmas.records.seals import sealed_yaml
from dilemmas.records.wall_clock import NO_TIME, may_hold_wall_clock, without_wall_clock
from voyager_agents.models.parts import PARTS, PartsWriter

LOGS = ("events.jsonl", "calls.jsonl")
"""Every run has these, empty at first."""
CONFIG = "config.yaml"
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""The one in C, where PyYAML was built with it: a study writes a config.yaml for each of its runs."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')
"""How a line of the event log begins, as `LogLine.to_json` writes it."""
_in_json = json.JSONEncoder(ensure_ascii=False).encode
MAX_NAMESAKES = 1000
"""Directories of one name and second; more than this is a mistake."""


class RunRecord:
    """One run's directory, open for writing. Use `create`; close it in the end."""

    episode: int | None = None
    """The episode that events belong to from now on."""
    keeps_wall_clock: bool = True
    """Whether wall times get into the events; without them the same seed gives the same bytes."""

    def __init__(
        self,
        directory: Path,
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        kept: int = 0,
        keeping: Keeping | None = None,
    ) -> None:
        """`kept` lines stand in the event log already; `keeping` is what the environment says where none is given."""
        self.directory = directory
        self.listen = listen
        self._clock = clock
        self._seq = kept
        self._keeping = Keeping.chosen() if keeping is None else keeping
        self._events = RotatingLog(directory / "events.jsonl", self._keeping.segment)
        self._calls = RotatingLog(directory / "calls.jsonl", self._keeping.segment)
        self._parts: RotatingLog | None = None
        self._packer = PartsWriter()
        self._merging: Merging | None = None

    @classmethod
    def create(
        cls,
        directory: Path,
        config: dict[str, Any],
        folders: tuple[str, ...] = ("episodes", "logs"),
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        keeping: Keeping | None = None,
    ) -> RunRecord:
        """A new directory with all that a run starts with, or nothing. Raises UsageError when it cannot be written."""
        keeping = Keeping.chosen() if keeping is None else keeping
        make_directory(directory, config, LOGS, folders)
        return cls(directory, clock, listen, keeping=keeping)

    @classmethod
    def reopen(
        cls,
        directory: Path,
        keep: int,
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        keeping: Keeping | None = None,
    ) -> RunRecord:
        """The record of an interrupted run, its event log cut back to the first `keep` lines. Raises RecordError."""
        keeping = Keeping.chosen() if keeping is None else keeping
        try:
            cut(directory / "events.jsonl", keep, directory / "interrupted.jsonl", keeping.segment)
            for path in (directory / "calls.jsonl", directory / PARTS):
                if path.exists():
                    cut(path, None, None)
            return cls(directory, clock, listen, keep, keeping)
        except OSError as error:
            raise RecordError(f"cannot go on with {directory}: {error.strerror}") from None

    def log(self, event: Event, tick: int | None = None) -> None:
        """Append one event, then tell the listener; it has left this process when this returns.

        What a region of the world logs while regions are merged is appended when its turn has come.
        """
        region = here() if self._merging is not None else None
        if self._merging is None or region is None:
            self._append(event, tick)
        else:
            self._merging.take(region, event, tick)

    @contextmanager
    def merging(self, regions: int, start: int) -> Iterator[Merging]:
        """Inside, what so many regions of the world log comes in one order, whichever is quicker; from that age on."""
        self._merging = merging = Merging(regions, start, self._append)
        try:
            yield merging
        finally:
            self._merging = None
            merging.close()

    def _append(self, event: Event, tick: int | None) -> None:
        now = self._clock()
        line = LogLine(self._seq, tick, now if self.keeps_wall_clock else NO_TIME, self.episode, event)
        text = line.to_json()
        # Most events hold nothing of the wall clock, which the text tells at once.
        if not self.keeps_wall_clock and may_hold_wall_clock(text):
            line = without_wall_clock(line)
            text = line.to_json()
        self._events.append(text)
        self._seq += 1
        if self.listen is not None:
            self.listen(line)

    def call(self, entry: dict[str, Any]) -> None:
        """Append one model call; in a long log, with what its prompt shares with others in parts.jsonl."""
        parts = self._keeping.parts
        if parts is not None and (self._calls.cuts or self._calls.size >= parts):
            entry, new = self._packer.packed(entry)
            self._parts = self._parts or RotatingLog(self.directory / PARTS, None)
            if new:
                self._parts.append("\n".join(new))
        self._calls.append(_in_json(entry))

    def policy(self, episode: int, player: str, source: str) -> str:
        """Keep a player's program; returns its path relative to the run directory."""
        path = self.directory / "episodes" / str(episode) / "policies" / f"{player}.js"
        self.write(path, source)
        return path.relative_to(self.directory).as_posix()

    def inventories(self, episode: int, state: dict[str, Any]) -> None:
        """Keep the end state of an episode."""
        self.write(self.directory / "episodes" / str(episode) / "inventories.json", to_json(state))

    def contract(self, contract: dict[str, Any]) -> None:
        """Keep the contract."""
        self.write(self.directory / "contract.json", to_json(contract))

    def result(self, result: dict[str, Any]) -> None:
        """Write result.json."""
        self.write(self.directory / "result.json", to_json(result))

    def write(self, path: Path, text: str) -> None:
        """Write a file so that it is there whole or not at all. Raises RecordError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text)
        except OSError as error:
            raise RecordError(f"cannot write {path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the logs; twice does no harm."""
        for log in (self._events, self._calls, self._parts):
            if log is not None:
                log.close()


def claim_directory(
    out: Path,
    name: str,
    config: dict[str, Any],
    empty_files: tuple[str, ...] = (),
    folders: tuple[str, ...] = (),
    clock: Callable[[], float] = time.time,
) -> Path:
    """A new directory in `out`, called by time and name, with a number where several start in one second.

    Raises UsageError when it cannot be written.
    """
    base = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(clock()))}-{name}"
    for number in range(1, MAX_NAMESAKES):
        directory = out / (base if number == 1 else f"{base}-{number}")
        with contextlib.suppress(_Taken):
            make_directory(directory, config, empty_files, folders)
            return directory
    raise UsageError(f"{out} holds {MAX_NAMESAKES} runs of one second; choose another folder with --out")


class _Taken(UsageError):
    """Somebody else was faster with this name."""


def make_directory(
    directory: Path, config: dict[str, Any], empty_files: tuple[str, ...] = (), folders: tuple[str, ...] = ()
) -> None:
    """Make a directory with config.yaml and the empty files and folders, at one stroke. Raises UsageError."""
    staging: Path | None = None
    try:
        directory.parent.mkdir(parents=True, exist_ok=True)
        staging = Path(tempfile.mkdtemp(prefix=f".{directory.name}.", dir=directory.parent))
        staging.chmod(0o755)
        written = sealed_yaml(yaml.dump(well_formed_data(config), Dumper=_Dumper, sort_keys=False), CONFIG)
        (staging / "config.yaml").write_text(written, encoding="utf-8")
        for name in empty_files:
            (staging / name).touch()
        for name in folders:
            (staging / name).mkdir()
        # A rename onto an existing empty directory would succeed; a run never takes over what is there. Two at once
        # are told apart by the rename, which refuses a directory that is not empty.
        if directory.exists():
            raise FileExistsError(errno.EEXIST, "it exists already", str(directory))
        staging.rename(directory)
    except OSError as error:
        if staging is not None:
            shutil.rmtree(staging, ignore_errors=True)
        if error.errno in (errno.EEXIST, errno.ENOTEMPTY) and directory.is_dir():
            text = f"cannot write the run to {directory}: it exists already; choose another folder with --out"
            raise _Taken(text) from None
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write the run to {directory}: {reason}; choose another folder with --out") from None


def write_atomically(path: Path, text: str | bytes) -> None:
    """Write beside the file, flush to the disk, then rename over it, so that a link there is replaced and not followed;
    a text is made well-formed."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else well_formed(text).encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(name).unlink()
        raise


def read_events(
    path: Path, only: Container[str] | None = None, but: Callable[[str, bytes], bool] | None = None
) -> Generator[LogLine]:
    """The events of a run, one at a time: memory does not grow with the log. With `only`, those of these kinds; of
    them `but` leaves away those of whose kind and raw line it says so. Most lines of others are not even parsed.

    A torn last line (a run killed while it wrote) is left away; any other is a RecordError.
    """
    lines = raw_lines(path)
    head = _HEAD.match
    kinds: dict[bytes, str] = {}
    try:
        for number, raw in enumerate(lines, start=1):
            if only is not None and (found := head(raw)) is not None:
                # The same few names come again and again.
                kind = kinds.get(found[1]) or kinds.setdefault(found[1], found[1].decode())
                if kind not in only or (but is not None and but(kind, raw)):
                    continue
            event = _event(path, number, raw)
            if event is not None:
                yield event
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}; give the directory of a run") from None
    finally:
        lines.close()


def _event(path: Path, number: int, raw: bytes) -> LogLine | None:
    """The event in that line; None for a torn or empty one. Raises RecordError."""
    data = raw.removesuffix(b"\n")
    if not data:
        return None
    try:
        return LogLine.read(data)
    except (ValueError, RecursionError) as error:
        if len(data) == len(raw):
            return None
        reason = " ".join(str(error).split())[:120]
        raise RecordError(f"{path}, line {number}: not an event of a run ({reason})") from None


def to_json(data: object) -> str:
    """JSON as a person reads it; NaN and infinity are refused."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
