"""Packages whose names are imported on first use offer exactly what type checkers see in them."""

from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

from common.lazy_imports import lazy_names

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = sorted(
    ".".join(file.parent.relative_to(ROOT).parts)
    for room in ("accord", "bridge", "contracts", "dilemmas", "grid_games", "voyager_agents")
    for file in (ROOT / room).rglob("__init__.py")
    if "lazy_names(" in file.read_text()
)


def imports_for_type_checkers(package: str) -> dict[str, str]:
    """Return name -> module of the imports under `TYPE_CHECKING`."""
    tree = ast.parse((ROOT / package.replace(".", "/") / "__init__.py").read_text())
    block = next(each for each in tree.body if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING")
    imports = [each for each in block.body if isinstance(each, ast.ImportFrom)]
    return {alias.asname or alias.name: str(each.module) for each in imports for alias in each.names}


@pytest.mark.parametrize("package", PACKAGES)
def test_lazy_names_are_those_that_type_checkers_see(package: str) -> None:
    names = imports_for_type_checkers(package)
    module = importlib.import_module(package)
    assert set(module.__all__) <= names.keys()
    for name, place in names.items():
        assert getattr(module, name) is getattr(importlib.import_module(place), name)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match=r"module 'some\.package' has no attribute 'other'"):
        lazy_names("some.package", {"json": ("dumps",)})("other")
