"""What an agent of the family is made of: options of a study, read strictly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from voyager_agents.errors import WiringError
from voyager_agents.piano.bottleneck import Gate, gates_of

KEYS = (
    "without", "baseline", "bottleneck", "modules", "broadcast", "keep_slots", "community", "embedding", "traits",
    "tables",
)  # fmt: skip
BASELINE = ("perception", "memory", "controller", "skill_execution")
"""What the paper's baseline keeps (8.1): skill execution, memory, controller. Without perception none of them would
know the world, so it stays."""


@dataclass(frozen=True)
class PianoSettings:
    """Options (`--agents-option KEY=VALUE`, or a condition's `agents:`)."""

    without: tuple[str, ...] = ()
    """Modules that are taken out."""
    baseline: bool = False
    """Only perception, memory, controller and skill execution."""
    bottleneck: tuple[Gate, ...] | None = None
    """What the controller sees; None: the usual."""
    modules: tuple[Path, ...] = ()
    """Files with modules of the user's own."""
    broadcast: bool = True
    """Whether the decision reaches what speaks, plans and learns; without it they follow the goal alone."""
    keep_slots: tuple[str, ...] = ("goal", "profiles", "plan")
    """Slots whose changes are recorded."""
    tables: str = ""
    """Whose rules agents without a model follow (`voyager_agents.piano.wiring.TABLES`); empty: the dwellers'."""

    @classmethod
    def read(cls, options: Mapping[str, Any]) -> PianoSettings:
        """From options. Raises WiringError: one line with key, value and what is legal."""
        for key in options:
            if key not in KEYS:
                raise WiringError(f"{key!r} is no option of agents that live: legal are {', '.join(KEYS)}")
        usual = cls()
        return cls(
            without=_names(options.get("without", ()), "without"),
            baseline=_truth(options.get("baseline", usual.baseline), "baseline"),
            bottleneck=gates_of(options["bottleneck"]) if "bottleneck" in options else None,
            modules=tuple(Path(each) for each in _names(options.get("modules", ()), "modules")),
            broadcast=_truth(options.get("broadcast", usual.broadcast), "broadcast"),
            keep_slots=_names(options.get("keep_slots", usual.keep_slots), "keep_slots"),
            tables=str(options.get("tables", usual.tables)),
        )


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
