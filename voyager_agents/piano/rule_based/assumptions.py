"""Numbers and tables of rule-based agents. They are assumptions, documented in the YAML files."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml
from voyager_agents.piano.rule_based.drives import with_drives
from voyager_agents.piano.rule_based.taxation.civics import with_trades

RULES = Path(__file__).parent / "village" / "village.yaml"


@cache
def rules(file: Path = RULES) -> Mapping[str, Any]:
    """Return the numbers and tables in the file."""
    data: Mapping[str, Any] = load_yaml(file.read_text(encoding="utf-8"))
    return data


@cache
def life_rules(*, civic: bool = False, driven: bool = False) -> Mapping[str, Any]:
    """Return the default numbers and tables of one kind of agents.

    Args:
        civic: True for agents with an office or a trade, which adds the trades.
        driven: True for agents with drives, which adds what only drives ask for.
    """
    found = with_trades(rules()) if civic else rules()
    return with_drives(found) if driven else found
