"""Import of a published skill library: each skill is read, loaded, and then stored or refused."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from bridge.types import Limits, ProgramOutcome
from bridge.worlds import open_world
from dilemmas.skills.check import PLAYER
from voyager_agents.errors import SkillError
from voyager_agents.skill_library import PublishedSkill, Skill, SkillLibrary, assemble, read_published, used

LOAD = Limits(wall_s=10)


@dataclass(frozen=True)
class Imported:
    """Result of importing one published skill."""

    name: str
    ok: bool
    detail: str
    """Changes made to the skill, or the reason for its refusal."""
    uses: tuple[str, ...] = ()
    """Other skills of the library that it calls."""


async def import_published(folder: Path, library: SkillLibrary, reserved: Collection[str]) -> list[Imported]:
    """Import the published skills of a folder that can be loaded.

    Args:
        folder: Folder of the published library.
        library: Library that receives the skills.
        reserved: Names of primitives, which skills must not use.

    Raises SkillError for a folder without a library.
    """
    published = read_published(folder)
    skills = {each.name: each.skill for each in published if each.skill is not None and each.name not in reserved}
    broken = await _find_broken(skills)
    found = []
    for each in published:
        found.append(await _store(each, skills, broken, library, reserved))
    return found


async def _store(
    each: PublishedSkill,
    skills: dict[str, Skill],
    broken: dict[str, str],
    library: SkillLibrary,
    reserved: Collection[str],
) -> Imported:
    if each.name in reserved:
        return Imported(each.name, False, "the name is a primitive's")
    if each.skill is None:
        return Imported(each.name, False, each.problem)
    if each.name in broken:
        return Imported(each.name, False, f"does not load: {broken[each.name]}")
    try:
        await library.add(each.skill)
    except SkillError as error:
        return Imported(each.name, False, str(error))
    calls = tuple(other.name for other in used(each.skill.source, skills) if other.name != each.name)
    return Imported(each.name, True, "; ".join(each.notes) or "as it was", calls)


async def _find_broken(skills: dict[str, Skill]) -> dict[str, str]:
    """Return name -> reason for skills that cannot be loaded into a program."""
    broken: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="accord-skills-") as logs:
        async with open_world("mock", seed=0, log_dir=Path(logs)) as world:
            await world.connect([PLAYER])
            for name, skill in skills.items():
                alone = {name: skill}
                program = assemble(f"async function onlyLoads(bot) {{\n  return typeof {name}\n}}\n", alone)
                result = (await world.run({PLAYER: program}, LOAD))[PLAYER]
                if result.outcome is not ProgramOutcome.RETURNED:
                    broken[name] = (
                        f"{result.error.name}: {result.error.message}" if result.error else str(result.outcome)
                    )
    return broken
