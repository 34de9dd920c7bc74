"""One process at a time plays a study: a lock in its directory that ends with its process, however that ends.

Two locks together, since neither is enough everywhere. The kernel's (`flock`) ends with the last process that holds it,
workers included, but some network folders do not have it, or only between processes of one machine. The file
`lock.json` is made in one step (`O_EXCL`), which network folders have too, and says who plays: on the same machine a
process that is gone, or a machine that was started anew, gives the study free; of another machine nobody here can tell,
so its file stays until that study ends or a person removes the file.
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
"""Who plays the study, for as long as it is played."""
_GUARDED = "config.yaml"
_MACHINE = Path("/etc/machine-id")
_TRIES = 3
MAX_LOCK = 1 << 16
"""Bytes of a lock file."""


class StudyInUse(UsageError):
    """Another process plays the study."""


@dataclass(frozen=True)
class Holder:
    """Who plays a study."""

    machine: str
    place: str
    boot: str
    pid: int
    born: str
    nonce: str = ""

    @classmethod
    def here(cls) -> Holder:
        """This process."""
        pid = os.getpid()
        return cls(_machine(), this_place(), this_boot(), pid, birth(pid), secrets.token_hex(8))

    @property
    def is_gone(self) -> bool:
        """Whether it certainly plays no more: it was on this machine, and ended or was here before its last start."""
        if (self.machine, self.place) != (_machine(), this_place()):
            return False
        return self.boot != this_boot() or not is_alive(self.pid, self.born)


class StudyLock:
    """The sole use of a study's directory; close it in the end."""

    def __init__(self, file: IO[bytes], path: Path, holder: Holder) -> None:
        self._file = file
        self._path = path
        self._holder = holder

    def fileno(self) -> int:
        """The descriptor that workers keep open, so that the study is in use for as long as one of them lives."""
        return self._file.fileno()

    def close(self) -> None:
        """Give the study free; twice does no harm."""
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
    """Keeps other processes off this study until it is closed or the process has ended, however it ends.

    Raises UsageError when another one has it, or when the directory cannot be written.
    """
    file = _kernel_lock(directory)
    try:
        return StudyLock(file, directory / LOCK, _take(directory))
    except BaseException:
        file.close()
        raise


def is_played(run: Path) -> bool:
    """Whether a process that is not known to be gone plays the study that this directory is or belongs to."""
    holders = [read_holder(each / LOCK) for each in (run, *list(run.parents)[:2])]
    return any(holder is not None and not holder.is_gone for holder in holders)


def _kernel_lock(directory: Path) -> IO[bytes]:
    try:
        # Network folders that make flock of byte ranges want the file open for writing.
        file = open_plain(directory / _GUARDED, "r+b")
    except OSError as error:
        raise UsageError(f"{directory}: cannot be written ({error.strerror}); a study needs its directory") from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise _in_use(directory, read_holder(directory / LOCK)) from None
    except OSError:
        # No such locks in this folder; the file that says who plays has to do.
        pass
    return file


def _take(directory: Path) -> Holder:
    """Write down that this process plays."""
    path, mine = directory / LOCK, Holder.here()
    for _ in range(_TRIES):
        if _written(path, mine):
            return mine
        found = read_holder(path)
        if found is not None and not found.is_gone:
            raise _in_use(directory, found)
        if found is None and path.exists():
            raise UsageError(f"{path}: is not what a study writes; remove it if nobody plays that study")
        # Of several that find it stale, one renames it away; whoever moved a live one puts it back.
        stale = path.with_name(f".{LOCK}.{mine.nonce}")
        with contextlib.suppress(FileNotFoundError):
            path.rename(stale)
            if read_holder(stale) == found:
                stale.unlink()
            else:
                stale.rename(path)
    raise _in_use(directory, read_holder(path))


def _written(path: Path, holder: Holder) -> bool:
    """Whether the file is made now; False where there is one."""
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
    """Return who that file names; None where there is none, or nobody that can be read."""
    try:
        return _checked(Holder(**json.loads(read_text(path, MAX_LOCK))))
    except (OSError, ValueError, TypeError, RecursionError):
        return None


def _checked(holder: Holder) -> Holder:
    """Return it where its fields are what a study writes. Raises TypeError."""
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
