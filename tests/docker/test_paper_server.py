"""PaperServer with a real Docker engine and the stand-in image: its life cycle, and every kind of failure."""

from __future__ import annotations

import asyncio
import json
import os
import queue
import socket
import subprocess
import time
from collections.abc import Callable
from math import dist
from pathlib import Path

import docker
import pytest

from bridge.errors import CommandError, ServerError
from bridge.seat_client import Report, SeatClient
from bridge.servers.base import ServerState
from bridge.servers.paper.marks import BOOT, KEEP_WORLD, LABEL, OWNER, PLACE, STATE
from bridge.servers.paper.server import PaperServer
from bridge.servers.paper.sweep import sweep_stale
from bridge.types import Address
from common.errors import PrerequisiteError
from common.processes import this_boot, this_place
from tests.docker.conftest import data_folder, ours

pytestmark = pytest.mark.docker

Make = Callable[..., PaperServer]
SEAT_S = 60.0
"""Maximum wait for a report of a seat's client, in seconds."""


async def test_it_starts_answers_seats_a_person_and_leaves_nothing(paper: Make, tmp_path: Path) -> None:
    server = paper()
    await server.start()
    assert server.state is ServerState.READY
    assert await server.command("setblock 0 -60 0 stone") == "Changed the block at 0, -60, 0"
    with pytest.raises(CommandError):
        await server.command("setblok 0 0 0 stone")
    await server.command("whitelist add Glitch")
    assert server.address is not None
    dug = await asyncio.to_thread(sit_and_play, server.address)
    # With `keep`, blocks go only where there is air.
    assert await server.command(f"setblock {dug} stone keep") == f"Changed the block at {dug.replace(' ', ', ')}"
    await server.stop()
    assert server.state is ServerState.STOPPED
    assert "Stopping server" in (tmp_path / "server.log").read_text()


def sit_and_play(address: Address) -> str:
    """Join with the client of a seat in the browser, look around, talk, walk and dig; return where a block was."""
    reports: queue.SimpleQueue[Report] = queue.SimpleQueue()

    def until(kind: str, fits: Callable[[Report], bool] = lambda _report: True) -> Report:
        while True:
            report = reports.get(timeout=SEAT_S)
            assert report["kind"] != "gone", report
            if report["kind"] == kind and fits(report):
                return report

    def say(text: str) -> None:
        client.send({"do": "chat", "text": text})
        until("chat", lambda report: (report["from"], report["text"]) == ("Glitch", text))

    client = SeatClient(reports.put)
    try:
        client.join(address, "Glitch")
        until("joined")
        start = until("self")["at"]
        assert client.survey("facts")["min_y"] == -64
        assert client.survey("columns", columns=[[int(start[0]) >> 4, int(start[2]) >> 4]])
        say("hello")
        client.send({"do": "keys", "keys": ["forward"]})
        until("self", lambda report: dist(report["at"], start) > 1)
        client.send({"do": "keys", "keys": []})
        client.send({"do": "look", "yaw": 0, "pitch": 90})
        client.send({"do": "dig", "on": True})
        # Straight down, the look meets a deeper block once the upper one is gone.
        deeper = until("self", lambda report: bool(report["cross"] and report["cross"]["at"][1] <= start[1] - 2))
        x, y, z = deeper["cross"]["at"]
        client.send({"do": "dig", "on": False})
        say("done")
        return f"{x} {y + 1} {z}"
    finally:
        client.close()


async def test_the_container_gets_its_settings(paper: Make, engine: docker.DockerClient) -> None:
    server = paper(seed=7)
    await server.start()
    try:
        inspected = engine.api.inspect_container(server.name)
        data = await asyncio.to_thread(data_folder, engine, server.name)
    finally:
        await server.stop()
    assert {"SEED=7", "SPAWN_PROTECTION=0", "ONLINE_MODE=false", "ENFORCE_WHITELIST=true"} <= set(
        inspected["Config"]["Env"]
    )
    assert server._password not in json.dumps(inspected)
    assert {"bukkit.yml", "spigot.yml", "config/paper-global.yml", "config/paper-world-defaults.yml"} <= set(data)
    assert inspected["HostConfig"]["Memory"] == server.settings.limit_mb * 1024 * 1024
    bindings = inspected["HostConfig"]["PortBindings"].values()
    assert {each["HostIp"] for binding in bindings for each in binding} == {"127.0.0.1"}


async def test_an_eula_that_was_not_accepted_is_refused(paper: Make) -> None:
    with pytest.raises(PrerequisiteError, match="ACCORD_EULA=true"):
        await paper(accept_eula=False).start()


async def test_an_image_that_is_not_here(paper: Make) -> None:
    with pytest.raises(PrerequisiteError, match="docker pull nowhere/nothing:1"):
        await paper(image="nowhere/nothing:1").start()


async def test_a_server_that_never_gets_ready_shows_its_log(paper: Make) -> None:
    with pytest.raises(ServerError, match="Preparing spawn area"):
        await paper("never-ready", start_timeout_s=3.0).start()


async def test_a_version_that_the_image_refuses_ends_at_once_with_the_log(paper: Make) -> None:
    with pytest.raises(ServerError, match=r"speaks 1\.20\.4 only"):
        await paper(version="1.21.4").start()


async def test_a_crash_after_ready_is_an_infrastructure_error(paper: Make, engine: docker.DockerClient) -> None:
    server = paper("crash-after-ready")
    await server.start()
    container = engine.containers.get(server.name)
    container.kill("SIGUSR2")
    await asyncio.to_thread(container.wait)
    with pytest.raises(ServerError):
        await server.command("list")
    assert server.state is ServerState.FAILED
    await server.stop()


async def test_health_that_turns_red_is_noticed(paper: Make, engine: docker.DockerClient) -> None:
    server = paper("unhealthy-after-ready")
    await server.start()
    engine.containers.get(server.name).kill("SIGUSR2")
    await asyncio.to_thread(wait_for_health, engine, server.name, "unhealthy")
    with pytest.raises(ServerError, match="unhealthy"):
        await server.check()
    await server.stop()


async def test_a_taken_port_is_named(paper: Make) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PrerequisiteError, match=f"port {port} is taken"):
            await paper(game_port=port).start()


async def test_a_server_that_does_not_end_is_killed(paper: Make) -> None:
    server = paper("slow-stop", stop_s=-14)  # Docker waits 15 s longer
    await server.start()
    await server.stop()


async def test_two_at_once(paper: Make) -> None:
    one, two = paper(), paper()
    await asyncio.gather(one.start(), two.start())
    assert one.address != two.address
    await asyncio.gather(one.stop(), two.stop())


@pytest.mark.parametrize("delay", [0.0, 0.3, 1.0])
async def test_cancelled_while_it_starts(paper: Make, delay: float) -> None:
    server = paper("never-ready")
    starting = asyncio.create_task(server.start())
    await asyncio.sleep(delay)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting


async def test_the_engine_goes_away_in_mid_run(
    paper: Make, engine: docker.DockerClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    door = tmp_path / "docker.sock"
    relay = Relay(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://"))
    listening = await asyncio.start_unix_server(relay.serve, door)
    monkeypatch.setenv("DOCKER_HOST", f"unix://{door}")
    server = paper()
    await server.start()
    relay.cut()
    await asyncio.to_thread(engine.containers.get(server.name).kill)
    with pytest.raises(ServerError):
        await server.command("list")
    with pytest.raises(ServerError, match="Docker engine failed"):
        await server.stop()
    assert set(ours(engine)) == {server.name, f"{server.name}-data"}, "nobody could remove them"
    monkeypatch.setattr("bridge.servers.paper.marks.is_alive", lambda pid, born: pid != os.getpid())
    assert set(sweep_stale(engine)) == {server.name, f"{server.name}-data"}
    listening.close()


def test_the_sweep_takes_only_what_is_stale(engine: docker.DockerClient) -> None:
    dead = subprocess.Popen(["true"])
    dead.wait()
    stale = {OWNER: str(dead.pid), BOOT: this_boot(), PLACE: this_place(), KEEP_WORLD: "false", STATE: ""}
    cases = {
        "accord-stale": {},
        "accord-other-boot": {BOOT: "another", OWNER: str(os.getpid())},
        "accord-cut-short": {STATE: "/state"},
        "accord-alive": {OWNER: str(os.getpid())},
        "accord-kept": {KEEP_WORLD: "true"},
        "accord-elsewhere": {PLACE: "another machine"},
        "accord-up": {STATE: "/state"},
        "accord-up-for-another": {STATE: "/another"},
    }
    for name, marks in cases.items():
        engine.volumes.create(name, labels={LABEL: name, **stale, **marks})
    try:
        removed = sweep_stale(engine, "/state", frozenset({"accord-up"}))
        left = {each.name for each in engine.volumes.list(filters={"label": LABEL})}
    finally:
        for volume in engine.volumes.list(filters={"label": LABEL}):
            volume.remove()
    assert sorted(removed) == ["accord-cut-short", "accord-other-boot", "accord-stale"]
    assert left == set(cases) - set(removed)


def wait_for_health(engine: docker.DockerClient, name: str, health: str) -> None:
    while engine.containers.get(name).health != health:
        time.sleep(0.2)


class Relay:
    """Proxy between SDK and engine; once cut, it refuses all connections."""

    def __init__(self, real: str) -> None:
        self._real = real
        self._cut = False
        self._ends: list[asyncio.StreamWriter] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._cut:
            writer.close()
            return
        back, forth = await asyncio.open_unix_connection(self._real)
        self._ends += [writer, forth]
        await asyncio.gather(_pump(reader, forth), _pump(back, writer))

    def cut(self) -> None:
        self._cut = True
        for end in self._ends:
            end.close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while data := await source.read(65536):
            sink.write(data)
            await sink.drain()
    except ConnectionError:
        pass
    finally:
        sink.close()
