"""Table of scenarios, loaded lazily, and `load_scenario`."""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from common.answers.stand_ins import StandIn
from common.plugins import PluginEntry, PluginTable
from dilemmas.errors import SpecError, UsageError
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.loader import explain_error, load_spec, read_scenario
from dilemmas.scenarios.observables import check_goals
from dilemmas.scenarios.spec import ScenarioSpec

SCENARIOS: dict[str, str] = {
    "ada-contract": "dilemmas.scenarios.ada_contract.scenario:AdaGame",
    "ada-exploration": "dilemmas.scenarios.ada_exploration.scenario:AdaGame",
    "ada-negotiation": "dilemmas.scenarios.ada_negotiation.scenario:AdaGame",
    "ada-social-structure": "dilemmas.scenarios.ada_social_structure.scenario:AdaGame",
    "build-together": "dilemmas.scenarios.build_together.scenario:BuildTogether",
    "chameleon": "dilemmas.scenarios.chameleon.scenario:Chameleon",
    "cleanup": "dilemmas.scenarios.cleanup.scenario:Cleanup",
    "commons-harvest": "dilemmas.scenarios.commons_harvest.scenario:CommonsHarvest",
    "conquest": "dilemmas.scenarios.conquest.scenario:Conquest",
    "double-vein": "dilemmas.scenarios.double_vein.scenario:DoubleVein",
    "kitchen": "dilemmas.scenarios.kitchen.scenario:SoupKitchen",
    "perception-chef": "dilemmas.scenarios.perception_chef.scenario:PerceptionChef",
    "perception-room": "dilemmas.scenarios.perception_room.scenario:PerceptionRoom",
    "perception-town": "dilemmas.scenarios.perception_town.scenario:PerceptionTown",
    "progression": "dilemmas.scenarios.progression.scenario:Progression",
    "religion": "dilemmas.scenarios.religion.scenario:Religion",
    "repeated-game": "dilemmas.scenarios.repeated_game.scenario:RepeatedGame",
    "taxation": "dilemmas.scenarios.taxation.scenario:Taxation",
    "village": "dilemmas.scenarios.village.scenario:Village",
    "voyager-progress": "dilemmas.scenarios.voyager_progress.scenario:VoyagerProgress",
}
"""Scenario name -> "module:class" of a subclass of `Scenario`. Its YAML is in its folder and has the same name."""

VARIANTS: dict[str, str] = {
    "ada-contract-hard": "ada_contract/ada_contract_hard.yaml",
    "ada-negotiation-hard": "ada_negotiation/ada_negotiation_hard.yaml",
    "atlas": "repeated_game/atlas.yaml",
    "battle-of-the-sexes": "repeated_game/battle_of_the_sexes.yaml",
    "build-together-four": "build_together/build_together_four.yaml",
    "build-together-three": "build_together/build_together_three.yaml",
    "chicken": "repeated_game/chicken.yaml",
    "commons-harvest-bots": "commons_harvest/commons_harvest_bots.yaml",
    "commons-harvest-known-selfish": "commons_harvest/commons_harvest_known_selfish.yaml",
    "commons-harvest-law": "commons_harvest/commons_harvest_law.yaml",
    "commons-harvest-single-tree": "commons_harvest/commons_harvest_single_tree.yaml",
    "conquest-five": "conquest/conquest_five.yaml",
    "conquest-six": "conquest/conquest_six.yaml",
    "conquest-three": "conquest/conquest_three.yaml",
    "cost-sharing": "repeated_game/cost_sharing.yaml",
    "dictator-game": "repeated_game/dictator_game.yaml",
    "donations": "repeated_game/donations.yaml",
    "donations-punishment": "repeated_game/donations_punishment.yaml",
    "donor-game": "repeated_game/donor_game.yaml",
    "fishery": "repeated_game/fishery.yaml",
    "kitchen-divided": "kitchen/kitchen_divided.yaml",
    "kitchen-line": "kitchen/kitchen_line.yaml",
    "fishery-council": "repeated_game/fishery_council.yaml",
    "n-player-prisoners-dilemma": "repeated_game/n_player_prisoners_dilemma.yaml",
    "pasture": "repeated_game/pasture.yaml",
    "pasture-council": "repeated_game/pasture_council.yaml",
    "pollution": "repeated_game/pollution.yaml",
    "pollution-council": "repeated_game/pollution_council.yaml",
    "prisoners-dilemma": "repeated_game/prisoners_dilemma.yaml",
    "prisoners-dilemma-commitments": "repeated_game/prisoners_dilemma_commitments.yaml",
    "prisoners-dilemma-mediated": "repeated_game/prisoners_dilemma_mediated.yaml",
    "prisoners-dilemma-random": "repeated_game/prisoners_dilemma_random.yaml",
    "prisoners-dilemma-unknown": "repeated_game/prisoners_dilemma_unknown.yaml",
    "progression-long": "progression/progression_long.yaml",
    "public-goods": "repeated_game/public_goods.yaml",
    "public-goods-punishment": "repeated_game/public_goods_punishment.yaml",
    "religion-small": "religion/religion_small.yaml",
    "ring-network": "repeated_game/ring_network.yaml",
    "rock-paper-scissors": "repeated_game/rock_paper_scissors.yaml",
    "sequential-public-goods": "repeated_game/sequential_public_goods.yaml",
    "sequential-public-goods-penalty": "repeated_game/sequential_public_goods_penalty.yaml",
    "sequential-public-goods-plain": "repeated_game/sequential_public_goods_plain.yaml",
    "simultaneous-public-goods": "repeated_game/simultaneous_public_goods.yaml",
    "stag-hunt": "repeated_game/stag_hunt.yaml",
    "trust-game": "repeated_game/trust_game.yaml",
    "ultimatum-game": "repeated_game/ultimatum_game.yaml",
    "undercover": "chameleon/undercover.yaml",
    "volunteers-dilemma": "repeated_game/volunteers_dilemma.yaml",
    "volunteers-dilemma-private": "repeated_game/volunteers_dilemma_private.yaml",
    "village-market": "village/village_market.yaml",
    "voyager-zero-shot": "voyager_progress/voyager_zero_shot.yaml",
    "weakest-link": "repeated_game/weakest_link.yaml",
}
"""Variant -> its YAML in this folder, which extends a scenario's and overrides a few keys."""

MEMBERS: dict[str, str] = {"atlas": "dilemmas.scenarios.repeated_game.ordinal:member_changes"}
"""Variant with members, written `atlas:g122` -> "module:function" of the changes to its file that make a member."""


def scenario_names() -> list[str]:
    """Return the names of all scenarios and variants, those of plugins included, in alphabetical order.

    Raises:
        PluginError: A plugin adds a name that Accord has already.
    """
    return sorted([*SCENARIOS, *VARIANTS, *_ADDED.added()])


def spec_path(name: str) -> Path:
    """Return the YAML file of a registered scenario or variant. Raises PluginError."""
    if name in VARIANTS:
        return Path(__file__).parent / VARIANTS[name]
    if name in SCENARIOS:
        folder = SCENARIOS[name].split(".")[2]
        return Path(__file__).parent / folder / f"{folder}.yaml"
    return _ADDED[name].path


def load_scenario(name: str, changes: Mapping[str, Any] | None = None) -> Scenario:
    """Load a scenario.

    Args:
        name: Registered scenario or variant, a member of a variant (`atlas:g122`), or the path of a YAML file.
        changes: Keys and values laid over the file's data.

    Raises:
        UsageError: The name is unknown.
        SpecError: The file or a change is not legal.
        PluginError: The plugin that adds the scenario is broken.
    """
    base, _, member = name.partition(":")
    if member and base in MEMBERS:
        path, changes = spec_path(base), {**_member_changes(base, member), **(changes or {})}
    elif name in scenario_names():
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
        if given not in _scenarios_with_code():
            raise SpecError(
                f"{path}: scenario: {given!r} is not registered; legal are {', '.join(_scenarios_with_code())}"
            )
        model: type[ScenarioSpec] = _scenario_class(given).Spec
        return model

    spec = load_spec(path, model_of, changes, _registered_file)
    scenario: Scenario = _scenario_class(spec.scenario)(spec, path)
    check_goals(scenario)
    return scenario


def recorded_scenario(data: Mapping[str, Any], path: Path) -> Scenario:
    """Return the scenario of a record from its complete data, without reading a scenario file.

    Args:
        data: Section `scenario` of the record's `config.yaml`.
        path: That file, for messages.

    Raises:
        SpecError: The data are not those of a scenario of this version.
        PluginError: The plugin that adds the scenario is broken.
    """
    name = data.get("scenario")
    if not isinstance(name, str) or name not in _scenarios_with_code():
        legal = ", ".join(_scenarios_with_code())
        raise SpecError(f"{path}: scenario: {str(name)[:60]!r} is not registered; legal are {legal}")
    model: type[ScenarioSpec] = _scenario_class(name).Spec
    conditions = data.get("conditions")
    # The record holds their defaults too, some of which a file may not name. No world depends on them.
    plain = (
        {each: {"about": "as recorded", "contract": "none"} for each in conditions}
        if isinstance(conditions, dict)
        else conditions
    )
    try:
        named = {field: value for field, value in data.items() if field not in model.DERIVED}
        spec = model.model_validate({**named, "conditions": plain})
    except ValidationError as error:
        raise SpecError(f"{path}: {explain_error(error, model)}") from None
    scenario: Scenario = _scenario_class(name)(spec, path)
    return scenario


def _member_changes(base: str, member: str) -> Mapping[str, Any]:
    """Return the changes that make a member of a variant. Raises UsageError."""
    module, _, attribute = MEMBERS[base].partition(":")
    try:
        found: Mapping[str, Any] = getattr(importlib.import_module(module), attribute)(member)
    except ValueError as error:
        raise UsageError(f"{base}:{member}: {error}") from None
    return found


def file_data(scenario: Scenario) -> dict[str, Any]:
    """Return the data of the scenario's file with its bases merged in. Raises SpecError."""
    return read_scenario(scenario.path, _registered_file)


def load_repeated(name: str, rounds: int | None, stand_in: StandIn | None = None) -> Scenario:
    """Load a scenario; if `rounds` is given, a repeated game with that many rounds.

    Args:
        name: Name of a registered scenario, or path of a variant's YAML file.
        rounds: Number of rounds; None for the number in the file.
        stand_in: Stand-in for players without a usable answer; None for the usual one.

    Raises:
        UsageError: `rounds` is given and the scenario is no repeated game, or it has no such stand-in.
    """
    scenario = load_scenario(name)
    changes: dict[str, Any] = {}
    if rounds is not None:
        if "repeats" not in scenario.abilities:
            raise UsageError(f"repeat: {scenario.spec.name} is no repeated game; leave out --repeat")
        changes |= scenario.with_rounds(rounds)
    if stand_in is not None:
        if stand_in not in scenario.stand_ins:
            legal = ", ".join(scenario.stand_ins)
            raise UsageError(f"on unreadable: {scenario.spec.name} has no {stand_in!r}; choose from {legal}")
        changes |= scenario.with_stand_in(stand_in)
    return load_scenario(name, changes) if changes else scenario


def abstract_of(scenario: str) -> str:
    """Return the abstract of a registered scenario with code: the docstring of its module."""
    place = SCENARIOS[scenario] if scenario in SCENARIOS else _ADDED.added()[scenario].value
    return importlib.import_module(place.partition(":")[0]).__doc__ or ""


@dataclass(frozen=True)
class _Added:
    """Scenario or variant that a plugin adds."""

    path: Path
    scenario_class: type[Scenario] | None
    """Class of the scenario; None for a variant."""


def _load_plugin_scenario(entry: PluginEntry) -> _Added:
    found = entry.load()
    if isinstance(found, Path):
        path, scenario_class = found, None
    elif isinstance(found, type) and hasattr(found, "Spec"):
        if not issubclass(found, Scenario):
            raise entry.broken(f"{found.__qualname__} must inherit from accord.Scenario")
        beside = sys.modules[entry.value.partition(":")[0]].__file__ or ""
        path = Path(beside).with_name(f"{entry.name.replace('-', '_')}.yaml")
        scenario_class = found
    else:
        raise entry.broken("is neither a class with a Spec nor the Path of a YAML file")
    if not path.is_file():
        raise entry.broken(f"{path} is not there: the scenario's YAML file belongs beside its code")
    return _Added(path, scenario_class)


_ADDED: PluginTable[_Added] = PluginTable(
    "scenarios", dict.fromkeys([*SCENARIOS, *VARIANTS], _Added(Path(), None)), _load_plugin_scenario
)
"""Scenarios of plugins. Accord's own names are in the table so that no plugin can take them."""


def _scenarios_with_code() -> list[str]:
    """Return the scenarios that have code, for the key `scenario`."""
    return [*SCENARIOS, *(name for name in _ADDED.added() if _ADDED[name].scenario_class is not None)]


def _registered_file(base: str) -> Path | None:
    """Return the file of a registered scenario, for `extends`, or None."""
    return spec_path(base) if base in scenario_names() else None


def _scenario_class(name: str) -> Any:  # noqa: ANN401 - a class of the table, which is named by text only
    if name not in SCENARIOS:
        return _ADDED[name].scenario_class
    module, _, attribute = SCENARIOS[name].partition(":")
    return getattr(importlib.import_module(module), attribute)
