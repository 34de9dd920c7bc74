"""What bots of the mock world sense, put together from what has changed since they were asked last.

Most of a crowd stands where it stood and sees what it saw: the world's process tells only what is new
(`skills_js/mock/sensing.js`), and who is as it was stays the same object, of the tick at which it was so first. The
first bot that is there is made anew: so the latest tick of a look is the look's own. News are numbered. One that did
not arrive, because whoever asked was cancelled meanwhile, makes the next look tell everything again.
"""

from __future__ import annotations

from collections.abc import Sequence

from bridge.types import Sensed, Senses
from bridge.wire import Json, near_of, sensed_of, senses_of

MOST_VIEWS = 8
"""Kinds of looks that are remembered; with more all begin anew."""


class SenseView:
    """One kind of look: what each bot was last told."""

    def __init__(self, number: int, senses: Senses) -> None:
        self.after = 0
        """The number of the last news; 0: nothing is known."""
        self._number = number
        self._senses = senses_of(senses)
        self._known: dict[str, Sensed] = {}

    def fields(self, names: Sequence[str]) -> dict[str, Json]:
        """Return the request for what these bots sense now."""
        return {"bots": list(names), "senses": self._senses, "view": self._number, "after": self.after}

    def take(self, names: Sequence[str], news: Json) -> dict[str, Sensed] | None:
        """Return what they sense, from the answer; None when news before it are missing: all is to be told again."""
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
    """All kinds of looks at one world."""

    def __init__(self) -> None:
        self._views: dict[Senses, SenseView] = {}
        self._numbers = 0

    def of(self, senses: Senses) -> SenseView:
        """Return the view that looks so."""
        view = self._views.get(senses)
        if view is None:
            if len(self._views) >= MOST_VIEWS:
                self._views.clear()
            self._numbers += 1
            view = self._views[senses] = SenseView(self._numbers, senses)
        return view


def _changed(before: Sensed, said: dict[str, Json], tick: int) -> Sensed:
    """Return the same bot later: what was said has changed."""
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
