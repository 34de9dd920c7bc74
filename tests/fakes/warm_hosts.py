"""Hosts of mock worlds that serve one test after another.

A renewed world is a new one (tests/unit/bridge/mock/test_mock_world.py), but half of the processor time of a short run
is the start of its process, and more is spent until Node has compiled what runs often.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, Any, NamedTuple

import pytest

from bridge import mock_world
from bridge.errors import HostError
from bridge.mock import node_start
from bridge.mock.process import READY_S, STOP_S, MockProcess, Pipes

MAX_PARKED = 2
"""Hosts kept for later worlds; the others end with their world."""
MAX_WORLDS = 40
"""Worlds of one host, whose memory nobody bounds otherwise."""
FLAGS = (*node_start.FLAGS, "--invocation-count-for-turbofan=30000")
"""Flags of hosts in tests: so few seconds of play do not pay for much optimized code (a fifth of a host's time)."""


class Ends(NamedTuple):
    """Copies of the ends of a process's pipes, which one event loop closes when it is done with them."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]


class Parked(NamedTuple):
    """A process without a world."""

    process: subprocess.Popen[bytes]
    worlds: int
    owner: int
    """Process that may use it: not one that was forked from that."""


class WarmHosts:
    """Hosts without a world, and the worlds that use them."""

    def __init__(self) -> None:
        self.used = False
        """True while worlds may use them, and leave theirs for the next world."""
        self._parked: list[Parked] = []

    @property
    def waiting(self) -> bool:
        """True if the next world would find a host."""
        return self.used and any(each.owner == os.getpid() for each in self._parked)

    def take_host(self) -> Parked | None:
        """Return a host that lives; None if there is none."""
        while self.waiting:
            found = self._parked.pop()
            # The operating system ends a process with the thread that started it.
            if found.process.poll() is None:
                return found
            node_start.end_node(found.process)
        return None

    def park(self, process: subprocess.Popen[bytes], worlds: int) -> None:
        """Keep a host whose world was left, or end it."""
        if not self.used or len(self._parked) >= MAX_PARKED or worlds >= MAX_WORLDS:
            node_start.end_node(process)
        else:
            self._parked.append(Parked(process, worlds, os.getpid()))

    def end(self) -> None:
        """End all hosts without a world."""
        while self._parked:
            node_start.end_node(self._parked.pop().process)

    @contextmanager
    def serving(self) -> Iterator[None]:
        """Let mock worlds of this process use these hosts."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(mock_world, "MockProcess", WarmProcess)
            patch.setattr(node_start, "node_ahead", _ahead_without_host)
            patch.setattr(node_start, "start_node", _node_of_tests)
            yield
            self.end()


HOSTS = WarmHosts()
_node_ahead = node_start.node_ahead
_start_node = node_start.start_node


def _ahead_without_host() -> AbstractContextManager[None]:
    return nullcontext() if HOSTS.waiting else _node_ahead()


def _node_of_tests() -> subprocess.Popen[bytes]:
    with pytest.MonkeyPatch.context() as patch:
        if HOSTS.used:
            patch.setattr(node_start, "FLAGS", FLAGS)
        return _start_node()


class WarmProcess(MockProcess):
    """Process of a mock world that takes a host from `HOSTS`, and leaves it there if it can serve another world."""

    def __init__(self, *given: Any) -> None:  # noqa: ANN401 - as MockProcess takes them
        super().__init__(*given)
        self._given = given
        self._worlds = 0
        """Worlds that its host has served."""

    async def start(self) -> None:
        """Start as MockProcess does, in a host that waits, if there is one."""
        # A process that was started ahead waits for its first world, and is started for it.
        host = None if node_start._ahead else HOSTS.take_host()
        if host is None or not await self._renewed(host):
            await super().start()
        self._worlds += 1

    async def _renewed(self, host: Parked) -> bool:
        """Return True if the host has a new world now; otherwise the host is ended."""
        self._process, self._worlds = host.process, host.worlds
        try:
            await self._connect_whole(host.process)
            async with asyncio.timeout(READY_S):
                worn = (await self._exchange.ask("renew", self._settings))["worn"]
        except HostError:
            worn = True
        except BaseException:
            await self._end()
            raise
        if worn:
            await self._end()
            self.__init__(*self._given)  # type: ignore[misc]
        return not worn

    async def _connect(self, pipes: Pipes) -> None:
        copies = _copies(pipes)
        try:
            await super()._connect(copies)
        except BaseException:
            for each in copies:
                each.close()
            raise

    async def stop(self) -> None:
        """Leave the host to the next world if nothing is wrong with it, or end it."""
        at_rest = await self._at_rest()
        process, ends, listener = self._process, self._input, self._listener
        if not at_rest or process is None or ends is None or listener is None:
            await self._end()
            return
        self._fail(HostError("the mock world is closed"))
        self._process = self._input = self._listener = None
        for each in (ends, *self._outputs):
            each.close()
        await listener
        HOSTS.park(process, self._worlds)

    async def _at_rest(self) -> bool:
        """Return True if the process will say nothing more of this world."""
        if not HOSTS.used or self._worlds == 0 or self._lost is not None or self._exchange.waiting:
            return False
        try:
            async with asyncio.timeout(STOP_S):
                await self._exchange.ask("cancel", {"bots": None, "run": None})
        except (HostError, TimeoutError):
            return False
        except BaseException:
            await self._end()
            raise
        return True

    async def _end(self) -> None:
        """End the host, as MockProcess does; it ends by itself once no copy of its input is open."""
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        await super().stop()


def _copies(pipes: Pipes) -> Ends:
    assert pipes.stdin is not None
    assert pipes.stdout is not None
    assert pipes.stderr is not None
    ends = (pipes.stdin, "wb"), (pipes.stdout, "rb"), (pipes.stderr, "rb")
    return Ends(*(os.fdopen(os.dup(pipe.fileno()), mode, buffering=0) for pipe, mode in ends))
