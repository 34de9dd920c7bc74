"""`accord shapley`: tell what each player of a scenario adds, by playing coalitions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from accord.cli import option_values, options
from accord.cli.games_study import GamesOptions, StudyParts, play_new, with_options_of
from accord.cli.study_options import study_option
from accord.cli.table_cells import words
from accord.cli.tables import table

if TYPE_CHECKING:
    from accord.analysis.measures import MeasureSummary
    from accord.analysis.shapley import Shapley
    from accord.studies.shapley import ShapleyPlan


@dataclass(frozen=True, kw_only=True)
class CoalitionOptions(GamesOptions):
    """Options of `accord shapley` that are those of the runs that it plays."""

    world: Annotated[
        str | None,
        typer.Option(help="The world to play in.", show_default="mock; none for games on arrays"),
    ] = None
    model: options.Model = None
    model_for: options.ModelFor = None
    player: Annotated[list[str] | None, study_option("--player")] = None
    agents: options.Agents = None
    time_limit: options.TimeLimit = None
    episodes: Annotated[int | None, study_option("--episodes")] = None
    judge: Annotated[str | None, study_option("--judge")] = None
    rounds: Annotated[int | None, study_option("--rounds")] = None

    def own_settings(self) -> dict[str, Any]:
        """Return the settings of the runs."""
        return {
            **super().own_settings(),
            "players": option_values.player_kinds(self.player, None),
            "models": option_values.name_value_pairs("--model-for", self.model_for or (), "judge=openai/NAME"),
            "agents": self.agents,
            "time_limit_s": self.time_limit,
            "episodes": self.episodes,
            "judge": self.judge,
            "rounds": self.rounds,
        }


@with_options_of(CoalitionOptions)
def shapley(
    scenario: options.ScenarioName,
    contract: Annotated[
        str, typer.Option("--contract", "--condition", metavar="NAME|FILE", help="A condition, or a contract's file.")
    ] = "none",
    measure: Annotated[
        str, typer.Option(metavar="NAME", help="What is shared out, by its name in result.json.")
    ] = "welfare",
    absent: Annotated[
        str,
        typer.Option(
            metavar="WHO",
            help="Who takes the seat of an absent player: idle, random, greedy, reference, or a kind of players.",
            show_default="idle; random where nobody can be idle",
        ),
    ] = "",
    seeds: Annotated[int, typer.Option(help="Runs of each coalition, with the seeds SEED, SEED + 1, ...")] = 5,
    method: Annotated[
        str,
        typer.Option(
            metavar="HOW",
            help="exact (all coalitions), or orders drawn antithetic or stratified.",
            show_default="exact up to four players, else antithetic",
        ),
    ] = "",
    orders: Annotated[int, typer.Option(metavar="N", help="The least orders that are drawn.")] = 24,
    **given: Any,  # noqa: ANN401 - parsed options of all types
) -> int:
    """Tell what each player of SCENARIO adds, by coalitions in which stand-ins replace the others."""
    from accord.studies.shapley import ShapleyPlan

    shared = CoalitionOptions(**given)
    plan = ShapleyPlan(
        scenario,
        contract=contract,
        measure=measure,
        absent=absent,
        seeds=seeds,
        method=method,
        orders=orders,
        **shared.of_plan(),
    )
    return play_new(plan, shared, PARTS)


async def _play(plan: ShapleyPlan, directory: Path, heard: Callable[[int, Any], None]) -> Shapley:
    from accord.studies.shapley import shapley as play

    return await play(plan, directory, heard)


def _write(found: Shapley, directory: Path) -> Path:
    from accord.analysis.report.shapley import write_shapley

    return write_shapley(found, directory)


def _table(found: Shapley) -> Table:
    """Return contributions, rewards, transfers and payoffs as a table with a row for each player."""
    shown = table(f"adds: share of {words(found.measure)}; absent players: {words(found.absent)}")
    heads = ["player", "plays", "adds", "95 % interval", "reward", "transfer", "payoff"]
    heads += ["payoff - adds", "95 % interval"] if found.compares_pay else []
    for name in heads:
        shown.add_column(name, justify="left" if name in ("player", "plays") else "right")
    for player in found.players:
        summary = found.summaries[player]
        account = [f"{each:.2f}" for each in found.accounts[player].means]
        gap = found.gaps.get(player)
        paid = [] if gap is None else [f"{gap.mean:.2f}", _interval(gap)]
        plays = words(found.kinds[player][0])
        shown.add_row(words(player), plays, f"{summary.mean:.2f}", _interval(summary), *account, *paid)
    return shown


def _interval(summary: MeasureSummary) -> str:
    return "-" if summary.ci95 is None else f"{summary.ci95[0]:.2f} .. {summary.ci95[1]:.2f}"


PARTS = StudyParts(_play, _write, _table)
"""Functions of studies of contributions."""
