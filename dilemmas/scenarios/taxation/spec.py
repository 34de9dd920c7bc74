"""Taxation's own part of the spec: community chests, seasons, trades and offices, what a condition changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from contracts.institutions.assembly import Assembly, Roll
from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.societies.constitution import ConstitutionSpec
from dilemmas.scenarios.spec import BlockBox, Frozen, Identifier, PlayerName, Slug
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
    """When tax is due: the window is the last seconds before each whole period."""

    count: int = Field(default=10, ge=1, le=100)
    every_s: float = Field(default=120, gt=0)
    window_s: float = Field(default=20, gt=0)

    @model_validator(mode="after")
    def _apart(self) -> Self:
        if self.window_s >= self.every_s:
            raise ValueError(f"window_s {self.window_s:g}: give less than every_s ({self.every_s:g})")
        return self

    def windows(self) -> list[tuple[float, float]]:
        """(opens, closes) of each, in seconds."""
        ends = [self.every_s * number for number in range(1, self.count + 1)]
        return [(end - self.window_s, end) for end in ends]


class TaxationRules(VillageRules):
    """And what the storehouse gets again, and when tax is due."""

    restock_s: float = Field(default=30, gt=0)
    """Seconds after which the market's chests hold again what they held at first."""
    seasons: Seasons = Seasons()
    reach: float = Field(default=6, gt=0, le=16)
    """Blocks within which somebody can have put something into a chest."""
    settle_s: float = Field(default=3, gt=0, le=20)
    """Seconds within which what leaves an inventory is seen in a chest, or the other way round."""


class Stance(Frozen):
    """What influencers want."""

    wants: tuple[Percent, Percent]
    """Percent, from and to."""
    traits: tuple[str, ...]


class Treatment(Frozen):
    """What a condition changes in the society."""

    stance: Slug | None = None
    """None: there are no influencers; those who would be are visitors."""
    frozen: bool = False
    """The process runs, and the law stays."""


class TaxationSpec(VillageSpec):
    """A taxed village, whole."""

    world: TaxationWorld
    rules: TaxationRules
    constitution: ConstitutionSpec
    trades: dict[PlayerName, Identifier] = Field(min_length=1)
    """Constituent -> its trade (`voyager_agents/piano/rule_based/taxation/civics.yaml`)."""
    influencers: tuple[PlayerName, ...] = ()
    stances: dict[Slug, Stance] = Field(default_factory=dict)
    treatments: dict[Slug, Treatment]
    """Condition -> what it changes."""
    citizens: dict[Literal["opinion", "feedback", "ballot", "pay", "influencers"], dict[str, float]] = Field(
        default_factory=dict
    )
    """Numbers of citizens without a model, over those of `voyager_agents/piano/rule_based/taxation/civics.yaml`."""

    @property
    def constituents(self) -> tuple[str, ...]:
        """Who pays and votes."""
        return tuple(name for name in self.players if name in self.trades)

    def solids(self) -> Any:  # noqa: ANN401 - an iterator of boxes, as the base has it
        """And the community chests."""
        yield from super().solids()
        for chest in self.world.community_chests.values():
            yield BlockBox.model_validate({"from": chest.at, "to": chest.at, "block": "chest"})

    def built(self) -> list[Cell]:
        """The cells of what stands there."""
        return [*super().built(), *(chest.at for chest in self.world.community_chests.values())]

    def treatment(self, condition: str) -> Treatment:
        """What that condition changes."""
        return self.treatments.get(condition.partition("+")[0], Treatment())

    def office(self, player: str, condition: str) -> str:
        """`constituent`, `influencer`, `manager`, or `visitor`, who has none."""
        if player == self.constitution.manager:
            return "manager"
        if player in self.trades:
            return "constituent"
        wanted = player in self.influencers and self.treatment(condition).stance is not None
        return "influencer" if wanted else "visitor"

    def assembly(self, condition: str) -> Assembly:
        """Constituents vote; they and influencers are heard."""
        made = self.constitution.assembly(list(self.players), frozen=self.treatment(condition).frozen)
        speaking = [name for name in self.players if self.office(name, condition) in ("constituent", "influencer")]
        made.roll = Roll(tuple(self.players), tuple(speaking), self.constituents, self.constitution.manager)
        return made

    def persona(self, player: str, condition: str) -> dict[str, Any]:
        """And its office, its trade, what it wants as an influencer, and where the community chests are."""
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
