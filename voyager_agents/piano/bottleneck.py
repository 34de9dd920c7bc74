"""Bottleneck of the controller: an ordered, configurable list of slots, each with a token budget.

The event log records the slots that passed for every decision. Option format: `goal=60,percepts=120,...`, or in YAML a
list of `{slot: ..., tokens: ...}`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.errors import WiringError
from voyager_agents.piano.rendering import render
from voyager_agents.piano.state import SlotState, SlotValue

MAX_TOKENS = 100_000


@dataclass(frozen=True)
class SlotGate:
    """One slot of the bottleneck and its token budget."""

    slot: str
    tokens: int

    def __post_init__(self) -> None:
        """Raise WiringError for a budget out of range."""
        if not 1 <= self.tokens <= MAX_TOKENS:
            raise WiringError(f"bottleneck: {self.slot}={self.tokens}: give 1 to {MAX_TOKENS} tokens")


USUAL = (
    SlotGate("persona", 120),
    SlotGate("goal", 60),
    SlotGate("alarm", 30),
    SlotGate("plan", 100),
    SlotGate("percepts", 160),
    SlotGate("hearing", 160),
    SlotGate("awareness", 80),
    SlotGate("outcome", 60),
    SlotGate("profiles", 200),
    SlotGate("recalled", 160),
    SlotGate("working_memory", 120),
)
"""Default bottleneck."""


@dataclass(frozen=True)
class Passed:
    """Text of one slot after the bottleneck."""

    slot: str
    version: int
    text: str
    cut: int
    """Number of characters cut off by the budget."""

    def to_dict(self) -> dict[str, Any]:
        """Return slot, version and lengths for the record."""
        return {"slot": self.slot, "version": self.version, "chars": len(self.text), "cut": self.cut}


Waiting = Sequence[tuple[SlotGate, SlotValue]]
"""Values of the bottleneck's slots at one moment."""


def gather(state: SlotState, gates: Sequence[SlotGate]) -> Waiting:
    """Return the current values of the bottleneck's slots, in the declared order.

    Rendering is expensive and rarely needed; `squeeze` does it.
    """
    return [(gate, state.at(gate.slot)) for gate in gates]


def squeeze(waiting: Waiting, told: Callable[[Any], Any] | None = None) -> list[Passed]:
    """Render the values and cut each to its budget; `told` returns a value as the prompt may show it."""
    found = []
    for gate, held in waiting:
        text = render(gate.slot, held.value if told is None else told(held.value))
        most = gate.tokens * CHARS_A_TOKEN
        found.append(Passed(gate.slot, held.version, text[:most], max(0, len(text) - most)))
    return found


def gates_of(value: object) -> tuple[SlotGate, ...]:
    """Parse the option `bottleneck`. Raises WiringError."""
    if isinstance(value, str):
        pairs = [part.strip().partition("=") for part in value.split(",") if part.strip()]
        entries: list[Any] = [{"slot": slot, "tokens": tokens or "100"} for slot, _, tokens in pairs]
    elif isinstance(value, Sequence):
        entries = list(value)
    else:
        entries = []
    found = []
    for entry in entries:
        if not isinstance(entry, Mapping) or set(entry) != {"slot", "tokens"} or not str(entry["tokens"]).isdecimal():
            raise WiringError(f"bottleneck: {entry!r} is not legal; write slot=tokens, such as goal=60")
        found.append(SlotGate(str(entry["slot"]), int(entry["tokens"])))
    if not found:
        raise WiringError(f"bottleneck: {value!r} names no slot; write such as goal=60,percepts=120")
    return tuple(found)
