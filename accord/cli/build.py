"""`accord build`: a scenario's world on a server that stays up, to walk around in; or as a function file."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli.error_handling import DONE, write_out
from accord.cli.options import ScenarioName, check_world
from bridge.errors import CommandError
from bridge.servers import control, registry
from bridge.servers.attached import AttachedServer
from bridge.servers.paper.settings import DEFAULT_VERSION, PaperSettings
from bridge.servers.registry import Running
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.functions import function_text
from dilemmas.minecraft.visiting import GameMode, visit
from dilemmas.records.record import write_atomically
from dilemmas.scenarios.protocol import Scenario
from dilemmas.scenarios.registry import load_scenario

END = ".mcfunction"
ELSE = "'accord server down --world {world}' ends it, then this {option} can be had"


class ServerRequest(NamedTuple):
    """Server to start where none is up."""

    seed: int | None
    port: int | None
    pull: bool
    """True if a missing image may be fetched."""


def build(
    scenario: ScenarioName,
    world: Annotated[str, typer.Option(help="The kind of server: embedded or paper.")] = "embedded",
    seed: Annotated[
        int | None,
        typer.Option(help="The seed of the world's random choices, for a server that is started.", show_default="0"),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(metavar="PORT", help="The game port of a server that is started.", show_default="a free one"),
    ] = None,
    gamemode: Annotated[
        GameMode,
        typer.Option(
            metavar="MODE",
            help="Game mode of guests: adventure (walk and look, change nothing), spectator, survival or creative.",
        ),
    ] = "adventure",
    commands: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the commands as a vanilla function file, and start nothing; - prints."
        ),
    ] = None,
    pull: Annotated[bool, typer.Option("--pull", help="Fetch the image if it is not here (paper).")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Set up a scenario's world on a server that stays up, to walk around in; nobody plays."""
    found = load_scenario(scenario)
    if not found.build():
        raise UsageError(
            f"{scenario} is played on arrays, so that there is nothing to build; "
            f"'accord run {scenario} --embodied mirror' shows it in a world"
        )
    wanted = _commands(found, gamemode)
    if commands is not None:
        _write(found, wanted, commands)
        return DONE
    check_world(world)
    if world not in registry.KINDS:
        kinds = " or ".join(registry.KINDS)
        raise UsageError(f"--world {world}: nobody can walk around there; give {kinds}, or --commands FILE")
    kind: Literal["embedded", "paper"] = "paper" if world == "paper" else "embedded"
    with Console(stderr=True, quiet=as_json).status(f"building {found.spec.scenario}"):
        running, new = asyncio.run(_build(kind, wanted, ServerRequest(seed, port, pull)))
    told = {
        "scenario": found.spec.scenario, "file": str(found.path), "world": running.world, "host": running.host,
        "port": running.port, "version": running.version, "started": new, "commands": len(wanted),
    }  # fmt: skip
    if as_json:
        write_out(json.dumps(told))
    else:
        _say(
            f"{scenario} stands: join {running.address} with Minecraft {running.version}; "
            f"guests are in {gamemode} mode (--gamemode)"
        )
        if kind == "paper":
            _say("'accord server spectate NAME' lets you in")
        _say(f"'accord server down --world {world}' ends {'it' if new else 'the server'}")
    return DONE


def _commands(scenario: Scenario, gamemode: GameMode) -> list[Command]:
    """Those that build it, for a world that nobody is in."""
    x0, y0, z0 = scenario.spec.world.origin
    x, y, z = next(iter(scenario.spec.players.values())).spawn
    return visit(scenario.build(), (x0 + x, y0 + y, z0 + z), gamemode)


def _write(scenario: Scenario, wanted: list[Command], file: Path) -> None:
    """The function file, or on standard output for `-`."""
    spec = scenario.spec
    notes = (
        f"{len(wanted)} commands, written by `accord build`. Origin: {' '.join(map(str, spec.world.origin))}.",
        "Put this file into a data pack (data/accord/functions, from Minecraft 1.21 data/accord/function),",
        f"then: /reload and /function accord:{file.stem if file.suffix == END else spec.scenario}",
    )
    text = function_text(f"The world of {spec.scenario}, version {spec.version}.", wanted, notes)
    if str(file) == "-":
        write_out(text.rstrip("\n"))
        return
    if file.suffix != END:
        raise UsageError(f"--commands {file}: Minecraft reads functions from files that end with {END}; name it so")
    if file.stem != file.stem.lower() or not all(each.isalnum() or each in "_-." for each in file.stem):
        raise UsageError(f"--commands {file}: a function's name has small letters, digits and _ - . only")
    try:
        write_atomically(file, text)
    except OSError as error:
        raise UsageError(f"--commands {file}: cannot be written ({error.strerror}); give another file") from None
    _say(f"{len(wanted)} commands: {file}")


async def _build(
    world: Literal["embedded", "paper"], wanted: list[Command], server: ServerRequest
) -> tuple[Running, bool]:
    """Where it stands now, and whether the server was started for it."""
    running, new = await _server(world, server)
    try:
        await _give(running, wanted)
    except BaseException:
        if new:  # a server that nobody was told of would stay up for ever
            await control.down(world)
        raise
    return running, new


async def _server(world: Literal["embedded", "paper"], wanted: ServerRequest) -> tuple[Running, bool]:
    """The server of that kind that is up; a new one where there is none."""
    running = registry.find(world)
    if running is not None and (await control.health(running))[0] == "gone":
        await control.down(world)
        running = None
    if running is not None:
        for option, asked, has in (("seed", wanted.seed, running.seed), ("port", wanted.port, running.port)):
            if asked not in (None, has):
                remedy = ELSE.format(world=world, option=option)
                raise PrerequisiteError(
                    f"--{option} {asked}: the {world} server that is up has {option} {has}; {remedy}"
                )
        return running, False
    seed = wanted.seed or 0
    if world == "embedded":
        return await control.up_embedded(seed=seed, port=wanted.port), True
    settings = PaperSettings(version=DEFAULT_VERSION, seed=seed, game_port=wanted.port)
    return await control.up_paper(settings, pull=_heard if wanted.pull else None), True


async def _give(running: Running, wanted: list[Command]) -> None:
    """All commands, while nobody else uses the server. Raises CommandError for a refusal not to be expected."""
    server: Any = AttachedServer(running)
    await server.start()
    try:
        replies = await server.commands([each.text for each in wanted])
    finally:
        await server.stop()
    for command, reply in zip(wanted, replies, strict=True):
        if isinstance(reply, CommandError) and not reply.reply.startswith(tuple(command.tolerate)):
            raise reply


def _say(line: str) -> None:
    Console().print(Text(one_line(line)), soft_wrap=True)


def _heard(text: str) -> None:
    """What the fetching of an image tells."""
    Console(stderr=True).print(Text(one_line(text)), soft_wrap=True)
