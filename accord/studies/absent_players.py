"""Stand-ins for absent players: the player that takes a seat of a scenario while its own player is away."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from accord.studies.fitting import fitting_families
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario
from voyager_agents.errors import AgentError, did_you_mean
from voyager_agents.human.connection import HUMAN
from voyager_agents.registry import check_options

IDLE, RANDOM, GREEDY, DEFAULT = "idle", "random", "greedy", "reference"
STAND_INS = (IDLE, RANDOM, GREEDY, DEFAULT)
"""Names of stand-ins: a player that does nothing, acts at random, maximizes its own payoff, or is the usual one."""


def stand_ins(scenario: Scenario, plays: str) -> dict[str, str]:
    """Return name -> kind of player for the stand-ins that a scenario has in a mode of play.

    `greedy` is the defector of the scenario's dilemma, or else a kind of this name. `reference` is the usual player
    without a model.
    """
    kinds = kinds_without_model(scenario, plays)
    dilemma = scenario.spec.dilemma
    found = {name: name for name in (IDLE, RANDOM) if name in kinds}
    if dilemma is not None and dilemma.defect in kinds:
        found[GREEDY] = dilemma.defect
    elif GREEDY in kinds:
        found[GREEDY] = GREEDY
    usual = dilemma.usual if dilemma is not None else None
    if kinds:
        found[DEFAULT] = usual if usual in kinds else kinds[0]
    return found


def usual_stand_in(scenario: Scenario, plays: str) -> str:
    """Return the default stand-in: the first of `STAND_INS` that the scenario has. Raises UsageError without any."""
    return next(iter(_legal(scenario, plays)))


def stand_in_kind(scenario: Scenario, plays: str, name: str) -> str:
    """Return the kind of player for a stand-in, or for the name of a kind itself. Raises UsageError."""
    found = _legal(scenario, plays)
    kinds = kinds_without_model(scenario, plays)
    if name not in found and name not in kinds:
        if name in STAND_INS:
            raise UsageError(
                f"absent: {scenario.spec.name} has no {name} players; choose one of {', '.join(found)}, or a kind of "
                f"its players: {', '.join(kinds)}"
            )
        raise UsageError(
            f"absent: {name!r} is not legal{did_you_mean(name, [*found, *kinds])}; choose one of {', '.join(found)}, "
            f"or a kind of the players of {scenario.spec.name}: {', '.join(kinds)}"
        )
    return found.get(name, name)


def replaceable(scenario: Scenario) -> list[str]:
    """Return the players whose seats can be taken by others: all but the scenario's own bots."""
    return [name for name, player in scenario.spec.players.items() if player.bot is None]


def _legal(scenario: Scenario, plays: str) -> Mapping[str, str]:
    found = stand_ins(scenario, plays)
    if not found:
        raise UsageError(f"{scenario.spec.name} has no players without a model that could stand in for absent ones")
    return {name: found[name] for name in STAND_INS if name in found}


def kinds_without_model(scenario: Scenario, plays: str) -> list[str]:
    """Return the kinds, or families without kinds, that need no model and no person, the usual ones first."""
    families = fitting_families(plays, scenario)
    names: Iterable[str] = (
        name
        for family, each in families.items()
        if not each.roles and HUMAN not in each.kind_names() and _needs_no_options(family)
        for name in each.kind_names() or [family]
    )
    return list(dict.fromkeys(names))


def _needs_no_options(family: str) -> bool:
    """Return True if a family plays without options, such as the file of a policy."""
    try:
        check_options(family, {})
    except AgentError:
        return False
    return True
