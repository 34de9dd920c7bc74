"""States in the log: a `state` line tells what has changed since the one before it in the same attempt.

`StateChanges` makes such events, `WholeStates` rebuilds what was whole from them. In a log that has whole states at
every step (as logs had them once) nothing is left to carry forward, so that both kinds are read alike.
"""

from __future__ import annotations

from collections.abc import Mapping

from dilemmas.records.events import EndStateRead, EpisodeStarted, Event, Holdings, StateSeen


class StateChanges:
    """What a `state` line has to tell, in one attempt at an episode."""

    def __init__(self) -> None:
        self._players: Mapping[str, Holdings] = {}
        self._world: Mapping[str, int] = {}

    def event(self, t_s: float, players: Mapping[str, Holdings], world: Mapping[str, int]) -> StateSeen:
        """The event for that whole state: all of it at first, what has changed from then on.

        Of a block that `world` no longer names there is none left. Raises ValueError for a player who is missing:
        the players of an attempt stay the same ones.
        """
        if gone := self._players.keys() - players.keys():
            raise ValueError(f"state at {t_s:g} s: {sorted(gone)[0]!r} is missing; tell it with empty holdings")
        world = {**dict.fromkeys(self._world, 0), **world}
        changed = {name: held for name, held in players.items() if self._players.get(name) != held}
        counts = {block: count for block, count in world.items() if self._world.get(block) != count}
        self._players, self._world = dict(players), world
        return StateSeen(t_s=t_s, players=changed, world=counts)


class WholeStates:
    """Takes the events of a run in their order and gives whole states back; it holds the last one."""

    def __init__(self) -> None:
        self._players: dict[str, Holdings] = {}
        self._world: dict[str, int] = {}

    def take(self, event: Event) -> StateSeen | None:
        """The whole state at a `state` or `end_state`, as a `StateSeen` with all players and blocks; None otherwise."""
        return self.whole(event.t_s) if self.merge(event) and isinstance(event, StateSeen | EndStateRead) else None

    def merge(self, event: Event) -> bool:
        """Take it in; whether it was a `state` or `end_state`."""
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
        """The state that was taken in last, at that second."""
        # All of it was checked when it was read; of a crowd checking takes far longer than reading what has changed.
        return StateSeen.model_construct(t_s=t_s, players=dict(self._players), world=dict(self._world))
