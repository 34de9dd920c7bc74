"""Player and world states in the log; each `state` event holds only the changes since the previous one of the attempt.

`StateChanges` builds such events, `WholeStates` restores the full states. Older logs with full states at every step
read the same way.
"""

from __future__ import annotations

from collections.abc import Mapping

from dilemmas.records.events import EndStateRead, EpisodeStarted, Event, Holdings, StateSeen


class StateChanges:
    """Builder of `state` events for one attempt."""

    def __init__(self) -> None:
        self._players: Mapping[str, Holdings] = {}
        self._world: Mapping[str, int] = {}

    def event(self, t_s: float, players: Mapping[str, Holdings], world: Mapping[str, int]) -> StateSeen:
        """Return the event for a full state: complete at first, only changes later.

        A block that `world` no longer names has a count of 0.

        Args:
            t_s: Game time in seconds.
            players: Holdings of all players of the attempt.
            world: Number of blocks by kind.

        Raises:
            ValueError: A player of an earlier state is missing.
        """
        if gone := self._players.keys() - players.keys():
            raise ValueError(f"state at {t_s:g} s: {sorted(gone)[0]!r} is missing; give it empty holdings")
        world = {**dict.fromkeys(self._world, 0), **world}
        changed = {name: held for name, held in players.items() if self._players.get(name) != held}
        counts = {block: count for block, count in world.items() if self._world.get(block) != count}
        self._players, self._world = dict(players), world
        return StateSeen(t_s=t_s, players=changed, world=counts)


class WholeStates:
    """Full states restored from the events of a run in order."""

    def __init__(self) -> None:
        self._players: dict[str, Holdings] = {}
        self._world: dict[str, int] = {}

    def full_state_of(self, event: Event) -> StateSeen | None:
        """Return the full state at a `state` or `end_state` event, with all players and blocks; None otherwise."""
        return self.whole(event.t_s) if self.merge(event) and isinstance(event, StateSeen | EndStateRead) else None

    def merge(self, event: Event) -> bool:
        """Apply an event; return True for `state` and `end_state`."""
        match event:
            case StateSeen():
                self._players.update(event.players)
                self._world.update(event.world)
            case EndStateRead():
                self._players = dict(event.players)
            case EpisodeStarted():
                self._players, self._world = {}, {}
                return False
            case _:
                return False
        return True

    def whole(self, t_s: float) -> StateSeen:
        """Return the latest full state, stamped with game time `t_s`."""
        # Values were validated when they were read; validating a crowd again would cost more than parsing the changes.
        return StateSeen.model_construct(t_s=t_s, players=dict(self._players), world=dict(self._world))
