"""Engines shared by the processes of one user: started by the first, ended with the last.

The state folder has four files for each engine, named by the hash of its spec: a record with address and key, a lock
for starting, a lease whose lock all users share, and a mark that keeps the engine up without users. The engine itself
watches lease and mark (`voyager_agents.models.local.server`), so it also ends when its users were killed.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bridge.servers.registry import make_folder, state_folder
from common.errors import PrerequisiteError
from common.processes import birth, is_alive
from voyager_agents.errors import ModelError
from voyager_agents.models.local.gguf import read_header
from voyager_agents.models.local.memory import free_memory
from voyager_agents.models.local.settings import EngineSpec

PREFIX = "local-"
LOOK_S = 0.05
HEALTH_S = 10.0
END_S = 5.0
KEPT_ENVIRONMENT = ("PATH", "HOME", "LANG", "PYTHONPATH", "LD_LIBRARY_PATH", "TMPDIR")
"""Variables that an engine gets; no key is its business."""


@dataclass(frozen=True)
class EngineRecord:
    """Record of a running engine, readable by this user only."""

    url: str
    api_key: str = field(repr=False)
    pid: int
    born: str
    file: str
    options: dict[str, int]
    kept: bool = False
    """True if it stays up without users."""

    @property
    def port(self) -> int:
        """Port on the loopback interface."""
        return int(self.url.rpartition(":")[2].partition("/")[0])

    @property
    def alive(self) -> bool:
        """True while the process runs."""
        _reap(self.pid)
        return is_alive(self.pid, self.born)


class EngineFiles:
    """Files of an engine in the state folder."""

    def __init__(self, key: str) -> None:
        """Name the files of the engine whose spec has this hash."""
        self._stem = state_folder() / f"{PREFIX}{key}"

    def __getattr__(self, name: str) -> Path:
        if name not in ("json", "lock", "lease", "keep", "log"):
            raise AttributeError(name)
        return self._stem.with_suffix(f".{name}")


class EngineUse:
    """Use of a shared engine by this process. Call `release` in the end; it is safe to call twice."""

    def __init__(self, spec: EngineSpec, *, port: int = 0) -> None:
        """Prepare the use; nothing is started yet.

        Args:
            spec: Weights and options.
            port: Port for an engine that has to be started; 0 for a free one.
        """
        self.spec = spec
        self._port = port
        self.files = EngineFiles(spec.key)
        """Its files in the state folder."""
        self._lease: int | None = None
        self._starting: subprocess.Popen[bytes] | None = None
        self._cancelled = threading.Event()
        self.record: EngineRecord | None = None

    def acquire(self) -> EngineRecord:
        """Return the running engine of the spec, started if necessary; blocks until it answers.

        Raises:
            ModelError: It cannot be started, or `cancel` was called.
        """
        try:
            make_folder()
            with self._alone():
                self._lease = self._share()
                self.record = self._running() or self._start()
        except (OSError, PrerequisiteError) as error:
            self.release()
            raise ModelError(f"model local: {error}") from None
        except BaseException:
            self.release()
            raise
        return self.record

    def cancel(self) -> None:
        """Make `acquire` end soon, from another thread."""
        self._cancelled.set()
        if self._starting is not None:
            self._starting.kill()

    def keep(self) -> None:
        """Keep the engine up when nobody uses it."""
        self.files.keep.touch(mode=0o600)

    def release(self) -> None:
        """End the use, and the engine if nobody else uses it."""
        lease, self._lease = self._lease, None
        if lease is None:
            return
        try:
            fcntl.flock(lease, fcntl.LOCK_UN)
            if not self.files.keep.exists() and _try_lock(lease) and self.record is not None:
                _end_and_forget(self.record, self.files.json)
        finally:
            os.close(lease)

    def fault(self) -> str:
        """Return the last error that the engine wrote, in one line; empty if it wrote none."""
        with contextlib.suppress(OSError):
            lines = self.files.log.read_text("utf-8", "replace").splitlines()
            errors = [line.partition(" E ")[2] for line in lines if " E " in line]
            return " ".join(errors[0].split())[:200] if errors else ""
        return ""

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock for starting an engine of this spec."""
        descriptor = os.open(self.files.lock, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while not _try_lock(descriptor):
                self._pause()
            yield
        finally:
            os.close(descriptor)

    def _share(self) -> int:
        """Return a descriptor of the lease with the shared lock; an engine that is ending is waited for."""
        descriptor = os.open(self.files.lease, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            while not _try_lock(descriptor, fcntl.LOCK_SH):
                self._pause()
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _pause(self) -> None:
        if self._cancelled.wait(LOOK_S):
            raise ModelError("model local: its start was cancelled")

    def _running(self) -> EngineRecord | None:
        """Return the engine on record if it answers; one that does not is ended."""
        record = read_record(self.files.json)
        if record is None or not record.alive:
            return None
        if answers(record):
            return record
        end_engine(record)
        return None

    def _start(self) -> EngineRecord:
        key = secrets.token_urlsafe(24)
        options = asdict(self.spec.options)
        orders = {
            "file": str(self.spec.file), "alias": self.spec.file.stem, **options, "port": self._port, "key": key,
            "files": {name: str(getattr(self.files, name)) for name in ("lease", "keep", "json", "log")},
        }  # fmt: skip
        self._check_port()
        self._check_memory()
        self._starting = process = self._spawn(orders)
        told = _first_line(process)
        if self._cancelled.is_set():
            process.kill()
        if "url" not in told:
            code = process.wait()
            raise ModelError(self._refusal(told, code))
        # Whoever ends it may be another process.
        process.returncode = 0
        record = EngineRecord(told["url"], key, process.pid, birth(process.pid), str(self.spec.file), options)
        self.files.json.touch(mode=0o600)
        self.files.json.write_text(json.dumps(asdict(record)), "utf-8")
        return record

    def _check_port(self) -> None:
        """Raise ModelError if the wanted port is taken."""
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind(("127.0.0.1", self._port))
            except OSError as error:
                raise ModelError(
                    f"model local: port {self._port} on 127.0.0.1 cannot be used ({error.strerror}): choose another, "
                    "or none for a free one"
                ) from None

    def _check_memory(self) -> None:
        """Raise ModelError if the model does not fit into the free memory."""
        header, free = read_header(self.spec.file), free_memory()
        options = self.spec.options
        needed = 0 if header is None else header.memory(options.context * options.slots)
        if free is not None and needed > free:
            raise ModelError(
                f"model local:{self.spec.file}: needs about {needed / 1e9:.1f} GB, and {free / 1e9:.1f} GB are free: "
                "give a smaller --local context, fewer slots, or a smaller file"
            )

    def _spawn(self, orders: dict[str, Any]) -> subprocess.Popen[bytes]:
        environment = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
        self.files.log.unlink(missing_ok=True)
        descriptor = os.open(self.files.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            process = subprocess.Popen(
                [sys.executable, "-m", "voyager_agents.models.local.server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=descriptor,
                # Threads that wait for each other without computing: on busy machines the default is many times slower.
                env={**environment, "OMP_WAIT_POLICY": "PASSIVE"},
                start_new_session=True,  # Ctrl-C is for the user of the engine, who ends it in order
            )
        finally:
            os.close(descriptor)
        assert process.stdin is not None
        with process.stdin, contextlib.suppress(BrokenPipeError):
            process.stdin.write(json.dumps(orders).encode() + b"\n")
        return process

    def _refusal(self, told: dict[str, Any], code: int) -> str:
        """Return the error of an engine that did not start."""
        why = self.fault() or str(told.get("error") or f"it ended with code {code}")
        return f"model local:{self.spec.file}: the engine did not start ({why})"


def read_record(path: Path) -> EngineRecord | None:
    """Return the record in a file, or None if there is none or it is torn."""
    try:
        return EngineRecord(**json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def engines() -> list[EngineRecord]:
    """Return the engines that run."""
    found = []
    for path in sorted(state_folder().glob(f"{PREFIX}*.json")):
        record = read_record(path)
        if record is not None and record.alive:
            kept = path.with_suffix(".keep").exists()
            found.append(EngineRecord(**{**asdict(record), "kept": kept}))
    return found


def stop_keeping() -> list[EngineRecord]:
    """End all kept engines that nobody uses; used ones end with their last user. Return all of them."""
    found = []
    for mark in sorted(state_folder().glob(f"{PREFIX}*.keep")):
        mark.unlink(missing_ok=True)
        record = read_record(mark.with_suffix(".json"))
        if record is None or not record.alive:
            continue
        found.append(record)
        lease = os.open(mark.with_suffix(".lease"), os.O_RDWR | os.O_CREAT, 0o600)
        try:
            if _try_lock(lease):
                _end_and_forget(record, mark)
        finally:
            os.close(lease)
    return found


def _end_and_forget(record: EngineRecord, file: Path) -> None:
    """End an engine that nobody uses, and remove its record and log, which lie beside `file`."""
    end_engine(record)
    for suffix in (".json", ".log"):
        file.with_suffix(suffix).unlink(missing_ok=True)


def answers(record: EngineRecord) -> bool:
    """Return whether the engine answers."""
    request = urllib.request.Request(f"{record.url}/models", headers={"Authorization": f"Bearer {record.api_key}"})
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=HEALTH_S) as response:
            return bool(response.status == 200)
    except (OSError, ValueError, urllib.error.URLError):
        return False


def end_engine(record: EngineRecord) -> None:
    """End the process of an engine, which has nothing to save."""
    if record.alive:
        with contextlib.suppress(ProcessLookupError):
            os.kill(record.pid, signal.SIGKILL)
    deadline = time.monotonic() + END_S
    while record.alive and time.monotonic() < deadline:
        time.sleep(LOOK_S)


def _first_line(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return the engine's first line as JSON; empty if it ended without one."""
    assert process.stdout is not None
    with process.stdout:
        line = process.stdout.readline()
    try:
        told: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    return told


def _try_lock(descriptor: int, kind: int = fcntl.LOCK_EX) -> bool:
    try:
        fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _reap(pid: int) -> None:
    """Reap a process that this process started; until then it would appear to be running."""
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
