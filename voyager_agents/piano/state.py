"""Shared state of one agent: slots with a type, a version, a time of writing and one writer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from voyager_agents.errors import WiringError


class SlotValue(NamedTuple):
    """Value of a slot with its version."""

    value: Any
    version: int
    """Number of changes; 0 for the initial value."""
    t_s: float
    writer: str


class SlotState:
    """Store of all slots. Writing an equal value is no change and keeps the version."""

    def __init__(self, types: Mapping[str, Any], writers: Mapping[str, str], first: Mapping[str, Any]) -> None:
        """Create the slots.

        Args:
            types: Slot -> type, or types, of its values.
            writers: Slot -> the only writer that may change it.
            first: Slot -> initial value; None for slots that are not in it.
        """
        self._types = dict(types)
        self._writers = dict(writers)
        self.held = {slot: SlotValue(first.get(slot), 0, 0.0, "birth") for slot in types}
        """Slot -> current value. Only `write` changes it."""

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
            writer: Name of the writing module, or `body`.
            slot: Name of the slot.
            value: The new value.
            t_s: Current time, in seconds.

        Raises:
            WiringError: The slot is unknown, has another writer, or does not take values of this type.
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
