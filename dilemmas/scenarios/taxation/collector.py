"""Attribution of payments into community chests, from inventories and chests as the server shows them at each step.

Items that a chest gains came from players who stand near it and have lost them, and the other way round for items that
it loses. The two sides of a move may be seen at different steps, at most `settle_s` apart. If several players stand
near several chests, the moves explain as many changes as possible (a maximum flow). Items that were eaten or thrown
away near a chest are in no chest and count for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import dist

Items = Mapping[str, int]
Spot = Sequence[float]


@dataclass(frozen=True)
class Move:
    """Items moved between a player and a chest; `player` is empty if unknown."""

    t_s: float
    player: str
    chest: str
    item: str
    count: int
    taken: bool = False


@dataclass(frozen=True)
class Leftover:
    """Items that a player near these chests lost or gained and that no chest explains."""

    t_s: float
    player: str
    chests: tuple[str, ...]
    item: str
    count: int
    gained: bool


@dataclass
class _Loss:
    """Unmatched loss (or gain) of an item by a player near these chests."""

    t_s: float
    player: str
    chests: tuple[str, ...]
    item: str
    count: int


@dataclass
class _Gain:
    """Unmatched gain (or loss) of an item by a chest."""

    t_s: float
    chest: str
    item: str
    count: int


@dataclass
class _Side:
    """Unmatched changes of one direction: into chests, or out of them."""

    losses: list[_Loss] = field(default_factory=list)
    gains: list[_Gain] = field(default_factory=list)


class Collector:
    """Accounts of one season; call `add_state` at every step and `close_accounts` at the end."""

    def __init__(self, at: Mapping[str, Spot], reach: float, settle_s: float) -> None:
        """Open accounts; `at` is chest -> position."""
        self._at = at
        self._reach = reach
        self._settle_s = settle_s
        self._chests: dict[str, dict[str, int]] | None = None
        self._held: dict[str, dict[str, int]] = {}
        self._near: dict[str, tuple[str, ...]] = {}
        self._into, self._out = _Side(), _Side()
        self.leftovers: list[Leftover] = []
        """Changes of players near chests that the last state gave up, since no chest explains them."""

    def add_state(
        self, t_s: float, chests: Mapping[str, Items], held: Mapping[str, Items], places: Mapping[str, Spot]
    ) -> list[Move]:
        """Add the state of a step and return the moves that it settles.

        Args:
            t_s: Second of the step.
            chests: Chest -> item -> count.
            held: Player -> item -> count.
            places: Player -> position.
        """
        near = {name: self._chests_near(place) for name, place in places.items()}
        if self._chests is not None:
            self._compare(t_s, chests, held, near)
        self._chests = {name: dict(items) for name, items in chests.items()}
        self._held |= {name: dict(items) for name, items in held.items()}
        self._near = near
        settled = [*self._match(self._into, taken=False), *self._match(self._out, taken=True)]
        return settled + self._give_up(t_s - self._settle_s)

    def remove_items(self, chest: str, items: Items) -> None:
        """Take note of items that the rules themselves removed from a chest after the last state."""
        assert self._chests is not None, "no state was added"
        held = self._chests[chest]
        for item, count in items.items():
            held[item] = held.get(item, 0) - count

    def change_held(self, player: str, changes: Items) -> None:
        """Take note of what a player made, and of what it used up for it, since the last state."""
        held = self._held.setdefault(player, {})
        for item, change in changes.items():
            held[item] = held.get(item, 0) + change

    def at_a_chest(self, place: Spot) -> bool:
        """Return True if a player at the place can reach a chest."""
        return bool(self._chests_near(place))

    def close_accounts(self) -> list[Move]:
        """Return the moves that could not be attributed to anybody."""
        return self._give_up(float("inf"))

    def _chests_near(self, place: Spot) -> tuple[str, ...]:
        return tuple(name for name, at in self._at.items() if dist(at, place) <= self._reach)

    def _compare(
        self, t_s: float, chests: Mapping[str, Items], held: Mapping[str, Items], near: Mapping[str, tuple[str, ...]]
    ) -> None:
        assert self._chests is not None
        for chest, items in chests.items():
            for item, change in _changes(self._chests.get(chest, {}), items):
                (self._into if change > 0 else self._out).gains.append(_Gain(t_s, chest, item, abs(change)))
        for player, items in held.items():
            here = tuple(dict.fromkeys((*self._near.get(player, ()), *near.get(player, ()))))
            if player not in self._held or not here:
                continue
            for item, change in _changes(self._held[player], items):
                side = self._into if change < 0 else self._out
                side.losses.append(_Loss(t_s, player, here, item, abs(change)))

    @staticmethod
    def _match(side: _Side, *, taken: bool) -> list[Move]:
        found = []
        for item in dict.fromkeys(gain.item for gain in side.gains):
            gains = [gain for gain in side.gains if gain.item == item]
            losses = [loss for loss in side.losses if loss.item == item]
            for (one, other), moved in _flow(losses, gains).items():
                loss, gain = losses[one], gains[other]
                gain.count -= moved
                loss.count -= moved
                found.append(Move(gain.t_s, loss.player, gain.chest, item, moved, taken))
        side.gains = [gain for gain in side.gains if gain.count]
        side.losses = [loss for loss in side.losses if loss.count]
        return found

    def _give_up(self, before_s: float) -> list[Move]:
        """Give up changes whose other side is overdue."""
        found = []
        self.leftovers = []
        for side, taken in ((self._into, False), (self._out, True)):
            old = [gain for gain in side.gains if gain.t_s < before_s]
            found += [Move(gain.t_s, "", gain.chest, gain.item, gain.count, taken) for gain in old]
            side.gains = [gain for gain in side.gains if gain.t_s >= before_s]
            given_up = [loss for loss in side.losses if loss.t_s < before_s]
            self.leftovers += [Leftover(each.t_s, each.player, each.chests, each.item, each.count, taken)
                               for each in given_up]  # fmt: skip
            side.losses = [loss for loss in side.losses if loss.t_s >= before_s]
        return found


def _flow(losses: Sequence[_Loss], gains: Sequence[_Gain]) -> dict[tuple[int, int], int]:
    """Return (number of a loss, number of a gain) -> amount, a maximum flow."""
    flow: dict[tuple[int, int], int] = {}
    left = [loss.count for loss in losses]
    free = [gain.count for gain in gains]
    # Exact fits first; later augmenting paths can still reverse them.
    for one, loss in enumerate(losses):
        for other, gain in enumerate(gains):
            if gain.chest in loss.chests and left[one] and left[one] == free[other]:
                flow[one, other], left[one], free[other] = left[one], 0, 0
    while path := _path(losses, gains, flow, left, free):
        forth, back = path[0::2], path[1::2]
        most = min(left[path[0][0]], free[path[-1][1]], *(flow[each] for each in back))
        for each in forth:
            flow[each] = flow.get(each, 0) + most
        for each in back:
            flow[each] -= most
        left[path[0][0]] -= most
        free[path[-1][1]] -= most
    return {way: count for way, count in flow.items() if count}


def _path(
    losses: Sequence[_Loss],
    gains: Sequence[_Gain],
    flow: Mapping[tuple[int, int], int],
    left: Sequence[int],
    free: Sequence[int],
) -> list[tuple[int, int]]:
    """Return the shortest augmenting path of alternating losses and gains; empty if there is none."""
    heads: list[tuple[int, list[tuple[int, int]]]] = [(one, []) for one, count in enumerate(left) if count]
    seen = {one for one, _ in heads}
    while heads:
        one, way = heads.pop(0)
        for other, gain in enumerate(gains):
            if gain.chest not in losses[one].chests:
                continue
            longer = [*way, (one, other)]
            if free[other]:
                return longer
            for (giver, taker), count in flow.items():
                if taker == other and count and giver not in seen:
                    seen.add(giver)
                    heads.append((giver, [*longer, (giver, other)]))
    return []


def _changes(before: Items, after: Items) -> list[tuple[str, int]]:
    changes = [(item, after.get(item, 0) - before.get(item, 0)) for item in sorted({*before, *after})]
    return [(item, change) for item, change in changes if change]
