"""Games composed of games of the atlas: one after the other, all at once, or one that decides about another.

    sequential   the games are played in order within a round; players see how the earlier ones ended
    parallel     one choice names an option in each game
    nested       a first game decides which options count in the second one

Payoffs of a round are the sums over its games. The three compositions are those of TMGBench (arXiv 2410.10479), where
they are questions; here they are played.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from statistics import mean

from voyager_agents.stage_games.atlas import Outcome
from voyager_agents.stage_games.atlas_table import AtlasTable, original_option
from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, StageLaw, plain

SEQUENTIAL, PARALLEL, NESTED = "sequential", "parallel", "nested"
JOINT = "_"
"""Sign between the options of a parallel choice, and before the number of a game."""


@dataclass(frozen=True)
class Restriction:
    """Consequence of an outcome of the first of two nested games."""

    after: Outcome
    """Outcome of the first game, in the presentation of the atlas."""
    player: int
    """Player whose choice in the second game is bound, 0 or 1."""
    only: int
    """Option that counts for it, whatever it chooses."""


@dataclass(frozen=True)
class Composed(StageLaw):
    """Composition of tables for the same two players."""

    players: tuple[str, ...]
    how: str
    parts: tuple[AtlasTable, ...]
    stages: tuple[str, ...]
    restrictions: tuple[Restriction, ...] = ()
    form: str = "composed"

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return each player as the other's partner."""
        one, two = self.players
        return {one: RoundRole("", two), two: RoundRole("", one)}

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the options of the stage's game, or one for each combination of parallel games."""
        return tuple(self._meanings[stage, self.players.index(player)])

    @cached_property
    def _meanings(self) -> Mapping[tuple[int, int], Mapping[str, tuple[str, ...]]]:
        """Stage and seat -> name of an option -> the options that it names in the games of the stage."""
        found = {}
        for seat in (0, 1):
            own = [(part.rows, part.columns)[seat] for part in self.parts]
            if self.how == PARALLEL:
                found[0, seat] = {JOINT.join(each): each for each in product(*own)}
            else:
                for stage, names in enumerate(own):
                    found[stage, seat] = {f"{name}{JOINT}{stage + 1}": (name,) for name in names}
        return found

    def _games(self, stage: int) -> Sequence[AtlasTable]:
        return self.parts if self.how == PARALLEL else self.parts[stage : stage + 1]

    def _pole(self, stage: int, player: str, *, kind: bool) -> str:
        seat = self.players.index(player)
        wanted = tuple((game.cooperative if kind else game.uncooperative)[seat] for game in self._games(stage))
        return next(name for name, meant in self._meanings[stage, seat].items() if meant == wanted)

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the option that is cooperative in all games of the stage."""
        return self._pole(stage, player, kind=True)

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the option that is cooperative in no game of the stage."""
        return self._pole(stage, player, kind=False)

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the share of the stage's games in which the option is cooperative.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        seat = self.players.index(player)
        meant = zip(self._games(stage), self._meanings[stage, seat][option], strict=True)
        return mean(Fraction(name == game.cooperative[seat]) for game, name in meant)

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the sums of the payoffs of all games."""
        cells = list(self._outcomes(choices))
        return {
            player: sum((game.cell(*names)[seat] for game, names in zip(self.parts, cells, strict=True)), Fraction(0))
            for seat, player in enumerate(self.players)
        }

    def _outcomes(self, choices: Choices) -> Iterator[tuple[str, str]]:
        """Yield the options that count in each game."""
        one, two = (
            [name for stage, each in enumerate(choices) for name in self._meanings[stage, seat][each[player]]]
            for seat, player in enumerate(self.players)
        )
        first = (original_option(self.parts[0], 0, one[0]), original_option(self.parts[0], 1, two[0]))
        yield one[0], two[0]
        for game, row, column in zip(self.parts[1:], one[1:], two[1:], strict=False):
            bound = {each.player: each.only for each in self.restrictions if each.after == first}
            names = [(game.cooperative, game.uncooperative)[bound[seat]][seat] if seat in bound else name
                     for seat, name in enumerate((row, column))]  # fmt: skip
            yield names[0], names[1]

    def stage_equilibria(self, stage: int, choices: Choices) -> list[tuple[str, str]]:
        """Return the pure Nash equilibria of a stage's games alone, as options of both players.

        Args:
            stage: Number of the stage, from 0.
            choices: Choices of the stages before, which decide what counts in a nested game.
        """
        one, two = self.players
        rows, columns = (tuple(self._meanings[stage, seat]) for seat in (0, 1))

        def paid(row: str, column: str) -> tuple[Fraction, Fraction]:
            counted = list(self._outcomes((*choices[:stage], {one: row, two: column})))[-len(self._games(stage)) :]
            cells = [game.cell(*names) for game, names in zip(self._games(stage), counted, strict=True)]
            return sum((cell[0] for cell in cells), Fraction(0)), sum((cell[1] for cell in cells), Fraction(0))

        amounts = {pair: paid(*pair) for pair in product(rows, columns)}
        return [
            (row, column)
            for row, column in amounts
            if all(amounts[other, column][0] <= amounts[row, column][0] for other in rows)
            and all(amounts[row, other][1] <= amounts[row, column][1] for other in columns)
        ]

    def _every_payoff(self) -> Iterator[dict[str, Fraction]]:
        """Yield the payoffs of all choices."""
        one, two = self.players
        whole = [
            [{one: row, two: column} for row, column in product(self._meanings[stage, 0], self._meanings[stage, 1])]
            for stage in range(len(self.stages))
        ]
        for choices in product(*whole):
            yield self.payoffs({}, choices)

    def amounts(self) -> Sequence[Fraction]:
        """Return every payoff of every game."""
        return [amount for part in self.parts for amount in part.amounts()]

    def worst(self) -> Fraction:
        """Return the lowest sum of payoffs that a player can get."""
        return min(amount for paid in self._every_payoff() for amount in paid.values())

    def finest(self) -> Fraction:
        """Return the highest sum of payoffs that a player can get."""
        return max(amount for paid in self._every_payoff() for amount in paid.values())

    def best(self) -> Fraction:
        """Return the highest total of both players."""
        return max(sum(paid.values(), Fraction(0)) for paid in self._every_payoff())

    def rule_lines(self) -> list[str]:
        """Return the composition, and one sentence for each cell of each game and for each restriction."""
        count = len(self.parts)
        head = {
            SEQUENTIAL: f"A round has {count} games, one after the other; both see how a game ends before the next.",
            PARALLEL: f"A round has {count} games at once; an option names a choice in each of them, in their order.",
            NESTED: "A round has two games, one after the other; how the first one ends decides what counts in the "
            "second one.",
        }[self.how]
        lines = [f"{head} Payoffs of the games add up."]
        for number, part in enumerate(self.parts, 1):
            lines += [
                f"Game {number}: {self._cell_line(number, part, *pair)}" for pair in product(part.rows, part.columns)
            ]
        return [*lines, *map(self._restriction_line, self.restrictions)]

    def _shown(self, number: int, name: str) -> str:
        return name if self.how == PARALLEL else f"{name}{JOINT}{number}"

    def _cell_line(self, number: int, part: AtlasTable, row: str, column: str) -> str:
        (one, two), (first, second) = self.players, part.cell(row, column)
        chosen = f"{one} chooses {self._shown(number, row)} and {two} chooses {self._shown(number, column)}"
        return f"If {chosen}, {one} gets {plain(first)} and {two} gets {plain(second)}."

    def _restriction_line(self, each: Restriction) -> str:
        first, second = self.parts[0], self.parts[1]
        row, column = ((first.cooperative, first.uncooperative)[place][seat] for seat, place in enumerate(each.after))
        only = (second.cooperative, second.uncooperative)[each.only][each.player]
        who = self.players[each.player]
        ends = f"{self._shown(1, row)} and {self._shown(1, column)}"
        return f"If game 1 ends in {ends}, {self._shown(2, only)} counts for {who} in game 2, whatever it chooses."


def composed(
    players: tuple[str, ...], how: str, parts: tuple[AtlasTable, ...], restrictions: tuple[Restriction, ...] = ()
) -> Composed:
    """Return a composition of games.

    Args:
        players: Names of both players.
        how: `sequential`, `parallel` or `nested`.
        parts: The games; two for nested ones.
        restrictions: Consequences of the first of two nested games.
    """
    count = 1 if how == PARALLEL else len(parts)
    stages = ("choice",) if count == 1 else tuple(f"choice in game {number}" for number in range(1, count + 1))
    return Composed(players, how, parts, stages, restrictions)
