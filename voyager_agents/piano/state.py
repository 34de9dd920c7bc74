"""The shared state of one agent: each slot has a type, a version, the time it was written at, and one writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from voyager_agents.errors import WiringError


class SlotValue(NamedTuple):
    """Value of a slot with its version."""

    value: Any
    version: int
    """Grows by one with each change; 0 at birth."""
    t_s: float
    writer: str


class SlotState:
    """All slots. Equal values are no change: the version stays."""

    def __init__(self, types: Mapping[str, Any], writers: Mapping[str, str], first: Mapping[str, Any]) -> None:
        """`writers` says who writes each slot; whoever else tries is refused."""
        self._types = dict(types)
        self._writers = dict(writers)
        self.held = {slot: SlotValue(first.get(slot), 0, 0.0, "birth") for slot in types}
        """Slot -> what it holds; `write` alone changes it."""

    def __contains__(self, slot: str) -> bool:
        return slot in self.held

    def at(self, slot: str) -> SlotValue:
        """Return the slot's value with its version and time."""
        return self.held[slot]

    def value(self, slot: str) -> Any:  # noqa: ANN401 - of the slot's type
        """Return the slot's value."""
        return self.held[slot].value

    def write(self, writer: str, slot: str, value: Any, t_s: float) -> bool:  # noqa: ANN401
        """Write a value into a slot, and return whether it changed.

        Args:
            writer: Name of the writing module.
            slot: Name of the slot.
            value: The new value.
            t_s: Current time, in seconds.

        Raises:
            WiringError: The slot is another module's, or of another type.
        """
        before = self.held.get(slot)
        if before is None:
            raise WiringError(f"{writer}: there is no slot {slot!r}; legal are {', '.join(self.held)}")
        if self._writers.get(slot) != writer:
            raise WiringError(f"{writer} writes the slot {slot!r}, which is {self._writers.get(slot, 'nobody')}'s")
        if not isinstance(value, self._types[slot]):
            raise WiringError(f"{writer}: {type(value).__name__} is no value for the slot {slot!r}")
        if before.value is value or before.value == value:
            return False
        self.held[slot] = SlotValue(value, before.version + 1, t_s, writer)
        return True
