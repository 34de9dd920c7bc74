"""Rules of Conquest in one attempt: what the garrisons' chests hold after a round decides it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import asdict, replace

from bridge.errors import BotLostError
from bridge.worlds import World
from common.hooks import helper
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import (
    BattleFought,
    Event,
    GroundChanged,
    MapDrawn,
    ObjectiveReached,
    SupportGiven,
    TerritoryMarked,
)
from dilemmas.scenarios.conquest.board import Board, RoundOutcome, TerritoryState
from dilemmas.scenarios.conquest.spec import FLAG, HALF, ConquestSpec, held_in
from dilemmas.scenarios.protocol import EndState, Rules
from voyager_agents.conquest.turns import ConquestOrder, attacks_on

EMERALD = "emerald"
TERRITORIES = "territories"
"""Item that counts the territories that a player holds, in contracts."""
ATTACKS = "attacks"
"""Item that counts a player's attacks, in contracts."""
STACK = 64


class War(Rules):
    """Rules of one attempt and its map. A step is a round."""

    def __init__(
        self, spec: ConquestSpec, layout: Layout, seed: int, read: Callable[[World], Awaitable[EndState]]
    ) -> None:
        """Start a game; `read` reads the players' holdings from the server."""
        self._spec, self._layout, self._read = spec, layout, read
        self._scores: dict[str, dict[str, int]] = {name: {} for name in spec.players}
        self._rounds = 0
        self._drawn: dict[str, TerritoryMarked] = {}
        self._emeralds = dict.fromkeys(spec.players, 0)
        self._board = Board.start(spec, seed)
        self._orders: dict[str, ConquestOrder] = {}
        self._outcome: RoundOutcome | None = None
        self._astray: set[str] = set()

    @property
    @helper
    def board(self) -> Board:
        """The map."""
        return self._board

    @property
    @helper
    def outcome(self) -> RoundOutcome | None:
        """Consequences of the last round; None before the first."""
        return self._outcome

    @property
    @helper
    def astray(self) -> set[str]:
        """Players whose troops did not arrive in the last round, and were sent home."""
        return self._astray

    @helper
    def emeralds(self, player: str) -> int:
        """Return a player's emeralds at the last step."""
        return self._emeralds[player]

    @helper
    def command(self, orders: Mapping[str, ConquestOrder]) -> None:
        """Take in the legal orders of the coming round."""
        self._orders = dict(orders)

    async def step(self, world: World, t_s: float) -> EndState:
        """Resolve the round that is over, if one is, and read the players' emeralds."""
        happened: list[Event] = []
        if self._rounds < t_s:
            self._rounds = int(t_s)
            happened += await self._resolve(world)
        happened += self._map()
        await commands.give(world, self._changed_scores())
        state = await self._read(world)
        self._emeralds = {name: held.items.get(EMERALD, 0) for name, held in state.players.items()}
        return EndState(state.players, happened=tuple(happened))

    async def _resolve(self, world: World) -> list[Event]:
        spec, board, number = self._spec, self._board, self._rounds
        before = {name: replace(state) for name, state in board.territories.items()}
        garrisons, carried = await self._garrisons(world)
        self._astray = {name for name, troops in carried.items() if troops}
        for name in self._astray:
            home = self._orders[name].origin if name in self._orders else next(iter(board.held_by(name)), "")
            if home:
                garrisons[home][name] += carried[name]
        outcome = self._outcome = board.resolve(number, garrisons, self._orders)
        given: list[Command] = [
            Command(f"clear {name} minecraft:{troop_of(spec, name)}", (commands.NOTHING_HELD,)) for name in self._astray
        ]
        for name, state in board.territories.items():
            if dict(garrisons[name]) != {state.owner: state.troops} and (garrisons[name] or state.troops):
                given += garrison_commands(spec, self._layout, name, state)
            if (before[name].owner, bool(before[name].burnt)) != (state.owner, bool(state.burnt)):
                given += field_commands(spec, self._layout, name, state)
        prize = spec.rules.prize // len(outcome.winners) if outcome.winners else 0
        for name, income in outcome.income.items():
            if paid := income + (prize if name in outcome.winners else 0):
                given.append(Command(f"give {name} minecraft:{EMERALD} {paid}"))
        await commands.give(world, given)
        return [*self._events(outcome, prize)]

    async def _garrisons(self, world: World) -> tuple[dict[str, Counter[str]], dict[str, int]]:
        """Return territory -> player -> troops in its chest, and player -> troops that it still carries.

        Raises:
            BotLostError: A player has left.
        """
        spec, names = self._spec, list(self._spec.players)
        chests = {name: self._layout.cell(each.chest) for name, each in spec.world.territories.items()}
        lying, carried = await commands.goods(world, list(chests.values()), names)
        sides = {troop_of(spec, name): name for name in names}
        found = {
            name: _counted((sides[stack.item], stack.count) for stack in stacks if stack.item in sides)
            for name, stacks in zip(chests, lying, strict=True)
        }
        troops = {}
        for name, items in zip(names, carried, strict=True):
            if items is None:
                raise BotLostError(f"{name} is not in the game any more")
            troops[name] = items.get(troop_of(spec, name), 0)
        return found, troops

    def _events(self, outcome: RoundOutcome, prize: int) -> Iterable[Event]:
        number, board = self._rounds, self._board
        for battle in outcome.battles:
            yield BattleFought(**asdict(battle))
        for player, at, troops in outcome.supports:
            defenders = {battle.at: battle.defender for battle in outcome.battles}
            receiver = defenders.get(at, board.territories[at].owner)
            yield SupportGiven(round=number, player=player, receiver=receiver, at=at, troops=troops)
        if outcome.winners:
            yield ObjectiveReached(round=number, players=list(outcome.winners), prize=prize)

    def _map(self) -> list[Event]:
        """Return the map as an event with the territories that changed; none if nothing did."""
        now = {
            name: TerritoryMarked(owner=state.owner, troops=state.troops, burnt=state.burnt)
            for name, state in self._board.territories.items()
        }
        changed = {name: state for name, state in now.items() if self._drawn.get(name) != state}
        first, self._drawn = not self._drawn, now
        if not changed:
            return []
        ground = GroundChanged(changed={}, tops=self._tops(changed), left_out=0, t_s=float(self._rounds))
        if not first:
            return [MapDrawn(round=self._rounds, territories=changed), ground]
        regions = {region: list(names) for region, names in self._spec.regions().items()}
        objectives = {name: list(player.objective) for name, player in self._spec.players.items()}
        return [MapDrawn(round=self._rounds, territories=changed, regions=regions, objectives=objectives), ground]

    def _tops(self, changed: Iterable[str]) -> list[tuple[int, int, int, str]]:
        """Return the blocks of these territories as seen from above, for the page's map."""
        found = []
        for name in changed:
            state = self._board.territories[name]
            x, y, z = self._layout.cell(self._spec.world.territories[name].chest)
            ground = ground_of(self._spec, state)
            reach = range(-HALF, HALF + 1)
            blocks = {(dx, dz): (y - 1, ground) for dx in reach for dz in reach}
            blocks[0, 0] = (y, "chest")
            blocks[FLAG[0], FLAG[2]] = (y, flag_of(self._spec, state))
            found += [(x + dx, height, z + dz, block) for (dx, dz), (height, block) in blocks.items()]
        return found

    def _changed_scores(self) -> list[Command]:
        """Return commands that write what changed on the map to the players' scores, which contracts are judged by."""
        given = []
        for name, known in self._scores.items():
            now = scores_of(self._board, name)
            given += [
                Command(f"scoreboard players set {name} {item} {count}")
                for item, count in now.items()
                if count != known.get(item, 0)
            ]
            self._scores[name] = now
        return given


def scores_of(board: Board, player: str) -> dict[str, int]:
    """Return item -> count of a player's territories, attacks and support, as contracts name them."""
    others = [name for name in board.spec.players if name != player]
    on = {attacks_on(other): board.attacks.get((player, other), 0) for other in others}
    return {
        TERRITORIES: len(board.held_by(player)),
        **{held_in(region): count for region, count in board.fields(player).items()},
        ATTACKS: sum(on.values()),
        **on,
        **{troops_for(other): board.given.get((player, other), 0) for other in others},
    }


def deed_items(spec: ConquestSpec) -> tuple[str, ...]:
    """Return the items that count deeds."""
    return (ATTACKS, *(name(player) for name in (attacks_on, troops_for) for player in spec.players))


def held_items(spec: ConquestSpec) -> tuple[str, ...]:
    """Return the items that count territories held."""
    return (TERRITORIES, *(held_in(region) for region in spec.regions()))


def _counted(pairs: Iterable[tuple[str, int]]) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, count in pairs:
        found[name] += count
    return found


def troop_of(spec: ConquestSpec, player: str) -> str:
    """Return the item that is a player's troops."""
    return f"{spec.players[player].colour}_dye"


def troops_for(player: str) -> str:
    """Return the item that counts the troops given to `player`, in contracts."""
    return f"troops_for_{player.lower()}"


def garrison_commands(spec: ConquestSpec, layout: Layout, name: str, state: TerritoryState) -> list[Command]:
    """Return commands that put the troops of a territory into its chest, and nothing else.

    Args:
        spec: The scenario's spec.
        layout: Layout of the world.
        name: Name of the territory.
        state: Its state.
    """
    at = layout.at(spec.world.territories[name].chest)
    full, rest = divmod(state.troops, STACK)
    stacks = [STACK] * full + ([rest] if rest else [])
    return [
        Command(f"setblock {at} minecraft:air", (commands.SAME_BLOCK,)),
        Command(f"setblock {at} minecraft:chest[facing=south]"),
        *(
            Command(f"item replace block {at} container.{slot} with minecraft:{troop_of(spec, state.owner)} {count}")
            for slot, count in enumerate(stacks)
        ),
    ]


def field_commands(spec: ConquestSpec, layout: Layout, name: str, state: TerritoryState) -> list[Command]:
    """Return commands that draw a territory's ground, dark while it is burnt, and its flag in its holder's colour.

    Args:
        spec: The scenario's spec.
        layout: Layout of the world.
        name: Name of the territory.
        state: Its state.
    """
    x, y, z = spec.world.territories[name].chest
    flag = layout.at((x + FLAG[0], y + FLAG[1], z + FLAG[2]))
    return [
        layout.filled(ground_of(spec, state), (x - HALF, y - 1, z - HALF), (x + HALF, y - 1, z + HALF)),
        Command(f"setblock {flag} minecraft:{flag_of(spec, state)}", (commands.SAME_BLOCK,)),
    ]


def ground_of(spec: ConquestSpec, state: TerritoryState) -> str:
    """Return the block of a territory's ground, which is dark while it is burnt."""
    return f"{spec.players[state.owner].colour}_{'terracotta' if state.burnt else 'concrete'}"


def flag_of(spec: ConquestSpec, state: TerritoryState) -> str:
    """Return the block of a territory's flag."""
    return f"{spec.players[state.owner].colour}_banner"
