"""Packages that extend Accord, written by tests."""

from __future__ import annotations

import itertools
from pathlib import Path

_NUMBERS = itertools.count(1)


def package(folder: Path, group: str, name: str, code: str, attribute: str = "ADDED", **files: str) -> Path:
    """Write a package with this code; `attribute` is the entry point, and `files` are added beside the code."""
    module = f"added_{next(_NUMBERS)}"
    root = folder / module
    (root / module).mkdir(parents=True)
    (root / module / "__init__.py").write_text(code)
    for file, text in files.items():
        (root / module / file.replace("__", ".")).write_text(text)
    (root / "pyproject.toml").write_text(
        f'[project]\nname = "accord-{module}"\nversion = "1.2"\n'
        f'[project.entry-points."accord.{group}"]\n{name} = "{module}:{attribute}"\n'
    )
    return root
