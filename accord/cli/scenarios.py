"""`accord scenarios`: list the scenarios with their conditions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from accord.cli.error_handling import write_out
from accord.cli.table_cells import words
from accord.cli.tables import table


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """List the scenarios with their conditions."""
    from dilemmas.scenarios.registry import scenario_names

    found = [_describe(name) for name in scenario_names()]
    if as_json:
        write_out(json.dumps(found, indent=2, ensure_ascii=False))
        return
    Console().print(_table({entry["name"]: entry for entry in found}))


def _table(found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Return a table of scenarios and their conditions. A variant's row omits the conditions of its base."""
    from dilemmas.scenarios.registry import VARIANTS, load_scenario

    shown = table()
    # Users type or copy names, so a name must not wrap.
    shown.add_column("scenario, conditions", no_wrap=True)
    shown.add_column("what it is")
    for name, entry in found.items():
        base = VARIANTS.get(name) and load_scenario(name).spec.scenario
        about = f"as {base}, but: {entry['about']}" if base else entry["about"]
        shown.add_row(words(name, "bold"), words(about))
        known = found[base]["conditions"] if base else {}
        for condition, told in entry["conditions"].items():
            if known.get(condition) != told:
                shown.add_row(Text(f"  {condition}"), words(told))
    return shown


def _describe(name: str) -> dict[str, Any]:
    from dilemmas.scenarios.registry import load_scenario, spec_path

    spec = load_scenario(name).spec
    return {
        "name": name,
        "version": spec.version,
        "about": spec.about,
        "players": list(spec.players),
        "needs": list(spec.needs),
        "conditions": {condition: each.about for condition, each in spec.conditions.items()},
        "file": str(spec_path(name)),
    }
