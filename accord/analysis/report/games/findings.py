"""What a report has of repeated games: what game theory says of the game, its measures by condition, its rounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from dilemmas.records.events import GameBegun, RoundPlayed
from dilemmas.scenarios.repeated_game.measures import LastGame

if TYPE_CHECKING:
    from accord.analysis.report.comparison import Comparison
    from accord.analysis.report.model import ReportedRun

TextOf = Callable[[Sequence[str], Iterable[Sequence[object]]], str]
MEASURES: Mapping[str, str] = {
    "cooperation": "Cooperation",
    "mutual": "Rounds in which all cooperated",
    "efficiency": "Paid, of the best possible",
    "value_created": "Value created, of what can be beyond selfish play",
    "inequality": "Gini of what was paid",
    "rounds": "Rounds",
}
"""Measure of all together -> its title."""
ROUNDS = ("condition", "run", "seed", "round", "player", "role", "choice", "cooperation", "payoff", "image", "absent")
TABLES = ("game_rounds.csv", "game_theory.csv")
THEORY = ("scenario", "what", "value")


def begun(comparison: Comparison) -> GameBegun | None:
    """The game that is reported on; None where none was played."""
    plays = (run.game.begun for run in comparison.runs if run.game is not None)
    return next((each for each in plays if each is not None), None)


def measures(comparison: Comparison) -> list[tuple[str, str]]:
    """(measure, title) of all together, of those that any condition has."""
    return [(name, title) for name, title in MEASURES.items() if name in comparison.own_measures]


def facts(game: GameBegun) -> list[tuple[str, str]]:
    """What game theory says of the game, in words."""
    theory = game.theory
    found = [("Players' options", "; ".join(f"{who}: {', '.join(each)}" for who, each in game.options.items()))]
    social = theory.get("social_dilemma", {})
    if social:
        numbers = ", ".join(f"{name} {social[name]:g}" for name in ("R", "S", "T", "P"))
        verdict = "a social dilemma" if social["dilemma"] else "no social dilemma"
        reasons = [name for name in ("greed", "fear") if social[name] > 0]
        why = f" by {' and '.join(reasons)}" if reasons and social["dilemma"] else ""
        found.append(("One round", f"{numbers}: {verdict}{why}"))
    if "pure_equilibria" in theory:
        found += list(_of_table(theory))
    found.append(("Of all together, a round", f"{game.best:g} at best, {game.selfish:g} when all are selfish"))
    return found


def _of_table(theory: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Nash equilibria in pure strategies", _cells(theory["pure_equilibria"])
    mixed = [
        " and ".join(", ".join(f"{name} {weight:.3g}" for name, weight in each.items()) for each in pair["weights"])
        for pair in theory["mixed_equilibria"]
    ]
    yield "In mixed strategies", "; ".join(mixed) or "none"
    yield "Pareto efficient", _cells(theory["efficient"])
    yield "Dominant options", ", ".join(each or "none" for each in theory["dominant"])
    found = theory["coopetition"]
    leans = ", ".join(f"{player} {value:.3g}" for player, value in found["interdependence"].items())
    yield "Interdependence", leans
    brings = ", ".join(f"{player} {value:g}" for player, value in found["added_value"].items())
    yield "Added value", f"{brings}; together {found['value']:g}, synergy {found['synergy']:g}"
    yield "Equilibria when each counts the other by its interdependence", _cells(found["coopetitive"])


def _cells(profiles: Sequence[Sequence[str]]) -> str:
    return "; ".join(" and ".join(each) for each in profiles) or "none"


def game_tables(comparison: Comparison, text_of: TextOf) -> dict[str, str]:
    """File name -> text; nothing where no repeated game was played."""
    game = begun(comparison)
    if game is None:
        return {}
    scenario = next(run.scenario for run in comparison.runs if run.game is not None)
    return {
        TABLES[0]: text_of(ROUNDS, (row for run in comparison.runs for row in _rounds(run))),
        TABLES[1]: text_of(THEORY, ((scenario, what, value) for what, value in facts(game))),
    }


def _rounds(run: ReportedRun) -> Iterator[Sequence[object]]:
    """A row for each player of each round."""
    played = run.game or LastGame()
    for each in played.rounds:
        for player in each.payoffs:
            yield [run.condition, run.name, run.seed, each.round, player, *_row(each, player)]


def _row(each: RoundPlayed, player: str) -> list[object]:
    chosen = " ".join(stage[player] for stage in each.choices if player in stage)
    missed = sum(player in stage for stage in each.absent)
    rate, image = each.cooperation.get(player, ""), each.images.get(player, "")
    return [each.roles.get(player, ""), chosen, rate, each.payoffs[player], image, missed]
