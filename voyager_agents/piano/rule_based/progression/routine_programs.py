"""Programs of explorers: a routine of `skills_js/routines/explorer_routines.js` with its dependencies, and a call."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from bridge.prerequisites import SOURCES
from bridge.programs import RoutineCalls

LIBRARY = "explorer_routines"
FILE = SOURCES / "skills_js" / "routines" / f"{LIBRARY}.js"
_NAMED = re.compile(r"^(?://[^\n]*\n)*(?:async )?(?:function|const) (\w+)")


@cache
def _parts() -> dict[str, str]:
    """Return the source text of each top-level name, in the file's order."""
    parts: dict[str, str] = {}
    for text in re.split(r"\n(?:\n|(?=const ))", FILE.read_text(encoding="utf-8").strip()):
        if match := _NAMED.match(text):
            parts[match[1]] = text
    return parts


@cache
def _needed(deed: str) -> str:
    """Return the source text of a routine and everything it refers to, in the file's order."""
    parts, wanted, open_names = _parts(), set[str](), [deed]
    while open_names:
        name = open_names.pop()
        if name not in wanted:
            wanted.add(name)
            open_names += [other for other in parts if re.search(rf"\b{other}\b", parts[name])]
    return "\n".join(text for name, text in parts.items() if name in wanted)


def program(deed: str, *args: Any) -> RoutineCalls:  # noqa: ANN401 - JSON
    """Return a program that calls the routine `deed` with JSON arguments."""
    given = "".join(f", {json.dumps(arg)}" for arg in args)
    source = f"{_needed(deed)}\nasync function main (bot) {{\n  await {deed}(bot{given})\n}}\n"
    return RoutineCalls(LIBRARY, [(deed, args)], source)
