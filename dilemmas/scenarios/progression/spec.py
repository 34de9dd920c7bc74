"""Individual progression as data: who begins in which kind of land, and how far from each other."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.societies.spec import LivedSpec
from dilemmas.scenarios.spec import Identifier, RulesSpec

CAVE = "cave"
"""The kind of land that lies under ground: it is no biome's."""
REACH = 512
"""Agents of different regions begin at least so many blocks apart: beyond what anybody sees, hears and loads."""


class WildRules(RulesSpec):
    """What changes by itself."""

    day_start: int = Field(default=0, ge=0, le=23999)
    """Time of day at which the lives begin, in ticks."""
    difficulty: Literal["peaceful", "easy", "normal", "hard"] = "easy"


class ProgressionSpec(LivedSpec):
    """Individual progression, whole."""

    rules: WildRules
    terrain: Literal["flat", "survival"] = "survival"
    """The land that it is played on where the world can have it; a server with land of its own has that."""
    apart: int = Field(default=1024, ge=64, le=4096)
    """Blocks from one's place to the next one's: the places are a square grid."""
    regions: int = Field(default=1, ge=1, le=16)
    """To how many processes players are dealt out, on a world that can have several."""
    begin: dict[str, tuple[Identifier, ...]] = Field(min_length=1)
    """Kind of land -> biomes in which it is looked for, the best first; `cave` lies under whatever is there."""

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
        """The kind of land in which the player of that number (from 0) begins: all kinds in turn."""
        kinds = list(self.begin)
        return kinds[place % len(kinds)]

    def middle(self, place: int) -> tuple[int, int]:
        """x and z around which the player of that number begins: a square grid about the origin."""
        side = max(1, round(len(self.players) ** 0.5 + 0.499))
        x, _, z = self.world.origin
        column, row = place % side, place // side
        return x + (column - side // 2) * self.apart, z + (row - side // 2) * self.apart

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """And when the day began."""
        return {**super().persona(player, condition), "day_start": self.rules.day_start}
