"""What an agent has learned: skills in files, found by their descriptions."""

from __future__ import annotations

from voyager_agents.skill_library.assembly import assemble, own_part
from voyager_agents.skill_library.library import (
    TOP,
    SkillLibrary,
    how_to_rebuild,
    index_folder,
    newest,
    rebuild,
    records,
)
from voyager_agents.skill_library.skill import Check, Skill

__all__ = [
    "TOP",
    "Check",
    "Skill",
    "SkillLibrary",
    "assemble",
    "how_to_rebuild",
    "index_folder",
    "newest",
    "own_part",
    "rebuild",
    "records",
]
