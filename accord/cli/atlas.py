"""`accord atlas`: play the 144 ordinal 2x2 games with all pairs of agents and draw 12 x 12 maps."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from accord.cli import options
from accord.cli.error_handling import DONE, write_out
from accord.cli.games_study import GamesOptions, StudyParts, names_in, play_new, with_games_options
from accord.cli.table_cells import words
from accord.cli.tables import table

if TYPE_CHECKING:
    from accord.analysis.atlas import Atlas
    from accord.analysis.measures import MeasureSummary
    from accord.studies.atlas import AtlasPlan

Players = Annotated[
    str | None,
    typer.Option(
        metavar="A,B,...",
        help="Who plays: strategies, models as openai/NAME, or chooser.",
        show_default="six strategies",
    ),
]


@with_games_options
def atlas(
    agents: Players = None,
    games: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="Games by number or name: g122, chicken.", show_default="all 144"),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Times that each pair plays each game, with SEED, SEED + 1, ...")] = 5,
    labels: Annotated[
        int, typer.Option(metavar="N", help="Relabelled presentations of each game, beside the plain one.")
    ] = 1,
    stories: Annotated[
        str | None,
        typer.Option(
            metavar="A,B,...",
            help="Stories that each game is told as too, or all, or written:MODEL.",
            show_default="none",
        ),
    ] = None,
    ways: Annotated[
        str,
        typer.Option(
            metavar="A,B,...",
            help="Ways of asking models: plain, partner, predict, belief-1, belief-2, equilibria.",
        ),
    ] = "plain",
    itself: Annotated[bool, typer.Option("--itself", help="Each also plays with one of its own kind.")] = False,
    dry_run: options.DryRun = False,
    **given: Any,  # noqa: ANN401 - parsed options of all types
) -> int:
    """Play the 144 ordinal 2x2 games with every two agents, and draw what they choose and expect as maps."""
    from accord.studies.atlas import SIX, AtlasPlan
    from voyager_agents.stage_games.atlas_table import stories as known

    shared = GamesOptions(**given)
    told = names_in(stories) if stories else ()
    plan = AtlasPlan(
        names=SIX if agents is None else names_in(agents),
        games=names_in(games) if games else (),
        seeds=seeds,
        labels=labels,
        stories=tuple(each for name in told for each in (known() if name == "all" else (name,))),
        ways=names_in(ways),
        itself=itself,
        **shared.of_plan(),
    )
    if dry_run:
        return _estimate(plan, as_json=shared.as_json)
    return play_new(plan, shared, PARTS)


def _estimate(plan: AtlasPlan, *, as_json: bool) -> int:
    """Print the expected calls, tokens and dollars of an atlas without starting it."""
    from accord.cli.show import show_estimate
    from accord.studies.atlas_estimate import expect_atlas

    found = asyncio.run(expect_atlas(plan))
    if as_json:
        write_out(json.dumps(found, indent=2))
    else:
        show_estimate(Console(), found)
    return DONE


async def _play(plan: AtlasPlan, directory: Path, heard: Callable[[int, Any], None]) -> Atlas:
    from accord.studies.atlas import atlas as play

    return await play(plan, directory, heard)


def _write(found: Atlas, directory: Path) -> Path:
    from accord.analysis.report.atlas import write_atlas

    return write_atlas(found, directory)


def _table(found: Atlas) -> Table:
    """Return the measures over all games as a table with a row for each agent."""
    from accord.analysis.atlas import MEASURES
    from accord.analysis.report.atlas import SHORT

    measures = [each for each in MEASURES if found.has(each)]
    shown = table("score: payoff per round, 1 to 4; all others: shares, 0 to 1")
    for name in ("agent", "score", *(SHORT[each] for each in measures)):
        shown.add_column(name, justify="left" if name == "agent" else "right")
    for name in found.names:
        cells = [_cell(found.whole(name, each)) for each in measures]
        shown.add_row(words(name), _cell(found.score(name)), *cells)
    return shown


def _cell(summary: MeasureSummary | None) -> str:
    return "-" if summary is None else f"{summary.mean:.2f}"


PARTS = StudyParts(_play, _write, _table)
"""Functions of atlases."""
