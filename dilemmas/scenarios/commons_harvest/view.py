"""View of a player before its turn: surroundings, witnessed deeds, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from dilemmas.records.events import DeedSeen, FieldStepped
from dilemmas.scenarios.commons_harvest.rules import Harvest
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from voyager_agents.commons_harvest import HarvestAct, Place, Seen


@dataclass(frozen=True)
class FieldView:
    """The field between two rounds, as seen from places in it."""

    spec: CommonsSpec
    rules: Harvest

    def at(self, player: str) -> Place:
        """Return the cell that the player stands in, or stood in when it was hit."""
        x, z = self.rules.place(player)
        orchard = self.spec.world.field
        return (min(max(round(x), 0), orchard.columns - 1), min(max(round(z), 0), orchard.rows - 1))

    def sees(self, player: str, place: tuple[float, float]) -> bool:
        """Return True if the place is in the player's window; a player that is out sees nothing."""
        if player in self.rules.out:
            return False
        here, (columns, rows) = self.at(player), self.spec.rounds.sight
        return abs(place[0] - here[0]) <= columns and abs(place[1] - here[1]) <= rows

    def seen(self, player: str) -> tuple[Seen, ...]:
        """Return everything in sight, nearest first; equal distances in a fixed order."""
        here = self.at(player)
        found = [*self._trees(player), *self._cells(player), *self._players(player)]
        return tuple(sorted(found, key=lambda each: (dist(each.at, here), each.what, each.at, each.name)))

    def _cells(self, player: str) -> list[Seen]:
        apples = self.rules.apples
        return [
            Seen("apple" if cell in apples else "bare", cell, tree)
            for cell, tree in self.rules.trees.items()
            if self.sees(player, cell)
        ]

    def _trees(self, player: str) -> list[Seen]:
        """Return the trees of which a cell is in sight."""
        apples = self.rules.apples
        found = []
        for name, tree in self.spec.world.field.names().items():
            cells = [cell for cell in tree.cells if self.sees(player, cell)]
            if cells:
                left = sum(cell in apples for cell in cells)
                note = f"{_many(left, 'apple')}, {_many(len(cells) - left, 'bare cell')} in sight"
                found.append(Seen("tree", tree.at, name, note))
        return found

    def _players(self, player: str) -> list[Seen]:
        others = [name for name in self.rules.positions if name != player]
        return [Seen("player", self.at(name), name) for name in others if self.sees(player, self.at(name))]

    def last_apple(self, player: str) -> Place | None:
        """Return the nearest apple in sight if it is the last one of its tree, else None."""
        here = self.at(player)
        near = [cell for cell in self.rules.apples if self.sees(player, cell)]
        if not near:
            return None
        nearest = min(near, key=lambda cell: (dist(cell, here), cell))
        return nearest if self.rules.on_trees()[self.rules.trees[nearest]] == 1 else None

    def deeds(self, player: str, deeds: Sequence[DeedSeen]) -> tuple[HarvestAct, ...]:
        """Return the deeds that the player did, suffered or saw."""
        return tuple(
            to_deed(deed) for deed in deeds if player in (deed.player, deed.target) or self.sees(player, deed.at)
        )

    def events(self, player: str, stepped: FieldStepped | None, before: Sequence[str]) -> tuple[str, ...]:
        """Return other events that the player witnessed, in words; `before` are those out before the round."""
        out = self.rules.out
        told: tuple[str, ...] = ()
        if (player in out) != (player in before):
            told = ("You are immobilized: out of the field.",) if player in out else ("You are back in the field.",)
        grown = [] if stepped is None else [cell for cell in stepped.grown if self.sees(player, cell)]
        return (*told, *(f"An apple grew at {cell} on {self.rules.trees[cell]}." for cell in grown))


def to_deed(deed: DeedSeen) -> HarvestAct:
    """Return the deed in the agents' type."""
    return HarvestAct(
        kind=deed.deed,
        player=deed.player,
        at=deed.at,
        tree=deed.tree,
        left=deed.left,
        target=deed.target,
        hit=deed.hit,
    )


def _many(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"
