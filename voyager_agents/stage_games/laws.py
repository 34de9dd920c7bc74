"""Laws of stage games: the players' options and their payoffs.

Payoffs are exact (`Fraction`), in emeralds. An option is a name such as `cooperate` or `give_10`. A role names a
player's part in a round (`donor`) and its partner. Laws are stateless: callers pass the random generator.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

IMAGE_LIMIT = 5
"""Image scores are clipped to the range from -IMAGE_LIMIT to IMAGE_LIMIT."""
Options = tuple[str, ...]
Choices = tuple[Mapping[str, str], ...]
"""One mapping of player to option for each stage played so far."""


@dataclass(frozen=True)
class RoundRole:
    """Role of a player in a round."""

    name: str = ""
    """Name of the role, such as `donor`; empty if all players have the same role."""
    partner: str = ""
    """Name of the partner; empty if the player interacts with all others, or with none."""
    private: Fraction | None = field(default=None, compare=False)
    """The player's private number in this round; None without one, or if it is hidden from the reader."""
    informed: bool = field(default=True, compare=False)
    """False if the player does not learn the image scores in this round."""


Roles = Mapping[str, RoundRole]
"""Mapping of player to role; a player that is missing sits the round out."""


class StageLaw:
    """Rules of one stage game. Subclasses are frozen dataclasses that hold the players' names."""

    players: tuple[str, ...]
    form: str
    """Name of the kind of game, such as `matrix`."""
    stages: tuple[str, ...] = ("choice",)
    """Names of the stages of a round."""
    scored: bool = False
    """True if players have an image score."""
    paid: bool = True
    """True if payoffs are paid in emeralds after each round; False if a scoreboard shows what players have."""
    has_types: bool = False
    """True if each player has a private number in each round (`RoundRole.private`)."""
    private_rounds: bool = False
    """True if a player knows of earlier rounds only its own choices and those of its partners."""
    hides: bool = False
    """True if turns hide something that a program in the world could see, or tell what it could not."""

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return each player's role in round `number`, counted from 1."""
        raise NotImplementedError

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the player's options in a stage; empty for a player without a choice.

        The position of an option in the tuple selects its device in the world.
        """
        raise NotImplementedError

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the player's most cooperative option."""
        raise NotImplementedError

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the player's most selfish option."""
        raise NotImplementedError

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the cooperation rate of an option, from 0 to 1; None for a choice unrelated to cooperation.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        raise NotImplementedError

    @property
    def over(self) -> bool:
        """True if the game ends before its last round."""
        return False

    def after(self, roles: Roles, choices: Choices) -> StageLaw:
        """Return the law of the next round; the same one unless rounds leave a state behind."""
        return self

    def state(self) -> dict[str, Fraction]:
        """Return what rounds leave behind for the next one, by name; empty for independent rounds."""
        return {}

    @property
    def endowed(self) -> Fraction:
        """Amount that each player has before the first round, in units of the payoffs."""
        return Fraction(0)

    def held(self, player: str) -> Fraction:
        """Return what a player has at the start of the round, in a game that is not paid in emeralds."""
        return Fraction(0)

    def floor(self, rounds: int) -> Fraction:
        """Return a lower bound of a player's total payoff in a number of rounds."""
        return self.worst() * rounds

    def judged(self, own: int, partner: int, *, cooperated: bool) -> int:
        """Return a player's image score after a choice: 1 more for full cooperation, else 1 less, clipped.

        Args:
            own: The player's score before.
            partner: The score of its partner before; 0 without one.
            cooperated: True if the choice was fully cooperative.
        """
        return max(-IMAGE_LIMIT, min(IMAGE_LIMIT, own + (1 if cooperated else -1)))

    def seen_choices(self, stage: int, player: str, choices: Choices) -> Choices:
        """Return the choices of this round that a player has seen before it chooses in a stage."""
        return choices

    def seen_lines(self, stage: int, player: str, roles: Roles, choices: Choices) -> tuple[str, ...]:
        """Return sentences that only this player reads before it chooses in a stage.

        Args:
            stage: Number of the stage, from 0.
            player: The player that reads them.
            roles: Role of each player in this round.
            choices: Choices of the stages that are over.
        """
        return ()

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the payoff of each player in a round; every player is included."""
        raise NotImplementedError

    def carried(self, choices: Choices) -> Mapping[str, str]:
        """Return player -> option that a device carries out for it; empty without a device."""
        return {}

    def amounts(self) -> Sequence[Fraction]:
        """Return amounts such that every payoff is an integer combination of them."""
        raise NotImplementedError

    def worst(self) -> Fraction:
        """Return the lowest payoff that any player can get in a round."""
        raise NotImplementedError

    def finest(self) -> Fraction:
        """Return the highest payoff that any player can get in a round."""
        raise NotImplementedError

    def best(self) -> Fraction:
        """Return the highest total payoff of all players in a round."""
        raise NotImplementedError

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        raise NotImplementedError

    def names(self) -> tuple[str, ...]:
        """Return every option that any player can have, without duplicates."""
        found: dict[str, None] = {}
        for roles in self.situations():
            for stage in range(len(self.stages)):
                for player in self.players:
                    found |= dict.fromkeys(self.options(stage, player, roles))
        return tuple(found)

    def situations(self) -> list[Roles]:
        """Return role assignments that together give every player every role."""
        return [self.roles(random.Random(0), number) for number in range(1, 2 * len(self.players) + 1)]

    def widest(self) -> int:
        """Return the largest number of options that a player has in one stage."""
        return max(
            len(self.options(stage, player, roles))
            for roles in self.situations()
            for stage in range(len(self.stages))
            for player in self.players
        )


def without_types(roles: Roles, player: str = "") -> Roles:
    """Return the roles without private numbers, except that of `player`."""
    return {name: role if name == player else RoundRole(role.name, role.partner) for name, role in roles.items()}


def plain(amount: Fraction) -> str:
    """Return an amount formatted for people, such as `3` or `0.5`."""
    return f"{float(amount):g}"


def share(text: str | int | float | Fraction) -> Fraction:
    """Parse a decimal number exactly: 0.1 becomes 1/10. Raises ValueError."""
    return Fraction(str(text).strip())
