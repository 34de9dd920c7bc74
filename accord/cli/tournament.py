"""`accord tournament`: pair all players of a repeated game and rank them with intervals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from accord.cli.games_study import GamesOptions, Noise, StudyParts, names_in, play_new, with_games_options
from accord.cli.table_cells import words
from accord.cli.tables import table

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


@with_games_options
def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A repeated game of two players, or its YAML file.")],
    agents: Players = None,
    noise: Noise = None,
    seeds: Annotated[int, typer.Option(help="Games of each pair, with the seeds SEED, SEED + 1, ...")] = 10,
    itself: Annotated[
        bool, typer.Option("--itself", help="Each also meets one of its own kind; that counts for no score.")
    ] = False,
    **given: Any,  # noqa: ANN401 - parsed options of all types
) -> int:
    """Let every two meet in GAME, and rank them by what a round brought them."""
    from accord.studies.tournament import TournamentPlan

    shared = GamesOptions(**given)
    named: dict[str, Any] = {} if agents is None else {"names": names_in(agents)}
    plan = TournamentPlan(
        game,
        noise=noise,
        seeds=seeds,
        itself=itself,
        **shared.of_plan(),
        **named,
    )
    return play_new(plan, shared, PARTS)


async def _play(plan: TournamentPlan, directory: Path, heard: Callable[[int, Any], None]) -> Tournament:
    from accord.studies.tournament import tournament as play

    return await play(plan, directory, heard)


def _write(found: Tournament, directory: Path) -> Path:
    from accord.analysis.report.tournament import write_tournament

    return write_tournament(found, directory)


def _table(found: Tournament) -> Table:
    """Return the ranking as a table with a row for each player."""
    shown = table(
        "score: what a round brought; coop.: cooperation, 0 to 1; expl.: exploitability; ahead: of the next in the "
        "ranking"
    )
    for name in ("player", "place", "score", "95 % interval", "won", "coop.", "expl.", "ahead"):
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
        "-" if each.exploitability is None else f"{each.exploitability:.2f}",
        "equal" if equal else {True: "surely", False: "open", None: "-"}[each.ahead],
    ]


PARTS = StudyParts(_play, _write, _table)
"""Functions of tournaments."""
