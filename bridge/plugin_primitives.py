"""Primitives of plugins: JavaScript appended to every program that names them.

Such a primitive has a program's rights and no more: it runs in the program's isolate, with the bot facade and
Accord's own primitives in scope, and requires nothing. Its functions come after the program, whose lines keep their
numbers.
"""

from __future__ import annotations

import re
from pathlib import Path

from bridge.error_mode import VOYAGER, with_error_mode, without_error_mode
from bridge.prerequisites import SOURCES
from common.plugins.found import PluginEntry, entries
from common.plugins.table import PluginTable

FOLDERS = (SOURCES / "skills_js" / "primitives", SOURCES / "skills_js" / "queries")
_DOC = r"/\*\*((?:(?!\*/)[\s\S])*)\*/\n(?:async )?function {name} \("
_STAR = re.compile(r"^\s*\* ?", re.MULTILINE)


def _own() -> dict[str, str]:
    """Return the names of Accord's own primitives with empty sources, which the bot facade supplies."""
    return {path.stem: "" for folder in FOLDERS for path in folder.glob("*.js") if path.stem != "index"}


def _read(entry: PluginEntry) -> str:
    """Return the source of a plugin's primitive. Raises PluginError."""
    path = entry.load()
    if not isinstance(path, Path) or not path.is_file():
        raise entry.broken(f"is {path!r}, not the Path of a JavaScript file")
    source = path.read_text(encoding="utf-8")
    if not re.search(_DOC.format(name=re.escape(entry.name)), source):
        raise entry.broken(f"{path.name} has no function {entry.name} with JSDoc right before it")
    if re.search(r"\brequire\s*\(", source):
        raise entry.broken(f"{path.name} requires something: a primitive of a plugin uses what programs have in scope")
    return source


PRIMITIVES: PluginTable[str] = PluginTable("primitives", _own(), _read)
"""Name -> JavaScript; empty for Accord's own."""


def with_primitives(program: str) -> str:
    """Return the program followed by the plugins' primitives that it names, directly or through each other."""
    added = entries("primitives")
    wanted: dict[str, str] = {}
    waiting = [program] if added else []
    while waiting:
        text = waiting.pop()
        for name in PRIMITIVES.added():
            if name not in wanted and _names(text, name) and not _defines(program, name):
                wanted[name] = PRIMITIVES[name]
                waiting.append(wanted[name])
    if not wanted:
        return program
    plain = without_error_mode(program)
    whole = "\n".join([plain.rstrip("\n"), *(_wrapped(name, wanted[name]) for name in sorted(wanted)), ""])
    return whole if plain == program else with_error_mode(whole, VOYAGER)


def documentation() -> str:
    """Return the documentation of plugins' primitives for prompts: the JSDoc of each in a section."""
    return "\n\n".join(_section(name, PRIMITIVES[name]) for name in PRIMITIVES.added())


def _wrapped(name: str, source: str) -> str:
    """Return the source as one definition, indented so that no part is taken for the program's main function."""
    body = "\n".join(f"  {line}" for line in source.splitlines())
    return f"const {{ {name} }} = ((module) => {{\n{body}\n  return module.exports\n}})({{ exports: {{}} }})"


def _names(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w$.]){re.escape(name)}(?![\w$])", text) is not None


def _defines(program: str, name: str) -> bool:
    """Return whether a program defines the name itself, which takes precedence."""
    return re.search(rf"\b(?:function\s*\*?|const|let|var|class)\s+{re.escape(name)}\b", program) is not None


def doc_comment(name: str, source: str) -> str:
    """Return the JSDoc right before a function, without its stars; empty if the function has none."""
    found = re.search(_DOC.format(name=re.escape(name)), source)
    return _STAR.sub("", found[1]).strip() if found else ""


def _section(name: str, source: str) -> str:
    return f"### {name}\n\n{doc_comment(name, source)}"
