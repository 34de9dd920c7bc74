from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from bridge.errors import ServerError
from bridge.servers.ping import Status, ping, varint
from bridge.types import Address

SAID = {"version": {"name": "Paper 1.20.4", "protocol": 765}, "players": {"online": 2, "max": 60}}
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@asynccontextmanager
async def answering(talk: Talk) -> AsyncIterator[Address]:
    served: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        served.append(task)
        with suppress(ConnectionError):
            await talk(reader, writer)
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield Address("127.0.0.1", server.sockets[0].getsockname()[1])
    finally:
        server.close()
        await asyncio.gather(*served)


def saying(reply: bytes) -> Talk:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(reply)
        await writer.drain()

    return talk


def packet(text: str) -> bytes:
    body = b"\0" + varint(len(text.encode())) + text.encode()
    return varint(len(body)) + body


@pytest.mark.parametrize(
    ("number", "form"),
    [(0, b"\0"), (127, b"\x7f"), (128, b"\x80\x01"), (25565, b"\xdd\xc7\x01"), (-1, b"\xff" * 4 + b"\x0f")],
)
def test_numbers_as_minecraft_writes_them(number: int, form: bytes) -> None:
    assert varint(number) == form


async def test_a_server_tells_its_version_and_its_players() -> None:
    async with answering(saying(packet(json.dumps({**SAID, "description": "x" * 500})))) as address:
        assert await ping(address) == Status("Paper 1.20.4", 765, 2, 60)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\xff" * 5,
        varint(2**30),
        packet("no JSON"),
        packet("{}"),
        packet('{"version": 1, "players": 2}'),
        b"\0",
        b"\x05\0",
    ],
)
async def test_what_is_no_minecraft_server_is_said_to_be_none(reply: bytes) -> None:
    async with answering(saying(reply)) as address:
        with pytest.raises(ServerError, match=str(address.port)):
            await ping(address)


async def test_a_server_that_says_nothing_is_given_up() -> None:
    async def mute(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with answering(mute) as address:
        with pytest.raises(ServerError, match="no Minecraft server answers"):
            await ping(address, timeout_s=0.05)


async def test_nobody_there() -> None:
    async with answering(saying(b"")) as address:
        pass
    with pytest.raises(ServerError, match="no Minecraft server answers"):
        await ping(address)
