"""Games of any number of players: public goods, with or without punishment, and the donor game."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

GIVE, PUNISH = "give_", "punish_"
NOBODY = "punish_nobody"
HELP, REFUSE = "help", "refuse"
DONOR, RECIPIENT = "donor", "recipient"


@dataclass(frozen=True)
class Punishment:
    """Cost of punishing to the punisher, and harm to the punished player."""

    cost: Fraction
    harm: Fraction


@dataclass(frozen=True)
class PublicGoods(StageLaw):
    """Public goods game: the sum of all contributions is multiplied and shared equally."""

    players: tuple[str, ...]
    endowment: Fraction
    """Endowment of each player in a round."""
    gifts: tuple[int, ...]
    """Possible contributions, ascending."""
    multiplier: Fraction
    punishment: Punishment | None = None
    """Costs of the punishment stage, in which each player sees all contributions; None without the stage."""
    form: str = "public-goods"

    @property
    def stages(self) -> tuple[str, ...]:  # type: ignore[override] # of the class elsewhere
        """Names of the stages: `gift`, and `punishment` if the game has it."""
        return ("gift",) if self.punishment is None else ("gift", "punishment")

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return an unnamed role for every player."""
        return {player: RoundRole() for player in self.players}

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the possible contributions, or the players that can be punished."""
        if stage == 0:
            return tuple(f"{GIVE}{gift}" for gift in self.gifts)
        return (NOBODY, *(f"{PUNISH}{other.lower()}" for other in self.players if other != player))

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the largest contribution, or no punishment."""
        return NOBODY if stage else f"{GIVE}{self.gifts[-1]}"

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the smallest contribution, or no punishment: punishing has a cost and no payoff."""
        return NOBODY if stage else f"{GIVE}{self.gifts[0]}"

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the contribution as a share of the largest one; None for a punishment.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return None if stage else Fraction(gift_of(option), self.gifts[-1])

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the kept part plus the share of the good, less the cost of punishing and the harm of punishment."""
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
        """Return all possible kept parts, shares of one contribution, and the cost and harm of punishment."""
        parts = [self.multiplier * gift / len(self.players) for gift in self.gifts]
        costs = [] if self.punishment is None else [self.punishment.cost, self.punishment.harm]
        return [*(self.endowment - gift for gift in self.gifts), *parts, *costs]

    def worst(self) -> Fraction:
        """Return the lowest payoff: the worst sole contribution, punished by all others while punishing one of them."""
        alone = [self.endowment - gift + self.multiplier * gift / len(self.players) for gift in self.gifts]
        if self.punishment is None:
            return min(alone)
        return min(alone) - self.punishment.cost - self.punishment.harm * (len(self.players) - 1)

    def finest(self) -> Fraction:
        """Return the highest payoff: all others contribute most."""
        others = self.multiplier * self.gifts[-1] * (len(self.players) - 1) / len(self.players)
        return max(self.endowment - gift + self.multiplier * gift / len(self.players) for gift in self.gifts) + others

    def best(self) -> Fraction:
        """Return the highest total: all contribute most if the multiplier is above 1, else all contribute least."""
        gain = max((self.multiplier - 1) * gift for gift in self.gifts)
        return len(self.players) * (self.endowment + gain)

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
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
    """Donor game: random pairs of a donor, which may help at a cost, and a recipient, which benefits from help."""

    players: tuple[str, ...]
    benefit: Fraction
    cost: Fraction
    scored: bool = True
    """True if image scores are public, unless `known` is below 1."""
    known: Fraction = Fraction(1)
    """Probability that a donor learns the image scores in a round."""
    standing: bool = False
    """True if a refusal lowers the score only towards a recipient in good standing, with scores of 0 and -1.

    False for image scoring: plus 1 for each help, minus 1 for each refusal.
    """
    form: str = "donor"

    @property
    def hides(self) -> bool:  # type: ignore[override] # of the class elsewhere
        """True if donors do not always learn the image scores."""
        return self.scored and self.known < 1

    @property
    def private_rounds(self) -> bool:  # type: ignore[override] # of the class elsewhere
        """True if donors do not always learn the image scores, which past rounds would tell."""
        return self.hides

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Pair the players at random; with an odd number of players one sits out."""
        order = list(self.players)
        draw.shuffle(order)
        found: dict[str, RoundRole] = {}
        for donor, recipient in zip(order[::2], order[1::2], strict=False):
            found[donor], found[recipient] = RoundRole(DONOR, recipient), RoundRole(RECIPIENT, donor)
        if not self.hides:
            return found
        return {name: replace(role, informed=draw.random() < self.known) for name, role in found.items()}

    def judged(self, own: int, partner: int, *, cooperated: bool) -> int:
        """Return a player's image score after a choice, by image scoring or by standing.

        Args:
            own: The player's score before.
            partner: The score of its partner before; 0 without one.
            cooperated: True if the choice was fully cooperative.
        """
        if not self.standing:
            return super().judged(own, partner, cooperated=cooperated)
        if cooperated:
            return 0
        return -1 if partner >= 0 else own

    def situations(self) -> list[Roles]:
        """Return pairs in which every player is donor once and recipient once."""
        others = dict(zip(self.players, (*self.players[1:], self.players[0]), strict=True))
        return [{one: RoundRole(DONOR, two), two: RoundRole(RECIPIENT, one)} for one, two in others.items()]

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return `help` and `refuse` for a donor; recipients and players that sit out have no options."""
        return (HELP, REFUSE) if player in roles and roles[player].name == DONOR else ()

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return `help`."""
        return HELP

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return `refuse`."""
        return REFUSE

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return 1 for `help`, 0 for `refuse`.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return Fraction(option == HELP)

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the payoffs: help costs the donor `cost` and gives its recipient `benefit`."""
        paid = dict.fromkeys(self.players, Fraction(0))
        for player, option in choices[0].items():
            if option == HELP:
                paid[player] -= self.cost
                paid[roles[player].partner] += self.benefit
        return paid

    def amounts(self) -> Sequence[Fraction]:
        """Return the benefit and the cost."""
        return [self.benefit, self.cost]

    def worst(self) -> Fraction:
        """Return the payoff of a donor that helps."""
        return -self.cost

    def finest(self) -> Fraction:
        """Return the payoff of a recipient that is helped."""
        return self.benefit

    def best(self) -> Fraction:
        """Return the highest total: all donors help if help benefits more than it costs."""
        return len(self.players) // 2 * max(Fraction(0), self.benefit - self.cost)

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        lines = [
            "In each round chance makes pairs of a donor and a recipient. A donor helps or refuses: help costs the "
            f"donor {plain(self.cost)} and gives the recipient {plain(self.benefit)}; to refuse changes nothing.",
        ]
        if self.scored:
            who = "Everybody knows everybody's image score."
            if self.known < 1:
                who = f"With a chance of {plain(100 * self.known)} % a donor learns the image scores in a round."
            norm = "It begins at 0, rises by 1 with each help, falls by 1 with each refusal, and stays from -5 to 5."
            if self.standing:
                norm = (
                    "It begins at 0, falls to -1 if a donor refuses a recipient with a score of 0, and rises to 0 with "
                    "help; to refuse a recipient with a score of -1 leaves it as it is."
                )
            lines.append(f"{who} {norm}")
        return lines


def gift_of(option: str) -> int:
    """Return the contribution in an option, such as 10 for `give_10`."""
    return int(option.removeprefix(GIVE))


def punished(option: str, players: tuple[str, ...]) -> str | None:
    """Return the player that an option punishes; None if it punishes nobody."""
    return next((player for player in players if option == f"{PUNISH}{player.lower()}"), None)
