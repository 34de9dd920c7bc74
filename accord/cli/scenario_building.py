"""Scenarios built on servers that stay up, written as vanilla function files, or shown as pictures."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli.error_handling import write_out
from bridge.errors import CommandError
from bridge.pictures import PictureRequest, TakesPictures
from bridge.servers import control, registry
from bridge.servers.attached import AttachedServer
from bridge.servers.paper.settings import DEFAULT_VERSION, PaperSettings
from bridge.servers.registry import Running
from bridge.types import Place
from bridge.worlds import open_world
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.minecraft.commands import Command, give
from dilemmas.minecraft.functions import function_text
from dilemmas.minecraft.visiting import GameMode, built_area, visit
from dilemmas.records.record import write_atomically
from dilemmas.scenarios.base import Scenario

END = ".mcfunction"
ELSE = "'accord server down --world {world}' ends it, then this {option} can be had"


class ServerRequest(NamedTuple):
    """Settings of the server to start if none is running."""

    seed: int | None
    port: int | None
    pull: bool
    """True to fetch a missing Docker image."""


def building_commands(scenario: Scenario, gamemode: GameMode) -> list[Command]:
    """Return the commands that build a scenario's world without players and put visitors at a player's start."""
    x0, y0, z0 = scenario.spec.world.origin
    x, y, z = next(iter(scenario.spec.players.values())).spawn
    return visit(scenario.build(), (x0 + x, y0 + y, z0 + z), gamemode)


def write_function(scenario: Scenario, wanted: list[Command], file: Path) -> None:
    """Write the commands as a function file, or to standard output if the file is `-`.

    Raises:
        UsageError: The file has a name that Minecraft does not read, or cannot be written.
    """
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
    say_line(f"{len(wanted)} commands: {file}")


ABOVE = "above"
"""Camera above the scenario."""
PICTURE_SIZE = (1280, 720)
"""Width and height of pictures, in pixels."""
_WHOLE = 120
"""Side of the largest area that a picture shows as a whole, in blocks; of larger ones it shows the players."""
_NEAREST, _FARTHEST = 16.0, 100.0
"""Distance of the camera above, in blocks."""
_SETTLING_S = 1.0
"""Game time for water, sand and animals to come to rest."""


async def take_picture(scenario: Scenario, seed: int, camera: str, file: Path) -> None:
    """Build the scenario with its players in a world in memory, and save a picture of it as PNG.

    Args:
        scenario: The scenario.
        seed: Seed of the world, and of what the scenario places by chance.
        camera: `above`, or the player through whose eyes the picture is taken.
        file: File to write.

    Raises:
        UsageError: The camera or the file is not legal.
    """
    players = list(scenario.spec.players)
    if camera != ABOVE and camera not in players:
        raise UsageError(f"--camera {camera}: choose {ABOVE} or a player of the scenario: {', '.join(players)}")
    if file.suffix.lower() != ".png":
        raise UsageError(f"--picture {file}: pictures are PNG files; give a name that ends with .png")
    observer = scenario.spec.observer.name
    width, height = PICTURE_SIZE
    with tempfile.TemporaryDirectory(prefix="accord-picture-") as folder:
        async with open_world("mock", seed=seed, log_dir=Path(folder), terrain=scenario.spec.required_terrain) as world:
            building = scenario.build()
            await give(world, building)
            await world.connect([*players, observer])
            await give(world, scenario.place(seed))
            await scenario.settle_players(world, seed)
            await world.sleep(_SETTLING_S)
            request = PictureRequest(camera, width, height)
            if camera == ABOVE:
                there = [each.position for each in (await world.sense(players)).values()]
                (x, y, z), distance = _view_from_above(built_area(building), there)
                await give(world, [Command(f"tp {observer} {x} {y} {z}")])
                request = PictureRequest(observer, width, height, "above", distance)
            picture = await cast(TakesPictures, world).picture(request)
    try:
        write_atomically(file, picture)
    except OSError as error:
        raise UsageError(f"--picture {file}: cannot be written ({error.strerror}); give another file") from None
    say_line(
        f"{width} x {height} pixels, {'from above' if camera == ABOVE else f'through the eyes of {camera}'}: {file}"
    )


def _view_from_above(area: tuple[int, int, int, int] | None, players: Sequence[Place]) -> tuple[Place, float]:
    """Return the middle of the built area, or of the players if it is too large, and a distance that shows it."""
    if area is None or max(area[2] - area[0], area[3] - area[1]) > _WHOLE:
        xs, zs = [x for x, _, _ in players], [z for _, _, z in players]
        x0, z0, x1, z1 = min(xs), min(zs), max(xs), max(zs)
    else:
        x0, z0, x1, z1 = area
    distance = 0.8 * max(x1 - x0, 1.8 * (z1 - z0)) + 6
    middle = ((x0 + x1) / 2, min(y for _, y, _ in players), (z0 + z1) / 2)
    return middle, min(_FARTHEST, max(_NEAREST, distance))


async def build_on_server(
    world: Literal["embedded", "paper"], wanted: list[Command], server: ServerRequest
) -> tuple[Running, bool]:
    """Run the commands on a server. Return the server, and True if it was started for them."""
    running, new = await _find_or_start_server(world, server)
    try:
        await _run_commands(running, wanted)
    except BaseException:
        if new:  # The user does not know of this server and would never stop it.
            await control.down(world)
        raise
    return running, new


async def _find_or_start_server(world: Literal["embedded", "paper"], wanted: ServerRequest) -> tuple[Running, bool]:
    """Return a running server of this world and False, or a new one and True."""
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
    return await control.up_paper(settings, pull=_show_fetching if wanted.pull else None), True


async def _run_commands(running: Running, wanted: list[Command]) -> None:
    """Run all commands while no run uses the server. Raises CommandError for a refusal that is not tolerated."""
    server: Any = AttachedServer(running)
    await server.start()
    try:
        replies = await server.commands([each.text for each in wanted])
    finally:
        await server.stop()
    for command, reply in zip(wanted, replies, strict=True):
        if isinstance(reply, CommandError) and not reply.reply.startswith(tuple(command.tolerate)):
            raise reply


def say_line(line: str) -> None:
    """Print one line to standard output."""
    Console().print(Text(one_line(line)), soft_wrap=True)


def _show_fetching(text: str) -> None:
    """Print a line of progress while an image is fetched."""
    Console(stderr=True).print(Text(one_line(text)), soft_wrap=True)
