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

from collections.abc import Mapping, Sequence
from pathlib import Path

from bridge.worlds import World
from dilemmas import commands
from dilemmas.errors import SpecError
from dilemmas.scenario import Command, EndState, PlayerState, Vocabulary
from dilemmas.spec import Cell, Observable, ScenarioSpec
from voyager_agents.facts import Facts, Ore, Tool

PERMITTED_OBSERVATIONS: frozenset[Observable] = frozenset(
    {"scenario", "facts", "contract", "inventories", "chat", "last_run", "reward", "judge_critique"}
)
"""What players of Double-Vein may be shown; a variant may grant less, never more."""
FIRST_SLOT = 11
"""The chest's items lie side by side in its middle row, from this slot on."""


class DoubleVein:
    """Double-Vein and its variants, as the spec says; see `dilemmas.scenario.Scenario`."""

    def __init__(self, spec: ScenarioSpec, path: Path) -> None:
        beyond = sorted(set(spec.observables) - PERMITTED_OBSERVATIONS)
        if beyond:
            legal = ", ".join(sorted(PERMITTED_OBSERVATIONS))
            raise SpecError(f"{path}: observables: {', '.join(beyond)} may not be shown here; legal are {legal}")
        self.spec = spec
        self.path = path
        self._watched = sorted(
            {mound.drop for mound in spec.world.mounds.values()}
            | set(spec.world.chest.items)
            | {item for player in spec.players.values() for item in (*player.items, *player.prices)}
        )

    def build(self) -> Sequence[Command]:
        """Ground, mounds, chest and counters, as new; items that lie about are gone."""
        world = self.spec.world
        rules = [Command(f"gamerule {name} {_word(value)}") for name, value in world.gamerules.items()]
        boxes = [
            Command(f"fill {self._at(box.start)} {self._at(box.end)} minecraft:{box.block}", (commands.NOTHING_FILLED,))
            for box in world.boxes
        ]
        ores = [
            Command(f"setblock {self._at(cell)} minecraft:{mound.block}", (commands.SAME_BLOCK,))
            for mound in world.mounds.values()
            for cell in mound.cells
        ]
        # Whoever joins from now on watches; the players are told their mode by name.
        rules.append(Command("defaultgamemode spectator"))
        return [*rules, *boxes, *ores, *self._chest(), Command("kill @e[type=item]", (commands.NO_ENTITY,))]

    def place(self, seed: int) -> Sequence[Command]:
        """Players at their spawns, looking at the chest, with empty hands and counters at zero."""
        players = self.spec.players
        starts = [(player.spawn, player.yaw) for player in players.values()]
        if self.spec.rules.swap_spawns and seed % 2:
            # Which side one starts from must not be a fact about a player.
            starts.reverse()
        placed: list[Command] = [*self._counters()]
        for (name, player), (spawn, yaw) in zip(players.items(), starts, strict=True):
            placed += [
                Command(f"gamemode survival {name}"),
                Command(f"clear {name}", (commands.NOTHING_HELD,)),
                *(Command(f"give {name} minecraft:{item} {count}") for item, count in player.items.items()),
                Command(f"tp {name} {self._stand(spawn)} {yaw:g} 0"),
            ]
        observer = self.spec.observer
        return [
            *placed,
            Command(f"gamemode spectator {observer.name}"),
            Command(f"tp {observer.name} {self._stand(observer.spawn)} 0 90"),
        ]

    async def step(self, world: World) -> EndState:
        """Double-Vein changes nothing by itself: only look."""
        return await self._players(world)

    def finished(self, state: EndState) -> bool:
        """All ore is mined, and the items that it could give are in the players' inventories."""
        mounds = self.spec.world.mounds.values()
        if not self.spec.end.all_collected:
            return False
        return all(
            sum(player.items.get(mound.drop, 0) for player in state.players.values()) >= len(mound.cells)
            and sum(player.mined.get(mound.block, 0) for player in state.players.values()) >= len(mound.cells)
            for mound in mounds
        )

    async def read(self, world: World) -> EndState:
        """Inventories, counts of mined blocks and the chest, from the server."""
        state = await self._players(world)
        return EndState(state.players, await commands.contents(world, self._cell(self.spec.world.chest.at)))

    def facts(self) -> Facts:
        """The scenario's text as data, for players that reason from payoffs."""
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
            chest=self._cell(world.chest.at),
        )

    def vocabulary(self) -> Vocabulary:
        """What contracts and judges can speak of."""
        blocks = tuple(mound.block for mound in self.spec.world.mounds.values())
        return Vocabulary(items=tuple(self._watched), blocks=blocks)

    async def _players(self, world: World) -> EndState:
        blocks = [mound.block for mound in self.spec.world.mounds.values()]
        players: dict[str, PlayerState] = {}
        for name in self.spec.players:
            items = {item: await commands.held(world, name, item) for item in self._watched}
            mined = {block: await commands.score(world, name, objective(block)) for block in blocks}
            players[name] = PlayerState(_positive(items), _positive(mined))
        return EndState(players)

    def _chest(self) -> list[Command]:
        chest = self.spec.world.chest
        at = self._at(chest.at)
        filled = [
            Command(f"item replace block {at} container.{FIRST_SLOT + index} with minecraft:{item} {count}")
            for index, (item, count) in enumerate(chest.items.items())
        ]
        # Boxes came first: they took the old chest away with all that was in it.
        return [Command(f"setblock {at} minecraft:chest[facing={chest.facing}]"), *filled]

    def _counters(self) -> list[Command]:
        made: list[Command] = []
        for block in (mound.block for mound in self.spec.world.mounds.values()):
            name = objective(block)
            made += [
                Command(f"scoreboard objectives remove {name}", (commands.UNKNOWN_OBJECTIVE,)),
                Command(f"scoreboard objectives add {name} minecraft.mined:minecraft.{block}"),
            ]
        return made

    def _cell(self, cell: Cell) -> Cell:
        x, y, z = self.spec.world.origin
        return (x + cell[0], y + cell[1], z + cell[2])

    def _at(self, cell: Cell) -> str:
        return " ".join(str(part) for part in self._cell(cell))

    def _stand(self, cell: Cell) -> str:
        """The middle of a cell's floor, where a player stands."""
        x, y, z = self._cell(cell)
        return f"{x + 0.5} {y} {z + 0.5}"


def objective(block: str) -> str:
    """The scoreboard objective that counts how many of a block a player mined."""
    return f"mined_{block}"


def _word(value: bool | int) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _positive(counts: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in counts.items() if count}
