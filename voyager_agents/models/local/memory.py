"""Free memory of this machine, as far as the system tells."""

from __future__ import annotations

import re
from pathlib import Path

MEMINFO = Path("/proc/meminfo")
LIMIT, USED = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
STATISTICS = Path("/sys/fs/cgroup/memory.stat")


def free_memory() -> int | None:
    """Return the bytes that a new process can use, within the limit of a container; None if the system tells none."""
    found = [each for each in (_of_machine(), _of_container()) if each is not None]
    return min(found, default=None)


def _of_machine() -> int | None:
    match = re.search(r"MemAvailable:\s+(\d+) kB", _read(MEMINFO))
    return int(match[1]) << 10 if match else None


def _of_container() -> int | None:
    limit, used = _read(LIMIT).strip(), _read(USED).strip()
    if not limit.isdigit() or not used.isdigit():
        return None
    # Cached files are given back when memory is needed.
    cached = re.search(r"^inactive_file (\d+)$", _read(STATISTICS), re.MULTILINE)
    return int(limit) - int(used) + (int(cached[1]) if cached else 0)


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""
