"""Reader of scenario files: YAML in, `ScenarioSpec` out. A variant names its base with `extends` and overrides keys.

Mappings merge key by key, all other values are replaced, and a key set to null is removed.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from contracts.yaml12 import load_yaml
from dilemmas.errors import SpecError
from dilemmas.scenarios.spec import MiningSpec, ScenarioSpec

EXAMPLE = "dilemmas/scenarios/double_vein/double_vein.yaml"
"""Scenario file that error messages recommend as a start."""
MAX_BASES = 8
"""Maximum length of a chain of variants; a longer one is a mistake or a circle."""
MAX_KEPT = 128
"""Specs kept by a process: more than the scenarios that Accord brings along."""


FileLookup = Callable[[str], Path | None]
"""Function from a registered name to its file, or None."""


def load_spec(
    path: Path,
    model_of: Callable[[object], type[ScenarioSpec]] = lambda _: MiningSpec,
    changes: Mapping[str, Any] | None = None,
    named: FileLookup = lambda _: None,
) -> ScenarioSpec:
    """Read a scenario file and check it.

    Args:
        path: The YAML file.
        model_of: Function from the value of the key `scenario` to its spec model.
        changes: Keys and values laid over the merged data.
        named: Function from a registered scenario, which `extends` may name, to its file.

    Raises:
        SpecError: The file is not legal; one line with file, key, value and legal values.
    """
    data = _overlay(read_scenario(path, named), dict(changes or {}))
    model = model_of(data.get("scenario"))
    try:
        return _validated(model, _ScenarioData(repr(data), data))
    except ValidationError as error:
        raise SpecError(f"{path}: {explain_error(error, model)}") from None


@dataclass(frozen=True)
class _ScenarioData:
    """Merged data of a scenario file, compared by their text."""

    text: str
    data: Mapping[str, Any] = field(compare=False)


@lru_cache(maxsize=MAX_KEPT)
def _validated(model: type[ScenarioSpec], given: _ScenarioData) -> ScenarioSpec:
    """Return the frozen spec, shared by all who load the same data: validation takes most of the time of loading."""
    return model.model_validate(given.data)


def read_scenario(path: Path, named: FileLookup = lambda _: None) -> dict[str, Any]:
    """Return the data of a file with its bases merged in, before defaults are added. Raises SpecError."""
    data = _merged(path, 0, named)
    data.setdefault("name", data.get("scenario"))
    return data


def explain_error(error: ValidationError, model: type[BaseModel]) -> str:
    """Return the first refusal of a pydantic model as one line: key, value, legal values."""
    errors = error.errors(include_url=False)
    first = errors[0]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    key = ".".join(str(part) for part in first["loc"] if part != "[key]") or "the file"
    return f"{key}: {_reason(first, model)}{more}"


def read_yaml(path: Path) -> dict[str, Any]:
    """Read a YAML file as a mapping. Raises SpecError if it cannot be read or holds something else."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise SpecError(f"{path}: cannot be read ({reason}); give the path of a YAML file") from None
    try:
        data = load_yaml(text)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f" at line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        hint = "; indent with spaces, not with tabs" if "\\t" in str(error.problem) else ""
        raise SpecError(f"{path}: not valid YAML{where}: {error.problem}{hint}") from None
    except yaml.YAMLError as error:
        raise SpecError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None
    if data is None:
        raise SpecError(f"{path}: is empty; start from {EXAMPLE}")
    if not isinstance(data, dict):
        raise SpecError(f"{path}: holds {type(data).__name__}, not a mapping; start from {EXAMPLE}")
    return data


def _merged(path: Path, depth: int, named: FileLookup) -> dict[str, Any]:
    data = read_yaml(path)
    base = data.pop("extends", None)
    if base is None:
        return data
    if depth >= MAX_BASES:
        raise SpecError(f"{path}: extends: more than {MAX_BASES} bases in a row; does a file extend itself?")
    if not isinstance(base, str):
        raise SpecError(f"{path}: extends: {base!r} is not a path; name the base's YAML file, relative to this one")
    file = path.parent / base
    if not file.is_file() and (registered := named(base)) is not None:
        file = registered
    if not file.is_file():
        raise SpecError(f"{path}: extends: {base!r} is not there; name the base's YAML file, relative to this one")
    return _overlay(_merged(file, depth + 1, named), data)


def _overlay(base: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = dict(base)
    for key, value in change.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(merged.get(key), dict):
            merged[key] = _overlay(merged[key], value)
        else:
            merged[key] = value
    return merged


def _reason(error: ErrorDetails, model: type[BaseModel]) -> str:
    value = error["input"]
    kind = error["type"]
    context = error.get("ctx", {})
    if kind == "missing":
        return "is missing; add it"
    if kind == "extra_forbidden":
        legal = _keys_at(model, error["loc"][:-1])
        close = difflib.get_close_matches(str(error["loc"][-1]), legal, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        return f"is not a known key; legal are {', '.join(legal)}{hint}"
    if kind == "literal_error":
        return f"{value!r} is not legal; choose one of {context['expected']}"
    if kind == "value_error":
        return str(context["error"])
    if kind == "string_pattern_mismatch":
        return f"{value!r} does not match {context['pattern']}"
    return f"{_short(value)}: {error['msg'].lower()}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _keys_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """Return the legal keys of the model at a location of the data."""
    here: Any = model
    for part in location:
        if isinstance(here, type) and issubclass(here, BaseModel):
            fields = {field.alias or name: field for name, field in here.model_fields.items()}
            here = fields[str(part)].annotation
        elif get_args(here):
            # The values of dict[str, Model] and the members of tuple[Model, ...] are the last argument that is a model.
            here = [inner for inner in get_args(here) if isinstance(inner, type)][-1]
    if not (isinstance(here, type) and issubclass(here, BaseModel)):
        return []
    return [field.alias or name for name, field in here.model_fields.items()]
