"""Two-player games in normal form: a payoff table of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

Cell = tuple[Fraction, Fraction]
"""Payoffs of the row player and the column player."""


@dataclass(frozen=True)
class Matrix(StageLaw):
    """Normal-form game: the first player chooses a row, the second a column."""

    players: tuple[str, ...]
    rows: Options
    columns: Options
    cells: tuple[tuple[Cell, ...], ...]
    """Payoff cells: one row for each option of the first player."""
    cooperative: tuple[str, str]
    """Cooperative option of each player."""
    uncooperative: tuple[str, str]
    """Selfish option of each player."""
    form: str = "matrix"

    def __post_init__(self) -> None:
        if len(self.players) != 2:
            raise ValueError(f"a table of payoffs is for two players, not for {len(self.players)}")

    @property
    def symmetric(self) -> bool:
        """True if both players have the same options and mirrored payoffs."""
        size = range(len(self.rows))
        return self.rows == self.columns and all(
            self.cells[i][j][0] == self.cells[j][i][1] for i, j in product(size, size)
        )

    def cell(self, row: str, column: str) -> Cell:
        """Return the payoffs of both players for a pair of options."""
        return self.cells[self.rows.index(row)][self.columns.index(column)]

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return each player as the other's partner; tables have no role names."""
        one, two = self.players
        return {one: RoundRole("", two), two: RoundRole("", one)}

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the rows for the first player and the columns for the second."""
        return self.rows if player == self.players[0] else self.columns

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the player's option in `cooperative`."""
        return self.cooperative[self.players.index(player)]

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the player's option in `uncooperative`."""
        return self.uncooperative[self.players.index(player)]

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return 1 for the cooperative option, 0 for any other.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return Fraction(option == self.kind(stage, player, roles))

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the payoffs in the cell of both choices."""
        one, two = self.players
        first, second = self.cell(choices[0][one], choices[0][two])
        return {one: first, two: second}

    def _all(self) -> list[Fraction]:
        return [amount for row in self.cells for cell in row for amount in cell]

    def amounts(self) -> Sequence[Fraction]:
        """Return every payoff of the table."""
        return self._all()

    def worst(self) -> Fraction:
        """Return the least payoff of the table."""
        return min(self._all())

    def finest(self) -> Fraction:
        """Return the greatest payoff of the table."""
        return max(self._all())

    def best(self) -> Fraction:
        """Return the largest sum of payoffs in a cell."""
        return max(sum(cell, Fraction(0)) for row in self.cells for cell in row)

    def rule_lines(self) -> list[str]:
        """Return one sentence for each cell, as shown to players."""
        one, two = self.players
        return [
            f"If {one} chooses {row} and {two} chooses {column}, {one} gets {plain(self.cell(row, column)[0])} and "
            f"{two} gets {plain(self.cell(row, column)[1])}."
            for row, column in product(self.rows, self.columns)
        ]
