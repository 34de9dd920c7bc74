"""Spec of Voyager's benchmark: number and time limit of programs, starting places, tasks of conditions."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from dilemmas.scenarios.fields import Identifier, Item, PlayerName, Slug
from dilemmas.scenarios.spec import ConditionSpec, EndSpec, PlayerSpec, RulesSpec, ScenarioSpec

DAY = 86_400.0


class TrialRules(RulesSpec):
    """Rules of natural land."""

    day_start: int = Field(default=1000, ge=0, le=23999)
    """Time of day at which a run starts, in ticks."""
    difficulty: Literal["peaceful", "easy", "normal", "hard"] = "peaceful"


class TrialEnd(EndSpec):
    """End of a run."""

    time_limit_s: float = Field(gt=0, le=7 * DAY)


class TrialCondition(ConditionSpec):
    """Condition of the benchmark: its task and goal."""

    task: str = ""
    """Task of the player; empty for the scenario's task."""
    goal: dict[Item, int] = Field(default_factory=dict)
    """Item -> count that ends the run; empty if only its end does."""


class VoyagerSpec(ScenarioSpec):
    """Model of Voyager's benchmark."""

    PRICED: ClassVar[bool] = False

    players: dict[PlayerName, PlayerSpec] = Field(min_length=1)
    rules: TrialRules
    end: TrialEnd
    conditions: dict[Slug, TrialCondition] = Field(min_length=1)  # type: ignore[assignment]
    terrain: Literal["flat", "survival"] = "survival"
    """Terrain, if the world can have it; a server with land of its own keeps it."""
    iterations: int = Field(ge=1, le=10_000)
    """Number of programs of a run."""
    iteration_s: float = Field(gt=0, le=3600)
    """Time limit of a program, in game seconds."""
    apart: int = Field(default=1024, ge=64, le=4096)
    """Blocks between the starts of runs of consecutive seeds, and between players."""
    begin: dict[str, tuple[Identifier, ...]] = Field(default_factory=dict)
    """Kind of land -> biomes in which a run starts, the best first; empty: players start at their spawns."""
    interests: tuple[Identifier, ...] = ()
    """Blocks that players are told of when they see them."""

    @property
    def required_terrain(self) -> str:
        """Terrain that the scenario is played on."""
        return self.terrain

    def condition(self, name: str) -> TrialCondition:
        """Return a condition by name. One that is composed on the command line begins with its base."""
        return self.conditions.get(name.partition("+")[0]) or next(iter(self.conditions.values()))

    def resolved(self) -> dict[str, Any]:
        """Return the spec as plain data for config.yaml."""
        return self.model_dump(mode="json", by_alias=True)
