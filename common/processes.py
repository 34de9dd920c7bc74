"""Identity of processes: a process id is reused after a while and means nothing on another machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path

_PROC = Path("/proc")


def this_place() -> str:
    """Return the scope of this process's ids: host name and, on Linux, the process-id namespace."""
    try:
        namespace = os.readlink(_PROC / "self/ns/pid")
    except OSError:
        namespace = ""
    return f"{socket.gethostname()} {namespace}".strip()


def this_boot() -> str:
    """Return the boot id of this machine, or an empty text if the system has none."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def birth(pid: int) -> str:
    """Return the start time of a process in the kernel's units, or an empty text if the system does not tell."""
    try:
        # The second field is the program's name in parentheses and may hold blanks.
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def is_alive(pid: int, born: str) -> bool:
    """Return whether the process with this id and start time still runs (a zombie counts as running)."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return born in ("", birth(pid))
