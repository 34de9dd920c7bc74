"""Institutions of a scenario under a condition: the key `institutions` of its file, changed by condition and factors.

A study varies them by factors `institution.PART` (on or off) and `institution.PART.SETTING`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import yaml

from contracts.errors import ContractFormatError
from contracts.institutions.books import BookLedger
from contracts.institutions.frame import ON, REGISTRY, Group, Institutions, Ledger, PartSettings, check, read_parts
from contracts.yaml12 import load_yaml
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario

FACTOR = "institution"
"""Prefix of factors that change institutions."""


def institutions_of(scenario: Scenario, condition: str, factors: Mapping[str, str]) -> dict[str, PartSettings]:
    """Return part -> settings of the institutions under a condition; empty without any.

    Args:
        scenario: The scenario.
        condition: Name of a condition, without axes and factors.
        factors: Factor -> its value, of all factors of the study; others than those of institutions are ignored.

    Raises:
        UsageError: An institution or a setting is not legal here, or two of them conflict.
    """
    chosen = scenario.spec.conditions.get(condition)
    data = _laid(scenario.spec.institutions, chosen.institutions if chosen else {})
    for key, value in factors.items():
        if key.startswith(f"{FACTOR}."):
            data = _laid(data, factor_change(key.removeprefix(f"{FACTOR}."), value))
    try:
        found = read_parts(data)
        if not found:
            return {}
        if scenario.civic_slots is None:
            raise ContractFormatError(f"institutions: {scenario.spec.scenario} can have none; leave them out")
        check(found, scenario.civic_slots)
        institutions(scenario, found, 0)
    except ContractFormatError as error:
        raise UsageError(f"condition {condition!r}: {error}") from None
    return found


def governed(scenario: Scenario, condition: str, factors: Mapping[str, str]) -> Scenario:
    """Return the scenario as it is played under the condition's institutions.

    Args:
        scenario: The scenario.
        condition: Name of a condition, without axes and factors.
        factors: Factor -> its value.

    Raises:
        UsageError: An institution or a setting is not legal here.
    """
    parts = institutions_of(scenario, condition, factors)
    try:
        return scenario.under(parts)
    except ValueError as error:
        raise UsageError(f"condition {condition!r}: institutions: {error}") from None


def institutions(scenario: Scenario, parts: Mapping[str, PartSettings], seed: int) -> tuple[Institutions, BookLedger]:
    """Return the institutions of one attempt, and the ledger on books of their payments.

    Args:
        scenario: A scenario with `civic_slots`.
        parts: Result of `institutions_of`.
        seed: Seed of the attempt.

    Raises:
        ContractFormatError: The settings do not suit the people or the world.
    """
    ledger = BookLedger(tuple(scenario.civic_members))
    return composed(scenario, parts, seed, ledger), ledger


def composed(scenario: Scenario, parts: Mapping[str, PartSettings], seed: int, ledger: Ledger) -> Institutions:
    """Return the institutions of one attempt, whose payments a given ledger moves.

    Args:
        scenario: A scenario with `civic_slots`.
        parts: Result of `institutions_of`.
        seed: Seed of the attempt.
        ledger: Accounts of the people and of the treasury.

    Raises:
        ContractFormatError: The settings do not suit the people or the world.
    """
    assert scenario.civic_slots is not None, "checked by institutions_of"
    norms = (scenario.read_norm, scenario.norm_schema(), scenario.norm_forms())
    group = Group(tuple(scenario.civic_members), seed, scenario.civic_unit, *norms)
    return Institutions(parts, scenario.civic_slots, group, ledger)


def factor_change(key: str, value: str) -> dict[str, Any]:
    """Return the change that a factor makes to the data of institutions.

    Args:
        key: `PART` or `PART.SETTING`.
        value: `on` or `off` for a part; YAML for a setting.

    Raises:
        UsageError: The part is unknown, or the value is not legal.
    """
    part, *path = key.split(".")
    if part not in REGISTRY:
        raise UsageError(f"vary: {FACTOR}.{key}: {part!r} is no institution; choose from {', '.join(REGISTRY)}")
    if not path:
        if value not in ("on", "off"):
            raise UsageError(f"vary: {FACTOR}.{key}={value}: give on or off")
        return {part: {"active": value}}
    try:
        change: Any = load_yaml(value)
    except yaml.YAMLError:
        raise UsageError(f"vary: {FACTOR}.{key}={value}: the value is no YAML") from None
    for name in reversed(path):
        change = {name: change}
    return {part: change}


def _laid(base: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data with the changes laid over it; `on` and `off` keep the settings of a part."""
    found = {name: _switch(value) for name, value in base.items()}
    for name, value in changes.items():
        found[name] = _merged(found.get(name, {"active": ON}), _switch(value))
    return found


def _switch(value: Any) -> Any:  # noqa: ANN401 - YAML
    """Return the mapping for `on` and `off`."""
    return {"active": "on" if value in ("on", True) else "off"} if value in ("on", "off", True, False) else value


def _merged(base: Any, change: Any) -> Any:  # noqa: ANN401 - YAML
    if not isinstance(base, Mapping) or not isinstance(change, Mapping):
        return change
    return {**base, **{key: _merged(base.get(key), value) for key, value in change.items()}}
