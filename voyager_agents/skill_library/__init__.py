"""Skills that an agent has learned: files, searched by their descriptions."""

from __future__ import annotations

from voyager_agents.skill_library.assembly import assemble, own_part, used
from voyager_agents.skill_library.library import (
    TOP,
    SkillLibrary,
    how_to_rebuild,
    index_folder,
    newest,
    rebuild,
    records,
)
from voyager_agents.skill_library.published import PublishedSkill, is_published, read_published
from voyager_agents.skill_library.skill import Skill, SkillCheck

__all__ = [
    "TOP",
    "PublishedSkill",
    "Skill",
    "SkillCheck",
    "SkillLibrary",
    "assemble",
    "how_to_rebuild",
    "index_folder",
    "is_published",
    "newest",
    "own_part",
    "read_published",
    "rebuild",
    "records",
    "used",
]
