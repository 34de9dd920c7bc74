"""Common-pool resources: a stock that players take from, and that regrows between rounds.

After GovSim (arXiv 2404.16698): five players take from a stock of at most 100, which then doubles; if less than 5 is
left after growth the resource has collapsed and the game ends. Two rules are ours: nobody can take more than an equal
share of the stock, and players take whole amounts that the file lists.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.formulas import Formula
from voyager_agents.stage_games.laws import Choices, Options, Roles, plain

STOCK, LEFT = "stock", "left"
"""Names in formulas: the stock at the start of a round, and what is left of it before growth."""


@dataclass(frozen=True)
class CommonStock:
    """A stock and its growth."""

    start: int
    collapse: int
    """Stock below which the game ends."""
    growth: Formula
    """Stock of the next round, from what is `left`."""

    def grown(self, left: Fraction) -> Fraction:
        """Return the stock after growth."""
        return self.growth.number({LEFT: left})

    def sustainable(self, stock: Fraction) -> Fraction:
        """Return the largest whole amount after whose removal the stock grows back to its size; 0 if there is none."""
        amounts = (Fraction(amount) for amount in range(int(stock), 0, -1))
        return next((each for each in amounts if self.grown(stock - each) >= stock), Fraction(0))


@dataclass(frozen=True, kw_only=True)
class ResourceLaw(FormulaLaw):
    """Game by formula in which a player's number is what it takes from a common stock."""

    resource: CommonStock
    stock: Fraction
    """Stock at the start of the round."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if len(self.parts) > 1 or self.in_turn or self.has_types:
            raise ValueError("stock: is for alike players who choose together, without types")
        most = max(number for _, number in self.parts[0].numbers)
        if most * len(self.players) > self.resource.start:
            raise ValueError(
                f"stock: {len(self.players)} times the choice of {plain(most)} is more than the start of "
                f"{self.resource.start}; give lower choices"
            )

    @property
    def over(self) -> bool:
        """True if the resource has collapsed."""
        return self.stock < self.resource.collapse

    def after(self, roles: Roles, choices: Choices) -> ResourceLaw:
        """Return the law of the next round, with the stock that is left after growth."""
        taken = sum(self.numbers(roles, choices).values(), Fraction(0))
        return replace(self, stock=self.resource.grown(self.stock - taken))

    def state(self) -> dict[str, Fraction]:
        """Return the stock and the sustainable amount of all players together."""
        return {STOCK: self.stock, "sustainable": self._sustainable}

    @cached_property
    def _sustainable(self) -> Fraction:
        return self.resource.sustainable(self.stock)

    @cached_property
    def _legal(self) -> dict[str, Fraction]:
        """Options up to an equal share of the stock; the least one is always legal if nothing else is."""
        ordered = sorted(self.parts[0].numbers, key=lambda each: each[1])
        share = self.stock / len(self.players)
        return dict([each for each in ordered if each[1] <= share] or ordered[:1])

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the amounts that are at most an equal share of the stock, ascending."""
        return tuple(self._legal)

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the largest amount that is sustainable if all take it, else the least one."""
        share = self._sustainable / len(self.players)
        fair = [option for option, number in self._legal.items() if number <= share]
        return fair[-1] if fair else next(iter(self._legal))

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the largest amount."""
        return list(self._legal)[-1]

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return 1 for a sustainable amount, falling to 0 for the largest legal one.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        numbers = self.parts[0].number_of
        fair, most = (numbers[pole(stage, player, roles)] for pole in (self.kind, self.selfish))
        if numbers[option] <= fair:
            return Fraction(1)
        return max(Fraction(0), (most - numbers[option]) / (most - fair)) if most > fair else Fraction(0)

    def _group(self, roles: Roles, numbers: Mapping[str, Fraction], choices: Choices) -> dict[str, Fraction]:
        return {**super()._group(roles, numbers, choices), STOCK: self.stock}

    def best(self) -> Fraction:
        """Return the highest total payoff of a round whose stock grows back to its size."""
        return _best_of(self)

    def sustainable_totals(self) -> Iterator[Fraction]:
        """Yield the total payoff of each combination of choices after which the stock grows back to its size."""
        roles = self.situations()[0]
        for chosen in self.profiles(roles):
            if sum(self.numbers(roles, chosen).values()) <= self._sustainable:
                yield sum(self.payoffs(roles, chosen).values(), Fraction(0))

    def seen_lines(self, stage: int, player: str, roles: Roles, choices: Choices) -> tuple[str, ...]:
        """Return the current stock.

        Args:
            stage: Number of the stage, from 0.
            player: The player that reads them.
            roles: Role of each player in this round.
            choices: Choices of the stages that are over.
        """
        return (f"The stock is {plain(self.stock)} now.",)

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        return [
            *super().rule_lines(),
            f"Players take their numbers from a common stock, at first {self.resource.start}; nobody can take more "
            "than an equal share of it.",
            f"After each round the stock becomes {self.resource.growth.source}, where left is what nobody took. If it "
            f"is below {self.resource.collapse}, the game ends at once.",
        ]


@lru_cache(maxsize=64)
def _best_of(law: ResourceLaw) -> Fraction:
    """Return the highest total, found once for all runs of a study: there are hundreds of combinations."""
    return max(law.sustainable_totals(), default=Fraction(0))
