"""Double-Vein: two players, one chest with two pickaxes, a mound of iron ore and a mound of diamond ore.

Rules
    Vanilla's. A stone pickaxe gets raw iron from iron ore and breaks diamond ore for nothing; an iron pickaxe gets
    both, and is faster. The chest holds one of each. The episode ends when all 18 ores are mined and collected, when
    all policies have returned, or after 300 s.

Payoffs (emeralds per item held at the end)
                 raw iron (12)   diamond (6)
    Gizmo              4              4
    Glitch             3              5

Why it is a dilemma
    Together the players earn most, 12 * 4 + 6 * 5 = 78, when Gizmo gets all iron and Glitch all diamonds. But every
    ore is worth something to everybody, so that whoever gets the iron pickaxe, or both, does best by mining all it
    can; sharing a pickaxe costs the one who shares and pays only the other. Without a promise that is kept, each is
    right to grab, and the sum suffers. A contract can move emeralds afterwards and so make the best split also the
    best choice for both.

Source
    The Double-Vein domain of the paper on formal contracts between generative agents in Minecraft (multi-agent
    Voyager with contracts; figures 3, 5, 7, 9, 10 and table 1). Where it is silent (distances, spawns, time limit)
    the YAML file beside this module chooses, and can be overridden.

Version history
    1   first version: payoffs, layout and end rule as in double_vein.yaml
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bridge.worlds import World
from common.hooks import helper
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import mined_criteria
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState, Rules, Vocabulary
from dilemmas.scenarios.spec import MiningSpec
from voyager_agents.facts import Facts, Ore, Tool

FIRST_SLOT = 11
"""First slot of the chest's items, which lie side by side in its middle row."""


class DoubleVein(Scenario):
    """Double-Vein and its variants."""

    Spec = MiningSpec
    spec: MiningSpec

    def __init__(self, spec: MiningSpec, path: Path) -> None:
        super().__init__(spec, path)
        self._blocks = [mound.block for mound in spec.world.mounds.values()]
        self._watched = sorted(
            {mound.drop for mound in spec.world.mounds.values()}
            | set(spec.world.chest.items)
            | {item for player in spec.players.values() for item in (*player.items, *player.prices)}
        )

    def build(self) -> Sequence[Command]:
        """Return commands that build ground, mounds and chest, and remove items that lie about."""
        ores = [
            command
            for mound in self.spec.world.mounds.values()
            for command in self.layout.blocks(mound.block, mound.cells)
        ]
        # Everybody who joins from now on is a spectator; players get their mode by name.
        spectators = Command("defaultgamemode spectator")
        swept = Command("kill @e[type=item]", (commands.NO_ENTITY,))
        return [*self.layout.ground(), *ores, spectators, *self._chest(), swept]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put players at their spawns with empty hands, counters at zero."""
        return self.layout.placing(seed, mined_criteria(self._blocks))

    def rules(self, seed: int) -> Rules:
        """Return rules that change nothing by themselves."""
        return _Vanilla(self)

    def finished(self, state: EndState) -> bool:
        """Return True once all ore is mined and all its drops are in the players' inventories."""
        mounds = self.spec.world.mounds.values()
        if not self.spec.end.all_collected:
            return False
        return all(
            sum(player.items.get(mound.drop, 0) for player in state.players.values()) >= len(mound.cells)
            and sum(player.mined.get(mound.block, 0) for player in state.players.values()) >= len(mound.cells)
            for mound in mounds
        )

    @helper
    async def look(self, world: World) -> EndState:
        """Read the players' holdings from the server, without the chest."""
        return EndState(await self.layout.players(world, self._watched, self._blocks))

    async def read(self, world: World) -> EndState:
        """Read inventories, counts of mined blocks and the chest from the server."""
        state = await self.look(world)
        return EndState(state.players, await commands.contents(world, self.layout.cell(self.spec.world.chest.at)))

    def facts(self) -> Facts:
        """Return ores, tools and prices as data."""
        world = self.spec.world
        ores = tuple(
            Ore(
                mound.block,
                mound.drop,
                len(mound.cells),
                tuple(name for name, tool in world.tools.items() if mound.block in tool.harvests),
            )
            for mound in world.mounds.values()
        )
        return Facts(
            players=tuple(self.spec.players),
            ores=ores,
            tools=tuple(Tool(name, world.chest.items.get(name, 0), tool.speed) for name, tool in world.tools.items()),
            values={name: dict(player.prices) for name, player in self.spec.players.items()},
            chest=self.layout.cell(world.chest.at),
        )

    def vocabulary(self) -> Vocabulary:
        """Return items and ores that matter."""
        return Vocabulary(items=tuple(self._watched), blocks=tuple(self._blocks))

    def _chest(self) -> list[Command]:
        chest = self.spec.world.chest
        at = self.layout.at(chest.at)
        filled = [
            Command(f"item replace block {at} container.{FIRST_SLOT + index} with minecraft:{item} {count}")
            for index, (item, count) in enumerate(chest.items.items())
        ]
        # The boxes before have removed the old chest with its contents.
        return [Command(f"setblock {at} minecraft:chest[facing={chest.facing}]"), *filled]


class _Vanilla(Rules):
    """Rules that only read the players' holdings."""

    def __init__(self, scenario: DoubleVein) -> None:
        self._scenario = scenario

    async def step(self, world: World, t_s: float) -> EndState:
        return await self._scenario.look(world)
