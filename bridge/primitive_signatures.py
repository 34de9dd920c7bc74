"""Parameters and texts of primitives, read from the JSDoc of their sources, plugins' primitives included.

`skills_js/docs.js` reads the same comments for docs/primitives.md.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bridge.plugin_primitives import FOLDERS, PRIMITIVES, doc_comment

_PARAM = re.compile(r"(\[)?(\w+)(?:=([^\]]*))?\]?(?: - (.*))?")


@dataclass(frozen=True)
class PrimitiveParameter:
    """A parameter of a primitive."""

    name: str
    type: str
    """JSDoc's type, such as `number` or `Vec3`."""
    text: str
    optional: bool
    default: Any = None
    """Default as JSON; None without one."""


@dataclass(frozen=True)
class PrimitiveSignature:
    """Documentation of a primitive."""

    name: str
    text: str
    parameters: tuple[PrimitiveParameter, ...]
    """Parameters in order, without the bot."""
    returns: str
    """Meaning of the result, after its type; empty for a result without a text."""


def primitive_signatures() -> list[PrimitiveSignature]:
    """Return the documentation of all primitives and queries by name, then that of plugins' primitives.

    Raises:
        ValueError: A comment cannot be read.
    """
    files = sorted((path for folder in FOLDERS for path in folder.glob("*.js")), key=lambda path: path.stem)
    own = [_read(path.stem, path) for path in files if path.stem != "index"]
    return own + [_parsed(name, doc_comment(name, PRIMITIVES[name])) for name in PRIMITIVES.added()]


def _read(name: str, path: Path) -> PrimitiveSignature:
    return _parsed(name, doc_comment(name, path.read_text(encoding="utf-8")))


def _parsed(name: str, comment: str) -> PrimitiveSignature:
    text, *tags = (" ".join(part.split()) for part in re.split(r"\n(?=@)", comment))
    parameters = [_parameter(name, rest) for rest in _tagged(tags, "param")]
    returns = next((_typed(name, rest) for rest in _tagged(tags, "returns")), ("", ""))
    shown = f"{returns[0].removeprefix('Promise<').removesuffix('>')}, {returns[1]}" if returns[1] else ""
    return PrimitiveSignature(name, text, tuple(each for each in parameters if each.name != "bot"), shown)


def _tagged(tags: list[str], tag: str) -> list[str]:
    return [each.removeprefix(f"@{tag} ") for each in tags if each.startswith(f"@{tag} ")]


def _typed(name: str, text: str) -> tuple[str, str]:
    """Return the type and the rest of `{type} rest`; the type may have braces of its own."""
    depth = 0
    for place, letter in enumerate(text):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth == 0 and letter == "}":
            return text[1:place], text[place + 1 :].strip()
    raise ValueError(f"{name}: a tag without a type: {text}")


def _parameter(name: str, text: str) -> PrimitiveParameter:
    kind, rest = _typed(name, text)
    found = _PARAM.fullmatch(rest)
    if found is None:
        raise ValueError(f"{name}: a parameter that cannot be read: {text}")
    optional, parameter, default, about = found.groups()
    value = None if default is None else json.loads(default.replace("'", '"'))
    return PrimitiveParameter(parameter, kind, about or "", optional is not None, value)
