"""CSV tables of a grid game: one for each of the paper's measures, and the printed results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.grid import published
from accord.analysis.report.grid.findings import COMPLETION, NODES, WHICH
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.tables import text_of

HEAD = ("condition", "run", "seed")


def grid_tables(comparison: Comparison) -> dict[str, str]:
    """Return the tables by file name."""
    runs = comparison.runs
    degrees = tuple(f"{node}_{which}" for node in NODES for which in WHICH)
    whole = {
        "grid_score.csv": ("score",),
        "grid_fairness.csv": ("fairness",),
        "grid_completion.csv": tuple(name for name in comparison.own_measures if name.startswith(COMPLETION)),
        "grid_degrees.csv": (*degrees, *(f"{name}_over_time" for name in degrees)),
    }
    made = {
        name: text_of((*HEAD, "measure", "value"), (row for run in runs for row in _measures(run, measures)))
        for name, measures in whole.items()
    }
    return {
        **made,
        "grid_reward.csv": text_of((*HEAD, "player", "role", "reward", "own"), (row for r in runs for row in _each(r))),
        "grid_exchanges.csv": text_of(
            (*HEAD, "giver", "taker", "resource", "count"), (row for run in runs for row in _exchanges(run))
        ),
        "grid_society.csv": text_of(
            (*HEAD, "step", "edges", "pairs_in_a_group"), (row for run in runs for row in _society(run))
        ),
        **_learning(comparison),
        "grid_published.csv": text_of(("table", "game", "who", "measure", "mean", "spread"), _published()),
    }


def _learning(comparison: Comparison) -> dict[str, str]:
    """Return the table of learning curves, if files with them were given."""
    if not comparison.learning:
        return {}
    # Imported here: most reports show no learner.
    from grid_games.learning_curves import HEAD as OF_CURVES
    from grid_games.learning_curves import curve_rows

    return {"grid_learning.csv": text_of(OF_CURVES, curve_rows(comparison.learning))}


def _head(run: ReportedRun) -> list[object]:
    return [run.condition, run.name, run.seed]


def _measures(run: ReportedRun, measures: Sequence[str]) -> Iterable[Sequence[object]]:
    for name in measures:
        if (value := run.figure(name)) is not None:
            yield [*_head(run), name, value]


def _each(run: ReportedRun) -> Iterable[Sequence[object]]:
    if run.grid is None or run.grid.begun is None or run.grid.ended is None:
        return
    for player, role in run.grid.begun.roles.items():
        yield [*_head(run), player, role, run.grid.ended.rewards[player], run.grid.ended.own[player]]


def _exchanges(run: ReportedRun) -> Iterable[Sequence[object]]:
    for (giver, taker, resource), count in sorted(run.grid.exchanges.items()) if run.grid else ():
        yield [*_head(run), giver, taker, resource, count]


def _society(run: ReportedRun) -> Iterable[Sequence[object]]:
    for each in run.grid.society if run.grid else ():
        yield [*_head(run), *each]


def _published() -> Iterable[Sequence[object]]:
    """Yield every number that the paper printed, with its table."""
    for game, players in published.SCORES.items():
        table = "8" if game == "ada-exploration" else "3" if game == "ada-social-structure" else "2"
        for who, printed in players.items():
            yield ["3" if who == "LLM-C" else table, game, who, "score", *printed]
    for game, measures in published.LLM.items():
        for measure, printed in measures.items():
            yield ["9", game, "LLM-C", measure, *printed]
    for game, learners in published.CONVERGENCE.items():
        for who, (hours, millions) in learners.items():
            yield ["10", game, who, "hours", hours, None]
            yield ["10", game, who, "million_steps", millions, None]
    for players_count, printed in published.SPEED.items():
        yield ["11", "ada-exploration", f"{players_count} players", "steps_a_second", *printed]
    for game, stages in published.CURRICULUM.items():
        for stage, printed in enumerate(stages, 1):
            yield ["12", game, f"CL, stage {stage}", "score", *printed]
