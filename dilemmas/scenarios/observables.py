"""Observables of an episode: the table of facts on which contracts are judged."""

from __future__ import annotations

from collections.abc import Mapping

from contracts import Observables, PlayerFacts
from dilemmas.records.events import Holdings
from dilemmas.scenarios.base import Scenario

NO_HOLDINGS = Holdings(items={}, mined={}, reward=0.0)
"""Holdings of a player that has done nothing."""


def facts_of(players: Mapping[str, Holdings], prices: Mapping[str, Mapping[str, float]]) -> dict[str, PlayerFacts]:
    """Return player -> facts that contracts can name; `prices` is player -> item -> emeralds for one."""
    return {
        name: PlayerFacts(items=held.items, mined=held.mined, value=prices[name], reward=held.reward)
        for name, held in players.items()
    }


def prices_of(scenario: Scenario) -> dict[str, Mapping[str, float]]:
    """Return player -> item -> price in emeralds."""
    return {name: player.prices for name, player in scenario.spec.players.items()}


def observables(scenario: Scenario, players: Mapping[str, Holdings], chest: Mapping[str, int]) -> Observables:
    """Return the observables of an episode with these holdings at its end."""
    words = scenario.vocabulary()
    facts = facts_of(players, prices_of(scenario))
    return Observables.collect(facts, chest, items=words.items, blocks=words.blocks)


def initial_observables(scenario: Scenario) -> Observables:
    """Return the observables of an episode in which nobody did anything."""
    return observables(scenario, dict.fromkeys(scenario.spec.players, NO_HOLDINGS), {})
