"""Data and objects that scenarios exchange with modes of play: states, rules, games in rounds, tallies.

The base class of scenarios is `dilemmas.scenarios.base.Scenario`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from common.hooks import DeclaredHooks
from contracts.institutions.frame import Ledger

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bridge.types import PolicyResult
    from bridge.worlds import World
    from contracts.institutions.assembly import Assembly, Summons
    from contracts.institutions.frame import Slot
    from contracts.institutions.norms import Entry
    from contracts.institutions.slots import CivicOrder
    from dilemmas.records.events import Event, Holdings
    from voyager_agents.realtime_agent import Voice


@dataclass(frozen=True)
class EndState:
    """State of an episode, read from the server by commands."""

    players: dict[str, Holdings]
    chest: dict[str, int] = field(default_factory=dict)
    """Item -> count in the shared chest; also empty if the chest is gone."""
    world: dict[str, int] = field(default_factory=dict)
    """Block -> number of such blocks in the world, for blocks that the scenario's rules depend on."""
    happened: tuple[Event, ...] = field(default=(), compare=False)
    """Events that the rules found or caused since the last reading, for the log."""


@dataclass(frozen=True)
class Vocabulary:
    """Items and blocks that contracts can name."""

    items: tuple[str, ...]
    blocks: tuple[str, ...]
    counters: tuple[str, ...] = ()
    """Items that count what a player has done so far, such as its choices, rather than what it holds."""


class Rules(DeclaredHooks):
    """Base class of a scenario's own rules in one attempt at an episode. An instance holds the state of the attempt."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Apply all changes that are due by `t_s` seconds of game time after the start, and read the state."""
        raise NotImplementedError

    @property
    def positions(self) -> Mapping[str, tuple[float, float]] | None:
        """Player -> (x, z) in cells of the scenario at the last step.

        None unless the rules log positions themselves (`FieldStepped`); the arena then asks the server for them.
        """
        return None

    @property
    def civic_game(self) -> CivicGame | None:
        """World side of institutions in mode `episodes`; None if none can act."""
        return None

    def announcements(self) -> Sequence[Summons]:
        """Return messages to players that are new since the last call, oldest first; no distance limits them."""
        return ()


class NoRules(Rules):
    """Rules of a world in which nothing happens by itself."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Return an empty state."""
        return EndState({})


class RoundGame(Protocol):
    """One attempt at a scenario in rounds: views of the players, their decisions, and the consequences.

    In each round the mode calls `turn` for each player, then `programs`, `after_step`, `after_programs` and `deeds`.
    Before the first round it calls `after_step` with number 0. Turns, decisions and deeds are the scenario's own types
    (`voyager_agents.turn_agent`).
    """

    @property
    def round_s(self) -> float:
        """Minimum duration of a round, in seconds of game time."""

    @property
    def move_s(self) -> float:
        """Maximum duration of a player's move, in seconds of game time."""

    def turn(self, player: str, number: int) -> Any:  # noqa: ANN401 - the scenario's own type
        """Return the view that the player gets before its turn in round `number` (from 1)."""

    def programs(self, number: int, decisions: Mapping[str, Any]) -> Mapping[str, str]:
        """Return player -> program that carries out its decision. An idle player has no program.

        An illegal decision costs the turn; its player reads the reason before its next turn.
        """

    def after_step(self, number: int, state: EndState) -> Sequence[Event]:
        """Take in the state after the moves and return events for the log."""

    def after_programs(self, number: int, results: Mapping[str, PolicyResult]) -> Sequence[Event]:
        """Compare each decision with the result of its program and return events for the log."""

    @property
    def deeds(self) -> Sequence[Any]:
        """Acts of the last round, for agents that judge them."""


@runtime_checkable
class CivicGame(Protocol):
    """World side of institutions in one attempt at a game in rounds (`dilemmas.modes.civics`)."""

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return slot -> value after round `number`, for the slots that the scenario fills."""

    def earned(self) -> Mapping[str, float]:
        """Return player -> what it has earned in the world so far, in the scenario's civic unit."""

    async def carry_out(self, world: World, order: CivicOrder) -> None:
        """Carry out an order of an institution in the world."""


class CivicLife(Protocol):
    """World side of institutions in one attempt at a life (`dilemmas.modes.life_civics`)."""

    @property
    def ledger(self) -> WorldBooks:
        """Money of people and of the treasury in the world."""

    async def look(self, t_s: float) -> Sequence[Entry]:
        """Take in what people have done by `t_s`, put back those who are held, and return entries for the record."""

    def hear(self, events: Sequence[Event]) -> None:
        """Take in events of the scenario's rules and of its assembly."""

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return slot -> value before step `number`, for the slots that the scenario fills."""

    async def carry_out(self, order: CivicOrder) -> None:
        """Carry out an order of an institution in the world."""


class WorldBooks(Ledger, Protocol):
    """A ledger whose balances are read from the world."""

    async def refresh(self) -> None:
        """Read what everybody holds."""


class LifeSpec(Protocol):
    """Senses, voices and constitution of agents that live in a scenario: `LivedSpec` or `InLife`."""

    @property
    def sight(self) -> float:
        """Sight of the bodies, in blocks; at most 64."""

    @property
    def interests(self) -> Sequence[str]:
        """Blocks that the bodies notice."""

    def voice_ranges(self) -> Mapping[Voice, float]:
        """Return voice -> range, in blocks."""

    def assembly(self, condition: str) -> Assembly | None:
        """Return the assembly of one attempt under that condition, or None without a constitution."""


Gathering = Literal["sum", "mean", "each"]
"""Way to combine a measure of single players: their sum, their mean, or not at all (`each`)."""
ValueBounds = tuple[float | None, float | None]
"""Least and most possible value of a measure; None for an end without a bound."""
COUNT: ValueBounds = (0, None)
"""Bounds of counts, times and other amounts."""
SHARE: ValueBounds = (0, 1)


class MeasureTally(Protocol):
    """A scenario's measures of a run, counted event by event."""

    def add_event(self, event: Event) -> None:
        """Count the next event of the run's log."""

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the result of `Scenario.measures` for the events so far."""

    def society(self) -> dict[str, Any]:
        """Return the result of `Scenario.society` for the events so far."""
