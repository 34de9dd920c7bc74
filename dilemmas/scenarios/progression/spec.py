"""Spec of individual progression: kinds of land, and distances between players."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Identifier
from dilemmas.scenarios.societies.spec import LivedSpec
from dilemmas.scenarios.spec import RulesSpec

CAVE = "cave"
"""Kind of land that lies underground in every biome."""
REACH = 512
"""Minimum distance between agents of different regions, in blocks: beyond sight, hearing and loaded land."""


class WildRules(RulesSpec):
    """Rules of natural land."""

    day_start: int = Field(default=0, ge=0, le=23999)
    """Time of day at which the lives start, in ticks."""
    difficulty: Literal["peaceful", "easy", "normal", "hard"] = "easy"


class ProgressionSpec(LivedSpec):
    """Model of individual progression."""

    rules: WildRules
    terrain: Literal["flat", "survival"] = "survival"
    """Terrain, if the world can have it; a server with land of its own keeps it."""
    apart: int = Field(default=1024, ge=64, le=4096)
    """Blocks between neighbouring players' points, which form a square grid."""
    regions: int = Field(default=1, ge=1, le=16)
    """Number of processes to which players are dealt out, on a world that can have several."""
    begin: dict[str, tuple[Identifier, ...]] = Field(min_length=1)
    """Kind of land -> biomes in which it is looked for, the best first; `cave` lies under every biome."""

    @property
    def required_terrain(self) -> str:
        """Terrain that the scenario is played on."""
        return self.terrain

    @property
    def region_count(self) -> int:
        """Number of regions, `regions`."""
        return self.regions

    @model_validator(mode="after")
    def _out_of_reach(self) -> Self:
        if self.regions > 1 and self.apart < REACH:
            raise ValueError(
                f"regions: {self.regions} with apart: {self.apart}: agents nearer than {REACH} blocks could meet; "
                f"give apart at least {REACH}, or regions 1"
            )
        return self

    def kind_of(self, place: int) -> str:
        """Return the kind of land in which player number `place` (from 0) starts: all kinds in turn."""
        kinds = list(self.begin)
        return kinds[place % len(kinds)]

    def middle(self, place: int) -> tuple[int, int]:
        """Return x and z of the point around which player number `place` starts: a square grid about the origin."""
        side = max(1, round(len(self.players) ** 0.5 + 0.499))
        x, _, z = self.world.origin
        column, row = place % side, place // side
        return x + (column - side // 2) * self.apart, z + (row - side // 2) * self.apart

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona with the time of day at the start."""
        return {**super().persona(player, condition), "day_start": self.rules.day_start}
