"""Sequential games of two players: ultimatum and trust. The second mover sees the first mover's choice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

OFFER, SEND, RETURN = "offer_", "send_", "return_"
ACCEPT, REJECT = "accept", "reject"
PROPOSER, RESPONDER = "proposer", "responder"
INVESTOR, TRUSTEE = "investor", "trustee"
HALF = Fraction(1, 2)


class ExchangeLaw(StageLaw):
    """Game of a first and a second mover; with `alternates` the players swap roles after each round."""

    alternates: bool
    first: str
    second: str

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return the roles: the first player moves first in round 1, and in every round unless roles alternate."""
        one, two = self.players if not self.alternates or number % 2 else self.players[::-1]
        return {one: RoundRole(self.first, two), two: RoundRole(self.second, one)}

    def _moves(self, stage: int, player: str, roles: Roles) -> bool:
        return roles[player].name == (self.first, self.second)[stage]

    def _picked(self, roles: Roles, choices: Choices) -> tuple[str, str, str, str]:
        """Return the first mover, the second mover, and their choices."""
        one = next(player for player, role in roles.items() if role.name == self.first)
        two = roles[one].partner
        return one, two, choices[0][one], choices[1][two]


@dataclass(frozen=True)
class Ultimatum(ExchangeLaw):
    """Ultimatum game: a proposer offers part of a pie; if the responder rejects, both get nothing."""

    players: tuple[str, ...]
    pie: Fraction
    offers: tuple[int, ...]
    """Possible offers, ascending."""
    alternates: bool = False
    form: str = "ultimatum"
    stages: tuple[str, ...] = ("offer", "answer")
    first: str = PROPOSER
    second: str = RESPONDER

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the offers for the proposer, then `accept` and `reject` for the responder."""
        if not self._moves(stage, player, roles):
            return ()
        return (ACCEPT, REJECT) if stage else tuple(f"{OFFER}{offer}" for offer in self.offers)

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the offer nearest to half the pie, or `accept`."""
        fair = min(self.offers, key=lambda offer: (abs(offer - self.pie / 2), -offer))
        return ACCEPT if stage else f"{OFFER}{fair}"

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the smallest offer, or `accept`: rejecting pays nothing."""
        return ACCEPT if stage else f"{OFFER}{self.offers[0]}"

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the offer as a share of half the pie, at most 1; None for the responder's answer.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return None if stage else min(Fraction(1), 2 * amount_of(option) / self.pie)

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the divided pie if the offer was accepted, else 0 for both."""
        one, two, offer, answer = self._picked(roles, choices)
        if answer == REJECT:
            return {one: Fraction(0), two: Fraction(0)}
        return {one: self.pie - amount_of(offer), two: Fraction(amount_of(offer))}

    def amounts(self) -> Sequence[Fraction]:
        """Return the pie and the offers."""
        return [self.pie, *(Fraction(offer) for offer in self.offers)]

    def worst(self) -> Fraction:
        """Return 0, the payoff of a rejected offer."""
        return Fraction(0)

    def finest(self) -> Fraction:
        """Return the larger of the pie less the smallest offer and the largest offer."""
        return max(self.pie - self.offers[0], Fraction(self.offers[-1]))

    def best(self) -> Fraction:
        """Return the pie."""
        return self.pie

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        offers = ", ".join(str(offer) for offer in self.offers)
        return [
            f"A proposer divides {plain(self.pie)}: it offers the responder one of {offers}, and would keep the rest. "
            "The responder sees the offer. If it accepts, both get so much; if it rejects, both get nothing.",
            _turns(self),
        ]


@dataclass(frozen=True)
class Trust(ExchangeLaw):
    """Trust game: an investor sends part of its endowment, which is multiplied; the trustee returns a share of it."""

    players: tuple[str, ...]
    endowment: Fraction
    sends: tuple[int, ...]
    """Amounts that can be sent, ascending."""
    multiplier: Fraction
    returns: tuple[int, ...]
    """Shares of the received amount that can be returned, in percent, ascending."""
    alternates: bool = False
    form: str = "trust"
    stages: tuple[str, ...] = ("investment", "return")
    first: str = INVESTOR
    second: str = TRUSTEE

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the amounts to send for the investor, or the shares to return for the trustee."""
        if not self._moves(stage, player, roles):
            return ()
        if stage:
            return tuple(f"{RETURN}{part}" for part in self.returns)
        return tuple(f"{SEND}{sent}" for sent in self.sends)

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the largest amount to send, or the share to return nearest to half."""
        fair = min(self.returns, key=lambda part: (abs(part - 50), -part))
        return f"{RETURN}{fair}" if stage else f"{SEND}{self.sends[-1]}"

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the smallest amount to send, or the smallest share to return."""
        return f"{RETURN}{self.returns[0]}" if stage else f"{SEND}{self.sends[0]}"

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the sent amount as a share of the largest, or the returned share relative to half, at most 1.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        if stage:
            return min(Fraction(1), Fraction(amount_of(option), 50))
        return Fraction(amount_of(option), self.sends[-1])

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the investor's kept amount plus the returned part, and the trustee's remainder."""
        one, two, send, answer = self._picked(roles, choices)
        arrived = self.multiplier * amount_of(send)
        back = arrived * amount_of(answer) / 100
        return {one: self.endowment - amount_of(send) + back, two: arrived - back}

    def amounts(self) -> Sequence[Fraction]:
        """Return all possible amounts kept, received and returned."""
        arrived = [self.multiplier * sent for sent in self.sends]
        back = [each * part / 100 for each in arrived for part in self.returns]
        return [*(self.endowment - sent for sent in self.sends), *arrived, *back]

    def worst(self) -> Fraction:
        """Return the lowest payoff of an investor, or 0 if that is lower: a trustee may get nothing."""
        least = [
            self.endowment - sent + self.multiplier * sent * part / 100 for sent in self.sends for part in self.returns
        ]
        return min(Fraction(0), *least)

    def finest(self) -> Fraction:
        """Return the highest payoff of an investor or a trustee."""
        sent = self.sends[-1]
        trustee = self.multiplier * sent * (100 - self.returns[0]) / 100
        return max(self.endowment - sent + self.multiplier * sent * self.returns[-1] / 100, self.endowment, trustee)

    def best(self) -> Fraction:
        """Return the highest total: the endowment plus the largest gain from sending."""
        return self.endowment + max((self.multiplier - 1) * sent for sent in self.sends)

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        sends, parts = ", ".join(map(str, self.sends)), ", ".join(f"{part} %" for part in self.returns)
        return [
            f"An investor has {plain(self.endowment)} and sends the trustee one of {sends}. What is sent is multiplied "
            f"by {plain(self.multiplier)} on its way. The trustee sees what arrived, and returns {parts} of it.",
            _turns(self),
        ]


def amount_of(option: str) -> int:
    """Return the number at the end of an option, such as 10 for `offer_10`."""
    return int(option.rpartition("_")[2])


def _turns(law: ExchangeLaw) -> str:
    one, two = law.players
    if law.alternates:
        return f"{one} begins as {law.first}, {two} as {law.second}; they change places after each round."
    return f"{one} is the {law.first} in all rounds, {two} the {law.second}."
