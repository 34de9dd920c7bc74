"""State of a repeated stage game: current stage, choices, history and end. Independent of any world.

    known     a fixed number of rounds that players know
    unknown   a fixed number of rounds that players do not know
    random    the game ends after each round with a fixed probability; players know it, but not the last round

All randomness comes from the seed: the pairing of players, the last round, and trembling-hand errors (`noise`: the
probability that another option replaces the chosen one).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Roles, StageLaw, without_types


@dataclass(frozen=True)
class Repetition:
    """Number of rounds of a game and its ending rule."""

    rounds: int
    """Number of rounds; the maximum if the end is random."""
    told: bool = True
    """True if players know the number of rounds."""
    stops: Fraction = Fraction(0)
    """Probability that the game ends after a round; 0 for a fixed number of rounds."""

    def sentence(self) -> str:
        """Return the ending rule as the sentence shown to players."""
        if self.stops:
            return f"After each round it ends with a chance of {float(100 * self.stops):g} %."
        if not self.told:
            return "It is played for many rounds; nobody is told how many."
        return f"It is played for {self.rounds} rounds." if self.rounds > 1 else "It is played once."


@dataclass(frozen=True)
class PlayedRound:
    """A completed round."""

    number: int
    """Round number, from 1."""
    roles: Roles
    choices: Choices
    """Effective choices of each stage, after trembling-hand errors and stand-ins."""
    payoffs: Mapping[str, Fraction]
    trembled: tuple[Mapping[str, str], ...] = ()
    """For each stage: player -> its intended choice, if an error replaced it."""
    stood_in: tuple[Mapping[str, str], ...] = ()
    """For each stage: player -> name of the stand-in that chose, if the player made no legal choice in time."""
    law: StageLaw | None = field(default=None, compare=False, repr=False)
    """Law of the round; None for that of the game."""

    def own_choices(self, stage: int) -> dict[str, str]:
        """Return player -> effective choice in a stage, without the choices of stand-ins."""
        others = self.stood_in[stage] if self.stood_in else {}
        return {player: option for player, option in self.choices[stage].items() if player not in others}

    def intended_choices(self, stage: int) -> dict[str, str]:
        """Return player -> own choice in a stage, before trembling-hand errors."""
        meant = self.trembled[stage] if self.trembled else {}
        return {player: meant.get(player, option) for player, option in self.own_choices(stage).items()}


@dataclass
class RepeatedMatch:
    """A repeated game in progress."""

    law: StageLaw
    repetition: Repetition
    seed: int
    noise: Fraction = Fraction(0)
    """Probability of a trembling-hand error in each choice."""
    history: list[PlayedRound] = field(default_factory=list)
    roles: Roles = field(default_factory=dict)
    choices: Choices = ()
    """Choices made so far in the current round."""

    def __post_init__(self) -> None:
        self._pairing = random.Random(f"pairs:{self.seed}")
        self._ending = random.Random(f"end:{self.seed}")
        self._trembling = random.Random(f"hands:{self.seed}")
        self._stood_in: list[Mapping[str, str]] = []
        self._trembled: list[Mapping[str, str]] = []
        self.types: list[dict[str, Fraction]] = []
        """For each completed round: player -> its private number. Kept from the history, which all players read."""
        self._images: tuple[int, dict[str, int]] = 0, dict.fromkeys(self.law.players, 0)
        """Number of rounds that are counted, and the image scores after them."""
        self.last = self._last()
        self._begin()

    def _last(self) -> int:
        """Draw the number of the last round."""
        number = 1
        while self.repetition.stops and number < self.repetition.rounds:
            if self._ending.random() < self.repetition.stops:
                return number
            number += 1
        return self.repetition.rounds if not self.repetition.stops else number

    def _begin(self) -> None:
        self.roles = self.law.roles(self._pairing, self.number)
        self.choices = ()
        self._stood_in, self._trembled = [], []

    @property
    def number(self) -> int:
        """Number of the current round, from 1."""
        return len(self.history) + 1

    @property
    def stage(self) -> int:
        """Index of the current stage, from 0."""
        return len(self.choices)

    @property
    def over(self) -> bool:
        """True if the last round has been played, or the game has ended before it."""
        return len(self.history) >= self.last or self.law.over

    def options(self, player: str) -> tuple[str, ...]:
        """Return the player's options in the current stage; empty if the game is over."""
        return () if self.over else self.law.options(self.stage, player, self.roles)

    def choose(self, picked: Mapping[str, str], stood_in: Mapping[str, str] | None = None) -> PlayedRound | None:
        """Record the choices of the current stage, and return the round if it is complete.

        Args:
            picked: Player -> option, for all players with options.
            stood_in: Player -> name of the stand-in that chose for it (`voyager_agents.stage_games.stand_ins`).

        Raises:
            ValueError: A player has made no legal choice.
        """
        counted, trembled = {}, {}
        for player in self.law.players:
            options = self.options(player)
            if not options:
                continue
            choice = picked.get(player, "")
            if choice not in options:
                raise ValueError(f"{player}: {choice!r} is not legal here; choose one of {', '.join(options)}")
            counted[player] = self._tremble(choice, options)
            if counted[player] != choice:
                trembled[player] = choice
        self.choices = (*self.choices, counted)
        self._stood_in.append(dict(stood_in or {}))
        self._trembled.append(trembled)
        return self._close() if self.stage == len(self.law.stages) else None

    def last_choice(self, player: str) -> str:
        """Return the player's own last choice in an earlier round's same stage, as intended; empty without one."""
        for played in reversed(self.history):
            if (own := played.own_choices(self.stage).get(player)) is not None:
                return played.trembled[self.stage].get(player, own)
        return ""

    def _tremble(self, choice: str, options: tuple[str, ...]) -> str:
        if not self.noise or len(options) < 2:
            return choice
        trembles = self._trembling.random() < self.noise
        other = self._trembling.choice([option for option in options if option != choice])
        return other if trembles else choice

    def _close(self) -> PlayedRound:
        paid = self.law.payoffs(self.roles, self.choices)
        private = {name: role.private for name, role in self.roles.items() if role.private is not None}
        roles = without_types(self.roles) if private else self.roles
        trembled, stood_in = tuple(self._trembled), tuple(self._stood_in)
        played = PlayedRound(self.number, roles, self.choices, paid, trembled, stood_in, self.law)
        self.types.append(private)
        self.history.append(played)
        self.law = self.law.after(self.roles, self.choices)
        if not self.over:
            self._begin()
        return played

    def images(self) -> dict[str, int]:
        """Return the image score of each player after all rounds so far."""
        counted, scores = self._images
        if counted < len(self.history):
            scores = images(self.law, self.history[counted:], scores)
            self._images = len(self.history), scores
        return dict(scores)


def own_rounds(player: str, history: Sequence[PlayedRound]) -> tuple[PlayedRound, ...]:
    """Return the rounds with the choices of the player and of its partners alone."""
    found = []
    for played in history:
        known = (player, played.roles[player].partner) if player in played.roles else (player,)
        choices = tuple({name: each[name] for name in known if name in each} for each in played.choices)
        found.append(replace(played, choices=choices))
    return tuple(found)


def images(
    law: StageLaw, history: list[PlayedRound] | tuple[PlayedRound, ...], start: Mapping[str, int] | None = None
) -> dict[str, int]:
    """Return the image score of each player by the law's norm (`StageLaw.judged`), at first 0.

    The choice of a stand-in changes no score.

    Args:
        law: Law of the game.
        history: Rounds to count.
        start: Scores before these rounds; None for 0 each.
    """
    scores = dict.fromkeys(law.players, 0) if start is None else dict(start)
    for played in history:
        before = dict(scores)
        for player, option in played.own_choices(0).items():
            kind = law.cooperation(0, player, option, played.roles) == 1
            partner = before.get(played.roles[player].partner, 0)
            scores[player] = law.judged(before[player], partner, cooperated=kind)
    return scores


def cooperation(law: StageLaw, played: PlayedRound) -> dict[str, float]:
    """Return the mean cooperation rate of each player in a round, from 0 to 1.

    Players without a rated choice of their own are left out. With a mediator or commitments the option that is carried
    out is rated.
    """
    return {player: float(rate) for player, rate in exact_cooperation(law, played).items()}


def exact_cooperation(law: StageLaw, played: PlayedRound) -> dict[str, Fraction]:
    """Return the exact rates of `cooperation`."""
    found: dict[str, list[Fraction]] = {}
    law = played.law or law
    carried = law.carried(played.choices)
    for stage in range(len(played.choices)):
        for player, option in played.own_choices(stage).items():
            rate = law.cooperation(stage, player, carried.get(player, option), played.roles)
            if rate is not None:
                found.setdefault(player, []).append(rate)
    return {player: sum(rates, Fraction(0)) / len(rates) for player, rates in found.items()}
