"""Typed norms of a village. Compliance follows from the server's counts and positions, never from words.

To add a kind of norm, write a class and register it in `NORMS`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field, ValidationError

from common.answers.reading import first_problem
from common.answers.schema import limit_values, tagged_schema
from contracts.errors import Refused
from contracts.institutions import Norm

DeedKind = Literal["mine", "kill", "visit", "night", "season"]
MAX_NAME = 40
PAID = 0.9
"""Part of a tax with which it counts as paid."""


@dataclass(frozen=True)
class VillageDeed:
    """An act of a villager in the world's record.

    kind    thing              what happened
    mine    block              it broke a block
    kill    mob                it killed a mob
    visit   place              it came to a place
    night   nearest place      it was outside at night, by the distance to each place
    season  empty              a tax season ended, in which it had something to pay
    """

    kind: DeedKind
    player: str
    thing: str = ""
    share: float = 0.0
    """Share that it paid of what it held at the start of the season, 0 to 1, rounded up by half an item."""
    where: tuple[str, ...] = ()
    """Places that it was at."""


class VillageNorm(Norm):
    """Base class of a village's norms."""

    thing_field: ClassVar[str] = ""
    """Field that names a thing of the village; empty without one."""

    def forbids(self, done: Mapping[str, int]) -> str:
        """Return the block, mob or place that is forbidden now; empty for none.

        Args:
            done: Block -> number of such blocks that the person has broken while the norm binds.
        """
        return ""


class BlockLimit(VillageNorm):
    """Limit of broken blocks of one kind while the norm binds."""

    block: str = Field(max_length=MAX_NAME)
    blocks: int = Field(ge=0, le=100_000)
    thing_field: ClassVar[str] = "block"
    summary: ClassVar[str] = (
        '{"kind": "limit", "block": B, "blocks": k}: nobody breaks more than k blocks of B while it binds'
    )

    def counts(self, deed: VillageDeed) -> int:
        """Return 1 for a broken block of the kind."""
        return int(deed.kind == "mine" and deed.thing == self.block)

    def breaks(self, deed: VillageDeed, count: int) -> bool:
        """Return True for every block of the kind above the limit."""
        return bool(self.counts(deed)) and count > self.blocks

    def forbids(self, done: Mapping[str, int]) -> str:
        """Return the block once the limit is reached."""
        return self.block if done.get(self.block, 0) >= self.blocks else ""

    def says(self) -> str:
        """Return the norm in words."""
        return f"break at most {self.blocks} blocks of {self.block}"


class SpareAnimals(VillageNorm):
    """Prohibition of killing mobs of one kind."""

    mob: str = Field(max_length=MAX_NAME)
    thing_field: ClassVar[str] = "mob"
    summary: ClassVar[str] = '{"kind": "spare", "mob": M}: nobody kills a mob M'

    def breaks(self, deed: VillageDeed, count: int) -> bool:
        """Return True for a killed mob of the kind."""
        return deed.kind == "kill" and deed.thing == self.mob

    def forbids(self, done: Mapping[str, int]) -> str:
        """Return the mob."""
        return self.mob

    def says(self) -> str:
        """Return the norm in words."""
        return f"kill no {self.mob}"


class KeepOut(VillageNorm):
    """Prohibition of going to a place."""

    place: str = Field(max_length=MAX_NAME)
    thing_field: ClassVar[str] = "place"
    summary: ClassVar[str] = '{"kind": "keep_out", "place": P}: nobody goes to the place P'

    def breaks(self, deed: VillageDeed, count: int) -> bool:
        """Return True for an arrival at the place."""
        return deed.kind == "visit" and deed.thing == self.place

    def forbids(self, done: Mapping[str, int]) -> str:
        """Return the place."""
        return self.place

    def says(self) -> str:
        """Return the norm in words."""
        return f"stay away from the {self.place}"


class Curfew(VillageNorm):
    """Duty to be at a place at night."""

    place: str = Field(max_length=MAX_NAME)
    thing_field: ClassVar[str] = "place"
    summary: ClassVar[str] = '{"kind": "curfew", "place": P}: at night everybody is at the place P'

    def breaks(self, deed: VillageDeed, count: int) -> bool:
        """Return True for a look at night in which the person was elsewhere."""
        return deed.kind == "night" and self.place not in deed.where

    def says(self) -> str:
        """Return the norm in words."""
        return f"be at the {self.place} at night"


class PayTax(VillageNorm):
    """Duty to put a share of what one holds into a community chest in each tax season."""

    percent: float = Field(gt=0, le=100)
    summary: ClassVar[str] = (
        '{"kind": "pay", "percent": p}: everybody puts p percent of what it holds into a community chest in each tax '
        "season"
    )

    def breaks(self, deed: VillageDeed, count: int) -> bool:
        """Return True for a season in which too little was paid."""
        return deed.kind == "season" and deed.share * 100 < self.percent * PAID

    def says(self) -> str:
        """Return the norm in words."""
        return f"pay {self.percent:g} percent of what you hold in each tax season"


NORMS: dict[str, type[BlockLimit] | type[SpareAnimals] | type[KeepOut] | type[Curfew] | type[PayTax]] = {
    "limit": BlockLimit,
    "spare": SpareAnimals,
    "keep_out": KeepOut,
    "curfew": Curfew,
    "pay": PayTax,
}
"""Kind of norm -> its class."""


@dataclass(frozen=True)
class VillageThings:
    """Names that norms of one village may use."""

    blocks: tuple[str, ...]
    mobs: tuple[str, ...]
    places: tuple[str, ...]
    taxed: bool = False
    """True if there are tax seasons."""

    def legal(self, field: str) -> Collection[str]:
        """Return the legal values of a norm's field `block`, `mob` or `place`."""
        return {"block": self.blocks, "mob": self.mobs, "place": self.places}[field]

    @property
    def kinds(self) -> list[str]:
        """Kinds of norms that can bind here."""
        able = {"limit": self.blocks, "spare": self.mobs, "keep_out": self.places, "curfew": self.places}
        return [kind for kind in NORMS if (self.taxed if kind == "pay" else able[kind])]


def read_village_norm(raw: Mapping[str, Any], things: VillageThings | None = None) -> VillageNorm:
    """Parse a norm of a village. Raises Refused.

    Args:
        raw: The norm as plain data.
        things: Names that the norm may use; None for any.
    """
    kind, kinds = raw.get("kind"), list(NORMS) if things is None else things.kinds
    if not isinstance(kind, str) or kind not in kinds:
        raise Refused("term", f"term: kind: {kind!r} is unknown: choose one of {', '.join(kinds)}")
    norm = NORMS[kind]
    try:
        found = norm.model_validate(dict(raw))
    except ValidationError as error:
        raise Refused("term", f"term {kind}: {first_problem(error)}") from None
    if things is not None and norm.thing_field:
        value, legal = getattr(found, norm.thing_field), things.legal(norm.thing_field)
        if value not in legal:
            raise Refused("term", f"term {kind}: {norm.thing_field}: {value!r} is not here: use {', '.join(legal)}")
    return found


def village_norm_schema(things: VillageThings) -> dict[str, Any]:
    """Return the JSON schema of a norm."""
    schema = tagged_schema({kind: NORMS[kind] for kind in things.kinds}, "kind")
    for kind, each in zip(things.kinds, schema["anyOf"], strict=True):
        if field := NORMS[kind].thing_field:
            limit_values(each, {field: sorted(things.legal(field))})
    return schema


def village_norm_forms(things: VillageThings) -> str:
    """Return the JSON form of each kind of norm, and the names that it may use, for prompts."""
    forms = [f"- {NORMS[kind].summary}" for kind in things.kinds]
    names = {"B": things.blocks, "M": things.mobs, "P": things.places}
    return "\n".join([*forms, *(f"{letter} is one of: {', '.join(each)}" for letter, each in names.items() if each)])
