"""`accord server`: manage servers on this machine that stay up between runs."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

import typer
from rich.console import Console
from rich.text import Text

from accord.analysis.report.text import one_line
from accord.cli import options
from accord.cli.error_handling import DONE, FAILED, write_out
from accord.cli.single_option import SingleOptionCommand
from bridge.servers.paper.settings import BUILDS, DEFAULT_VERSION, PaperSettings
from bridge.worlds import FLAT, check_terrain
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from bridge.servers.registry import Running

server = typer.Typer(help="Keep servers up between runs: start, stop, inspect and watch them.", no_args_is_help=True)

Kind = Literal["embedded", "paper"]
Which = Annotated[
    Kind | None, typer.Option("--world", help="The kind of server, when several are up.", show_default="the one")
]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")]

T = TypeVar("T")


@server.command("up", cls=SingleOptionCommand)
def up(
    world: Annotated[Kind, typer.Option(help="The kind of server.")] = "embedded",
    version: Annotated[str, typer.Option(help=f"Minecraft version: {' or '.join(BUILDS)} (paper).")] = DEFAULT_VERSION,
    port: Annotated[int | None, typer.Option(help="Game port on 127.0.0.1.", show_default="a free one")] = None,
    seed: Annotated[int, typer.Option(help="The seed of the world's random choices and land.")] = 0,
    terrain: options.Terrain = FLAT,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the world beyond 'down' (paper).")] = False,
    memory: Annotated[int, typer.Option(metavar="MB", help="Java's heap (paper).")] = 2048,
    pull: Annotated[bool, typer.Option("--pull", help="Fetch the image if it is not here (paper).")] = False,
    as_json: AsJson = False,
) -> int:
    """Start a server that stays up until 'accord server down'. Runs on that world use it when it is free."""
    from bridge.servers import control

    if port is not None and not 1 <= port <= 65535:
        raise UsageError(f"port {port} is not legal; give one from 1 to 65535")
    with Console(stderr=True, quiet=as_json).status(f"starting the {world} server") as status:
        check_terrain(world, terrain)
        if world == "paper":
            settings = PaperSettings(version=version, seed=seed, memory_mb=memory, game_port=port)
            heard = (lambda text: status.update(one_line(text))) if pull else None
            running = _run(control.up_paper(settings, keep_world=keep, pull=heard))
        else:
            _embedded_only(version, keep)
            running = _run(control.up_embedded(seed=seed, port=port, terrain=terrain))
    if as_json:
        write_out(json.dumps(_server_to_dict(running)))
    else:
        _say(f"the {world} server is up: join {running.address} with Minecraft {running.version}")
    return DONE


@server.command("down", cls=SingleOptionCommand)
def down(world: Which = None, as_json: AsJson = False) -> int:
    """Stop a server and remove its world. Without --world, stop every server that is up."""
    from bridge.servers import control, registry

    kinds = registry.KINDS if world is None else (world,)
    with Console(stderr=True, quiet=as_json).status("ending"):
        ended = [each for kind in kinds if (each := _run(control.down(kind))) is not None]
    if as_json:
        write_out(json.dumps([_server_to_dict(each) for each in ended]))
        return DONE
    for each in ended:
        kept = f"; its world is kept in the volume {each.name}-data, which 'up --keep' uses again"
        _say(f"the {each.world} server is down{kept if each.keep_world else ''}")
    if not ended:
        _say("no server was up")
    return DONE


@server.command("status", cls=SingleOptionCommand)
def status(as_json: AsJson = False) -> int:
    """Show which servers are up, where, and whether they answer. The exit code is 1 when one does not."""
    from bridge.servers import control, registry

    found = [(each, *_run(control.health(each))) for each in registry.everything()]
    if as_json:
        rows = [
            {**_server_to_dict(each), "state": state, "reason": why, "in_use": registry.in_use(each.world)}
            for each, state, why in found
        ]
        write_out(json.dumps(rows, indent=2))
    for each, state, why in () if as_json else found:
        used = ", in use by a run" if registry.in_use(each.world) else ""
        remedy = f": {why}; 'accord server down --world {each.world}' ends what is left" if why else ""
        _say(f"{each.world} {each.version} at {each.address}: {state}{used}{remedy}")
    if not found and not as_json:
        _say("no server is up: 'accord server up' starts one")
    return DONE if all(state == "up" for _, state, _ in found) else FAILED


@server.command("logs", cls=SingleOptionCommand)
def logs(
    world: Which = None,
    follow: Annotated[
        bool, typer.Option("--follow", "-f", help="Show new lines until Ctrl-C or the server's end.")
    ] = False,
) -> int:
    """Show what the server has written."""
    from bridge.servers import control

    with suppress(KeyboardInterrupt):
        for line in control.log_lines(control.the_one(world), follow=follow):
            write_out(one_line(line, 10_000))
    return DONE


@server.command("command", cls=SingleOptionCommand)
def command(
    text: Annotated[str, typer.Argument(metavar="COMMAND", help="A vanilla command, in quotes.")],
    world: Which = None,
    as_json: AsJson = False,
) -> int:
    """Run a vanilla command on the server's console and show the reply."""
    from bridge.errors import CommandError
    from bridge.servers import control

    running = control.the_one(world)
    if not as_json:
        write_out(_lines(_run(control.command(running, text.removeprefix("/")))))
        return DONE
    refused = False
    try:
        reply = _run(control.command(running, text.removeprefix("/")))
    except CommandError as error:
        reply, refused = error.reply, True
    write_out(json.dumps({"command": text, "reply": reply, "refused": refused}, ensure_ascii=False))
    return FAILED if refused else DONE


@server.command("spectate", cls=SingleOptionCommand)
def spectate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Your name in Minecraft.")],
    follow: Annotated[str | None, typer.Option(metavar="BOT", help="See with the eyes of this bot.")] = None,
    wait: Annotated[float, typer.Option(metavar="SECONDS", help="How long to wait for you to join.")] = 120.0,
    world: Which = None,
) -> int:
    """Let a person join, and make them a spectator."""
    from bridge.servers import control

    running = control.the_one(world)

    def waiting() -> None:
        Console(stderr=True).print(
            Text(f"waiting for {name}: join {running.address} with Minecraft {running.version}"), soft_wrap=True
        )

    _run(control.spectate(running, name, follow, wait_s=wait, waiting=waiting))
    _say(f"{name} watches" + (f" with the eyes of {follow}; sneak to leave them" if follow else ""))
    return DONE


def _embedded_only(version: str, keep: bool) -> None:
    if version != DEFAULT_VERSION:
        raise UsageError(f"the embedded server speaks {DEFAULT_VERSION} only, not {version}; use --world paper")
    if keep:
        raise UsageError("the embedded server's world is in memory only; --keep is for --world paper")


def _server_to_dict(running: Running) -> dict[str, Any]:
    """Return a server's public data as a dictionary, without the password."""
    return {
        "world": running.world,
        "name": running.name,
        "host": running.host,
        "port": running.port,
        "version": running.version,
        "rcon_port": running.rcon_port,
        "seed": running.seed,
        "terrain": running.terrain,
        "pid": running.pid or None,
        "keep_world": running.keep_world,
    }


def _lines(reply: str) -> str:
    return "\n".join(one_line(line, 10_000) for line in reply.splitlines())


def _say(line: str) -> None:
    Console().print(Text(one_line(line)), soft_wrap=True)


def _run(work: Coroutine[Any, Any, T]) -> T:
    """Run the coroutine and return its result; SIGTERM cancels it as cleanly as Ctrl-C."""

    async def guarded() -> T:
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
        return await work

    return asyncio.run(guarded())
