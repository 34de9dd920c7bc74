"""RCON client against a fake as strict as a Minecraft server: one packet per read, parts of 4096 units."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from bridge.errors import CommandError, ServerError
from bridge.rcon import MAX_COMMAND_BYTES, RconClient, encode_packet

PASSWORD = "open sesame"
Handler = Callable[["Peer", int, str], Awaitable[None]]


@dataclass
class Peer:
    """Fake's side of one connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def send(self, packet_id: int, packet_type: int, body: bytes) -> None:
        self.writer.write(encode_packet(packet_id, packet_type, body))
        await self.writer.drain()

    async def reply(self, packet_id: int, text: str) -> None:
        """Reply as Java does: split by UTF-16 units, with lone surrogates as question marks."""
        units = text.encode("utf-16-le")
        for at in range(0, max(len(units), 1), 8192):
            part = units[at : at + 8192].decode("utf-16-le", errors="replace").replace("\ufffd", "?")
            await self.send(packet_id, 0, part.encode())


@dataclass
class FakeServer:
    """Fake server that reads exactly one packet per read, as Minecraft's does, and otherwise closes the connection.

    A `mild` server reads any number of packets, as the embedded server does.
    """

    handler: Handler
    commands: list[str] = field(default_factory=list)
    connections: int = 0
    port: int = 0
    peers: list[Peer] = field(default_factory=list)
    mild: bool = False
    most_at_once: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        peer = Peer(reader, writer)
        self.peers.append(peer)
        authenticated = False
        try:
            rest = b""
            while data := await reader.read(1460 if not self.mild else 1 << 16):
                packets, rest = self._packets(rest + data)
                if packets is None:
                    return
                self.most_at_once = max(self.most_at_once, len(packets))
                for packet in packets:
                    authenticated = await self._answer(peer, packet, authenticated)
        finally:
            writer.close()

    def _packets(self, data: bytes) -> tuple[list[bytes] | None, bytes]:
        """Return the complete packets and the remaining bytes; None for data that a strict server rejects."""
        packets = []
        while len(data) >= 4 and len(data) >= 4 + struct.unpack_from("<i", data)[0]:
            end = 4 + struct.unpack_from("<i", data)[0]
            packets.append(data[:end])
            data = data[end:]
        return (packets, data) if self.mild or (len(packets) == 1 and not data) else (None, b"")

    async def _answer(self, peer: Peer, data: bytes, authenticated: bool) -> bool:
        packet_id, packet_type = struct.unpack_from("<ii", data, 4)
        body = data[12:-2].decode()
        if packet_type == 3:
            authenticated = body == PASSWORD
            await peer.send(packet_id if authenticated else -1, 2, b"")
        elif packet_type == 2 and not authenticated:
            await peer.send(-1, 2, b"")
        elif packet_type == 2:
            self.commands.append(body)
            await self.handler(peer, packet_id, body)
        else:
            await peer.reply(packet_id, f"Unknown request {packet_type:x}")
        return authenticated


@asynccontextmanager
async def fake(handler: Handler, *, mild: bool = False) -> AsyncIterator[FakeServer]:
    server = FakeServer(handler, mild=mild)
    listener = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    server.port = listener.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listener.close()
        for peer in server.peers:
            peer.writer.close()
        await listener.wait_closed()


async def echo(peer: Peer, packet_id: int, text: str) -> None:
    await peer.reply(packet_id, f"did {text}")


def client(server: FakeServer, password: str = PASSWORD, timeout: float = 5.0, window: int = 1) -> RconClient:
    return RconClient("127.0.0.1", server.port, password, timeout=timeout, window=window)


async def test_a_command_is_answered_with_its_reply() -> None:
    async with fake(echo) as server, client(server) as rcon:
        assert await rcon.command("time query daytime") == "did time query daytime"
    assert server.commands == ["time query daytime"]


async def test_an_empty_reply_is_an_empty_text() -> None:
    async def silent(peer: Peer, packet_id: int, text: str) -> None:
        await peer.reply(packet_id, "")

    async with fake(silent) as server, client(server) as rcon:
        assert await rcon.command("say hello") == ""


@pytest.mark.parametrize("length", [4095, 4096, 4097, 8192, 8193, 20000])
@pytest.mark.parametrize("letter", ["x", "é", "世"])
async def test_long_replies_come_whole(length: int, letter: str) -> None:
    async def long(peer: Peer, packet_id: int, text: str) -> None:
        await peer.reply(packet_id, letter * length)

    async with fake(long) as server, client(server) as rcon:
        assert await rcon.command("help") == letter * length
        assert await rcon.command("help again") == letter * length


async def test_a_pair_that_the_server_cut_does_not_end_the_reply_early() -> None:
    async def emoji(peer: Peer, packet_id: int, text: str) -> None:
        await peer.reply(packet_id, "a" * 4095 + "😀" + "tail")

    async with fake(emoji) as server, client(server) as rcon:
        reply = await rcon.command("list")
    assert reply.startswith("a" * 4095)
    assert reply.endswith("tail")


async def test_a_reply_in_single_bytes_is_put_together() -> None:
    async def crumbs(peer: Peer, packet_id: int, text: str) -> None:
        for byte in encode_packet(packet_id, 0, "crümbs".encode()):
            peer.writer.write(bytes([byte]))
            await peer.writer.drain()
            await asyncio.sleep(0)

    async with fake(crumbs) as server, client(server) as rcon:
        assert await rcon.command("seed") == "crümbs"


async def test_a_wrong_password_is_named() -> None:
    async with fake(echo) as server:
        with pytest.raises(ServerError, match="refused the RCON password"):
            await client(server, password="wrong").connect()
    assert server.commands == []


async def test_a_server_that_is_not_there_is_named_with_its_port() -> None:
    async with fake(echo) as server:
        port = server.port
    with pytest.raises(ServerError, match=rf"127\.0\.0\.1:{port}"):
        await RconClient("127.0.0.1", port, PASSWORD).command("list")


async def test_a_break_in_mid_reply_is_an_error_and_the_command_is_not_run_again() -> None:
    async def breaks(peer: Peer, packet_id: int, text: str) -> None:
        peer.writer.write(encode_packet(packet_id, 0, b"half a reply")[:9])
        await peer.writer.drain()
        peer.writer.close()

    async with fake(breaks) as server, client(server) as rcon:
        with pytest.raises(ServerError, match="may have run"):
            await rcon.command("give Gizmo diamond")
        assert server.commands == ["give Gizmo diamond"]
        server.handler = echo
        assert await rcon.command("list") == "did list"
    assert server.connections == 2


async def test_a_connection_closed_between_commands_is_opened_again() -> None:
    async with fake(echo) as server, client(server) as rcon:
        assert await rcon.command("one") == "did one"
        server.peers[0].writer.close()
        await server.peers[0].writer.wait_closed()
        assert rcon._reader is not None
        assert await rcon._reader.read(1) == b"", "the end of the stream has arrived"
        assert await rcon.command("two") == "did two"
    assert server.connections == 2
    assert server.commands == ["one", "two"]


async def test_a_server_that_does_not_answer_is_given_up() -> None:
    async def mute(peer: Peer, packet_id: int, text: str) -> None:
        pass

    async with fake(mute) as server, client(server, timeout=0.05) as rcon:
        with pytest.raises(ServerError, match=r"within 0\.05 s"):
            await rcon.command("list")
    async with fake(mute) as server, client(server) as rcon:
        rcon._timeout = 0.05
        with pytest.raises(ServerError):
            await rcon.command("list")
        rcon._timeout = 10.0
        server.handler = echo
        assert await rcon.command("list") == "did list"


async def test_a_late_reply_is_never_taken_for_the_next_one() -> None:
    async def wrong_id(peer: Peer, packet_id: int, text: str) -> None:
        await peer.reply(packet_id - 1, "the reply to something else")

    async with fake(wrong_id) as server, client(server) as rcon:
        with pytest.raises(ServerError, match="where"):
            await rcon.command("list")


async def test_callers_at_once_each_get_their_own_reply() -> None:
    async with fake(echo) as server, client(server) as rcon:
        texts = [f"say {n}" for n in range(50)]
        replies = await asyncio.gather(*(rcon.command(text) for text in texts))
    assert replies == [f"did {text}" for text in texts]
    assert server.connections == 1


async def test_a_cancelled_command_leaves_the_client_usable() -> None:
    reached = asyncio.Event()

    async def stuck(peer: Peer, packet_id: int, text: str) -> None:
        reached.set()

    async with fake(stuck) as server, client(server) as rcon:
        task = asyncio.create_task(rcon.command("list"))
        await reached.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        server.handler = echo
        assert await rcon.command("seed") == "did seed"


@pytest.mark.parametrize("text", ["x" * (MAX_COMMAND_BYTES + 1), "é" * (MAX_COMMAND_BYTES // 2 + 1)])
async def test_a_command_that_is_too_long_is_refused_unsent(text: str) -> None:
    async with fake(echo) as server, client(server) as rcon:
        with pytest.raises(CommandError, match="1446"):
            await rcon.command(text)
    assert server.commands == []


async def test_the_longest_command_arrives_whole() -> None:
    async with fake(echo) as server, client(server) as rcon:
        await rcon.command("x" * MAX_COMMAND_BYTES)
    assert server.commands == ["x" * MAX_COMMAND_BYTES]


@pytest.mark.parametrize("text", ["say a\nstop", "say a\0b"])
async def test_a_command_of_several_lines_is_refused(text: str) -> None:
    async with fake(echo) as server, client(server) as rcon:
        with pytest.raises(CommandError, match="one line"):
            await rcon.command(text)
    assert server.commands == []


@pytest.mark.parametrize("length", [3, 9, 2**31 - 1, -1])
async def test_a_reply_of_an_impossible_length_is_an_error(length: int) -> None:
    async def lies(peer: Peer, packet_id: int, text: str) -> None:
        peer.writer.write(struct.pack("<iii", length, packet_id, 0) + b"\0\0")
        await peer.writer.drain()

    async with fake(lies) as server, client(server) as rcon:
        with pytest.raises(ServerError, match="bytes: legal"):
            await rcon.command("list")


BATCH = [f"command {number}" for number in range(150)]


@pytest.mark.parametrize("window", [1, 64])
async def test_a_list_of_commands_is_answered_in_its_order(window: int) -> None:
    async with fake(echo, mild=window > 1) as server, client(server, window=window) as rcon:
        assert await rcon.commands(BATCH) == [f"did {text}" for text in BATCH]
        assert await rcon.commands([]) == []
    assert server.commands == BATCH
    assert (server.most_at_once > 1) == (window > 1)


@pytest.mark.parametrize("window", [1, 64])
async def test_long_and_empty_replies_of_a_list_come_whole(window: int) -> None:
    lengths = [4096, 0, 4097, 5, 8192, 0, 20000, 4096]

    async def long(peer: Peer, packet_id: int, text: str) -> None:
        await peer.reply(packet_id, "x" * int(text))

    async with fake(long, mild=window > 1) as server, client(server, window=window) as rcon:
        replies = await rcon.commands([str(length) for length in lengths])
        assert [len(str(reply)) for reply in replies] == lengths
        assert await rcon.command("3") == "xxx"


async def test_what_cannot_be_sent_is_refused_in_its_place_and_the_rest_is_run() -> None:
    async with fake(echo, mild=True) as server, client(server, window=64) as rcon:
        first, long, broken, last = await rcon.commands(["one", "x" * (MAX_COMMAND_BYTES + 1), "two\nlines", "three"])
    assert (first, last) == ("did one", "did three")
    assert isinstance(long, CommandError)
    assert isinstance(broken, CommandError)
    assert server.commands == ["one", "three"]


async def test_a_list_that_breaks_off_is_not_sent_again() -> None:
    async def breaks(peer: Peer, packet_id: int, text: str) -> None:
        if text == "command 70" and server.connections == 1:
            peer.writer.close()
        else:
            await peer.reply(packet_id, f"did {text}")

    async with fake(breaks, mild=True) as server, client(server, window=64) as rcon:
        with pytest.raises(ServerError, match="may have run"):
            await rcon.commands(BATCH)
        assert len(set(server.commands)) == len(server.commands)
        assert await rcon.command("list") == "did list"
