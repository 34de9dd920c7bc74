"""Skill library of a real-time agent: retrieval of matching skills, and learning of successful programs.

An agent starts with the skills of a folder, or with none. Their names and versions are recorded in `library.json`: a
resumed run starts with the same skills even if the folder has changed. Learned skills belong to the agent during the
run, and are saved in the library at its end if that is enabled.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from bridge.programs import MAX_SOURCE
from voyager_agents.agent import LastRun
from voyager_agents.errors import AgentError, SkillError
from voyager_agents.index import Embedding, Record, TextIndex, open_memory_index
from voyager_agents.piano.primitives import CALLABLE
from voyager_agents.piano.settings import OWN
from voyager_agents.realtime_agent import Act, ActOutcome
from voyager_agents.skill_library import TOP, Skill, SkillLibrary, assemble, newest, own_part, records
from voyager_agents.skill_library import skill as files
from voyager_agents.thought_events import SkillLearned, SkillsFound, SkillShown, Tell, silent
from voyager_agents.voyager.code import sole_name

GIVEN = "library.json"
"""File in the agent's folder with the names and versions of its initial skills."""
ROLE = "skill_execution"


@dataclass
class AgentSkills:
    """Skills of one agent."""

    skills: dict[str, Skill]
    """Current skills by name."""
    index: TextIndex
    shelf: SkillLibrary | None = None
    """Library to save learned skills in; None disables learning."""
    provenance: Mapping[str, str | int] = field(default_factory=dict)
    tell: Tell = silent
    learned: list[Skill] = field(default_factory=list)
    _waiting: list[Record] = field(init=False)
    """Records not yet in the index."""

    def __post_init__(self) -> None:
        self._waiting = records(self.skills)

    async def find(self, text: str) -> list[Skill]:
        """Return the skills whose descriptions are most similar to the text, best first. Raises ModelError."""
        waiting, self._waiting = self._waiting, []
        await self.index.upsert(waiting)
        matches = await self.index.query(text, TOP) if self.skills else []
        found = [self.skills[match.record.id] for match in matches]
        shown = tuple(SkillShown(each.name, each.about.version, each.about.description) for each in found)
        self.tell(SkillsFound(text, shown, len(self.skills)))
        return found

    def able(self, act: Act) -> Act:
        """Return the act as a program that includes the called skills; unchanged if it calls none or gets too long."""
        whole = assemble(str(act.source), self.skills)
        if whole == act.source or len(whole) > MAX_SOURCE:
            return act
        return replace(act, calls=(), program=whole)

    def learn(self, act: Act, outcome: ActOutcome, task: str) -> None:
        """Add the act's program to the skills if it succeeded and gained the expected items.

        It raises no SkillError: a program that is no legal skill is recorded with the error and not learned.
        """
        if self.shelf is None or not act.program or not _confirmed(act, outcome):
            return
        program = own_part(LastRun(act.program, "returned")).policy
        name, line = sole_name(program), _line(act.label)
        before = self.skills.get(name)
        if before is not None and before.source == program:
            return
        version = 1 if before is None else before.about.version + 1
        try:
            if name in CALLABLE:
                raise SkillError(f"skill {name!r}: the name is a primitive's: choose another one")
            about = {"description": line, "task": _line(task) or line, "goal": dict(act.gains)}
            new = Skill.made(program, name=name, version=version, provenance=dict(self.provenance), **about)
        except SkillError as error:
            self.tell(SkillLearned(name or "(no name)", 0, line, task, str(error), role=ROLE))
            return
        self.skills[name] = new
        self.learned.append(new)
        self._waiting += records({name: new})
        self.tell(SkillLearned(name, version, line, task, role=ROLE))

    async def keep(self) -> None:
        """Save the learned skills in the library, except sources that it already has in some version."""
        learned, self.learned = self.learned, []
        for new in learned if self.shelf is not None else ():
            assert self.shelf is not None
            try:
                if new.source not in _versions(self.shelf.folder / "skills", new.name):
                    await self.shelf.add(new)
            except AgentError as error:
                # The run is complete; a failed save must not invalidate it.
                self.tell(SkillLearned(new.name, 0, new.about.description, new.about.task, str(error), role=ROLE))


def _confirmed(act: Act, outcome: ActOutcome) -> bool:
    brought = all(outcome.gained.get(item, 0) >= count for item, count in act.gains.items())
    return outcome.ended == "done" and bool(act.gains) and brought


def _line(text: str) -> str:
    """Return the text as one printable line of at most 500 characters."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:500]


def _versions(folder: Path, name: str) -> set[str]:
    """Return the sources of all versions of the skill."""
    there = files.versions(folder) if folder.is_dir() else []
    return {files.read(folder, each, version).source for each, version in there if each == name}


def given(library: str, folder: Path) -> dict[str, Skill]:
    """Return the initial skills of an agent. Raises SkillError.

    A resumed run gets the skills recorded in the agent's `folder`, not the library's current ones.
    """
    if library == OWN:
        for part in ("skills", "index"):
            shutil.rmtree(folder / part, ignore_errors=True)
        return {}
    noted = folder / GIVEN
    if noted.is_file():
        try:
            named = [(str(name), int(version)) for name, version in json.loads(noted.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError):
            raise SkillError(f"{noted}: cannot be read: put it back, or run anew") from None
        return {name: files.read(Path(library) / "skills", name, version) for name, version in named}
    found = newest(Path(library))
    folder.mkdir(parents=True, exist_ok=True)
    noted.write_text(json.dumps([[name, each.about.version] for name, each in found.items()]), encoding="utf-8")
    return found


def check_library(library: str, *, keep: bool) -> None:
    """Check that the library is readable, and exists unless `keep` allows creating it. Raises SkillError."""
    if library != OWN and not keep and not (Path(library) / "skills").is_dir():
        raise SkillError(
            f"library: {library}: is no skill library: it has no folder 'skills'; give one that has, {OWN} for a "
            "library of each agent's own, or keep=yes to begin one there"
        )
    if library != OWN:
        newest(Path(library))


def open_agent_skills(
    library: str,
    folder: Path,
    embedding: Embedding,
    *,
    keep: bool,
    provenance: Mapping[str, str | int],
    tell: Tell = silent,
) -> AgentSkills:
    """Open the initial skills of an agent.

    Args:
        library: Folder of the library, or `own` for a library of the agent's own.
        folder: The agent's folder in the record.
        embedding: Embedding of skill descriptions.
        keep: True to save learned skills in the library.
        provenance: Player, model, condition and seed, stored with learned skills.
        tell: Recorder of the agent's reasoning.

    Raises:
        SkillError: The library cannot be read.
        IndexUnusable: Packages of the index are missing.
    """
    skills = given(library, folder)
    place = folder if library == OWN else Path(library)
    shelf = SkillLibrary(place, embedding, CALLABLE) if keep else None
    return AgentSkills(skills, open_memory_index(embedding), shelf, provenance, tell)
