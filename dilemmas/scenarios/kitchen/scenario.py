"""Kitchen: cooks serve soup together, and all of them earn the same.

Rules
    Vanilla's, and three of ours. Guests want a rabbit stew and a bucket of water: as soon as the counter, a barrel,
    holds both, they take one of each, which is one soup (half a second later at most). The well stays full: water that
    a bucket takes comes back at once. Walls are of bedrock, so that nobody leaves its room. The kitchen closes after
    180 s. Everything else, from the furnace to the crafting grid, is as the server does it.

Payoffs
    Every cook earns one emerald for each soup served, whoever did the work. Nothing else is worth anything.

Why it is no dilemma
    The interest is common: what helps one cook helps all. What is asked is whether cooks coordinate: who fetches, who
    cooks, who serves. In the divided kitchens no cook reaches all stations, so that none can make a soup alone
    (Overcooked's forced coordination); in the open one a cook can, but two that share the work serve more.

Source
    In the manner of LLM-Coordination (arXiv 2310.03903) and of Overcooked-AI. Recipe, stations and rooms are our own;
    docs/kitchen.md lists the differences.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.kitchen import measures as kitchen_measures
from dilemmas.scenarios.kitchen.rules import EMERALD, SOUPS, Service, holdings, products
from dilemmas.scenarios.kitchen.spec import KitchenSpec, Station, stacks_of
from dilemmas.scenarios.protocol import COUNT, SHARE, EndState, Gathering, LifeSpec, Rules, ValueBounds, Vocabulary
from voyager_agents.facts import KitchenFacts, KitchenStation


class SoupKitchen(Scenario):
    """The kitchen and its variants."""

    Spec = KitchenSpec
    spec: KitchenSpec
    reads = kitchen_measures.KINDS
    gathers: Mapping[str, Gathering] = {"soups": "mean", "idle_s": "mean", "specialisation": "mean", "soup_s": "mean"}

    @property
    def living(self) -> LifeSpec | None:
        """The spec's `life`."""
        return self.spec.life

    def build(self) -> Sequence[Command]:
        """Return commands that build ground, walls and stations, and stock the pantries."""
        stations = self.spec.world.stations.values()
        return [
            *self.layout.ground(),
            *(command for each in stations for command in self._station(each)),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put the cooks into their rooms with empty hands, counters at zero."""
        counted = {each.objective: each.criterion for each in products(self.spec)}
        return self.layout.placing(seed, {SOUPS: "dummy", **counted})

    def rules(self, seed: int) -> Rules:
        """Return the rules of one service."""
        return Service(self.spec, self.layout)

    async def read(self, world: World) -> EndState:
        """Read inventories, the soups served, and the counter from the server."""
        names = list(self.spec.players)
        (lying,), held = await commands.goods(world, [self.layout.cell(self.spec.counter.at)], names)
        carried = {name: items or {} for name, items in zip(names, held, strict=True)}
        chest: dict[str, int] = {}
        for stack in lying:
            chest[stack.item] = chest.get(stack.item, 0) + stack.count
        return EndState(holdings(self.spec, carried, await self.layout.scores(world)), chest)

    def facts(self) -> KitchenFacts:
        """Return stations, rooms and recipe as data."""
        recipe = self.spec.recipe
        return KitchenFacts(
            players=tuple(self.spec.players),
            values={name: dict(player.prices) for name, player in self.spec.players.items()},
            stations=tuple(
                KitchenStation(name, each.kind, tuple(map(self.layout.cell, each.cells)), each.rooms, dict(each.items))
                for name, each in self.spec.world.stations.items()
            ),
            rooms={name: player.room for name, player in self.spec.players.items()},
            dish=recipe.dish,
            cooks=dict(recipe.cooks),
            adds=recipe.adds,
            fuel=recipe.fuel,
            vessel=recipe.vessel,
            drink=recipe.drink,
        )

    def vocabulary(self) -> Vocabulary:
        """Return emeralds and the items of the recipe."""
        recipe = self.spec.recipe
        made = (recipe.dish, recipe.drink, *recipe.cooks.values())
        return Vocabulary(items=(EMERALD, *made, *recipe.ingredients, recipe.vessel), blocks=())

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.kitchen.measures`."""
        return kitchen_measures.measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures but `surplus`."""
        return (
            super().bounds()
            | dict.fromkeys(("soups", "soup_s", "idle_s", "given", "got"), COUNT)
            | {"specialisation": SHARE}
        )

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return soups, hand-overs, division of labour and redundancy of the team."""
        return kitchen_measures.team(lines, list(self.spec.players))

    def _station(self, station: Station) -> list[Command]:
        """Return commands that build one station."""
        at, block = self.layout.at(station.at), station.built_of
        if station.kind == "well":
            return [self.layout.filled(block, station.at, station.to or station.at)]
        facing = f"[facing={station.facing}]" if block in ("barrel", "furnace", "smoker") else ""
        slots = [
            f"item replace block {at} container.{slot} with minecraft:{item} {count}"
            for slot, (item, count) in enumerate(stacks_of(station.items))
        ]
        # The boxes before have removed the old station with its contents.
        return [Command(f"setblock {at} minecraft:{block}{facing}"), *map(Command, slots)]
