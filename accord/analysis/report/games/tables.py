"""Tables of a repeated game as CSV: its rounds, and what game theory says of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.games.findings import GameFindings, facts
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.tables import text_of
from dilemmas.records.events import RoundPlayed
from dilemmas.scenarios.repeated_game.measures import LastGame

ROUNDS = (
    "condition", "run", "seed", "round", "player", "role", "choice", "cooperation", "payoff", "image", "absent",
    "stood_in", "type",
)  # fmt: skip
TABLES = ("game_rounds.csv", "game_theory.csv")
THEORY = ("scenario", "what", "value")


def game_tables(findings: GameFindings) -> dict[str, str]:
    """Return the tables by file name."""
    comparison, game = findings.comparison, findings.game
    scenario = next(run.scenario for run in comparison.runs if run.game is not None)
    return {
        TABLES[0]: text_of(ROUNDS, (row for run in comparison.runs for row in _rounds(run))),
        TABLES[1]: text_of(THEORY, ((scenario, what, value) for what, value in facts(game))),
    }


def _rounds(run: ReportedRun) -> Iterator[Sequence[object]]:
    """Yield a row for each player of each round."""
    played = run.game or LastGame()
    for each in played.rounds:
        for player in each.payoffs:
            yield [run.condition, run.name, run.seed, each.round, player, *_row(each, player)]


def _row(each: RoundPlayed, player: str) -> list[object]:
    chosen = " ".join(stage[player] for stage in each.choices if player in stage)
    missed = sum(player in stage for stage in each.absent)
    rate, image = each.cooperation.get(player, ""), each.images.get(player, "")
    stood_in = " ".join(stage[player] for stage in each.stood_in if player in stage)
    return [
        each.roles.get(player, ""),
        chosen,
        rate,
        each.payoffs[player],
        image,
        missed,
        stood_in,
        each.types.get(player, ""),
    ]
