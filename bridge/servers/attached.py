"""Servers that are already running, used by a study: only bots are connected and disconnected."""

from __future__ import annotations

import socket
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TypeVar

from bridge.errors import CommandError, ServerError
from bridge.rcon import RconClient
from bridge.servers import registry
from bridge.servers.base import RCON_TIMEOUT_S, ServerLife, ServerState
from bridge.servers.embedded.pictures import ConsolePictures
from bridge.servers.embedded.server import RCON_WINDOW
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.servers.paper.rules import PaperRules
from bridge.servers.refusals import accepted, judged
from bridge.servers.registry import Running, ServerLease
from bridge.servers.world import ServerWorld
from bridge.types import Address, BodiesAddress
from bridge.worlds import FLAT, MINEFLAYER, World, check_bodies, open_world
from common.errors import PrerequisiteError

T = TypeVar("T")


class AttachedServer(ServerLife):
    """A server started by another process (see `bridge.servers.base.Server`); `start` and `stop` only attach and
    detach.

    `exclusive` is for a study, which must not share the world with another.
    """

    def __init__(self, running: Running, *, exclusive: bool = True) -> None:
        super().__init__()
        self.running = running
        self._lease = ServerLease(running.world) if exclusive else None
        window = RCON_WINDOW if running.world == EmbeddedWorld.name else 1
        self._rcon = RconClient(
            running.host, running.rcon_port, running.password, timeout=RCON_TIMEOUT_S, window=window
        )

    @property
    def address(self) -> Address:
        """Address for clients."""
        return self.running.address

    @property
    def bodies_address(self) -> BodiesAddress | None:
        """Address for hosts of engine bodies."""
        return self.running.bodies_address

    async def start(self) -> None:
        """Attach to the server.

        Raises PrerequisiteError if another study uses it, ServerError if it does not answer.
        """
        self._state = self._state.advance(ServerState.STARTING)
        try:
            if self._lease is not None and not self._lease.acquire():
                raise PrerequisiteError(f"the {self.running.world} server is in use by another run: wait for its end")
            await self._rcon.connect()
        except BaseException:
            self._state = self._state.advance(ServerState.FAILED)
            self._give_back()
            raise
        self._state = self._state.advance(ServerState.READY)

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when the server refuses it."""
        return accepted(text, await self._asked(text, self._rcon.command(text)))

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order and return the reply or refusal of each."""
        return judged(texts, await self._asked(texts[0], self._rcon.commands(texts))) if texts else []

    async def _asked(self, text: str, reply: Coroutine[None, None, T]) -> T:
        """Return the console's replies; a server that does not answer is marked as failed."""
        if self._state is not ServerState.READY:
            reply.close()
            raise ServerError(f"command {text!r} needs a server that is ready: this one is {self._state}")
        try:
            return await reply
        except ServerError:
            self._state = self._state.advance(ServerState.FAILED)
            raise

    async def check(self) -> None:
        """Raise ServerError if it no longer answers."""
        await self.command("list")

    async def _leave(self) -> None:
        """Detach; the server stays up."""
        try:
            await self._rcon.close()
        finally:
            self._give_back()

    def _give_back(self) -> None:
        if self._lease is not None:
            self._lease.give_back()


class AttachedPaperWorld(PaperRules[AttachedServer]):
    """A Paper world that stays up after the study."""


class AttachedEmbeddedWorld(ConsolePictures, ServerWorld[AttachedServer]):
    """An embedded world that stays up after the study."""

    name = EmbeddedWorld.name
    capabilities = EmbeddedWorld.capabilities


async def answers(running: Running) -> str | None:
    """Return None if the server takes commands, else one line with the reason."""
    rcon = RconClient(running.host, running.rcon_port, running.password, timeout=RCON_TIMEOUT_S)
    try:
        await rcon.command("list")
    except ServerError as error:
        return str(error)
    finally:
        await rcon.close()
    return None


def open_running_or_new(
    name: str,
    *,
    seed: int,
    log_dir: Path,
    port: int | None = None,
    terrain: str = FLAT,
    bodies: str = MINEFLAYER,
    regions: int = 1,
) -> World:
    """Return a world as `bridge.worlds.open_world` does, on a running and free server of that kind if there is one.

    A running server on another `port` than the one given, or with another `terrain`, is not used. A running server does
    not get the `seed`; `name`, `log_dir`, `bodies` and `regions` are those of `open_world`.
    """
    check_bodies(name, bodies)
    running = registry.find(name) if name in registry.KINDS else None
    usable = running is not None and port in (None, running.port) and running.terrain == terrain
    usable = usable and running is not None and (bodies == MINEFLAYER or running.bodies_address is not None)
    if running is None or not usable or registry.in_use(name) or not _listens(running):
        return open_world(name, seed=seed, log_dir=log_dir, port=port, terrain=terrain, bodies=bodies, regions=regions)
    attached = AttachedPaperWorld if name == "paper" else AttachedEmbeddedWorld
    world: World = attached(AttachedServer(running), seed=seed, bodies=bodies)
    return world


def _listens(running: Running) -> bool:
    """Return whether the server's port is still open; a dead server is replaced by a new one."""
    try:
        with socket.create_connection((running.host, running.rcon_port), timeout=2):
            return True
    except OSError:
        return False
