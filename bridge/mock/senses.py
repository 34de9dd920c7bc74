"""Senses of the mock world's bots, assembled from changes since the last look.

Most of a crowd does not move between looks: the process sends only changes (`skills_js/mock/sensing.js`), and unchanged
senses stay the same object with the tick of their first look. The first bot's senses are always made anew, so that the
latest tick of a look is its own. Updates are numbered; after a lost one (its asker was cancelled) the next look sends
everything.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridge.types import Sensed, Senses
from bridge.wire import Json, near_of, sensed_of, senses_of

MAX_VIEWS = 8
"""Maximum kinds of looks remembered; with more, all start over."""


class SenseView:
    """State of one kind of look: the last senses of each bot."""

    def __init__(self, number: int, senses: Senses) -> None:
        self.after = 0
        """Number of the last update; 0 if nothing is known."""
        self._number = number
        self._senses = senses_of(senses)
        self._known: dict[str, Sensed] = {}

    def fields(self, names: Sequence[str]) -> dict[str, Json]:
        """Return the request for the senses of these bots."""
        return {"bots": list(names), "senses": self._senses, "view": self._number, "after": self.after}

    def apply_changes(self, names: Sequence[str], news: Json) -> dict[str, Sensed] | None:
        """Return senses from an answer, or None if an earlier update is missing and everything must be sent again."""
        if news["number"] == 1:
            self._known = {}
        elif news["number"] != self.after + 1:
            self.after = 0
            return None
        self.after = news["number"]
        known, tick, found = self._known, news["tick"], {}
        for name, said in zip(names, news["told"], strict=True):
            if said is None:
                known.pop(name, None)
                continue
            # Nothing is told of one that is as it was: it stays the very same object.
            if said:
                before = known.get(name)
                known[name] = sensed_of(said) if before is None else _changed(before, said, tick)
            found[name] = known[name]
        # One of them tells how late it is now.
        for name in list(found)[:1]:
            found[name] = known[name] = known[name]._replace(tick=tick)
        return found


class Views:
    """The kinds of looks at one world."""

    def __init__(self) -> None:
        self._views: dict[Senses, SenseView] = {}
        self._numbers = 0

    def of(self, senses: Senses) -> SenseView:
        """Return the view for a kind of look."""
        view = self._views.get(senses)
        if view is None:
            if len(self._views) >= MAX_VIEWS:
                self._views.clear()
            self._numbers += 1
            view = self._views[senses] = SenseView(self._numbers, senses)
        return view


def _changed(before: Sensed, said: dict[str, Json], tick: int) -> Sensed:
    """Return a bot's senses with changes applied."""
    take = said.get
    position, players, mobs = take("position"), take("players"), take("mobs")
    drops, blocks = take("drops"), take("blocks")
    return Sensed(
        before.name,
        before.position if position is None else tuple(position),
        take("yaw", before.yaw),
        take("pitch", before.pitch),
        take("health", before.health),
        take("food", before.food),
        take("items", before.items),
        take("held", before.held),
        take("gamemode", before.gamemode),
        tick,
        before.players if players is None else near_of("players", players),
        before.mobs if mobs is None else near_of("mobs", mobs),
        before.drops if drops is None else near_of("drops", drops),
        before.blocks if blocks is None else near_of("blocks", blocks),
    )
