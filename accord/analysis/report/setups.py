"""Setup of a run as in its config.yaml: models, sampling settings, prompts, and a hash of all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from accord.analysis.figures import recorded_bounds
from accord.analysis.intervals import Interval
from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.records.record import CONFIG

Part = tuple[str, str]
"""(player or the judge, role)."""


@dataclass(frozen=True)
class Setup:
    """Setup of one condition, written by `accord.studies.setup.setup_of`; empty for older records."""

    hash: str = ""
    models: tuple[tuple[str, str], ...] = ()
    """(player or role, model); the first is `all`, a role, or a player's role."""
    sampling: tuple[tuple[str, str], ...] = ()
    """(player or role, settings)."""
    prompts: Mapping[str, str] = field(default_factory=dict, hash=False)
    """Name of a prompt -> hash."""
    factors: tuple[tuple[str, str], ...] = ()
    """Factor beside the contracts -> level of this condition."""
    bounds: Mapping[str, Interval] = field(default_factory=dict, compare=False)
    """Measure -> declared bounds for one player."""


def read_setup(directory: Path, condition: str) -> Setup:
    """Return the setup of the run, or an empty one if none can be read."""
    try:
        config = load_own(read_text(directory / CONFIG))
        found = config["setup"][condition]
        models = {(who, role): str(spec) for who, each in found["models"].items() for role, spec in each.items()}
        sampling = {
            (who, role): _sampling_text(how) for who, each in found["sampling"].items() for role, how in each.items()
        }
        return Setup(
            str(found["hash"]),
            _folded(models, list(models)),
            _folded(sampling, list(models)),
            {str(name): str(digest) for name, digest in found["prompts"].items()},
            _factors(config["conditions"][condition]),
            recorded_bounds(config, condition),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError, yaml.YAMLError):
        return Setup()


def _factors(condition: object) -> tuple[tuple[str, str], ...]:
    found = condition.get("factors", {}) if isinstance(condition, Mapping) else {}
    return tuple((str(factor), str(level)) for factor, level in found.items())


def _sampling_text(how: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {'default' if value is None else value}" for key, value in how.items())


def _folded(table: Mapping[Part, str], parts: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """Return the table by role where all players of a role agree, and as `all` where all parts agree."""
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
