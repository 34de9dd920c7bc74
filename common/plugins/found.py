"""Discovery of plugins: installed packages with entry points, and folders given on the command line.

A plugin is imported when one of its entries is first used; if that fails, one line names the plugin.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import sys
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from common.errors import PluginError

GROUPS = ("scenarios", "players", "agents", "modules", "primitives", "judges")
"""Kinds of entries; the groups of entry points are `accord.scenarios` and so on."""
PREFIX = "accord."
LEFT_OUT = ("__pycache__", ".git", ".venv", "node_modules", "build", "dist", "tests")
"""Folders that the hash of a plugin leaves out."""


@dataclass(frozen=True)
class Plugin:
    """A package with entries for Accord."""

    name: str
    """Name of the distribution, from its pyproject.toml."""
    version: str
    path: Path | None = field(default=None, compare=False)
    """The folder given on the command line; None for an installed package."""

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


@dataclass(frozen=True)
class PluginEntry:
    """One entry of a plugin, such as a scenario."""

    group: str
    """One of `GROUPS`."""
    name: str
    value: str
    """`module:attribute`."""
    plugin: Plugin

    @property
    def label(self) -> str:
        """The plugin and the entry, in words."""
        return f"plugin {self.plugin} ({PREFIX}{self.group}: {self.name} = {self.value})"

    def load(self) -> Any:  # noqa: ANN401 - whatever stands there
        """Import the entry and return its value. Raises PluginError, whatever the plugin's code raises."""
        module, sign, attribute = self.value.partition(":")
        if not sign:
            raise self.broken("names no attribute; write module:attribute")
        try:
            return getattr(importlib.import_module(module), attribute)
        except Exception as error:
            # A plugin's code may raise any exception.
            reason = " ".join(str(error).split())[:300]
            raise self.broken(f"cannot be loaded ({type(error).__name__}: {reason})") from error

    def broken(self, reason: str) -> PluginError:
        """Return an error that names this entry and the reason."""
        mend = (
            "mend it, or leave out --plugin" if self.plugin.path else f"mend it, or `pip uninstall {self.plugin.name}`"
        )
        return PluginError(f"{self.label}: {reason}; {mend}")

    def folder(self) -> Path:
        """Return the folder of the entry's package, or of its single module. Raises PluginError."""
        top = self.value.partition(":")[0].split(".")[0]
        spec = importlib.util.find_spec(top)
        if spec is None or spec.origin is None:
            raise self.broken(f"there is no package {top!r}")
        return Path(spec.origin).parent if spec.submodule_search_locations else Path(spec.origin)


_NAMED: dict[Path, tuple[PluginEntry, ...]] = {}
"""Folder -> its entries, in the order of the command line."""


def add(path: Path) -> Path:
    """Add the plugin in a folder and return the folder's absolute path. Raises PluginError."""
    folder = path.expanduser().resolve()
    if folder not in _NAMED:
        _NAMED[folder] = _read(folder)
        for place in (folder, folder / "src"):
            if place.is_dir() and str(place) not in sys.path:
                sys.path.insert(0, str(place))
        importlib.invalidate_caches()
        entries.cache_clear()
    return folder


def look_at(path: Path) -> tuple[str, str]:
    """Return name and hash of the plugin in a folder, as in `plugins_used`, without importing it.

    Raises PluginError.
    """
    folder = path.expanduser().resolve()
    found = _read(folder)
    tops = {entry.value.partition(":")[0].split(".")[0] for entry in found}
    # As Python finds them once the folder is used: `src` comes first.
    places = {next((each for each in _places(folder, top) if each.exists()), folder / top) for top in tops}
    return found[0].plugin.name, digest(sorted(each for each in places if each.exists()))


def _places(folder: Path, top: str) -> list[Path]:
    return [place / name for place in (folder / "src", folder) for name in (top, f"{top}.py")]


def active() -> tuple[Path, ...]:
    """Return the folders given on the command line."""
    return tuple(_NAMED)


def forget() -> None:
    """Remove all added folders (for tests); imported modules stay imported."""
    if not _NAMED:
        return
    for folder in _NAMED:
        for place in (folder, folder / "src"):
            if str(place) in sys.path:
                sys.path.remove(str(place))
    _NAMED.clear()
    entries.cache_clear()


@cache
def entries(group: str) -> dict[str, PluginEntry]:
    """Return the entries of a group by name, installed ones first. Raises PluginError if two plugins claim one name."""
    found: dict[str, PluginEntry] = {}
    for entry in (*_installed(group), *(each for all_of in _NAMED.values() for each in all_of if each.group == group)):
        other = found.setdefault(entry.name, entry)
        if other.plugin.name != entry.plugin.name:
            raise entry.broken(f"{other.plugin} has an entry of that name; rename one of them")
        # A package that is installed and also given as a folder: the folder wins.
        found[entry.name] = entry
    return found


def plugins_used(used: Iterable[PluginEntry]) -> list[dict[str, Any]]:
    """Return the plugins of these entries with version, entries and hash of files, for a run's record."""
    found: dict[Plugin, list[PluginEntry]] = {}
    for entry in used:
        found.setdefault(entry.plugin, []).append(entry)
    return [
        {
            "name": plugin.name,
            "version": plugin.version,
            "entries": sorted(f"{entry.group}: {entry.name}" for entry in of),
            "sha256": digest(sorted({entry.folder() for entry in of})),
        }
        for plugin, of in sorted(found.items(), key=lambda each: each[0].name)
    ]


def digest(places: Iterable[Path]) -> str:
    """Return the SHA-256 of names and contents of all files in these folders, without those of builds and tests."""
    whole = hashlib.sha256()
    for place in places:
        files = [place] if place.is_file() else sorted(each for each in place.rglob("*") if each.is_file())
        for file in files:
            name = file.relative_to(place.parent).as_posix()
            if not set(name.split("/")) & set(LEFT_OUT):
                whole.update(f"{name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


@cache
def _entry_points() -> importlib.metadata.EntryPoints | importlib.metadata.SelectableGroups:
    """Read the entry points of all installed packages, once: it takes as long for one group as for all."""
    return importlib.metadata.entry_points()


def _installed(group: str) -> list[PluginEntry]:
    points = _entry_points().select(group=PREFIX + group)
    found = {}
    for point in sorted(points, key=lambda each: each.name):
        plugin = Plugin(point.dist.name, point.dist.version) if point.dist else Plugin("unknown", "0")
        found[plugin, point.name] = PluginEntry(group, point.name, point.value, plugin)
    return list(found.values())


def _read(folder: Path) -> tuple[PluginEntry, ...]:
    """Return the entries declared by a folder's pyproject.toml. Raises PluginError."""
    file = folder / "pyproject.toml"
    try:
        project = tomllib.loads(file.read_text(encoding="utf-8"))["project"]
        declared = project.get("entry-points", {})
        plugin = Plugin(str(project["name"]), str(project.get("version", "0")), folder)
        found = [
            PluginEntry(group, name, value, plugin)
            for group in GROUPS
            for name, value in declared.get(PREFIX + group, {}).items()
        ]
    except OSError as error:
        raise PluginError(
            f"plugin {folder}: {file} cannot be read ({error.strerror}); give the folder of a package, such as "
            "'accord new' writes"
        ) from None
    except (ValueError, KeyError, AttributeError, TypeError) as error:
        raise PluginError(f"plugin {folder}: {file} is no package's ({type(error).__name__}: {error})") from None
    if unknown := sorted(key for key in declared if key.startswith(PREFIX) and key[len(PREFIX) :] not in GROUPS):
        legal = ", ".join(PREFIX + group for group in GROUPS)
        raise PluginError(f"plugin {plugin}: {file}: {unknown[0]!r} is no group of entry points; legal are {legal}")
    if not found:
        raise PluginError(f"plugin {plugin}: {file} has no entry point of a group {PREFIX}...; see docs/plugins.md")
    return tuple(found)
