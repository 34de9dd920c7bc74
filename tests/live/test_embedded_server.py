"""The embedded server's process, controlled from Python: it starts, answers, stops, and leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
import pytest_asyncio

from bridge.errors import CommandError, ServerError
from bridge.rcon import RconClient
from bridge.servers.base import ServerState
from bridge.servers.embedded import EmbeddedServer
from common.errors import PrerequisiteError

pytestmark = pytest.mark.live

WAIT_S = 60.0
TICKS = 20


def listens(port: int) -> bool:
    """Return True if the port accepts connections."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def runs(pid: int) -> bool:
    """Return True if a process with that id runs; a zombie does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def process_file(server: EmbeddedServer, name: str) -> bytes:
    """Return a file of /proc about the server's process."""
    return Path(f"/proc/{server.pid}/{name}").read_bytes()


async def until_gone(pid: int) -> None:
    async with asyncio.timeout(WAIT_S):
        while runs(pid):  # noqa: ASYNC110 - another process's end has no event here
            await asyncio.sleep(0.02)


IN_SHARED = pytest.mark.asyncio(loop_scope="module")
"""Mark of tests that use `shared`."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[EmbeddedServer]:
    """Start a server for tests that leave it as ready as they found it."""
    one = EmbeddedServer(seed=3, log_dir=tmp_path_factory.mktemp("shared"))
    await one.start()
    yield one
    await one.stop()


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[EmbeddedServer]:
    one = EmbeddedServer(seed=3, log_dir=tmp_path)
    await one.start()
    yield one
    await one.stop()


async def test_ten_times_from_start_to_stop(tmp_path: Path) -> None:
    for _ in range(10):
        server = EmbeddedServer(seed=0, log_dir=tmp_path)
        assert server.state is ServerState.CREATED
        await server.start()
        assert server.state is ServerState.READY
        pid = server.pid
        assert pid is not None
        assert listens(server.address.port)
        await server.stop()
        assert server.state is ServerState.STOPPED
        assert not runs(pid)
        assert not listens(server.address.port)
    assert "Stopping server" in (tmp_path / "server.log").read_text("utf-8")


async def test_several_at_once_do_not_meet(tmp_path: Path) -> None:
    servers = [EmbeddedServer(seed=n, log_dir=tmp_path / str(n)) for n in range(3)]
    try:
        await asyncio.gather(*(server.start() for server in servers))
        assert len({server.address.port for server in servers}) == 3
        await servers[0].command("setblock 0 -60 0 stone")
        assert "Changed the block" in await servers[1].command("setblock 0 -60 0 stone")
    finally:
        await asyncio.gather(*(server.stop() for server in servers))


@IN_SHARED
async def test_commands_are_answered_as_vanilla_does(shared: EmbeddedServer) -> None:
    assert await shared.command("setblock 1 -60 1 chest") == "Changed the block at 1, -60, 1"
    assert await shared.command("/time set 6000") == "Set the time to 6000"
    assert await shared.command("fill 0 -60 0 3 -60 3 stone") == "Successfully filled 16 block(s)"


@IN_SHARED
async def test_a_command_with_nothing_to_do_is_no_refusal(shared: EmbeddedServer) -> None:
    assert await shared.command("fill 0 -50 0 3 -50 3 air") == "No blocks were filled"
    assert await shared.command("kill @e[type=item]") == "No entity was found"


@IN_SHARED
@pytest.mark.parametrize(
    "text",
    [
        "nosuch",
        "fill 0 0 0",
        "setblock 0 -60 0 nosuchblock",
        "give Nobody diamond",
        "fill 0 -60 0 100 -60 1000 stone",
        "gamemode flying @a",
        "setblock 0 5000 0 stone",
    ],
)
async def test_a_refused_command_raises_with_the_servers_words(shared: EmbeddedServer, text: str) -> None:
    with pytest.raises(CommandError) as caught:
        await shared.command(text)
    assert caught.value.command == text
    assert caught.value.reply != ""


async def test_the_password_of_the_log_reader_is_not_the_consoles(server: EmbeddedServer, tmp_path: Path) -> None:
    assert server._password not in (tmp_path / "server.log").read_text("utf-8")
    assert server._password.encode() not in process_file(server, "cmdline")
    assert process_file(server, "environ") == b""
    assert server._rcon is not None
    with pytest.raises(ServerError, match="password"):
        await RconClient("127.0.0.1", server._rcon._port, "guess").connect()


@IN_SHARED
async def test_statistics_tell_of_the_ticks_since_they_were_reset(shared: EmbeddedServer) -> None:
    """Count ticks; tests/js/embedded/parts.test.js checks the rate of twenty a second with a controlled clock."""
    await shared.statistics(reset=True)
    async with asyncio.timeout(WAIT_S):
        while (found := await shared.statistics())["ticks"] < TICKS:  # noqa: ASYNC110 - the world's ticks have no event here
            await asyncio.sleep(0.02)
    assert found["tps"] > 0
    assert found["work"]["p50"] <= found["work"]["max"]
    assert found["memory"]["rss"] > 0
    assert (await shared.statistics(reset=True))["ticks"] < TICKS


async def test_a_taken_port_says_what_to_do(tmp_path: Path) -> None:
    with closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        server = EmbeddedServer(seed=0, log_dir=tmp_path, port=port)
        with pytest.raises(PrerequisiteError, match=rf"port {port} on 127\.0\.0\.1 is taken") as caught:
            await server.start()
    assert "\n" not in str(caught.value)
    assert server.state is ServerState.FAILED
    assert server.pid is not None
    assert not runs(server.pid)
    await server.stop()


async def test_a_setting_that_is_not_legal_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = tmp_path / "embedded.json"
    config.write_text('{"viewDistance": 99}', "utf-8")
    monkeypatch.setattr("bridge.servers.embedded.server.CONFIG", config)
    server = EmbeddedServer(seed=0, log_dir=tmp_path)
    with pytest.raises(PrerequisiteError, match=r"viewDistance is 99, but must be an integer from 2 to 16 \(common"):
        await server.start()
    config.write_text("nonsense", "utf-8")
    with pytest.raises(PrerequisiteError, match="cannot be read"):
        EmbeddedServer(seed=0, log_dir=tmp_path)


async def test_an_unwritable_log_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    server = EmbeddedServer(seed=0, log_dir=tmp_path / "file")
    with pytest.raises(PrerequisiteError, match="cannot be written"):
        await server.start()
    assert server.pid is None


async def test_a_killed_server_is_noticed(server: EmbeddedServer) -> None:
    assert server.pid is not None
    os.kill(server.pid, signal.SIGKILL)
    with pytest.raises(ServerError):
        await server.command("list")
    await until_gone(server.pid)
    async with asyncio.timeout(WAIT_S):
        while server.state is ServerState.READY:  # noqa: ASYNC110 - the loop learns of it from its child watcher
            await asyncio.sleep(0.02)
    assert server.state is ServerState.FAILED


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_it_cleanly(server: EmbeddedServer, how: signal.Signals) -> None:
    assert server._process is not None
    server._process.send_signal(how)
    async with asyncio.timeout(WAIT_S):
        assert await server._process.wait() == 0


async def test_a_stop_command_ends_it_cleanly(server: EmbeddedServer) -> None:
    assert await server.command("stop") == "Stopping the server"
    assert server._process is not None
    async with asyncio.timeout(WAIT_S):
        assert await server._process.wait() == 0


async def test_a_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    server = EmbeddedServer(seed=0, log_dir=tmp_path)
    task = asyncio.create_task(server.start())
    async with asyncio.timeout(WAIT_S):
        while server.pid is None:  # noqa: ASYNC110 - the moment in the middle that is wanted here
            await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert server.pid is not None
    assert not runs(server.pid)
    await server.stop()


_PARENT = """
import asyncio, sys
from pathlib import Path
from bridge.servers.embedded import EmbeddedServer

async def main():
    server = EmbeddedServer(seed=0, log_dir=Path(sys.argv[1]))
    await server.start()
    print(server.pid, server.address.port, flush=True)
    await asyncio.sleep(3600)

asyncio.run(main())
"""


async def test_it_does_not_outlive_a_killed_parent(tmp_path: Path) -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _PARENT, str(tmp_path), stdout=asyncio.subprocess.PIPE
    )
    try:
        assert parent.stdout is not None
        async with asyncio.timeout(WAIT_S):
            pid, port = map(int, (await parent.stdout.readline()).split())
        assert runs(pid)
        parent.kill()
        await until_gone(pid)
        assert not listens(port)
    finally:
        with suppress(ProcessLookupError):
            parent.kill()
        await parent.communicate()


async def test_a_server_is_started_only_once(tmp_path: Path) -> None:
    server = EmbeddedServer(seed=0, log_dir=tmp_path)
    with pytest.raises(ServerError, match="created"):
        await server.command("list")
    with pytest.raises(ServerError, match="no address"):
        _ = server.address
    await server.stop()
    assert server.state is ServerState.STOPPED
    with pytest.raises(ValueError, match="cannot go from stopped to starting"):
        await server.start()
    await server.stop()
