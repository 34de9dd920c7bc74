"""`accord generations`: let a population play a repeated game over generations, with survival and learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
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
    game: Annotated[
        str,
        typer.Argument(
            metavar="GAME",
            help="A repeated game, or its YAML file; with programs any scenario; or a study's file with population.",
        ),
    ],
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
    programs: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Members are the programs NAME.js of this folder, which mutate."),
    ] = None,
    seeds: Annotated[int, typer.Option(help="Lineages, with the seeds SEED, SEED + 1, ...")] = 5,
    **given: Any,  # noqa: ANN401 - parsed options of all types
) -> int:
    """Let a population play GAME over generations: the better part survives, and newcomers learn from it."""
    from accord.studies.generations import FOUR, GenerationsPlan
    from accord.studies.population_file import is_population_file, read_population_study, read_programs

    shared = GamesOptions(**given)
    if is_population_file(game):
        own = {
            "agents": agents, "generations": generations, "population": population, "survivors": survivors,
            "mutation": mutation, "games": games, "programs": programs, "noise": noise, "seeds": seeds,
        }  # fmt: skip
        _check_unset(game, own, shared)
        return play_new(read_population_study(Path(game)), shared, PARTS)
    sources = {} if programs is None else read_programs(programs.expanduser())
    usual = tuple(sources) or FOUR
    names, counts = (usual, ()) if agents is None else _members_in(names_in(agents))
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
        programs=sources,
        **shared.of_plan(),
    )
    return play_new(plan, shared, PARTS)


USUAL: Mapping[str, Any] = {"generations": 10, "survivors": "half", "mutation": 0.0, "seeds": 5}
"""Values of options that are not given."""
BESIDE_A_FILE = ("out", "as_json")
"""Options that can stand beside a study's file."""


def _check_unset(file: str, own: Mapping[str, Any], shared: GamesOptions) -> None:
    """Raise UsageError for an option that the study's file sets."""
    usual = {**{each.name: each.default for each in fields(GamesOptions)}, **USUAL}
    for name, value in {**vars(shared), **own}.items():
        if name not in BESIDE_A_FILE and value != usual.get(name):
            raise UsageError(f"--{name.replace('_', '-')}: {file} is a study's file, which says it; set it there")


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
