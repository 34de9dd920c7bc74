"""State of the map in Conquest, and the consequences of the troops that have moved in a round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dilemmas.scenarios.conquest.spec import ConquestSpec
from voyager_agents.conquest.turns import Battle, ConquestOrder, SeenTerritory, order_fault


@dataclass
class TerritoryState:
    """A territory: its holder, the troops in its garrison, and the rounds for which it yields nothing."""

    owner: str
    troops: int
    burnt: int = 0


@dataclass(frozen=True)
class RoundOutcome:
    """Consequences of one round."""

    battles: tuple[Battle, ...]
    supports: tuple[tuple[str, str, int], ...]
    """(giver, territory, troops) of the troops that became another player's."""
    income: Mapping[str, int]
    """Player -> emeralds from its territories."""
    winners: tuple[str, ...]
    """Players that hold all regions of their objective."""


@dataclass
class Board:
    """The map of one game. A garrison's chest in the world holds what the board says after each round."""

    spec: ConquestSpec
    territories: dict[str, TerritoryState]
    attacks: dict[tuple[str, str], int] = field(default_factory=dict)
    """(attacker, defender) -> number of attacks so far."""
    given: dict[tuple[str, str], int] = field(default_factory=dict)
    """(giver, receiver) -> troops given in support so far."""

    @classmethod
    def start(cls, spec: ConquestSpec, seed: int) -> Board:
        """Return the map at the start of a game; the seed decides which player has which home."""
        players, homes = list(spec.players), spec.world.homes
        turn = seed % len(players) if spec.rules.rotate_homes else 0
        found = {
            name: TerritoryState(player, troops)
            for index, player in enumerate(players)
            for name, troops in homes[(index + turn) % len(players)].items()
        }
        return cls(spec, {name: found[name] for name in spec.world.territories})

    def held_by(self, player: str) -> list[str]:
        """Return the territories that a player holds, in the order of the map."""
        return [name for name, state in self.territories.items() if state.owner == player]

    def fields(self, player: str) -> dict[str, int]:
        """Return region -> number of its territories that the player holds."""
        found = dict.fromkeys(self.spec.regions(), 0)
        for name in self.held_by(player):
            found[self.spec.world.territories[name].region] += 1
        return found

    def recruits(self, player: str) -> int:
        """Return the number of troops that a player may place in a round."""
        held = len(self.held_by(player))
        return max(1, held // self.spec.rules.territories_per_recruit) if held else 0

    def seen_by(self, player: str) -> tuple[SeenTerritory, ...]:
        """Return the map as a player sees it: its own territories and their neighbours, the others hidden."""
        borders = self.spec.borders()
        own = set(self.held_by(player))
        visible = own.union(*(borders[name] for name in own)) if own else set()
        found = []
        for name, state in self.territories.items():
            region = self.spec.world.territories[name].region
            if name in visible:
                found.append(SeenTerritory(name, region, borders[name], state.owner, state.troops, state.burnt))
            else:
                found.append(SeenTerritory(name, region, borders[name]))
        return tuple(found)

    def legality_fault(self, player: str, order: ConquestOrder) -> str:
        """Return the reason why an order is illegal, as its player reads it; empty for a legal one."""
        return order_fault(self.seen_by(player), player, order)

    def resolve(
        self,
        number: int,
        garrisons: Mapping[str, Mapping[str, int]],
        orders: Mapping[str, ConquestOrder],
    ) -> RoundOutcome:
        """Apply the troops that are in the garrisons now, place recruits, and pay the territories' income.

        Args:
            number: Number of the round, from 1.
            garrisons: Territory -> player -> troops of that player in its garrison.
            orders: Player -> its legal order of the round.
        """
        supports = self._support(garrisons, orders)
        battles = tuple(
            battle
            for name in self.territories
            if (battle := self._battle(number, name, garrisons.get(name, {}), orders)) is not None
        )
        self._return_survivors(battles, orders)
        for player in self.spec.players:
            self._recruit(player, orders.get(player, ConquestOrder()).place)
        income = dict.fromkeys(self.spec.players, 0)
        for state in self.territories.values():
            if state.burnt:
                state.burnt -= 1
            else:
                income[state.owner] += self.spec.rules.income
        fought = {battle.at for battle in battles}
        for name in fought:
            self.territories[name].burnt = self.spec.rules.burnt_rounds
        winners = tuple(
            name
            for name, player in self.spec.players.items()
            if all(self.fields(name)[region] == len(self.spec.regions()[region]) for region in player.objective)
        )
        return RoundOutcome(battles, supports, income, winners)

    def _support(
        self, garrisons: Mapping[str, Mapping[str, int]], orders: Mapping[str, ConquestOrder]
    ) -> tuple[tuple[str, str, int], ...]:
        """Count the troops in each garrison that are its owner's from now on, and return the support given."""
        supports = []
        for name, state in self.territories.items():
            found = garrisons.get(name, {})
            state.troops = found.get(state.owner, 0)
            for player, order in orders.items():
                troops = found.get(player, 0)
                if order.act == "support" and order.target == name and player != state.owner and troops:
                    state.troops += troops
                    supports.append((player, name, troops))
                    self.given[player, state.owner] = self.given.get((player, state.owner), 0) + troops
        return tuple(supports)

    def _battle(
        self, number: int, name: str, found: Mapping[str, int], orders: Mapping[str, ConquestOrder]
    ) -> Battle | None:
        """Resolve the attacks on one territory."""
        state = self.territories[name]
        attackers = {
            player: troops
            for player in self._order_of(number)
            if player != state.owner
            and (troops := found.get(player, 0))
            and not (player in orders and orders[player].act == "support" and orders[player].target == name)
        }
        if not attackers:
            return None
        for player in attackers:
            self.attacks[player, state.owner] = self.attacks.get((player, state.owner), 0) + 1
        defender, garrison, total = state.owner, state.troops, sum(attackers.values())
        if total > garrison:
            survivors = share_out(total - garrison, attackers)
            winner = max(attackers, key=lambda player: attackers[player])
            state.owner, state.troops = winner, survivors[winner]
        else:
            state.troops = garrison - total
        return Battle(number, name, defender, attackers, garrison, state.owner, state.troops)

    def _return_survivors(self, battles: Sequence[Battle], orders: Mapping[str, ConquestOrder]) -> None:
        """Send the surviving troops of those who helped to capture a territory back to where they came from."""
        for battle in battles:
            if not battle.captured:
                continue
            survivors = share_out(sum(battle.attackers.values()) - battle.garrison, battle.attackers)
            for player, troops in survivors.items():
                home = orders[player].origin if player in orders else ""
                if player != battle.owner and home in self.held_by(player):
                    self.territories[home].troops += troops

    def _recruit(self, player: str, place: str) -> None:
        own = self.held_by(player)
        if own:
            self.territories[place if place in own else own[0]].troops += self.recruits(player)

    def _order_of(self, number: int) -> list[str]:
        """Return the players in the round's order of precedence, which goes round."""
        players = list(self.spec.players)
        first = number % len(players)
        return [*players[first:], *players[:first]]


def share_out(survivors: int, troops: Mapping[str, int]) -> dict[str, int]:
    """Return player -> its survivors, in proportion to its troops; the odd ones go to the largest forces."""
    total = sum(troops.values())
    found = {player: survivors * count // total for player, count in troops.items()}
    odd = survivors - sum(found.values())
    for player in sorted(troops, key=lambda each: -troops[each])[:odd]:
        found[player] += 1
    return found
