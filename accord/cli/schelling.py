"""`accord schelling`: test if a scenario is a social dilemma by playing every number of cooperators."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from accord.cli import option_values, options
from accord.cli.error_handling import DONE, write_out
from accord.cli.table_cells import words
from accord.cli.tables import table
from accord.studies.status.status_line import StatusLine

if TYPE_CHECKING:
    from accord.analysis.measures import MeasureSummary
    from accord.analysis.schelling import Schelling


def schelling(
    scenario: options.ScenarioName,
    players: Annotated[
        int | None,
        typer.Option(help="How many play, bots not counted; added ones are copies.", show_default="the scenario's"),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Episodes for each line-up, with the seeds SEED, SEED + 1, ...")] = 5,
    seed: options.Seed = 0,
    jobs: options.Jobs = 1,
    world: options.World = "mock",
    cooperate: Annotated[
        str | None,
        typer.Option(metavar="KIND", help="The kind of player that cooperates.", show_default="the scenario's"),
    ] = None,
    defect: Annotated[
        str | None, typer.Option(metavar="KIND", help="The kind of player that defects.", show_default="the scenario's")
    ] = None,
    time_limit: options.TimeLimit = None,
    out: options.Out = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Tell whether SCENARIO is a social dilemma: play every number of cooperators, and draw the Schelling diagram."""
    option_values.check_world(world)
    from accord.analysis.report.schelling import write_schelling
    from accord.studies.schelling import SchellingPlan, schelling
    from dilemmas.scenarios.registry import load_scenario

    name = load_scenario(scenario).spec.name
    directory = out.expanduser() / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{name}-schelling"
    plan = SchellingPlan(scenario, players, seeds, seed, world, cooperate, defect, time_limit, directory, jobs)
    line = StatusLine(Console(stderr=True, quiet=as_json), "starting")

    async def play() -> Schelling:
        async with line.shown():
            return await schelling(plan, tell=line.update)

    found = asyncio.run(play())
    written = write_schelling(found, directory)
    if as_json:
        write_out(json.dumps(found.to_dict(), indent=2))
    else:
        _show(Console(), found)
        Console().print(words(f"Diagram: {written[0]}"), soft_wrap=True)
    return DONE


def _show(console: Console, found: Schelling) -> None:
    """Print payoffs by number of cooperators, then the conditions of a social dilemma."""
    shown = table()
    shown.add_column("cooperators")
    for column in (found.cooperate, found.defect, "welfare"):
        shown.add_column(words(column), justify="right")
    for point in found.points:
        told = point.summaries(found.seed)
        cells = [_cell(told.get(kind)) for kind in ("cooperator", "defector", "welfare")]
        shown.add_row(f"{point.cooperators} of {found.players}", *cells)
    console.print(shown)
    verdict = table()
    for column in ("condition", "holds", "by", "95 % interval"):
        verdict.add_column(column, justify="right" if column in ("by", "95 % interval") else "left")
    for name, margin in found.margins.items():
        interval = "-" if margin.ci95 is None else f"{margin.ci95[0]:.1f} .. {margin.ci95[1]:.1f}"
        verdict.add_row(name, margin.word, f"{margin.mean:.1f}", interval)
    console.print(verdict)
    console.print(words(found.sentence()), soft_wrap=True)


def _cell(summary: MeasureSummary | None) -> str:
    if summary is None:
        return "-"
    if summary.ci95 is None:
        return f"{summary.mean:.1f}"
    return f"{summary.mean:.1f} ({summary.ci95[0]:.1f} .. {summary.ci95[1]:.1f})"
