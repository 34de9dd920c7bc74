"""The Node process of one mock world: requests and answers as JSON lines over its standard input and output."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from bridge.confinement import confinement
from bridge.errors import BotLostError, BridgeError, HostError, PrerequisiteError
from bridge.prerequisites import ROOT, check_node, check_packages, node_binary
from bridge.text import read_json

Json: TypeAlias = Any
"""What `json.loads` gives."""

MAIN = Path(__file__).with_name("host_main.js")
READY_S = 60.0
"""Loading the engine takes half a second; a busy machine gets time."""
STOP_S = 2.0
SILENCE_S = 30.0
"""No answer takes so long: a long advance is answered in parts (world_host.js)."""
_LINE_LIMIT = 1 << 26
_CODE = ("node_modules", "bridge/host", "bridge/mock", "engine", "skills_js", "package.json")
FLAGS = (
    "--permission",
    "--allow-addons",
    *(f"--allow-fs-read={ROOT / part}" for part in _CODE),
    "--allow-fs-read=/etc/alpine-release",  # isolated-vm looks there which libc this is
    "--no-node-snapshot",  # isolated-vm asks for it
    "--no-experimental-sqlite",  # it would write files past the permission model
    "--no-warnings",
    "--max-old-space-size=2048",
)
"""Node under its permission model: reads its own code, writes nothing, starts nothing."""


class MockProcess:
    """One `host_main.js`; `ask` is safe to use from several tasks at once.

    `hear` gets each batch of events (seams.md, section 2), `run_ended` the results of a run by its number, both before
    the answer to the request that brought them about.
    """

    def __init__(
        self,
        settings: dict[str, Json],
        log_file: Path,
        hear: Callable[[list[dict[str, Json]]], None],
        run_ended: Callable[[int, dict[str, Json]], None],
    ) -> None:
        self._settings = settings
        self._log_file = log_file
        self._hear = hear
        self._run_ended = run_ended
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._ids = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._lost: HostError | None = None
        self._outgoing: list[bytes] = []

    @property
    def started(self) -> bool:
        """Whether there is a process."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its process id; raises HostError when it is not open."""
        if self._process is None:
            raise HostError("the mock world is not open")
        return self._process.pid

    async def start(self) -> None:
        """Returns when it takes requests; raises PrerequisiteError or HostError, leaving nothing behind."""
        binary = node_binary()
        await asyncio.to_thread(check_node, binary)
        await asyncio.to_thread(check_packages)
        confined = await asyncio.to_thread(confinement, MAIN)
        await self._spawn([*confined.command, str(binary)])
        ready: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[0] = ready
        self._listener = asyncio.create_task(self._listen(), name="mock world answers")
        try:
            await asyncio.wait_for(ready, READY_S)
        except BaseException as error:
            await self.stop()
            if isinstance(error, TimeoutError):
                raise HostError(f"the mock world was not ready within {READY_S:g} s; see {self._log_file}") from error
            raise

    def check(self) -> None:
        """Raises HostError when it is not open or lost."""
        if self._lost is not None or self._process is None:
            raise HostError(str(self._lost or "the mock world is not open"))

    async def ask(self, verb: str, **fields: Json) -> Json:
        """One request; raises HostError when the process is lost, BridgeError when it refuses."""
        self.check()
        number = next(self._ids)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        self._send(json.dumps({"id": number, "verb": verb, **fields}).encode() + b"\n")
        try:
            async with asyncio.timeout(SILENCE_S):
                return await answer
        except TimeoutError as error:
            assert self._process is not None
            self._process.kill()
            raise HostError(
                f"the mock world was silent for {SILENCE_S:g} s and was ended; see {self._log_file}"
            ) from error

    def _send(self, line: bytes) -> None:
        """Requests of one turn of the loop go out together: woken for each it would take turns with us."""
        if not self._outgoing:
            asyncio.get_running_loop().call_soon(self._write)
        self._outgoing.append(line)

    def _write(self) -> None:
        lines, self._outgoing = self._outgoing, []
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(b"".join(lines))

    async def stop(self) -> None:
        """End it, gently and then by force; safe to call twice."""
        self._fail(HostError("the mock world is closed"))
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), STOP_S)
            with suppress(ProcessLookupError):
                self._process.kill()
            await self._process.wait()
            self._process = None
        if self._listener is not None:
            await self._listener
            self._listener = None

    async def _spawn(self, program: Sequence[str]) -> None:
        try:
            self._log_file.parent.mkdir(parents=True, exist_ok=True)
            log = self._log_file.open("ab", buffering=0)
        except OSError as error:
            raise PrerequisiteError(
                f"the mock world's log cannot be written to {self._log_file} ({error.strerror}): choose another folder"
            ) from error
        with log:
            try:
                self._process = await asyncio.create_subprocess_exec(
                    *program,
                    *FLAGS,
                    str(MAIN),
                    json.dumps(self._settings),
                    stdin=asyncio.subprocess.PIPE,
                    stdout=asyncio.subprocess.PIPE,
                    stderr=log,
                    env={},
                    cwd="/",
                    limit=_LINE_LIMIT,
                    start_new_session=True,  # Ctrl-C is Python's to handle; Node ends when its input does
                )
            except OSError as error:
                raise PrerequisiteError(f"Node does not start ({error}): run `make setup`") from error

    async def _listen(self) -> None:
        assert self._process is not None
        assert self._process.stdout is not None
        async for line in self._process.stdout:
            said = read_json(line)
            if "events" in said:
                self._hear(said["events"])
            elif "run" in said:
                self._run_ended(said["run"], said["results"])
            else:
                self._answer(said)
        self._fail(HostError(f"the mock world's process ended; see {self._log_file}"))

    def _answer(self, said: dict[str, Json]) -> None:
        answer = self._waiting.pop(said.get("id", 0), None)
        if answer is None or answer.done():
            return
        if said.get("ready") or said["ok"]:
            answer.set_result(said.get("value"))
        else:
            answer.set_exception(_error_of(said["error"]))

    def _fail(self, error: HostError) -> None:
        self._lost = self._lost or error
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(HostError(str(self._lost)))
        self._waiting.clear()


def _error_of(said: dict[str, str]) -> BridgeError:
    """The Python error for an error of the Node side."""
    name, message = said["name"], said["message"]
    if name in ("BotLost", "UnknownPlayer"):
        return BotLostError(message)
    if name in ("BotBusy", "BadArgument"):
        return BridgeError(message)
    return HostError(f"{name}: {message}")
