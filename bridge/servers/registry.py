"""Registry of servers that stay up, one per kind of world and user, with their addresses and users.

The record of a server holds its RCON password, so folder and file are for this user only.
"""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from bridge.types import Address, BodiesAddress
from bridge.worlds import FLAT
from common.errors import PrerequisiteError

STATE_VARIABLE = "ACCORD_STATE"
"""Environment variable that names another state folder."""
KINDS = ("embedded", "paper")
"""Worlds that can stay up."""


@dataclass(frozen=True)
class Running:
    """Record of a server that stays up, written at its start."""

    world: str
    name: str
    """Name of container and volume, or of the process."""
    host: str
    port: int
    version: str
    rcon_port: int
    password: str = field(repr=False)
    seed: int = 0
    terrain: str = FLAT
    """One of `bridge.worlds.TERRAINS`."""
    door_port: int = 0
    """Port for hosts of engine bodies; 0 if it takes none."""
    door_secret: str = field(default="", repr=False)
    pid: int = 0
    """Process id of an embedded server; 0 for a container."""
    born: str = ""
    """Start time of the process (see `common.processes`)."""
    engine: str = ""
    """DOCKER_HOST of the engine that holds the container."""
    keep_world: bool = False
    stop_s: int = 0
    """Seconds that a container's server may take to end."""

    @property
    def address(self) -> Address:
        """Address for clients."""
        return Address(self.host, self.port, self.version)

    @property
    def bodies_address(self) -> BodiesAddress | None:
        """Address for hosts of engine bodies, or None."""
        return BodiesAddress(self.door_port, self.door_secret) if self.door_port else None


def state_folder() -> Path:
    """Return the path of this user's state folder. Raises PrerequisiteError if there is no place for it."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_STATE_HOME", "")
    try:
        return (Path(base) if Path(base).is_absolute() else Path.home() / ".local/state") / "accord"
    except RuntimeError as error:
        raise PrerequisiteError(f"there is no home directory: export {STATE_VARIABLE}=/path/to/a/folder") from error


def log_file(world: str) -> Path:
    """Return the log file of a kind of server without a container."""
    return state_folder() / f"{world}.log"


def find(world: str) -> Running | None:
    """Return the record of a kind of server, which may have died, or None. Raises PrerequisiteError."""
    try:
        return Running(**json.loads(_file(world).read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError) as error:
        raise PrerequisiteError(
            f"{_file(world)} cannot be read ({type(error).__name__}): end that server by hand and remove the file"
        ) from error


def everything() -> list[Running]:
    """Return all servers on record."""
    return [found for kind in KINDS if (found := find(kind)) is not None]


def remember(running: Running) -> None:
    """Write a record at once, readable by this user only."""
    make_folder()
    file = _file(running.world)
    draft = file.with_suffix(f".{secrets.token_hex(4)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with open(descriptor, "w", encoding="utf-8") as stream:
            json.dump(asdict(running), stream)
        draft.replace(file)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise _unwritable(error) from error


def forget(world: str) -> None:
    """Remove the record and log of a kind of server."""
    for file in (_file(world), log_file(world)):
        with suppress(FileNotFoundError):
            file.unlink()


@contextmanager
def changing(world: str) -> Iterator[None]:
    """Hold the lock for starting or stopping a kind of server. Raises PrerequisiteError if another process has it."""
    with _locked(f"{world}.changing", f"another `accord server` is starting or ending the {world} server: wait for it"):
        yield


class ServerLease:
    """Exclusive use of a running server by one study; it ends with the process at the latest."""

    def __init__(self, world: str) -> None:
        self._world = world
        self._descriptor: int | None = None

    def acquire(self) -> bool:
        """Take the lease and return whether it succeeded."""
        if self._descriptor is None:
            self._descriptor = _lock(f"{self._world}.in-use")
        return self._descriptor is not None

    def give_back(self) -> None:
        """Let others use the server; safe to call twice."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def in_use(world: str) -> bool:
    """Return whether a study uses the running server of a kind."""
    lease = ServerLease(world)
    try:
        return not lease.acquire()
    finally:
        lease.give_back()


def make_folder() -> Path:
    """Create the state folder for this user only and return it. Raises PrerequisiteError."""
    folder = state_folder()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(error) from error
    return folder


def _file(world: str) -> Path:
    return state_folder() / f"{world}.json"


@contextmanager
def _locked(name: str, refusal: str) -> Iterator[None]:
    descriptor = _lock(name)
    if descriptor is None:
        raise PrerequisiteError(refusal)
    try:
        yield
    finally:
        os.close(descriptor)


def _lock(name: str) -> int | None:
    """Return a descriptor that holds the lock until closed, or None if another process holds it."""
    try:
        descriptor = os.open(make_folder() / name, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise _unwritable(error) from error
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _unwritable(error: OSError) -> PrerequisiteError:
    return PrerequisiteError(
        f"the state folder {state_folder()} cannot be used ({error.strerror}): "
        f"make it writable, or export {STATE_VARIABLE}=/path/to/a/folder"
    )
