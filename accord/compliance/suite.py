"""The whole suite: everything that a plugin adds, checked one after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

from accord.compliance.agents import check_family, check_module
from accord.compliance.finding import ComplianceFinding, found
from accord.compliance.judges import check_judge
from accord.compliance.players import check_player
from accord.compliance.primitives import check_primitive
from accord.compliance.scenarios import check_scenario
from common.plugins import PluginEntry, add, entries
from common.plugins.found import GROUPS
from dilemmas.errors import UsageError

Suite = Callable[..., AsyncIterator[ComplianceFinding]]
KINDS: dict[str, Suite] = {
    "scenarios": check_scenario,
    "players": check_player,
    "agents": check_family,
    "modules": check_module,
    "primitives": check_primitive,
    "judges": check_judge,
}
"""Group of entry points -> its suite: (name, folder for records, played) -> findings."""


async def check(group: str, name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """What is found of the thing of that name; records of what is played are made in `out`."""
    async for finding in KINDS[group](name, out, played=played):
        yield finding


async def check_plugin(path: Path, out: Path) -> AsyncIterator[ComplianceFinding]:
    """What is found of all that the package in that folder adds. Raises PluginError for a folder that is none."""
    folder = add(path)
    for entry in all_of(folder):
        finding = await found(f"{entry.group.removesuffix('s')} {entry.name}", "is imported", lambda e=entry: _quiet(e))  # type: ignore[misc]
        yield finding
        if finding.ok:
            async for each in check(entry.group, entry.name, out / f"{entry.group}-{entry.name}"):
                yield each


def all_of(folder: Path) -> list[PluginEntry]:
    """Everything that the plugin in that folder adds. Raises UsageError where there is nothing."""
    added = [entry for group in GROUPS for entry in entries(group).values() if entry.plugin.path == folder]
    if not added:
        raise UsageError(f"{folder} adds nothing: another plugin has the names of all its entry points")
    return added


def _quiet(entry: PluginEntry) -> None:
    entry.load()
