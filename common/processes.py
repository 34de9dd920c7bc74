"""Which process is meant: a process id alone means another one after a while, and nothing on another machine."""

from __future__ import annotations

import os
import socket
from pathlib import Path

_PROC = Path("/proc")


def this_place() -> str:
    """Where process ids of this process count: host name and, where there are such, the process-id namespace."""
    try:
        namespace = os.readlink(_PROC / "self/ns/pid")
    except OSError:
        namespace = ""
    return f"{socket.gethostname()} {namespace}".strip()


def this_boot() -> str:
    """This boot of this machine; empty where the system does not tell."""
    try:
        return (_PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def birth(pid: int) -> str:
    """When the process began, as the kernel counts it; empty where the system does not tell."""
    try:
        # The second field is the program's name in parentheses and may hold blanks.
        return (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""


def is_alive(pid: int, born: str) -> bool:
    """Whether the process with that id that began then still runs (a zombie does, until it is waited for)."""
    if pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return born in ("", birth(pid))
