"""Adversaries of a study: who plays one, by program or by a secret text, and which words reach the others.

An adversary that acts takes its player's seat with a program of its own. One that speaks keeps the conduct of its
player and says lines. A model in the seat is told its part in secret instead, and plays on as it likes.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from accord.studies.absent_players import GREEDY, kinds_without_model, stand_ins
from accord.studies.fitting import Assignment
from accord.studies.option_groups import QUARANTINED, PlayerOptions
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import Agents
from dilemmas.scenarios.base import Scenario
from voyager_agents.adversaries.kinds import CIVIC, LIVED, NULL, TALK, Adversary, adversaries
from voyager_agents.adversaries.quarantine import QuarantinedAgent
from voyager_agents.adversaries.speakers import CHANNELS, SpeakingAgent
from voyager_agents.errors import did_you_mean
from voyager_agents.human.connection import HUMAN
from voyager_agents.registry import FAMILIES


def adversaries_of(settings: PlayerOptions, scenario: Scenario) -> dict[str, Adversary]:
    """Return player -> adversary, without null ones. Raises UsageError for unknown players and kinds."""
    found: dict[str, Adversary] = {}
    table = adversaries()
    for player, name in settings.adversaries.items():
        if player not in scenario.spec.players:
            hint = did_you_mean(player, scenario.spec.players)
            raise UsageError(
                f"adversary: unknown player {player!r}{hint}; choose from {', '.join(scenario.spec.players)}"
            )
        if name not in table and name != NULL:
            hint = did_you_mean(name, table)
            raise UsageError(f"adversary: {name!r} is not legal{hint}; choose one of {', '.join([*table, NULL])}")
        if name != NULL:
            found[player] = table[name]
    return found


def acting_kind(adversary: Adversary, scenario: Scenario, plays: str) -> str:
    """Return the kind of player that acts as an adversary. Raises UsageError if the scenario has none."""
    legal = kinds_without_model(scenario, plays)
    kinds = [stand_ins(scenario, plays).get(GREEDY, "") if each == GREEDY else each for each in adversary.plays]
    found = next((each for each in kinds if each in legal), None)
    if found is None:
        others = [name for name, each in adversaries().items() if _fits(each, scenario, plays)]
        told = f"choose one of {', '.join(others)}" if others else "it has no adversaries without a model"
        raise UsageError(f"adversary: {scenario.spec.name} has no {adversary.name} without a model; {told}")
    return found


def has_talks(settings: PlayerOptions, scenario: Scenario) -> bool:
    """Return True if players talk or negotiate under one of the study's conditions."""
    for text in getattr(settings, "contracts", ()):
        base = str(text).partition("+")[0]
        condition = scenario.spec.conditions.get(base)
        if condition is not None and condition.contract == "negotiated":
            return True
    return False


def _fits(adversary: Adversary, scenario: Scenario, plays: str, *, talks: bool = False) -> bool:
    if adversary.speaks:
        return (plays, scenario.spec.TURNS) in CHANNELS or (plays, "") in CHANNELS or (talks and plays != "grid")
    legal = kinds_without_model(scenario, plays)
    return any(each in legal or (each == GREEDY and GREEDY in stand_ins(scenario, plays)) for each in adversary.plays)


def check_adversaries(
    settings: PlayerOptions, scenario: Scenario, plays: str, places: Mapping[str, Assignment]
) -> None:
    """Check that all adversaries can do their part.

    Args:
        settings: Players of the study.
        scenario: The scenario.
        plays: Mode of play.
        places: Player -> who plays it.

    Raises:
        UsageError: One is a person, speaks where nobody can, or is a model that cannot be told anything.
    """
    talks = has_talks(settings, scenario)
    for player, adversary in adversaries_of(settings, scenario).items():
        place = places[player]
        family = FAMILIES[place.family]
        if place.kind == HUMAN:
            raise UsageError(f"adversary: {player} is a person; tell that person what to do, and leave it out")
        if family.roles and not family.reads_about and not scenario.spec.persona(player, ""):
            raise UsageError(
                f"adversary: agents of the family {place.family!r} read nothing that {player} alone is told; choose "
                "another family with --agents, or a player without a model"
            )
        if not family.roles and adversary.speaks and not _fits(adversary, scenario, plays, talks=talks):
            acting = [name for name, each in adversaries().items() if not each.speaks and _fits(each, scenario, plays)]
            negotiated = [name for name, each in scenario.spec.conditions.items() if each.contract == "negotiated"]
            ways = [f"choose one of {', '.join(acting)}"] if acting else []
            if negotiated and plays != "grid":
                ways.append(f"let players talk, with --contract {negotiated[0]}")
            raise UsageError(
                f"adversary: players of {scenario.spec.name} have no channel for the words of a {adversary.name}"
                + (f"; {', or '.join(ways)}" if ways else "")
            )


def with_secret_parts(settings: PlayerOptions, scenario: Scenario, places: Mapping[str, Assignment]) -> Scenario:
    """Return the scenario in which models are told the parts of their adversaries in secret.

    Players without a model act or speak instead, so that without models the scenario stays as it is.
    """
    told = {
        player: adversary.told
        for player, adversary in adversaries_of(settings, scenario).items()
        if FAMILIES[places[player].family].reads_about and FAMILIES[places[player].family].roles
    }
    if not told:
        return scenario
    players = {
        name: spec.model_copy(update={"knows": (*spec.knows, told[name])}) if name in told else spec
        for name, spec in scenario.spec.players.items()
    }
    return type(scenario)(scenario.spec.model_copy(update={"players": players}), scenario.path)


def persona_of(settings: PlayerOptions, scenario: Scenario, player: str, condition: str) -> dict[str, Any]:
    """Return a player's persona under a condition, with the part of an adversary as its last trait.

    Args:
        settings: Players of the study.
        scenario: The scenario.
        player: Name of the player.
        condition: Name of the condition.
    """
    persona = scenario.spec.persona(player, condition)
    adversary = adversaries_of(settings, scenario).get(player)
    if not persona or adversary is None:
        return persona
    return {**persona, "traits": [*persona.get("traits", ()), adversary.told]}


def with_words(
    settings: PlayerOptions, scenario: Scenario, seed: int, places: Mapping[str, Assignment], agents: Agents
) -> Agents:
    """Return the agents, of which adversaries without a model speak, and which hear nothing in quarantine.

    Args:
        settings: Players of the study.
        scenario: The scenario.
        seed: Seed of the run.
        places: Player -> who plays it.
        agents: Player -> its agent.
    """
    speaking = {
        player: adversary
        for player, adversary in adversaries_of(settings, scenario).items()
        if adversary.speaks and not FAMILIES[places[player].family].roles
    }
    found: dict[str, Any] = {}
    for player, agent in agents.items():
        person = places[player].kind == HUMAN
        mode = FAMILIES[places[player].family].modes
        deaf = settings.words == QUARANTINED and not person and not {"grid", "iterations"} & set(mode)
        found[player] = QuarantinedAgent(agent) if deaf else agent
        if player in speaking:
            civic = "office" in scenario.spec.persona(player, "")
            scene = CIVIC if civic else LIVED if "life" in mode else ""
            if "rounds" in mode and ("rounds", scenario.spec.TURNS) not in CHANNELS:
                scene = TALK
            names = list(scenario.spec.players)
            # Only some worlds have ores.
            stocks = sorted(getattr(scenario.spec.world, "ores", {}))
            lines = partial(speaking[player].lines, player, names, seed, scene, stocks=stocks)
            found[player] = SpeakingAgent(found[player], lines)
    return found
