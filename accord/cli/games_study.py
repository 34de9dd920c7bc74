"""Shared parts of `accord tournament`, `atlas`, `generations` and `shapley`: options, caps, playing and resuming."""

from __future__ import annotations

import asyncio
import inspect
import json
import signal
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, get_type_hints

import typer
from rich.console import Console
from rich.table import Table

from accord.cli import option_values, options
from accord.cli.error_handling import DONE, say, write_out
from accord.cli.study_options import with_parameters
from accord.cli.table_cells import words
from accord.studies.status.status_line import StatusLine
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.studies.kept_plan import KeptPlan

OfChooser = Annotated[
    str | None, typer.Option("--model", metavar="openai/NAME", help="The model of chooser, where --agents names it.")
]
Cap = Annotated[float | None, typer.Option(metavar="N", help="The most of all games together.")]


Noise = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="The chance that another option counts than the chosen one.", show_default="the scenario's"
    ),
]


@dataclass(frozen=True, kw_only=True)
class GamesOptions:
    """Options that all studies of games take; `with_games_options` makes them parameters of a command."""

    repeat: options.Repeat = None
    seed: options.Seed = 0
    world: Annotated[
        str | None,
        typer.Option(help="The world to play in; none for the payoffs alone.", show_default="none; mock with a model"),
    ] = None
    jobs: options.Jobs = 1
    model: OfChooser = None
    sampling: options.SamplingOption = None
    local: options.LocalOption = None
    agents_option: options.AgentsOption = None
    prompts: options.PromptsFolder = None
    base_url: options.BaseUrls = None
    api_key_file: options.KeyFiles = None
    prices: options.Prices = None
    max_usd: Cap = None
    max_tokens: Cap = None
    max_calls: Cap = None
    out: options.Out = Path("runs")
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False

    def of_plan(self) -> dict[str, Any]:
        """Return the fields of a plan that they set. Raises UsageError for an illegal value."""
        return {
            "repeat": self.repeat,
            "seed": self.seed,
            "world": self.world,
            "jobs": self.jobs,
            "model": self.model,
            "settings": plain_settings(self.own_settings()),
            "budget": caps_of(usd=self.max_usd, tokens=self.max_tokens, calls=self.max_calls),
        }

    def own_settings(self) -> dict[str, Any]:
        """Return the settings of the studies that are played, with None or nothing for those that are not given."""
        pairs = option_values.name_value_pairs
        return {
            "sampling": pairs("--sampling", self.sampling or (), "temperature=0"),
            "local": pairs("--local", self.local or (), "context=4096"),
            "agents_options": pairs("--agents-option", self.agents_option or (), "history=50"),
            "prompts": self.prompts,
            "prices": self.prices,
            **option_values.endpoint_settings(self.base_url, self.api_key_file),
        }


def with_games_options(command: Callable[..., int]) -> Callable[..., int]:
    """Replace `**given` in a command's signature by the options of all studies of games."""
    return with_options_of(GamesOptions)(command)


def with_options_of(options: type[GamesOptions]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return a decorator that replaces `**given` in a command's signature by the options of a class."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        hints = get_type_hints(options, include_extras=True)
        parameters = (
            inspect.Parameter(
                each.name, inspect.Parameter.KEYWORD_ONLY, default=each.default, annotation=hints[each.name]
            )
            for each in fields(options)
        )
        return with_parameters(command, parameters)

    return decorate


class GamesResult(Protocol):
    """Result of a study of games."""

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        ...

    def sentence(self) -> str:
        """Return the result in a sentence."""
        ...


@dataclass(frozen=True)
class StudyParts:
    """Functions of one kind of study; `Any` is its own plan or result."""

    play: Callable[[Any, Path, Callable[[int, Any], None]], Awaitable[GamesResult]]
    """Plays a plan in a directory; the last argument is called for each ended game."""
    write: Callable[[Any, Path], Path]
    """Writes the files of a result, and returns the page."""
    table: Callable[[Any], Table]
    """Returns the result as a table for the terminal."""


def play_new(plan: KeptPlan, given: GamesOptions, parts: StudyParts) -> int:
    """Play a new plan in a folder of its own, and return the exit code.

    Args:
        plan: The plan.
        given: Options of the command.
        parts: Functions of the plan's kind.

    Raises:
        UsageError: The plan cannot be played.
    """
    from accord.studies.kept_tournaments import claim

    return _play(plan, claim(plan, given.out.expanduser()), parts, as_json=given.as_json)


def go_on(
    directory: Path,
    parts: Mapping[str, StudyParts],
    caps: Mapping[str, Sequence[str] | None],
    refused: Mapping[str, object],
    *,
    jobs: int | None,
    as_json: bool,
    allowed: Collection[str] = (),
) -> int:
    """Resume a tournament or an atlas by playing its unfinished games.

    Args:
        directory: Directory of the tournament or atlas.
        parts: Kind of study -> its functions.
        caps: Limits that override the recorded ones.
        refused: Options of `accord resume` that such a study does not accept, with their values.
        jobs: Concurrent games; None for the recorded number.
        as_json: True to print JSON.
        allowed: Endpoints and paths allowed by the command line.

    Raises:
        UsageError: An option is given that such a study does not accept.
    """
    from accord.studies.kept_tournaments import read_plan
    from voyager_agents.budget import ALL

    kept = read_plan(directory, allowed=allowed)
    kind, told = kept.KIND, kept.TOLD
    for option, given in refused.items():
        if given:
            raise UsageError(f"{option}: {directory} is {told}, which goes on as it was begun; leave it out")
    found = option_values.budget_caps(**caps)
    for measure, by_whom in found.items():
        if set(by_whom) != {ALL}:
            raise UsageError(f"--max-{measure} of {told} is of all games together: give a number alone")
    budget = {measure: by_whom[ALL] for measure, by_whom in found.items()}
    plan = read_plan(directory, jobs=jobs, budget=caps_of(**budget), allowed=allowed)
    return _play(plan, directory, parts[kind], as_json=as_json)


def caps_of(**given: float | None) -> dict[str, float]:
    """Return the limits of all games together. Raises UsageError."""
    for measure, cap in given.items():
        if cap is not None and not 0 < cap < float("inf"):
            raise UsageError(f"--max-{measure} {cap:g} is not legal; give a number above 0")
    return {measure: cap for measure, cap in given.items() if cap is not None}


def names_in(text: str) -> tuple[str, ...]:
    """Return the names in a text such as `A,B,C`."""
    return tuple(part.strip() for part in text.split(","))


def plain_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that are given, in a form for the plan's file."""
    return {key: _to_plain_data(value) for key, value in settings.items() if value}


def _to_plain_data(value: object) -> object:
    """Return a setting in a form for the plan's file, with absolute paths; names of sets of prompts stay."""
    if isinstance(value, Path):
        from voyager_agents.prompts.folder import folder_of_set

        return str(value if folder_of_set(value) else value.expanduser().absolute())
    return {key: _to_plain_data(each) for key, each in value.items()} if isinstance(value, dict) else value


def _play(plan: KeptPlan, directory: Path, parts: StudyParts, *, as_json: bool) -> int:
    """Play the unfinished games of the directory, write the report and print the results."""
    try:
        found = asyncio.run(_games(plan, directory, parts, quiet=as_json))
    except (KeyboardInterrupt, asyncio.CancelledError):
        say(f"go on with: accord resume {directory}", prefix="")
        raise
    page = parts.write(found, directory)
    if as_json:
        write_out(json.dumps(found.to_dict(), indent=2))
    else:
        console = Console()
        console.print(parts.table(found))
        console.print(words(found.sentence()), soft_wrap=True)
        console.print(words(f"Report: {page}"), soft_wrap=True)
    return DONE


async def _games(plan: KeptPlan, directory: Path, parts: StudyParts, *, quiet: bool) -> GamesResult:
    """Play the games with a status line; SIGTERM cancels them as cleanly as Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    line = StatusLine(Console(stderr=True, quiet=quiet), "playing")
    done = count(1)
    async with line.shown():
        return await parts.play(plan, directory, lambda _number, _outcome: line.update(f"{next(done)} games played"))
