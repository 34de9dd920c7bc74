"""Families of agents that can play a scenario, and who plays a player."""

from __future__ import annotations

from dataclasses import dataclass

from dilemmas.scenarios.base import Scenario
from voyager_agents.family import Family
from voyager_agents.registry import FAMILIES


@dataclass(frozen=True)
class Assignment:
    """Family and kind of the agent that plays a player."""

    family: str
    kind: str
    file: str = ""
    """File that the agent plays by, of a family with `by_file`; empty for the file of the option `file`."""


def fitting_families(plays: str, scenario: Scenario) -> dict[str, Family]:
    """Return the families that support a mode and the scenario's kind of turns."""
    turns = scenario.spec.TURNS
    return {name: each for name, each in FAMILIES.items() if plays in each.modes and each.takes in ("", turns)}
