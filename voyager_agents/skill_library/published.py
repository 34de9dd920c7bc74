"""Skills in the layout that Voyager publishes: `skill/code/*.js`, `skill/description/*.txt` and `skill/skills.json`.

A file may define helper functions and constants; they are moved inside the skill's function, so that a skill is one
function. The files were written by a model and are treated as hostile.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bridge.error_mode import VOYAGER
from voyager_agents.errors import SkillError
from voyager_agents.skill_library.skill import NAME, Skill
from voyager_agents.voyager.code import MAX_SOURCE, Span, spans

MAX_TEXT = 500
"""Maximum characters of a description."""
MAX_FILES = 5000
_VERSION = re.compile(r"(?<=[a-z0-9])V[1-9][0-9]?$")
_COMMENT = re.compile(r"^\s*(?://+|\*+|/\*+)?\s*(.*?)\s*(?:\*/)?\s*$")


@dataclass(frozen=True)
class PublishedSkill:
    """A skill found under one name, or the reason why it was rejected."""

    name: str
    skill: Skill | None
    notes: tuple[str, ...] = ()
    """Changes that were needed to make it a skill."""
    problem: str = ""


def is_published(folder: Path) -> bool:
    """Return True if the folder has the layout that Voyager publishes."""
    return _root(folder) is not None


def read_published(folder: Path, source: str = "") -> list[PublishedSkill]:
    """Return all skills of a folder, ordered by name. `source` is recorded as their origin. Raises SkillError."""
    root = _root(folder)
    if root is None:
        raise SkillError(f"{folder}: has no published skills: give a folder with skill/code/*.js in it")
    told = _read_descriptions(root)
    found = {}
    for stem, code in _codes(root, told):
        name = _VERSION.sub("", stem)
        found[name] = _made(name, code, told.get(stem, told.get(name, "")), source or folder.name)
    return [found[name] for name in sorted(found)]


def _root(folder: Path) -> Path | None:
    return next((each for each in (folder / "skill", folder) if (each / "code").is_dir()), None)


def _codes(root: Path, told: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Yield (file name, code) of each file, older versions of a skill first."""
    files = [path for path in (root / "code").iterdir() if path.suffix == ".js" and path.is_file()]
    if len(files) > MAX_FILES:
        raise SkillError(f"{root / 'code'}: has more than {MAX_FILES} files")
    listed = {stem: "" for stem in told}
    for path in sorted(files, key=lambda each: (_VERSION.sub("", each.stem), len(each.stem), each.stem)):
        if path.is_symlink():
            raise SkillError(f"{path}: is a link: put the file itself there")
        listed.pop(path.stem, None)
        yield path.stem, _text(path)


def _read_descriptions(root: Path) -> dict[str, str]:
    """Return name -> description from skills.json and description/*.txt; the latter take precedence."""
    told: dict[str, str] = {}
    listing = root / "skills.json"
    if listing.is_file():
        try:
            data = json.loads(_text(listing, 20_000_000))
        except (ValueError, RecursionError) as error:
            raise SkillError(f"{listing}: is no JSON ({str(error)[:80]})") from None
        for name, entry in (data if isinstance(data, dict) else {}).items():
            if isinstance(entry, dict) and isinstance(entry.get("description"), str):
                told[name] = entry["description"]
    folder = root / "description"
    for path in sorted(folder.glob("*.txt")) if folder.is_dir() else []:
        if path.is_file() and not path.is_symlink():
            told[path.stem] = _text(path)
    return told


def _made(name: str, code: str, description: str, source: str) -> PublishedSkill:
    if NAME.fullmatch(name) is None:
        return PublishedSkill(
            name, None, problem="is no name of a skill: a small letter first, then letters, digits and _"
        )
    try:
        function, notes = _sole(name, code)
        line, shortened = _line(description)
        notes += ("its description was shortened",) * shortened
        about = {"description": line or f"{name}, without a description", "task": name}
        kept = {"from": source[:200] or "published", "primitives": VOYAGER}
        skill = Skill.made(function, name=name, version=1, provenance=kept, **about)
    except SkillError as error:
        return PublishedSkill(name, None, problem=str(error).partition(": ")[2] or str(error))
    return PublishedSkill(name, skill, notes)


def _sole(name: str, code: str) -> tuple[str, tuple[str, ...]]:
    """Return the source as one function with this name, and notes on the changes. Raises SkillError."""
    functions = spans(code)
    mains = [each for each in functions if each.name == name] or functions[-1:]
    if not mains:
        raise SkillError(f"skill {name!r}: the file has no function at its top level")
    main = mains[-1]
    notes: tuple[str, ...] = () if main.name == name else (f"its function was called {main.name}",)
    head, body = code[main.start : main.body], code[main.body : main.end]
    rest = "\n".join(part.strip() for part in _around(code, main) if part.strip())
    if main.name != name:
        head = re.sub(rf"function\s+{re.escape(main.name)}\b", f"function {name}", head, count=1)
    if rest:
        notes += (f"{len(functions) - 1} helpers were put inside of it",)
        body = "{\n" + rest + "\n" + body[1:]
    return f"{head}{body}\n", notes


def _around(code: str, main: Span) -> tuple[str, str]:
    """Return the text before and after the function, without lines that load modules and export it."""
    module = re.compile(r"^\s*(?:module\.exports\b.*|exports\.\w+\s*=.*|await\s+\w+\(bot\);?)\s*$", re.MULTILINE)
    return module.sub("", code[: main.start]), module.sub("", code[main.end :]).lstrip("; \n")


def _line(description: str) -> tuple[str, bool]:
    """Return a description as one line, and True if it was shortened. Voyager puts descriptions into a comment."""
    lines = [_COMMENT.sub(r"\1", each) for each in description.splitlines()]
    words = [each for each in lines if each and not re.fullmatch(r"(async )?function\b.*|[{}();]+", each)]
    text = "".join(each if each.isprintable() else " " for each in " ".join(words))
    text = " ".join(text.split())
    return text[:MAX_TEXT].strip(), len(text) > MAX_TEXT


def _text(path: Path, most: int = MAX_SOURCE) -> str:
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(most + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise SkillError(f"{path}: cannot be read ({type(error).__name__})") from None
    if len(text) > most:
        raise SkillError(f"{path}: has more than {most} characters")
    return text
