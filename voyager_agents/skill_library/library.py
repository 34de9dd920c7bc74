"""Skill library: the files are authoritative, and the index is derived from them.

LIBRARY/skills/NAME@VERSION.js, .yaml    every version that was ever added
LIBRARY/index/                           index of the newest versions by description
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Mapping
from pathlib import Path

from voyager_agents.errors import IndexBusy, SkillError
from voyager_agents.index import OFFLINE, Embedding, Record, TextIndex, open_index, rebuild_index
from voyager_agents.skill_library import skill as files
from voyager_agents.skill_library.skill import Skill

TOP = 5
"""Number of skills retrieved for a task, as in Voyager (section on the skill library)."""
PAUSE_S = 0.05
PATIENCE = 400
"""Tries to open an index that another process writes, with a pause in between: 20 s in total."""


def newest(folder: Path) -> dict[str, Skill]:
    """Return the newest version of every skill in a library, by name. Raises SkillError."""
    skills = folder / "skills"
    last = dict(files.versions(skills)) if skills.is_dir() else {}
    return {name: files.read(skills, name, version) for name, version in sorted(last.items())}


def records(skills: Mapping[str, Skill]) -> list[Record]:
    """Return the index records of the skills."""
    return [Record(each.name, each.text, {"version": each.about.version}) for each in skills.values()]


def index_folder(folder: Path) -> Path:
    """Return the folder of a library's index."""
    return folder / "index"


def how_to_rebuild(folder: Path, embedding: Embedding) -> str:
    """Return the command that rebuilds the index."""
    option = "" if embedding.model.startswith(OFFLINE) else f" --embedding {embedding.model}:{embedding.dimension}"
    return f"run 'accord skills rebuild {folder}{option}'"


async def rebuild(folder: Path, embedding: Embedding) -> int:
    """Rebuild the library's index from its files; return the number of skills. Raises SkillError, IndexUnusable."""
    if not (folder / "skills").is_dir():
        raise SkillError(f"{folder}: is no skill library: it has no folder 'skills'")
    skills = newest(folder)
    await rebuild_index(index_folder(folder), embedding, records(skills))
    return len(skills)


class SkillLibrary:
    """Skill library shared by agents and processes; locks are held for single operations only."""

    def __init__(self, folder: Path, embedding: Embedding, reserved: Collection[str] = ()) -> None:
        """Create a library object; skills may not have a `reserved` name (the names of primitives)."""
        self.folder = folder
        self._embedding = embedding
        self._reserved = frozenset(reserved)
        self._skills: dict[str, Skill] = {}
        self._checked = False

    @property
    def skills(self) -> Mapping[str, Skill]:
        """Newest version of each skill by name, as of the last operation."""
        return self._skills

    async def open(self) -> None:
        """Read the files, and build or update the index if needed. Raises SkillError, IndexUnusable."""
        if self._checked:
            self._refresh()
            return
        try:
            (self.folder / "skills").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SkillError(f"{self.folder}: cannot be written ({error.strerror}): give another folder") from None
        async with self._writing() as index:
            self._refresh()
            there = {record.id: record for record in index.records()}
            wanted = {record.id: record for record in records(self._skills)}
            await index.delete([each for each in there if each not in wanted])
            await index.upsert([record for each, record in wanted.items() if there.get(each) != record])
        self._checked = True

    async def begin(self, learned: Path | None = None) -> None:
        """Reset the library to a copy of the newest skills in `learned`, or to empty, after an aborted attempt too.

        Raises SkillError, IndexUnusable.
        """
        folder = self.folder / "skills"
        left = list(folder.iterdir()) if folder.is_dir() else []
        given = newest(learned) if learned is not None else {}
        if not left and not given:
            return
        folder.mkdir(parents=True, exist_ok=True)
        for path in left:
            path.unlink()
        for each in given.values():
            files.write(folder, each)
        self._skills, self._checked = {}, False
        await rebuild_index(index_folder(self.folder), self._embedding, records(newest(self.folder)))

    async def add(self, new: Skill) -> Skill:
        """Add a skill as the next version of its name. An identical skill changes nothing. Raises SkillError."""
        await self.open()
        if new.name in self._reserved:
            raise SkillError(f"skill {new.name!r}: the name is a primitive's: choose another one")
        files.checked(new)
        async with self._writing() as index:
            self._refresh()
            before = self._skills.get(new.name)
            known = before is not None and _same(before, new)
            version = 1 if before is None else before.about.version + (not known)
            taken = new.model_copy(update={"about": new.about.model_copy(update={"version": version})})
            # Index first, even for a known skill: a run that was killed and resumed then makes the same embedding calls
            # as an uninterrupted run.
            await index.upsert(records({taken.name: taken}))
            if not known:
                files.write(self.folder / "skills", taken)
                self._refresh()
        return taken

    async def find(self, text: str, k: int = TOP) -> list[Skill]:
        """Return the `k` skills whose descriptions are most similar to the text, best first."""
        await self.open()
        index = open_index(index_folder(self.folder), self._embedding, fix=self._fix)
        with contextlib.closing(index):
            matches = await index.query(text, k)
        return [self._skills[match.record.id] for match in matches if match.record.id in self._skills]

    async def close(self) -> None:
        """Release the embedding's resources."""
        await self._embedding.close()

    @property
    def _fix(self) -> str:
        return how_to_rebuild(self.folder, self._embedding)

    def _refresh(self) -> None:
        """Load new files; a version never changes."""
        skills = self.folder / "skills"
        last = dict(files.versions(skills))
        self._skills = {
            name: known
            if (known := self._skills.get(name)) is not None and known.about.version == version
            else files.read(skills, name, version)
            for name, version in sorted(last.items())
        }

    @contextlib.asynccontextmanager
    async def _writing(self) -> AsyncIterator[TextIndex]:
        """Yield the index for one operation, after waiting for other writers."""
        for more in reversed(range(PATIENCE)):
            try:
                index = open_index(index_folder(self.folder), self._embedding, fix=self._fix, write=True)
                break
            except IndexBusy:
                if not more:
                    raise
                await asyncio.sleep(PAUSE_S)
        with contextlib.closing(index):
            yield index


def _same(one: Skill, other: Skill) -> bool:
    """Return True if the skills differ at most in the version."""
    return one.source == other.source and one.about.model_copy(update={"version": other.about.version}) == other.about
