"""manifest.json: summary of a record (versions, seeds, models) and the hash of each of its files.

Reports, figures, tables and server logs are excluded: they are generated from the record or describe the machine.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from common.plain_files import is_plain, open_plain, read_text
from common.segments import FOLDER as SEGMENTS
from contracts.yaml12 import load_own
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.record import CONFIG, to_json, write_atomically
from voyager_agents.models.parts import PARTS

MANIFEST = "manifest.json"
FORMAT = 1
LOG, RESULT = "events.jsonl", "result.json"
FILES = (CONFIG, LOG, "calls.jsonl", PARTS, RESULT, "contract.json", "interrupted.jsonl", "trajectory.npz")
"""Files of a record outside the folders of `FOLDERS`."""
FOLDERS = ("episodes", "prompts", "agents", "trajectories", "images", SEGMENTS)
"""Folders whose whole content belongs to the record."""
_PART = 1 << 20


class _Plugin(BaseModel):
    name: str
    version: str
    sha256: str


class _Manifest(BaseModel):
    """Fields of a manifest that code relies on."""

    model_config = ConfigDict(extra="allow", strict=True)

    files: dict[str, dict[str, Any]]
    versions: dict[str, Any] = {}
    plugins: list[_Plugin] = []
    own_files: dict[str, str] = {}


def write_manifest(directory: Path, config: Mapping[str, Any] | None = None) -> Path:
    """Write the manifest of a study, replacing an older one.

    Args:
        directory: Directory of the study.
        config: Content of its config.yaml, if the caller has just written it; None to read the file.

    Raises:
        RecordError: The study cannot be read, or the manifest not written.
    """
    path = directory / MANIFEST
    try:
        write_atomically(path, to_json(manifest(directory, config)))
    except OSError as error:
        raise RecordError(f"cannot write {path}: {error.strerror}") from None
    return path


def manifest(directory: Path, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Return the content of manifest.json.

    Args:
        directory: Directory of the study.
        config: Content of its config.yaml; None to read the file.

    Raises:
        RecordError: The study cannot be read.
    """
    config = read_config(directory) if config is None else config
    setups = config.get("setup") or {}
    settings = config.get("settings") or {}
    spec = config.get("scenario") or {}
    return {
        "format": FORMAT,
        "versions": config.get("versions") or {},
        "scenario": {"name": spec.get("name"), "version": spec.get("version")},
        "world": settings.get("world"),
        "conditions": list(config.get("conditions") or ()),
        "seeds": [settings.get("seed", 0) + number for number in range(settings.get("runs", 1))],
        "models": {name: setup.get("models") or {} for name, setup in setups.items()},
        "setups": {name: setup.get("hash") for name, setup in setups.items()},
        "plugins": config.get("plugins") or [],
        "prompts": {name: setup.get("prompts") or {} for name, setup in setups.items()},
        "own_files": {path: told for setup in setups.values() for path, told in (setup.get("files") or {}).items()},
        "runs": [_run(directory, path) for path in runs_in(directory)],
        "files": {path.relative_to(directory).as_posix(): _file(path) for path in record_files(directory)},
    }


def read_config(directory: Path) -> dict[str, Any]:
    """Return config.yaml of a study or run.

    Raises:
        RecordError: The file is missing, unreadable or not a mapping.
    """
    path = directory / CONFIG
    try:
        config = load_own(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise RecordError(
            f"{path} cannot be read ({type(error).__name__}); give what 'accord run' has written"
        ) from None
    if not isinstance(config, dict):
        raise RecordError(f"{path}: holds no settings; give what 'accord run' has written")
    return config


def record_files(directory: Path) -> Iterator[Path]:
    """Yield every file of the record at or below `directory`, in order."""
    for path in sorted(directory.rglob("*")):
        parts = path.relative_to(directory).parts
        if is_plain(path) and (parts[-1] in FILES or set(parts[:-1]) & set(FOLDERS)):
            yield path


def runs_in(directory: Path) -> list[Path]:
    """Return the directories of the runs at or below `directory`, sorted."""
    return sorted(path.parent for path in directory.rglob(LOG))


def read_manifest(directory: Path) -> dict[str, Any]:
    """Return the manifest of a study.

    Raises:
        UsageError: There is no manifest.
        RecordError: The manifest is unreadable or invalid.
    """
    path = directory / MANIFEST
    if not os.path.lexists(path):
        raise UsageError(f"{directory} has no {MANIFEST}: give the directory of a study, as 'accord run' wrote it")
    try:
        found = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError) as error:
        raise RecordError(f"{path} cannot be read ({type(error).__name__})") from None
    try:
        _Manifest.model_validate(found)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors(include_url=False)[0]["loc"])[:120]
        raise RecordError(f"{path}: is no manifest: {where or 'it'} has a wrong type") from None
    return dict(found)


def differences(directory: Path, told: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return one sentence per file that is missing, new or changed since the manifest `told` was made."""
    there = {path.relative_to(directory).as_posix(): path for path in record_files(directory)}
    lost = [f"{name} is missing" for name in told if name not in there]
    new = [f"{name} was not there when the record was made" for name in there if name not in told]
    changed = [
        f"{name} is not what it was: {_file(path)['bytes']} bytes instead of {told[name].get('bytes')}, or other ones"
        for name, path in there.items()
        if name in told and _file(path) != told[name]
    ]
    return [*lost, *new, *changed]


def digest(paths: Sequence[Path]) -> str:
    """Return the SHA-256 of the concatenated files as hexadecimal digits."""
    whole = hashlib.sha256()
    for path in paths:
        with open_plain(path) as file:
            while part := file.read(_PART):
                whole.update(part)
    return whole.hexdigest()


def _file(path: Path) -> dict[str, Any]:
    return {"bytes": path.stat().st_size, "sha256": digest([path])}


def _run(directory: Path, path: Path) -> dict[str, Any]:
    try:
        result = json.loads(read_text(path / RESULT))
    except (OSError, ValueError, RecursionError):
        result = {}
    keys = ("condition", "seed", "status")
    return {"path": path.relative_to(directory).as_posix(), **{key: result.get(key) for key in keys}}
