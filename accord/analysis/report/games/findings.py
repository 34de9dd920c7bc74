"""Findings on repeated games: what game theory says of the game, and its measures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from accord.analysis.report.comparison import Comparison
from dilemmas.records.events import GameBegun

MEASURES: Mapping[str, str] = {
    "cooperation": "Cooperation",
    "mutual": "Rounds in which all cooperated",
    "efficiency": "Paid, of the best possible",
    "value_created": "Value created, of what can be beyond selfish play",
    "inequality": "Gini of what was paid",
    "survival": "Rounds before the stock collapsed",
    "gain": "Payoff of a player in the whole game",
    "equality": "Equality of what was paid",
    "over_usage": "Choices above the sustainable share",
    "caps_agreed": "Councils that agreed on a cap",
    "cap": "Cap that held, on average",
    "rounds": "Rounds",
    "nash_gap": "Gains of all players' best responses, a round",
    "equilibrium_distance": "Distance to the nearest equilibrium",
}
"""Measure of all players together -> its title."""
OWN: Mapping[str, str] = {
    "best_response_gap": "Gain of a best response",
    "exploitability": "Gain of the other's best response over its maximin value",
    "correlated_gap": "Gain of the best replacement of each option",
    "cap_kept": "Choices that kept to the cap",
    "cap_excess": "Taken above the cap, a round",
}
"""Measure of each player -> its title."""


@dataclass(frozen=True)
class GameFindings:
    """The repeated game that was played, with all runs."""

    comparison: Comparison
    game: GameBegun


def find_game(comparison: Comparison) -> GameFindings | None:
    """Return the game of the first run that played one, or None."""
    plays = (run.game.begun for run in comparison.runs if run.game is not None)
    game = next((each for each in plays if each is not None), None)
    return None if game is None else GameFindings(comparison, game)


def measures(comparison: Comparison) -> list[tuple[str, str]]:
    """Return (measure, title) for the measures of all players together that any condition has."""
    return [(name, title) for name, title in MEASURES.items() if name in comparison.own_measures]


def own_measures(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return (measure, player, title) for the measures of single players that any condition has."""
    return [
        (name, player, title)
        for name, title in OWN.items()
        for player in comparison.players
        if any(condition.measure(name, player) for condition in comparison.conditions)
    ]


def facts(game: GameBegun) -> list[tuple[str, str]]:
    """Return what game theory says of the game as (property, value in words)."""
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
    found += list(_of_group(theory))
    found += list(_solutions(theory))
    best = "if the stock is to last" if "at_start" in theory else "at best"
    found.append(("Of all together, a round", f"{game.best:g} {best}, {game.selfish:g} when all are selfish"))
    return found


def _of_table(theory: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "Nash equilibria in pure strategies", _cells(theory["pure_equilibria"])
    yield "In mixed strategies", _pairs(theory["mixed_equilibria"])
    yield "Pareto efficient", _cells(theory["efficient"])
    yield "Dominant options", ", ".join(each or "none" for each in theory["dominant"])
    found = theory["coopetition"]
    leans = ", ".join(f"{player} {value:.3g}" for player, value in found["interdependence"].items())
    yield "Interdependence", leans
    brings = ", ".join(f"{player} {value:g}" for player, value in found["added_value"].items())
    yield "Added value", f"{brings}; together {found['value']:g}, synergy {found['synergy']:g}"
    yield "Equilibria when each counts the other by its interdependence", _cells(found["coopetitive"])


def _of_group(theory: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what is known of a game by formula."""
    if "at_start" in theory:
        yield "At the start", ", ".join(f"{name} {amount:g}" for name, amount in theory["at_start"].items())
    if "equilibria_found" in theory:
        told = [*theory.get("equilibria_by_count", ()), *theory.get("equilibria", ())]
        more = theory["equilibria_found"] - len(told)
        rest = f"; and {more} more" if more else ""
        yield "Nash equilibria in pure strategies, of choices made together", f"{_profiles(told)}{rest}"
    if "symmetric_mixed" in theory:
        yield "In mixed strategies, the same for all", _profiles(theory["symmetric_mixed"])
    if "symmetric_bayesian" in theory:
        yield "Bayesian equilibria, option by type, the same for all", _profiles(theory["symmetric_bayesian"])
    if "subgame_perfect" in theory:
        only = " (the only one)" if theory["subgame_perfect_unique"] else ""
        yield "Subgame-perfect equilibria, by backward induction", f"{_profiles(theory['subgame_perfect'])}{only}"


def _solutions(theory: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the correlated equilibria and security levels, and what was not computed."""
    for name, found in theory.get("correlated", {}).items():
        title = {"best": "highest", "worst": "lowest"}[name]
        order = ", in any order" if found["any_order"] else ""
        cells = "; ".join(f"{' and '.join(each['options'])} {each['weight']:.3g}" for each in found["weights"])
        yield f"Correlated equilibrium with the {title} total", f"{found['total']:.4g}{order}: {cells}"
    if "security" in theory:
        yield "Maximin", "; ".join(_security(player, each) for player, each in theory["security"].items())
    if theory.get("degenerate"):
        yield "Degenerate", f"yes; further extreme equilibria: {_pairs(theory.get('further_equilibria', ()))}"
    if "evolution" in theory:
        yield from _evolution(theory["evolution"])
    if "skipped" in theory:
        yield "Not computed", "; ".join(f"{what}: {why}" for what, why in theory["skipped"].items())


def _evolution(found: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the rest points of replicator dynamics."""
    points = found["rest_points"]
    yield "Evolutionarily stable", _profiles([each["state"] for each in points if each["ess"]])
    kinds = (f"{_profiles([each['state']])} ({each['dynamics']})" for each in points)
    yield "Rest points of replicator dynamics", "; ".join(kinds)
    yield "Reached from equal shares", _profiles([found["from_equal_shares"]])


def _pairs(pairs: Sequence[Mapping[str, Any]]) -> str:
    """Return mixed equilibria in words."""
    told = (" and ".join(_profiles([each]) for each in pair["weights"]) for pair in pairs)
    return "; ".join(told) or "none"


def _security(player: str, found: Mapping[str, Any]) -> str:
    strategy = ", ".join(f"{option} {weight:.3g}" for option, weight in found["strategy"].items())
    return f"{player} {found['maximin']:.4g} by {strategy} (single options {found['pure_maximin']:.4g})"


def _profiles(profiles: Sequence[Mapping[str, Any]]) -> str:
    """Return equilibria in words: `volunteer 1, wait 3; ...`."""
    told = (
        ", ".join(f"{name} {value if isinstance(value, str) else format(value, '.4g')}" for name, value in each.items())
        for each in profiles
    )
    return "; ".join(told) or "none"


def _cells(profiles: Sequence[Sequence[str]]) -> str:
    return "; ".join(" and ".join(each) for each in profiles) or "none"
