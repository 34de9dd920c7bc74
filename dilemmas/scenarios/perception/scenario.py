"""Common parts of the three experiments on perception: truth for the log, hungry guests, food."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Event, FoodSeen, LogLine
from dilemmas.scenarios.perception import rating
from dilemmas.scenarios.perception.measures import measures, society
from dilemmas.scenarios.perception.spec import PerceptionSpec
from dilemmas.scenarios.protocol import COUNT, EndState, Gathering, Rules, ValueBounds
from dilemmas.scenarios.societies import regression
from dilemmas.scenarios.societies.scenario import LivedSociety
from voyager_agents.cost import Range
from voyager_agents.piano.role_classifier import RoleClassifier
from voyager_agents.prompts.folder import Prompts


class Perception(LivedSociety):
    """An experiment on perception."""

    Spec = PerceptionSpec
    spec: PerceptionSpec
    reads = frozenset(
        {"run_started", "episode_started", "truth", "speech", "slot", "food", "summaries_rated", "end_state"}
    )
    """Kinds of events that the measures use."""
    gathers: Mapping[str, Gathering] = dict.fromkeys(
        ("perceived", "felt", "error", "perceived_likeability", "likeability", "observers"), "mean"
    )

    def opening_events(self, condition: str) -> Sequence[Event]:
        """Return the truth. Raises UsageError if nothing could be measured afterwards."""
        regression.check_scipy()
        return [self.spec.truth()]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put players at their spawns and make guests hungry."""
        seconds = self.spec.rules.hunger_s
        guests = [name for name, part in self.spec.parts.items() if part.part == "guest"] if seconds else []
        return [
            *self.layout.placing(
                seed, {_got(food): f"minecraft.picked_up:minecraft.{food}" for food in self.spec.foods}
            ),
            *(Command(f"effect give {name} minecraft:hunger {seconds} 60 true") for name in guests),
        ]

    def rules(self, seed: int) -> Rules:
        """Return rules that count the food, if food is given away."""
        return Kitchen(self.spec, self.layout) if self.spec.foods else super().rules(seed)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return estimates of each player, beside the truth."""
        return measures(lines)

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures but sentiments."""
        return super().bounds() | {"error": COUNT, "perception_r": (-1, 1), "observers": COUNT, "food": COUNT}

    def society(self, lines: Iterable[LogLine]) -> dict[str, Any]:
        """Return regressions of estimates on the truth, over time and at the end."""
        return society(lines)

    async def rate_lives(self, lines: Iterable[LogLine], rater: RoleClassifier) -> Sequence[Event]:
        """Return a model's scores of thoughts and, in a town, of traits."""
        return await rating.rate_thoughts(lines, rater)

    async def rating_cost(self, seconds: float, prompts: Prompts) -> Range:
        """Return the cost of scoring all thoughts."""
        return await rating.rating_cost(self.spec, seconds, prompts)


def _got(food: str) -> str:
    """Return the scoreboard objective that counts a food that a player has picked up."""
    return f"got_{food}"


class Kitchen(Rules):
    """Rules that read who holds and has picked up how much of the food."""

    def __init__(self, spec: PerceptionSpec, layout: Layout) -> None:
        self._players = list(spec.players)
        self._foods = spec.foods
        self._layout = layout
        self._told: FoodSeen | None = None

    async def step(self, world: World, t_s: float) -> EndState:
        """Return the food if it has changed since the last look."""
        found = await commands.together(commands.held(world, self._players, food) for food in self._foods)
        held = {name: sum(each.get(name, 0) for each in found) for name in self._players}
        scores = await self._layout.scores(world)
        received = {name: sum(scores[name].get(_got(food), 0) for food in self._foods) for name in self._players}
        before, told = self._told, FoodSeen(t_s=t_s, held=held, received=received)
        if before is not None and (before.held, before.received) == (held, received):
            return EndState({})
        self._told = told
        return EndState({}, happened=(told,))
