"""A skill: a policy that did its task, with what it is found by and where it came from. Two files per version.

`NAME@VERSION.js` is the function, `NAME@VERSION.yaml` the rest. They are the truth; the index beside them is made from
them. Everything in them was written by a model and is read as hostile.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from voyager_agents.errors import ReplyError, SkillError
from voyager_agents.voyager.code import MAX_SOURCE, sole_function

MAX_META = 20_000
"""Characters of the YAML file."""
NAME = re.compile(r"[a-z][A-Za-z0-9_]{0,63}")
MARK = "// ---- the program; above are the skills that it uses ----"
"""Parts the skills from the program that uses them."""
_FILE = re.compile(rf"({NAME.pattern})@([1-9][0-9]{{0,5}})\.(js|yaml)")
Line = Annotated[str, Field(min_length=1, max_length=500)]
Item = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}$")]
Items = dict[Item, Annotated[int, Field(ge=1, le=2304)]]
"""Item -> how many; 2304 fill an inventory."""


class SkillCheck(BaseModel):
    """Trial of a skill by `accord skills verify`: after these commands in a new mock world it has to gain these
    items."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    commands: tuple[Line, ...] = ()
    items: Items = Field(default_factory=dict)

    @field_validator("commands", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class About(BaseModel):
    """Contents of the YAML file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    name: str
    version: int = Field(ge=1)
    description: Line
    task: Line
    """Task that it was written for."""
    goal: Items = Field(default_factory=dict)
    """Items that its player held at the end, from the world."""
    provenance: dict[Line, str | int] = Field(default_factory=dict)
    """Provenance: player, model, condition, seed, episode."""
    check: SkillCheck | None = None

    @field_validator("name")
    @classmethod
    def _named(cls, value: str) -> str:
        if not NAME.fullmatch(value):
            raise ValueError(f"{value!r} is no name of a skill: a small letter, then letters, digits and _")
        return value

    @field_validator("description", "task")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("has to be one line of printable characters")
        return value


class Skill(BaseModel):
    """One version of a skill. Raises SkillError where it is read or made from what is none."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    about: About
    source: str

    @property
    def name(self) -> str:
        """Return the skill's name, which is its function's, too."""
        return self.about.name

    @property
    def text(self) -> str:
        """Text that the skill is found by."""
        return f"{self.about.name}: {self.about.description} ({self.about.task})"

    @classmethod
    def made(cls, source: str, **about: Any) -> Skill:  # noqa: ANN401 - the fields of About
        """Return a skill of these parts. Raises SkillError."""
        try:
            skill = cls(about=About(**about), source=source)
        except ValidationError as error:
            raise SkillError(f"skill {about.get('name')!r}: {first(error)}") from None
        return checked(skill)


def checked(skill: Skill, where: str = "") -> Skill:
    """Return the skill, when its source is one function of its name and nothing else. Raises SkillError."""
    place = where or f"skill {skill.name!r}"
    try:
        name = sole_function(skill.source)
    except ReplyError as error:
        raise SkillError(f"{place}: {error}") from None
    if name != skill.name:
        raise SkillError(f"{place}: the function is called {name!r}, the skill {skill.name!r}: give both one name")
    if MARK in skill.source or "```" in skill.source:
        raise SkillError(f"{place}: holds ``` or the line that parts a program from its skills: take that out")
    return skill


def versions(folder: Path) -> list[tuple[str, int]]:
    """(name, version) of all skills in that folder, in order. Raises SkillError for a file that is no part of one."""
    found: dict[tuple[str, int], set[str]] = {}
    for path in sorted(folder.iterdir()):
        match = _FILE.fullmatch(path.name)
        if match is None or path.is_symlink() or not path.is_file():
            raise SkillError(
                f"{path}: is no file of a skill: only NAME@VERSION.js and NAME@VERSION.yaml may stand here; take it out"
            )
        found.setdefault((match.group(1), int(match.group(2))), set()).add(match.group(3))
    # The function is written first: one alone is what a killed process left, and counts as not written.
    return sorted(key for key, kinds in found.items() if "yaml" in kinds)


def read(folder: Path, name: str, version: int) -> Skill:
    """Return the skill in these two files. Raises SkillError."""
    path = folder / f"{name}@{version}.yaml"
    try:
        about = About.model_validate(yaml.safe_load(_text(path, MAX_META)))
    except yaml.YAMLError as error:
        raise SkillError(f"{path}: is no YAML ({' '.join(str(error).split())[:120]})") from None
    except RecursionError:
        raise SkillError(f"{path}: is nested too deep") from None
    except ValidationError as error:
        raise SkillError(f"{path}: {first(error)}") from None
    if (about.name, about.version) != (name, version):
        raise SkillError(f"{path}: holds {about.name!r}, version {about.version}: files and names have to agree")
    code = path.with_suffix(".js")
    return checked(Skill(about=about, source=_text(code, MAX_SOURCE)), str(code))


def write(folder: Path, skill: Skill) -> None:
    """Both files; the skill is there once the second is."""
    stem = folder / f"{skill.name}@{skill.about.version}"
    about = skill.about.model_dump(mode="json", exclude_defaults=True)
    for path, text in ((Path(f"{stem}.js"), skill.source), (Path(f"{stem}.yaml"), _yaml(about))):
        draft = folder.parent / f".{path.name}.draft"
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)


def first(error: ValidationError) -> str:
    """Return the first thing that is wrong, as `place: what`."""
    each = error.errors()[0]
    return f"{'.'.join(str(part) for part in each['loc']) or 'it'}: {each['msg']}"


def _yaml(about: Mapping[str, object]) -> str:
    return yaml.safe_dump(dict(about), sort_keys=False, allow_unicode=True, width=120)


def _text(path: Path, most: int) -> str:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            text = file.read(most + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise SkillError(f"{path}: cannot be read ({type(error).__name__})") from None
    if len(text) > most:
        raise SkillError(f"{path}: has more than {most} characters")
    return text
