"""The commands of `accord`, put together."""

from __future__ import annotations

import gc
import importlib
import sys
from collections import UserDict
from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any, NoReturn

import typer
from typer.core import TyperGroup

from accord.cli.error_handling import guarded
from accord.cli.single_option import SingleOptionCommand

COMMANDS = {
    "run": "accord.cli.run:run",
    "resume": "accord.cli.resume:resume",
    "report": "accord.cli.report:report",
    "show": "accord.cli.transcript:show",
    "view": "accord.cli.view:view",
    "scenarios": "accord.cli.scenarios:scenarios",
    "personas": "accord.cli.personas:personas",
    "build": "accord.cli.build:build",
    "schelling": "accord.cli.schelling:schelling",
    "tournament": "accord.cli.tournament:tournament",
    "sweep": "accord.cli.sweep:sweep",
    "task": "accord.cli.sweep:task",
    "doctor": "accord.cli.doctor:doctor",
    "verify": "accord.cli.verify:verify",
    "export": "accord.cli.verify:export",
    "new": "accord.cli.new:new",
    "check": "accord.cli.check:check",
    "server": "accord.cli.server:server",
    "skills": "accord.cli.skills:skills",
    "prompts": "accord.cli.prompts:prompts",
}
"""Command -> "module:function", or a group of commands; imported when it is asked for, since others take their time."""


class LazyCommands(UserDict[str, Any]):
    """The commands by name; values are typer's commands, each made when it is first looked at."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer's own click has no public name
        found = self.data[name]
        if isinstance(found, str):
            self.data[name] = found = _load(name, found)
        return found


def _load(name: str, place: str) -> object:
    """The command or group of that name, from where it is defined."""
    module, _, attribute = place.partition(":")
    part = getattr(_imported(module), attribute)
    if isinstance(part, typer.Typer):
        group = typer.main.get_group(part)
        group.name = name
        return group
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(name, cls=SingleOptionCommand)(part)
    return typer.main.get_command(single)


def _imported(module: str) -> ModuleType:
    """That module; what an import makes stays, and looking through it for garbage took a fifth of the start."""
    looked = gc.isenabled()
    gc.disable()
    try:
        return importlib.import_module(module)
    finally:
        gc.freeze()
        if looked:
            gc.enable()


class CommandGroup(TyperGroup):
    """The group of all commands; its errors are one line, its exit codes 0, 1, 2, 130 and 143."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - as typer gives them
        super().__init__(**given)
        self.commands = LazyCommands(COMMANDS)

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: object,
    ) -> NoReturn:
        """Run a command and exit with its code, whatever mode was asked for."""
        arguments = list(sys.argv[1:] if args is None else args)

        def command(rest: list[str]) -> object:
            # Without a word, the help is the answer, and no error.
            return super(CommandGroup, self).main(rest or ["--help"], "accord", complete_var, False)

        sys.exit(guarded(command, arguments))


app = typer.Typer(
    cls=CommandGroup,
    help="Language-model agents in a Minecraft world: social dilemmas, contracts and a judge that moves emeralds.",
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(version("accord-mc"))
        raise typer.Exit


@app.callback()
def _all(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks; may stand anywhere.")] = False,
    plugin: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Use the package in that folder (docs/plugins.md); may stand anywhere."),
    ] = None,
) -> None:
    pass


def run(arguments: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        app(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
