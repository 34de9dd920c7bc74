"""What a command does not need is not imported: it would wait for it each time."""

from __future__ import annotations

import subprocess
import sys


def imported(module: str) -> set[str]:
    """Names of all modules that a fresh process has after it has imported that one."""
    code = f"import sys, {module}; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.split())


def test_help_waits_for_no_contracts_agents_or_numbers() -> None:
    assert not {"contracts", "voyager_agents", "grid_games", "pydantic", "numpy", "shapely"} & imported(
        "dilemmas.cli.app"
    )


def test_a_run_waits_for_no_drawing_and_no_geometry() -> None:
    assert not {"matplotlib", "pandas", "scipy", "shapely"} & imported("dilemmas.cli.run")
