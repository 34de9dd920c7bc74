"""Record of a run: one directory of append-only logs and atomically written files, complete from its creation.

    runs/<id>/
        interrupted.jsonl    events after the last checkpoint of a process that was interrupted
        config.yaml          resolved settings and scenario, versions, seed, prices
        events.jsonl         one `dilemmas.records.events.Line` a line
        calls.jsonl          every model call with its usage
        parts.jsonl          parts of prompts that long logs of calls refer to (voyager_agents.models.parts)
        segments/            what long logs held before, packed (common.segments)
        images/HASH.png      pictures that models were shown, each once (voyager_agents.models.images)
        parts.jsonl          prompt parts shared by calls in a long calls.jsonl (voyager_agents.models.parts)
        segments/            earlier, packed pieces of long logs (common.segments)
        episodes/N/policies/PLAYER.js
        episodes/N/inventories.json      end state as the server reports it
        contract.json        the contract, if any
        prompts/FOLDER/      the user's own prompts, if any
        result.json          see dilemmas/records/result.schema.json
        manifest.json        versions, seeds, models, and the hash of each file (dilemmas.records.manifest)
        logs/                of the server and the hosts; with several jobs a folder for each
        lock.json            process that plays the study (dilemmas.records.locking)
        wall.json            wall-clock seconds spent on the study (accord.studies.wall_clock_budget)
        report.html plots/   written by the report

With several conditions or runs, `runs/<id>/` holds config.yaml, result.json and one directory per condition and, in it,
per seed: `contract-1/`, `seed-3/` or `contract-1/seed-3/`.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
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
from common.plain_files import open_plain
from common.segments import raw_lines
from common.text import well_formed, well_formed_data
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import Event, LogLine
from dilemmas.records.log_truncation import truncate_log
from dilemmas.records.merging import RegionMerger
from dilemmas.records.rotating import LogLimits, RotatingLog
from dilemmas.records.seals import sealed_yaml
from dilemmas.records.wall_clock import NO_TIME, may_hold_wall_clock, without_wall_clock
from voyager_agents.models.images import FOLDER as IMAGES
from voyager_agents.models.images import ModelImage
from voyager_agents.models.parts import PARTS, PartsWriter

LOGS = ("events.jsonl", "calls.jsonl")
"""Logs of every run, empty at first."""
CONFIG = "config.yaml"
_Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
"""C implementation where PyYAML has it, since a study writes a config.yaml for each run."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')
"""Prefix of an event line as `LogLine.to_json` writes it."""
_in_json = json.JSONEncoder(ensure_ascii=False).encode
MAX_NAMESAKES = 1000
"""Maximum number of directories with the same name and second; more indicate a mistake."""


class RunRecord:
    """Directory of one run, open for writing. Use `create`, and close it at the end."""

    episode: int | None = None
    """Episode of the events that follow."""
    keeps_wall_clock: bool = True
    """True if events keep wall times; without them equal seeds give equal bytes."""

    def __init__(
        self,
        directory: Path,
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        kept: int = 0,
        keeping: LogLimits | None = None,
    ) -> None:
        """Open the logs for appending.

        Args:
            directory: Existing directory of the run.
            clock: Source of wall times in seconds.
            listen: Callback for each appended line.
            kept: Number of lines already in the event log.
            keeping: Sizes from which logs are split; read from the environment by default.
        """
        self.directory = directory
        self.listen = listen
        self._clock = clock
        self._seq = kept
        self._keeping = LogLimits.from_environment() if keeping is None else keeping
        self._events = RotatingLog(directory / "events.jsonl", self._keeping.segment)
        self._calls = RotatingLog(directory / "calls.jsonl", self._keeping.segment)
        self._parts: RotatingLog | None = None
        self._packer = PartsWriter()
        self._merging: RegionMerger | None = None
        self._images: set[str] = set()
        """Hashes of the images that this process has stored."""

    @classmethod
    def create(
        cls,
        directory: Path,
        config: dict[str, Any],
        folders: tuple[str, ...] = ("episodes", "logs"),
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        keeping: LogLimits | None = None,
    ) -> RunRecord:
        """Create a run's directory completely or not at all.

        Args:
            directory: Path that must not exist yet.
            config: Content of config.yaml.
            folders: Subfolders to create.
            clock: Source of wall times in seconds.
            listen: Callback for each appended line.
            keeping: Sizes from which logs are split; read from the environment by default.

        Raises UsageError if the directory exists or cannot be written.
        """
        keeping = LogLimits.from_environment() if keeping is None else keeping
        make_directory(directory, config, LOGS, folders)
        return cls(directory, clock, listen, keeping=keeping)

    @classmethod
    def reopen(
        cls,
        directory: Path,
        keep: int,
        clock: Callable[[], float] = time.time,
        listen: Callable[[LogLine], None] | None = None,
        keeping: LogLimits | None = None,
    ) -> RunRecord:
        """Reopen the record of an interrupted run, with its event log truncated.

        Args:
            directory: Directory of the run.
            keep: Number of event lines to keep.
            clock: Source of wall times in seconds.
            listen: Callback for each appended line.
            keeping: Sizes from which logs are split; read from the environment by default.

        Raises:
            RecordError: The directory cannot be written.
        """
        keeping = LogLimits.from_environment() if keeping is None else keeping
        try:
            truncate_log(directory / "events.jsonl", keep, directory / "interrupted.jsonl", keeping.segment)
            for path in (directory / "calls.jsonl", directory / PARTS):
                if path.exists():
                    truncate_log(path, None, None)
            return cls(directory, clock, listen, keep, keeping)
        except OSError as error:
            raise RecordError(f"cannot go on with {directory}: {error.strerror}") from None

    def log(self, event: Event, tick: int | None = None) -> None:
        """Append one event and notify the listener; the event has left this process on return.

        Events of world regions that are being merged are appended once their order is known.
        """
        region = here() if self._merging is not None else None
        if self._merging is None or region is None:
            self._append(event, tick)
        else:
            self._merging.add_event(region, event, tick)

    @contextmanager
    def merge_regions(self, regions: int, start: int) -> Iterator[RegionMerger]:
        """Merge the events of `regions` world regions inside the block; `start` is the world's age in ticks."""
        self._merging = merging = RegionMerger(regions, start, self._append)
        try:
            yield merging
        finally:
            self._merging = None
            merging.write_rest()

    def _append(self, event: Event, tick: int | None) -> None:
        now = self._clock()
        line = LogLine(self._seq, tick, now if self.keeps_wall_clock else NO_TIME, self.episode, event)
        text = line.to_json()
        # Most events hold no wall-clock field, which a search of the text shows cheaply.
        if not self.keeps_wall_clock and may_hold_wall_clock(text):
            line = without_wall_clock(line)
            text = line.to_json()
        self._events.append(text)
        self._seq += 1
        if self.listen is not None:
            self.listen(line)

    def log_call(self, entry: dict[str, Any]) -> None:
        """Append one model call; in a long log, shared prompt parts go to parts.jsonl."""
        parts = self._keeping.parts
        if parts is not None and (self._calls.segment_count or self._calls.size >= parts):
            entry, new = self._packer.packed(entry)
            self._parts = self._parts or RotatingLog(self.directory / PARTS, None)
            if new:
                self._parts.append("\n".join(new))
        self._calls.append(_in_json(entry))

    def save_policy(self, episode: int, player: str, source: str) -> str:
        """Save a player's program, and return its path relative to the run directory."""
        path = self.directory / "episodes" / str(episode) / "policies" / f"{player}.js"
        self.write_file(path, source)
        return path.relative_to(self.directory).as_posix()

    def save_inventories(self, episode: int, state: dict[str, Any]) -> None:
        """Save the end state of an episode."""
        self.write_file(self.directory / "episodes" / str(episode) / "inventories.json", to_json(state))

    def save_contract(self, contract: dict[str, Any]) -> None:
        """Save the contract."""
        self.write_file(self.directory / "contract.json", to_json(contract))

    def save_result(self, result: dict[str, Any]) -> None:
        """Write result.json."""
        self.write_file(self.directory / "result.json", to_json(result))

    def save_image(self, image: ModelImage) -> None:
        """Save an image once, named by its hash. Raises RecordError."""
        path = self.directory / IMAGES / f"{image.sha256}.png"
        if image.sha256 in self._images or not image.data:
            return
        if not path.is_file():
            try:
                path.parent.mkdir(exist_ok=True)
                write_atomically(path, image.data)
            except OSError as error:
                raise RecordError(f"cannot write {path}: {error.strerror}") from None
        self._images.add(image.sha256)

    def read_image(self, sha256: str) -> bytes:
        """Return a stored image. Raises RecordError if it is missing or not what its name says."""
        path = self.directory / IMAGES / f"{sha256}.png"
        try:
            with open_plain(path) as file:
                data = file.read()
        except OSError as error:
            raise RecordError(f"{path} cannot be read ({error.strerror}): put the picture back") from None
        if hashlib.sha256(data).hexdigest() != sha256:
            raise RecordError(f"{path} is not the picture that its name says: put the right one back")
        return data

    def write_file(self, path: Path, text: str) -> None:
        """Write a file atomically.

        Raises:
            RecordError: The file cannot be written.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, text)
        except OSError as error:
            raise RecordError(f"cannot write {path}: {error.strerror}") from None

    def close(self) -> None:
        """Close the logs; calling it twice is harmless."""
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
    """Create a new directory in `out` named after the time and `name`, numbered if several start in the same second.

    Args:
        out: Parent directory.
        name: Last part of the directory's name.
        config: Content of config.yaml.
        empty_files: Names of files to create empty.
        folders: Names of subfolders to create.
        clock: Source of wall times in seconds.

    Raises:
        UsageError: The directory cannot be written.
    """
    base = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(clock()))}-{name}"
    for number in range(1, MAX_NAMESAKES):
        directory = out / (base if number == 1 else f"{base}-{number}")
        with contextlib.suppress(_Taken):
            make_directory(directory, config, empty_files, folders)
            return directory
    raise UsageError(f"{out} holds {MAX_NAMESAKES} runs of the same second; choose another folder with --out")


class _Taken(UsageError):
    """The directory's name is taken."""


def make_directory(
    directory: Path, config: dict[str, Any], empty_files: tuple[str, ...] = (), folders: tuple[str, ...] = ()
) -> None:
    """Create a directory with config.yaml, empty files and subfolders atomically.

    Args:
        directory: Path that must not exist yet.
        config: Content of config.yaml.
        empty_files: Names of files to create empty.
        folders: Names of subfolders to create.

    Raises:
        UsageError: The directory exists or cannot be written.
    """
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
        # A rename onto an existing empty directory would succeed, so the test comes first. A directory made since then
        # is not empty, and the rename refuses it.
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


def write_atomically(path: Path, text: str | bytes, *, flush: bool = True) -> None:
    """Write a temporary file and rename it over `path`, which replaces a link instead of following it.

    Args:
        path: The file to write.
        text: Its whole content.
        flush: True to wait until the disk has it; False for files that can be made again.
    """
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text if isinstance(text, bytes) else well_formed(text).encode("utf-8"))
            if flush:
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
    """Yield the events of a run one at a time, in constant memory.

    A torn last line, left by a kill while writing, is skipped.

    Args:
        path: Event log.
        only: Kinds of events to yield; lines of other kinds are not parsed.
        but: Filter that returns True for a kind and raw line to skip.

    Raises:
        RecordError: The log is unreadable, or a line is no event.
    """
    lines = raw_lines(path)
    head = _HEAD.match
    kinds: dict[bytes, str] = {}
    try:
        for number, raw in enumerate(lines, start=1):
            if only is not None and (found := head(raw)) is not None:
                # Interned kinds: a log has few distinct ones.
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
    """Return the event of a line; None for a torn or empty line. Raises RecordError."""
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
    """Return indented JSON. Raises ValueError for NaN and infinity."""
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
