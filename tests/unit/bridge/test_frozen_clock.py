"""Freezing of a server with its bots: order of stop and resume, and rollback of a partial stop."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from bridge.errors import CommandError, HostError
from bridge.servers.world import ServerWorld


class _Parts:
    """Server and fleet that record their calls in one list."""

    def __init__(self, *, refuses: bool = False, lost: bool = False) -> None:
        self.told: list[str] = []
        self._refuses = refuses
        self._lost = lost

    async def command(self, text: str) -> str:
        self.told.append(text)
        if self._refuses:
            raise CommandError(text, "Unknown or incomplete command")
        return "The game is frozen"

    async def stand(self, still: bool) -> None:
        self.told.append("stand" if still else "go")
        if self._lost and not still:
            raise HostError("the fleet is lost")


def world(parts: _Parts) -> ServerWorld[Any]:
    made: ServerWorld[Any] = ServerWorld(cast(Any, parts))
    made._fleet = cast(Any, parts)
    return made


async def test_bots_stop_before_the_server_does_and_go_on_after_it() -> None:
    parts = _Parts()
    still = world(parts)

    inside_all = asyncio.Barrier(3)

    async def inside() -> None:
        async with still.standing_still():
            await inside_all.wait()

    await asyncio.gather(inside(), inside(), inside())
    assert parts.told == ["stand", "tick freeze", "tick unfreeze", "go"]


async def test_a_server_that_cannot_stop_leaves_nobody_standing() -> None:
    parts = _Parts(refuses=True)
    with pytest.raises(CommandError):
        async with world(parts).standing_still():
            pytest.fail("time goes on")
    assert parts.told == ["stand", "tick freeze", "go"]


async def test_a_fleet_that_is_lost_meanwhile_is_told_by_whatever_is_done_next() -> None:
    parts = _Parts(lost=True)
    async with world(parts).standing_still():
        pass
    assert parts.told[-1] == "go"
