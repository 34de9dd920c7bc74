"""How a run was played, as its config.yaml says: which model, asked how, with which prompts; and a hash of it all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.records.record import CONFIG

Part = tuple[str, str]
"""A player, or the judge, and a role."""


@dataclass(frozen=True)
class Setup:
    """One condition's, as `accord.studies.setup.setup_of` wrote it; all empty of an older record."""

    hash: str = ""
    models: tuple[tuple[str, str], ...] = ()
    """(whom it is for, model): `all`, a role, or a player's role."""
    sampling: tuple[tuple[str, str], ...] = ()
    """(whom it is for, settings)."""
    prompts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Name -> hash."""
    factors: tuple[tuple[str, str], ...] = ()
    """What the study varies beside its contracts, and its level here."""


def read_setup(directory: Path, condition: str) -> Setup:
    """The setup of that run; an empty one where there is none to be read."""
    try:
        config = load_own(read_text(directory / CONFIG))
        found = config["setup"][condition]
        models = {(who, role): str(spec) for who, each in found["models"].items() for role, spec in each.items()}
        sampling = {(who, role): _told(how) for who, each in found["sampling"].items() for role, how in each.items()}
        return Setup(
            str(found["hash"]),
            _folded(models, list(models)),
            _folded(sampling, list(models)),
            {str(name): str(digest) for name, digest in found["prompts"].items()},
            _factors(config["conditions"][condition]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        return Setup()


def _factors(condition: object) -> tuple[tuple[str, str], ...]:
    found = condition.get("factors", {}) if isinstance(condition, Mapping) else {}
    return tuple((str(factor), str(level)) for factor, level in found.items())


def _told(how: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {'default' if value is None else value}" for key, value in how.items())


def _folded(table: Mapping[Part, str], parts: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """By role where all who have it are alike, as `all` where all of these parts are."""
    if parts and set(table) == set(parts) and len(set(table.values())) == 1:
        return (("all", next(iter(table.values()))),)
    found: list[tuple[str, str]] = []
    for role in dict.fromkeys(role for _, role in table):
        values = {who: value for (who, each), value in table.items() if each == role}
        everybody = {who for who, each in parts if each == role}
        if set(values) == everybody and len(set(values.values())) == 1:
            found.append((role, next(iter(values.values()))))
        else:
            found += [(f"{who}.{role}", value) for who, value in values.items()]
    return tuple(found)
