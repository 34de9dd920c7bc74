"""Lock that lets one process at a time play a study.

Two locks work together, since neither suffices everywhere. The kernel's (`flock`) ends with the last process that holds
it, workers included, but some network folders lack it, or support it only among processes of one machine. The file
`lock.json` is created atomically (`O_EXCL`), which network folders support too, and names the holder. On the same
machine the lock is stale if the holder has ended or the machine has restarted. A holder on another machine cannot be
checked, so the lock stays until the study ends or a person removes the file.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from common.plain_files import open_plain, read_text
from common.processes import birth, is_alive, this_boot, this_place
from dilemmas.errors import UsageError

LOCK = "lock.json"
"""File that names the process playing the study."""
_GUARDED = "config.yaml"
_MACHINE = Path("/etc/machine-id")
_TRIES = 3
MAX_LOCK = 1 << 16
"""Maximum size of a lock file, in bytes."""


class StudyInUse(UsageError):
    """The study is being played by another process."""


@dataclass(frozen=True)
class Holder:
    """Identity of a process that plays a study."""

    machine: str
    place: str
    boot: str
    pid: int
    born: str
    nonce: str = ""

    @classmethod
    def here(cls) -> Holder:
        """Return the identity of this process."""
        pid = os.getpid()
        return cls(_machine(), this_place(), this_boot(), pid, birth(pid), secrets.token_hex(8))

    @property
    def is_gone(self) -> bool:
        """True if the process has certainly ended: it ran on this machine and ended, or the machine has restarted
        since.
        """
        if (self.machine, self.place) != (_machine(), this_place()):
            return False
        return self.boot != this_boot() or not is_alive(self.pid, self.born)


class StudyLock:
    """Exclusive use of a study's directory; close it at the end."""

    def __init__(self, file: IO[bytes], path: Path, holder: Holder) -> None:
        self._file = file
        self._path = path
        self._holder = holder

    def fileno(self) -> int:
        """Return the descriptor that workers inherit, so that the lock lasts as long as any of them lives."""
        return self._file.fileno()

    def close(self) -> None:
        """Release the study; calling it twice is harmless."""
        if not self._file.closed:
            if read_holder(self._path) == self._holder:
                self._path.unlink(missing_ok=True)
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def lock_directory(directory: Path) -> StudyLock:
    """Lock a study for this process until the lock is closed or the process ends.

    Raises:
        StudyInUse: Another process holds the study.
        UsageError: The directory cannot be written.
    """
    file = _kernel_lock(directory)
    try:
        return StudyLock(file, directory / LOCK, _acquire(directory))
    except BaseException:
        file.close()
        raise


def is_played(run: Path) -> bool:
    """Return True if a process that may still live plays the study that contains `run`."""
    holders = [read_holder(each / LOCK) for each in (run, *list(run.parents)[:2])]
    return any(holder is not None and not holder.is_gone for holder in holders)


def _kernel_lock(directory: Path) -> IO[bytes]:
    try:
        # Network folders that map flock to byte-range locks require a file opened for writing.
        file = open_plain(directory / _GUARDED, "r+b")
    except OSError as error:
        raise UsageError(f"{directory}: cannot be written ({error.strerror}); a study needs its directory") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise _in_use(directory, read_holder(directory / LOCK)) from None
    except OSError:
        # This folder does not support flock; the lock file has to suffice.
        pass
    return file


def _acquire(directory: Path) -> Holder:
    """Create the lock file for this process, replacing a stale one."""
    path, mine = directory / LOCK, Holder.here()
    for _ in range(_TRIES):
        if _create_lock_file(path, mine):
            return mine
        found = read_holder(path)
        if found is not None and not found.is_gone:
            raise _in_use(directory, found)
        if found is None and path.exists():
            raise UsageError(f"{path}: is no lock of a study; remove it if nobody plays that study")
        # Among several processes that find a stale file, one renames it away; a live file moved by mistake is put back.
        stale = path.with_name(f".{LOCK}.{mine.nonce}")
        with contextlib.suppress(FileNotFoundError):
            path.rename(stale)
            if read_holder(stale) == found:
                stale.unlink()
            else:
                stale.rename(path)
    raise _in_use(directory, read_holder(path))


def _create_lock_file(path: Path, holder: Holder) -> bool:
    """Create the lock file; return False if it exists."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
    except FileExistsError:
        return False
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from None
    with open(descriptor, "w", encoding="utf-8") as stream:
        json.dump(asdict(holder), stream)
    return True


def read_holder(path: Path) -> Holder | None:
    """Return the holder named by a lock file; None if the file is missing or unreadable."""
    try:
        return _checked(Holder(**json.loads(read_text(path, MAX_LOCK))))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _checked(holder: Holder) -> Holder:
    """Return `holder` if its fields have the right types. Raises TypeError."""
    texts = (holder.machine, holder.place, holder.boot, holder.born, holder.nonce)
    if not all(isinstance(each, str) for each in texts) or type(holder.pid) is not int or holder.pid.bit_length() > 31:
        raise TypeError("not the holder of a study")
    return holder


def _machine() -> str:
    try:
        return _MACHINE.read_text().strip()
    except OSError:
        return ""


def _in_use(directory: Path, holder: Holder | None) -> StudyInUse:
    who = "" if holder is None else f" (process {holder.pid} on {holder.place.split(' ')[0]})"
    far = holder is not None and (holder.machine, holder.place) != (_machine(), this_place())
    what = (
        f"wait for its end, or end it; if that machine is gone, remove {LOCK}" if far else "wait for its end, or end it"
    )
    return StudyInUse(f"{directory} is being played by another process{who}; {what}")
