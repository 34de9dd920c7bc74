"""Backward induction: subgame-perfect equilibria of one round of any stage game.

The payoffs of an outcome are those of a path through the stages. In each stage the movers choose at the same time and
know all earlier choices. An outcome is an equilibrium of a stage if no mover gains by another option, after which play
goes on in the equilibrium of the rest that is worst for that mover. Chosen from the last stage to the first, these are
exactly the outcomes of subgame-perfect equilibria in pure strategies, ties included (Selten 1965; Osborne and
Rubinstein 1994, chapter 6). Private types count with their means where nobody has seen them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.laws import Choices, Roles, StageLaw

MAX_PATHS = 20_000
"""Maximum number of paths through a round; longer games are not solved."""
MAX_OUTCOMES = 64
"""Maximum number of equilibrium outcomes that are kept of one stage."""


@dataclass(frozen=True)
class EquilibriumPath:
    """Path of an equilibrium with its payoffs."""

    choices: Choices
    payoffs: Mapping[str, Fraction]

    def options(self) -> dict[str, str]:
        """Return player -> its option; of several choices the last."""
        return {player: option for stage in self.choices for player, option in stage.items()}


class UnsolvedError(Exception):
    """A game that is too large to solve."""


def subgame_perfect(law: StageLaw, roles: Roles, choices: Choices = ()) -> list[EquilibriumPath]:
    """Return the outcomes of all pure subgame-perfect equilibria of the rest of a round, without duplicates.

    Args:
        law: Law of the game.
        roles: Role of each player in the round.
        choices: Choices of the stages that are over.

    Raises:
        UnsolvedError: The game has too many paths or equilibria.
    """
    if _paths(law, roles, len(choices)) > MAX_PATHS:
        raise UnsolvedError(f"more than {MAX_PATHS} paths through a round")
    return _solved(law, roles, choices)


def _paths(law: StageLaw, roles: Roles, stage: int) -> int:
    found = 1
    for each in range(stage, len(law.stages)):
        for player in law.players:
            found *= max(1, len(law.options(each, player, roles)))
    return found


def _solved(law: StageLaw, roles: Roles, choices: Choices) -> list[EquilibriumPath]:
    stage = len(choices)
    if stage == len(law.stages):
        return [EquilibriumPath(choices, law.payoffs(roles, choices))]
    options = {player: each for player in law.players if (each := law.options(stage, player, roles))}
    profiles = list(product(*options.values()))
    rest = {each: _solved(law, roles, (*choices, dict(zip(options, each, strict=True)))) for each in profiles}
    if any(not found for found in rest.values()):
        return []
    least = {
        each: {player: min(end.payoffs[player] for end in ends) for player in options} for each, ends in rest.items()
    }
    found: dict[tuple[tuple[tuple[str, str], ...], ...], EquilibriumPath] = {}
    for each, ends in rest.items():
        needed = {
            player: max((least[other][player] for other in _deviations(each, place, own)), default=None)
            for place, (player, own) in enumerate(options.items())
        }
        for end in ends:
            if all(bound is None or end.payoffs[player] >= bound for player, bound in needed.items()):
                found[tuple(tuple(choice.items()) for choice in end.choices)] = end
    if len(found) > MAX_OUTCOMES:
        raise UnsolvedError(f"more than {MAX_OUTCOMES} equilibria of one stage")
    return list(found.values())


def _deviations(profile: tuple[str, ...], place: int, options: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return the profiles in which one mover chooses another option."""
    return [(*profile[:place], option, *profile[place + 1 :]) for option in options if option != profile[place]]


def holds_with_less_seen(law: FormulaLaw, roles: Roles) -> bool:
    """Return True if a mover's optimal choice is the same wherever it sees the same.

    Then the choices are optimal for any belief about what is hidden, and the outcome of backward induction holds for
    what movers see. False if a best choice is not unique.
    """
    chosen: dict[tuple[object, ...], str] = {}
    paths: list[Choices] = [()]
    for stage in range(len(law.stages)):
        longer: list[Choices] = []
        for choices in paths:
            ends = {tuple(end.choices[stage].items()) for end in _solved(law, roles, choices)}
            if len(ends) != 1:
                return False
            for player, option in next(iter(ends)):
                seen = law.seen_choices(stage, player, choices)
                told = law.seen_lines(stage, player, roles, choices)
                key = (stage, player, tuple(tuple(each.items()) for each in seen), told)
                if chosen.setdefault(key, option) != option:
                    return False
            movers = {player: each for player in law.players if (each := law.options(stage, player, roles))}
            longer += [(*choices, dict(zip(movers, each, strict=True))) for each in product(*movers.values())]
        paths = longer
    return True
