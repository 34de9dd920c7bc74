"""`accord tournament`: pair all players of a repeated game and rank them with intervals."""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.cli import option_values, options
from accord.cli.error_handling import DONE, say, write_out
from accord.cli.table_cells import words
from accord.cli.tables import table
from accord.studies.status.status_line import StatusLine
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.tournament import Tournament, TournamentStanding
    from accord.studies.tournament import TournamentPlan

Players = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Who plays: strategies, models as openai/NAME, or chooser.",
        show_default="ten strategies",
    ),
]
OfChooser = Annotated[
    str | None, typer.Option("--model", metavar="openai/NAME", help="The model of chooser, where --agents names it.")
]
Noise = Annotated[
    float | None,
    typer.Option(
        metavar="P", help="The chance that another option counts than the chosen one.", show_default="the scenario's"
    ),
]
Cap = Annotated[float | None, typer.Option(metavar="N", help="The most of all games together.")]


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A repeated game of two players, or its YAML file.")],
    agents: Players = None,
    repeat: options.Repeat = None,
    noise: Noise = None,
    seeds: Annotated[int, typer.Option(help="Games of each pair, with the seeds SEED, SEED + 1, ...")] = 10,
    seed: options.Seed = 0,
    itself: Annotated[
        bool, typer.Option("--itself", help="Each also meets one of its own kind; that counts for no score.")
    ] = False,
    world: Annotated[
        str | None,
        typer.Option(help="The world to play in; none for the law alone.", show_default="none; mock with a model"),
    ] = None,
    jobs: options.Jobs = 1,
    model: OfChooser = None,
    sampling: options.SamplingOption = None,
    local: options.LocalOption = None,
    agents_option: options.AgentsOption = None,
    prompts: options.PromptsFolder = None,
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    prices: options.Prices = None,
    max_usd: Cap = None,
    max_tokens: Cap = None,
    max_calls: Cap = None,
    out: options.Out = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Let every two meet in GAME, and rank them by what a round brought them."""
    from accord.studies.kept_tournaments import claim
    from accord.studies.tournament import TournamentPlan

    told: dict[str, Any] = {
        "sampling": option_values.name_value_pairs("--sampling", sampling or (), "temperature=0"),
        "local": option_values.name_value_pairs("--local", local or (), "context=4096"),
        "agents_options": option_values.name_value_pairs("--agents-option", agents_option or (), "history=50"),
        "prompts": prompts,
        "prices": prices,
        **option_values.endpoint_settings(base_url, api_key_file),
    }
    plan = TournamentPlan(
        game,
        repeat=repeat,
        noise=noise,
        seeds=seeds,
        seed=seed,
        itself=itself,
        world=world,
        jobs=jobs,
        model=model,
        settings={key: _to_plain_data(value) for key, value in told.items() if value},
        budget=_caps(usd=max_usd, tokens=max_tokens, calls=max_calls),
        **({} if agents is None else {"names": tuple(part.strip() for part in agents.split(","))}),
    )
    return _play(plan, claim(plan, out.expanduser()), as_json=as_json)


def go_on(
    directory: Path,
    caps: Mapping[str, Sequence[str] | None],
    refused: Mapping[str, object],
    *,
    jobs: int | None,
    as_json: bool,
    allowed: Collection[str] = (),
) -> int:
    """Resume a tournament by playing its unfinished games.

    Args:
        directory: Directory of the tournament.
        caps: Limits that override the recorded ones.
        refused: Options of `accord resume` that a tournament does not accept, with their values.
        jobs: Concurrent games; None for the recorded number.
        as_json: True to print JSON.
        allowed: Endpoints and paths allowed by the command line.

    Raises:
        UsageError: An option is given that a tournament does not accept.
    """
    from accord.studies.kept_tournaments import read_plan
    from voyager_agents.budget import ALL

    for option, given in refused.items():
        if given:
            raise UsageError(f"{option}: {directory} is a tournament, which goes on as it was begun; leave it out")
    found = option_values.budget_caps(**caps)
    for measure, by_whom in found.items():
        if set(by_whom) != {ALL}:
            raise UsageError(f"--max-{measure} of a tournament is of all games together: give a number alone")
    budget = {measure: by_whom[ALL] for measure, by_whom in found.items()}
    plan = read_plan(directory, jobs=jobs, budget=_caps(**budget), allowed=allowed)
    return _play(plan, directory, as_json=as_json)


def _caps(**given: float | None) -> dict[str, float]:
    """Return the limits of all games together. Raises UsageError."""
    for measure, cap in given.items():
        if cap is not None and not 0 < cap < float("inf"):
            raise UsageError(f"--max-{measure} {cap:g} is not legal; give a number above 0")
    return {measure: cap for measure, cap in given.items() if cap is not None}


def _to_plain_data(value: object) -> object:
    """Return a setting in a form for the plan's file, with absolute paths."""
    if isinstance(value, Path):
        return str(value.expanduser().absolute())
    return {key: _to_plain_data(each) for key, each in value.items()} if isinstance(value, dict) else value


def _play(plan: TournamentPlan, directory: Path, *, as_json: bool) -> int:
    """Play the unfinished games of the directory, write the report and print the ranking."""
    from accord.analysis.report.tournament import write_tournament

    try:
        found = asyncio.run(_games(plan, directory, quiet=as_json))
    except (KeyboardInterrupt, asyncio.CancelledError):
        say(f"go on with: accord resume {directory}", prefix="")
        raise
    page = write_tournament(found, directory)
    if as_json:
        write_out(json.dumps(found.to_dict(), indent=2))
    else:
        console = Console()
        console.print(_table(found))
        console.print(words(found.sentence()), soft_wrap=True)
        console.print(words(f"Report: {page}"), soft_wrap=True)
    return DONE


async def _games(plan: TournamentPlan, directory: Path, *, quiet: bool) -> Tournament:
    """Play the games with a status line; SIGTERM cancels them as cleanly as Ctrl-C."""
    from accord.studies.tournament import tournament as play

    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    line = StatusLine(Console(stderr=True, quiet=quiet), "playing")
    done = iter(range(1, 1 << 30))
    async with line.shown():
        return await play(plan, directory, lambda _number, _outcome: line.update(f"{next(done)} games played"))


def _table(found: Tournament) -> Table:
    """Return the ranking as a table with a row for each player."""
    shown = table("score: what a round brought; coop.: cooperation, 0 to 1; ahead: of the next in the ranking")
    for name in ("player", "place", "score", "95 % interval", "won", "coop.", "ahead"):
        shown.add_column(name, justify="left" if name in ("player", "ahead") else "right")
    for each, after in zip_longest(found.standings, found.standings[1:]):
        equal = after is not None and after.place == each.place
        shown.add_row(*_row(each, equal=equal))
    return shown


def _row(each: TournamentStanding, *, equal: bool) -> list[Text | str]:
    interval = each.score.ci95
    return [
        words(each.name),
        str(each.place),
        f"{each.score.mean:.3f}",
        "-" if interval is None else f"{interval[0]:.3f} .. {interval[1]:.3f}",
        f"{each.won}/{each.games}",
        "-" if each.cooperation is None else f"{each.cooperation:.2f}",
        "equal" if equal else {True: "surely", False: "open", None: "-"}[each.ahead],
    ]
