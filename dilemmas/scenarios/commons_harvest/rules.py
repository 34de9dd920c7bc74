"""Rules of Commons Harvest in one attempt: apples taken, players hit, growth.

Everything is read from the server: each player's count of mined blocks, the presence of blocks, the last attacker. A
program's word changes nothing.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import dist

from bridge.errors import BotLostError
from bridge.worlds import World
from common.hooks import helper
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout, mined_objective
from dilemmas.records.events import DeedSeen, Event, FieldPlanted, FieldStepped, Holdings
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.protocol import EndState, Rules
from voyager_agents.commons_harvest import Place

APPLE = "apple"
"""Item that a taken block counts as."""
NEVER = 1_000_000_000
"""Step at which a banished player comes back."""
DAMAGE_OBJECTIVE = "dealt"
"""Scoreboard objective of the harm that a player has done to others, in tenths of half a heart."""


@dataclass
class Hand:
    """A player's counts and position at the last look, from the server."""

    apples: int = 0
    ground: int = 0
    dealt: int = 0
    at: tuple[float, float] = (0.0, 0.0)
    """(x, z) in cells: whole numbers are a cell's middle."""
    fresh: dict[str, int] = field(default_factory=dict)
    """Increases since the look before: `apples`, `ground`, `dealt`."""


class Harvest(Rules):
    """Rules of one attempt and its history. One step is one second of the `t_s` that is passed."""

    def __init__(self, spec: CommonsSpec, layout: Layout, seed: int) -> None:
        self._spec = spec
        self._layout = layout
        self._growing = random.Random(f"commons:{seed}")
        self._spawning = random.Random(f"commons:spawns:{seed}")
        self._hands = {name: Hand() for name in spec.players}
        self._back: dict[str, int] = {}
        """Player that is out -> step at whose end it comes back."""
        self._planted = False
        self.steps = 0
        """Number of steps so far."""
        self.apples: set[Place] = set(self._trees)

    @cached_property
    def _trees(self) -> dict[Place, str]:
        """Cell -> its tree."""
        return {cell: name for name, tree in self._spec.world.field.names().items() for cell in tree.cells}

    @cached_property
    def _near(self) -> dict[Place, tuple[Place, ...]]:
        """Cell -> other cells that count as near."""
        return {
            cell: tuple(other for other in self._trees if other != cell and dist(cell, other) <= self._spec.rules.near)
            for cell in self._trees
        }

    @property
    @helper
    def trees(self) -> dict[Place, str]:
        """Cell -> its tree."""
        return dict(self._trees)

    @property
    @helper
    def out(self) -> list[str]:
        """Players that are immobilized."""
        return [name for name in self._spec.players if name in self._back]

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """Player in the field -> position at the last look."""
        return {name: hand.at for name, hand in self._hands.items() if name not in self._back}

    @helper
    def place(self, player: str) -> tuple[float, float]:
        """Return a player's position (x, z) in cells at the last look; for a player that is out, that of the hit."""
        return self._hands[player].at

    @helper
    def on_trees(self) -> dict[str, int]:
        """Return tree -> number of apples on it now."""
        return {
            name: sum(cell in self.apples for cell in tree.cells)
            for name, tree in self._spec.world.field.names().items()
        }

    @property
    @helper
    def banished(self) -> list[str]:
        """Players that never come back."""
        return [name for name, step in self._back.items() if step == NEVER]

    @helper
    async def hold(self, world: World, player: str, steps: int) -> None:
        """Send a player out of the field for that many whole steps, added to the steps for which it is out already.

        Args:
            world: The world.
            player: The player.
            steps: Number of steps; `NEVER` to banish it for good.
        """
        before = self._back.get(player)
        if before is None:
            await self._send_out(world, player)
        if steps == NEVER or before == NEVER:
            self._back[player] = NEVER
        else:
            self._back[player] = (self.steps if before is None else before) + steps

    @helper
    async def look(self, world: World) -> list[DeedSeen]:
        """Read the deeds since the last look, and send players that were hit out.

        Raises:
            BotLostError: A player has left the game.
        """
        names = list(self._hands)
        scores, places = await commands.scores(world, names), await commands.positions(world, names)
        for name, hand in self._hands.items():
            if name not in places:
                raise BotLostError(f"{name} is not in the game any more")
            self._count(hand, scores.get(name, {}))
            if name not in self._back:
                hand.at = self._in_cells(places[name])
        apple_holdings = await self._taken(world)
        return [*apple_holdings, *await self._hits(world)]

    async def step(self, world: World, t_s: float) -> EndState:
        """Look, then apply the changes due by `t_s`."""
        happened: list[Event] = []
        if not self._planted:
            self._planted = True
            happened.append(self._plan())
        before = set(self.apples)
        deeds = await self.look(world)
        happened += deeds
        lost = sorted(before - self.apples - {deed.at for deed in deeds if deed.deed == "take"})
        while self.steps + 1 <= t_s:
            self.steps += 1
            grown = await self._grow(world)
            await self._return(world)
            happened.append(
                FieldStepped(
                    step=self.steps,
                    positions=self.positions,
                    out=self.out,
                    grown=grown,
                    lost=lost,
                    apples=self.on_trees(),
                )
            )
            lost = []
        return EndState(self._players(), world={APPLE: len(self.apples)}, happened=tuple(happened))

    def _players(self) -> dict[str, Holdings]:
        return {name: apple_holdings(self._spec, name, hand.apples) for name, hand in self._hands.items()}

    def _plan(self) -> FieldPlanted:
        orchard = self._spec.world.field
        trees = {name: list(tree.cells) for name, tree in orchard.names().items()}
        return FieldPlanted(columns=orchard.columns, rows=orchard.rows, trees=trees)

    def _count(self, hand: Hand, scores: Mapping[str, int]) -> None:
        orchard = self._spec.world.field
        now = {
            "apples": scores.get(mined_objective(orchard.apple), 0),
            "ground": scores.get(mined_objective(orchard.ground), 0),
            "dealt": scores.get(DAMAGE_OBJECTIVE, 0),
        }
        hand.fresh = {what: now[what] - getattr(hand, what) for what in now}
        hand.apples, hand.ground, hand.dealt = now["apples"], now["ground"], now["dealt"]

    def _in_cells(self, place: tuple[float, float, float]) -> tuple[float, float]:
        origin = self._spec.world.origin
        return (round(place[0] - origin[0] - 0.5, 2), round(place[2] - origin[2] - 0.5, 2))

    async def _taken(self, world: World) -> list[DeedSeen]:
        """Return the deeds of taking: each missing apple goes to the nearest player with a fitting count."""
        owed = {name: hand.fresh["apples"] for name, hand in self._hands.items() if hand.fresh["apples"] > 0}
        dug = any(hand.fresh["ground"] > 0 for hand in self._hands.values())
        if dug:
            await self._mend(world)
        deeds = []
        for cell in await self._gone(world, list(owed), None if dug else sum(owed.values())):
            self.apples.discard(cell)
            players = [name for name, count in owed.items() if count > 0]
            if players:
                player = min(players, key=lambda name: dist(self._hands[name].at, cell))
                owed[player] -= 1
                tree = self._trees[cell]
                left = self.on_trees()[tree]
                deeds.append(DeedSeen(step=self.steps, deed="take", player=player, at=cell, tree=tree, left=left))
        return deeds

    async def _gone(self, world: World, near: Sequence[str], count: int | None) -> list[Place]:
        """Return cells whose apple is gone, from the server.

        Cells next to the players `near` are asked first; a `count` of None asks all.
        """
        if count == 0:
            return []
        places = [self._hands[name].at for name in near]
        likely = sorted(self.apples, key=lambda cell: (min((dist(cell, at) for at in places), default=0.0), cell))
        found: list[Place] = []
        for cell in likely:
            at = self._layout.at((cell[0], 0, cell[1]))
            if await commands.holds(world, f"unless block {at} minecraft:{self._spec.world.field.apple}"):
                found.append(cell)
                if len(found) == count:
                    break
        return found

    async def _mend(self, world: World) -> None:
        """Mend the ground: apples need something to grow on."""
        orchard = self._spec.world.field
        whole = self._layout.filled(orchard.ground, (0, -1, 0), (orchard.columns - 1, -1, orchard.rows - 1))
        await commands.ask(world, whole)

    async def _hits(self, world: World) -> list[DeedSeen]:
        """Return the hits by vanilla's record, and send the players that were hit out."""
        deeds = []
        here = [name for name in self._hands if name not in self._back]
        for attacker in here:
            if self._hands[attacker].fresh["dealt"] <= 0:
                continue
            for target in here:
                hit = f"as {target} on attacker if entity @s[name={attacker}]"
                if target == attacker or target in self._back or not await commands.holds(world, hit):
                    continue
                x, z = self._hands[target].at
                at = (round(x), round(z))
                deeds.append(DeedSeen(step=self.steps, deed="attack", player=attacker, at=at, target=target, hit=True))
                await self._send_out(world, target)
        return deeds

    async def _send_out(self, world: World, player: str) -> None:
        # The hit was in the coming step; the player is out for `out_steps` whole steps after it.
        self._back[player] = self.steps + 1 + self._spec.rules.out_steps
        bench = self._layout.stand(self._spec.world.bench)
        heal = Command(f"effect give {player} minecraft:instant_health 1 4", (commands.NO_EFFECT,))
        await commands.give(world, [Command(f"tp {player} {bench}"), heal])

    async def _return(self, world: World) -> None:
        """Bring players whose time is over back at a random spawn."""
        for player in [name for name, step in self._back.items() if step <= self.steps]:
            del self._back[player]
            spawn = self._spawning.choice(self._spec.world.spawns)
            await commands.give(world, [Command(f"tp {player} {self._layout.stand(spawn)}")])
            self._hands[player].at = (float(spawn[0]), float(spawn[2]))

    async def _grow(self, world: World) -> list[Place]:
        """Apply one step of growth and return the new apples. All chances follow from the apples before the step."""
        orchard = self._spec.world.field
        grown = [cell for cell in self.drawn() if cell not in self.apples]
        for cell in grown:
            text = f"setblock {self._layout.at((cell[0], 0, cell[1]))} minecraft:{orchard.apple} keep"
            await commands.give(world, [Command(text, (commands.SAME_BLOCK,))])
        self.apples.update(grown)
        return grown

    @helper
    def drawn(self) -> list[Place]:
        """Return the cells whose draw succeeds. Every cell gets a draw, so that draws do not depend on the apples."""
        law = self._spec.rules.regrowth
        chances = [law[min(sum(other in self.apples for other in near), len(law) - 1)] for near in self._near.values()]
        return [cell for cell, chance in zip(self._near, chances, strict=True) if self._growing.random() < chance]


def apple_holdings(spec: CommonsSpec, player: str, count: int) -> Holdings:
    """Return the holdings of a player that has broken `count` blocks of apple: each is an apple."""
    return Holdings.of({APPLE: count}, {spec.world.field.apple: count}, spec.players[player].prices)
