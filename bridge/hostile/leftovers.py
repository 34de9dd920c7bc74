"""Removal of folders of `accord doctor --hostile` that a kill -9 left, at the next start.

A folder is removed only with proof: the prefix of its name; a real folder (no link) of this user that others cannot
enter; in it a marker, a plain file of this user, that names the process that made it; and that process on this machine
has ended.
"""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from common.processes import birth, is_alive, this_boot, this_place

PREFIX = "accord-hostile-"
MARKER = "made-by.json"
"""File in the folder that names the process that made it."""
MAX_MARKER = 2000
_NO_LINK = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def make_folder() -> Path:
    """Create a folder with a marker and return it."""
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    pid = os.getpid()
    made = {"place": this_place(), "boot": this_boot(), "pid": pid, "born": birth(pid)}
    (folder / MARKER).write_text(json.dumps(made), encoding="utf-8")
    return folder


def sweep() -> list[str]:
    """Remove folders of this user's killed runs on this machine and return their names."""
    parent = Path(tempfile.gettempdir())
    removed = []
    for name in sorted(each for each in os.listdir(parent) if each.startswith(PREFIX)):
        if _is_ours(parent / name) and shutil.rmtree.avoids_symlink_attacks:
            shutil.rmtree(parent / name, ignore_errors=True)
            removed.append(name)
    return removed


def _is_ours(folder: Path) -> bool:
    """Return whether this user made a folder, in an ended process on this machine."""
    descriptor = -1
    try:
        descriptor = os.open(folder, _NO_LINK | os.O_DIRECTORY)
        found = os.fstat(descriptor)
        if found.st_uid != os.geteuid() or found.st_mode & 0o077:
            return False
        return _is_gone(_marker(descriptor))
    except (OSError, ValueError, TypeError, KeyError):
        return False
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _marker(folder: int) -> dict[str, Any]:
    """Return the content of a marker. Raises OSError or ValueError if it is not ours."""
    descriptor = os.open(MARKER, _NO_LINK, dir_fd=folder)
    with open(descriptor, "rb") as stream:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid() or found.st_nlink != 1:
            raise ValueError("the marker is no plain file of this user")
        with suppress(RecursionError):
            said = json.loads(stream.read(MAX_MARKER))
            if isinstance(said, dict):
                return said
    raise ValueError("the marker says nothing")


def _is_gone(made: dict[str, Any]) -> bool:
    pid, born = made["pid"], made["born"]
    if made["place"] != this_place() or not isinstance(pid, int) or not isinstance(born, str) or pid <= 0:
        return False
    return bool(made["boot"] != this_boot()) or not is_alive(pid, born)
