"""The 144 strictly ordinal games of two players with two options each, generated and numbered.

Each player ranks the four outcomes 1 (worst) to 4 (best). Exchanging rows or columns gives the same game; exchanging
the players does not. Of the 24 * 24 pairs of rankings 576 / 4 = 144 are different. Each has one presentation in which
the best outcome of the row player lies in the left column and that of the column player in the upper row.

Numbers after Robinson and Goforth, The Topology of the 2x2 Games (2005): gLRC is layer, row player's pattern, column
player's pattern. A layer holds the games with one alignment of both best outcomes:

    1   in opposite corners         3   in the same cell (both can have their best at once)
    2   in the same row             4   in the same column

The six patterns of a layer form a circle of swaps of neighbouring ranks: 1 and 2 are exchanged between the patterns
1-2, 3-4 and 5-6, and 2 and 3 between the patterns 2-3, 4-5 and 6-1. The circle starts at the prisoner's dilemma, g111;
chicken is g122. Swapping ranks 3 and 4 leads to a neighbouring layer: from g111 for both players to the stag hunt,
g322. Two choices are ours, since they only mirror games: the second digit is the row player's, and layer 2 is that of
the same row. Exchanging the players turns g1RC into g1CR, g3RC into g3CR and g2RC into g4CR.

Names after Bruns, Names for Games (Games 6, 2015): twelve symmetric games, one for each pattern; an asymmetric game has
the names of the row player's pattern and of the column player's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from voyager_agents.stage_games.equilibria import PayoffTable, Profile, pure

Outcome = tuple[int, int]
"""Place of the row player's option and of the column player's, 0 or 1."""
Ranks = tuple[tuple[int, int], tuple[int, int]]
"""One player's ranks of the four outcomes: for each of its own options, by the other's option."""
SIZE = 12
"""Patterns of a player, and games on each side of the map."""
PATTERNS = 6
"""Patterns of a player whose best outcome lies in one row of its own."""
NAMES: Mapping[bool, Sequence[str]] = {
    False: ("Dilemma", "Chicken", "Battle", "Hero", "Compromise", "Deadlock"),
    True: ("Concord", "Stag Hunt", "Assurance", "Coordination", "Peace", "Harmony"),
}
"""True if the own best outcome needs the option that allows the other's best one -> names of patterns in order."""
ALIASES: Mapping[str, str] = {
    "prisoners-dilemma": "g111",
    "battle-of-the-sexes": "g133",
    "snowdrift": "g122",
}
"""Other usual names of games -> id."""
LAYERS: Mapping[tuple[bool, bool], int] = {(False, False): 1, (True, False): 2, (True, True): 3, (False, True): 4}
"""For each player: True if its best outcome lies in the option that allows the other's best one -> layer."""
LAYER_NAMES: Mapping[int, str] = {
    1: "best outcomes in opposite corners",
    2: "best outcomes in the same row",
    3: "best outcomes in the same cell",
    4: "best outcomes in the same column",
}


@dataclass(frozen=True)
class Pattern:
    """One player's ranking in the presentation of the atlas, with its place among the twelve."""

    upper: bool
    """True if the own best outcome needs the first option, False if it needs the second one."""
    digit: int
    """Place in the circle of swaps, 1 to 6."""
    ranks: Ranks

    @property
    def name(self) -> str:
        """Name of the symmetric game of this pattern."""
        return NAMES[self.upper][self.digit - 1]

    @property
    def place(self) -> int:
        """Place on a side of the map, from 0."""
        return PATTERNS * self.upper + self.digit - 1


@dataclass(frozen=True)
class OrdinalGame:
    """One of the 144 games. The first option of each player is the one that allows the other's best outcome."""

    row: Pattern
    column: Pattern

    @property
    def layer(self) -> int:
        """Layer, 1 to 4."""
        return LAYERS[self.row.upper, self.column.upper]

    @property
    def id(self) -> str:
        """Number of layer, row and column."""
        return f"g{self.layer}{self.row.digit}{self.column.digit}"

    @property
    def symmetric(self) -> bool:
        """True if both players are in the same position."""
        return self.row == self.column

    @property
    def name(self) -> str:
        """Name of a symmetric game, or the names of both patterns."""
        return self.row.name if self.symmetric else f"{self.row.name} and {self.column.name}"

    @property
    def slug(self) -> str:
        """The name as it is written on the command line."""
        return self.name.lower().replace(" ", "-")

    @property
    def mirror(self) -> OrdinalGame:
        """The game with the players exchanged."""
        return OrdinalGame(self.column, self.row)

    def payoff(self, row: int, column: int) -> tuple[int, int]:
        """Return both players' ranks of an outcome."""
        return self.row.ranks[row][column], self.column.ranks[column][row]

    @property
    def table(self) -> PayoffTable:
        """The game as a table of payoffs with options named 0 and 1."""
        cells = tuple(
            tuple((Fraction(one), Fraction(two)) for one, two in (self.payoff(row, column) for column in (0, 1)))
            for row in (0, 1)
        )
        return PayoffTable(("0", "1"), ("0", "1"), cells)

    @property
    def equilibria(self) -> list[Profile]:
        """Pure Nash equilibria as (row, column)."""
        return _equilibria(self)

    def best_option(self, player: int) -> int:
        """Return the option that leads to the player's own best outcome; players are counted from 0."""
        return int(not (self.row, self.column)[player].upper)


@cache
def _equilibria(game: OrdinalGame) -> list[Profile]:
    return pure(game.table)


@cache
def patterns() -> tuple[Pattern, ...]:
    """Return the twelve patterns in the order of the map."""
    found = []
    for upper, start in ((False, ((3, 1), (4, 2))), (True, ((4, 2), (3, 1)))):
        ranks: Ranks = start
        for digit in range(1, PATTERNS + 1):
            found.append(Pattern(upper, digit, ranks))
            ranks = _swapped(ranks, 1 if digit % 2 else 2)
    return tuple(found)


def _swapped(ranks: Ranks, low: int) -> Ranks:
    """Return the ranking with the ranks `low` and `low + 1` exchanged."""
    other = {low: low + 1, low + 1: low}
    first, second = (tuple(other.get(rank, rank) for rank in row) for row in ranks)
    return (first[0], first[1]), (second[0], second[1])


@cache
def games() -> tuple[OrdinalGame, ...]:
    """Return all games in the order of their ids."""
    found = [OrdinalGame(row, column) for row in patterns() for column in patterns()]
    return tuple(sorted(found, key=lambda game: game.id))


@cache
def _by_name() -> Mapping[str, OrdinalGame]:
    by_id = {game.id: game for game in games()}
    return {game.slug: game for game in games()} | {name: by_id[id_] for name, id_ in ALIASES.items()} | by_id


def game_of(name: str) -> OrdinalGame:
    """Return the game with that id or name. Raises ValueError."""
    found = _by_name().get(name.strip().lower().replace(" ", "-"))
    if found is None:
        raise ValueError(
            f"{name!r} is no game of the atlas; write a number from g111 to g466 or a name such as chicken or "
            "dilemma-and-chicken"
        )
    return found
