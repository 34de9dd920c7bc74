"""The scenarios there are: a literal table, loaded lazily, and the one front door `load_scenario`."""

from __future__ import annotations

import difflib
import importlib
from pathlib import Path

from dilemmas.errors import SpecError, UsageError
from dilemmas.scenario import Scenario
from dilemmas.spec_file import load_spec

SCENARIOS: dict[str, str] = {
    "double-vein": "dilemmas.double_vein:DoubleVein",
}
"""Scenario name -> "module:class"; the class takes a ScenarioSpec. Its YAML stands beside the module."""


def scenario_names() -> list[str]:
    """All registered scenarios, in alphabetical order."""
    return sorted(SCENARIOS)


def spec_path(name: str) -> Path:
    """The YAML file of a registered scenario."""
    module = SCENARIOS[name].partition(":")[0].rpartition(".")[2]
    return Path(__file__).parent / f"{module}.yaml"


def load_scenario(name: str) -> Scenario:
    """The scenario of that name, or the variant in that YAML file. Raises UsageError in one line."""
    if name in SCENARIOS:
        path = spec_path(name)
    elif name.endswith((".yaml", ".yml")):
        path = Path(name)
    else:
        close = difflib.get_close_matches(name, SCENARIOS, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(
            f"unknown scenario {name!r}{hint}: choose one of {', '.join(scenario_names())}, or give a .yaml file"
        )
    spec = load_spec(path)
    if spec.scenario not in SCENARIOS:
        raise SpecError(f"{path}: scenario: {spec.scenario!r} is not registered; legal are {', '.join(SCENARIOS)}")
    module, _, attribute = SCENARIOS[spec.scenario].partition(":")
    scenario: Scenario = getattr(importlib.import_module(module), attribute)(spec, path)
    return scenario
