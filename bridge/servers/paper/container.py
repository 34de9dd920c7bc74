"""One container of the Paper server, from its making to its removal. Blocking: `server.py` puts it into threads."""

from __future__ import annotations

import io
import os
import tarfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import docker.errors

from bridge.errors import InfrastructureError, PrerequisiteError, ServerError
from bridge.servers.paper.engine import ENGINE_ERRORS, brief
from bridge.servers.paper.settings import (
    DATA_UID,
    GAME_PORT,
    PASSWORD_FILE,
    RCON_PORT,
    PaperSettings,
)

LABEL = "accord.server"
"""On every container and volume of ours; its value is the server's name."""
OWNER = "accord.owner-pid"
KEEP = "accord.keep"
BOOT = "accord.boot-id"
LOG_LINES = 50
KILL_AFTER_S = 15
"""Docker's patience beyond the server's own."""


def labels(name: str, *, keep: bool) -> dict[str, str]:
    """What marks a container or volume as ours, and whose it is: a process id counts only within one boot."""
    return {LABEL: name, OWNER: str(os.getpid()), BOOT: boot_id(), KEEP: "true" if keep else "false"}


def boot_id() -> str:
    """This boot of this machine; empty where the system does not tell."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return ""


@dataclass
class Container:
    """A container and its world volume. Not safe for several threads at once."""

    client: Any
    name: str
    settings: PaperSettings
    keep: bool = False
    _container: Any = field(default=None, init=False)
    _volume: Any = field(default=None, init=False)

    def create(self, password: str) -> None:
        """Make volume and container and put the files into it; nothing runs yet."""
        marks = labels(self.name, keep=self.keep)
        self._volume = self.client.volumes.create(f"{self.name}-data", labels=marks)
        limit = self.settings.memory_mb + self.settings.memory_mb // 2
        self._container = self.client.containers.create(
            self.settings.image,
            name=self.name,
            environment=self.settings.environment(),
            labels=marks,
            ports={GAME_PORT: ("127.0.0.1", self.settings.game_port), RCON_PORT: ("127.0.0.1", None)},
            volumes={f"{self.name}-data": {"bind": "/data", "mode": "rw"}},
            mem_limit=f"{limit}m",
            memswap_limit=f"{limit}m",
            nano_cpus=int(self.settings.cpus * 1e9),
            pids_limit=1024,
            security_opt=["no-new-privileges:true"],
            healthcheck={"interval": 1_000_000_000, "start_period": 180_000_000_000, "retries": 5},
            stdin_open=False,
        )
        files = {**self.settings.files(), PASSWORD_FILE: password.encode()}
        self._container.put_archive("/data", _archive(files))

    def start(self) -> None:
        """Start it. Raises PrerequisiteError when the wanted port is taken."""
        try:
            self._container.start()
        except docker.errors.APIError as error:
            text = brief(error)
            if self.settings.game_port and ("already allocated" in text or "already in use" in text):
                raise PrerequisiteError(
                    f"port {self.settings.game_port} is taken: pass another --port, or leave it out for a free one"
                ) from error
            raise ServerError(f"Docker could not start the server: {text}") from error

    def wait_until_ready(self, *, cancelled: Callable[[], bool]) -> None:
        """Return when the health check is green. Raises ServerError with the log's end when it dies or stays red."""
        deadline = time.monotonic() + self.settings.start_timeout_s
        while not cancelled():
            self._container.reload()
            if self._container.status in {"exited", "dead", "removing"}:
                raise self._start_failure("ended before it was ready")
            if self._container.health == "healthy":
                return
            if time.monotonic() > deadline:
                raise self._start_failure(f"was not healthy after {self.settings.start_timeout_s:g} s")
            time.sleep(0.2)
        raise ServerError("starting the server was cancelled")

    def _start_failure(self, what: str) -> InfrastructureError | PrerequisiteError:
        log = self.log_tail()
        if "EULA" in log and not self.settings.accept_eula:
            return PrerequisiteError(
                "Mojang's EULA is not accepted: read https://aka.ms/MinecraftEULA and set ACCORD_EULA=true"
            )
        return ServerError(f"the Paper server {what}; its last lines:\n{log}")

    def log_tail(self, lines: int = LOG_LINES) -> str:
        """The last lines that the server printed."""
        return str(self._container.logs(tail=lines).decode("utf-8", "replace")).rstrip()

    def ports(self) -> tuple[int, int]:
        """Game and RCON port on 127.0.0.1. They change with every start."""
        self._container.reload()
        ports = self._container.ports
        return int(ports[GAME_PORT][0]["HostPort"]), int(ports[RCON_PORT][0]["HostPort"])

    def alive(self) -> bool:
        """Whether it runs and its health check is not red."""
        try:
            self._container.reload()
        except ENGINE_ERRORS:
            return False
        return bool(self._container.status == "running" and self._container.health != "unhealthy")

    def remove(self) -> None:
        """Stop it within the server's own grace and remove container and volume; it may be gone already."""
        for action in self._removal():
            try:
                action()
            except docker.errors.NotFound:
                continue

    def _removal(self) -> Iterator[Callable[[], Any]]:
        if self._container is not None:
            yield lambda: self._container.stop(timeout=self.settings.stop_s + KILL_AFTER_S)
            yield lambda: self._container.remove(v=True, force=True)
        if self._volume is not None:
            yield lambda: self._volume.remove(force=True)


def _archive(files: dict[str, bytes]) -> bytes:
    """A tar of the files, owned by the server's user; the password is for nobody else to read."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        for directory in sorted({path.rpartition("/")[0] for path in files} - {""}):
            entry = tarfile.TarInfo(directory)
            entry.type, entry.mode, entry.uid, entry.gid = tarfile.DIRTYPE, 0o755, DATA_UID, DATA_UID
            tar.addfile(entry)
        for path, content in files.items():
            entry = tarfile.TarInfo(path)
            entry.size, entry.uid, entry.gid = len(content), DATA_UID, DATA_UID
            entry.mode = 0o600 if path == PASSWORD_FILE else 0o644
            tar.addfile(entry, io.BytesIO(content))
    return stream.getvalue()
