"""Source RCON as Minecraft servers speak it, on asyncio streams.

What the client knows of the server (vanilla and Paper alike):

- it reads one packet per TCP read, so only one request is under way and each leaves in one write (a server that is
  known to read better may get several: `window`);
- a request longer than 1446 bytes is not read at all;
- a reply is cut after every 4096 UTF-16 units, and nothing marks the last part. When a part is full, a packet of a
  type that no server knows is sent: its answer comes after the last part. It cannot be sent together with the command.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from bridge.errors import CommandError, ServerError
from common.text import well_formed

MAX_COMMAND_BYTES = 1446
"""Maximum length of a command, in bytes of UTF-8."""
REPLY_UNITS = 4096
"""UTF-16 units in a full part of a reply."""

_LOGIN, _COMMAND, _LOGIN_REPLY, _RESPONSE, _UNKNOWN = 3, 2, 2, 0, 100
_REFUSED = -1
_OVERHEAD = 10
_MAX_PACKET = _OVERHEAD + 4 * REPLY_UNITS
_MAX_ID = 2**31 - 2


T = TypeVar("T")


class _Packet(NamedTuple):
    id: int
    type: int
    body: bytes


def encode_packet(packet_id: int, packet_type: int, body: bytes) -> bytes:
    """Return the bytes of one packet, length first."""
    return struct.pack("<iii", len(body) + _OVERHEAD, packet_id, packet_type) + body + b"\0\0"


def _is_full(part: bytes) -> bool:
    """Return whether more parts may follow; a surrogate pair cut by the server counts as two units."""
    return len(part.decode("utf-8", errors="replace").encode("utf-16-le")) // 2 >= REPLY_UNITS


class RconClient:
    """One connection to a server's console; concurrent callers take turns.

    A connection that the server closed between two commands is opened again, once. A connection that breaks while
    a reply is due is not: the command may have run, and running it twice could give a player twice.

    `window` is the maximum number of concurrent requests of `commands`: more than one only for a server that reads
    several packets at once. `timeout` bounds the wait for a window's replies, in seconds.
    """

    def __init__(self, host: str, port: int, password: str, *, timeout: float = 10.0, window: int = 1) -> None:
        self._host = host
        self._port = port
        self._password = password
        self._timeout = timeout
        self._window = window
        self._lock = asyncio.Lock()
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._last_id = 0

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def connect(self) -> None:
        """Connect and authenticate if not done yet. Raises ServerError."""
        async with self._lock:
            await self._bounded(self._ensure_open(), "did not let RCON in")

    async def command(self, text: str) -> str:
        """Run one command and return the whole reply.

        Raises CommandError when the text cannot be sent as one command, ServerError when the server does not answer.
        """
        body = _checked(text)
        async with self._lock:
            return await self._bounded(self._run(body), f"gave no whole reply to {text!r}, which may have run")

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run commands in order without others in between and return the whole reply to each.

        A text that cannot be sent as one command has its CommandError in the reply's place. Raises ServerError when
        the server does not answer.
        """
        bodies = [_sendable(text) for text in texts]
        replies: list[str | CommandError] = []
        async with self._lock:
            for start in range(0, len(bodies), self._window):
                part = bodies[start : start + self._window]
                what = f"gave no whole reply to {texts[start]!r} or one of {len(part)} sent with it, which may have run"
                replies += await self._bounded(self._run_window(part), what)
        return replies

    async def close(self) -> None:
        """Close the connection; a later command opens it again."""
        async with self._lock:
            await self._drop()

    async def _bounded(self, work: Coroutine[Any, Any, T], what: str) -> T:
        """Do `work` within the time limit; after any failure the connection is closed, since its bytes are unsure."""
        try:
            async with asyncio.timeout(self._timeout):
                return await work
        except TimeoutError as error:
            await self._drop()
            raise ServerError(f"the server at {self._host}:{self._port} {what} within {self._timeout:g} s") from error
        except (OSError, EOFError) as error:
            await self._drop()
            raise ServerError(f"the server at {self._host}:{self._port} {what}: {error}") from error
        except BaseException:
            await self._drop()
            raise

    async def _ensure_open(self) -> None:
        if self._writer is not None and self._reader is not None:
            if not self._reader.at_eof() and not self._writer.is_closing():
                return
            await self._drop()
        self._reader, self._writer = await asyncio.open_connection(self._host, self._port)
        request = await self._send(_LOGIN, self._password.encode())
        reply = await self._receive()
        while reply.type != _LOGIN_REPLY:
            reply = await self._receive()
        if reply.id != request:
            raise ServerError(f"the server at {self._host}:{self._port} refused the RCON password")

    async def _run(self, body: bytes) -> str:
        await self._ensure_open()
        request = await self._send(_COMMAND, body)
        parts = [await self._part(request)]
        if _is_full(parts[0]):
            parts += await self._rest(request)
        return b"".join(parts).decode("utf-8", errors="replace")

    async def _run_window(self, bodies: Sequence[bytes | CommandError]) -> list[str | CommandError]:
        """Send all, then read all: a reply ends where the next one begins, the last as that of a single command."""
        await self._ensure_open()
        sent = [(body, 0 if isinstance(body, CommandError) else await self._send(_COMMAND, body)) for body in bodies]
        due = [request for _, request in sent if request != 0]
        parts: dict[int, list[bytes]] = {request: [] for request in due}
        for at, request in enumerate(due):
            later = due[at + 1] if at + 1 < len(due) else None
            if not parts[request]:
                parts[request].append(await self._part(request))
            while later is not None and not parts[later]:
                packet = await self._packet((request, later))
                parts[packet.id].append(packet.body)
            if later is None and _is_full(parts[request][-1]):
                parts[request] += await self._rest(request)
        whole = {request: b"".join(found).decode("utf-8", errors="replace") for request, found in parts.items()}
        return [body if isinstance(body, CommandError) else whole[request] for body, request in sent]

    async def _part(self, request: int) -> bytes:
        return (await self._packet((request,))).body

    async def _packet(self, due: Sequence[int]) -> _Packet:
        """Return the next part of a reply to one of these requests."""
        packet = await self._receive()
        if packet.id == _REFUSED:
            raise ServerError(f"the server at {self._host}:{self._port} no longer accepts this RCON connection")
        if packet.id not in due or packet.type != _RESPONSE:
            legal = " or ".join(str(request) for request in due)
            raise ServerError(f"RCON answered request {packet.id} (type {packet.type}) where {legal} was due")
        return packet

    async def _rest(self, request: int) -> list[bytes]:
        sentinel = await self._send(_UNKNOWN, b"")
        parts: list[bytes] = []
        while True:
            packet = await self._receive()
            if packet.id == sentinel:
                return parts
            if packet.id != request:
                raise ServerError(f"RCON answered request {packet.id} where {request} or {sentinel} was due")
            parts.append(packet.body)

    async def _send(self, packet_type: int, body: bytes) -> int:
        assert self._writer is not None
        self._last_id = self._last_id % _MAX_ID + 1
        self._writer.write(encode_packet(self._last_id, packet_type, body))
        await self._writer.drain()
        return self._last_id

    async def _receive(self) -> _Packet:
        assert self._reader is not None
        (length,) = struct.unpack("<i", await self._reader.readexactly(4))
        if not _OVERHEAD <= length <= _MAX_PACKET:
            raise ServerError(f"RCON packet of {length} bytes: legal are {_OVERHEAD} to {_MAX_PACKET}")
        data = await self._reader.readexactly(length)
        packet_id, packet_type = struct.unpack_from("<ii", data)
        return _Packet(packet_id, packet_type, data[8:-2])

    async def _drop(self) -> None:
        writer, self._reader, self._writer = self._writer, None, None
        if writer is None:
            return
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


def _sendable(text: str) -> bytes | CommandError:
    try:
        return _checked(text)
    except CommandError as error:
        return error


def _checked(text: str) -> bytes:
    """Return the command's bytes; raises CommandError for what the server would cut or not read."""
    body = well_formed(text).encode()
    if len(body) > MAX_COMMAND_BYTES:
        raise CommandError(
            text[:60] + "...", f"it has {len(body)} bytes, RCON takes {MAX_COMMAND_BYTES}: split it into several"
        )
    if b"\0" in body or b"\n" in body:
        raise CommandError(text[:60], "a command is one line without NUL characters")
    return body
