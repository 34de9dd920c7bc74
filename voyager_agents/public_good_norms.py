"""Typed norms of a public good such as Cleanup. Compliance follows from counted blocks, never from words.

To add a kind of norm, write a class and register it in `NORMS`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from common.answers.reading import first_problem
from common.answers.schema import tagged_schema
from contracts.errors import Refused
from contracts.institutions import Norm

DeedKind = Literal["harvest", "clear", "litter"]


@dataclass(frozen=True)
class GroundsDeed:
    """One block that a player harvested, cleared of waste, or placed as waste."""

    kind: DeedKind
    player: str
    waste: int
    """Blocks of waste in the second of the deed."""


class ClearYourShare(Norm):
    """Obligation to clear a block of waste for every `blocks` harvested blocks; the first `blocks` are free."""

    blocks: int = Field(ge=1, le=1000)
    summary: ClassVar[str] = (
        '{"kind": "share", "blocks": k}: clear a block of waste for every k blocks that you harvest'
    )

    def counts(self, deed: GroundsDeed) -> int:
        """Return 1 for a harvested block, and less for a cleared one what it pays for."""
        counts = {"harvest": 1, "clear": -self.blocks, "litter": self.blocks}
        return counts[deed.kind]

    def breaks(self, deed: GroundsDeed, count: int) -> bool:
        """Return True for a harvested block beyond those that cleared blocks pay for."""
        return deed.kind == "harvest" and count > self.blocks

    def says(self) -> str:
        """Return the norm in words."""
        return f"clear a block of waste for every {self.blocks} blocks that you harvest"


class SpareWhilePolluted(Norm):
    """Prohibition of harvesting while there is much waste."""

    waste: int = Field(ge=0, le=1000)
    summary: ClassVar[str] = (
        '{"kind": "spare", "waste": k}: harvest nothing while there are more than k blocks of waste'
    )

    def breaks(self, deed: GroundsDeed, count: int) -> bool:
        """Return True for a block harvested while there was more waste."""
        return deed.kind == "harvest" and deed.waste > self.waste

    def says(self) -> str:
        """Return the norm in words."""
        return f"harvest nothing while there are more than {self.waste} blocks of waste"


class HarvestLimit(Norm):
    """Limit of harvested blocks while the norm binds."""

    blocks: int = Field(ge=0, le=100_000)
    summary: ClassVar[str] = '{"kind": "limit", "blocks": k}: harvest at most k blocks in all while it binds'

    def counts(self, deed: GroundsDeed) -> int:
        """Return 1 for a harvested block."""
        return int(deed.kind == "harvest")

    def breaks(self, deed: GroundsDeed, count: int) -> bool:
        """Return True for every harvested block above the limit."""
        return deed.kind == "harvest" and count > self.blocks

    def says(self) -> str:
        """Return the norm in words."""
        return f"harvest at most {self.blocks} blocks"


class NoLitter(Norm):
    """Prohibition of placing waste."""

    summary: ClassVar[str] = '{"kind": "litter"}: place no waste'

    def breaks(self, deed: GroundsDeed, count: int) -> bool:
        """Return True for a placed block of waste."""
        return deed.kind == "litter"

    def says(self) -> str:
        """Return the norm in words."""
        return "place no waste"


NORMS: dict[str, type[ClearYourShare] | type[SpareWhilePolluted] | type[HarvestLimit] | type[NoLitter]] = {
    "share": ClearYourShare,
    "spare": SpareWhilePolluted,
    "limit": HarvestLimit,
    "litter": NoLitter,
}
"""Kind of norm -> its class."""
FAIR_SHARE: Mapping[str, Any] = {"kind": "share", "blocks": 3}
"""Clause that honest people of a public good move."""


def read_grounds_norm(raw: Mapping[str, Any]) -> Norm:
    """Parse a norm of a public good. Raises Refused."""
    kind = raw.get("kind")
    if not isinstance(kind, str) or kind not in NORMS:
        raise Refused("term", f"term: kind: {kind!r} is unknown: choose one of {', '.join(NORMS)}")
    try:
        found: Norm = NORMS[kind].model_validate(dict(raw))
    except ValidationError as error:
        raise Refused("term", f"term {kind}: {first_problem(error)}") from None
    return found


def grounds_norm_schema() -> dict[str, Any]:
    """Return the JSON schema of a norm."""
    return tagged_schema(NORMS, "kind")


def grounds_norm_forms() -> str:
    """Return the JSON form of each kind of norm, for prompts."""
    return "\n".join(f"- {each.summary}" for each in NORMS.values())
