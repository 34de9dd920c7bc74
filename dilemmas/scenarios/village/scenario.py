"""The village: thirty agents with the same traits live in one place, and find their work themselves.

Rules
    Vanilla's. There is a square with a market, a pasture, an oak forest, a cave with ores and farmland. Felled trees
    stand again after a while; at night mobs come.

What is asked
    Nobody has a role and nobody gives one. Whether agents that see what others do come to do different things, and go
    on doing them, is what is measured. There are no payoffs.

Source
    Project Sid (sections 5.1 and 8.2, appendix C): 30 agents, 1200 s, one village; the communities' goals are normal,
    martial and artistic, and a fourth society lacks social awareness. The directions from the square are the paper's
    and the distances a third of its. Where it is silent the YAML file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bridge.worlds import World
from common.hooks import helper
from contracts.institutions import Norm
from contracts.institutions.frame import HostSlots, PartSettings
from contracts.institutions.marketplace import GOODS, MarketPartSettings
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT
from dilemmas.minecraft import commands
from dilemmas.minecraft.coffers import SINGLE
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.civic_measures import CIVIC_MEASURES
from dilemmas.scenarios.protocol import COUNT, SHARE, EndState, Gathering, MeasureTally, Rules, ValueBounds
from dilemmas.scenarios.societies import lives, rating
from dilemmas.scenarios.societies.scenario import LivedSociety
from dilemmas.scenarios.village.civics import VillageCivics, village_criteria, village_things
from dilemmas.scenarios.village.measures import VillageTally, measures, society
from dilemmas.scenarios.village.spec import Herd, VillageSpec
from voyager_agents.cost import Range
from voyager_agents.piano.role_classifier import RoleClassifier
from voyager_agents.piano.role_classifier import cost as rating_cost
from voyager_agents.prompts.folder import Prompts
from voyager_agents.village_norms import VillageThings, read_village_norm, village_norm_forms, village_norm_schema

RIPE = {"wheat": 7, "carrots": 7, "potatoes": 7, "beetroots": 3}
"""Crop -> vanilla's `age` of a ripe one."""
HERD_STEP = 3
"""Blocks between two animals at the start."""


class Village(LivedSociety):
    """The village and its variants."""

    Spec: ClassVar[type[VillageSpec]] = VillageSpec
    spec: VillageSpec
    civic_slots = HostSlots(fills=(PRESENT, ACTS, GOODS), carries=(ORDERS, PAYMENTS))
    civic_modes = ("life",)
    reads = lives.KINDS | {"institution"}
    """Kinds of events that the measures use."""
    _governed = False
    """True if institutions act in the village."""
    _purse = 0
    """Money that each person has from the start."""
    _is_taxed = False
    gathers: Mapping[str, Gathering] = dict.fromkeys(
        ("roles", "role_persistence", "role_length_s", "coherence"), "mean"
    )

    @property
    def civic_members(self) -> Sequence[str]:
        """Names of all villagers."""
        return tuple(self.spec.players)

    def civic_life(self, world: World) -> VillageCivics:
        """Return jail, exile, chests, and what the server counts of villagers; the market is on the square."""
        return VillageCivics(
            self.spec, self.layout, world, self.civic_members, every_s=self.civic_every_s, taxed=self._is_taxed
        )

    def under(self, institutions: Mapping[str, PartSettings]) -> Scenario:
        """Return the village with the places of institutions, and people who know how to live under them."""
        if not institutions:
            return self
        found = type(self)(_with_modules(self.spec, institutions), self.path)
        market = institutions.get("market")
        found._governed = True
        found._purse = 0 if isinstance(market, MarketPartSettings) and market.money else self.spec.world.civic.purse
        return found

    def read_norm(self, raw: Mapping[str, Any]) -> Norm:
        """Return the typed norm of a clause (`voyager_agents.village_norms`)."""
        return read_village_norm(raw, self._things)

    def norm_schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of a norm."""
        return village_norm_schema(self._things)

    def norm_forms(self) -> str:
        """Return the JSON forms of norms."""
        return village_norm_forms(self._things)

    @property
    def _things(self) -> VillageThings:
        return village_things(self.spec, taxed=self._is_taxed)

    def build(self) -> Sequence[Command]:
        """Return commands that build ground, trees, fields, ores and chests, and replace items and animals."""
        world, layout = self.spec.world, self.layout
        mobs = sorted(
            {each.mob for each in world.herds} | ({self.spec.rules.night.mob} if self.spec.rules.night else set())
        )
        return [
            *layout.ground(),
            *(command for foot in world.forest.feet for command in self.tree(foot)),
            *(command for crops in world.fields for command in self._field(crops.crop, crops.start, crops.end)),
            *(command for ore, cells in world.ores.items() for command in layout.blocks(ore, cells)),
            *(command for stand in world.stands for command in layout.blocks(stand.block, [stand.at])),
            *(command for index in range(len(world.chests)) for command in self._chest(index)),
            *(self._civic_places() if self._governed else ()),
            *(Command(f"kill @e[type=minecraft:{mob}]", (commands.NO_ENTITY,)) for mob in mobs),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
            *(
                Command(f"summon minecraft:{each.mob} {layout.stand(cell)}")
                for each in world.herds
                for cell in _herd(each)
            ),
            Command(f"time set {self.spec.rules.day_start}"),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
        ]

    def _civic_places(self) -> list[Command]:
        """Return commands that build the public chests and the jail."""
        civic, layout = self.spec.world.civic, self.layout
        chests = [
            command
            for each in civic.coffers().values()
            for command in (
                # An earlier chest goes first, with what is in it.
                Command(f"setblock {layout.at(each.at)} minecraft:air", (commands.SAME_BLOCK,)),
                Command(f"setblock {layout.at(each.at)} minecraft:chest[facing={each.facing}]", (commands.SAME_BLOCK,)),
                *layout.blocks(civic.cover, [(each.at[0], each.at[1] + 1, each.at[2])]),
            )
        ]
        return [*chests, *(layout.filled(civic.bars, start, end) for start, end in civic.jail_bars())]

    def place(self, seed: int) -> Sequence[Command]:
        """Return the usual commands; under institutions also money, and counters of what a law may name."""
        if not self._governed:
            return super().place(seed)
        money = self.spec.world.civic.money
        purses = [Command(f"give {name} minecraft:{money} {self._purse}") for name in self.civic_members if self._purse]
        return [*self.layout.placing(seed, village_criteria(self._things)), *purses]

    def rules(self, seed: int) -> Rules:
        """Return rules by which trees stand again and the night brings mobs."""
        return VillageLife(self)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return roles, their length, agreement of words and deeds, and life under institutions, by player."""
        return measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return (
            super().bounds()
            | dict.fromkeys(("decisions", "roles", "role_length_s", *CIVIC_MEASURES), COUNT)
            | dict.fromkeys(("role_persistence", "coherence"), SHARE)
        )

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return the roles of all together, deeds by role, and measures of minds."""
        return society(lines)

    def tally(self) -> MeasureTally:
        """Return a tally of lives."""
        return VillageTally(list(self.spec.players))

    async def rate_lives(self, lines: Iterable[LogLine], rater: RoleClassifier) -> Sequence[Event]:
        """Return a model's ratings of roles, and of the agreement of words and deeds."""
        return await rating.rate_lives(lines, rater)

    async def rating_cost(self, seconds: float, prompts: Prompts) -> Range:
        """Return the cost of rating all villagers."""
        return await rating_cost(seconds, len(self.spec.players), prompts)

    @helper
    def tree(self, foot: tuple[int, int, int]) -> list[Command]:
        """Return commands that build a tree."""
        return [self.layout.filled(box.block, box.start, box.end) for box in self.spec.world.forest.boxes(foot)]

    def _field(self, crop: str, start: tuple[int, int, int], end: tuple[int, int, int]) -> list[Command]:
        low, high = (start[0], start[1] - 1, start[2]), (end[0], end[1] - 1, end[2])
        layout = self.layout
        return [
            layout.filled("farmland", low, high),
            Command(
                f"fill {layout.at(start)} {layout.at(end)} minecraft:{crop}[age={RIPE[crop]}]",
                (commands.NOTHING_FILLED,),
            ),
        ]

    def _chest(self, index: int) -> list[Command]:
        chest = self.spec.world.chests[index]
        at = self.layout.at(chest.at)
        return [
            Command(f"setblock {at} minecraft:chest[facing={chest.facing}]"),
            *(
                Command(f"item replace block {at} container.{slot} with minecraft:{item} {count}")
                for slot, (item, count) in enumerate(_stacks(chest.items))
            ),
        ]


class VillageLife(Rules):
    """Rules of one attempt."""

    def __init__(self, village: Village) -> None:
        self._village = village
        self._trees = 0
        self._came = 0
        self._seen_night_s = 0.0

    async def step(self, world: World, t_s: float) -> EndState:
        """Apply the due changes of trees and night."""
        spec = self._village.spec
        due = int(t_s / spec.rules.tree_every_s)
        wanted: list[Command] = []
        while self._trees < due:
            foot = spec.world.forest.feet[self._trees % len(spec.world.forest.feet)]
            wanted += self._tree(foot)
            self._trees += 1
        wanted += self._night(t_s)
        if wanted:
            await commands.give(world, wanted)
        return EndState({})

    def _tree(self, foot: tuple[int, int, int]) -> list[Command]:
        """Return commands that grow the missing blocks of a tree where nobody stands."""
        layout = self._village.layout
        found = []
        for box in self._village.spec.world.forest.boxes(foot):
            text = f"fill {layout.at(box.start)} {layout.at(box.end)} minecraft:{box.block} keep"
            found.append(Command(text, (commands.NOTHING_FILLED,)))
        return found

    def _night(self, t_s: float) -> list[Command]:
        """Return a command that summons a mob if one is due in darkness and there is room for one."""
        rules = self._village.spec.rules
        if rules.night is None:
            return []
        day = (rules.day_start + t_s * 20) % 24000
        if not 13000 <= day <= 23000:
            self._seen_night_s = t_s
            return []
        if t_s - self._seen_night_s < rules.night.every_s:
            return []
        self._seen_night_s = t_s
        at = rules.night.at[self._came % len(rules.night.at)]
        self._came += 1
        return [Command(f"summon minecraft:{rules.night.mob} {self._village.layout.stand(at)}")]


def _with_modules(spec: VillageSpec, parts: Collection[str]) -> VillageSpec:
    """Return the spec whose people have the modules that institutions ask."""
    needed = [*(["trader"] if "market" in parts else []), *(["polity"] if set(parts) - {"market"} else [])]
    conditions = {}
    for name, each in spec.conditions.items():
        modules = [str(module) for module in each.agents.get("modules", ())]
        more = [module for module in needed if module not in modules]
        conditions[name] = each.model_copy(update={"agents": {**each.agents, "modules": [*modules, *more]}})
    return spec.model_copy(update={"conditions": conditions})


def _stacks(items: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return a chest's items as stacks."""
    return [(item, each) for item, count in items.items() for each in ([1] * count if SINGLE.search(item) else [count])]


def _herd(herd: Herd) -> list[tuple[int, int, int]]:
    """Return cells for the animals of a herd, in rows."""
    (x0, y, z0), (x1, _, z1) = herd.start, herd.end
    cells = [
        (x, y, z)
        for z in range(min(z0, z1), max(z0, z1) + 1, HERD_STEP)
        for x in range(min(x0, x1), max(x0, x1) + 1, HERD_STEP)
    ]
    return [cells[number % len(cells)] for number in range(herd.count)]
