"""What a command does not need is not imported: it would wait for it each time."""

from __future__ import annotations

import subprocess
import sys

LOOKED = "gc.get_stats()[2]['collections']"
"""How often a process has looked through all that it has for garbage."""


def told(code: str) -> set[str]:
    """The words that a fresh process prints."""
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_help_waits_for_no_contracts_agents_or_numbers() -> None:
    imported = told("import sys, accord.cli.app; print(*sys.modules)")
    assert not {"contracts", "voyager_agents", "grid_games", "pydantic", "numpy", "shapely"} & imported


def test_a_run_waits_for_no_drawing_no_geometry_and_no_search_for_garbage() -> None:
    imported = told(
        f"import gc, sys; from accord.cli.app import COMMANDS, LazyCommands; looked = {LOOKED}; "
        f"LazyCommands(COMMANDS)['run']; looked = {LOOKED} - looked; "
        "print(*sys.modules, f'looked={looked}', f'again={gc.isenabled()}', f'aside={gc.get_freeze_count() > 0}')"
    )
    assert "accord.cli.run" in imported
    assert not {"matplotlib", "pandas", "scipy", "shapely"} & imported
    assert {"looked=0", "again=True", "aside=True"} <= imported
