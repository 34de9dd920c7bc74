"""Distance from equilibrium of choices that were played in the rounds of a game.

Each player's own choices give its empirical mixture; the rounds in which all chose give the empirical joint play.

    best_response_gap     gain of a best response to the other players' empirical mixtures over the player's own mixture
    nash_gap              sum of these gaps (NashConv): 0 exactly at a Nash equilibrium
    exploitability        gain of the other player's best response to the player's mixture over the other's maximin
                          value; in a zero-sum game what a best response takes beyond the value. Two players only.
    correlated_gap        gain of the best rule that replaces each option of the player by another, against the joint
                          play (swap regret): all are 0 exactly if joint play is a correlated equilibrium
    loyalty               mean over rounds of the least weight on the others' payoffs that explains the player's choice,
                          0 (selfish) to 1 (the highest total); rounds that no such weight explains are left out
    equilibrium_distance  mean over players of the total variation distance, 0 to 1, between empirical mixtures and the
                          nearest known Nash equilibrium: those with supports of equal size of a table; else pure ones,
                          and the symmetric ones of interchangeable players with two options

Gains are payoffs of a round. All measures are of the stage game: strategies of the repeated game may deter deviations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache

from voyager_agents.stage_games.equilibria import Mixture, mixed, table_of
from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.group_theory import mixed_equilibria
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.loyalty import mean_weight
from voyager_agents.stage_games.normal_form import NormalForm, Place
from voyager_agents.stage_games.solutions import form_of, security_of
from voyager_agents.stage_games.tables import Matrix

TOGETHER = ""
"""Name of all players together."""
Measures = dict[str, dict[str, float]]
"""Measure -> player or TOGETHER -> value."""


def play_measures(law: StageLaw, rounds: Sequence[Mapping[str, str]]) -> Measures:
    """Return the measures of the rounds; empty for a game without a normal form, or if a player never chose.

    Args:
        law: Law of the game.
        rounds: For each round, player -> its own choice, without choices of stand-ins.
    """
    game = form_of(law)
    if isinstance(game, str):
        return {}
    counted = [_placed(game, each) for each in rounds]
    mixtures = [_mixture(game, counted, player) for player in range(len(game.players))]
    if any(each is None for each in mixtures):
        return {}
    known = [each for each in mixtures if each is not None]
    values = [_values(game, known, player) for player in range(len(game.players))]
    gaps = [max(each) - _dot(each, own) for each, own in zip(values, known, strict=True)]
    found = {"best_response_gap": _by_player(game, gaps), "nash_gap": {TOGETHER: float(sum(gaps))}}
    sure = security_of(law) if len(game.players) == 2 else ""
    if not isinstance(sure, str):
        found["exploitability"] = _by_player(game, [max(values[other]) - sure[other].value for other in (1, 0)])
    if joint := joint_profiles(game, rounds):
        found["correlated_gap"] = _by_player(
            game, [_swap_regret(game, joint, player) for player in range(len(game.players))]
        )
        weights = {name: mean_weight(game, joint, player) for player, name in enumerate(game.players)}
        if revealed := {name: float(weight) for name, weight in weights.items() if weight is not None}:
            found["loyalty"] = revealed
    if (distance := _distance(law, game, known)) is not None:
        found["equilibrium_distance"] = {TOGETHER: float(distance)}
    return found


def joint_profiles(game: NormalForm, rounds: Sequence[Mapping[str, str]]) -> list[Place]:
    """Return the profiles of the rounds in which all players chose themselves."""
    placed = (_placed(game, each) for each in rounds)
    return [tuple(each.values()) for each in placed if len(each) == len(game.players)]


def _placed(game: NormalForm, chosen: Mapping[str, str]) -> dict[int, int]:
    """Return player -> option by their places, in the order of players."""
    return {
        player: game.options[player].index(chosen[name])
        for player, name in enumerate(game.players)
        if chosen.get(name) in game.options[player]
    }


def _mixture(game: NormalForm, rounds: Sequence[Mapping[int, int]], player: int) -> Mixture | None:
    chosen = [each[player] for each in rounds if player in each]
    if not chosen:
        return None
    return tuple(Fraction(chosen.count(option), len(chosen)) for option in range(len(game.options[player])))


def _values(game: NormalForm, mixtures: Sequence[Mixture], player: int) -> list[Fraction]:
    """Return the expected payoff of each option of a player against the others' mixtures."""
    rest: dict[Place, Fraction] = {(): Fraction(1)}
    for place, mixture in enumerate(mixtures):
        if place != player:
            longer: dict[Place, Fraction] = {}
            for before, chance in rest.items():
                for option, weight in enumerate(mixture):
                    if weight:
                        key = (*before, option)
                        # Among interchangeable players only counts matter, which keeps the distribution small.
                        key = tuple(sorted(key)) if game.interchangeable else key
                        longer[key] = longer.get(key, Fraction(0)) + chance * weight
            rest = longer
    return [
        sum(
            (
                chance * game.payoff(player, (*others[:player], own, *others[player:]))
                for others, chance in rest.items()
            ),
            Fraction(0),
        )
        for own in range(len(game.options[player]))
    ]


def _swap_regret(game: NormalForm, joint: Sequence[Place], player: int) -> Fraction:
    """Return the mean gain of a round from the best replacement of each option."""
    size = len(game.options[player])
    sums = [[Fraction(0)] * size for _ in range(size)]
    for profile, count in Counter(joint).items():
        for other in range(size):
            changed = game.with_option(profile, player, other)
            sums[profile[player]][other] += count * (game.payoff(player, changed) - game.payoff(player, profile))
    return sum((max(each) for each in sums), Fraction(0)) / len(joint)


def _distance(law: StageLaw, game: NormalForm, mixtures: Sequence[Mixture]) -> Fraction | None:
    """Return the distance to the nearest known equilibrium; None if none is known."""
    found = [_nearest(game, mixtures, each) for each in pure_equilibria(law)]
    for equilibrium in _mixed_equilibria(law):
        apart = [
            sum((abs(one - other) for one, other in zip(own, each, strict=True)), Fraction(0)) / 2
            for own, each in zip(mixtures, equilibrium, strict=True)
        ]
        found.append(sum(apart, Fraction(0)) / len(apart))
    return min(found, default=None)


@cache
def pure_equilibria(law: StageLaw) -> tuple[Place, ...]:
    """Return the pure Nash equilibria of a law with a normal form; of interchangeable players one of each kind."""
    game = form_of(law)
    assert isinstance(game, NormalForm), "a game with a normal form"
    return tuple(each for each in game.profiles if game.is_equilibrium(each))


@cache
def _mixed_equilibria(law: StageLaw) -> tuple[tuple[Mixture, ...], ...]:
    if isinstance(law, Matrix):
        return tuple(mixed(table_of(law)))
    if isinstance(law, FormulaLaw) and law.alike and len(law.parts[0].numbers) == 2:
        chances = [Fraction(each) for each in mixed_equilibria(law)]
        return tuple(((chance, 1 - chance),) * len(law.players) for chance in chances)
    return ()


def _nearest(game: NormalForm, mixtures: Sequence[Mixture], profile: Place) -> Fraction:
    """Return the mean distance to a pure profile, or to the nearest exchange of its interchangeable players."""
    if not game.interchangeable:
        weights = [mixture[own] for mixture, own in zip(mixtures, profile, strict=True)]
    else:
        weights = [_assigned(tuple(mixtures), profile)]
    return 1 - sum(weights, Fraction(0)) / len(mixtures)


@cache
def _assigned(mixtures: tuple[Mixture, ...], left: Place) -> Fraction:
    """Return the greatest sum of players' weights on options if each gets one of those that are left."""
    if not mixtures:
        return Fraction(0)
    return max(
        mixtures[0][own] + _assigned(mixtures[1:], (*left[:place], *left[place + 1 :]))
        for place, own in enumerate(left)
        if own not in left[:place]
    )


def _dot(values: Sequence[Fraction], mixture: Mixture) -> Fraction:
    return sum((value * weight for value, weight in zip(values, mixture, strict=True)), Fraction(0))


def _by_player(game: NormalForm, amounts: Sequence[Fraction]) -> dict[str, float]:
    return {player: float(each) for player, each in zip(game.players, amounts, strict=True)}
