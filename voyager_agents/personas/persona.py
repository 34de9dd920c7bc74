"""Persona model and its file format.

The keys are those of the Project Sid paper (appendices C to E): name, traits, location_memories, spawn_location,
inventory, community_goal. Two optional numbers from 0 to 1, extroversion and kindness, express the traits for measures
and for agents without a model. A file is YAML or JSON and holds a list of personas or a single one.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import floor
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from contracts.yaml12 import load_yaml
from voyager_agents.errors import PersonaError

Share = Annotated[float, Field(ge=0, le=1)]
Sentence = Annotated[str, StringConstraints(min_length=1, max_length=400, strip_whitespace=True)]
KEYS = "name, traits, location_memories, spawn_location, inventory, community_goal, extroversion, kindness"
MAX_BYTES = 1 << 22
"""Maximum size of a persona file, in bytes."""


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Spot(_Frozen):
    """Position in the world, in blocks."""

    x: Annotated[float, Field(ge=-30_000_000, le=30_000_000)]
    y: Annotated[float, Field(ge=-64, le=320)]
    z: Annotated[float, Field(ge=-30_000_000, le=30_000_000)]

    @property
    def cell(self) -> tuple[int, int, int]:
        """Block coordinates of the position."""
        return floor(self.x), floor(self.y), floor(self.z)


class Persona(_Frozen):
    """Initial identity of an agent."""

    name: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_]{3,16}$")]
    traits: tuple[Sentence, ...] = ()
    location_memories: tuple[Sentence, ...] = ()
    spawn_location: Spot
    inventory: dict[Annotated[str, StringConstraints(pattern=r"^[a-z0-9_]+$")], Annotated[int, Field(ge=1, le=64)]] = (
        Field(default_factory=dict)
    )
    community_goal: str = ""
    extroversion: Share = 0.5
    """Sociability, from 0 (solitary) to 1 (always seeks company)."""
    kindness: Share = 0.5
    """Attitude to others, from 0 (hostile) to 1 (warm)."""

    def to_dict(self) -> dict[str, Any]:
        """Return the persona as JSON-compatible data, for files and prompts."""
        return self.model_dump(mode="json")


def read_personas(data: object, where: str) -> list[Persona]:
    """Parse personas from loaded YAML or JSON data.

    Raises:
        PersonaError: The data is invalid; the message is one line with location, key, value and legal values.
    """
    entries = data if isinstance(data, list) else [data]
    if not entries:
        raise PersonaError(f"{where}: holds no persona; write a list of them with the keys {KEYS}")
    found = [_one(entry, f"{where}: persona {number}") for number, entry in enumerate(entries, 1)]
    names = [each.name for each in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PersonaError(f"{where}: two personas are called {twice!r}; give each a name of its own")
    return found


def load_personas(paths: Iterable[Path]) -> list[Persona]:
    """Return the personas of all files, in order. Raises PersonaError for an unreadable or invalid file."""
    data: list[object] = []
    where = "personas"
    for path in paths:
        where = str(path)
        try:
            if path.stat().st_size > MAX_BYTES:
                raise PersonaError(f"{path}: is larger than {MAX_BYTES} bytes; split it")
            read = load_yaml(path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
            raise PersonaError(f"{path}: cannot be read ({reason}); give a YAML or JSON file of personas") from None
        except yaml.YAMLError as error:
            raise PersonaError(f"{path}: not valid YAML or JSON: {' '.join(str(error).split())}") from None
        data += read if isinstance(read, list) else [read]
    return read_personas(data, where)


def _one(entry: object, where: str) -> Persona:
    if not isinstance(entry, dict):
        raise PersonaError(f"{where}: is {type(entry).__name__}, not a mapping; its keys are {KEYS}")
    named = f"{where} ({entry['name']!r})" if "name" in entry else where
    try:
        return Persona.model_validate(entry)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"])
        raise PersonaError(f"{named}: {key}: {_reason(first)}") from None


def _reason(error: Any) -> str:  # noqa: ANN401 - pydantic's error details
    if error["type"] == "missing":
        example = "; write spawn_location: {x: 640.5, y: 64.5, z: 420.5}" if error["loc"] == ("spawn_location",) else ""
        return f"is missing{example}"
    if error["type"] == "extra_forbidden":
        return f"is not a known key; legal are {KEYS}"
    return f"{str(error['input'])[:60]!r}: {error['msg'].lower()}"
