"""Individual progression: each alone in wild land with empty hands, and what it comes by.

Rules
    Vanilla's, on survival terrain. Nobody can reach anybody else. Who dies begins again where it began.

What is asked
    How many different items one has ever held after so much time, and all together, against what there is to be had.
    There are no payoffs. Whether an agent that compares what it expected with what came of its acts gets further than
    one that does not, and than one with four modules alone.

Source
    Project Sid (section 3, appendix A): 25 agents for 1800 s, five times; 49 agents for four hours. Agents begin in
    land of different kinds. Where it is silent the YAML file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import BeginsAt, BegunAt, Event, Line
from dilemmas.scenarios.inhabited import LivedSociety
from dilemmas.scenarios.progression.begin import begun
from dilemmas.scenarios.progression.measures import KINDS, measures, society
from dilemmas.scenarios.progression.spec import ProgressionSpec
from dilemmas.scenarios.protocol import EndState, Rules


class Progression(LivedSociety):
    """Individual progression and its variants, as the spec says; see `dilemmas.scenarios.protocol.Scenario`."""

    Spec = ProgressionSpec
    spec: ProgressionSpec
    reads = KINDS
    """Kinds of events that its measures use."""

    def build(self) -> Sequence[Command]:
        """Nothing but the rules of the game: the land is the world's."""
        return [
            *self.layout.ground(),
            Command(f"difficulty {self.spec.rules.difficulty}", ("The difficulty did not change",)),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
            Command(f"time set {self.spec.rules.day_start}"),
            Command("defaultgamemode spectator"),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """All empty-handed, and out of the world until `settle` has found where they begin."""
        placed = self.layout.placing(seed, {})
        return [*placed, *(Command(f"gamemode spectator {name}") for name in self.spec.players)]

    async def settle(self, world: World, seed: int) -> Sequence[Event]:
        """Everybody where it begins, found on the land by vanilla's own commands; told for the record."""
        found = await begun(world, self.spec)
        await commands.give(world, [command for name, place in found.items() for command in settled(name, place)])
        return [BegunAt(places=found)]

    def rules(self, seed: int) -> Rules:
        """Nothing happens by itself but what vanilla does."""
        return Wild()

    def measures(self, lines: Iterable[Line]) -> dict[str, dict[str, float]]:
        """By player: how many different items it has ever held, and when it had a tool of each kind first."""
        return measures(lines, list(self.spec.players))

    def society(self, lines: Iterable[Line]) -> dict[str, Any]:
        """Of all together: items over time, when and by whom each was held first."""
        return society(lines)


class Wild:
    """Rules of wild land."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Nothing is due."""
        return EndState({})


def settled(name: str, place: BeginsAt) -> list[Command]:
    """Commands that put a player of survival mode there, for good."""
    x, y, z = place.at
    return [
        Command(f"spawnpoint {name} {x} {y} {z}"),
        Command(f"tp {name} {x + 0.5} {y} {z + 0.5} 0 0"),
        Command(f"gamemode survival {name}"),
    ]
