"""Institutions in Cleanup: what players did to mushrooms and waste, who saw it, and who is held away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import dist
from typing import Any

from bridge.worlds import World
from contracts.institutions.frame import Slot
from contracts.institutions.slots import ACTS, PRESENT, CivicOrder, WitnessedAct
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Scores, mined_objective
from dilemmas.records.events import GroundsUsed, Holdings
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.cleanup.spec import CleanupSpec
from voyager_agents.public_good_norms import DeedKind, GroundsDeed

SIGHT = 24.0
"""Distance in blocks up to which players see what another one does."""
NEVER = float("inf")


def placed_objective(block: str) -> str:
    """Return the scoreboard objective that counts the blocks of a kind that a player placed."""
    return f"placed_{block}"


class CleanupCivics:
    """World side of institutions in one attempt at Cleanup (a `dilemmas.scenarios.protocol.CivicGame`).

    A step of the institutions is `every_s` seconds. Held players are put back onto the bench in each second, since
    their programs go on.
    """

    def __init__(self, scenario: Scenario, every_s: float) -> None:
        assert isinstance(scenario.spec, CleanupSpec), "only Cleanup has these civics"
        self._layout, self._spec = scenario.layout, scenario.spec
        self._every_s = every_s
        self._names = list(scenario.spec.players)
        self._now_s = 0.0
        self._counted: dict[tuple[str, str], int] = {}
        self._acts: list[WitnessedAct] = []
        self._number = 0
        self._held: dict[str, float] = {}
        """Player that is held -> second at which it is free again; `NEVER` if it is banished."""
        self._worth: dict[str, float] = {}

    async def look(
        self, world: World, t_s: float, scores: Scores, players: Mapping[str, Holdings], waste: int
    ) -> tuple[GroundsUsed, ...]:
        """Take in what players did since the last look, put held players back, and return the deeds for the log.

        Args:
            world: The world.
            t_s: Seconds since the start.
            scores: Player -> its counts.
            players: Player -> its holdings.
            waste: Blocks of waste now.
        """
        self._now_s = t_s
        self._worth = {name: self._value(name, players[name]) for name in self._names if name in players}
        deeds = self._deeds(scores, waste)
        if deeds:
            places = await commands.positions(world, self._names)
            for deed in deeds:
                self._number += 1
                self._acts.append(WitnessedAct(self._number, deed, self._witnesses(deed.player, places)))
        free = [name for name, until_s in self._held.items() if until_s <= t_s]
        for name in free:
            del self._held[name]
        if self._held:
            await commands.give(world, [self._to_bench(name) for name in self._held])
        blocks = {"harvest": self._spec.world.mushrooms.block}
        return tuple(
            GroundsUsed(
                t_s=t_s,
                player=deed.player,
                deed=deed.kind,
                block=blocks.get(deed.kind, self._spec.world.waste.block),
                count=count,
                waste=deed.waste,
            )
            for deed, count in Counter(deeds).items()
        )

    def _to_bench(self, name: str) -> Command:
        return Command(f"tp {name} {self._layout.stand(self._spec.world.bench)}")

    def _value(self, name: str, holdings: Holdings) -> float:
        prices = self._spec.players[name].prices
        return float(sum(prices.get(item, 0) * count for item, count in holdings.items.items()))

    def _deeds(self, scores: Scores, waste: int) -> list[GroundsDeed]:
        """Return the deeds of all players since the last look; those of one player clear first, then harvest."""
        crop, slime = self._spec.world.mushrooms.block, self._spec.world.waste.block
        kinds: dict[DeedKind, str] = {
            "clear": mined_objective(slime),
            "litter": placed_objective(slime),
            "harvest": mined_objective(crop),
        }
        found = []
        for name in self._names:
            for kind, objective in kinds.items():
                now = scores.get(name, {}).get(objective, 0)
                more = now - self._counted.get((name, objective), 0)
                self._counted[name, objective] = now
                found += [GroundsDeed(kind, name, waste)] * more
        return found

    def _witnesses(self, player: str, places: Mapping[str, tuple[float, float, float]]) -> tuple[str, ...]:
        if player not in places:
            return ()
        others = [name for name in self._names if name != player and name in places]
        return tuple(name for name in others if dist(places[name], places[player]) <= SIGHT)

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return the people that are not banished, and the acts since the last step with their witnesses."""
        acts, self._acts = tuple(self._acts), []
        present = tuple(name for name in self._names if self._held.get(name) != NEVER)
        return {PRESENT: present, ACTS: acts if number else ()}

    def earned(self) -> Mapping[str, float]:
        """Return the value of what each player holds, in emeralds."""
        return self._worth

    async def carry_out(self, world: World, order: CivicOrder) -> None:
        """Hold a player on the bench for the steps of the order, or for good; an office takes its holder there, too."""
        start = max(self._held.get(order.player, 0.0), self._now_s)
        until = NEVER if order.kind == "banish" else start + order.steps * self._every_s
        self._held[order.player] = until
        await commands.give(world, [self._to_bench(order.player)])
