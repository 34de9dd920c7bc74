"""Sets of prompts: a folder of Markdown files, strictly checked, recorded with their hashes and kept with a study.

A file replaces the standard prompt of the same name. It must have exactly the same placeholders, and a user message if
and only if the standard prompt has one. `limits.yaml` limits the tokens of prompts by role. The set `compact` comes
with Accord, all others are the user's own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml

from contracts.yaml12 import load_yaml
from voyager_agents.errors import PromptError
from voyager_agents.prompts import FOLDER, Prompt, load_prompt, read_prompt

_FAMILIES = ("conquest", "generative", "grid", "hidden_roles", "piano", "stage_games")
FOLDERS = (FOLDER, *(FOLDER.parent / family / "prompts" for family in _FAMILIES))
"""Folders with the prompts of all families; each name occurs once."""
SETS = FOLDER / "sets"
"""Folder of the sets that come with Accord besides the standard prompts."""
LIMITS = "limits.yaml"
"""File of a set with the maximum tokens of a prompt by role; `others` stands for all roles that it does not name."""
OTHERS = "others"
MIN_TOKENS = 200
"""Smallest legal limit."""
MAX_BYTES = 200_000
"""Maximum characters of a user's prompt."""


@cache
def catalog() -> Mapping[str, Path]:
    """Return name -> file of every built-in prompt, sorted by name."""
    files = [path for folder in FOLDERS for path in folder.glob("*.md")]
    return {path.stem: path for path in sorted(files, key=lambda path: path.stem)}


@dataclass(frozen=True)
class Prompts:
    """Prompts of a study: the user's own where given, else the built-in ones."""

    own: Mapping[str, str] = field(default_factory=dict)
    """Name -> text of the user's file."""
    label: str = ""
    """Name of the folder; empty without one."""
    limits: Mapping[str, int] = field(default_factory=dict)
    """Role, or `others` -> maximum tokens of its prompts."""

    @classmethod
    def read(cls, folder: Path) -> Prompts:
        """Return the prompts of a folder, or of a set that comes with Accord.

        Args:
            folder: A folder, or the name of a set where there is no such folder.

        Raises:
            PromptError: A file cannot be used; the message is one line.
        """
        folder = folder_of_set(folder) or folder
        try:
            files = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise PromptError(
                f"prompts {folder}: cannot be read ({reason}): give a folder that 'accord prompts export' wrote, or "
                f"{', '.join(set_names())}"
            ) from None
        if not files:
            raise PromptError(f"prompts {folder}: there is no prompt: write some with 'accord prompts export {folder}'")
        limits = next((_limits(path) for path in files if path.name == LIMITS), {})
        own = {path.stem: _text(path) for path in files if path.name != LIMITS}
        return cls(own, folder.absolute().name, limits)

    def limit(self, role: str) -> int | None:
        """Return the maximum tokens of a role's prompts, or None."""
        return self.limits.get(role, self.limits.get(OTHERS))

    def load(self, name: str) -> Prompt:
        """Return the prompt with this name."""
        if name in self.own:
            return read_prompt(name, self.own[name])
        files = catalog()
        return load_prompt(name, files[name].parent if name in files else FOLDER)

    def hashes(self, names: Iterable[str]) -> dict[str, str]:
        """Return name -> SHA-256 of the prompt's text."""
        files = catalog()
        texts = {name: self.own.get(name) or files[name].read_text(encoding="utf-8") for name in sorted(set(names))}
        return {name: hashlib.sha256(text.encode()).hexdigest() for name, text in texts.items()}

    def write(self, folder: Path) -> None:
        """Write the user's files to a folder. Raises OSError."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in self.own.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        if self.limits:
            lines = [f"{role}: {tokens}\n" for role, tokens in self.limits.items()]
            (folder / LIMITS).write_text("".join(lines), encoding="utf-8")


STANDARD = Prompts()
"""The built-in prompts."""


def set_names() -> list[str]:
    """Return the names of the sets that come with Accord."""
    return sorted(path.name for path in SETS.iterdir() if path.is_dir())


def folder_of_set(given: Path) -> Path | None:
    """Return the folder of a set that comes with Accord, given by its name; None for anything else that exists."""
    return SETS / given if str(given) in set_names() and not given.exists() else None


def _limits(path: Path) -> Mapping[str, int]:
    """Return the limits in a file. Raises PromptError."""
    try:
        found = load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise PromptError(f"{path}: cannot be read ({type(error).__name__}): write ROLE: TOKENS, one a line") from None
    for role, tokens in found.items() if isinstance(found, dict) else ((path.name, found),):
        if not isinstance(role, str) or type(tokens) is not int or tokens < MIN_TOKENS:
            raise PromptError(f"{path}: {role}: {tokens!r} is not legal; give ROLE: TOKENS, at least {MIN_TOKENS}")
    return dict(found)


def _text(path: Path) -> str:
    """Return the text of a user's file. Raises PromptError if it cannot replace the prompt of its name."""
    files = catalog()
    if path.suffix != ".md" or path.stem not in files:
        legal = ", ".join(f"{name}.md" for name in files)
        raise PromptError(f"prompts {path.parent}: {path.name!r} is no prompt: take it away, or call it one of {legal}")
    try:
        raw = path.read_bytes()
        text = raw.decode("utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        raise PromptError(f"prompt {path}: cannot be read as UTF-8 text ({type(error).__name__})") from None
    if len(raw) > MAX_BYTES:
        raise PromptError(f"prompt {path}: has {len(raw)} bytes: at most {MAX_BYTES} are legal")
    try:
        _fits(read_prompt(path.stem, text), load_prompt(path.stem, files[path.stem].parent))
    except PromptError as error:
        raise PromptError(f"{path}: {error}") from None
    return text


def _fits(own: Prompt, usual: Prompt) -> None:
    missing, beyond = usual.placeholders - own.placeholders, own.placeholders - usual.placeholders
    legal = ", ".join(sorted(usual.placeholders)) or "none"
    if missing:
        raise PromptError(f"prompt {own.name}: {{{{{min(missing)}}}}} is missing: it needs all of {legal}")
    if beyond:
        raise PromptError(f"prompt {own.name}: {{{{{min(beyond)}}}}} is unknown: legal are {legal}")
    if bool(own.user) != bool(usual.user):
        what = "has no part for the user message: put <!-- user --> on a line of its own"
        raise PromptError(
            f"prompt {own.name}: {what if usual.user else 'is a system text alone: take <!-- user --> out'}"
        )
