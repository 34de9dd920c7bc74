"""Exact theory of games by formula: equilibria by counting, mixed and Bayesian equilibria, backward induction.

at_start            stock of a resource and its sustainable amount, of which all other values are the first round's
equilibria          pure Nash equilibria; of a game whose players are alike as numbers of players for each option, which
                    is exact because only these numbers count. Movers in turn are treated as if they saw nothing.
symmetric_mixed     probabilities of the first of two options with which all alike players are indifferent: the roots
                    of the difference of the two expected payoffs, a polynomial of degree n - 1
symmetric_bayesian  options by type in symmetric equilibria of a game with a private type: each type's option is a best
                    response if every other player draws its type and follows the same rule
subgame_perfect     outcomes of backward induction, and whether there is one only. Absent if movers see too little for
                    the outcome to hold (`induction.holds_with_less_seen`), or if the game is too large.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from typing import Any

from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.induction import EquilibriumPath, UnsolvedError, holds_with_less_seen, subgame_perfect
from voyager_agents.stage_games.laws import Roles

MAX_TOLD = 40
"""Maximum number of equilibria that are told."""
MAX_RULES = 1_000
"""Maximum number of rules from types to options that are checked for Bayesian equilibria."""
GRID = 1_000
"""Number of intervals in which a root of the difference of payoffs is looked for."""


def formula_theory(law: FormulaLaw) -> dict[str, Any]:
    """Return the equilibria of one round as JSON-compatible data."""
    roles = law.situations()[0]
    if law.has_types:
        return {"symmetric_bayesian": bayesian_equilibria(law)} if law.alike and not law.in_turn else {}
    found: dict[str, Any] = {}
    if state := law.state():
        found["at_start"] = {name: float(amount) for name, amount in state.items()}
    pure = pure_equilibria(law)
    key = "equilibria_by_count" if law.alike else "equilibria"
    found[key] = [_counts(law, each) if law.alike else each for each in pure[:MAX_TOLD]]
    found["equilibria_found"] = len(pure)
    if law.alike and len(law.parts[0].numbers) == 2:
        found["symmetric_mixed"] = [_weights(law, chance) for chance in mixed_equilibria(law)]
    outcomes = perfect_outcomes(law, roles)
    if outcomes is not None:
        found["subgame_perfect"] = [end.options() for end in outcomes[:MAX_TOLD]]
        found["subgame_perfect_unique"] = len(outcomes) == 1 and law.sees == "everything"
    return found


def perfect_outcomes(law: FormulaLaw, roles: Roles) -> list[EquilibriumPath] | None:
    """Return the outcomes of backward induction of a game in turn; None without turns, or if they do not hold."""
    if not law.in_turn:
        return None
    try:
        outcomes = subgame_perfect(law, roles)
    except UnsolvedError:
        return None
    return outcomes if law.sees == "everything" or holds_with_less_seen(law, roles) else None


@cache
def pure_equilibria(law: FormulaLaw) -> tuple[dict[str, str], ...]:
    """Return the pure Nash equilibria as player -> option, one for each that differs in more than names."""
    roles = law.situations()[0]
    found = []
    for chosen in law.profiles(roles):
        options = {player: option for stage in chosen for player, option in stage.items()}
        if _stays(law, roles, options):
            found.append(options)
    return tuple(found)


def _stays(law: FormulaLaw, roles: Roles, options: Mapping[str, str]) -> bool:
    """Return True if no player gains by another option of its own."""
    chosen = law.arranged(roles, options)
    checked = {option: player for player, option in options.items()} if law.alike else {}
    for player, own in options.items():
        if checked.get(own, player) != player:
            continue  # An alike player with the same option is checked in its place.
        paid = law.payoff_to(player, roles, chosen)
        for other in law.part(list(roles).index(player)).number_of:
            replaced = law.arranged(roles, {**options, player: other})
            if other != own and law.payoff_to(player, roles, replaced) > paid:
                return False
    return True


def mixed_equilibria(law: FormulaLaw) -> list[float]:
    """Return the probabilities of the first of two options in symmetric equilibria that mix both, ascending."""
    gains = _gains(law)
    others = len(gains) - 1

    def gain(chance: float) -> float:
        return sum(
            comb(others, count) * chance**count * (1 - chance) ** (others - count) * float(each)
            for count, each in enumerate(gains)
        )

    found = []
    for step in range(GRID):
        low, high = step / GRID, (step + 1) / GRID
        if step and gain(low) == 0:
            found.append(low)
        elif gain(low) * gain(high) < 0:
            found.append(_root(gain, low, high))
    return found


def _gains(law: FormulaLaw) -> list[Fraction]:
    """Return the gain from the first option over the second, by the number of others with the first, from 0."""
    roles, (first, second) = law.situations()[0], law.parts[0].number_of
    one, *others = law.players
    found = []
    for count in range(len(others) + 1):
        rest = {player: first if place < count else second for place, player in enumerate(others)}
        paid = [law.payoff_to(one, roles, law.arranged(roles, {one: own, **rest})) for own in (first, second)]
        found.append(paid[0] - paid[1])
    return found


def _root(gain: Callable[[float], float], low: float, high: float) -> float:
    """Return the root between two numbers of different sign, by bisection."""
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if gain(low) * gain(middle) > 0 else (low, middle)
    return (low + high) / 2


def bayesian_equilibria(law: FormulaLaw) -> list[dict[str, str]]:
    """Return the rules from a type to an option that are symmetric equilibria. Empty for too many rules."""
    assert law.private is not None, "a game with types"
    options, types = list(law.parts[0].number_of), law.private.values
    if len(options) ** len(types) > MAX_RULES:
        return []
    found = []
    for rule in product(options, repeat=len(types)):
        chances = {option: Fraction(rule.count(option), len(types)) for option in options}
        expected = _expected(law, chances)
        if all(
            expected[kind, own] >= expected[kind, each]
            for kind, own in zip(types, rule, strict=True)
            for each in options
        ):
            found.append({f"{float(kind):g}": own for kind, own in zip(types, rule, strict=True)})
    return found


def _expected(law: FormulaLaw, chances: Mapping[str, Fraction]) -> dict[tuple[Fraction, str], Fraction]:
    """Return (type, option) -> expected payoff against others who choose with these probabilities."""
    assert law.private is not None, "a game with types"
    options = list(chances)
    one, *others = law.players
    found: dict[tuple[Fraction, str], Fraction] = {}
    for kind in law.private.values:
        roles = law.roles_of_type(kind)
        for own in options:
            value = Fraction(0)
            for rest in combinations_with_replacement(options, len(others)):
                weight = _multinomial(rest, chances)
                if weight:
                    chosen = law.arranged(roles, {one: own, **dict(zip(others, rest, strict=True))})
                    value += weight * law.payoff_to(one, roles, chosen)
            found[kind, own] = value
    return found


def _multinomial(chosen: Sequence[str], chances: Mapping[str, Fraction]) -> Fraction:
    """Return the probability that independent draws give these options in any order."""
    counts = [chosen.count(option) for option in chances]
    ways = factorial(len(chosen)) // prod(factorial(count) for count in counts)
    powers = (chance**count for chance, count in zip(chances.values(), counts, strict=True))
    return ways * prod(powers, start=Fraction(1))


def _counts(law: FormulaLaw, options: Mapping[str, str]) -> dict[str, int]:
    chosen = list(options.values())
    return {option: chosen.count(option) for option in law.parts[0].number_of if option in chosen}


def _weights(law: FormulaLaw, chance: float) -> dict[str, float]:
    first, second = law.parts[0].number_of
    return {first: chance, second: 1 - chance}
