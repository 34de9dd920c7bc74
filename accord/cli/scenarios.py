"""`accord scenarios`: what can be run, and under which conditions."""

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
from dilemmas.scenarios.registry import VARIANTS, load_scenario, scenario_names, spec_path


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """List the scenarios with their conditions."""
    found = [_describe(name) for name in scenario_names()]
    if as_json:
        write_out(json.dumps(found, indent=2, ensure_ascii=False))
        return
    Console().print(_table({entry["name"]: entry for entry in found}))


def _table(found: Mapping[str, Mapping[str, Any]]) -> Table:
    """Each scenario with its conditions below it; a variant is a row, with those of its conditions that are its own."""
    shown = table()
    # A name is what one types: it stays in one line.
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
