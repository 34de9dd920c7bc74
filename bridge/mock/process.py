"""The Node process of one mock world: requests and answers as JSON lines over its standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import IO, BinaryIO, Protocol

from bridge.errors import BotLostError, BridgeError, HostError
from bridge.mock.answer_reader import AnswerReader
from bridge.mock.exchange import RequestExchange
from bridge.mock.node_start import end_node, start_node, take_node
from bridge.prerequisites import ready_node
from bridge.wire import Json
from common.errors import PrerequisiteError

READY_S = 60.0
"""Maximum seconds for loading the engine, which takes half a second on a quiet machine."""
STOP_S = 2.0
LOOK_S = 1.0
SILENCE_S = 30
"""Maximum seconds without output; the process sends a sign of life every 2 s even while programs compute
(host_main.js)."""


class Pipes(Protocol):
    """Ends of a process's standard streams."""

    @property
    def stdin(self) -> IO[bytes] | None:
        """Its input, to write to."""

    @property
    def stdout(self) -> IO[bytes] | None:
        """Its output, to read from."""

    @property
    def stderr(self) -> IO[bytes] | None:
        """Its errors, to read from."""


class _LogWriter(asyncio.Protocol):
    """Writer of a process's standard error into a file."""

    def __init__(self, log: BinaryIO) -> None:
        self._log = log
        self.ended = asyncio.Event()

    def data_received(self, data: bytes) -> None:
        self._log.write(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self._log.close()
        self.ended.set()


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
        self._process: subprocess.Popen[bytes] | None = None
        self._input: asyncio.WriteTransport | None = None
        self._outputs: list[asyncio.ReadTransport] = []
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
        self._process = take_node()
        if self._process is None:
            await asyncio.to_thread(ready_node)
            # In this thread: the operating system ends the process with the thread that started it.
            self._process = start_node()
        ready = self._exchange.ready()
        try:
            await self._connect_whole(self._process)
            self._write(json.dumps(self._settings).encode() + b"\n")
            async with asyncio.timeout(READY_S):
                await ready
        except BaseException as error:
            ready.cancel()  # asyncio would complain of a failure that nobody waits for any more
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

    def run_ahead(self, **fields: Json) -> asyncio.Future[Json]:
        """Let time pass while tasks still work. Raises HostError if the process is lost."""
        self.check()
        return self._exchange.run_ahead(fields)

    def catch_up(self) -> None:
        """Let the answer come that time running ahead has kept back."""
        self._exchange.catch_up()

    def _write(self, lines: bytes) -> None:
        if self._input is not None:
            self._words += 1
            self._input.write(lines)

    async def stop(self) -> None:
        """End it, gently and then by force; safe to call twice."""
        self._fail(HostError("the mock world is closed"))
        if self._process is None:
            return
        process, listener = self._process, self._listener
        if self._input is not None:
            self._input.close()
        try:
            if listener is not None:
                await asyncio.wait([listener], timeout=STOP_S)
        finally:
            process.kill()
            self._process = self._input = self._listener = None
            try:
                if listener is not None:
                    # Its pipes are closed only after their end was read: nobody hears of a pipe that is closed before.
                    await _finish(listener)
            finally:
                end_node(process)

    def _open_log(self) -> BinaryIO:
        try:
            self._log_file.parent.mkdir(parents=True, exist_ok=True)
            return self._log_file.open("ab", buffering=0)
        except OSError as error:
            raise PrerequisiteError(
                f"the mock world's log cannot be written to {self._log_file} ({error.strerror}): choose another folder"
            ) from error

    async def _connect_whole(self, pipes: Pipes) -> None:
        """Connect the pipes, and be cancelled only afterwards: `stop` cannot close what is connected halfway."""
        connecting = asyncio.ensure_future(self._connect(pipes))
        try:
            await asyncio.shield(connecting)
        except asyncio.CancelledError:
            await _finish(connecting)
            raise

    async def _connect(self, pipes: Pipes) -> None:
        """Write to the process, listen to it and keep its log from now on."""
        loop = asyncio.get_running_loop()
        output, log_writer = AnswerReader(self._receive), _LogWriter(self._open_log())
        self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, pipes.stdin)
        said, _ = await loop.connect_read_pipe(lambda: output, pipes.stdout)
        errors, _ = await loop.connect_read_pipe(lambda: log_writer, pipes.stderr)
        self._outputs = [said, errors]
        self._listener = asyncio.create_task(self._listen(output, log_writer), name="mock world answers")

    def _receive(self, line: bytes) -> None:
        self._words += 1
        self._exchange.receive(line)

    async def _listen(self, output: AnswerReader, log_writer: _LogWriter) -> None:
        watchdog = asyncio.create_task(self._watch(), name="mock world watchdog")
        try:
            await output.end()
            await log_writer.ended.wait()
            self._fail(HostError(f"the mock world's process ended; see {self._log_file}"))
        except asyncio.CancelledError:
            # An event loop that ends cancels all tasks at once, and others still wait for answers.
            self._fail(HostError("nobody reads the mock world's answers any more: its event loop ends"))
            raise
        except Exception as error:  # noqa: BLE001 - whatever an unreadable line raises
            self._fail(HostError(f"the mock world's answer cannot be read ({error}); see {self._log_file}"))
            assert self._process is not None
            self._process.kill()
        finally:
            watchdog.cancel()

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


async def _finish(work: asyncio.Future[None]) -> None:
    """Wait until some work is done, even if the waiting task is cancelled meanwhile; it is cancelled afterwards."""
    cancelled = False
    while not work.done():
        try:
            await asyncio.wait([work])
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
    work.result()


def _error_of(said: dict[str, str]) -> BridgeError:
    """Return the Python error for an error of the Node side."""
    name, message = said["name"], said["message"]
    if name in ("BotLost", "UnknownPlayer"):
        return BotLostError(message)
    if name in ("BotBusy", "BadArgument"):
        return BridgeError(message)
    return HostError(f"{name}: {message}")
