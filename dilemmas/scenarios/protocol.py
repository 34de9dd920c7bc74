"""What every scenario is: commands that build it, rules that step it, an end, and a reading of the world's end state.

A scenario talks to the world by vanilla commands alone, and what it says about the end comes from the server alone:
no word of a policy and no telemetry of a bot changes a reward.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from bridge.types import PolicyResult
from bridge.worlds import World
from dilemmas.errors import SpecError
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, Holdings, Line
from dilemmas.scenarios.spec import Observable, ScenarioSpec
from voyager_agents.facts import Knowledge


@dataclass(frozen=True)
class EndState:
    """The truth about the world, read from the server by commands."""

    players: dict[str, Holdings]
    chest: dict[str, int] = field(default_factory=dict)
    """Item -> count in the shared chest; empty also when the chest is gone."""
    world: dict[str, int] = field(default_factory=dict)
    """Block -> how many of it there are, of the blocks that the scenario's rules depend on."""
    happened: tuple[Event, ...] = field(default=(), compare=False)
    """What the rules found or did since the last reading, for the record."""


@dataclass(frozen=True)
class Vocabulary:
    """Names of items and blocks that observables are made of."""

    items: tuple[str, ...]
    blocks: tuple[str, ...]


class Rules(Protocol):
    """A scenario's own rules in one attempt at an episode; they hold what has happened so far."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Let happen what is due by `t_s` seconds of game time after the start, and read the state."""


class Scenario(Protocol):
    """One scenario, made from its spec; holds no state of a run."""

    path: Path
    """The YAML file that the spec came from; contract files are relative to it."""

    @property
    def spec(self) -> ScenarioSpec:
        """What is played, as data."""

    def build(self) -> Sequence[Command]:
        """Commands that make the world as new, whatever was there; before the first bot joins, and between runs."""

    def place(self, seed: int) -> Sequence[Command]:
        """Commands that put the joined players where they start, with what they start with, counters at zero."""

    def rules(self, seed: int) -> Rules:
        """The rules for one attempt, stepped every `rules.step_s` seconds of game time; all chance is the seed's."""

    def finished(self, state: EndState) -> bool:
        """Whether the scenario's own end rule holds; time limit and returned policies are the episode's business."""

    async def read(self, world: World) -> EndState:
        """The state now, from the server."""

    def facts(self) -> Knowledge:
        """The scenario's text as data, for players that reason from payoffs."""

    def vocabulary(self) -> Vocabulary:
        """What contracts and judges can speak of; what is in it and was not seen counts as 0."""


class RoundGame(Protocol):
    """One attempt at a scenario in rounds: what its players see, what they may decide, and what comes of it.

    In each round `turn` of everybody, `programs`, `stepped`, `settled` and then `deeds` are asked, in this order;
    `stepped` with number 0 before the first. Turns, decisions and deeds are of the scenario's own types
    (`voyager_agents.turns`).
    """

    @property
    def round_s(self) -> float:
        """Seconds of game time that a round takes at least."""

    @property
    def move_s(self) -> float:
        """Seconds of game time that a player's move may take."""

    def turn(self, player: str, number: int) -> Any:  # noqa: ANN401 - the scenario's own type
        """What that player is shown before its turn, in the round of that number (from 1)."""

    def programs(self, number: int, decisions: Mapping[str, Any]) -> Mapping[str, str]:
        """Player -> the program that carries its decision out; none for one that does nothing.

        A decision that is not legal costs the turn, and its player is told why before the next one.
        """

    def stepped(self, number: int, state: EndState) -> Sequence[Event]:
        """Take in what the rules found and did after the moves; returns it as the record is to have it."""

    def settled(self, number: int, results: Mapping[str, PolicyResult]) -> Sequence[Event]:
        """Hold the decisions against what came of them; `results` are of the programs. Returns more for the record."""

    @property
    def deeds(self) -> Sequence[Any]:
        """What was done in the last round, for those who judge it."""


@runtime_checkable
class RoundScenario(Protocol):
    """What a scenario that is played in rounds has beside `Scenario`."""

    def rounds(self, limit_s: float) -> tuple[int, int]:
        """How many rounds a game with that time limit has, at least and at most."""

    def turns(self, limit_s: float) -> tuple[int, int]:
        """In how many of them one player has a turn, at least and at most."""

    def game(self, rules: Rules, told: Sequence[str]) -> RoundGame:
        """One attempt, by the rules that `Scenario.rules` gave; `told` is what all are told before the first round."""


@runtime_checkable
class Measured(Protocol):
    """A scenario with measures of its own."""

    def measures(self, lines: Iterable[Line]) -> dict[str, dict[str, float]]:
        """Measure -> player -> value, of the last episode in a run's log and from that log alone."""


def within(permitted: frozenset[Observable], spec: ScenarioSpec, path: Path) -> None:
    """Whether the spec grants its players no more than the scenario may. Raises SpecError."""
    beyond = sorted(set(spec.observables) - permitted)
    if beyond:
        legal = ", ".join(sorted(permitted))
        raise SpecError(f"{path}: observables: {', '.join(beyond)} may not be shown here; legal are {legal}")
