"""`accord generations`: let a population play a repeated game over generations, with survival and learning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from accord.cli.games_study import GamesOptions, Noise, StudyParts, names_in, play_new, with_games_options
from accord.cli.table_cells import words
from accord.cli.tables import table
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.generations import Generations
    from accord.analysis.measures import MeasureSummary
    from accord.studies.generations import GenerationsPlan

MAX_ROWS = 21
"""Maximum number of generations in the table; all are in generations.csv."""

Players = Annotated[
    str | None,
    typer.Option(
        metavar="A,B=N,...",
        help="Who plays at first, with numbers of members: strategies, models as openai/NAME, or chooser.",
        show_default="four strategies, in equal parts",
    ),
]


@with_games_options
def generations(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A repeated game, or its YAML file.")],
    agents: Players = None,
    generations: Annotated[int, typer.Option(metavar="N", help="Generations of each lineage.")] = 10,
    population: Annotated[
        int | None,
        typer.Option(metavar="N", help="Members of a generation.", show_default="the game's players; 12 if two"),
    ] = None,
    survivors: Annotated[
        str, typer.Option(metavar="half|none|N", help="Members that survive a generation, by their payoff.")
    ] = "half",
    mutation: Annotated[
        float, typer.Option(metavar="P", help="The chance that a newcomer draws its strategy at random.")
    ] = 0.0,
    games: Annotated[
        int | None,
        typer.Option(metavar="N", help="Games of each member in a generation.", show_default="1 if all meet, else 10"),
    ] = None,
    noise: Noise = None,
    seeds: Annotated[int, typer.Option(help="Lineages, with the seeds SEED, SEED + 1, ...")] = 5,
    **given: Any,  # noqa: ANN401 - parsed options of all types
) -> int:
    """Let a population play GAME over generations: the better part survives, and newcomers learn from it."""
    from accord.studies.generations import FOUR, GenerationsPlan

    names, counts = (FOUR, ()) if agents is None else _members_in(names_in(agents))
    shared = GamesOptions(**given)
    plan = GenerationsPlan(
        game,
        names=names,
        counts=counts,
        generations=generations,
        population=population,
        survivors=survivors,
        mutation=mutation,
        games=games,
        noise=noise,
        seeds=seeds,
        **shared.of_plan(),
    )
    return play_new(plan, shared, PARTS)


def _members_in(parts: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Return the names and the numbers of members in parts such as `tit-for-tat=3`. Raises UsageError."""
    pairs = [part.rpartition("=") if "=" in part else (part, "", "") for part in parts]
    for (_, sign, count), part in zip(pairs, parts, strict=True):
        if sign and not count.isdecimal():
            raise UsageError(f"--agents {part}: {count!r} is no number of members; write e.g. always-defect=11")
    if len({bool(sign) for _, sign, _ in pairs}) > 1:
        raise UsageError("--agents: give each a number of members or none of them, as always-defect=11,tit-for-tat=1")
    return tuple(name for name, _, _ in pairs), tuple(int(count) for _, sign, count in pairs if sign)


async def _play(plan: GenerationsPlan, directory: Path, heard: Callable[[int, Any], None]) -> Generations:
    from accord.studies.generations import generations as play

    return await play(plan, directory, heard)


def _write(found: Generations, directory: Path) -> Path:
    from accord.analysis.report.generations import write_generations

    return write_generations(found, directory)


def _table(found: Generations) -> Table:
    """Return a table with a row for each generation, or for evenly spaced ones."""
    from accord.analysis.generations import COOPERATION, PAYOFF

    shown = table("payoff: of a member in a game; coop.: cooperation or share given; then shares of the population")
    shown.add_column("generation", justify="right")
    for name in ("payoff", "95 % interval", "coop.", *found.names):
        shown.add_column(words(name), justify="right")
    step = -(-(found.last - 1) // (MAX_ROWS - 1)) or 1
    for number in sorted({*range(1, found.last + 1, step), found.last}):
        payoff = found.summary(PAYOFF, number)
        interval = "-" if payoff is None or payoff.ci95 is None else f"{payoff.ci95[0]:.2f} .. {payoff.ci95[1]:.2f}"
        shares = [_cell(found.share(name, number)) for name in found.names]
        shown.add_row(str(number), _cell(payoff), interval, _cell(found.summary(COOPERATION, number)), *shares)
    return shown


def _cell(summary: MeasureSummary | None) -> str:
    return "-" if summary is None else f"{summary.mean:.2f}"


PARTS = StudyParts(_play, _write, _table)
"""Functions of generations."""
