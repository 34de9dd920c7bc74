"""Findings on grid games: layout, the paper's measures of each condition, and its printed results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.grid import published
from accord.analysis.report.grid.published import Printed
from dilemmas.errors import UsageError
from dilemmas.records.events import GridBegun

TITLES: Mapping[str, str] = {
    "score": "Individual reward, share of the oracle's",
    "fairness": "Fairness, 1 \N{MINUS SIGN} Gini",
    "split": "Weights of the first role over the second's",
    "questions_in_all": "Questions to models for an action or a plan, a game",
}
NODES: Mapping[str, str] = {"agent": "Agents", "group": "Groups", "group_2": "Groups of groups"}
WHICH: Mapping[str, str] = {
    "mean_in": "average degree in", "mean_out": "average degree out", "max_in": "maximum degree in",
    "max_out": "maximum degree out",
}  # fmt: skip
COMPLETION = "completion_"
OVER_TIME = "_over_time"
EDGES, TOGETHER = "edges between agents", "pairs that share a group"


@dataclass(frozen=True)
class MeasureRow:
    """One measure: its title, and the printed result of a language model."""

    measure: str
    title: str
    llm: Printed | None


def game_of(comparison: Comparison) -> str:
    """Return the played game without variants, or an empty text."""
    for run in comparison.runs:
        if run.grid is not None and run.grid.begun is not None:
            # Imported here: most reports show no grid game.
            from grid_games import current_name

            return current_name(run.grid.begun.game).partition("+")[0]
    return ""


def with_learning_curves(comparison: Comparison, files: Sequence[Path]) -> Comparison:
    """Return the comparison with the learning curves of its players.

    Args:
        comparison: Runs of a grid game.
        files: Files that a learner wrote (`grid_games.learning_curves`).

    Raises:
        UsageError: A file holds no learning curve, or one of another game, or the same seed twice.
    """
    if not files:
        return comparison
    from grid_games import GridError
    from grid_games.learning_curves import read_curves

    game, found = game_of(comparison), []
    for file in files:
        try:
            found += read_curves(file)
        except GridError as error:
            raise UsageError(f"--learning-curve {error}") from None
        for each in found:
            if each.game.partition("+")[0] != game:
                played = f"play {game}" if game else "are of no grid game"
                raise UsageError(f"--learning-curve {file}: its game is {each.game}, but these runs {played}")
    if len({replace(each, points=()) for each in found}) < len(found):
        raise UsageError("--learning-curve: two files hold the same learner, game and seed; give each seed once")
    return replace(comparison, learning=tuple(found))


def measure_rows(comparison: Comparison) -> Sequence[MeasureRow]:
    """Return the paper's measures that any condition has, in the paper's order."""
    there = comparison.own_measures
    llm = published.llm_results(game_of(comparison))
    return [MeasureRow(name, title, llm.get(name)) for name, title in _titles(there) if name in there]


def _titles(there: Sequence[str]) -> Iterator[tuple[str, str]]:
    yield "score", TITLES["score"]
    yield "fairness", TITLES["fairness"]
    for name in there:
        if name.startswith(COMPLETION):
            yield name, f"Completion rate, {name.removeprefix(COMPLETION).replace('_', ' ')}"
    for node, who in NODES.items():
        for which, what in WHICH.items():
            yield f"{node}_{which}", f"{who}, {what}"
            yield f"{node}_{which}{OVER_TIME}", f"{who}, {what}, over time"
    yield "split", TITLES["split"]
    yield "questions_in_all", TITLES["questions_in_all"]


def published_scores(comparison: Comparison) -> Mapping[str, Printed]:
    """Return player -> printed score for the played game."""
    return published.SCORES.get(game_of(comparison), {})


def layout_of(comparison: Comparison) -> GridBegun | None:
    """Return the layout of the first run."""
    plays = (run.grid.begun for run in comparison.runs if run.grid is not None)
    return next((each for each in plays if each is not None), None)
