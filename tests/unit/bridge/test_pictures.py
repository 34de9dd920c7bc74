"""Pictures of the mock and the embedded world through the interface that callers use."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from bridge.errors import BotLostError, BridgeError, HostError
from bridge.fleet import Fleet
from bridge.pictures import PICTURES, PictureRequest, TakesPictures, png_bytes
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.worlds import World, capabilities, open_world

BUILDING = (
    "gamerule doDaylightCycle false",
    "time set 18000",
    "fill -4 -60 4 4 -58 8 oak_planks hollow",
    "setblock 0 -60 4 oak_door[half=lower]",
    "setblock 0 -59 4 oak_door[half=upper]",
    "setblock 2 -60 2 torch",
    "fill -4 -61 -3 -2 -61 2 water",
    "summon cow -3 -60 3 {NoAI:1b,Rotation:[90f,0f]}",
    "tp Glitch 1.5 -60 3 180 0",
    "tp Gizmo 0.5 -60 -4.5 0 10",
)
REQUESTS = (
    PictureRequest("Gizmo", 160, 90),
    PictureRequest("Glitch", 96, 96),
    PictureRequest("Gizmo", 160, 90, "above", 14.0),
)
STILL = "tick freeze"


async def pictures(name: str, folder: Path, requests: tuple[PictureRequest, ...]) -> list[bytes]:
    """Build the scene in a world, and return the pictures of it."""
    async with open_world(name, seed=3, log_dir=folder) as world:
        await _furnish(world)
        camera = cast(TakesPictures, world)
        with pytest.raises(BridgeError, match='"Nobody" is not in the world: ask for one of'):
            await camera.picture(PictureRequest("Nobody"))
        with pytest.raises(BridgeError, match="width 3 is not legal: use a whole number of pixels from 16 to 2048"):
            await camera.picture(PictureRequest("Gizmo", 3))
        return [await camera.picture(request) for request in requests]


async def _furnish(world: World) -> None:
    await world.connect(["Gizmo", "Glitch"])
    refused = [reply for reply in await world.commands([*BUILDING, STILL]) if not isinstance(reply, str)]
    assert not refused


async def test_the_same_world_gives_the_same_bytes_on_mock_and_embedded_in_any_order(tmp_path: Path) -> None:
    mock = await pictures("mock", tmp_path, REQUESTS)
    embedded = await pictures("embedded", tmp_path, REQUESTS[::-1])
    assert mock == embedded[::-1]
    assert len(set(mock)) == len(REQUESTS)
    assert all(picture.startswith(b"\x89PNG\r\n\x1a\n") for picture in mock)


async def test_bots_on_a_server_are_sent_what_the_server_draws(tmp_path: Path) -> None:
    """The nearest real thing to Paper: mineflayer's bots, connected to the embedded server by the game's protocol."""
    async with EmbeddedWorld(3, tmp_path) as world:
        await _furnish(world)
        drawn = [await world.picture(request) for request in REQUESTS]
        fleet = world.fleet
        assert [await _received(fleet, request, own) for request, own in zip(REQUESTS, drawn, strict=True)] == drawn
        # Changes reach the bots: a wall before Gizmo, a lamp, a block that is gone, night to day.
        before = drawn[0]
        await world.commands(["setblock 0 -60 1 glowstone", "setblock 0 -59 4 air", "time set 6000"])
        drawn = [await world.picture(request) for request in REQUESTS]
        assert drawn[0] != before
        assert [await _received(fleet, request, own) for request, own in zip(REQUESTS, drawn, strict=True)] == drawn
        with pytest.raises(BridgeError, match="width 3 is not legal: use a whole number of pixels from 16 to 2048"):
            await fleet.picture(PictureRequest("Gizmo", 3))
        with pytest.raises(BotLostError, match="Nobody"):
            await fleet.picture(PictureRequest("Nobody"))


async def _received(fleet: Fleet, request: PictureRequest, expected: bytes) -> bytes:
    """Return the picture from what a bot was sent, once the server's last packets have arrived."""
    picture = await fleet.picture(request)
    for _ in range(200):
        if picture == expected:
            break
        await fleet.echo()
        picture = await fleet.picture(request)
    return picture


def test_worlds_without_pictures_do_not_claim_them() -> None:
    assert {name for name in ("mock", "embedded", "paper", "none") if PICTURES in capabilities(name)} == {
        "mock", "embedded", "paper",
    }  # fmt: skip


def test_what_is_no_picture_is_told() -> None:
    with pytest.raises(HostError, match="the world sent no picture"):
        png_bytes("?")
