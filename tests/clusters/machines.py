"""Machines of their own on this one for tests: each with processes, a name and an id, all with one network folder.

The folder is a GlusterFS volume of one brick, which each machine mounts for itself, so that what one writes reaches the
others through their own caches and a server, as on a cluster.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Self

PROGRAMS = ("glusterd", "gluster", "mount.glusterfs", "unshare")
MACHINE = """
name=$1 volume=$2 folder=$3; shift 3
hostname "$name" && mount --bind "$folder/../$name.id" /etc/machine-id || exit 99
mount -t glusterfs "127.0.0.1:/$volume" "$folder" || exit 99
"$@"; code=$?
umount -l "$folder"; exit $code
"""


def missing() -> str:
    """Why there can be no such machines here; empty where there can."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"GlusterFS is not installed: {', '.join(absent)} not found (Debian: glusterfs-server glusterfs-client)"
    if os.geteuid() != 0 or not Path("/dev/fuse").exists():
        return "machines of their own need root and /dev/fuse"
    return ""


class NetworkFolder:
    """A folder that several machines have mounted; use it as a context manager."""

    def __init__(self, place: Path) -> None:
        self._place, self._volume = place, f"accord{secrets.token_hex(4)}"
        self.path = place / "folder"
        """Path on the machines of the cluster; it does not exist on this machine."""
        self.brick = place / "brick"
        """Folder on the server's disk."""
        self._server: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.path.mkdir(parents=True)
        self.brick.mkdir()
        if subprocess.run(["gluster", "volume", "list"], capture_output=True, check=False).returncode != 0:
            self._server = subprocess.Popen(["glusterd", "--no-daemon"])
        until_s = time.monotonic() + 60
        while self._gluster("list", check=False):
            assert time.monotonic() < until_s, "glusterd does not answer"
            time.sleep(0.5)
        self._gluster("create", self._volume, f"{socket.gethostname()}:{self.brick}", "force")
        self._gluster("start", self._volume)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._gluster("stop", self._volume, "force")
        self._gluster("delete", self._volume)
        if self._server is not None:
            self._server.terminate()
            self._server.wait()

    def machine(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        """Start a command on a machine of that name. When it is killed, all that runs there is."""
        identity = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()
        (self._place / f"{name}.id").write_text(f"{identity}\n", encoding="ascii")
        Path("/etc/machine-id").touch()
        own = ["unshare", "--mount", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc"]
        script = ["sh", "-c", MACHINE, "machine", name, self._volume, str(self.path)]
        return subprocess.Popen([*own, *script, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def _gluster(self, *words: str, check: bool = True) -> int:
        return subprocess.run(
            ["gluster", "--mode=script", "volume", *words], check=check, capture_output=True
        ).returncode
