"""Functions that agents may call: the control primitives in `skills_js/primitives`, and those of plugins."""

from __future__ import annotations

from collections.abc import Iterator, Set

from bridge.plugin_primitives import PRIMITIVES
from bridge.prerequisites import SOURCES

FOLDER = SOURCES / "skills_js" / "primitives"
OWN = frozenset(path.stem for path in FOLDER.glob("*.js") if path.stem != "index")
"""Accord's own."""


class _Callable(Set[str]):
    """All names, those of plugins as they are now."""

    def __contains__(self, name: object) -> bool:
        return name in OWN or name in PRIMITIVES

    def __iter__(self) -> Iterator[str]:
        return iter(OWN | set(PRIMITIVES))

    def __len__(self) -> int:
        return len(OWN | set(PRIMITIVES))


CALLABLE: Set[str] = _Callable()
"""Names that a call may have."""
