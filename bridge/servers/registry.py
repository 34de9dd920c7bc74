"""Servers that stay up: which there are, where, and who uses one now. One per kind of world and user.

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

from bridge.types import Address, Door
from bridge.worlds import FLAT
from common.errors import PrerequisiteError

STATE_VARIABLE = "ACCORD_STATE"
"""Environment variable that names another state folder."""
KINDS = ("embedded", "paper")
"""Worlds that can stay up."""


@dataclass(frozen=True)
class Running:
    """A server that stays up, as it was when it was started."""

    world: str
    name: str
    """Of container and volume, or of the process."""
    host: str
    port: int
    version: str
    rcon_port: int
    password: str = field(repr=False)
    seed: int = 0
    terrain: str = FLAT
    """One of `bridge.worlds.TERRAINS`."""
    door_port: int = 0
    """Where hosts of engine bodies come in; 0 where they cannot."""
    door_secret: str = field(default="", repr=False)
    pid: int = 0
    """Of the embedded server's process; 0 for a container."""
    born: str = ""
    """When that process began (see `common.processes`)."""
    engine: str = ""
    """DOCKER_HOST of the engine that holds the container."""
    keep_world: bool = False
    stop_s: int = 0
    """Seconds that a container's server may take to end."""

    @property
    def address(self) -> Address:
        """Where clients join."""
        return Address(self.host, self.port, self.version)

    @property
    def door(self) -> Door | None:
        """Where hosts of engine bodies come in."""
        return Door(self.door_port, self.door_secret) if self.door_port else None


def state_folder() -> Path:
    """Return this user's state folder, not made yet. Raises PrerequisiteError when there is no place for one."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named).absolute()
    base = os.environ.get("XDG_STATE_HOME", "")
    try:
        return (Path(base) if Path(base).is_absolute() else Path.home() / ".local/state") / "accord"
    except RuntimeError as error:
        raise PrerequisiteError(f"there is no home directory: export {STATE_VARIABLE}=/path/to/a/folder") from error


def log_file(world: str) -> Path:
    """Return where a server of that kind logs that has no container to do so."""
    return state_folder() / f"{world}.log"


def find(world: str) -> Running | None:
    """Return the server of that kind that is on record; it may have died. Raises PrerequisiteError."""
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
    """Put it on record, all at once, readable by this user only."""
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
    """Take the server of that kind off the record, with its log."""
    for file in (_file(world), log_file(world)):
        with suppress(FileNotFoundError):
            file.unlink()


@contextmanager
def changing(world: str) -> Iterator[None]:
    """Hold while a server of that kind is started or ended. Raises PrerequisiteError when another process does."""
    with _locked(f"{world}.changing", f"another `accord server` is starting or ending the {world} server: wait for it"):
        yield


class ServerLease:
    """The sole use of a server that is up, by one study at a time; it ends with the process at the latest."""

    def __init__(self, world: str) -> None:
        self._world = world
        self._descriptor: int | None = None

    def take(self) -> bool:
        """Return whether it is ours now."""
        if self._descriptor is None:
            self._descriptor = _lock(f"{self._world}.in-use")
        return self._descriptor is not None

    def give_back(self) -> None:
        """Let others use the server; safe to call twice."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)


def in_use(world: str) -> bool:
    """Return whether a study uses the server of that kind now."""
    lease = ServerLease(world)
    try:
        return not lease.take()
    finally:
        lease.give_back()


def make_folder() -> Path:
    """Return the state folder, made for this user only. Raises PrerequisiteError."""
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
    """Return a descriptor that holds the lock until it is closed; None when somebody else holds it."""
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
