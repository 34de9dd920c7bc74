"""Truth that a run's scenario gives: hidden facts, goals and roles of players, places, and stocks of ore."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.records.record import CONFIG
from voyager_agents.hidden_roles.turns import INSIDER

Cell = tuple[int, int, int]
MAX_CELLS = 20_000
"""Maximum number of cells of a stock; a larger one has no truth."""


@dataclass(frozen=True)
class ScenarioTruth:
    """Hidden facts, goals and roles of players, and what the world has, as the run's scenario gives them."""

    knows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Player -> facts that it alone was told."""
    goals: Mapping[str, str] = field(default_factory=dict)
    """Player -> its secret goal."""
    roles: Mapping[str, str] = field(default_factory=dict)
    """Player -> name of its personality."""
    role_names: tuple[str, ...] = ()
    """Names of all personalities of the scenario."""
    hidden_roles: tuple[str, ...] = ()
    """Roles of a game of hidden roles: that of the odd player, and that of the others."""
    places: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Place with a name -> x and z in the world."""
    stocks: Mapping[str, frozenset[Cell]] = field(default_factory=dict)
    """Block that does not grow -> its cells in the world when an episode begins."""


def read_scenario_truth(directory: Path, condition: str) -> ScenarioTruth | None:
    """Return the truth in a run's config.yaml, or None if it cannot be read.

    Args:
        directory: Directory of the run.
        condition: Name of the condition.
    """
    try:
        return scenario_truth(load_own(read_text(directory / CONFIG))["scenario"], condition)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        return None


def scenario_truth(scenario: Mapping[str, Any], condition: str) -> ScenarioTruth:
    """Return the truth that a scenario's plain data give.

    Args:
        scenario: The scenario as plain data.
        condition: Name of the condition.

    Raises:
        ValueError, KeyError, TypeError, AttributeError: It is no scenario.
    """
    players = scenario["players"]
    chosen = (scenario.get("conditions") or {}).get(condition) or {}
    roles = {name: str(each["personality"]) for name, each in players.items() if each.get("personality")}
    usual = chosen.get("personality")
    given = usual if isinstance(usual, Mapping) else dict.fromkeys(players, usual) if usual else {}
    roles = {**{str(name): str(role) for name, role in given.items()}, **roles}
    game = scenario.get("game")
    odd = game.get("odd") if isinstance(game, Mapping) else None
    x, y, z = _cell((scenario.get("world") or {}).get("origin") or (0, 0, 0))
    places = scenario.get("places") or {}
    return ScenarioTruth(
        {name: tuple(map(str, each.get("knows") or ())) for name, each in players.items() if each.get("knows")},
        {name: str(each["goal"]["text"]) for name, each in players.items() if each.get("goal")},
        roles,
        tuple(map(str, scenario.get("personalities") or ())),
        (str(odd), INSIDER) if odd else (),
        {str(name): (float(at[0]) + x, float(at[2]) + z) for name, at in places.items()} if _named(places) else {},
        {
            str(block): frozenset((cell[0] + x, cell[1] + y, cell[2] + z) for cell in map(_cell, cells))
            for block, cells in ((scenario.get("world") or {}).get("ores") or {}).items()
            if len(cells) <= MAX_CELLS
        },
    )


def _named(places: object) -> bool:
    """Return True if places are a mapping of names to positions."""
    return isinstance(places, Mapping) and all(isinstance(at, (list, tuple)) and len(at) == 3 for at in places.values())


def _cell(at: Any) -> Cell:  # noqa: ANN401 - plain data
    x, y, z = at
    return int(x), int(y), int(z)
