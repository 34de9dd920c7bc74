"""Control of servers that stay up: start, stop, log, spectators."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Literal

from bridge.errors import CommandError, ServerError
from bridge.servers import detached, registry
from bridge.servers.attached import AttachedServer, answers
from bridge.servers.paper.container import Container
from bridge.servers.paper.engine import ENGINE_ERRORS, Progress, brief, engine_address, open_engine
from bridge.servers.paper.rules import allow
from bridge.servers.paper.server import PaperServer
from bridge.servers.paper.settings import PaperSettings
from bridge.servers.paper.sweep import sweep_stale
from bridge.servers.registry import Running
from bridge.worlds import FLAT, check_terrain
from common.errors import PrerequisiteError

Health = Literal["up", "silent", "gone"]
"""`silent` means that the process runs but takes no commands."""
LOOK_S = 0.25
_NAME = re.compile(r"[A-Za-z0-9_]{3,16}")
_ONLINE = re.compile(r"There are \d+ of a max of \d+ players online:(.*)", re.DOTALL)
NO_PLAYER = "No player was found"


async def up_embedded(*, seed: int = 0, port: int | None = None, terrain: str = FLAT) -> Running:
    """Start an embedded server that stays up. Raises PrerequisiteError if one is up, or for an unknown terrain."""
    check_terrain("embedded", terrain)
    with registry.changing("embedded"):
        _refuse_second("embedded")
        running = await detached.start_embedded(seed=seed, port=port, terrain=terrain)
        try:
            registry.remember(running)
        except BaseException:
            await detached.stop_embedded(running)
            raise
    return running


async def up_paper(settings: PaperSettings, *, keep_world: bool = False, pull: Progress | None = None) -> Running:
    """Start a Paper server that stays up; with `keep_world` its world is kept and reused."""
    with registry.changing("paper"):
        _refuse_second("paper")
        name = f"accord-kept-{settings.version}" if keep_world else f"accord-{secrets.token_hex(4)}"
        server = PaperServer(
            settings, registry.make_folder(), name=name, pull=pull, state=str(registry.state_folder()),
            keep_world=keep_world,
        )  # fmt: skip
        await server.start()
        try:
            address = server.address
            rcon_port, password = server.access
            running = Running(
                world="paper", name=name, host=address.host, port=address.port, version=address.version,
                rcon_port=rcon_port, password=password, seed=settings.seed, engine=engine_address(),
                keep_world=keep_world, stop_s=settings.stop_s,
            )  # fmt: skip
            registry.remember(running)
        except BaseException:
            await server.stop()
            raise
        await server.detach()
    return running


async def down(world: str) -> Running | None:
    """Stop the running server of a kind and return its record, or None if there is none.

    Raises PrerequisiteError if it cannot be stopped from here.
    """
    with registry.changing(world):
        running = registry.find(world)
        if running is None:
            return None
        if registry.in_use(world):
            raise PrerequisiteError(f"the {world} server is in use by a run: end that run first (Ctrl-C)")
        if world == "embedded":
            await detached.stop_embedded(running)
        else:
            await asyncio.to_thread(_remove_container, running)
        registry.forget(world)
    return running


def the_one(world: str | None) -> Running:
    """Return the running server of a kind, or the only one. Raises PrerequisiteError."""
    found = registry.everything() if world is None else [each for each in (registry.find(world),) if each is not None]
    if not found:
        kind = "" if world is None else f" --world {world}"
        raise PrerequisiteError(f"no {world or ''} server is up: run `accord server up{kind}`".replace("  ", " "))
    if len(found) > 1:
        kinds = " or ".join(f"--world {each.world}" for each in found)
        raise PrerequisiteError(f"{len(found)} servers are up: say which one with {kinds}")
    return found[0]


async def health(running: Running) -> tuple[Health, str]:
    """Return the health of a server and one line on why it is not up."""
    said = await answers(running)
    if said is None:
        return "up", ""
    try:
        there = detached.alive(running) if running.world == "embedded" else await asyncio.to_thread(_runs, running)
    except PrerequisiteError as error:
        return "silent", str(error)
    return ("silent", said) if there else ("gone", "it has ended")


async def command(running: Running, text: str) -> str:
    """Run one vanilla command as the console; raises CommandError when the server refuses it."""
    server = AttachedServer(running, exclusive=False)
    await server.start()
    try:
        return await server.command(text)
    finally:
        await server.stop()


async def spectate(
    running: Running, name: str, follow: str | None, *, wait_s: float, waiting: Callable[[], None]
) -> None:
    """Admit a person, wait until they have joined, and let them watch.

    Args:
        running: The server.
        name: The person's player name.
        follow: Bot to follow; None for a free camera.
        wait_s: Seconds to wait for the person.
        waiting: Called if the person has not joined yet.

    Raises PrerequisiteError for an illegal name or if the person did not join, CommandError for an unknown bot.
    """
    for each in (name, follow):
        if each is not None and _NAME.fullmatch(each) is None:
            raise PrerequisiteError(f"{each!r} is no player's name: letters, digits and _, 3 to 16 of them")
    server = AttachedServer(running, exclusive=False)
    await server.start()
    try:
        if running.world == "paper":
            await allow(server, [name])
        await _until_joined(server, name, wait_s, waiting)
        await server.command(f"gamemode spectator {name}")
        if follow is not None:
            await _follow(server, name, follow)
    finally:
        await server.stop()


async def _follow(server: AttachedServer, name: str, bot: str) -> None:
    try:
        await server.command(f"spectate {bot} {name}")
    except CommandError as error:
        if "No entity was found" in error.reply or NO_PLAYER in error.reply:
            there = ", ".join(await online(server)) or "nobody"
            raise PrerequisiteError(f"{bot} is not in the world (there: {there}): follow one of them") from error
        raise


async def _until_joined(server: AttachedServer, name: str, wait_s: float, waiting: Callable[[], None]) -> None:
    deadline = time.monotonic() + wait_s
    told = False
    while name not in await online(server):
        if time.monotonic() >= deadline:
            raise PrerequisiteError(f"{name} did not join {server.address} within {wait_s:g} s: join and run it again")
        if not told:
            told = True
            waiting()
        await asyncio.sleep(LOOK_S)


async def online(server: AttachedServer) -> list[str]:
    """Return the names of the players in the world. Raises ServerError for an unreadable reply."""
    reply = await server.command("list")
    found = _ONLINE.fullmatch(reply.strip())
    if found is None:
        raise ServerError(f"the server answered {reply[:80]!r} to `list`")
    return [name.strip() for name in found[1].split(",") if name.strip()]


def log_lines(running: Running, *, follow: bool) -> Iterator[str]:
    """Yield the lines of a server's log, oldest first; with `follow` until the server ends."""
    return _file_lines(running, follow=follow) if running.world == "embedded" else _container_lines(running, follow)


def _file_lines(running: Running, *, follow: bool) -> Iterator[str]:
    with registry.log_file(running.world).open(encoding="utf-8", errors="replace") as file:
        rest = ""
        while True:
            # Asked before reading: what was written before the end is read after it.
            alive = follow and detached.alive(running)
            *lines, rest = (rest + file.read()).split("\n")
            yield from (_readable(line) for line in lines)
            if not alive:
                break
            time.sleep(LOOK_S)
        if rest:
            yield _readable(rest)


def _readable(line: str) -> str:
    """Return the embedded server's records as lines for people; anything else as it is."""
    try:
        record = json.loads(line)
        if record.get("ready"):
            return f"ready on port {record['port']}"
        return f"{record['level']}: {record['text']}"
    except (ValueError, KeyError, AttributeError):
        return line


def _container_lines(running: Running, follow: bool) -> Iterator[str]:
    with closing(open_engine(running.engine)) as client:
        container = _container(client, running)
        if not container.exists:
            raise ServerError(f"the container {running.name} is gone: run `accord server down`")
        try:
            yield from container.follow_log(follow=follow)
        except ENGINE_ERRORS as error:
            raise ServerError(f"the Docker engine failed: {brief(error)}") from error


def _remove_container(running: Running) -> None:
    with closing(open_engine(running.engine)) as client:
        try:
            container = _container(client, running)
            container.stop()
            container.remove()
            sweep_stale(client, str(registry.state_folder()))
        except ENGINE_ERRORS as error:
            raise ServerError(f"the Docker engine failed: {brief(error)}; run `accord server down` again") from error


def _runs(running: Running) -> bool:
    with closing(open_engine(running.engine)) as client:
        container = _container(client, running)
        return container.exists and container.alive()


def _container(client: object, running: Running) -> Container:
    settings = PaperSettings(version=running.version, accept_eula=True, stop_s=running.stop_s)
    return Container.adopt(client, running.name, settings, keep_world=running.keep_world)


def _refuse_second(world: str) -> None:
    running = registry.find(world)
    if running is not None:
        raise PrerequisiteError(
            f"a server of the {world} world is up already at {running.address}: use it, or run "
            f"`accord server down --world {world}`"
        )
