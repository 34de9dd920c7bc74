"""Rules of a kitchen: guests who take soup from the counter, a well that stays full, and the account of all work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import dist

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command, Stack
from dilemmas.minecraft.layout import Layout, Scores
from dilemmas.records.events import Event, Holdings, SoupServed, StationLaid, StationsSeen, WorkAct, WorkDone
from dilemmas.scenarios.kitchen.spec import KitchenSpec
from dilemmas.scenarios.protocol import EndState, Rules
from dilemmas.scenarios.taxation.collector import Collector, Leftover, Move

SOUPS = "soups"
"""Scoreboard objective that counts, for each cook, the soups served."""
EMERALD = "emerald"
REACH = 5.5
"""Maximum distance between a cook's feet and the middle of a station that it uses, in blocks."""
SETTLE_S = 1.0
"""Maximum time between the two sides of a move as they are seen, in seconds."""
Items = dict[str, int]


@dataclass(frozen=True)
class Product:
    """Item that cooks make, which the server's statistics count."""

    item: str
    objective: str
    criterion: str
    act: WorkAct
    kind: str
    """Kind of station at which it is made."""
    uses: tuple[str, ...] = ()
    """Items in the cook's hands that one uses up."""


def products(spec: KitchenSpec) -> tuple[Product, ...]:
    """Return everything that cooks make; vanilla counts an item taken out of a furnace as crafted."""
    recipe = spec.recipe
    dish, drink, vessel = recipe.dish, recipe.drink, recipe.vessel
    parts = (*recipe.cooks.values(), *recipe.adds)
    return (
        Product(dish, f"made_{dish}", f"minecraft.crafted:minecraft.{dish}", "craft", "table", parts),
        Product(drink, f"made_{drink}", f"minecraft.used:minecraft.{vessel}", "fill", "well", (vessel,)),
        *(
            Product(item, f"made_{item}", f"minecraft.crafted:minecraft.{item}", "take", "stove")
            for item in recipe.cooks.values()
        ),
    )


class Service(Rules):
    """Rules of one attempt."""

    def __init__(self, spec: KitchenSpec, layout: Layout) -> None:
        self._spec = spec
        self._layout = layout
        stations = spec.world.stations
        self._at = {name: layout.cell(each.at) for name, each in spec.containers.items()}
        self._middles = {name: [part + 0.5 for part in layout.cell(each.at)] for name, each in stations.items()}
        self._made_of = {*spec.recipe.cooks.values()}
        """Items that stoves make; a stove may gain and lose one between two steps, so cooks' side alone tells."""
        self._collector = Collector(self._middles, REACH, SETTLE_S)
        self._shown: dict[str, Items] = {}
        self._products = products(spec)
        self._scores: dict[str, dict[str, int]] = {}
        self._smelted: Items = {}
        self._taken = {spec.recipe.dish: 0, spec.recipe.drink: 0}
        """Dishes and drinks that the guests have taken."""
        self._served = 0
        (self._counter,) = spec.world.of_kind("counter")

    async def step(self, world: World, t_s: float) -> EndState:
        """Read the kitchen, let the guests take what is served, and fill the well."""
        lying, held, scores, places = await self._look(world)
        holds = {name: count_items(stacks) for name, stacks in lying.items()}
        made = self._made(t_s, scores, places, holds) if self._shown else []
        moves = self._collector.add_state(t_s, self._visible(holds), held, places)
        happened: list[Event] = [*made, *self._moved(moves), *self._gifts(self._collector.leftovers)]
        gone = await self._serve(world, lying[self._counter])
        self._collector.remove_items(self._counter, gone)
        holds[self._counter] = _without(holds[self._counter], gone)
        if seen := self._stations(t_s, holds):
            happened.insert(0, seen)
        if count := min(self._taken.values()) - self._served:
            self._served += count
            happened.append(SoupServed(t_s=t_s, count=count, total=self._served))
            adding = [Command(f"scoreboard players add {name} {SOUPS} {count}") for name in self._spec.players]
            await commands.give(world, adding)
            scores = {name: {**counts, SOUPS: counts.get(SOUPS, 0) + count} for name, counts in scores.items()}
        await self._fill_wells(world)
        players = holdings(self._spec, held, scores)
        return EndState(players, chest=holds[self._counter], happened=tuple(happened))

    async def _look(
        self, world: World
    ) -> tuple[dict[str, list[Stack]], dict[str, Items], Scores, Mapping[str, Sequence[float]]]:
        names = list(self._spec.players)
        lying, held = await commands.goods(world, list(self._at.values()), names)
        scores = await self._layout.scores(world)
        places = await commands.positions(world, names)
        carried = {name: items for name, items in zip(names, held, strict=True) if items is not None}
        return dict(zip(self._at, lying, strict=True)), carried, scores, places

    async def _serve(self, world: World, lying: Sequence[Stack]) -> Items:
        """Let the guests take as many dishes and drinks as there are of both; return the items that are gone."""
        found = {item: [stack for stack in lying if stack.item == item] for item in self._taken}
        pairs = min(sum(stack.count for stack in stacks) for stacks in found.values())
        # Neither stacks in vanilla, so that a stack is one dish or one drink.
        wanted = [stack for stacks in found.values() for stack in stacks[:pairs]]
        taken = await commands.take_out(world, wanted)
        gone = count_items([stack for stack, was in zip(wanted, taken, strict=True) if was])
        for item, count in gone.items():
            self._taken[item] += count
        return gone

    async def _fill_wells(self, world: World) -> None:
        """Fill the wells: the water that a bucket takes comes back, on every world alike."""
        wells = self._spec.world.of_kind("well").values()
        await commands.give(world, [self._layout.filled("water", each.at, each.to or each.at) for each in wells])

    def _stations(self, t_s: float, holds: Mapping[str, Items]) -> StationsSeen | None:
        """Return the event with the changed stations; the first one describes the kitchen."""
        changed = {name: items for name, items in holds.items() if self._shown.get(name) != items}
        first = not self._shown
        self._shown |= changed
        if not first:
            return StationsSeen(t_s=t_s, holds=changed) if changed else None
        laid = {
            name: StationLaid(kind=each.kind, at=self._layout.cell(each.at), rooms=list(each.rooms))
            for name, each in self._spec.world.stations.items()
        }
        rooms = {name: player.room for name, player in self._spec.players.items()}
        return StationsSeen(t_s=t_s, holds=changed, laid=laid, rooms=rooms, needs=self._spec.recipe.needs)

    def _visible(self, holds: Mapping[str, Items]) -> dict[str, Items]:
        """Return station -> the contents that only cooks change: all but what stoves make."""
        found = {name: dict(holds.get(name, {})) for name in self._spec.world.stations}
        for name in self._spec.world.of_kind("stove"):
            found[name] = {item: count for item, count in found[name].items() if item not in self._made_of}
        return found

    def _moved(self, moves: Sequence[Move]) -> list[WorkDone]:
        """Return the moves between cooks and containers."""
        return [
            WorkDone(
                t_s=each.t_s, player=each.player, act=self._act(each), item=each.item, count=each.count,
                station=each.chest,
            )
            for each in moves
            if each.player
        ]  # fmt: skip

    def _act(self, move: Move) -> WorkAct:
        if move.taken:
            return "take"
        stove = self._spec.world.stations[move.chest].kind == "stove"
        return "cook" if stove and move.item in self._spec.recipe.cooks else "put"

    def _made(
        self, t_s: float, scores: Scores, places: Mapping[str, Sequence[float]], holds: Mapping[str, Items]
    ) -> list[WorkDone]:
        """Return what cooks made since the last step, by the server's statistics, and tell the collector."""
        found = []
        before, self._scores = self._scores, {name: dict(counts) for name, counts in scores.items()}
        for made in self._products:
            for player, counts in self._scores.items():
                count = counts.get(made.objective, 0) - before.get(player, {}).get(made.objective, 0)
                if count <= 0:
                    continue
                used = {item: -count for item in made.uses}
                self._collector.change_held(player, {made.item: count, **used})
                self._smelted[made.item] = self._smelted.get(made.item, 0) + count
                station = self._nearest(made.kind, places[player])
                done = {"act": made.act, "item": made.item, "count": count, "station": station}
                found.append(WorkDone.model_validate({"t_s": t_s, "player": player, **done}))
        self._note_smelting(holds)
        self._smelted = {}
        return found

    def _note_smelting(self, holds: Mapping[str, Items]) -> None:
        """Tell the collector of raw items that turned into others in a stove, at most one a step."""
        for name in self._spec.world.of_kind("stove"):
            was, now = self._shown.get(name, {}), holds[name]
            for raw, cooked in self._spec.recipe.cooks.items():
                less = was.get(raw, 0) - now.get(raw, 0)
                if less > 0 and (now.get(cooked, 0) > was.get(cooked, 0) or self._smelted.get(cooked, 0)):
                    self._collector.remove_items(name, {raw: 1})

    def _nearest(self, kind: str, place: Sequence[float]) -> str:
        """Return the nearest station of a kind."""
        stations = [name for name, each in self._spec.world.stations.items() if each.kind == kind]
        return min(stations, key=lambda name: dist(self._middles[name], place))

    @staticmethod
    def _gifts(leftovers: Sequence[Leftover]) -> list[WorkDone]:
        """Return items that went from hand to hand, from changes that no container explains."""
        found = []
        left = [each.count for each in leftovers]
        for one, lost in enumerate(leftovers):
            for other, got in enumerate(leftovers):
                fits = got.gained and not lost.gained and got.item == lost.item and got.player != lost.player
                if fits and (count := min(left[one], left[other])):
                    left[one] -= count
                    left[other] -= count
                    done = {"act": "give", "item": lost.item, "count": count, "to": got.player}
                    found.append(WorkDone.model_validate({"t_s": lost.t_s, "player": lost.player, **done}))
        return found


def holdings(spec: KitchenSpec, held: Mapping[str, Items], scores: Scores) -> dict[str, Holdings]:
    """Return player -> what it carries, with an emerald for each soup served."""
    return {
        name: Holdings.of(
            {**{item: count for item, count in held.get(name, {}).items() if item != EMERALD},
             EMERALD: scores[name].get(SOUPS, 0)},
            {}, player.prices,
        )
        for name, player in spec.players.items()
    }  # fmt: skip


def count_items(stacks: Sequence[Stack]) -> Items:
    """Return item -> count of stacks."""
    found: Items = {}
    for stack in stacks:
        found[stack.item] = found.get(stack.item, 0) + stack.count
    return found


def _without(items: Items, gone: Mapping[str, int]) -> Items:
    """Return what remains of items."""
    return {item: left for item, count in items.items() if (left := count - gone.get(item, 0))}
