"""Names of callable functions: the control primitives in `skills_js/primitives`, and primitives of plugins."""

from __future__ import annotations

from collections.abc import Iterator, Set

from bridge.plugin_primitives import PRIMITIVES
from bridge.prerequisites import SOURCES

FOLDER = SOURCES / "skills_js" / "primitives"
OWN = frozenset(path.stem for path in FOLDER.glob("*.js") if path.stem != "index")
"""Names of Accord's own primitives."""


class _Callable(Set[str]):
    """Live set of all primitive names, including plugins registered later."""

    def __contains__(self, name: object) -> bool:
        return name in OWN or name in PRIMITIVES

    def __iter__(self) -> Iterator[str]:
        return iter(OWN | set(PRIMITIVES))

    def __len__(self) -> int:
        return len(OWN | set(PRIMITIVES))


CALLABLE: Set[str] = _Callable()
"""Names of all primitives that a call may use."""
