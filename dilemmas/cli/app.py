"""The commands of `accord`, put together."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup

from dilemmas.cli.boundary import guarded
from dilemmas.cli.build import build
from dilemmas.cli.check import check
from dilemmas.cli.doctor import doctor
from dilemmas.cli.new import new
from dilemmas.cli.once import Command
from dilemmas.cli.personas import personas
from dilemmas.cli.prompts import prompts
from dilemmas.cli.report import report
from dilemmas.cli.resume import resume
from dilemmas.cli.run import run as run_command
from dilemmas.cli.scenarios import scenarios
from dilemmas.cli.schelling import schelling
from dilemmas.cli.server import server
from dilemmas.cli.skills import skills
from dilemmas.cli.sweep import sweep, task
from dilemmas.cli.tournament import tournament
from dilemmas.cli.transcript import show
from dilemmas.cli.verify import export, verify
from dilemmas.cli.view import view


class Group(TyperGroup):
    """The group of all commands; its errors are one line, its exit codes 0, 1, 2, 130 and 143."""

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
            return super(Group, self).main(rest or ["--help"], "accord", complete_var, False)

        sys.exit(guarded(command, arguments))


app = typer.Typer(
    cls=Group,
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


app.command("run", cls=Command)(run_command)
app.command("resume", cls=Command)(resume)
app.command("report", cls=Command)(report)
app.command("show", cls=Command)(show)
app.command("view", cls=Command)(view)
app.command("scenarios", cls=Command)(scenarios)
app.command("personas", cls=Command)(personas)
app.command("build", cls=Command)(build)
app.command("schelling", cls=Command)(schelling)
app.command("tournament", cls=Command)(tournament)
app.command("sweep", cls=Command)(sweep)
app.command("task", cls=Command)(task)
app.command("doctor", cls=Command)(doctor)
app.command("verify", cls=Command)(verify)
app.command("export", cls=Command)(export)
app.command("new", cls=Command)(new)
app.command("check", cls=Command)(check)
app.add_typer(server, name="server")
app.add_typer(skills, name="skills")
app.add_typer(prompts, name="prompts")


def run(arguments: list[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    try:
        app(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
