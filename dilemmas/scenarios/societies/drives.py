"""Drives of villagers over time, from the levels in the log (`voyager_agents.piano.modules.drives`)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records.events import EndStateRead, EpisodeStarted, Event, SlotWritten

DRIVES = "drives"
"""Slot of the levels."""


@dataclass
class DriveHistory:
    """Levels of all villagers of the last attempt."""

    changes: dict[str, list[tuple[float, Mapping[str, float]]]] = field(default_factory=lambda: defaultdict(list))
    """Villager -> (second, drive -> level from then on)."""
    pressing: dict[str, list[tuple[float, str]]] = field(default_factory=lambda: defaultdict(list))
    """Villager -> (second, drive that asked for a new goal from then on, or empty)."""
    until: float = 0.0
    """End of the lives, in seconds."""

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        match event:
            case EpisodeStarted():
                self.__dict__.update(DriveHistory().__dict__)
            case SlotWritten(slot=slot) if slot == DRIVES and isinstance(event.value, Mapping):
                levels = event.value.get("levels")
                if isinstance(levels, Mapping):
                    self.changes[event.player].append((event.t_s, levels))
                    self.pressing[event.player].append((event.t_s, str(event.value.get("pressing", ""))))
                    self.until = max(self.until, event.t_s)
            case EndStateRead():
                self.until = max(self.until, event.t_s)
            case _:
                pass

    @property
    def drives(self) -> tuple[str, ...]:
        """Names of the drives, in their order."""
        return tuple(dict.fromkeys(name for own in self.changes.values() for _, levels in own for name in levels))

    def means(self) -> dict[str, float]:
        """Return drive -> its level, averaged over time and villagers."""
        found = {}
        for drive in self.drives:
            spans = [
                (levels.get(drive, 0.0), length) for own in self.changes.values() for levels, length in self._spans(own)
            ]
            total = sum(length for _, length in spans)
            found[drive] = sum(level * length for level, length in spans) / total if total else 0.0
        return found

    def pressed(self) -> dict[str, float]:
        """Return drive -> share of the time of all villagers in which it asked for a new goal."""
        spans = [span for own in self.pressing.values() for span in self._spans(own)]
        total = sum(length for _, length in spans)
        return {
            drive: sum(length for name, length in spans if name == drive) / total if total else 0.0
            for drive in self.drives
        }

    def course(self, every_s: float) -> dict[str, list[tuple[float, float]]]:
        """Return drive -> (second, mean level of all villagers) at fixed intervals, for figures."""
        found: dict[str, list[tuple[float, float]]] = {name: [] for name in self.drives}
        for number in range(int(self.until / every_s) + 1 if self.changes else 0):
            now = [_at(own, number * every_s) for own in self.changes.values()]
            for drive in found:
                found[drive].append((number * every_s, sum(each.get(drive, 0.0) for each in now) / len(now)))
        return found

    def summary(self) -> dict[str, Any]:
        """Return the measures for result.json; empty without drives."""
        return {"mean": self.means(), "pressing": self.pressed()} if self.changes else {}

    def _spans(self, own: list[tuple[float, Any]]) -> list[tuple[Any, float]]:
        """Return (value, seconds for which it held)."""
        ends = [*(t_s for t_s, _ in own[1:]), self.until]
        return [(value, max(0.0, end - t_s)) for (t_s, value), end in zip(own, ends, strict=True)]


def _at(own: list[tuple[float, Mapping[str, float]]], t_s: float) -> Mapping[str, float]:
    """Return the levels at a second; none before the first."""
    found: Mapping[str, float] = {}
    for since, levels in own:
        if since > t_s:
            break
        found = levels
    return found
