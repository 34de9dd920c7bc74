"""`accord scenarios`: list the scenarios with their conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.cli.error_handling import write_out
from accord.cli.table_cells import words
from accord.cli.tables import table

if TYPE_CHECKING:
    from dilemmas.scenarios.spec import ScenarioSpec


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """List the scenarios with their conditions."""
    from dilemmas.scenarios.registry import load_scenario, scenario_names

    specs = {name: load_scenario(name).spec for name in scenario_names()}
    if as_json:
        found = [_described(name, spec) for name, spec in specs.items()]
        write_out(json.dumps(found, indent=2, ensure_ascii=False))
        return
    Console().print(_table(specs))


def _table(specs: Mapping[str, ScenarioSpec]) -> Table:
    """Return a table of scenarios and their conditions. A variant's row omits the conditions of its base."""
    from dilemmas.scenarios.registry import VARIANTS

    shown = table()
    # Users type or copy names, so a name must not wrap.
    shown.add_column("scenario, conditions", no_wrap=True)
    shown.add_column("what it is")
    for name, spec in specs.items():
        base = spec.scenario if name in VARIANTS else None
        about = f"as {base}, but: {spec.about}" if base else spec.about
        shown.add_row(words(name, "bold"), words(about))
        known = _conditions(specs[base]) if base else {}
        for condition, told in _conditions(spec).items():
            if known.get(condition) != told:
                shown.add_row(Text(f"  {condition}"), words(told))
    return shown


def _described(name: str, spec: ScenarioSpec) -> dict[str, Any]:
    from dilemmas.scenarios.registry import spec_path

    return {
        "name": name,
        "version": spec.version,
        "about": spec.about,
        "players": list(spec.players),
        "needs": list(spec.needs),
        "conditions": _conditions(spec),
        "file": str(spec_path(name)),
    }


def _conditions(spec: ScenarioSpec) -> dict[str, str]:
    """Return condition -> what it is."""
    return {condition: each.about for condition, each in spec.conditions.items()}
