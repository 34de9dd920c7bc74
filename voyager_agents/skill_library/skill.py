"""A skill: a policy that did its task, with its description and provenance. Each version has two files.

`NAME@VERSION.js` holds the function, `NAME@VERSION.yaml` the rest. The files are authoritative; the index is derived
from them. They were written by a model and are treated as hostile.
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
"""Maximum characters of the YAML file."""
NAME = re.compile(r"[a-z][A-Za-z0-9_]{0,63}")
MARK = "// ---- the program; above are the skills that it uses ----"
"""Line between the skills and the program that uses them."""
_FILE = re.compile(rf"({NAME.pattern})@([1-9][0-9]{{0,5}})\.(js|yaml)")
Line = Annotated[str, Field(min_length=1, max_length=500)]
Item = Annotated[str, Field(pattern=r"^[a-z0-9_]{1,64}$")]
MAX_COUNT = 2304
"""Maximum count of an item: so many fill an inventory."""
Items = dict[Item, Annotated[int, Field(ge=1, le=MAX_COUNT)]]
"""Item -> count."""


class SkillCheck(BaseModel):
    """Test of a skill by `accord skills verify`: in a new mock world, after `commands`, it must gain `items`."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    commands: tuple[Line, ...] = ()
    items: Items = Field(default_factory=dict)

    @field_validator("commands", mode="before")
    @classmethod
    def _listed(cls, value: object) -> object:
        return tuple(value) if isinstance(value, list) else value


class About(BaseModel):
    """Schema of the YAML file."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    name: str
    version: int = Field(ge=1)
    description: Line
    task: Line
    """Task that the skill was written for."""
    goal: Items = Field(default_factory=dict)
    """Items that the player held at the end, measured in the world."""
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
    """One version of a skill. Loading or creating an invalid one raises SkillError."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    about: About
    source: str

    @property
    def name(self) -> str:
        """Name of the skill and of its function."""
        return self.about.name

    @property
    def text(self) -> str:
        """Text that the search embeds."""
        return f"{self.about.name}: {self.about.description} ({self.about.task})"

    @classmethod
    def made(cls, source: str, **about: Any) -> Skill:  # noqa: ANN401 - the fields of About
        """Create a skill from its source and the fields of `About`. Raises SkillError."""
        try:
            skill = cls(about=About(**about), source=source)
        except ValidationError as error:
            raise SkillError(f"skill {about.get('name')!r}: {first(error)}") from None
        return checked(skill)


def checked(skill: Skill, where: str = "") -> Skill:
    """Return the skill if its source is exactly one function with its name. Raises SkillError."""
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
    """Return (name, version) of all skills in a folder, sorted. Raises SkillError for any other file."""
    found: dict[tuple[str, int], set[str]] = {}
    for path in sorted(folder.iterdir()):
        match = _FILE.fullmatch(path.name)
        if match is None or path.is_symlink() or not path.is_file():
            raise SkillError(
                f"{path}: is no file of a skill: only NAME@VERSION.js and NAME@VERSION.yaml may stand here; take it out"
            )
        found.setdefault((match.group(1), int(match.group(2))), set()).add(match.group(3))
    # The function is written first; without the YAML file the writing process was killed, and the skill does not count.
    return sorted(key for key, kinds in found.items() if "yaml" in kinds)


def read(folder: Path, name: str, version: int) -> Skill:
    """Read the skill from its two files. Raises SkillError."""
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
    """Write both files; the skill exists once the second is written."""
    stem = folder / f"{skill.name}@{skill.about.version}"
    about = skill.about.model_dump(mode="json", exclude_defaults=True)
    for path, text in ((Path(f"{stem}.js"), skill.source), (Path(f"{stem}.yaml"), _yaml(about))):
        draft = folder.parent / f".{path.name}.draft"
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)


def first(error: ValidationError) -> str:
    """Return the first validation error as `place: message`."""
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
