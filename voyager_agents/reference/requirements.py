"""Checks for the facts that a reference player needs; missing facts raise a one-line error."""

from __future__ import annotations

from voyager_agents.agent import Observation
from voyager_agents.errors import PlayerError
from voyager_agents.facts import BuildFacts, Commons, Facts, KitchenFacts, PublicGood, StageGame


def mining_facts(kind: str, observation: Observation) -> Facts:
    """Return the facts of a mining dilemma with a chest. Raises PlayerError for other facts."""
    facts = observation.facts
    if not isinstance(facts, Facts) or facts.chest is None:
        raise PlayerError(f"{kind}: the observation has no facts with a chest: give the scenario's facts")
    return facts


def public_good(kind: str, observation: Observation) -> PublicGood:
    """Return the facts of a public good. Raises PlayerError for other facts."""
    if not isinstance(observation.facts, PublicGood):
        raise PlayerError(f"{kind}: the observation has no facts of a public good: it plays scenarios like cleanup")
    return observation.facts


def commons(kind: str, observation: Observation) -> Commons:
    """Return the facts of a commons. Raises PlayerError for other facts."""
    if not isinstance(observation.facts, Commons):
        raise PlayerError(f"{kind}: the observation has no facts of a commons: it plays scenarios like commons-harvest")
    return observation.facts


def stage_game(kind: str, observation: Observation) -> StageGame:
    """Return the facts of a repeated game. Raises PlayerError for other facts."""
    if not isinstance(observation.facts, StageGame):
        raise PlayerError(f"{kind}: the observation has no game: it plays scenarios like repeated-game")
    return observation.facts


def building(kind: str, observation: Observation) -> BuildFacts:
    """Return the facts of a building. Raises PlayerError for other facts."""
    if not isinstance(observation.facts, BuildFacts):
        raise PlayerError(f"{kind}: the observation has no building: it plays scenarios like build-together")
    return observation.facts


def kitchen(kind: str, observation: Observation) -> KitchenFacts:
    """Return the facts of a kitchen. Raises PlayerError for other facts."""
    if not isinstance(observation.facts, KitchenFacts):
        raise PlayerError(f"{kind}: the observation has no kitchen: it plays scenarios like kitchen")
    return observation.facts
