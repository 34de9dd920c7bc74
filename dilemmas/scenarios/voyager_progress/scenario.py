"""Voyager's benchmark: one agent on one land, one program after the other.

Rules
    Vanilla's, on survival terrain; in peace by day, and who dies keeps its things (choices: the paper does not say).
    A run is a trial: it has so many prompting iterations, each of which is one program that goes on from where the last
    one left off. Runs of other seeds are other trials.

What is asked
    After how many iterations there is a first tool of wood, of stone, of iron, of diamond; how many different items
    were held by each iteration; how much of the map was covered. In `voyager-zero-shot`: after how many iterations one
    item is held that a library of skills was not learned for, in a new world and from empty hands.

Source
    Voyager: An Open-Ended Embodied Agent with Large Language Models (arXiv 2305.16291), section 3: figures 1 and 7,
    tables 1 and 2. Where it is silent the YAML file beside this module chooses.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from bridge.worlds import World
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.base import UnpaidScenario
from dilemmas.scenarios.progression.starting_places import start_everybody, wild_land
from dilemmas.scenarios.protocol import COUNT, Gathering, ValueBounds
from dilemmas.scenarios.spec import Observable
from dilemmas.scenarios.voyager_progress.measures import KINDS, MEANS, measures, run_trials, trial_data
from dilemmas.scenarios.voyager_progress.spec import VoyagerSpec

PLACES = 64
"""Number of consecutive seeds whose runs start at places of their own."""


class VoyagerProgress(UnpaidScenario):
    """Voyager's benchmark and its variants."""

    Spec = VoyagerSpec
    spec: VoyagerSpec
    reads = KINDS
    """Kinds of events that the measures use."""
    gathers: Mapping[str, Gathering] = dict.fromkeys(MEANS, "mean")

    permitted: ClassVar[frozenset[Observable]] = frozenset({"scenario", "inventories", "chat", "last_run"})

    def build(self) -> Sequence[Command]:
        """Return the game rules and the spec's boxes, usually none: the land is the world's."""
        return wild_land(self.layout, self.spec.rules)

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put players at their spawns or, if a place is looked for first, out of the world."""
        placed = self.layout.placing(seed, {})
        waiting = list(self.spec.players) if self.spec.begin else []
        return [*placed, *(Command(f"gamemode spectator {name}") for name in waiting)]

    async def settle_players(self, world: World, seed: int) -> Sequence[Event]:
        """Put everybody at a starting place on the land, found by vanilla's commands."""
        if not self.spec.begin:
            return []
        return [await start_everybody(world, _Start(self.spec, seed))]

    @property
    def iterations(self) -> int:
        """Maximum number of programs of a run."""
        return self.spec.iterations

    @property
    def min_iterations(self) -> int:
        """Minimum number of programs: 1 if a condition's run ends with its goal."""
        return 1 if any(each.goal for each in self.spec.conditions.values()) else self.spec.iterations

    @property
    def iteration_s(self) -> float:
        """Time limit of a program, in game seconds."""
        return self.spec.iteration_s

    @property
    def interests(self) -> Sequence[str]:
        """Blocks that players are told of when they see them."""
        return self.spec.interests

    def task(self, condition: str) -> str:
        """Return the task under a condition."""
        return self.spec.condition(condition).task or self.spec.task

    def goal(self, condition: str) -> Mapping[str, int]:
        """Return item -> count that ends a run under a condition."""
        return self.spec.condition(condition).goal

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return iterations to the first tool of each kind and to the goal, items, and map covered, by player."""
        return measures(run_trials(lines), list(self.spec.players), self._goals())

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | dict.fromkeys((*MEANS, "programs_failed", "deaths"), COUNT)

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return the trials as data: items by iteration, first iteration of each item, tools."""
        return trial_data(run_trials(lines))

    def _goals(self) -> Mapping[str, Mapping[str, int]]:
        return {name: each.goal for name, each in self.spec.conditions.items()}


@dataclass(frozen=True)
class _Start:
    """Starting places of a seed's run (a `dilemmas.scenarios.progression.starting_places.StartPlan`)."""

    spec: VoyagerSpec
    seed: int

    @property
    def players(self) -> Mapping[str, object]:
        return self.spec.players

    @property
    def apart(self) -> int:
        return self.spec.apart

    @property
    def begin(self) -> Mapping[str, Sequence[str]]:
        return self.spec.begin

    def kind_of(self, place: int) -> str:
        """Return the kind of land: all kinds in turn, by seed and player."""
        kinds = list(self.spec.begin)
        return kinds[(self.seed + place) % len(kinds)]

    def middle(self, place: int) -> tuple[int, int]:
        """Return x and z of a point in a row of runs with a column of players in each."""
        x, _, z = self.spec.world.origin
        return x + (self.seed % PLACES) * self.spec.apart, z + place * self.spec.apart
