"""Canaries that attacks must not touch: secrets, an empty folder, an unused port."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import shutil
import signal
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from bridge.hostile.leftovers import make_folder, sweep

VARIABLE = "ACCORD_CANARY"
"""Environment variable with a secret while the corpus runs, in place of an API key."""
PROC = Path("/proc")


class _Listening(logging.Handler):
    """Log handler that keeps every line of this process while the corpus runs."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep the text."""
        self.lines.append(record.getMessage())


class Canaries:
    """An async context manager that creates the canaries and removes them."""

    def __init__(self) -> None:
        self.environment_secret = f"env-{secrets.token_hex(12)}"
        self.file_secret = f"file-{secrets.token_hex(12)}"
        self._calls: list[bytes] = []
        self._log = _Listening()
        self._count = 0

    async def __aenter__(self) -> Self:
        sweep()
        self._root = make_folder()
        self.folder, self.logs = self._root / "empty", self._root / "logs"
        self.file = self._root / "secret.txt"
        _lay_out(self.folder, self.logs, self.file, self.file_secret)
        os.environ[VARIABLE] = self.environment_secret
        logging.getLogger().addHandler(self._log)
        self._server = await asyncio.start_server(self._called, "127.0.0.1", 0)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.close()
        await self._server.wait_closed()
        logging.getLogger().removeHandler(self._log)
        os.environ.pop(VARIABLE, None)
        shutil.rmtree(self._root, ignore_errors=True)

    def marks(self, witness: str) -> dict[str, str | int]:
        """Return the marks for the next attack: its token and the places of the canaries, but not the secrets."""
        self._count += 1
        return {
            "token": f"mark{self._count}{secrets.token_hex(4)}",
            "witness": witness,
            "file": str(self.file),
            "folder": str(self.folder),
            "port": self.port,
        }

    def secrets_in(self, text: str) -> list[str]:
        """Return the secrets contained in a text."""
        told = {"environment": self.environment_secret, "file": self.file_secret}
        return [f"the secret in the {place} was told" for place, secret in told.items() if secret in text]

    def touched(self, host_pids: Iterable[int]) -> list[str]:
        """Return the canaries touched since the last call, and restore them."""
        found = [f"a file appeared: {path.name}" for path in sorted(self.folder.iterdir())]
        for path in self.folder.iterdir():
            path.unlink()
        found += [f"a connection was made to a port of this machine ({data[:40]!r})" for data in self._calls]
        self._calls.clear()
        found += [f"a process was started: {_end(pid)}" for pid in _children(set(host_pids))]
        found += self.secrets_in("\n".join(self._log.lines))
        self._log.lines.clear()
        return found

    def told_in_logs(self) -> list[str]:
        """Return the secrets found in logs of the world's processes."""
        text = "\n".join(path.read_text(errors="replace") for path in self.logs.rglob("*") if path.is_file())
        return self.secrets_in(text)

    async def _called(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(0.2):
                self._calls.append(await reader.read(200))
        writer.close()


def _lay_out(folder: Path, logs: Path, file: Path, secret: str) -> None:
    folder.mkdir()
    logs.mkdir()
    file.write_text(secret)


def _children(parents: set[int]) -> list[int]:
    """Return the processes started by a bot host, which should be none; empty without /proc."""
    found = []
    for stat in PROC.glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            if int(fields[1]) in parents and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


def _end(pid: int) -> str:
    """End a process that an attack started and return its description."""
    with suppress(OSError):
        words = (PROC / str(pid) / "cmdline").read_text(errors="replace").replace("\0", " ").strip()
        os.kill(pid, signal.SIGKILL)
        return words
    return "gone already"
