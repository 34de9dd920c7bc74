"""`accord scenarios`: what can be run, and under which conditions."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer
from rich.console import Console

from dilemmas.cli.boundary import write_out
from dilemmas.cli.show import table, words
from dilemmas.registry import load_scenario, scenario_names, spec_path


def scenarios(
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> None:
    """List the scenarios with their conditions."""
    found = [_describe(name) for name in scenario_names()]
    if as_json:
        write_out(json.dumps(found, indent=2, ensure_ascii=False))
        return
    shown = table()
    for column in ("scenario", "condition", "what it is"):
        shown.add_column(column)
    for entry in found:
        shown.add_row(words(entry["name"], "bold"), "", words(entry["about"]))
        for condition, about in entry["conditions"].items():
            shown.add_row("", words(condition), words(about))
    Console().print(shown)


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
