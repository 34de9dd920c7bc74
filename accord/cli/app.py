"""Application object of `accord`: the table of commands, the help page and the entry point."""

from __future__ import annotations

import importlib
import sys
from collections import UserDict
from collections.abc import Sequence
from types import ModuleType
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup

from accord.cli.error_handling import guarded
from accord.cli.single_option import SingleOptionCommand
from common.gc_tuning import collection_paused


class CommandPlace(NamedTuple):
    """Import path and summary of a command."""

    place: str
    """`module:function`, or `module:attribute` for a group of commands."""
    summary: str
    """Summary in the list of commands and in the command's own help."""


COMMANDS = {
    "run": CommandPlace(
        "accord.cli.run:run",
        "Play SCENARIO under each --contract in turn, on one server, and write a report.",
    ),
    "resume": CommandPlace(
        "accord.cli.resume:resume",
        "Continue the study, tournament, atlas, generations or contributions in RUN where it stopped.",
    ),
    "report": CommandPlace(
        "accord.cli.report:report",
        "Write a report of all runs in RUN: report.html, plots/ and CSV tables; with --figures also those of a paper.",
    ),
    "show": CommandPlace(
        "accord.cli.transcript:show",
        "Show what the players of RUN saw, thought, did and learned, with model, tokens and price of each step.",
    ),
    "view": CommandPlace(
        "accord.cli.view:view",
        "Show records in the browser: a map, what agents do, think and say, and all that models were asked.",
    ),
    "scenarios": CommandPlace(
        "accord.cli.scenarios:scenarios",
        "List the scenarios with their conditions.",
    ),
    "personas": CommandPlace(
        "accord.cli.personas:personas",
        "Show personas, or make new ones from a seed.",
    ),
    "build": CommandPlace(
        "accord.cli.build:build",
        "Set up a scenario's world on a server that stays up, to walk around in; nobody plays.",
    ),
    "schelling": CommandPlace(
        "accord.cli.schelling:schelling",
        "Tell whether SCENARIO is a social dilemma: play every number of cooperators, and draw the Schelling diagram.",
    ),
    "questions": CommandPlace(
        "accord.cli.questions:questions",
        "Ask models about moments of RUN: who holds what, who knows what, what comes next; the log knows the answers.",
    ),
    "shapley": CommandPlace(
        "accord.cli.shapley:shapley",
        "Tell what each player of SCENARIO adds, by coalitions in which stand-ins replace the others.",
    ),
    "power": CommandPlace(
        "accord.cli.power:power",
        "Estimate how many runs decide whether a measure differs, from the variance of the runs in RUN.",
    ),
    "tournament": CommandPlace(
        "accord.cli.tournament:tournament",
        "Let every two meet in GAME, and rank them by what a round brought them.",
    ),
    "atlas": CommandPlace(
        "accord.cli.atlas:atlas",
        "Play the 144 ordinal 2x2 games with every two agents, and draw what they choose and expect as maps.",
    ),
    "generations": CommandPlace(
        "accord.cli.generations:generations",
        "Let a population play GAME over generations: the better part survives, and newcomers learn from it.",
    ),
    "league": CommandPlace(
        "accord.cli.league:league",
        "Let strategies, policies, programs and models meet strangers in held-out scenarios, and rate them.",
    ),
    "sweep": CommandPlace(
        "accord.cli.sweep:sweep",
        "Play every run that FILE asks for; what has ended already is not played again.",
    ),
    "task": CommandPlace(
        "accord.cli.sweep:task",
        "Play one task of a sweep, or every Nth: for schedulers of clusters. What has ended is not played again.",
    ),
    "env": CommandPlace(
        "accord.cli.env:env",
        "Train language models on scenarios: serve rollouts to a trainer over HTTP.",
    ),
    "doctor": CommandPlace(
        "accord.cli.doctor:doctor",
        "Check this machine, and say how to get what is missing. "
        "With --model, ask that model one question per role instead.",
    ),
    "verify": CommandPlace(
        "accord.cli.verify:verify",
        "Say whether the record in RUN is whole and unchanged, and with --replay whether it repeats.",
    ),
    "export": CommandPlace(
        "accord.cli.export:export",
        "Write the records in RUN... into one file for a paper, without keys and machine logs, or as a dataset.",
    ),
    "new": CommandPlace(
        "accord.cli.new:new",
        "Write a package that adds a KIND called NAME: it runs as it is, and its test is Accord's compliance suite.",
    ),
    "check": CommandPlace(
        "accord.cli.check:check",
        "Check that what a package adds does what Accord's own does: it builds, repeats, ends, pays by its log.",
    ),
    "server": CommandPlace(
        "accord.cli.server:server",
        "Keep servers up between runs: start, stop, inspect and watch them.",
    ),
    "model": CommandPlace(
        "accord.cli.model:model",
        "Language models that this machine computes: install, keep up, inspect.",
    ),
    "skills": CommandPlace(
        "accord.cli.skills:skills",
        "Try policies, and list, check and rebuild libraries of skills.",
    ),
    "prompts": CommandPlace(
        "accord.cli.prompts:prompts",
        "Export the prompts of agents and judge, and check your own.",
    ),
}
"""Commands by name. A module is imported only when its command runs, which keeps help and other commands fast."""


class LazyCommands(UserDict[str, Any]):
    """Mapping of names to typer commands, each imported on first lookup."""

    def __getitem__(self, name: str) -> Any:  # noqa: ANN401 - typer's own click has no public name
        found = self.data[name]
        if isinstance(found, CommandPlace):
            self.data[name] = found = _load_command(name, found)
        return found


def _load_command(name: str, where: CommandPlace) -> object:
    """Import and return a command or a group of commands."""
    module, _, attribute = where.place.partition(":")
    part = getattr(_import_module(module), attribute)
    if isinstance(part, typer.Typer):
        group = typer.main.get_group(part)
        group.name, group.help = name, where.summary
        return group
    single = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    single.command(name, cls=SingleOptionCommand, help=where.summary)(part)
    return typer.main.get_command(single)


def _import_module(module: str) -> ModuleType:
    """Import a module with garbage collection off, which took a fifth of the start-up time and freed nothing."""
    with collection_paused():
        return importlib.import_module(module)


class CommandGroup(TyperGroup):
    """Group of all commands. Reports errors in one line and exits with code 0, 1, 2, 130 or 143."""

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - as typer gives them
        super().__init__(**given)
        self.commands = LazyCommands(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401 - typer's own click has no public name
        """Return the commands' names without importing any command."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the help of all commands from their summaries, without importing any command."""
        commands = self.commands
        self.commands = {name: TyperCommand(name, help=each.summary) for name, each in COMMANDS.items()}
        try:
            super().format_help(ctx, formatter)
        finally:
            self.commands = commands

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: object,
    ) -> NoReturn:
        """Run a command and exit with its code; the parameters are those of click's `Command.main`.

        Args:
            args: Arguments; None for those of the process.
            prog_name: Unused.
            complete_var: Environment variable of shell completion.
            standalone_mode: Unused; errors always become exit codes.
            windows_expand_args: Unused.
            extra: Passed on to click.
        """
        arguments = list(sys.argv[1:] if args is None else args)

        def command(rest: list[str]) -> object:
            # `accord` without arguments shows the help and succeeds.
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
    """Run one command and return its exit code."""
    try:
        app(arguments)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0
