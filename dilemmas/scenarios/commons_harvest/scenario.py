"""Commons Harvest: apples that grow again the faster the more of them are left; a bare tree is dead for good.

Rules
    In a fenced field of 24 columns and 18 rows stand six trees: patches of 13 cells, an apple in each at the start. Who
    takes an apple leaves bare grass. In each step (1 s) an apple grows in a bare cell with a probability that follows
    from the apples within a distance (L2) of 2: none 0, one 0.0025, two 0.005, three and more 0.025. A tree without an
    apple never has one again. A player that is hit is out for 5 steps and comes back at a random spawn. It ends after
    100 steps, which players do not know, or when no apple is left. Three players, by programs or in rounds.
    An apple is a block that one blow of a hand breaks, that nobody stumbles over and that has no use of its own: a
    poppy. Who took it is known from vanilla's own count of the blocks that a player has mined, so that apples can be
    neither lost, stolen, eaten nor planted; tile drops are off. Who hit whom is vanilla's word too.

Payoffs
    Each apple taken counts 1 for its taker, and nothing else counts.

Why it is a dilemma
    An apple that is left makes others grow, for whoever comes to take them; one that is taken is one's own at once.
    So each does best by taking all while the others leave enough, and when all reason like that, every tree is dead
    within half a minute, and everybody has little more than half of what restraint would have given. Immobilizing
    those who take too much is the only means that players without a contract have, and it costs the time in which one
    could harvest.

Source
    The scenario of the paper on generative agents in Melting Pot (sections 3.1 and 4; figures 3 to 10), after
    commons_harvest__open of the Melting Pot suite. Where the paper is silent (layout, time limit, what an apple is in
    Minecraft) the YAML file beside this module chooses, and can be overridden.

Version history
    1   first version: payoffs, layout and laws as in commons_harvest.yaml
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Any

from bridge.worlds import World
from contracts.institutions import Norm
from contracts.institutions.frame import HostSlots
from contracts.institutions.slots import ACTS, ORDERS, PAYMENTS, PRESENT
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import mined_criteria, mined_objective
from dilemmas.records.events import LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.commons_harvest import measures as commons_measures
from dilemmas.scenarios.commons_harvest.rounds import HarvestGame
from dilemmas.scenarios.commons_harvest.rules import APPLE, DAMAGE_OBJECTIVE, Harvest, apple_holdings
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.protocol import COUNT, EndState, Rules, ValueBounds, Vocabulary
from voyager_agents.facts import Commons
from voyager_agents.generative.terms import TermScope, forms, read_term, term_schema


class CommonsHarvest(Scenario):
    """Commons Harvest and its variants."""

    Spec = CommonsSpec
    civic_slots = HostSlots(fills=(PRESENT, ACTS), carries=(ORDERS, PAYMENTS))
    civic_unit = "apples"
    spec: CommonsSpec

    def build(self) -> Sequence[Command]:
        """Return commands that build ground, fence and bench, and an apple in every cell of the trees."""
        field = self.spec.world.field
        apples = [(x, 0, z) for tree in field.trees for x, z in tree.cells]
        return [
            *self.layout.ground(),
            *self.layout.blocks(field.apple, apples),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put healthy players at their spawns, counters at zero; a sidebar shows apples."""
        field = self.spec.world.field
        criteria = {
            **mined_criteria([field.apple, field.ground]),
            DAMAGE_OBJECTIVE: "minecraft.custom:minecraft.damage_dealt",
        }
        hale = [
            Command(f"effect give {name} minecraft:instant_health 1 4", (commands.NO_EFFECT,))
            for name in self.spec.players
        ]
        shown = Command(f"scoreboard objectives setdisplay sidebar {mined_objective(field.apple)}")
        return [*self.layout.placing(seed, criteria), *hale, shown]

    def rules(self, seed: int) -> Harvest:
        """Return the rules of growth and immobilization, with the seed's chance."""
        return Harvest(self.spec, self.layout, seed)

    def finished(self, state: EndState) -> bool:
        """Return True once no apple is left, since none will grow again."""
        return self.spec.end.all_collected and state.world.get(APPLE) == 0

    async def read(self, world: World) -> EndState:
        """Read the apples that the players have taken from the server."""
        scores = await commands.scores(world, list(self.spec.players))
        mined = mined_objective(self.spec.world.field.apple)
        return EndState(
            {name: apple_holdings(self.spec, name, scores.get(name, {}).get(mined, 0)) for name in self.spec.players}
        )

    def facts(self) -> Commons:
        """Return the trees and the growth of apples as data."""
        field, rules = self.spec.world.field, self.spec.rules
        return Commons(
            players=tuple(self.spec.players),
            crop=field.apple,
            item=APPLE,
            trees=tuple(tuple(self.layout.cell((x, 0, z)) for x, z in tree.cells) for tree in field.trees),
            near=rules.near,
            regrowth=rules.regrowth,
            values={name: dict(player.prices) for name, player in self.spec.players.items()},
            middle=self.layout.cell((field.columns // 2, 0, field.rows // 2)),
        )

    def read_norm(self, raw: Mapping[str, Any]) -> Norm:
        """Return the typed norm of a clause (`voyager_agents.generative.terms`)."""
        return read_term(raw, TermScope(tuple(self.spec.players), tuple(self.spec.world.field.names())))

    def norm_schema(self) -> Mapping[str, Any]:
        """Return the JSON schema of a term."""
        return term_schema()

    def norm_forms(self) -> str:
        """Return the JSON forms of terms."""
        return forms()

    def vocabulary(self) -> Vocabulary:
        """Return apples as items, and the apple's block."""
        return Vocabulary(items=(APPLE,), blocks=(self.spec.world.field.apple,), counters=(APPLE,))

    def round_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of rounds; in the shortest game everybody takes an apple in every round and none grows."""
        most = min(self.spec.rounds.limit, max(1, int(limit_s)))
        return min(most, ceil(len(self.spec.built()) / len(self.spec.players))), most

    def turn_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of a player's turns; at least, it is hit in each turn and out for the steps after it."""
        least, most = self.round_range(limit_s)
        return ceil(least / (1 + self.spec.rules.out_steps)), most

    def round_game(self, rules: Rules, notices: Sequence[str]) -> HarvestGame:
        """Return the game in rounds."""
        assert isinstance(rules, Harvest), "a commons that is harvested has its own rules"
        return HarvestGame(self.spec, rules, notices)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.commons_harvest.measures`."""
        return commons_measures.measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | dict.fromkeys(commons_measures.names(self.spec.players, civic=True), COUNT)
