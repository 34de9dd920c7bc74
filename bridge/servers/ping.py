"""The server-list ping, by which a Minecraft server reports version and players."""

from __future__ import annotations

import asyncio
import json
import struct
from contextlib import suppress
from dataclasses import dataclass

from bridge.errors import ServerError
from bridge.types import Address

TIMEOUT_S = 10.0
MAX_REPLY = 1 << 20
_STATUS_NEXT = 1
_MAX_VARINT_BYTES = 5


@dataclass(frozen=True)
class Status:
    """Status reported by a server."""

    version: str
    """Version as reported, e.g. "Paper 1.20.4"."""
    protocol: int
    players: int
    max_players: int


async def ping(address: Address, timeout_s: float = TIMEOUT_S) -> Status:
    """Return the status of the server at an address. Raises ServerError if no Minecraft server answers."""
    try:
        async with asyncio.timeout(timeout_s):
            reader, writer = await asyncio.open_connection(address.host, address.port)
            try:
                return await _ask(reader, writer, address)
            finally:
                writer.transport.abort()
                with suppress(OSError):
                    await writer.wait_closed()
    except (OSError, EOFError, TimeoutError) as error:
        raise ServerError(f"no Minecraft server answers at {address}: {error or type(error).__name__}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise ServerError(f"what answers at {address} is no Minecraft server ({error})") from error


async def _ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, address: Address) -> Status:
    # The protocol number of who asks does not matter; -1 says that it is not known.
    host = address.host.encode()
    hello = b"\x00" + varint(-1) + varint(len(host)) + host + struct.pack(">H", address.port) + varint(_STATUS_NEXT)
    writer.write(_packet(hello) + _packet(b"\x00"))
    await writer.drain()
    length = await _read_varint(reader)
    if not 0 < length <= MAX_REPLY:
        raise ValueError(f"a reply of {length} bytes")
    body = await reader.readexactly(length)
    said = json.loads(body[body.index(b"{") :])
    version, players = said["version"], said["players"]
    return Status(str(version["name"]), int(version["protocol"]), int(players["online"]), int(players["max"]))


def varint(number: int) -> bytes:
    """Return Minecraft's variable-length form of a 32-bit number: seven bits per byte, lowest first."""
    rest = number & 0xFFFFFFFF
    parts = bytearray()
    while rest > 0x7F:
        parts.append(rest & 0x7F | 0x80)
        rest >>= 7
    parts.append(rest)
    return bytes(parts)


def _packet(body: bytes) -> bytes:
    return varint(len(body)) + body


async def _read_varint(reader: asyncio.StreamReader) -> int:
    value = 0
    for index in range(_MAX_VARINT_BYTES):
        (byte,) = await reader.readexactly(1)
        value |= (byte & 0x7F) << 7 * index
        if not byte & 0x80:
            return value
    raise ValueError("a number without end")
