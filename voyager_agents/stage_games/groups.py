"""Games of any number of players: public goods, with and without punishment, and the donor game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

GIVE, PUNISH = "give_", "punish_"
NOBODY = "punish_nobody"
HELP, REFUSE = "help", "refuse"
DONOR, RECIPIENT = "donor", "recipient"


@dataclass(frozen=True)
class Punishment:
    """Cost of punishing another player, and the loss of that player."""

    cost: Fraction
    harm: Fraction


@dataclass(frozen=True)
class PublicGoods(StageLaw):
    """Each gives a part of what it has; what all gave is multiplied and shared by all in equal parts."""

    players: tuple[str, ...]
    endowment: Fraction
    """Endowment of each player in a round."""
    gifts: tuple[int, ...]
    """Possible gifts, ascending."""
    multiplier: Fraction
    punishment: Punishment | None = None
    """With it, each sees what the others gave and may punish one of them."""
    form: str = "public-goods"

    @property
    def stages(self) -> tuple[str, ...]:  # type: ignore[override] # of the class elsewhere
        """Giving, and with punishment that."""
        return ("gift",) if self.punishment is None else ("gift", "punishment")

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return all alike."""
        return {player: RoundRole() for player in self.players}

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the gifts, or the players to punish."""
        if stage == 0:
            return tuple(f"{GIVE}{gift}" for gift in self.gifts)
        return (NOBODY, *(f"{PUNISH}{other.lower()}" for other in self.players if other != player))

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return all that one has; punishing nobody."""
        return NOBODY if stage else f"{GIVE}{self.gifts[-1]}"

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the least; punishing costs, and brings nothing."""
        return NOBODY if stage else f"{GIVE}{self.gifts[0]}"

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the gift as a share of the largest gift.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return None if stage else Fraction(gift_of(option), self.gifts[-1])

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the payoffs: the kept part and the share of the good, less the costs of punishing and being
        punished."""
        gifts = {player: gift_of(choices[0][player]) for player in self.players}
        part = self.multiplier * sum(gifts.values()) / len(self.players)
        paid = {player: self.endowment - gift + part for player, gift in gifts.items()}
        for player, option in choices[1].items() if self.punishment and len(choices) > 1 else ():
            target = punished(option, self.players)
            if target is not None and self.punishment is not None:
                paid[player] -= self.punishment.cost
                paid[target] -= self.punishment.harm
        return paid

    def amounts(self) -> Sequence[Fraction]:
        """Return the payoffs: the kept part and the parts of gifts, less the costs of punishment."""
        parts = [self.multiplier * gift / len(self.players) for gift in self.gifts]
        costs = [] if self.punishment is None else [self.punishment.cost, self.punishment.harm]
        return [*(self.endowment - gift for gift in self.gifts), *parts, *costs]

    def worst(self) -> Fraction:
        """Return the worst payoff: a lone giver, punished by all; where giving pays, the least gift."""
        alone = [self.endowment - gift + self.multiplier * gift / len(self.players) for gift in self.gifts]
        if self.punishment is None:
            return min(alone)
        return min(alone) - self.punishment.cost - self.punishment.harm * (len(self.players) - 1)

    def finest(self) -> Fraction:
        """Return all others give most."""
        others = self.multiplier * self.gifts[-1] * (len(self.players) - 1) / len(self.players)
        return max(self.endowment - gift + self.multiplier * gift / len(self.players) for gift in self.gifts) + others

    def best(self) -> Fraction:
        """Return all give most, where the good is worth more than what is given for it."""
        gain = max((self.multiplier - 1) * gift for gift in self.gifts)
        return len(self.players) * (self.endowment + gain)

    def told(self) -> list[str]:
        """Return the law in sentences."""
        gifts = ", ".join(str(gift) for gift in self.gifts)
        lines = [
            f"Each of the {len(self.players)} players has {plain(self.endowment)} in each round and gives some of it "
            f"to the public good: {gifts}. What it does not give it keeps.",
            f"The sum of all gifts is multiplied by {plain(self.multiplier)} and shared by all in equal parts, whoever "
            "gave.",
        ]
        if self.punishment is not None:
            lines.append(
                "Then each sees what everybody gave, and may punish one other player: this costs it "
                f"{plain(self.punishment.cost)}, and takes {plain(self.punishment.harm)} from the one who is punished."
            )
        return lines


@dataclass(frozen=True)
class Donor(StageLaw):
    """In each round chance makes pairs: a donor, who may help at a cost, and a recipient, who gains more by it."""

    players: tuple[str, ...]
    benefit: Fraction
    cost: Fraction
    scored: bool = True
    """True if all are told everybody's image score: one more for each help, one less for each refusal."""
    form: str = "donor"

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Pair the players by chance; with an odd number one sits out."""
        order = list(self.players)
        draw.shuffle(order)
        found: dict[str, RoundRole] = {}
        for donor, recipient in zip(order[::2], order[1::2], strict=False):
            found[donor], found[recipient] = RoundRole(DONOR, recipient), RoundRole(RECIPIENT, donor)
        return found

    def situations(self) -> list[Roles]:
        """Everybody once a donor and once a recipient."""
        others = dict(zip(self.players, (*self.players[1:], self.players[0]), strict=True))
        return [{one: RoundRole(DONOR, two), two: RoundRole(RECIPIENT, one)} for one, two in others.items()]

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the options of donors: to help or to refuse."""
        return (HELP, REFUSE) if player in roles and roles[player].name == DONOR else ()

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """To help."""
        return HELP

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """To refuse."""
        return REFUSE

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return 1 for help, 0 for none.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return Fraction(option == HELP)

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Help costs the donor and benefits its recipient."""
        paid = dict.fromkeys(self.players, Fraction(0))
        for player, option in choices[0].items():
            if option == HELP:
                paid[player] -= self.cost
                paid[roles[player].partner] += self.benefit
        return paid

    def amounts(self) -> Sequence[Fraction]:
        """Benefit and cost."""
        return [self.benefit, self.cost]

    def worst(self) -> Fraction:
        """To have helped."""
        return -self.cost

    def finest(self) -> Fraction:
        """To have been helped."""
        return self.benefit

    def best(self) -> Fraction:
        """Return all donors help."""
        return len(self.players) // 2 * max(Fraction(0), self.benefit - self.cost)

    def told(self) -> list[str]:
        """Return the law in sentences."""
        lines = [
            "In each round chance makes pairs of a donor and a recipient. A donor helps or refuses: help costs the "
            f"donor {plain(self.cost)} and gives the recipient {plain(self.benefit)}; to refuse changes nothing.",
        ]
        if self.scored:
            lines.append(
                "Everybody knows everybody's image score. It begins at 0, rises by 1 with each help, falls by 1 with "
                "each refusal, and stays from -5 to 5."
            )
        return lines


def gift_of(option: str) -> int:
    """Return the gift of that option."""
    return int(option.removeprefix(GIVE))


def punished(option: str, players: tuple[str, ...]) -> str | None:
    """Whom that option punishes."""
    return next((player for player in players if option == f"{PUNISH}{player.lower()}"), None)
