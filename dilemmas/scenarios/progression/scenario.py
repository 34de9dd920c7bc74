"""Individual progression: each alone in wild land with empty hands, and what it comes by.

Rules
    Vanilla's, on survival terrain. Nobody can reach anybody else: on the mock world players are dealt out to regions
    (`regions`), and who is in one never meets who is in another. Who dies begins again where it began.

What is asked
    How many different items one has ever held after so much time, and all together, against what there is to be had.
    There are no payoffs. Whether an agent that compares what it expected with what came of its acts gets further than
    one that does not, and than one with four modules alone.

Source
    Project Sid (section 3, appendix A): 25 agents for 1800 s, five times; 49 agents for four hours. Agents begin in
    land of different kinds. Where it is silent the YAML file beside this module chooses.

Version history
    4   on the mock world regions have clocks of their own; lines of one moment stand in another order
    3   on the mock world players live in regions, each with chance of its own; items and rules are the same
    2   caves in which one begins lie at y 20 to 50: no longer in deepslate, which bare hands hardly get through
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.worlds import World
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.progression.measures import KINDS, TIERS, ProgressTally, measures, society
from dilemmas.scenarios.progression.spec import ProgressionSpec
from dilemmas.scenarios.progression.starting_places import start_everybody, wild_land
from dilemmas.scenarios.protocol import COUNT, Gathering, MeasureTally, ValueBounds
from dilemmas.scenarios.societies.scenario import LivedSociety


class Progression(LivedSociety):
    """Individual progression and its variants."""

    Spec = ProgressionSpec
    spec: ProgressionSpec
    reads = KINDS
    """Kinds of events that the measures use."""
    gathers: Mapping[str, Gathering] = dict.fromkeys(("unique_items", *(f"{tier}_tool_s" for tier in TIERS)), "mean")

    def build(self) -> Sequence[Command]:
        """Return the game rules as commands; the land is the world's."""
        return wild_land(self.layout, self.spec.rules)

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put empty-handed players out of the world until `settle_players` places them."""
        placed = self.layout.placing(seed, {})
        return [*placed, *(Command(f"gamemode spectator {name}") for name in self.spec.players)]

    async def settle_players(self, world: World, seed: int) -> Sequence[Event]:
        """Put everybody at a starting place on the land, found by vanilla's commands."""
        return [await start_everybody(world, self.spec)]

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return the number of different items of each player, and the time of its first tool of each kind."""
        return measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | dict.fromkeys(
            ("unique_items", "deaths", *(f"{tier}_tool_s" for tier in TIERS)), COUNT
        )

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return items over time, with the time and player of each first."""
        return society(lines)

    def tally(self) -> MeasureTally:
        """Return a tally of held items."""
        return ProgressTally(list(self.spec.players))
