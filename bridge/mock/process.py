"""The Node process of one mock world: requests and answers as JSON lines over its standard input and output."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from bridge.confinement import confinement, isolate_flags
from bridge.errors import BotLostError, BridgeError, HostError
from bridge.mock.exchange import RequestExchange
from bridge.prerequisites import ROOT, ready_node
from bridge.wire import Json
from common.errors import PrerequisiteError

MAIN = ROOT / "bridge" / "mock" / "host_main.js"
READY_S = 60.0
"""Maximum seconds for loading the engine, which takes half a second on a quiet machine."""
STOP_S = 2.0
LOOK_S = 1.0
SILENCE_S = 30
"""Maximum seconds without output; the process sends a sign of life every 2 s even while programs compute
(host_main.js)."""
_LINE_LIMIT = 1 << 26
_CODE = ("node_modules", "bridge/host", "bridge/mock", "engine", "skills_js", "package.json")
FLAGS = (
    *isolate_flags(_CODE),
    "--max-old-space-size=2048",
    # What a world makes is mostly new and soon forgotten: with more room for it less is copied. The collector's
    # threads cost more than they save. Isolates have no part in it (heaps.js).
    "--min-semi-space-size=16",
    "--max-semi-space-size=32",
    "--single-threaded-gc",
    # A dozen kinds of mobs, players and things share their code. With V8's usual four kinds of objects at a place it
    # looks every field of theirs up by its name.
    "--max-valid-polymorphic-map-count=12",
    # It sees what code is used for from its first call on, and makes better code of it.
    "--no-lazy-feedback-allocation",
)
"""Node's permission model: it may read its own code, and write or start nothing."""


class MockProcess:
    """One `host_main.js`; `ask` is safe to use from several tasks at once.

    `hear` gets each batch of events, `run_ended` the results of a run by its number, `time_passed` the tick reached;
    see `RequestExchange`.
    """

    def __init__(
        self,
        settings: dict[str, Json],
        log_file: Path,
        hear: Callable[[list[dict[str, Json]]], None],
        run_ended: Callable[[int, dict[str, Json]], None],
        time_passed: Callable[[int], None],
    ) -> None:
        self._settings = settings
        self._log_file = log_file
        self._process: asyncio.subprocess.Process | None = None
        self._listener: asyncio.Task[None] | None = None
        self._words = 0
        """Number of lines sent and received."""
        self._exchange = RequestExchange(self._write, hear, run_ended, time_passed, _error_of)
        self._lost: HostError | None = None

    @property
    def started(self) -> bool:
        """True if there is a process."""
        return self._process is not None

    @property
    def pid(self) -> int:
        """Its process id; raises HostError when it is not open."""
        if self._process is None:
            raise HostError("the mock world is not open")
        return self._process.pid

    async def start(self) -> None:
        """Start the process and return once it accepts requests.

        Raises PrerequisiteError or HostError and leaves nothing behind.
        """
        binary = await asyncio.to_thread(ready_node)
        confined = await asyncio.to_thread(confinement, MAIN)
        await self._spawn([*confined.command, str(binary)])
        ready = self._exchange.ready()
        self._listener = asyncio.create_task(self._listen(), name="mock world answers")
        try:
            async with asyncio.timeout(READY_S):
                await ready
        except BaseException as error:
            await self.stop()
            if isinstance(error, TimeoutError):
                raise HostError(f"the mock world was not ready within {READY_S:g} s; see {self._log_file}") from error
            raise

    @property
    def asked(self) -> int:
        """Number of requests made."""
        return self._exchange.asked

    def check(self) -> None:
        """Raise HostError if it is not open or lost."""
        if self._lost is not None or self._process is None:
            raise HostError(str(self._lost or "the mock world is not open"))

    async def ask(self, verb: str, **fields: Json) -> Json:
        """Return the answer to a request. Raises HostError if the process is lost, BridgeError if it refuses."""
        self.check()
        return await self._exchange.ask(verb, fields)

    def _write(self, lines: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._words += 1
            self._process.stdin.write(lines)

    async def stop(self) -> None:
        """End it, gently and then by force; safe to call twice."""
        self._fail(HostError("the mock world is closed"))
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(STOP_S):
                    await self._process.wait()
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
        watchdog = asyncio.create_task(self._watch(), name="mock world watchdog")
        async for line in self._process.stdout:
            self._words += 1
            self._exchange.receive(line)
        watchdog.cancel()
        self._fail(HostError(f"the mock world's process ended; see {self._log_file}"))

    async def _watch(self) -> None:
        """End a process that owes an answer and is silent.

        Looks are counted, since this process may be delayed as well.
        """
        assert self._process is not None
        silent = 0.0
        while silent < SILENCE_S:
            words = self._words
            await asyncio.sleep(LOOK_S)
            silent = silent + LOOK_S if self._exchange.waiting and self._words == words else 0.0
        self._fail(HostError(f"the mock world was silent for {SILENCE_S} s and was ended; see {self._log_file}"))
        self._process.kill()

    def _fail(self, error: HostError) -> None:
        self._lost = self._lost or error
        self._exchange.fail(self._lost)


def _error_of(said: dict[str, str]) -> BridgeError:
    """Return the Python error for an error of the Node side."""
    name, message = said["name"], said["message"]
    if name in ("BotLost", "UnknownPlayer"):
        return BotLostError(message)
    if name in ("BotBusy", "BadArgument"):
        return BridgeError(message)
    return HostError(f"{name}: {message}")
