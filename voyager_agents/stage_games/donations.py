"""Donor game in amounts: a donor gives any part of what it has, and the recipient gets a multiple of it.

After Vallinder and Hughes, Cultural Evolution of Cooperation among LLM Agents (arXiv 2412.10270): each player starts
with the same amount and is donor and recipient in turn, with changing partners. A donor knows what the recipient last
did as a donor, to whom, what that player had done before, and so on, to a depth. In the variant with punishment a donor
may spend a part of what it has, and a multiple of it is taken from the recipient.

Nothing is paid in emeralds, since amounts grow without bound.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from voyager_agents.stage_games.groups import DONOR, GIVE, PUNISH, RECIPIENT
from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

HALF = Fraction(1, 2)


@dataclass(frozen=True)
class DonorAct:
    """Choice of a donor in an earlier round."""

    round: int
    donor: str
    recipient: str
    option: str

    @property
    def share(self) -> Fraction:
        """Share of its amount that the donor gave; 0 for a punishment."""
        return Fraction(part_of(self.option), 100) if self.option.startswith(GIVE) else Fraction(0)

    def sentence(self) -> str:
        """Return the act as a sentence."""
        part, whom = f"{part_of(self.option)} % of what it had", self.recipient
        if self.option.startswith(PUNISH):
            return f"In round {self.round} {self.donor} spent {part} to punish {whom}."
        return f"In round {self.round} {self.donor} gave {part} to {whom}."


@dataclass(frozen=True)
class CostlyPunishment:
    """Punishment by a donor: parts that it can spend, in percent, and the multiple that the recipient loses."""

    parts: tuple[int, ...]
    multiplier: Fraction


@dataclass(frozen=True)
class Donations(StageLaw):
    """Donor game in amounts. The law holds what each player has at the start of the round, and the donors' acts."""

    players: tuple[str, ...]
    endowment: Fraction
    """Amount of each player before the first round."""
    parts: tuple[int, ...]
    """Parts that a donor can give, in percent of what it has, ascending."""
    multiplier: Fraction
    depth: int = 1
    """Number of earlier acts that a donor knows, each by the recipient of the one before; 0 for none."""
    punishment: CostlyPunishment | None = None
    amount: tuple[Fraction, ...] = ()
    """Amounts of the players; empty before the first round."""
    acts: tuple[DonorAct, ...] = ()
    """Acts of all rounds so far, oldest first."""
    number: int = 1
    """Number of the round."""
    form: str = "donations"
    stages: tuple[str, ...] = ("gift",)
    paid: bool = False
    private_rounds: bool = True
    hides: bool = True

    def __post_init__(self) -> None:
        if len(self.players) % 2:
            raise ValueError(f"game: donations are for an even number of players, not for {len(self.players)}")

    @property
    def endowed(self) -> Fraction:
        """Amount that each player has before the first round."""
        return self.endowment

    def floor(self, rounds: int) -> Fraction:
        """Return the lowest total payoff: a player loses no more than it had at the start."""
        return -self.endowment

    def held(self, player: str) -> Fraction:
        """Return the amount of a player at the start of the round."""
        return self.amount[self.players.index(player)] if self.amount else self.endowment

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return the roles of a round robin: players alternate as donor and recipient.

        Among 2m players nobody meets a partner again within m rounds, or gives to the same one twice within 2m rounds.
        """
        one, two = self.players[::2], self.players[1::2]
        count, place = len(one), number - 1
        shift = place + (place // count if count % 2 == 0 else 0)
        found: dict[str, RoundRole] = {}
        for index, first in enumerate(one):
            second = two[(index + shift) % count]
            donor, recipient = (first, second) if number % 2 else (second, first)
            found[donor], found[recipient] = RoundRole(DONOR, recipient), RoundRole(RECIPIENT, donor)
        return found

    def situations(self) -> list[Roles]:
        """Return two rounds in which every player is donor once and recipient once."""
        return [self.roles(random.Random(0), number) for number in (1, 2)]

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the parts that a donor can give, and those that it can spend on punishment."""
        if player not in roles or roles[player].name != DONOR:
            return ()
        spent = () if self.punishment is None else self.punishment.parts
        return (*(f"{GIVE}{part}" for part in self.parts), *(f"{PUNISH}{part}" for part in spent))

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the largest gift."""
        return f"{GIVE}{self.parts[-1]}"

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the smallest gift."""
        return f"{GIVE}{self.parts[0]}"

    def harshest(self, player: str, roles: Roles) -> str:
        """Return the donor's strongest punishment, or its smallest gift in a game without punishment."""
        return self.selfish(0, player, roles) if self.punishment is None else f"{PUNISH}{self.punishment.parts[-1]}"

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the share of its amount that a donor gives; 0 for a punishment.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return Fraction(part_of(option), 100) if option.startswith(GIVE) else Fraction(0)

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the changes of the players' amounts; nobody loses more than it has."""
        paid = dict.fromkeys(self.players, Fraction(0))
        for donor, option in choices[0].items():
            recipient = roles[donor].partner
            spent = self.held(donor) * part_of(option) / 100
            paid[donor] -= spent
            if option.startswith(GIVE):
                paid[recipient] += self.multiplier * spent
            elif self.punishment is not None:
                paid[recipient] -= min(self.held(recipient), self.punishment.multiplier * spent)
        return paid

    def after(self, roles: Roles, choices: Choices) -> Donations:
        """Return the law of the next round, with the new amounts and the donors' acts."""
        paid = self.payoffs(roles, choices)
        amount = tuple(self.held(player) + paid[player] for player in self.players)
        acts = tuple(DonorAct(self.number, donor, roles[donor].partner, option) for donor, option in choices[0].items())
        return replace(self, amount=amount, acts=(*self.acts, *acts), number=self.number + 1)

    def trace(self, player: str) -> list[DonorAct]:
        """Return what a donor knows of a recipient: its last act, the act of that one's recipient before, and so on."""
        found: list[DonorAct] = []
        before, whom = self.number, player
        while len(found) < self.depth:
            act = next((each for each in reversed(self.acts) if each.donor == whom and each.round < before), None)
            if act is None:
                break
            found.append(act)
            before, whom = act.round, act.recipient
        return found

    def in_good_standing(self, player: str) -> bool:
        """Return False if the player gave less than half in its last known act, and the trace does not justify it.

        To give little to a player in bad standing is justified. Nobody is in bad standing without a known act.
        """
        return _is_good(self.trace(player))

    def seen_lines(self, stage: int, player: str, roles: Roles, choices: Choices) -> tuple[str, ...]:
        """Return the amounts of the donor and of its recipient, and what the donor knows of the recipient.

        Args:
            stage: Number of the stage, from 0.
            player: The player that reads them.
            roles: Role of each player in this round.
            choices: Choices of the stages that are over.
        """
        role = roles.get(player, RoundRole())
        if role.name != DONOR:
            return ()
        told = f"You have {plain(self.held(player))}, and {role.partner} has {plain(self.held(role.partner))}."
        known = [act.sentence() for act in self.trace(role.partner)]
        nothing = [f"Nothing is known of what {role.partner} did before."] if self.depth else []
        return (told, *(known or nothing))

    def amounts(self) -> Sequence[Fraction]:
        """Return nothing: no amount is paid in emeralds."""
        return ()

    def worst(self) -> Fraction:
        """Return the payoff of a player that gives all it has at the start."""
        return -self.endowment

    def finest(self) -> Fraction:
        """Return the payoff of a recipient that gets the most in the first round."""
        return self.multiplier * self.endowment * self.parts[-1] / 100

    def best(self) -> Fraction:
        """Return 0: amounts grow, so that no round is the best, and efficiency is not measured."""
        return Fraction(0)

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        lines = [
            f"Each of the {len(self.players)} players has {plain(self.endowment)} units at the start. In each round "
            "players meet in pairs of a donor and a recipient; partners change, and a player is donor in one round and "
            "recipient in the next.",
            f"A donor gives a part of the units that it has: {', '.join(f'{part} %' for part in self.parts)}. The "
            f"recipient gets {plain(self.multiplier)} times as many.",
        ]
        if self.punishment is not None:
            lines.append(
                "Instead a donor may spend a part of its units on punishment: "
                f"{', '.join(f'{part} %' for part in self.punishment.parts)}. The recipient loses "
                f"{plain(self.punishment.multiplier)} times as many, at most all that it has."
            )
        known = "does not know what the recipient did in earlier rounds."
        if self.depth:
            more = ", what the player whom it met then had done before, and so on" if self.depth > 1 else ""
            known = f"knows what the recipient last did as a donor{more}: {self.depth} in all."
        return [*lines, f"A donor {known}"]


def _is_good(trace: Sequence[DonorAct]) -> bool:
    if not trace or trace[0].share >= HALF:
        return True
    return len(trace) > 1 and not _is_good(trace[1:])


def part_of(option: str) -> int:
    """Return the percentage in an option, such as 50 for `give_50` and `punish_50`."""
    return int(option.rpartition("_")[2])
