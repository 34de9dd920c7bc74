"""Life cycle of the embedded server's process, seen from Python."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from bridge.errors import CommandError, ServerError
from bridge.prerequisites import ROOT, SOURCES, ready_node
from bridge.rcon import RconClient
from bridge.servers.base import ServerLife, ServerState
from bridge.servers.refusals import accepted, judged
from bridge.types import Address, BodiesAddress
from bridge.worlds import ENGINE, FLAT, MINEFLAYER
from common.errors import PrerequisiteError

HOST = "127.0.0.1"
READY_S = 60.0
"""Maximum seconds until a server is ready; a quiet machine needs about one."""
STOP_S = 5.0
"""Seconds that a server may take to stop before it is killed."""
HEAP_MB = 1024
RCON_WINDOW = 64
"""Concurrent commands: its RCON, unlike Java's, reads several packets of one segment (rcon.js)."""
VERSION = "1.20.4"
CONFIG = SOURCES / "server_config" / "embedded.json"
"""Common settings of embedded servers; `settings.js` defines and checks the names."""
_MAIN = ROOT / "bridge" / "servers" / "embedded" / "main.js"
_LINE_LIMIT = 1 << 20
_REMEMBERED_LINES = 20


class EmbeddedServer(ServerLife):
    """One embedded server process (see `bridge.servers.base.Server`).

    `seed` drives loot and every other random choice of the world. `players` are the names of the players: clients with
    other names become invisible spectators; None lets all play. `port` asks for a fixed game port
    instead of a free one; `terrain` is one of `bridge.worlds.TERRAINS`; `bodies` one of `bridge.worlds.BODIES`.
    The process's output goes to `server.log` in `log_dir`.
    """

    def __init__(
        self,
        seed: int,
        log_dir: Path,
        port: int | None = None,
        players: Sequence[str] | None = None,
        terrain: str = FLAT,
        bodies: str = MINEFLAYER,
    ) -> None:
        super().__init__()
        self._log_file = log_dir / "server.log"
        self._password = secrets.token_urlsafe(24)
        self._secret = secrets.token_urlsafe(24) if bodies == ENGINE else None
        self._settings: dict[str, Any] = {
            **read_config(),
            "seed": seed,
            "terrain": terrain,
            "host": HOST,
            "port": port or 0,
            "rconPort": 0,
            "rconPassword": self._password,
            "players": None if players is None else list(players),
            "bodiesSecret": self._secret,
        }
        self._bodies_address: BodiesAddress | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._pump: asyncio.Task[None] | None = None
        self._address: Address | None = None
        self._rcon: RconClient | None = None
        self._last_lines: deque[str] = deque(maxlen=_REMEMBERED_LINES)

    @property
    def state(self) -> ServerState:
        """State of the server; a process that died by itself is FAILED."""
        if self._state is ServerState.READY and (self._process is None or self._process.returncode is not None):
            self._state = self._state.advance(ServerState.FAILED)
        return self._state

    @property
    def address(self) -> Address:
        """Address for clients; raises ServerError before the server is ready."""
        if self._address is None:
            raise ServerError(f"the embedded server has no address yet: it is {self.state}")
        return self._address

    @property
    def bodies_address(self) -> BodiesAddress | None:
        """Address for hosts of engine bodies; None without engine bodies, and before the server is ready."""
        return self._bodies_address

    @property
    def pid(self) -> int | None:
        """Process id of the server, or None."""
        return None if self._process is None else self._process.pid

    async def start(self) -> None:
        """Start the server and return once clients can join.

        Raises PrerequisiteError or ServerError and leaves nothing behind.
        """
        self._state = self.state.advance(ServerState.STARTING)
        try:
            await self._spawn()
            ready = await self._first_line()
            self._rcon = RconClient(HOST, ready["rcon"], self._password, window=RCON_WINDOW)
            await self._rcon.connect()
        except BaseException:
            self._state = self._state.advance(ServerState.FAILED)
            await self._end(gently=False)
            raise
        self._address = Address(HOST, ready["port"], VERSION)
        if self._secret is not None:
            self._bodies_address = BodiesAddress(ready["bodies"], self._secret)
        self._state = self._state.advance(ServerState.READY)

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when the server refuses it."""
        return accepted(text, await self._console(text).command(text))

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order, many in one request, and return the reply or refusal of each."""
        return judged(texts, await self._console(*texts).commands(texts)) if texts else []

    def _console(self, text: str, *_: str) -> RconClient:
        """Return the connection to the console."""
        if self.state is not ServerState.READY or self._rcon is None:
            raise ServerError(f"command {text!r} needs a server that is ready: this one is {self.state}{self._trace()}")
        return self._rcon

    async def statistics(self, *, reset: bool = False) -> dict[str, Any]:
        """Return ticks per second, tick times (ms), CPU (ms) and memory (bytes) since the last reset."""
        found: dict[str, Any] = json.loads(await self.command("accord:stats reset" if reset else "accord:stats"))
        return found

    async def _leave(self) -> None:
        await self._end(gently=True)

    async def _spawn(self) -> None:
        node = await asyncio.to_thread(ready_node)
        log = self._open_log()
        try:
            self._process = await asyncio.create_subprocess_exec(
                str(node),
                f"--max-old-space-size={HEAP_MB}",
                str(_MAIN),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env={},
                limit=_LINE_LIMIT,
                start_new_session=True,  # Ctrl-C is Python's to handle; the server ends with its input
            )
        except OSError as error:
            log.close()
            raise PrerequisiteError(f"Node does not start ({error}): run `make setup`") from error
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(self._settings).encode() + b"\n")
        with suppress(ConnectionError):
            await self._process.stdin.drain()
        self._first: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._pump = asyncio.create_task(self._copy_output(log), name="embedded server log")

    def _open_log(self) -> IO[bytes]:
        try:
            self._log_file.parent.mkdir(parents=True, exist_ok=True)
            return self._log_file.open("ab", buffering=0)
        except OSError as error:
            raise PrerequisiteError(
                f"the server's log cannot be written to {self._log_file} ({error.strerror}): choose another folder"
            ) from error

    async def _copy_output(self, log: IO[bytes]) -> None:
        """Copy the process's output to its log; the first line also says whether it is ready."""
        assert self._process is not None
        assert self._process.stdout is not None
        with log:
            async for line in self._process.stdout:
                log.write(line)
                text = line.decode(errors="replace").strip()
                self._last_lines.append(text)
                if not self._first.done():
                    self._first.set_result(text)
        if not self._first.done():
            self._first.set_result("")

    async def _first_line(self) -> dict[str, Any]:
        try:
            async with asyncio.timeout(READY_S):
                line = await self._first
        except TimeoutError as error:
            raise ServerError(
                f"the embedded server was not ready within {READY_S:g} s; see {self._log_file}"
            ) from error
        try:
            record: dict[str, Any] = json.loads(line)
        except ValueError as error:
            raise ServerError(f"the embedded server ended before it was ready; see {self._log_file}") from error
        if "error" in record:
            raise self._start_error(record["error"])
        return record

    def _start_error(self, error: dict[str, str]) -> PrerequisiteError | ServerError:
        port = self._settings["port"]
        if error["code"] == "EADDRINUSE":
            return PrerequisiteError(
                f"port {port} on {HOST} is taken: end what listens there (`ss -ltnp 'sport = :{port}'` names it), "
                "or choose another port, or none for a free one"
            )
        if error["code"] == "EACCES":
            return PrerequisiteError(
                f"port {port} on {HOST} is not allowed for this user: choose one from 1024 to 65535"
            )
        if error["code"] == "ESETTINGS":
            return PrerequisiteError(f"{error['message']} (common settings are in {CONFIG})")
        return ServerError(f"the embedded server did not start ({error['code']}): {error['message'].splitlines()[0]}")

    def _trace(self) -> str:
        """Return the helpful part of a dead server's last output."""
        faults = [line for line in self._last_lines if '"error"' in line]
        return f"; it said {faults[-1][:300]}; see {self._log_file}" if faults else ""

    async def _end(self, *, gently: bool) -> None:
        """Close RCON and end the process, whatever errors occur."""
        process = self._process
        try:
            if self._rcon is not None:
                await self._rcon.close()
            if process is not None and gently:
                await self._await_end(process)
        finally:
            if process is not None:
                with suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
            if self._pump is not None:
                await self._pump
                self._pump = None

    async def _await_end(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        process.stdin.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(STOP_S):
                await process.wait()


def read_config() -> dict[str, Any]:
    """Return the common settings of embedded servers. Raises PrerequisiteError."""
    try:
        config: dict[str, Any] = json.loads(CONFIG.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PrerequisiteError(f"{CONFIG} cannot be read ({error}): restore it from git") from error
    return config
