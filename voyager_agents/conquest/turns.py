"""Types of a turn in Conquest: the part of the map that a player sees, and the order that it gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

TAKES = "orders"
"""Kind of turns (`voyager_agents.family.Family.takes`)."""
ROLE = "player"
"""Name of the model role of marshals."""
OrderAct = Literal["hold", "move", "attack", "support"]
ACTS: tuple[OrderAct, ...] = ("hold", "move", "attack", "support")


@dataclass(frozen=True)
class SeenTerritory:
    """A territory as one player sees it."""

    name: str
    region: str
    borders: tuple[str, ...]
    """Names of the neighbouring territories."""
    owner: str | None = None
    """Player that holds it; None if the territory is hidden by the fog of war."""
    troops: int | None = None
    """Troops in its garrison; None if it is hidden."""
    burnt: int = 0
    """Number of rounds for which it still yields nothing; 0 if it is hidden."""


@dataclass(frozen=True)
class Battle:
    """A battle in one round."""

    round: int
    at: str
    """Territory that was attacked."""
    defender: str
    attackers: Mapping[str, int]
    """Attacker -> troops."""
    garrison: int
    """Troops of the defender."""
    owner: str
    """Player that holds the territory afterwards."""
    troops: int
    """Troops that hold it afterwards."""

    @property
    def text(self) -> str:
        """The battle in words, without a full stop."""
        forces = " and ".join(f"{name} with {troops}" for name, troops in self.attackers.items())
        verb = "captures" if self.captured else "holds"
        return (
            f"{forces} attack {self.at} of {self.defender} ({self.garrison}): {self.owner} {verb} it with {self.troops}"
        )

    @property
    def captured(self) -> bool:
        """True if the territory changed hands."""
        return self.owner != self.defender


@dataclass(frozen=True)
class ConquestTurn:
    """Observation of a player before a round."""

    player: str
    players: tuple[str, ...]
    round: int
    """Round number, from 1."""
    rounds: int
    """Maximum number of rounds."""
    territories: tuple[SeenTerritory, ...]
    """All territories of the map; those that the player does not see have no owner and no troops."""
    objective: tuple[str, ...]
    """Regions that the player has to hold to win."""
    recruits: int = 0
    """Troops that the player places in this round."""
    emeralds: int = 0
    battles: tuple[Battle, ...] = ()
    """Battles of the last round that the player saw."""
    supports: tuple[tuple[str, str, int], ...] = ()
    """(giver, territory, troops) of the support that the player saw in the last round."""
    notices: tuple[str, ...] = ()
    """Other messages to the player, such as the fault of its last order."""

    def own(self) -> dict[str, SeenTerritory]:
        """Return the player's territories by name."""
        return {each.name: each for each in self.territories if each.owner == self.player}

    def named(self) -> dict[str, SeenTerritory]:
        """Return all territories by name."""
        return {each.name: each for each in self.territories}

    def neighbours(self) -> tuple[str, ...]:
        """Return the other players that hold a territory next to one of the player's, in the game's order."""
        seen, own = self.named(), self.own()
        beside = {seen[name].owner for each in own.values() for name in each.borders}
        return tuple(name for name in self.players if name in beside and name != self.player)


@dataclass(frozen=True)
class ConquestOrder:
    """A player's decision for a round."""

    act: OrderAct = "hold"
    origin: str = ""
    """Own territory that the troops leave."""
    target: str = ""
    """Neighbouring territory that they enter."""
    troops: int = 0
    place: str = ""
    """Own territory that gets the recruits; empty for the first one."""
    why: str = ""
    """The player's stated reason; recorded, never shown to other players."""
    fault: str = ""
    """Error of an unusable answer; recorded."""

    @property
    def text(self) -> str:
        """The order in words, without its recruits."""
        if self.act == "hold":
            return "hold"
        return f"{self.act} {self.target} from {self.origin} with {self.troops}"


def order_fault(territories: Sequence[SeenTerritory], player: str, order: ConquestOrder) -> str:
    """Return the reason why an order is illegal, as its player reads it; empty for a legal one.

    Args:
        territories: All territories as the player sees them.
        player: The player.
        order: Its order.
    """
    seen = {each.name: each for each in territories}
    own = [each.name for each in territories if each.owner == player]
    if order.place and order.place not in own:
        return f"place: {order.place!r} is not your territory; yours are {', '.join(own)}"
    if order.act == "hold":
        return ""
    if order.origin not in own:
        return f"{order.act} from {order.origin!r}: it is not your territory; yours are {', '.join(own)}"
    beside = seen[order.origin].borders
    if order.target not in beside:
        return f"{order.act} to {order.target!r}: it does not border on {order.origin}; legal are {', '.join(beside)}"
    owner, troops = seen[order.target].owner, seen[order.origin].troops or 0
    if (order.act == "move") != (owner == player):
        mine = "yours" if owner == player else f"{owner}'s"
        return f"{order.act} to {order.target}: it is {mine}; move to your own territories, attack or support others"
    if not 1 <= order.troops <= troops:
        return f"{order.act}: {order.troops} troops; {order.origin} has {troops}, and at least 1 has to go"
    return ""


@dataclass(frozen=True)
class ConquestFacts:
    """Facts of Conquest as data (`voyager_agents.facts.ScenarioFacts`)."""

    players: tuple[str, ...]
    regions: Mapping[str, Sequence[str]]
    """Region -> its territories."""
    borders: Mapping[str, Sequence[str]]
    """Territory -> neighbouring territories."""
    values: Mapping[str, Mapping[str, float]]
    currency: str = field(default="emeralds")

    def lines(self) -> list[str]:
        """Return the map in words."""
        found = [f"The region {region} has the territories {', '.join(all_)}." for region, all_ in self.regions.items()]
        return found + [f"{name} borders on {', '.join(beside)}." for name, beside in self.borders.items()]


def attacks_on(player: str) -> str:
    """Return the item that counts a player's attacks on `player` in contracts."""
    return f"attacks_on_{player.lower()}"
