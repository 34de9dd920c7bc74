"""Voyager's benchmark as data: how many programs, how long each, where it begins, and what each condition asks for."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from pydantic import Field

from dilemmas.scenarios.spec import (
    ConditionSpec,
    EndSpec,
    Identifier,
    Item,
    PlayerName,
    PlayerSpec,
    RulesSpec,
    ScenarioSpec,
    Slug,
)

DAY = 86_400.0


class TrialRules(RulesSpec):
    """What changes by itself."""

    day_start: int = Field(default=1000, ge=0, le=23999)
    """Time of day at which a run begins, in ticks."""
    difficulty: Literal["peaceful", "easy", "normal", "hard"] = "peaceful"


class TrialEnd(EndSpec):
    """When a run ends."""

    time_limit_s: float = Field(gt=0, le=7 * DAY)


class TrialCondition(ConditionSpec):
    """One condition: what is asked for."""

    task: str = ""
    """What the player is to do; empty: the scenario's task."""
    goal: dict[Item, int] = Field(default_factory=dict)
    """Item -> how many have to be held for the run to be over; empty: only its end is."""


class VoyagerSpec(ScenarioSpec):
    """Voyager's benchmark, whole."""

    PRICED: ClassVar[bool] = False

    players: dict[PlayerName, PlayerSpec] = Field(min_length=1)
    rules: TrialRules
    end: TrialEnd
    conditions: dict[Slug, TrialCondition] = Field(min_length=1)  # type: ignore[assignment]
    terrain: Literal["flat", "survival"] = "survival"
    """The land that it is played on where the world can have it; a server with land of its own has that."""
    iterations: int = Field(ge=1, le=10_000)
    """Programs of a run."""
    iteration_s: float = Field(gt=0, le=3600)
    """Game seconds that a program may take."""
    apart: int = Field(default=1024, ge=64, le=4096)
    """Blocks from where one run begins to where that of the next seed does, and between players."""
    begin: dict[str, tuple[Identifier, ...]] = Field(default_factory=dict)
    """Kind of land -> biomes in which a run begins, the best first; empty: players begin at their spawns."""
    interests: tuple[Identifier, ...] = ()
    """Blocks of which players are told where they see them."""

    @property
    def required_terrain(self) -> str:
        """Terrain that the scenario is played on."""
        return self.terrain

    def condition(self, name: str) -> TrialCondition:
        """The condition of that name. One that is put together on the command line begins with its base."""
        return self.conditions.get(name.partition("+")[0]) or next(iter(self.conditions.values()))

    def resolved(self) -> dict[str, Any]:
        """The spec as plain data for config.yaml."""
        return self.model_dump(mode="json", by_alias=True)
