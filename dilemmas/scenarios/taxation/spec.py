"""Spec of taxation: community chests, seasons, trades and offices, treatments of conditions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from contracts.institutions.assembly import Assembly, Roll
from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Frozen, Identifier, PlayerName, Slug
from dilemmas.scenarios.societies.constitution import ConstitutionSpec
from dilemmas.scenarios.spec import BlockBox
from dilemmas.scenarios.village.spec import VillageRules, VillageSpec, VillageWorld
from voyager_agents.piano.rule_based.taxation.civics import civics, trades

Facing = Literal["north", "east", "south", "west"]
Percent = Annotated[float, Field(ge=0, le=100)]


class CommunityChest(Frozen):
    """A chest that tax is put into."""

    at: Cell
    facing: Facing = "north"


class TaxationWorld(VillageWorld):
    """The village with community chests."""

    community_chests: dict[Identifier, CommunityChest] = Field(min_length=1)


class Seasons(Frozen):
    """Seasons in which tax is due: the last seconds before each whole period."""

    count: int = Field(default=10, ge=1, le=100)
    every_s: float = Field(default=120, gt=0)
    window_s: float = Field(default=20, gt=0)

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.window_s >= self.every_s:
            raise ValueError(f"window_s {self.window_s:g}: give less than every_s ({self.every_s:g})")
        return self

    def windows(self) -> list[tuple[float, float]]:
        """Return (opening, closing) of each season, in seconds."""
        ends = [self.every_s * number for number in range(1, self.count + 1)]
        return [(end - self.window_s, end) for end in ends]


class TaxationRules(VillageRules):
    """Rules of the village, restocking, and seasons."""

    restock_s: float = Field(default=30, gt=0)
    """Interval after which the market's chests hold their first contents again, in seconds."""
    seasons: Seasons = Seasons()
    reach: float = Field(default=6, gt=0, le=16)
    """Distance from which a player can put something into a chest, in blocks."""
    settle_s: float = Field(default=3, gt=0, le=20)
    """Seconds within which an item that leaves an inventory is seen in a chest, or the other way round."""


class Stance(Frozen):
    """Aim of the influencers."""

    wants: tuple[Percent, Percent]
    """Percent, from and to."""
    traits: tuple[str, ...]


class Treatment(Frozen):
    """A condition's changes of the society."""

    stance: Slug | None = None
    """Aim of the influencers; None: there are none, and the players in question are visitors."""
    frozen: bool = False
    """True if the process runs but the law stays."""


class TaxationSpec(VillageSpec):
    """Model of a taxed village."""

    world: TaxationWorld
    rules: TaxationRules
    constitution: ConstitutionSpec
    trades: dict[PlayerName, Identifier] = Field(min_length=1)
    """Constituent -> its trade (`voyager_agents/piano/rule_based/taxation/civics.yaml`)."""
    influencers: tuple[PlayerName, ...] = ()
    stances: dict[Slug, Stance] = Field(default_factory=dict)
    treatments: dict[Slug, Treatment]
    """Condition -> treatment."""
    citizens: dict[Literal["opinion", "feedback", "ballot", "pay", "influencers"], dict[str, float]] = Field(
        default_factory=dict
    )
    """Numbers of citizens without a model that replace those of `civics.yaml`."""

    @property
    def constituents(self) -> tuple[str, ...]:
        """Players that pay and vote."""
        return tuple(name for name in self.players if name in self.trades)

    def solids(self) -> Any:  # noqa: ANN401 - an iterator of boxes, as the base has it
        """Yield the village's boxes and the community chests."""
        yield from super().solids()
        for chest in self.world.community_chests.values():
            yield BlockBox.model_validate({"from": chest.at, "to": chest.at, "block": "chest"})

    def built(self) -> list[Cell]:
        """Return the cells of everything that stands there."""
        return [*super().built(), *(chest.at for chest in self.world.community_chests.values())]

    def treatment(self, condition: str) -> Treatment:
        """Return the treatment of a condition."""
        return self.treatments.get(condition.partition("+")[0], Treatment())

    def office(self, player: str, condition: str) -> str:
        """Return `constituent`, `influencer`, `manager`, or `visitor` for a player without an office."""
        if player == self.constitution.manager:
            return "manager"
        if player in self.trades:
            return "constituent"
        wanted = player in self.influencers and self.treatment(condition).stance is not None
        return "influencer" if wanted else "visitor"

    def assembly(self, condition: str) -> Assembly:
        """Return the assembly: constituents vote; they and influencers are heard."""
        made = self.constitution.assembly(list(self.players), frozen=self.treatment(condition).frozen)
        speaking = [name for name in self.players if self.office(name, condition) in ("constituent", "influencer")]
        made.roll = Roll(tuple(self.players), tuple(speaking), self.constituents, self.constitution.manager)
        return made

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """Return the persona with its office, its trade, its aim as an influencer, and the community chests."""
        known = super().persona(player, condition)
        stance = self.stances.get(self.treatment(condition).stance or "")
        office = self.office(player, condition)
        civic: dict[str, Any] = {"office": office, "chests": self._chests(), "citizens": self.citizens}
        if office == "influencer" and stance is not None:
            civic |= {"wants": list(stance.wants), "traits": [*known["traits"], *stance.traits]}
        if office == "constituent":
            civic["trade"] = self.trades[player]
        return {**known, **civic}

    def _chests(self) -> Mapping[str, list[int]]:
        return {name: list(self.absolute(each.at)) for name, each in self.world.community_chests.items()}

    @model_validator(mode="after")
    def _numbered(self) -> Self:
        for section, numbers in self.citizens.items():
            for key in numbers:
                if key not in (known := civics()[section]):
                    raise ValueError(f"citizens.{section}: {key!r} is not known; legal are {', '.join(known)}")
        return self

    @model_validator(mode="after")
    def _peopled_with_offices(self) -> Self:
        for name in (*self.trades, *self.influencers):
            if name not in self.players:
                raise ValueError(f"trades, influencers: {name!r} is no player; choose from {', '.join(self.players)}")
        for name, trade in self.trades.items():
            if trade not in trades():
                raise ValueError(f"trades.{name}: {trade!r} is not known; choose from {', '.join(trades())}")
        for condition, each in self.treatments.items():
            if condition not in self.conditions:
                raise ValueError(f"treatments: {condition!r} is no condition; legal are {', '.join(self.conditions)}")
            if each.stance is not None and each.stance not in self.stances:
                raise ValueError(f"treatments.{condition}.stance: {each.stance!r}: {', '.join(self.stances)} are there")
        return self
