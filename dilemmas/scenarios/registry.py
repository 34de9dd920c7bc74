"""The scenarios there are: a literal table, loaded lazily, and the one front door `load_scenario`."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dilemmas.errors import SpecError, UsageError
from dilemmas.scenarios.loader import load_spec
from dilemmas.scenarios.protocol import Repeats, Scenario
from dilemmas.scenarios.spec import ScenarioSpec

SCENARIOS: dict[str, str] = {
    "ada-contract": "dilemmas.scenarios.ada_contract.scenario:AdaGame",
    "ada-exploration": "dilemmas.scenarios.ada_exploration.scenario:AdaGame",
    "ada-negotiation": "dilemmas.scenarios.ada_negotiation.scenario:AdaGame",
    "ada-social-structure": "dilemmas.scenarios.ada_social_structure.scenario:AdaGame",
    "cleanup": "dilemmas.scenarios.cleanup.scenario:Cleanup",
    "commons-harvest": "dilemmas.scenarios.commons_harvest.scenario:CommonsHarvest",
    "double-vein": "dilemmas.scenarios.double_vein.scenario:DoubleVein",
    "perception-chef": "dilemmas.scenarios.perception_chef.scenario:PerceptionChef",
    "perception-room": "dilemmas.scenarios.perception_room.scenario:PerceptionRoom",
    "perception-town": "dilemmas.scenarios.perception_town.scenario:PerceptionTown",
    "progression": "dilemmas.scenarios.progression.scenario:Progression",
    "religion": "dilemmas.scenarios.religion.scenario:Religion",
    "repeated-game": "dilemmas.scenarios.repeated_game.scenario:RepeatedGame",
    "taxation": "dilemmas.scenarios.taxation.scenario:Taxation",
    "village": "dilemmas.scenarios.village.scenario:Village",
}
"""Scenario name -> "module:class"; the class takes its `Spec`. Its YAML is in its folder, of the same name."""

VARIANTS: dict[str, str] = {
    "ada-contract-hard": "ada_contract/ada_contract_hard.yaml",
    "ada-negotiation-hard": "ada_negotiation/ada_negotiation_hard.yaml",
    "battle-of-the-sexes": "repeated_game/battle_of_the_sexes.yaml",
    "chicken": "repeated_game/chicken.yaml",
    "commons-harvest-bots": "commons_harvest/commons_harvest_bots.yaml",
    "commons-harvest-known-selfish": "commons_harvest/commons_harvest_known_selfish.yaml",
    "commons-harvest-single-tree": "commons_harvest/commons_harvest_single_tree.yaml",
    "donor-game": "repeated_game/donor_game.yaml",
    "prisoners-dilemma": "repeated_game/prisoners_dilemma.yaml",
    "prisoners-dilemma-random": "repeated_game/prisoners_dilemma_random.yaml",
    "prisoners-dilemma-unknown": "repeated_game/prisoners_dilemma_unknown.yaml",
    "progression-long": "progression/progression_long.yaml",
    "public-goods": "repeated_game/public_goods.yaml",
    "public-goods-punishment": "repeated_game/public_goods_punishment.yaml",
    "religion-small": "religion/religion_small.yaml",
    "rock-paper-scissors": "repeated_game/rock_paper_scissors.yaml",
    "stag-hunt": "repeated_game/stag_hunt.yaml",
    "trust-game": "repeated_game/trust_game.yaml",
    "ultimatum-game": "repeated_game/ultimatum_game.yaml",
}
"""Variant -> its YAML in this folder, which extends a scenario's and overrides a few keys."""


def scenario_names() -> list[str]:
    """All registered scenarios and their variants, in alphabetical order."""
    return sorted([*SCENARIOS, *VARIANTS])


def spec_path(name: str) -> Path:
    """The YAML file of a registered scenario or variant."""
    if name in VARIANTS:
        return Path(__file__).parent / VARIANTS[name]
    folder = SCENARIOS[name].split(".")[2]
    return Path(__file__).parent / folder / f"{folder}.yaml"


def load_scenario(name: str, changes: Mapping[str, Any] | None = None) -> Scenario:
    """The scenario of that name, or the variant in that YAML file, with these changes to its data. Raises UsageError in
    one line."""
    if name in scenario_names():
        path = spec_path(name)
    elif name.endswith((".yaml", ".yml")):
        path = Path(name)
    else:
        close = difflib.get_close_matches(name, scenario_names(), n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(
            f"unknown scenario {name!r}{hint}: choose one of {', '.join(scenario_names())}, or give a .yaml file"
        )

    def model_of(given: object) -> type[ScenarioSpec]:
        if not isinstance(given, str):
            return ScenarioSpec
        if given not in SCENARIOS:
            raise SpecError(f"{path}: scenario: {given!r} is not registered; legal are {', '.join(SCENARIOS)}")
        model: type[ScenarioSpec] = _class(given).Spec
        return model

    spec = load_spec(path, model_of, changes)
    scenario: Scenario = _class(spec.scenario)(spec, path)
    return scenario


def load_repeated(name: str, rounds: int | None) -> Scenario:
    """The scenario of that name; a repeated game with so many rounds, where a number is given. Raises UsageError."""
    scenario = load_scenario(name)
    if rounds is None:
        return scenario
    if not isinstance(scenario, Repeats):
        raise UsageError(f"repeat: {scenario.spec.name} is no repeated game; leave out --repeat")
    return load_scenario(name, scenario.repeated(rounds))


def _class(name: str) -> Any:  # noqa: ANN401 - a class of the table, made known by its name only
    module, _, attribute = SCENARIOS[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
