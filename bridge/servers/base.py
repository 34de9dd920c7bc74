"""Interface and life cycle of Minecraft servers, whatever runs them."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from bridge.errors import CommandError
from bridge.types import Address, BodiesAddress

RCON_TIMEOUT_S = 20.0
"""Time-out of RCON. Paper answers within a tick, which takes seconds on a shared machine under load."""


class ServerState(StrEnum):
    """State of a server; `successors` are the states that may follow."""

    CREATED = "created"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    """The server did not start, or died while needed."""

    @property
    def successors(self) -> frozenset[ServerState]:
        """The states that may follow this one."""
        return _SUCCESSORS[self]

    def advance(self, to: ServerState) -> ServerState:
        """Return the next state, `to`. Raises ValueError if it may not follow this one."""
        if to not in self.successors:
            legal = ", ".join(sorted(self.successors)) or "none, it is final"
            raise ValueError(f"a server cannot go from {self} to {to}: legal are {legal}")
        return to


_SUCCESSORS: dict[ServerState, frozenset[ServerState]] = {
    ServerState.CREATED: frozenset({ServerState.STARTING, ServerState.STOPPED}),
    ServerState.STARTING: frozenset({ServerState.READY, ServerState.STOPPING, ServerState.FAILED}),
    ServerState.READY: frozenset({ServerState.STOPPING, ServerState.FAILED}),
    ServerState.STOPPING: frozenset({ServerState.STOPPED, ServerState.FAILED}),
    ServerState.STOPPED: frozenset(),
    ServerState.FAILED: frozenset({ServerState.STOPPING}),
}


class ServerLife:
    """State and end of a server, shared by all kinds; subclasses end theirs in `_leave`."""

    def __init__(self) -> None:
        self._state = ServerState.CREATED

    @property
    def state(self) -> ServerState:
        """State of the server."""
        return self._state

    @property
    def bodies_address(self) -> BodiesAddress | None:
        """Address for hosts of engine bodies; None if it takes none or is not ready."""
        return None

    async def stop(self) -> None:
        """Stop the server; safe to call in any state, and twice."""
        if self.state in (ServerState.STOPPED, ServerState.STOPPING):
            return
        if self.state is ServerState.CREATED:
            self._state = self._state.advance(ServerState.STOPPED)
            return
        self._state = self._state.advance(ServerState.STOPPING)
        try:
            await self._leave()
        finally:
            self._state = self._state.advance(ServerState.STOPPED)

    async def _leave(self) -> None:
        raise NotImplementedError


class Server(Protocol):
    """A Minecraft server process: started once, stopped once; commands in between."""

    @property
    def state(self) -> ServerState:
        """State of the server; a process that died by itself is FAILED."""

    @property
    def address(self) -> Address:
        """Address for clients; raises ServerError before the server is ready."""

    @property
    def bodies_address(self) -> BodiesAddress | None:
        """Address for hosts of engine bodies; None if it takes none or is not ready."""

    async def start(self) -> None:
        """Start the server and return once clients can join.

        Raises PrerequisiteError if the operator has to do something first, ServerError for other failures; nothing is
        left running then.
        """

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console and return its reply.

        Raises CommandError when the server refuses it, ServerError when the server is lost.
        """

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order and return the reply or refusal of each.

        Raises ServerError if the server is lost.
        """

    async def stop(self) -> None:
        """Stop the server, by request and then by force; safe to call in any state, and twice."""
