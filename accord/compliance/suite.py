"""Complete suite of compliance checks for everything that a plugin adds."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

from accord.compliance.agents import check_family, check_module
from accord.compliance.finding import ComplianceFinding, run_check
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
    """Yield the findings for one object.

    Args:
        group: Group of entry points, a key of `KINDS`.
        name: Name of the object.
        out: Folder for records of what is played.
        played: Include the checks that play something.
    """
    async for finding in KINDS[group](name, out, played=played):
        yield finding


async def check_plugin(path: Path, out: Path) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for everything that the package in a folder adds. Raises PluginError for other folders."""
    folder = add(path)
    for entry in added_entries(folder):
        name = f"{entry.group.removesuffix('s')} {entry.name}"
        finding = await run_check(name, "is imported", partial(_import_entry, entry))
        yield finding
        if finding.ok:
            async for each in check(entry.group, entry.name, out / f"{entry.group}-{entry.name}"):
                yield each


def added_entries(folder: Path) -> list[PluginEntry]:
    """Return everything that the plugin in a folder adds.

    Raises:
        UsageError: It adds nothing.
    """
    added = [entry for group in GROUPS for entry in entries(group).values() if entry.plugin.path == folder]
    if not added:
        raise UsageError(f"{folder} adds nothing: another plugin has the names of all its entry points")
    return added


def _import_entry(entry: PluginEntry) -> None:
    entry.load()
