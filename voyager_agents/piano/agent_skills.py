"""The skill library of an agent that lives: it is shown skills that fit, and keeps what the world confirmed.

A life begins with the skills of a folder, or with none. Which ones is written down (`library.json`), so that a run that
goes on after an interruption lives with the same, whatever has entered the folder since. What a life learns is its own
while it lasts; at its end it enters the library, where that is wanted.
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
"""In the agent's folder: the names and versions of the skills that its life began with."""
ROLE = "skill_execution"


@dataclass
class AgentSkills:
    """Skills of one agent."""

    skills: dict[str, Skill]
    """By name, as of now."""
    index: TextIndex
    shelf: SkillLibrary | None = None
    """Library for the skills that a life learns; None: nothing is learned."""
    provenance: Mapping[str, str | int] = field(default_factory=dict)
    tell: Tell = silent
    learned: list[Skill] = field(default_factory=list)
    _waiting: list[Record] = field(init=False)
    """Records that are not in the index yet."""

    def __post_init__(self) -> None:
        self._waiting = records(self.skills)

    async def find(self, text: str) -> list[Skill]:
        """Return the skills whose descriptions are most like that text, best first. Raises ModelError."""
        waiting, self._waiting = self._waiting, []
        await self.index.upsert(waiting)
        matches = await self.index.query(text, TOP) if self.skills else []
        found = [self.skills[match.record.id] for match in matches]
        shown = tuple(SkillShown(each.name, each.about.version, each.about.description) for each in found)
        self.tell(SkillsFound(text, shown, len(self.skills)))
        return found

    def able(self, act: Act) -> Act:
        """Return the act with the skills that it calls; one that calls none is as it was."""
        whole = assemble(str(act.source), self.skills)
        if whole == act.source or len(whole) > MAX_SOURCE:
            return act
        return replace(act, calls=(), program=whole)

    def learn(self, act: Act, outcome: ActOutcome, task: str) -> None:
        """Make the act's program a skill, if the world confirms it: it ended well, and brought the expected items. A
        program that raises SkillError as a skill is recorded and not learned.
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
        """Save the learned skills in the library, unless it has them in any version."""
        learned, self.learned = self.learned, []
        for new in learned if self.shelf is not None else ():
            assert self.shelf is not None
            try:
                if new.source not in _versions(self.shelf.folder / "skills", new.name):
                    await self.shelf.add(new)
            except AgentError as error:
                # The life is over and was lived all the same.
                self.tell(SkillLearned(new.name, 0, new.about.description, new.about.task, str(error), role=ROLE))


def _confirmed(act: Act, outcome: ActOutcome) -> bool:
    brought = all(outcome.gained.get(item, 0) >= count for item, count in act.gains.items())
    return outcome.ended == "done" and bool(act.gains) and brought


def _line(text: str) -> str:
    """Return a text as one printable line."""
    return " ".join("".join(each if each.isprintable() else " " for each in text).split())[:500]


def _versions(folder: Path, name: str) -> set[str]:
    """Return the sources of all versions of that skill."""
    there = files.versions(folder) if folder.is_dir() else []
    return {files.read(folder, each, version).source for each, version in there if each == name}


def given(library: str, folder: Path) -> dict[str, Skill]:
    """Return the skills that a life begins with; `folder` is the agent's own in the record. Raises SkillError.

    A run that goes on begins with those that it had, not with what has entered the library since.
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
    """Check whether a life can begin with that library. Raises SkillError in one line."""
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
    """Open the skills that an agent has at birth.

    Args:
        library: Folder of the library, or the name of the agent's own.
        folder: The agent's folder in the record.
        embedding: Finds skills by their descriptions.
        keep: Save learned skills in the library.
        provenance: Player, model, condition and seed, for learned skills.
        tell: Recorder of the agent's reasoning.

    Raises:
        SkillError: The library cannot be read.
        IndexUnusable: Packages of the index are missing.
    """
    skills = given(library, folder)
    place = folder if library == OWN else Path(library)
    shelf = SkillLibrary(place, embedding, CALLABLE) if keep else None
    return AgentSkills(skills, open_memory_index(embedding), shelf, provenance, tell)
