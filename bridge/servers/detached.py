"""Embedded servers that outlive the process that started them."""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import Any

from bridge.errors import ServerError
from bridge.prerequisites import ROOT, ready_node
from bridge.rcon import RconClient
from bridge.servers.embedded.server import CONFIG, HEAP_MB, HOST, READY_S, STOP_S, VERSION, read_config
from bridge.servers.registry import Running, log_file, make_folder
from bridge.worlds import FLAT
from common.errors import PrerequisiteError
from common.processes import birth, is_alive

MAIN = ROOT / "bridge/servers/embedded/main.js"
LOOK_S = 0.02


async def start_embedded(*, seed: int, port: int | None, terrain: str = FLAT) -> Running:
    """Start a server that outlives this process. Raises PrerequisiteError or ServerError and leaves nothing behind."""
    node = await asyncio.to_thread(ready_node)
    password = secrets.token_urlsafe(24)
    make_folder()
    log = log_file("embedded")
    secret = secrets.token_urlsafe(24)
    settings = {
        **read_config(), "seed": seed, "port": port or 0, "rconPort": 0, "rconPassword": password, "terrain": terrain,
        "bodiesSecret": secret,
    }  # fmt: skip
    process = _spawn(node, log, settings)
    try:
        ready = await _ready(process, log, port)
        async with RconClient(HOST, ready["rcon"], password):
            pass
    except BaseException:
        process.kill()
        process.wait()
        log.unlink(missing_ok=True)
        raise
    # Whoever ends it is another process: nobody here waits for it.
    process.returncode = 0
    return Running(
        world="embedded", name="embedded", host=HOST, port=ready["port"], version=VERSION, rcon_port=ready["rcon"],
        password=password, seed=seed, pid=process.pid, born=birth(process.pid), terrain=terrain,
        door_port=ready["bodies"], door_secret=secret,
    )  # fmt: skip


async def stop_embedded(running: Running) -> bool:
    """Stop a server, by request and then by force; return False if it was gone already."""
    if not alive(running):
        return False
    # Only the server that knows the password is told to stop; the process is ended by id only while it is the same.
    with suppress(ServerError, PrerequisiteError):
        async with RconClient(running.host, running.rcon_port, running.password, timeout=STOP_S) as rcon:
            await rcon.command("stop")
    if not await _ended(running, STOP_S):
        with suppress(ProcessLookupError):
            os.kill(running.pid, signal.SIGKILL)
        await _ended(running, STOP_S)
    return True


def alive(running: Running) -> bool:
    """Return whether the server's process still runs."""
    _reap(running.pid)
    return is_alive(running.pid, running.born)


def _spawn(node: Path, log: Path, settings: dict[str, Any]) -> subprocess.Popen[bytes]:
    """Start the process in a session of its own; it holds its own standard input open, since closing it ends the
    server."""
    common: dict[str, Any] = json.loads(CONFIG.read_text("utf-8"))
    line = json.dumps({**common, "host": HOST, "players": None, **settings}).encode() + b"\n"
    log.unlink(missing_ok=True)
    read_end, write_end = os.pipe()
    try:
        os.write(write_end, line)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            return subprocess.Popen(
                [str(node), f"--max-old-space-size={HEAP_MB}", str(MAIN)],
                stdin=read_end,
                stdout=descriptor,
                stderr=descriptor,
                pass_fds=(write_end,),
                env={},
                cwd="/",
                start_new_session=True,
            )
        finally:
            os.close(descriptor)
    except OSError as error:
        raise PrerequisiteError(f"Node does not start ({error}): run `make setup`") from error
    finally:
        os.close(read_end)
        os.close(write_end)


async def _ready(process: subprocess.Popen[bytes], log: Path, port: int | None) -> dict[str, Any]:
    """Return the data of the log's first line, once it is complete."""
    line = b""
    with suppress(TimeoutError):
        async with asyncio.timeout(READY_S):
            while not line.endswith(b"\n") and process.poll() is None:
                await asyncio.sleep(LOOK_S)
                line = _first_line(log)
    line = _first_line(log)
    try:
        record: dict[str, Any] = json.loads(line)
    except ValueError as error:
        raise ServerError(f"the embedded server was not ready within {READY_S:g} s; it said {line[:200]!r}") from error
    if "error" not in record:
        return record
    fault = record["error"]
    if fault["code"] == "EADDRINUSE":
        raise PrerequisiteError(f"port {port} on {HOST} is taken: choose another --port, or none for a free one")
    raise ServerError(f"the embedded server did not start ({fault['code']}): {fault['message'].splitlines()[0]}")


def _first_line(log: Path) -> bytes:
    with log.open("rb") as file:
        return file.readline()


async def _ended(running: Running, seconds: float) -> bool:
    """Wait for the end of a process; return False if it still runs after the time."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while alive(running):  # noqa: ASYNC110 - it is no child of ours, so nobody tells of its end
                await asyncio.sleep(LOOK_S)
    return not alive(running)


def _reap(pid: int) -> None:
    """Reap a process that this process started; until then it would appear to be running."""
    with suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
