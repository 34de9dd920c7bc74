"""Institutions in a village: what the server counts of people, who saw it, jail and exile, and money in the world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import dist
from typing import Any

from bridge.worlds import World
from contracts.institutions.charter_law import CHARTER, CharterVersion
from contracts.institutions.frame import Slot
from contracts.institutions.marketplace import GOODS
from contracts.institutions.norms import Entry
from contracts.institutions.slots import ACTS, PRESENT, CivicOrder, WitnessedAct
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Cell, Layout, mined_criteria, mined_objective
from dilemmas.records.events import AssemblyEntry, Event, SeasonClosed
from dilemmas.scenarios.societies.goods import WorldGoods, WorldLedger
from dilemmas.scenarios.village.spec import VillageSpec
from voyager_agents.village_norms import PayTax, VillageDeed, VillageThings

SIGHT = 24.0
"""Distance in blocks up to which people see what another one does."""
AT_PLACE = 12.0
"""Distance in blocks up to which somebody is at a place."""
LOOK_S = 5.0
"""Seconds between two looks at what people have done."""
KEEP_S = 1.0
"""Seconds between two looks at those who are held."""
NEAR_CELL = 1.5
"""Distance in blocks up to which a held person is where it is held."""
MARKET_PLACE, MARKET_REACH = "square", 10.0
"""Name of the place of the market, and distance in blocks within which people are there."""
ROUNDING = 0.5
"""Items of a tax that rounding to whole items may leave unpaid."""
NEVER = float("inf")
DAY_TICKS, TICKS = 24_000, 20
NIGHT = (13_000, 23_000)
"""Time of day of nightfall and dawn, in ticks."""


def killed_objective(mob: str) -> str:
    """Return the scoreboard objective that counts a player's kills of a kind of mob."""
    return f"killed_{mob}"


def village_things(spec: VillageSpec, *, taxed: bool) -> VillageThings:
    """Return the blocks, animals and places that a law of the village may name.

    Args:
        spec: The village.
        taxed: True if there are tax seasons.
    """
    world = spec.world
    crops = [each.crop for each in world.fields]
    blocks = tuple(dict.fromkeys((world.forest.log, *world.ores, *crops)))
    return VillageThings(blocks, tuple(sorted({each.mob for each in world.herds})), tuple(spec.places), taxed)


def village_criteria(things: VillageThings) -> dict[str, str]:
    """Return scoreboard objective -> vanilla criterion of everything that a law may name."""
    kills = {killed_objective(mob): f"minecraft.killed:minecraft.{mob}" for mob in things.mobs}
    return {**mined_criteria(things.blocks), **kills}


def charter_norms(terms: Mapping[str, Any]) -> dict[str, PayTax]:
    """Return clause -> norm of a constitution's clauses that the record of tax seasons can judge.

    Args:
        terms: Clause -> its value. `rate` is the range of the tax in percent, `counts` the items that count.
    """
    rate, counts = terms.get("rate"), terms.get("counts", ["everything"])
    # The record shows shares of all that a person holds.
    if rate is None or "everything" not in counts or rate[0] <= 0:
        return {}
    return {"rate": PayTax(kind="pay", percent=rate[0])}


class VillageCivics:
    """World side of institutions in one attempt (a `dilemmas.scenarios.protocol.CivicLife`).

    The held stand in the jail, and the banished in exile; whoever leaves is put back, since their bodies live on. An
    office that costs its holder time is served at the guards' post.
    """

    def __init__(
        self, spec: VillageSpec, layout: Layout, world: World, members: Sequence[str], *, every_s: float, taxed: bool
    ) -> None:
        """Watch a village.

        Args:
            spec: The village.
            layout: Its layout.
            world: The world.
            members: People under the institutions.
            every_s: Seconds of a step of the institutions.
            taxed: True if there are tax seasons.
        """
        self._spec, self._layout, self._world = spec, layout, world
        self._members = list(members)
        self._every_s = every_s
        self._things = village_things(spec, taxed=taxed)
        self._places = {name: layout.cell(cell) for name, cell in spec.places.items()}
        civic = spec.world.civic
        self._cells: dict[str, Cell] = {"hold": civic.jail, "banish": civic.exile, "busy": civic.post}
        x, y, z = layout.cell(spec.places[MARKET_PLACE])
        coffers = {name: layout.cell(each.at) for name, each in civic.coffers().items()}
        self._goods = WorldGoods(world, list(spec.players), (x + 0.5, y, z + 0.5), MARKET_REACH, coffers)
        self.ledger = WorldLedger(self._goods, civic.money)
        self._looked_s = self._kept_s = -NEVER
        self._counted: dict[tuple[str, str], int] = {}
        self._at: dict[str, frozenset[str]] = {}
        """Person -> places where it was at the last look."""
        self._nights: dict[str, int] = {}
        """Person -> last step of which a look at night was noted."""
        self._acts: list[WitnessedAct] = []
        self._number = 0
        self._held: dict[str, tuple[float, str]] = {}
        """Person -> second at which it is free again (`NEVER` for the banished), and kind of the order."""
        self._now_s = 0.0
        self._charter: tuple[CharterVersion, ...] = ()

    async def look(self, t_s: float) -> list[Entry]:
        """Take in what people have done, put back those who are held, and return entries of those who are free again.

        Args:
            t_s: Seconds since the start.
        """
        self._now_s = t_s
        freed = [name for name, (until, kind) in self._held.items() if until <= t_s and kind == "hold"]
        self._held = {name: each for name, each in self._held.items() if each[0] > t_s}
        await commands.give(self._world, [self._to(name, self._spec.world.civic.door) for name in freed])
        looks, keeps = t_s - self._looked_s >= LOOK_S, bool(self._held) and t_s - self._kept_s >= KEEP_S
        if looks or keeps:
            places = await commands.positions(self._world, list(self._spec.players))
            if looks:
                self._looked_s = t_s
                await self._take_in(t_s, places)
            self._kept_s = t_s
            await self._keep(places)
        return [
            {"part": "guards", "what": "released", "who": name, "why": "the time is up", "data": {}} for name in freed
        ]

    def hear(self, events: Sequence[Event]) -> None:
        """Take in the assembly's law, and what each has paid in a tax season that is over."""
        for event in events:
            if isinstance(event, SeasonClosed):
                self._hear_season(event)
            elif isinstance(event, AssemblyEntry) and event.entry["what"] == "law":
                clauses = tuple(charter_norms(event.entry["terms"]).items())
                self._charter = (*self._charter, CharterVersion(self._number, clauses))

    def _hear_season(self, event: SeasonClosed) -> None:
        for name in self._members:
            held = event.held.get(name, 0)
            if event.state.get(name, "gone") not in ("gone", "nothing_held"):
                # Tax is paid in whole items; the chests are counted in front of all.
                deed = VillageDeed("season", name, share=(event.paid.get(name, 0) + ROUNDING) / held)
                self._note(deed, tuple(other for other in self._members if other != name))

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return the people that are not banished, the acts since the last step, and everybody's goods."""
        acts, self._acts = tuple(self._acts), []
        present = tuple(name for name in self._members if self._held.get(name, (0.0, ""))[1] != "banish")
        return {PRESENT: present, ACTS: acts if number else (), GOODS: self._goods, CHARTER: self._charter}

    async def carry_out(self, order: CivicOrder) -> None:
        """Take a person to the jail, into exile, or to the guards' post for the steps of the order."""
        until, kind = self._held.get(order.player, (self._now_s, order.kind))
        if order.kind == "banish" or kind == "banish":
            self._held[order.player] = (NEVER, "banish")
        else:
            # A sentence goes on top of time in office, in jail.
            harder = "hold" if "hold" in (kind, order.kind) else "busy"
            self._held[order.player] = (max(until, self._now_s) + order.steps * self._every_s, harder)
        await commands.give(self._world, [self._to_cell(order.player)])

    def _to_cell(self, name: str) -> Command:
        return self._to(name, self._cells[self._held[name][1]])

    def _to(self, name: str, cell: Cell) -> Command:
        return Command(f"tp {name} {self._layout.stand(cell)}", (commands.NO_ENTITY, commands.NO_PLAYER))

    async def _keep(self, places: Mapping[str, tuple[float, float, float]]) -> None:
        """Put back those who are not where they are held."""
        found = []
        for name, (_, kind) in self._held.items():
            x, y, z = self._layout.cell(self._cells[kind])
            if name in places and dist(places[name], (x + 0.5, y, z + 0.5)) > NEAR_CELL:
                found.append(self._to_cell(name))
        await commands.give(self._world, found)

    async def _take_in(self, t_s: float, places: Mapping[str, tuple[float, float, float]]) -> None:
        scores = await commands.scores(self._world, list(self._spec.players))
        for name in self._members:
            if name not in places or name not in scores:
                continue
            seen_by = self._witnesses(name, places)
            for deed in self._deeds(name, scores[name], places[name], t_s):
                self._note(deed, seen_by)

    def _note(self, deed: VillageDeed, seen_by: tuple[str, ...]) -> None:
        self._number += 1
        self._acts.append(WitnessedAct(self._number, deed, seen_by))

    def _deeds(
        self, name: str, scores: Mapping[str, int], at: tuple[float, float, float], t_s: float
    ) -> list[VillageDeed]:
        """Return a person's deeds since the last look."""
        found: list[VillageDeed] = []
        for block in self._things.blocks:
            found += [VillageDeed("mine", name, block)] * self._more(name, scores, mined_objective(block))
        for mob in self._things.mobs:
            found += [VillageDeed("kill", name, mob)] * self._more(name, scores, killed_objective(mob))
        here = frozenset(place for place, cell in self._places.items() if dist(cell, at) <= AT_PLACE)
        if name not in self._held:
            came = sorted(here - self._at.get(name, here))
            found += [VillageDeed("visit", name, place) for place in came]
            time, step = (self._spec.rules.day_start + t_s * TICKS) % DAY_TICKS, int(t_s / self._every_s)
            if NIGHT[0] <= time <= NIGHT[1] and self._nights.get(name) != step:
                # One look at night in each step, so that a night does not count by the number of looks.
                self._nights[name] = step
                found.append(VillageDeed("night", name, where=tuple(sorted(here))))
        self._at[name] = here
        return found

    def _more(self, name: str, scores: Mapping[str, int], objective: str) -> int:
        """Return by how much a count has grown since the last look."""
        now = scores.get(objective, 0)
        before = self._counted.get((name, objective), 0)
        self._counted[name, objective] = now
        return max(0, now - before)

    def _witnesses(self, player: str, places: Mapping[str, tuple[float, float, float]]) -> tuple[str, ...]:
        others = [name for name in self._members if name != player and name in places]
        return tuple(name for name in others if dist(places[name], places[player]) <= SIGHT)
