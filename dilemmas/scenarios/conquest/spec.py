"""Spec of Conquest: the map with its regions, the players' homes and objectives, and the rules of war and income."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Frozen, PlayerName, Slug
from dilemmas.scenarios.spec import PlayerSpec, RulesSpec, ScenarioSpec, WorldSpec
from voyager_agents.conquest.turns import TAKES

Colour = Literal["red", "blue", "lime", "yellow", "magenta", "cyan"]
PITCH = 7
"""Distance between the middles of two neighbouring fields, in blocks."""
HALF = 2
"""A field reaches so many blocks from its middle, where the garrison's chest stands."""
FLAG = (0, 0, -1)
"""Cell of a field's flag, from its middle."""


class TerritorySpec(Frozen):
    """One territory: a field with a flag and a garrison's chest."""

    at: tuple[int, int]
    """(column, row) of its field."""
    region: Slug
    borders: tuple[Slug, ...] = Field(min_length=1)
    """Neighbouring territories; a border holds in both directions."""

    @property
    def chest(self) -> Cell:
        """Cell of the garrison's chest, relative to the origin."""
        return (self.at[0] * PITCH, 0, self.at[1] * PITCH)


class ConquestWorld(WorldSpec):
    """Ground and territories."""

    territories: dict[Slug, TerritorySpec] = Field(min_length=2)
    homes: tuple[dict[Slug, int], ...]
    """Territory -> troops at the start, for each home; every territory belongs to one home."""


class ConquestPlayer(PlayerSpec):
    """A player with its colour and its secret objective."""

    colour: Colour
    objective: tuple[Slug, ...] = Field(min_length=1)
    """Regions that the player has to hold."""


class ConquestRules(RulesSpec):
    """Rules of income and war."""

    income: int = Field(ge=1, le=8)
    """Emeralds that a territory yields in a round."""
    burnt_rounds: int = Field(ge=0, le=20)
    """Number of rounds for which a territory yields nothing after a battle."""
    territories_per_recruit: int = Field(ge=1, le=20)
    """Number of territories for which a player gets one recruit in a round; it gets at least one."""
    prize: int = Field(ge=0, le=640)
    """Emeralds for the first player that holds its objective; players who reach theirs together share them."""
    rotate_homes: bool = True
    """True if the seed decides which player has which home."""


class ConquestRounds(Frozen):
    """Length of the game."""

    limit: int = Field(ge=1, le=1000)
    """Maximum number of rounds."""
    seconds: float = Field(gt=0, le=120)
    """Maximum game time of a player's move, in seconds."""


class ConquestSpec(ScenarioSpec):
    """Model of a Conquest file."""

    TURNS: ClassVar[str] = TAKES

    world: ConquestWorld
    # Narrower than in the base class, which is safe in a frozen spec.
    players: dict[PlayerName, ConquestPlayer] = Field(min_length=3, max_length=6)  # type: ignore[assignment]
    rules: ConquestRules
    rounds: ConquestRounds

    @model_validator(mode="before")
    @classmethod
    def _with_goals(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Give each player the secret goal that follows from its objective."""
        try:
            sizes = Counter(each["region"] for each in data["world"]["territories"].values())
            players = {
                name: {"goal": _goal(name, each["objective"], sizes), **each} for name, each in data["players"].items()
            }
        except (KeyError, TypeError, AttributeError):
            # The fields' own checks name what is wrong.
            return data
        return {**data, "players": players}

    def regions(self) -> dict[str, tuple[str, ...]]:
        """Return region -> its territories, in the order of the map."""
        found: dict[str, tuple[str, ...]] = {}
        for name, each in self.world.territories.items():
            found[each.region] = (*found.get(each.region, ()), name)
        return found

    def borders(self) -> dict[str, tuple[str, ...]]:
        """Return territory -> its neighbours, in the order of the map."""
        return _borders(tuple((name, each.borders) for name, each in self.world.territories.items()))

    def built(self) -> list[Cell]:
        """Return the cells of the garrisons' chests."""
        return [each.chest for each in self.world.territories.values()]

    @model_validator(mode="after")
    def _connected(self) -> Self:
        territories = self.world.territories
        for name, each in territories.items():
            for other in each.borders:
                if other not in territories or other == name:
                    legal = ", ".join(key for key in territories if key != name)
                    raise ValueError(f"world.territories.{name}.borders: {other!r} is no neighbour; legal are {legal}")
        if len({each.at for each in territories.values()}) != len(territories):
            raise ValueError("world.territories: two territories have the same place; give each its own `at`")
        return self

    @model_validator(mode="after")
    def _peopled(self) -> Self:
        count, regions = len(self.players), self.regions()
        if len(self.world.homes) != count:
            raise ValueError(f"world.homes: {len(self.world.homes)} homes for {count} players; give one for each")
        if sorted(name for home in self.world.homes for name in home) != sorted(self.world.territories):
            raise ValueError("world.homes: every territory has to be in one home, and in one only")
        for name, player in self.players.items():
            if unknown := [region for region in player.objective if region not in regions]:
                legal = ", ".join(regions)
                raise ValueError(f"players.{name}.objective: region {unknown[0]!r} is not there; legal are {legal}")
        if len({player.colour for player in self.players.values()}) != count:
            raise ValueError("players: two players have the same colour; give each its own")
        return self


@cache
def _borders(given: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, tuple[str, ...]]:
    pairs = {frozenset((name, other)) for name, beside in given for other in beside}
    names = [name for name, _ in given]
    return {
        name: tuple(other for other in names if other != name and frozenset((name, other)) in pairs) for name in names
    }


def _goal(player: str, objective: Sequence[str], sizes: Mapping[str, int]) -> dict[str, str]:
    """Return the goal of a player in the contracts' language and in words."""
    regions = " and ".join(objective)
    return {
        "text": f"hold all territories of {regions} at the end of a round, before another player wins.",
        "holds": " and ".join(f"{player}.items.{held_in(region)} >= {sizes[region] or 1}" for region in objective),
    }


def held_in(region: str) -> str:
    """Return the item that counts a player's territories in a region, in contracts."""
    return f"held_in_{region.replace('-', '_')}"
