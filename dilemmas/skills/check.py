"""Check of a skill library: its files, each skill on the mock world, and its index."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from bridge.mock.trial import try_in_world
from bridge.types import Limits, PolicyResult, ProgramOutcome
from bridge.worlds import open_world
from voyager_agents.errors import AgentError
from voyager_agents.index import Embedding, open_index
from voyager_agents.skill_library import Skill, assemble, how_to_rebuild, index_folder, newest, records

PLAYER = "Gizmo"
LIMITS = Limits(wall_s=120)
"""Limit of a skill's own check, in game time."""


@dataclass(frozen=True)
class SkillFinding:
    """Result of checking one skill, or the index."""

    what: str
    ok: bool
    detail: str


async def verify(library: Path, embedding: Embedding) -> list[SkillFinding]:
    """Check every skill by name, then the index; closes the embedding. Raises SkillError for an invalid file."""
    skills = newest(library)
    with tempfile.TemporaryDirectory(prefix="accord-skills-") as logs:
        found = [await _run_check(each, skills, Path(logs)) for each in skills.values() if each.about.check is not None]
        found += await _check_loading(
            {name: each for name, each in skills.items() if each.about.check is None}, skills, logs
        )
    try:
        found = sorted(found, key=lambda each: each.what)
        return [*found, await _index(library, embedding, skills)]
    finally:
        await embedding.close()


async def _run_check(skill: Skill, skills: Mapping[str, Skill], logs: Path) -> SkillFinding:
    """Run the skill's own check in a world of its own."""
    check = skill.about.check
    assert check is not None
    world = open_world("mock", seed=0, log_dir=logs)
    trial = await try_in_world(world, assemble(skill.source, skills), PLAYER, check.commands, LIMITS)
    if trial.result.outcome is not ProgramOutcome.RETURNED:
        return SkillFinding(skill.name, False, f"its check: {_why(trial.result)}")
    less = {item: count for item, count in check.items.items() if trial.gained.get(item, 0) < count}
    if less:
        wanted = ", ".join(f"{count} {item}" for item, count in less.items())
        had = ", ".join(f"{count:+d} {item}" for item, count in trial.gained.items()) or "nothing"
        return SkillFinding(skill.name, False, f"its check: gained {had}, not {wanted}")
    return SkillFinding(skill.name, True, "did what its check asks for")


async def _check_loading(mine: Mapping[str, Skill], skills: Mapping[str, Skill], logs: str) -> list[SkillFinding]:
    """Check that the skills can be loaded into a program, one after another in one world."""
    if not mine:
        return []
    found = []
    async with open_world("mock", seed=0, log_dir=Path(logs)) as world:
        await world.connect([PLAYER])
        for skill in mine.values():
            program = assemble(f"async function onlyLoads(bot) {{\n  return typeof {skill.name}\n}}\n", skills)
            result = (await world.run({PLAYER: program}, Limits(wall_s=10)))[PLAYER]
            ok = result.outcome is ProgramOutcome.RETURNED
            found.append(SkillFinding(skill.name, ok, "loads" if ok else f"does not load: {_why(result)}"))
    return found


async def _index(library: Path, embedding: Embedding, skills: Mapping[str, Skill]) -> SkillFinding:
    fix = how_to_rebuild(library, embedding)
    try:
        index = open_index(index_folder(library), embedding, fix=fix)
    except AgentError as error:
        return SkillFinding("index", False, str(error))
    with contextlib.closing(index):
        wanted, there = records(skills), index.records()
        if there != wanted:
            return SkillFinding(
                "index", False, f"holds {len(there)} skills, not what the {len(wanted)} in files say: {fix}"
            )
        found = await index.query("", max(1, len(wanted)))
    if len(found) != len(wanted):
        return SkillFinding("index", False, f"finds {len(found)} of {len(wanted)} skills: {fix}")
    return SkillFinding("index", True, f"holds and finds all {len(wanted)} skills, embedded by {embedding.model}")


def _why(result: PolicyResult) -> str:
    error = result.error
    return str(result.outcome) if error is None else f"{error.name}: {error.message}"
