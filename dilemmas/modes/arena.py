"""The arena of a run: a world with the scenario in it and the players on their marks."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any

from bridge.types import PolicyResult
from bridge.worlds import NO_WORLD, World
from common.errors import PrerequisiteError
from contracts import Contract
from dilemmas.minecraft import commands, renewal
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.ground import seen_from_above
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.thinking import Thinking, ThinkingCost
from dilemmas.records.events import Event, PlayersPlaced, Spot, WorldBuilt
from dilemmas.records.positions import MobChanges, PlaceChanges
from dilemmas.records.record import RunRecord
from dilemmas.records.states import StateChanges
from dilemmas.scenarios.protocol import EndState, Rules, Scenario, Settles, TellsPlaces
from voyager_agents.agent import Observation

CLOSING_S = 0.1
"""Game time in which servers notice that the block of an open window is gone."""
SETTLE_S = 0.5
"""Game time between the last command and the first policy: servers tell players of changed blocks at the end of a
tick, and a bot that starts before that sees the world as it was."""


async def nothing_due() -> Sequence[Event]:
    """Nothing is under way, and nobody rates."""
    return ()


@dataclass
class Arena:
    """One attempt at an episode: world, scenario and record, what the players bring, and the attempt's rules."""

    world: World
    scenario: Scenario
    record: RunRecord
    telemetry: TelemetryWriter
    show: Callable[[str], Observation]
    """Player -> what it may see before the episode."""
    rules: Rules = field(init=False)
    """Made when the arena is built."""
    seed: int = field(default=0, init=False)
    """Of the attempt."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Player -> its program for the episode, where agents write one."""
    thought: Thinking = field(default_factory=lambda: Thinking(ThinkingCost("run"), lambda: None))
    """What thinking costs."""
    afterwards: Callable[[], Awaitable[Sequence[Event]]] = nothing_due
    """When lives are over: waits for calls of models that were under way, which are paid and count, and has what was
    lived rated, where a model does that. Returns events for the record."""
    contract: Contract | None = None
    """By which the players are bound."""
    condition: str = ""
    """The name of the condition under which it is played."""
    culprits: Mapping[str, PolicyResult] = field(default_factory=dict)
    """Player whose program took a host down in an earlier attempt -> what became of it then."""
    region: tuple[int, int] = (0, 1)
    """The number of the region of the world that this is, from 0, and how many there are."""
    _states: StateChanges = field(default_factory=StateChanges, init=False)
    _where: PlaceChanges = field(default_factory=PlaceChanges, init=False)
    _mobs: MobChanges = field(default_factory=MobChanges, init=False)
    _settled: Sequence[Event] = field(default=(), init=False)
    """What the scenario told when it had found its players' places on the land."""
    _look_at: int = field(default=0, init=False)
    """The second of game time from which on somebody looks again where the players are."""

    @property
    def players(self) -> list[str]:
        """The players' names, in the spec's order."""
        return list(self.scenario.spec.players)

    async def build(self, seed: int) -> None:
        """Make the world as new and put the players at their starts; the same for the first and any later time."""
        self.seed = seed
        self.rules = self.scenario.rules(seed)
        observer = self.scenario.spec.observer.name
        began = time.monotonic()
        await self.world.connect([*self.players, observer])
        joined = time.monotonic()
        building = self.scenario.build()
        count = await self.stage(seed, building)
        built = time.monotonic()
        self.record.log(PlayersPlaced(players=self.players, observer=observer, wall_ms=(joined - began) * 1000))
        self.record.log(WorldBuilt(commands=count, wall_ms=(built - joined) * 1000), await self.world.now())
        for event in self._settled:
            self.record.log(event)
        if ground := seen_from_above(building, self.scenario.spec.world.origin):
            self.record.log(ground)

    async def stage(self, seed: int, building: Sequence[Command] | None = None) -> int:
        """Set the scenario up as new, whatever was done in it; returns how many commands it took."""
        if NO_WORLD in self.world.capabilities:
            return 0
        placing = self.scenario.place(seed)
        building = self.scenario.build() if building is None else building
        land = self._land(building)
        # Placed before as well: nobody stands in a wall that is built, or picks up what is about to be swept away.
        count = await renewal.reset_players(self.world)
        count += await commands.give(self.world, placing)
        count += await commands.give(self.world, [*land, *building])
        # A window that a player had open is closed when its block is gone, and gives back what was in it.
        await self.world.sleep(CLOSING_S)
        count += await commands.give(self.world, placing)
        if isinstance(self.scenario, Settles):
            self._settled = await self.scenario.settle(self.world, seed)
        await self.world.sleep(SETTLE_S)
        return count

    def _land(self, building: Sequence[Command]) -> list[Command]:
        """Commands before the building: the land as new, where the scenario keeps its players in one place."""
        spec = self.scenario.spec
        spawns = [player.spawn for player in spec.players.values()]
        bounds = renewal.bounds_of(building, spec.world.origin, spawns) if spec.bounded else None
        if bounds is None:
            return [renewal.UNBOUNDED]
        (x, y, z), (dx, dy, dz) = spec.world.origin, spawns[0]
        return renewal.reset_land(bounds, (x + dx, y + dy, z + dz))

    async def step(self, t_s: float) -> EndState:
        """Step the rules up to that second of game time; about once a second, look where the players are as well."""
        rules = self.rules.step(self.world, t_s)
        if isinstance(self.rules, TellsPlaces) or t_s < self._look_at:
            return await rules
        self._look_at = int(t_s) + 1
        # Both at once: on a server the look would otherwise cost time of its own.
        questions: list[Awaitable[Any]] = [rules, commands.positions(self.world, self.players)]
        state, places = await commands.together(questions)
        self.stand(t_s, places)
        found: EndState = state
        return found

    def stand(self, t_s: float, places: Mapping[str, Spot], tick: int | None = None) -> None:
        """Log who has moved since the last look: all modes tell places so."""
        if moved := self._where.event(t_s, places):
            self.record.log(moved, tick)

    def roam(self, t_s: float, mobs: Mapping[int, tuple[str, Spot]], tick: int | None = None) -> None:
        """Log which mobs (number -> kind and place) have come, moved or gone out of sight since the last look."""
        number, count = self.region
        if moved := self._mobs.event(t_s, {mob * count + number: told for mob, told in mobs.items()}):
            self.record.log(moved, tick)

    def part(self, number: int, count: int, world: World, telemetry: TelemetryWriter) -> Arena:
        """That region of it, on which its share of the players live by rules of its own."""
        found = replace(self, world=world, telemetry=telemetry, region=(number, count))
        found.seed, found.rules = self.seed, self.scenario.rules(self.seed)
        return found

    def saw(self, t_s: float, state: EndState) -> None:
        """Log what has changed in the state between two steps of the rules."""
        self.record.log(self._states.event(t_s, state.players, state.world))

    def thinking(self) -> AbstractAsyncContextManager[None]:
        """Models think meanwhile; the world stands still where that is wanted (`--think pause`)."""
        return self.thought.pausing()


def check_world(world: World, scenario: Scenario) -> None:
    """Whether the world can do what the scenario needs; before any model is called. Raises PrerequisiteError."""
    missing = sorted(set(scenario.spec.needs) - world.capabilities)
    if missing:
        raise PrerequisiteError(
            f"the world {world.name!r} cannot do what {scenario.spec.name} needs ({', '.join(missing)}); "
            "choose another with --world"
        )
