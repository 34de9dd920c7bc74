"""Laws of stage games: the options of the players, and their payoffs.

Payoffs are exact (`Fraction`), in emeralds. An option is a name such as `cooperate` or `give_10`. A role says what a
player is in a round (`donor`) and with whom it deals. Laws hold no state: chance is handed in.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Options = tuple[str, ...]
Choices = tuple[Mapping[str, str], ...]
"""For each stage that was played: player -> option."""


@dataclass(frozen=True)
class RoundRole:
    """Part of a player in a round."""

    name: str = ""
    """Such as `donor`; empty where all are alike."""
    partner: str = ""
    """Whom it deals with; empty for all others, or for nobody."""


Roles = Mapping[str, RoundRole]
"""Player -> its role; who is not in it sits out."""


class StageLaw:
    """The law of one stage game; a subclass is a frozen dataclass with the players' names."""

    players: tuple[str, ...]
    form: str
    """Name of the law's form."""
    stages: tuple[str, ...] = ("choice",)
    """Names of the stages of a round."""
    scored: bool = False
    """True if players have an image score."""

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return each player's role in the round of that number, from 1."""
        raise NotImplementedError

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the player's options in a stage; empty for a player without a choice. The same number stands for
        the same device in the world."""
        raise NotImplementedError

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return its most cooperative option."""
        raise NotImplementedError

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return its most selfish option."""
        raise NotImplementedError

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the cooperativeness of an option, from 0 to 1; None for a choice that says nothing of it.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        raise NotImplementedError

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Player -> what the round brings it; every player is in it."""
        raise NotImplementedError

    def amounts(self) -> Sequence[Fraction]:
        """Return numbers of which every payoff is a sum of whole multiples."""
        raise NotImplementedError

    def worst(self) -> Fraction:
        """Return the least that a round can bring anybody."""
        raise NotImplementedError

    def finest(self) -> Fraction:
        """Return the most that a round can bring anybody."""
        raise NotImplementedError

    def best(self) -> Fraction:
        """Return the most that a round can bring all together."""
        raise NotImplementedError

    def told(self) -> list[str]:
        """Return the law in sentences, as players read it."""
        raise NotImplementedError

    def names(self) -> tuple[str, ...]:
        """Return all options that anybody may ever choose, each once."""
        found: dict[str, None] = {}
        for roles in self.situations():
            for stage in range(len(self.stages)):
                for player in self.players:
                    found |= dict.fromkeys(self.options(stage, player, roles))
        return tuple(found)

    def situations(self) -> list[Roles]:
        """Role assignments in which everybody has been everything."""
        return [self.roles(random.Random(0), number) for number in range(1, 2 * len(self.players) + 1)]

    def widest(self) -> int:
        """Return the most options that anybody has at once."""
        return max(
            len(self.options(stage, player, roles))
            for roles in self.situations()
            for stage in range(len(self.stages))
            for player in self.players
        )


def plain(amount: Fraction) -> str:
    """Return an amount as it is written for people: 3, 0.5."""
    return f"{float(amount):g}"


def share(text: str | int | float | Fraction) -> Fraction:
    """Return a number as it was written, exactly: 0.1 is a tenth. Raises ValueError."""
    return Fraction(str(text).strip())
