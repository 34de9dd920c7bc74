"""Options of a real-time agent: options of a study, read strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voyager_agents.errors import WiringError
from voyager_agents.index import OFFLINE
from voyager_agents.piano.bottleneck import SlotGate, gates_of

KEYS = (
    "without", "baseline", "bottleneck", "modules", "broadcast", "keep_slots", "community", "embedding", "traits",
    "library", "keep", "recall", "tables",
)  # fmt: skip
OWN = "own"
"""The library that is each agent's own, empty at birth."""
RECALLS = ("words", "index")
BASELINE = ("perception", "memory", "controller", "skill_execution")
"""Modules of the paper's baseline (8.1): skill execution, memory, controller. Perception stays, too: without it none
of them would know the world."""


@dataclass(frozen=True)
class PianoSettings:
    """Options (`--agents-option KEY=VALUE`, or a condition's `agents:`)."""

    without: tuple[str, ...] = ()
    """Modules that are taken out."""
    baseline: bool = False
    """Only perception, memory, controller and skill execution."""
    bottleneck: tuple[SlotGate, ...] | None = None
    """Slots that the controller sees; None: the usual ones."""
    modules: tuple[Path, ...] = ()
    """Files with modules of the user's own."""
    broadcast: bool = True
    """True if the decision reaches what speaks, plans and learns; without it they follow the goal alone."""
    keep_slots: tuple[str, ...] = ("goal", "profiles", "plan")
    """Slots whose changes are recorded."""
    library: str = ""
    """The skills that programs and calls may use: a folder, or `own`; empty for none."""
    keep: bool = False
    """True if programs that the world confirmed enter the library; in one's own they always do."""
    recall: str = "words"
    """Way to find memories: by the words in common with the moment, or by the embedding index."""
    embedding: str = OFFLINE
    """Embedding of library and index (`voyager_agents.index.open_embedding`)."""

    @property
    def indexes(self) -> bool:
        """True if anything is found by an embedding."""
        return bool(self.library) or self.recall == "index"

    tables: str = ""
    """Whose rules agents without a model follow (`voyager_agents.piano.wiring.TABLES`); empty: the dwellers'."""

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> PianoSettings:
        """From options. Raises WiringError: one line with key, value and what is legal."""
        for key in options:
            if key not in KEYS:
                raise WiringError(f"{key!r} is no option of agents that live: legal are {', '.join(KEYS)}")
        usual = cls()
        library = _text(options.get("library", ""), "library")
        keep = _truth(options.get("keep", library == OWN), "keep")
        if "keep" in options and not library:
            raise WiringError("keep: there is no library to keep skills in; give library=own or library=FOLDER")
        return cls(
            without=_names(options.get("without", ()), "without"),
            baseline=_truth(options.get("baseline", usual.baseline), "baseline"),
            bottleneck=gates_of(options["bottleneck"]) if "bottleneck" in options else None,
            modules=tuple(Path(each) for each in _names(options.get("modules", ()), "modules")),
            broadcast=_truth(options.get("broadcast", usual.broadcast), "broadcast"),
            keep_slots=_names(options.get("keep_slots", usual.keep_slots), "keep_slots"),
            library=library,
            keep=keep,
            recall=_one_of(options.get("recall", usual.recall), "recall", RECALLS),
            embedding=_text(options.get("embedding", usual.embedding), "embedding"),
            tables=str(options.get("tables", usual.tables)),
        )


def _text(value: object, key: str) -> str:
    if isinstance(value, str):
        return value.strip()
    raise WiringError(f"{key}: {value!r} is not legal; give a text")


def _one_of(value: object, key: str, legal: Sequence[str]) -> str:
    if value in legal:
        return str(value)
    raise WiringError(f"{key}: {value!r} is not legal; choose from {', '.join(legal)}")


def _names(value: object, key: str) -> tuple[str, ...]:
    """Names, as a list or joined by commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise WiringError(f"{key}: {value!r} is not legal; give names, joined by commas")


def _truth(value: object, key: str) -> bool:
    known = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    raise WiringError(f"{key}: {value!r} is not legal; choose yes or no")
