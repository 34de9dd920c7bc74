"""What every Minecraft server under Accord is to its user, whatever runs it: one protocol and one life cycle."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Protocol

from bridge.errors import CommandError
from bridge.types import Address, Door

RCON_TIMEOUT_S = 20.0
"""Paper answers within a tick; a tick of a shared machine under load takes seconds at the worst."""


class ServerState(StrEnum):
    """Where a server is in its life; `successors` says what may come next."""

    CREATED = "created"
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    STOPPED = "stopped"
    FAILED = "failed"
    """It did not start, or died while it was needed."""

    @property
    def successors(self) -> frozenset[ServerState]:
        """The states that may follow this one."""
        return _SUCCESSORS[self]

    def advance(self, to: ServerState) -> ServerState:
        """Return the next state, `to`; raises ValueError when it may not follow this one."""
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
    """The state of a server and its end, the same for whatever runs it; each says in `_leave` what its end takes."""

    def __init__(self) -> None:
        self._state = ServerState.CREATED

    @property
    def state(self) -> ServerState:
        """Where it is in its life."""
        return self._state

    @property
    def door(self) -> Door | None:
        """Where hosts of engine bodies come in; None where they cannot, or not yet."""
        return None

    async def stop(self) -> None:
        """Bring it to its end; safe to call in any state, and twice."""
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
        """Where it is in its life; a process that died by itself shows as FAILED."""

    @property
    def address(self) -> Address:
        """Where clients join; raises ServerError before it is ready."""

    @property
    def door(self) -> Door | None:
        """Where hosts of engine bodies come in; None where they cannot, or not yet."""

    async def start(self) -> None:
        """Returns when clients can join.

        Raises PrerequisiteError when the operator has to do something first, ServerError when it fails otherwise;
        either way nothing is left running.
        """

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; returns its reply.

        Raises CommandError when the server refuses it, ServerError when the server is lost.
        """

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in their order; each one's reply or refusal. Raises ServerError when it is lost."""

    async def stop(self) -> None:
        """End it, gently and then by force; safe to call in any state, and twice."""
