"""`accord skills try`: one policy file, run in a fresh world; what it did and how it ended."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from bridge.mock.trial import Trial, try_policy
from bridge.types import Event, Limits, Outcome
from dilemmas.cli.boundary import DONE, FAILED, write_out
from dilemmas.errors import UsageError
from dilemmas.report.text import one_line

skills = typer.Typer(help="Try out policies and skills.", no_args_is_help=True)

MAX_SOURCE_BYTES = 400_000


@skills.callback()
def _skills() -> None:
    """Try out policies and skills."""


@skills.command("try")
def try_file(
    file: Annotated[Path, typer.Argument(help="JavaScript: one `async function name (bot) { ... }`.")],
    world: Annotated[str, typer.Option(help="The world it is tried in.")] = "mock",
    commands: Annotated[
        list[str] | None, typer.Option("--command", help="A vanilla command that furnishes the world; may be repeated.")
    ] = None,
    player: Annotated[str, typer.Option(help="The player's name.")] = "Gizmo",
    seed: Annotated[int, typer.Option(help="Drives loot and other random choices.")] = 0,
    time_limit: Annotated[float, typer.Option(help="Seconds of game time that it may take.")] = 300.0,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Run one policy file in a fresh world and print what happened."""
    if not 0 < time_limit < float("inf"):
        raise UsageError(f"--time-limit {time_limit:g}: give a number of seconds above 0")
    source = _read(file)
    with tempfile.TemporaryDirectory(prefix="accord-skills-") as logs:
        trial = try_policy(
            source,
            log_dir=Path(logs),
            world=world,
            seed=seed,
            player=player,
            commands=commands or [],
            limits=Limits(wall_s=time_limit),
        )
    if as_json:
        write_out(json.dumps(_as_data(trial), indent=2, ensure_ascii=False))
    else:
        _show(Console(), trial, file, commands or [])
    return DONE if trial.result.outcome is Outcome.RETURNED else FAILED


def _read(file: Path) -> str:
    try:
        if file.stat().st_size > MAX_SOURCE_BYTES:
            raise UsageError(f"{file} has more than {MAX_SOURCE_BYTES} bytes: that is no policy")
        return file.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{file} is not text in UTF-8 (byte {error.start})") from error
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}): give a JavaScript file") from error


def _as_data(trial: Trial) -> dict[str, Any]:
    return {
        "outcome": trial.result.outcome.value,
        "error": None if trial.result.error is None else asdict(trial.result.error),
        "game_s": trial.game_s,
        "gained": trial.gained,
        "items": trial.after.items,
        "position": list(trial.after.position),
        "health": trial.after.health,
        "events": [asdict(event) for event in trial.events],
    }


def _show(console: Console, trial: Trial, file: Path, commands: list[str]) -> None:
    for command, reply in zip(commands, trial.replies, strict=True):
        console.print(
            Text.assemble(("       ", ""), (one_line(command), "dim"), f": {one_line(reply)}"), soft_wrap=True
        )
    start = trial.result.started_tick or 0
    for event in trial.events:
        line = _line(event)
        if line is not None:
            seconds = ((event.tick or start) - start) / 20
            console.print(Text.assemble((f"{seconds:6.2f} ", "dim"), line), soft_wrap=True)
    console.print(_end(trial, file), soft_wrap=True)


def _line(event: Event) -> Text | None:
    """One event as a line; None for what the others say already."""
    data = event.data
    if event.kind == "action":
        arguments = ", ".join(json.dumps(value, ensure_ascii=False) for value in data["args"] or [])
        failed = "" if data["ok"] else f" failed: {data['error']['name']}: {data['error']['message']}"
        return Text(one_line(f"{data['name']}({arguments}){failed}"), style="" if data["ok"] else "red")
    if event.kind == "inventory":
        items = ", ".join(f"{count} {name}" for name, count in data["items"].items()) or "nothing"
        return Text(one_line(f"has {items}"), style="green")
    if event.kind == "chat":
        return Text(one_line(f"<{data['from']}> {data['text']}" if data["from"] else data["text"]), style="cyan")
    if event.kind == "log":
        return Text(one_line(f"{data['level']}: {data['text']}"), style="yellow")
    if event.kind == "bot":
        return Text(one_line(f"{data['bot']} {data['state']} {data['reason']}".rstrip()), style="magenta")
    return None


def _end(trial: Trial, file: Path) -> Text:
    result = trial.result
    took = f"after {trial.game_s:g} s of game time"
    if result.outcome is Outcome.RETURNED:
        gained = ", ".join(f"{count:+d} {name}" for name, count in trial.gained.items()) or "no item gained or lost"
        return Text(one_line(f"{file.name} returned {took}: {gained}"), style="bold green")
    error = result.error
    where = f" (line {error.line})" if error is not None and error.line is not None else ""
    why = f": {error.name}: {error.message}{where}" if error is not None else ""
    return Text(one_line(f"{file.name} {result.outcome.value} {took}{why}"), style="bold red")
