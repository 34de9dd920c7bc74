"""A container of the Paper server, from creation to removal. Calls block; `server.py` runs them in threads."""

from __future__ import annotations

import io
import tarfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import docker.errors

from bridge.errors import InfrastructureError, ServerError
from bridge.servers.paper.engine import ENGINE_ERRORS, brief
from bridge.servers.paper.marks import labels
from bridge.servers.paper.settings import (
    DATA_UID,
    EULA_REFUSED,
    GAME_PORT,
    PASSWORD_FILE,
    RCON_PORT,
    PaperSettings,
    pinned_cores,
)
from common.errors import PrerequisiteError

LOG_LINES = 50
KILL_AFTER_S = 15
"""Seconds before Docker kills the container, beyond the server's own time to stop."""
REMOVE_TRIES = 10
REMOVE_AGAIN_S = 1.0
"""Pause before another try to remove something; an engine with a busy disk sometimes fails to at first."""


@dataclass
class Container:
    """A container and its world volume. Not safe for several threads at once."""

    client: Any
    name: str
    settings: PaperSettings
    state: str = ""
    """State folder that will list a server that outlives this process."""
    keep_world: bool = False
    """True to keep the volume when the container is removed, and to reuse one of the same name."""
    _container: Any = field(default=None, init=False)
    _volume: Any = field(default=None, init=False)
    _kept_before: bool = field(default=False, init=False)

    @classmethod
    def adopt(cls, client: Any, name: str, settings: PaperSettings, *, keep_world: bool) -> Container:  # noqa: ANN401
        """Return the container of a server started by another process.

        Args:
            client: Client of the Docker engine.
            name: Name of container and volume.
            settings: Settings of the server.
            keep_world: True to keep the volume when the container is removed.
        """
        found = cls(client, name, settings, keep_world=keep_world)
        with suppress(docker.errors.NotFound):
            found._container = client.containers.get(name)
        with suppress(docker.errors.NotFound):
            found._volume = client.volumes.get(f"{name}-data")
        return found

    @property
    def exists(self) -> bool:
        """True if the container exists."""
        return self._container is not None

    def create(self, password: str) -> None:
        """Create volume and container and copy the files into it, without starting it."""
        marks = labels(self.name, state=self.state)
        volume_marks = labels(self.name, state=self.state, keep_world=self.keep_world)
        self._kept_before = self.keep_world and self._has_volume()
        self._volume = self.client.volumes.create(f"{self.name}-data", labels=volume_marks)
        self._container = self.client.containers.create(
            self.settings.image,
            name=self.name,
            environment=self.settings.environment(),
            labels=marks,
            ports={GAME_PORT: ("127.0.0.1", self.settings.game_port), RCON_PORT: ("127.0.0.1", None)},
            volumes={f"{self.name}-data": {"bind": "/data", "mode": "rw"}},
            mem_limit=f"{self.settings.limit_mb}m",
            memswap_limit=f"{self.settings.limit_mb}m",
            cpuset_cpus=pinned_cores(self.client.info()["NCPU"]),
            nano_cpus=int(min(self.settings.cpus, self.client.info()["NCPU"]) * 1e9),
            pids_limit=1024,
            security_opt=["no-new-privileges:true"],
            healthcheck={"interval": 1_000_000_000, "start_period": 180_000_000_000, "retries": 5},
            stdin_open=False,
        )
        files = {**self.settings.files(), PASSWORD_FILE: password.encode()}
        self._container.put_archive("/data", _archive(files))

    def _has_volume(self) -> bool:
        try:
            self.client.volumes.get(f"{self.name}-data")
        except docker.errors.NotFound:
            return False
        return True

    def start(self) -> None:
        """Start the container. Raises PrerequisiteError if the requested port is taken."""
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
        """Wait for a healthy container. Raises ServerError with the end of the log if it dies or stays unhealthy."""
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
            return PrerequisiteError(EULA_REFUSED)
        return ServerError(f"the Paper server {what}; its last lines:\n{log}")

    def log_tail(self, lines: int | str = LOG_LINES) -> str:
        """Return the last lines of the server's output."""
        return str(self._container.logs(tail=lines).decode("utf-8", "replace")).rstrip()

    def ports(self) -> tuple[int, int]:
        """Return game and RCON port on 127.0.0.1, which change with every start."""
        self._container.reload()
        ports = self._container.ports
        return int(ports[GAME_PORT][0]["HostPort"]), int(ports[RCON_PORT][0]["HostPort"])

    def alive(self) -> bool:
        """Return whether the container runs and is not unhealthy."""
        try:
            self._container.reload()
        except ENGINE_ERRORS:
            return False
        return bool(self._container.status == "running" and self._container.health != "unhealthy")

    def follow_log(self, *, tail: int | str = "all", follow: bool) -> Iterator[str]:
        """Yield the lines of the log, oldest first; with `follow` until the server ends."""
        if not follow:
            # Docker's SDK leaves the connection of a stream open that is not read to its end.
            yield from self.log_tail(lines=tail).splitlines()
            return
        rest = b""
        with closing(self._container.logs(stream=True, follow=True, tail=tail)) as chunks:
            for chunk in chunks:
                *lines, rest = (rest + chunk).split(b"\n")
                yield from (line.decode("utf-8", "replace") for line in lines)
        if rest:
            yield rest.decode("utf-8", "replace")

    def stop(self) -> None:
        """Stop the server within its own time, then by force; nothing is removed. It may be gone already."""
        if self._container is not None:
            with suppress(docker.errors.NotFound):
                self._container.stop(timeout=self.settings.stop_s + KILL_AFTER_S)

    def remove(self, *, failed: bool = False) -> None:
        """Remove container and volume in any state; they may be gone already.

        A kept world stays unless its server `failed` to start and the world is new.
        """
        if self._container is not None:
            _removed(lambda: self._container.remove(v=True, force=True))
        keep = self.keep_world and (self._kept_before or not failed)
        if self._volume is not None and not keep:
            _removed(lambda: self._volume.remove(force=True))


def _removed(remove: Callable[[], object]) -> None:
    """Remove something, repeatedly if the engine fails, and return once it is gone. Raises the engine's last error."""
    for tries_left in reversed(range(REMOVE_TRIES)):
        try:
            remove()
        except docker.errors.NotFound:
            return
        except docker.errors.APIError:
            if tries_left == 0:
                raise
            time.sleep(REMOVE_AGAIN_S)
        else:
            return


def _archive(files: dict[str, bytes]) -> bytes:
    """Return a tar of the files, owned by the server's user; only that user can read the password."""
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
