"""`accord build`: build a scenario's world on a server that stays up, or show it as a function file or picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console

from accord.cli.error_handling import DONE, write_out
from accord.cli.option_values import check_world
from accord.cli.options import ScenarioName
from dilemmas.errors import UsageError
from dilemmas.minecraft.visiting import GameMode


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
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save a picture of the scenario and its players as a PNG file, and start nothing."
        ),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="With --picture: the player whose eyes see it, or above.", show_default="above"
        ),
    ] = None,
    pull: Annotated[bool, typer.Option("--pull", help="Fetch the image if it is not here (paper).")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Set up a scenario's world on a server that stays up, to walk around in; nobody plays."""
    import asyncio

    from accord.cli.scenario_building import (
        ABOVE,
        ServerRequest,
        build_on_server,
        building_commands,
        say_line,
        take_picture,
        write_function,
    )
    from bridge.servers.registry import KINDS
    from dilemmas.scenarios.registry import load_scenario

    found = load_scenario(scenario)
    if not found.build():
        raise UsageError(
            f"{scenario} is played on arrays, so that there is nothing to build; "
            f"'accord run {scenario} --embodied mirror' shows it in a world"
        )
    if picture is not None:
        asyncio.run(take_picture(found, seed or 0, camera or ABOVE, picture))
        return DONE
    if camera is not None:
        raise UsageError(f"--camera {camera}: only pictures have a camera; add --picture FILE")
    wanted = building_commands(found, gamemode)
    if commands is not None:
        write_function(found, wanted, commands)
        return DONE
    check_world(world)
    if world not in KINDS:
        kinds = " or ".join(KINDS)
        raise UsageError(f"--world {world}: nobody can walk around there; give {kinds}, or --commands FILE")
    kind: Literal["embedded", "paper"] = "paper" if world == "paper" else "embedded"
    with Console(stderr=True, quiet=as_json).status(f"building {found.spec.scenario}"):
        running, new = asyncio.run(build_on_server(kind, wanted, ServerRequest(seed, port, pull)))
    told = {
        "scenario": found.spec.scenario, "file": str(found.path), "world": running.world, "host": running.host,
        "port": running.port, "version": running.version, "started": new, "commands": len(wanted),
    }  # fmt: skip
    if as_json:
        write_out(json.dumps(told))
    else:
        say_line(
            f"{scenario} stands: join {running.address} with Minecraft {running.version}; "
            f"guests are in {gamemode} mode (--gamemode)"
        )
        if kind == "paper":
            say_line("'accord server spectate NAME' lets you in")
        say_line(f"'accord server down --world {world}' ends {'it' if new else 'the server'}")
    return DONE
