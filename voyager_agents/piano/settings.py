"""Options of a real-time agent, with strict parsing."""

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
    "library", "keep", "recall", "tables", "skip",
)  # fmt: skip
OWN = "own"
"""Value of `library` for a separate library per agent, empty at the start of a run."""
UNCHANGED = "unchanged"
SKIPS = ("none", UNCHANGED)
RECALLS = ("words", "index")
BASELINE = ("perception", "memory", "controller", "skill_execution")
"""Modules of the paper's baseline agent (8.1): skill execution, memory and controller. The paper names no module for
perception; here memory and skill execution read its slots."""
PAPER = "paper"
"""Value of `baseline` for a controller that sees nothing of perception either."""


@dataclass(frozen=True)
class PianoSettings:
    """Options of a real-time agent (`--agents-option KEY=VALUE`, or a condition's `agents:`)."""

    without: tuple[str, ...] = ()
    """Names of modules to leave out."""
    baseline: bool = False
    """True for the paper's baseline: only perception, memory, controller and skill execution."""
    perceives: bool = True
    """False to keep the slots of perception out of the default bottleneck: the controller decides by its memories."""
    bottleneck: tuple[SlotGate, ...] | None = None
    """Slots that the controller sees; None for the default bottleneck."""
    modules: tuple[Path, ...] = ()
    """Files with user modules, or names of plugin modules and optional modules."""
    broadcast: bool = True
    """True if all modules may read the controller's decision; False limits it to controller and skill execution."""
    keep_slots: tuple[str, ...] = ("goal", "profiles", "plan", "drives")
    """Slots whose changes are recorded."""
    library: str = ""
    """Skill library for programs and calls: a folder, or `own` for one per agent; empty for none."""
    keep: bool = False
    """True if programs that reached their expected items are saved in the library; the default for `own`."""
    recall: str = "words"
    """Method of recall: `words` (words shared with the current context) or `index` (embedding index)."""
    skip: str = "none"
    """Calls to skip: `none`, or `unchanged` while nothing that a module reads has changed
    (`voyager_agents.piano.skipping`)."""
    embedding: str = OFFLINE
    """Embedding for the skill library and the memory index (`voyager_agents.index.open_embedding`)."""

    @property
    def indexes(self) -> bool:
        """True if the agent needs an embedding, for skills or for memories."""
        return bool(self.library) or self.recall == "index"

    tables: str = ""
    """Rule package of agents without a model (`voyager_agents.piano.wiring.TABLES`); empty for the default rules."""

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> PianoSettings:
        """Parse the options. Raises WiringError with the key, the value and the legal values."""
        for key in options:
            if key not in KEYS:
                raise WiringError(f"{key!r} is no option of agents that live: legal are {', '.join(KEYS)}")
        usual = cls()
        baseline = options.get("baseline", usual.baseline)
        library = _text(options.get("library", ""), "library")
        keep = _truth(options.get("keep", library == OWN), "keep")
        if "keep" in options and not library:
            raise WiringError("keep: there is no library to keep skills in; give library=own or library=FOLDER")
        return cls(
            without=_names(options.get("without", ()), "without"),
            baseline=baseline == PAPER or _truth(baseline, "baseline", more=PAPER),
            perceives=baseline != PAPER,
            bottleneck=gates_of(options["bottleneck"]) if "bottleneck" in options else None,
            modules=tuple(Path(each) for each in _names(options.get("modules", ()), "modules")),
            broadcast=_truth(options.get("broadcast", usual.broadcast), "broadcast"),
            keep_slots=_names(options.get("keep_slots", usual.keep_slots), "keep_slots"),
            library=library,
            keep=keep,
            recall=_one_of(options.get("recall", usual.recall), "recall", RECALLS),
            skip=_one_of(options.get("skip", usual.skip), "skip", SKIPS),
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
    """Return names given as a list or as a comma-separated text. Raises WiringError."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if isinstance(value, Sequence) and all(isinstance(each, str) for each in value):
        return tuple(value)
    raise WiringError(f"{key}: {value!r} is not legal; give names, joined by commas")


def _truth(value: object, key: str, *, more: str = "") -> bool:
    """Return a truth value given as such or in words; `more` is another legal value, for the message."""
    known = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in known:
        return known[value.lower()]
    legal = f"yes, no or {more}" if more else "yes or no"
    raise WiringError(f"{key}: {value!r} is not legal; choose {legal}")
