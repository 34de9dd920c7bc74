"""Arena of a run: a world with the scenario built in it and the players at their starting positions."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from bridge.types import PolicyResult
from bridge.worlds import NO_WORLD, World
from common.answers.stand_ins import StandIn
from common.errors import PrerequisiteError
from contracts import Contract
from dilemmas.minecraft import commands, renewal
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.ground import seen_from_above
from dilemmas.minecraft.telemetry import TelemetryWriter
from dilemmas.modes.eyes import Eyes
from dilemmas.modes.thinking import Thinking, ThinkingCost
from dilemmas.records.events import Event, PlayersPlaced, Spot, WorldBuilt
from dilemmas.records.positions import MobChanges, PositionChanges
from dilemmas.records.record import RunRecord
from dilemmas.records.states import StateChanges
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState, Rules
from voyager_agents.agent import Observation

CLOSING_S = 0.1
"""Game time in which servers notice that the block of an open window is gone, in seconds."""
SETTLE_S = 0.5
"""Game time between the last command and the first policy, in seconds.

Servers report changed blocks at the end of a tick, and a bot that starts earlier would see the old world.
"""


async def no_events() -> Sequence[Event]:
    """Return no events: no calls are pending and nothing is rated."""
    return ()


class TalksBetween(Protocol):
    """Talks of the players between the rounds or steps of one attempt at an episode."""

    def is_due(self, played: int) -> bool:
        """Return True if the players talk after that number of rounds."""

    async def hold(
        self, played: int, state: EndState, chat: Sequence[tuple[str, str]], places: Mapping[str, Spot]
    ) -> None:
        """Settle the deals in force, let the players talk, and show them the deals that they have now.

        Args:
            played: Number of rounds played.
            state: State of the episode now.
            chat: (speaker, text) of the chat in the episode so far.
            places: Player -> its position in the world, which decides who hears a whisper; empty without a world.

        Raises:
            AgentError: A player's model fails.
        """


@dataclass
class Arena:
    """One attempt at an episode: world, scenario, record, the players' programs, and the attempt's rules."""

    world: World
    scenario: Scenario
    record: RunRecord
    telemetry: TelemetryWriter
    show: Callable[[str], Observation]
    """Player -> its observation before the episode."""
    rules: Rules = field(init=False)
    """Rules of the attempt, created by `build`."""
    seed: int = field(default=0, init=False)
    """Seed of the attempt, set by `build`."""
    programs: Mapping[str, str] = field(default_factory=dict)
    """Player -> its program for the episode, if agents write programs."""
    thought: Thinking = field(default_factory=lambda: Thinking(ThinkingCost("run"), lambda: None))
    """Charges thinking its game time."""
    afterwards: Callable[[], Awaitable[Sequence[Event]]] = no_events
    """Called when lives end: waits for pending model calls, which are paid for and count, and lets a model rate the
    lives if the scenario has a rater. Returns events for the record.
    """
    contract: Contract | None = None
    """Contract that binds the players."""
    condition: str = ""
    """Name of the condition, without axes and factors."""
    factors: Mapping[str, str] = field(default_factory=dict)
    """Factor that the study varies -> its value in this run."""
    stand_in: StandIn | None = None
    """Stand-in for players without a usable answer; None for the mode's usual one."""
    eyes: Eyes = field(default_factory=Eyes)
    """Pictures that the players' models are shown."""
    talks: TalksBetween | None = None
    """Talks between rounds; None if the players talk before the game alone."""
    culprits: Mapping[str, PolicyResult] = field(default_factory=dict)
    """Player whose program took a host down in an earlier attempt -> the result of that program."""
    region: tuple[int, int] = (0, 1)
    """(number of the world's region, from 0; number of regions)."""
    _states: StateChanges = field(default_factory=StateChanges, init=False)
    _where: PositionChanges = field(default_factory=PositionChanges, init=False)
    _mobs: MobChanges = field(default_factory=MobChanges, init=False)
    _settled: Sequence[Event] = field(default=(), init=False)
    """Events reported by the scenario when it placed players on the land."""
    _look_at: int = field(default=0, init=False)
    """Second of game time from which positions are sampled again."""

    @property
    def players(self) -> list[str]:
        """Names of the players, in the spec's order."""
        return list(self.scenario.spec.players)

    async def build(self, seed: int) -> None:
        """Build the world anew and place the players; repeated attempts do the same."""
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
        """Set the scenario up anew, whatever happened in the world, and return the number of commands."""
        if NO_WORLD in self.world.capabilities:
            return 0
        placing = self.scenario.place(seed)
        building = self.scenario.build() if building is None else building
        land = self._land(building)
        # Placed first as well, so that nobody stands inside a new wall or picks up items about to be removed.
        count = await renewal.reset_players(self.world)
        count += await commands.give(self.world, placing)
        count += await commands.give(self.world, [*land, *building])
        # Removing the block of an open window closes it and returns its items.
        await self.world.sleep(CLOSING_S)
        count += await commands.give(self.world, placing)
        self._settled = await self.scenario.settle_players(self.world, seed)
        await self.world.sleep(SETTLE_S)
        return count

    def _land(self, building: Sequence[Command]) -> list[Command]:
        """Return commands that restore the land before building, if the scenario keeps its players in one area."""
        spec = self.scenario.spec
        spawns = [player.spawn for player in spec.players.values()]
        bounds = renewal.bounds_of(building, spec.world.origin, spawns) if spec.bounded else None
        if bounds is None:
            return [renewal.UNBOUNDED]
        (x, y, z), (dx, dy, dz) = spec.world.origin, spawns[0]
        return renewal.reset_land(bounds, (x + dx, y + dy, z + dz))

    async def step(self, t_s: float) -> EndState:
        """Step the rules to game time `t_s`, and sample the players' positions about once a second."""
        rules = self.rules.step(self.world, t_s)
        if self.rules.positions is not None or t_s < self._look_at:
            return await rules
        self._look_at = int(t_s) + 1
        # Concurrent queries: on a server a separate position query would take extra game time.
        questions: list[Awaitable[Any]] = [rules, commands.positions(self.world, self.players)]
        state, places = await commands.together(questions)
        self.log_positions(t_s, places)
        found: EndState = state
        return found

    def log_positions(self, t_s: float, places: Mapping[str, Spot], tick: int | None = None) -> None:
        """Log the players that moved since the last sample; every mode logs positions this way."""
        if moved := self._where.event(t_s, places):
            self.record.log(moved, tick)

    def log_mobs(self, t_s: float, mobs: Mapping[int, tuple[str, Spot]], tick: int | None = None) -> None:
        """Log the mobs (entity id -> kind and position) that appeared, moved or disappeared since the last sample."""
        number, count = self.region
        if moved := self._mobs.event(t_s, {mob * count + number: told for mob, told in mobs.items()}):
            self.record.log(moved, tick)

    def region_arena(self, number: int, count: int, world: World, telemetry: TelemetryWriter) -> Arena:
        """Return the arena of one region, in which a share of the players lives under rules of its own.

        Args:
            number: Number of the region, from 0.
            count: Number of regions.
            world: World of the region.
            telemetry: Telemetry of the region.
        """
        found = replace(self, world=world, telemetry=telemetry, region=(number, count))
        found.seed, found.rules = self.seed, self.scenario.rules(self.seed)
        return found

    def log_state(self, t_s: float, state: EndState) -> None:
        """Log the changes of the state between two steps of the rules."""
        self.record.log(self._states.event(t_s, state.players, state.world))

    def thinking(self) -> AbstractAsyncContextManager[None]:
        """Return the context in which models think; with `--think pause` the world stands still inside."""
        return self.thought.pause_world()


def check_world(world: World, scenario: Scenario) -> None:
    """Check before any model call that the world has the capabilities that the scenario needs.

    Raises:
        PrerequisiteError: A capability is missing.
    """
    missing = sorted(set(scenario.spec.needs) - world.capabilities)
    if missing:
        raise PrerequisiteError(
            f"the world {world.name!r} lacks what {scenario.spec.name} needs ({', '.join(missing)}); "
            "choose another with --world"
        )
