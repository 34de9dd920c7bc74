"""Building together: every player sees a part of a plan, and all earn the same by what stands at the end.

Rules
    Vanilla's. The seed draws one of the plans and deals its parts, so that each player alone is shown its own. All
    blocks are in one chest; there are a few more than the largest plan needs. The site ends the episode as soon as it
    holds exactly the plan, else after 180 s.

Payoffs
    Every player earns an emerald for each full percent of overlap: right blocks, divided by the blocks of the plan and
    of the site together (intersection over union of pairs of cell and block). A wrong block costs as much as a missing
    one, whoever placed it.

Why it is no dilemma
    The interest is common. What is asked is whether players tell each other what they see, share the blocks and help
    those who lag behind. A part that stands on another one cannot be built first.

Source
    In the manner of MineCollab's construction tasks (MINDcraft, arXiv 2504.17950), in which agents with different
    materials build from a blueprint. Here the knowledge of the plan is divided instead. Plans, deal and score are our
    own; docs/build-together.md lists the differences.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import BuildingSeen, Event, Holdings, LogLine, PlanDrawn
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.build_together import measures as building_measures
from dilemmas.scenarios.build_together.spec import BuildSpec
from dilemmas.scenarios.kitchen.spec import stacks_of
from dilemmas.scenarios.protocol import COUNT, SHARE, EndState, Gathering, Rules, ValueBounds, Vocabulary
from voyager_agents.facts import BuildFacts

EMERALD = "emerald"
WHOLE = 100
"""Emeralds for a building without a wrong or missing block."""


class BuildTogether(Scenario):
    """Building together and its variants."""

    Spec = BuildSpec
    spec: BuildSpec
    reads = building_measures.KINDS
    gathers: Mapping[str, Gathering] = {"overlap": "mean"}

    @cached_property
    def _wanted(self) -> Mapping[tuple[int, int, int], str]:
        """Cell in world coordinates -> block of the drawn plan."""
        return {self.spec.in_world(cell): block for cell, block in self.spec.plan.blocks.items()}

    def drawn(self, seed: int) -> BuildTogether:
        """Return the scenario with the plan and the parts that the seed draws."""
        return type(self)(self.spec.model_copy(update={"seed": seed}), self.path)

    def build(self) -> Sequence[Command]:
        """Return commands that build the ground, clear the site and fill the chest."""
        chest = self.spec.world.chest
        at = self.layout.at(chest.at)
        slots = [
            Command(f"item replace block {at} container.{slot} with minecraft:{item} {count}")
            for slot, (item, count) in enumerate(stacks_of(chest.items))
        ]
        return [
            *self.layout.ground(),
            # The boxes before have removed the old chest with its contents.
            Command(f"setblock {at} minecraft:chest[facing={chest.facing}]"),
            *slots,
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def rules(self, seed: int) -> Rules:
        """Return rules that change nothing and watch the site."""
        return _Watch(self)

    def finished(self, state: EndState) -> bool:
        """Return True once the site holds exactly the plan."""
        done = all(held.items.get(EMERALD, 0) == WHOLE for held in state.players.values())
        return self.spec.end.all_collected and done

    async def read(self, world: World) -> EndState:
        """Read the site, the inventories and the chest from the server."""
        names, site, wanted = list(self.spec.players), self.spec.world.site, self._wanted
        stands = await commands.tests(
            world, [f"if block {x} {y} {z} minecraft:{block}" for (x, y, z), block in wanted.items()]
        )
        right = [cell for cell, there in zip(wanted, stands, strict=True) if there]
        filled = await commands.filled_cells(world, self.layout.cell(site.at), self.layout.cell(site.end))
        (lying,), held = await commands.goods(world, [self.layout.cell(self.spec.world.chest.at)], names)
        chest: dict[str, int] = {}
        for stack in lying:
            chest[stack.item] = chest.get(stack.item, 0) + stack.count
        emeralds = WHOLE * len(right) // (len(wanted) + filled - len(right))
        players = {
            name: Holdings.of({**(items or {}), EMERALD: emeralds}, {}, self.spec.players[name].prices)
            for name, items in zip(names, held, strict=True)
        }
        return EndState(players, chest, happened=(BuildingSeen(right=right, filled=filled, blocks=len(wanted)),))

    def opening_events(self, condition: str) -> Sequence[Event]:
        """Return the drawn plan with the part of each player."""
        spec = self.spec
        parts = {
            name: [(*spec.in_world(cell), block) for cell, block in part] for name, part in spec.draw.parts.items()
        }
        return [PlanDrawn(plan=spec.draw.plan, parts=parts)]

    def facts(self) -> BuildFacts:
        """Return site, chest and the parts of all players as data."""
        spec = self.spec
        return BuildFacts(
            players=tuple(spec.players),
            values={name: dict(player.prices) for name, player in spec.players.items()},
            chest=self.layout.cell(spec.world.chest.at),
            site=(self.layout.cell(spec.world.site.at), self.layout.cell(spec.world.site.end)),
            stock=dict(spec.world.chest.items),
            parts={
                name: tuple((spec.in_world(cell), block) for cell, block in part)
                for name, part in spec.draw.parts.items()
            },
        )

    def plan_picture(self, player: str, size: tuple[int, int]) -> tuple[bytes, str]:
        """Return the drawing of the player's own part, and the sentences that explain it."""
        from dilemmas.scenarios.build_together.drawing import CAPTION, draw_part

        blocks = list(dict.fromkeys(self.spec.plan.blocks.values()))
        data, legend = draw_part(self.spec.part_of(player), blocks, size)
        return data, CAPTION.format(player=player, legend=legend)

    def facts_of(self, player: str, condition: str) -> BuildFacts:
        """Return the facts with the player's own part alone."""
        return self.facts().seen_by(player)

    def vocabulary(self) -> Vocabulary:
        """Return emeralds and the blocks of the chest."""
        return Vocabulary(items=(EMERALD, *self.spec.world.chest.items), blocks=())

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.build_together.measures`."""
        return building_measures.measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | {"overlap": SHARE, "built": COUNT, "helped": COUNT, "contribution": SHARE}

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return plan, overlap, right, wrong and missing blocks, and what each player built."""
        return building_measures.team(lines, list(self.spec.players))


class _Watch(Rules):
    """Rules that read the site at each step and report it when it has changed."""

    def __init__(self, scenario: BuildTogether) -> None:
        self._scenario = scenario
        self._seen: tuple[Event, ...] = ()

    async def step(self, world: World, t_s: float) -> EndState:
        """Return the state now, with the building if it has changed since the previous step."""
        state = await self._scenario.read(world)
        if state.happened == self._seen:
            return EndState(state.players, state.chest)
        self._seen = state.happened
        happened = tuple(each.model_copy(update={"t_s": t_s}) for each in state.happened)
        return EndState(state.players, state.chest, happened=happened)
