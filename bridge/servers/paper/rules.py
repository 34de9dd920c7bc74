"""Behaviour specific to worlds on Paper, whoever started the server; needs no Docker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, Self, TypeVar

from bridge.errors import CommandError
from bridge.pictures import PICTURES, PictureRequest
from bridge.servers.base import Server
from bridge.servers.paper.settings import watchers
from bridge.servers.world import ServerWorld
from bridge.types import Limits, PolicyResult
from bridge.worlds import HOST_PER_PLAYER

LOADED = (-48, -48, 48, 48)
"""Blocks around the origin that stay loaded; commands fail in unloaded chunks."""


class CheckedServer(Server, Protocol):
    """A server with a health check."""

    async def check(self) -> None:
        """Raise ServerError if it has died or become unhealthy."""


S = TypeVar("S", bound=CheckedServer)


class PaperRules(ServerWorld[S]):
    """Mixin for worlds on Paper: keeps the centre loaded and admits known names only."""

    name = "paper"
    capabilities = frozenset(
        {"chests", "scoreboard", "spectators", "signals", "vanilla-terrain", HOST_PER_PLAYER, PICTURES}
    )

    async def __aenter__(self) -> Self:
        await super().__aenter__()
        try:
            await self.command("forceload add {} {} {} {}".format(*LOADED))
            await allow(self._server, watchers())
        except BaseException as error:
            await self.__aexit__(type(error), error, error.__traceback__)
            raise
        return self

    async def connect(self, names: Sequence[str]) -> None:
        """Connect one bot per name; only these names are admitted."""
        await allow(self._server, [name for name in names if name not in self._fleet.bots])
        await super().connect(names)

    async def picture(self, request: PictureRequest) -> bytes:
        """Return what a player's bot has been sent of its surroundings, as a PNG file.

        The server itself is not asked: blocks and entities are those that it has sent to the bot.
        Raises BridgeError for an illegal request.
        """
        return await self._fleet.picture(request)

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot and check the server afterwards, whatever the bots report."""
        results = await super().run(policies, limits)
        await self._server.check()
        return results


async def allow(server: Server, names: Sequence[str]) -> None:
    """Let players of these names join."""
    for reply in await server.commands([f"whitelist add {name}" for name in names]):
        if isinstance(reply, CommandError) and "already whitelisted" not in reply.reply:
            raise reply
