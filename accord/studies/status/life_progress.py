"""Progress line of a society: game time, speeches, converts, speed relative to real time."""

from __future__ import annotations

from collections.abc import Callable

from dilemmas.records import events as log
from dilemmas.scenarios.societies.exposures import LEVELS, PRIEST
from voyager_agents.lexicon import Lexicon


class LifeProgress:
    """Progress line made from the events of one run."""

    def __init__(self, clock: Callable[[], float]) -> None:
        """Measure wall time with `clock`, in seconds."""
        self._clock = clock
        self._began: float | None = None
        self._speeches = 0
        self._lexicon: Lexicon | None = None
        self._levels: dict[str, int] = {}
        self._priests: frozenset[str] = frozenset()

    def handle_event(self, event: log.Event) -> str:
        """Handle an event; return the new line, or an empty text if the line does not change."""
        match event:
            case log.EpisodeStarted():
                self.__init__(self._clock)  # type: ignore[misc] # a new attempt starts from nothing
            case log.PeopleSettled():
                self._lexicon = Lexicon(event.direct, event.indirect)
                self._priests = frozenset(name for name, folk in event.people.items() if folk.role == PRIEST)
            case log.PoliciesStarted():
                self._began = self._clock()
            case log.Speech():
                self._hear(event)
            case log.PlacesSeen():
                return self._line(event.t_s)
            case _:
                pass
        return ""

    def _hear(self, event: log.Speech) -> None:
        self._speeches += 1
        if self._lexicon is not None and event.speaker not in self._priests:
            level = self._lexicon.level(event.text)
            if level > self._levels.get(event.speaker, 0):
                self._levels[event.speaker] = level

    def _line(self, t_s: float) -> str:
        parts = [f"living, {t_s:.0f} s of game time", f"{self._speeches:,} speeches"]
        if self._lexicon is not None:
            levels = list(self._levels.values())
            told = [f"{levels.count(level)} {name}" for level, name in sorted(LEVELS.items(), reverse=True)]
            parts.append(f"{' and '.join(told)} converts")
        wall_s = 0.0 if self._began is None else self._clock() - self._began
        if t_s and wall_s > 0:
            parts.append(f"{t_s / wall_s:.2g} times real time")
        return ", ".join(parts)
