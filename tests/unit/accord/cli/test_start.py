"""Lazy imports: help, `import accord` and the start of a run load only the modules that they need."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = (
    "choix", "matplotlib", "numpy", "pandas", "scipy", "shapely", "openai", "chromadb", "docker", "jinja2", "yaml",
    "grid_games", "contracts.terms", "voyager_agents.registry", "dilemmas.records.events",
    "dilemmas.scenarios.registry",
)  # fmt: skip
"""Heavy modules that help does not need."""
COLLECTIONS = "gc.get_stats()[2]['collections']"
"""Number of full garbage collections of a process so far."""
HELP = f"""
import contextlib, io, json, sys
from accord.cli.app import COMMANDS, run
def show(name):
    with contextlib.redirect_stdout(io.StringIO()):
        run([*name.split(), "--help"])
    print(json.dumps([name, [each for each in {HEAVY!r} if each in sys.modules]]), flush=True)
show("")
for name in COMMANDS:
    show(name)
"""
"""Program that asks for the help of each command, and prints the heavy modules that were imported so far.

One process asks for all of them: a module that the help of any command imports stays imported.
"""


def output(code: str) -> str:
    """Return the standard output of a new process."""
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_help_imports_nothing_heavy() -> None:
    imported = dict(json.loads(line) for line in output(HELP).splitlines())
    assert {"", "run", "doctor", "skills"} <= imported.keys()
    assert {name: modules for name, modules in imported.items() if modules} == {}


def test_import_accord_imports_nothing_heavy() -> None:
    imported = set(output("import accord, sys; print(*sys.modules)").split())
    assert not {*HEAVY, "pydantic", "typer", "rich", "asyncio"} & imported


def test_a_run_starts_without_plots_arrays_and_garbage_collection() -> None:
    imported = set(
        output(
            f"import gc, sys; from accord.cli.app import COMMANDS, LazyCommands; before = {COLLECTIONS}\n"
            "LazyCommands(COMMANDS)['run']\n"
            # As the command does while it reads its options.
            "with sys.modules['accord.cli.run'].collection_paused(): import accord.studies.settings\n"
            "import accord.studies.study\n"
            f"during = {COLLECTIONS} - before\n"
            "print(*sys.modules, f'{during=}', f'enabled={gc.isenabled()}', f'frozen={gc.get_freeze_count() > 0}')"
        ).split()
    )
    assert {"accord.cli.run", "dilemmas.scenarios.registry"} <= imported
    assert not {"matplotlib", "numpy", "pandas", "scipy", "shapely"} & imported
    assert {"during=0", "enabled=True", "frozen=True"} <= imported
