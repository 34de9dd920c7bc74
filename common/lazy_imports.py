"""Imports on first use: objects by `module:name`, and names of a package (PEP 562)."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def import_object(place: str) -> Any:  # noqa: ANN401 - the object may have any type
    """Import the object that `place`, such as `json:loads`, names.

    Raises:
        ImportError: The module cannot be imported.
        AttributeError: The module has no attribute of that name.
    """
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def lazy_names(package: str, modules: Mapping[str, tuple[str, ...]]) -> Callable[[str], Any]:
    """Return a `__getattr__` for a package, which imports its public names when they are first used.

    Type checkers read the same names from imports under `TYPE_CHECKING`; `tests/unit/common/test_lazy_imports.py`
    compares both.

    Args:
        package: The package's `__name__`.
        modules: Module -> names that it defines.
    """
    places = {name: module for module, names in modules.items() for name in names}

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type depends on the name
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(importlib.import_module(places[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__
