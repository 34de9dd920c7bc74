"""Checks of the prerequisites of `--world paper`, and of running servers, for `accord doctor`.

The default embedded server needs none of this, so nothing fails here unless Paper was requested.
"""

from __future__ import annotations

import asyncio
from contextlib import closing

from docker import DockerClient

from accord.doctor.machine import DoctorCheck, Level
from bridge.errors import ServerError
from bridge.servers import registry
from bridge.servers.attached import answers
from bridge.servers.paper.engine import ENGINE_ERRORS, brief, check_memory, find_image, open_engine
from bridge.servers.paper.settings import EULA_REFUSED, EULA_VARIABLE, PROTOCOLS, PaperSettings, eula_accepted
from bridge.servers.ping import ping
from bridge.servers.registry import Running
from common.errors import PrerequisiteError


async def paper_checks(*, asked: bool) -> list[DoctorCheck]:
    """Check engine, image, memory and EULA without starting anything; they fail only if Paper is `asked` for."""
    missing: Level = "fail" if asked else "info"
    return [*await asyncio.to_thread(_engine, missing), _eula(missing)]


async def server_checks() -> list[DoctorCheck]:
    """Check for each running server that it accepts commands and is what it was started as."""
    try:
        found = registry.everything()
    except PrerequisiteError as error:
        return [DoctorCheck("servers that are up", "warn", *_split(error))]
    return list(await asyncio.gather(*(_server(each) for each in found)))


def _engine(missing: Level) -> list[DoctorCheck]:
    try:
        client = open_engine()
    except PrerequisiteError as error:
        return [DoctorCheck("Docker engine", missing, *_split(error))]
    with closing(client):
        try:
            said = client.version()
            found = DoctorCheck("Docker engine", "ok", f"{said['Version']}, API {said['ApiVersion']}")
            return [found, _image(client, missing), _memory(client, missing)]
        except ENGINE_ERRORS as error:
            return [
                DoctorCheck("Docker engine", missing, brief(error), "restart Docker: sudo systemctl restart docker")
            ]


def _image(client: DockerClient, missing: Level) -> DoctorCheck:
    wanted = PaperSettings().image
    try:
        find_image(client, wanted)
    except (PrerequisiteError, ServerError) as error:
        return DoctorCheck("Paper image", missing, *_split(error))
    return DoctorCheck("Paper image", "ok", wanted)


def _memory(client: DockerClient, missing: Level) -> DoctorCheck:
    needed = PaperSettings().limit_mb
    try:
        check_memory(client, needed)
    except PrerequisiteError as error:
        return DoctorCheck("Docker memory", missing, *_split(error))
    return DoctorCheck("Docker memory", "ok", f"enough for the {needed} MB that a Paper server may use")


def _eula(missing: Level) -> DoctorCheck:
    if eula_accepted():
        return DoctorCheck("Minecraft EULA", "ok", f"{EULA_VARIABLE} says that it is accepted")
    return DoctorCheck("Minecraft EULA", missing, *_split(PrerequisiteError(EULA_REFUSED)))


async def _server(running: Running) -> DoctorCheck:
    name = f"{running.world} server"
    again = f"accord server down --world {running.world} && accord server up --world {running.world}"
    refused = await answers(running)
    if refused is not None:
        return DoctorCheck(name, "warn", refused, again)
    try:
        said = await ping(running.address)
    except ServerError as error:
        return DoctorCheck(name, "warn", str(error), again)
    if said.protocol != PROTOCOLS.get(running.version):
        found = f"at {running.address} is {said.version}, not Minecraft {running.version}"
        return DoctorCheck(name, "warn", found, again)
    return DoctorCheck(name, "ok", f"{said.version} at {running.address}, {said.players} players")


def _split(error: Exception) -> tuple[str, str]:
    """Split the bridge's message into finding and remedy, which follows its last colon."""
    found, _, remedy = str(error).rpartition(": ")
    return (found, remedy) if found else (str(error), "")
