"""Cleanup: mushrooms that grow again only while somebody keeps the river clean, which pays nothing.

Rules
    A river is polluted with slime blocks; beyond it stand three giant mushrooms of 9 red mushroom blocks each. Breaking
    a red mushroom block gives vanilla's loot, max(0, U{-6..2}) red mushrooms: none seven times in nine, one or two once
    each. Slime comes back, one block at a time. A missing mushroom block grows again with a fixed probability a second
    while there are 7 or fewer slime blocks, and not at all while there are more. Players do not know when it ends.

Payoffs (emeralds per item held at the end)
                 red mushroom    slime
    everybody          3            0

Why it is a dilemma
    Cleaning is a public good: it costs the cleaner all that it could harvest meanwhile, crossing the river included,
    and what it makes grow is taken by whoever stands at the mushrooms. So each does best by harvesting while another
    cleans; and when all reason like that, nothing grows again and everybody has little. A contract that pays the
    cleaner out of the harvest makes full specialization, the most productive way, worth it for both.

Source
    The Cleanup domain of the paper on formal contracts between generative agents in Minecraft (multi-agent Voyager with
    contracts; figures 3, 4, 6, 8, 11, 13 and table 1), after Clean Up of the Melting Pot suite. Where the paper is
    silent (layout, rates, time limit) the YAML file beside this module chooses, and can be overridden.

Version history
    1   first version: payoffs, layout and laws as in cleanup.yaml
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from bridge.worlds import World
from common.hooks import helper
from contracts.institutions import Norm
from contracts.institutions.frame import HostSlots, PartSettings
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Cell, Scores, mined_criteria, mined_objective
from dilemmas.records.events import GroundsUsed, Holdings, LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.civic_measures import CIVIC_MEASURES, civic_measures
from dilemmas.scenarios.cleanup.civics import CleanupCivics, placed_objective
from dilemmas.scenarios.cleanup.spec import CleanupSpec
from dilemmas.scenarios.protocol import COUNT, EndState, LifeSpec, Rules, ValueBounds, Vocabulary
from voyager_agents.facts import PublicGood
from voyager_agents.public_good_norms import grounds_norm_forms, grounds_norm_schema, read_grounds_norm


class Cleanup(Scenario):
    """Cleanup and its variants."""

    Spec = CleanupSpec
    civic_slots = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
    civic_modes = ("episodes",)
    spec: CleanupSpec

    def __init__(self, spec: CleanupSpec, path: Path) -> None:
        super().__init__(spec, path)
        self._blocks = [spec.world.mushrooms.block, spec.world.waste.block]
        priced = {item for player in spec.players.values() for item in (*player.items, *player.prices)}
        self._items = sorted({spec.world.mushrooms.drop, *priced})

    @property
    def living(self) -> LifeSpec | None:
        """The spec's `life`."""
        return self.spec.life

    def build(self) -> Sequence[Command]:
        """Return commands that build ground, river, waste and mushrooms, and remove items that lie about."""
        waste, mushrooms = self.spec.world.waste, self.spec.world.mushrooms
        return [
            *self.layout.ground(),
            *(self.layout.filled(waste.block, area.start, area.end) for area in waste.areas),
            *(self.layout.filled(mushrooms.stem, foot, mushrooms.stem_top(foot)) for foot in mushrooms.feet),
            *(self.layout.filled(mushrooms.block, *mushrooms.cap(foot)) for foot in mushrooms.feet),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put players at their spawns with empty hands, counters at zero."""
        waste = self.spec.world.waste.block
        criteria = mined_criteria(self._blocks) | {placed_objective(waste): f"minecraft.used:minecraft.{waste}"}
        return self.layout.placing(seed, criteria)

    def rules(self, seed: int) -> Growth:
        """Return the rules of growth, with the seed's chance."""
        return Growth(self, seed)

    @property
    def civic_every_s(self) -> float:
        """Seconds from one step of the institutions to the next."""
        return 5.0

    def under(self, institutions: Mapping[str, PartSettings]) -> Scenario:
        """Return the scenario with rules that tell institutions what players do."""
        return GovernedCleanup(self.spec, self.path) if institutions else self

    def read_norm(self, raw: Mapping[str, Any]) -> Norm:
        """Return the typed norm of a clause (`voyager_agents.public_good_norms`)."""
        return read_grounds_norm(raw)

    def norm_schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of a norm."""
        return grounds_norm_schema()

    def norm_forms(self) -> str:
        """Return the JSON forms of norms."""
        return grounds_norm_forms()

    def finished(self, state: EndState) -> bool:
        """Return False: only time ends an episode."""
        return False

    async def read(self, world: World) -> EndState:
        """Read inventories and counts of broken blocks from the server."""
        return EndState((await self.seen(world))[1])

    @helper
    async def seen(self, world: World) -> tuple[Scores, dict[str, Holdings]]:
        """Read all scores, and the players' holdings as in `read`."""
        return await self.layout.seen(world, self._items, self._blocks)

    def facts(self) -> PublicGood:
        """Return the river and the mushrooms as data."""
        world = self.spec.world
        return PublicGood(
            players=tuple(self.spec.players),
            crop=world.mushrooms.block,
            item=world.mushrooms.drop,
            waste=world.waste.block,
            threshold=self.spec.rules.threshold,
            values={name: dict(player.prices) for name, player in self.spec.players.items()},
            field=self.layout.cell(world.field),
            commons=self.layout.cell(world.river),
        )

    def vocabulary(self) -> Vocabulary:
        """Return priced items and harvested blocks."""
        return Vocabulary(items=tuple(self._items), blocks=tuple(self._blocks))


class GovernedCleanup(Cleanup):
    """Cleanup under institutions."""

    reads = frozenset({"episode_started", "institution"})

    def rules(self, seed: int) -> Growth:
        """Return rules that tell institutions what players do."""
        return GovernedGrowth(self, seed)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return the measures of life under institutions, by player."""
        return civic_measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of measures of life under institutions."""
        return super().bounds() | dict.fromkeys(CIVIC_MEASURES, COUNT)


class Growth(Rules):
    """Growth of waste and mushrooms in one attempt.

    The current count of blocks follows from the blocks at the start, those that grew, and those that the server counted
    as broken and placed. Waste that players place anywhere counts as waste.
    """

    def __init__(self, scenario: Cleanup, seed: int) -> None:
        self._scenario = scenario
        self._random = random.Random(f"cleanup:{seed}")
        self._seconds = 0
        """Seconds of growth that have been applied; a late step makes up for missed ones."""
        self._due = 0
        """Blocks of waste that were due so far, including those without a free cell."""
        self._polluted = 0
        self._regrown = 0

    async def step(self, world: World, t_s: float) -> EndState:
        """Apply the changes due by `t_s`, second by second: waste first, then growth."""
        scenario, rules = self._scenario, self._scenario.spec.rules
        scores, players = await scenario.seen(world)
        gone = self._gone(scores)
        while self._seconds + 1 <= t_s:
            self._seconds += 1
            due = int(self._seconds / rules.waste_every_s)
            for _ in range(due - self._due):
                await self._pollute(world, self._waste(gone))
            self._due = due
            if self._waste(gone) <= rules.threshold:
                await self._grow(world)
        used = await self._tell(world, t_s, scores, players, self._waste(gone))
        return EndState(players, world=self._counts(gone), happened=used)

    async def _tell(
        self, world: World, t_s: float, scores: Scores, players: Mapping[str, Holdings], waste: int
    ) -> tuple[GroundsUsed, ...]:
        """Tell nobody: only institutions look at what players do. Return events for the log."""
        return ()

    def _gone(self, scores: Scores) -> dict[str, int]:
        """Return block -> number of blocks that players have broken, less waste that they have placed."""
        world = self._scenario.spec.world
        waste, mushroom = world.waste.block, world.mushrooms.block
        counted = {block: _total(scores, mined_objective(block)) for block in (waste, mushroom)}
        return {**counted, waste: counted[waste] - _total(scores, placed_objective(waste))}

    def _counts(self, gone: Mapping[str, int]) -> dict[str, int]:
        mushrooms = self._scenario.spec.world.mushrooms
        there = len(mushrooms.caps) - gone[mushrooms.block] + self._regrown
        return {self._scenario.spec.world.waste.block: self._waste(gone), mushrooms.block: there}

    def _waste(self, gone: Mapping[str, int]) -> int:
        waste = self._scenario.spec.world.waste
        return len(waste.cells) - gone[waste.block] + self._polluted

    async def _pollute(self, world: World, count: int) -> None:
        """Add a block of waste in a free cell, if there is one."""
        waste = self._scenario.spec.world.waste
        if count >= len(waste.cells):
            return
        cells = list(waste.cells)
        self._random.shuffle(cells)
        for cell in cells:
            if all(await self._put(world, waste.block, [cell])):
                self._polluted += 1
                return

    async def _grow(self, world: World) -> None:
        """Apply one second of growth: each missing block with the same probability, by a draw of its own."""
        mushrooms = self._scenario.spec.world.mushrooms
        cells = draw_cells(self._random, mushrooms.caps, self._scenario.spec.rules.regrowth_per_s)
        self._regrown += sum(await self._put(world, mushrooms.block, cells))

    async def _put(self, world: World, block: str, cells: Sequence[Cell]) -> list[bool]:
        """Set the block in each cell that holds air and no player, and return True for each that was set."""
        replies = await commands.ask_all(world, [self._setting(block, cell) for cell in cells])
        return [reply.startswith(commands.BLOCK_CHANGED) for reply in replies]

    def _setting(self, block: str, cell: Cell) -> Command:
        layout = self._scenario.layout
        x, y, z = layout.cell(cell)
        nobody = f"execute unless entity @a[gamemode=survival,x={x},y={y},z={z},dx=0,dy=0,dz=0]"
        return Command(f"{nobody} run setblock {layout.at(cell)} minecraft:{block} keep", (commands.SAME_BLOCK,))


class GovernedGrowth(Growth):
    """Growth in a game under institutions, which look at what players do."""

    def __init__(self, scenario: Cleanup, seed: int) -> None:
        super().__init__(scenario, seed)
        self._civics = CleanupCivics(scenario, scenario.civic_every_s)

    @property
    def civic_game(self) -> CleanupCivics:
        """See `Rules.civic_game`."""
        return self._civics

    async def _tell(
        self, world: World, t_s: float, scores: Scores, players: Mapping[str, Holdings], waste: int
    ) -> tuple[GroundsUsed, ...]:
        return await self._civics.look(world, t_s, scores, players, waste)


def draw_cells(generator: random.Random, cells: Sequence[Cell], probability: float) -> list[Cell]:
    """Return the cells whose draw succeeds. Every cell gets a draw, so that draws do not depend on the blocks."""
    return [cell for cell in cells if generator.random() < probability]


def _total(scores: Scores, objective: str) -> int:
    """Return the sum of a score over all players."""
    return sum(counts.get(objective, 0) for counts in scores.values())
