"""Atlas of 2x2 games: 144 classes, numbers, names, mirroring, equilibria by an independent solver, labels, stories."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest

from dilemmas.scenarios.registry import load_scenario
from tests.unit.voyager_agents.stage_games.scene import game
from voyager_agents.stage_games.atlas import SIZE, OrdinalGame, game_of, games, patterns
from voyager_agents.stage_games.atlas_table import AtlasTable, atlas_table, original_option, stories
from voyager_agents.stage_games.equilibria import mixed, table_of

PLAYERS = ("Gizmo", "Glitch")
Ranks = tuple[tuple[tuple[int, int], tuple[int, int]], tuple[tuple[int, int], tuple[int, int]]]


def shown(found: OrdinalGame) -> Ranks:
    one, two = ((found.payoff(row, 0), found.payoff(row, 1)) for row in (0, 1))
    return one, two


def alike(table: Ranks) -> set[Ranks]:
    """The same game with rows, columns or both exchanged."""
    rows, columns = (table, table[::-1]), (slice(None), slice(None, None, -1))
    return {(each[0][order], each[1][order]) for each in rows for order in columns}  # type: ignore[misc]


def solved(table: Ranks) -> set[tuple[Fraction, Fraction]]:
    """All equilibria as the probabilities of the first row and the first column, from the definitions alone."""
    one = [[Fraction(table[row][column][0]) for column in (0, 1)] for row in (0, 1)]
    two = [[Fraction(table[row][column][1]) for column in (0, 1)] for row in (0, 1)]
    found = {
        (Fraction(1 - row), Fraction(1 - column))
        for row, column in product((0, 1), repeat=2)
        if one[row][column] > one[1 - row][column] and two[row][column] > two[row][1 - column]
    }
    row_gap, column_gap = one[0][0] - one[0][1] - one[1][0] + one[1][1], two[0][0] - two[0][1] - two[1][0] + two[1][1]
    if row_gap and column_gap:
        columns, rows = (one[1][1] - one[0][1]) / row_gap, (two[1][1] - two[1][0]) / column_gap
        if 0 < rows < 1 and 0 < columns < 1:
            found.add((rows, columns))
    return found


def test_the_576_tables_are_144_games_of_four_tables_each() -> None:
    by_table = {table: each.id for each in games() for table in alike(shown(each))}
    every = {
        (((one[0], two[0]), (one[1], two[1])), ((one[2], two[2]), (one[3], two[3])))
        for one, two in product(permutations((1, 2, 3, 4)), repeat=2)
    }
    assert set(by_table) == every
    assert len(every) == 576
    assert Counter(Counter(by_table.values()).values()) == {4: 144}
    assert len({each.slug for each in games()}) == len(patterns()) ** 2 == SIZE**2


def test_well_known_games_have_their_numbers_and_names() -> None:
    known = {
        "g111": ("Dilemma", ((3, 3), (1, 4)), ((4, 1), (2, 2))),
        "g122": ("Chicken", ((3, 3), (2, 4)), ((4, 2), (1, 1))),
        "g133": ("Battle", ((2, 2), (3, 4)), ((4, 3), (1, 1))),
        "g166": ("Deadlock", ((2, 2), (1, 4)), ((4, 1), (3, 3))),
        "g322": ("Stag Hunt", ((4, 4), (1, 3)), ((3, 1), (2, 2))),
        "g344": ("Coordination", ((4, 4), (2, 1)), ((1, 2), (3, 3))),
    }
    for number, (name, *table) in known.items():
        assert (game_of(number).name, list(shown(game_of(number)))) == (name, table)
        assert game_of(name).id == number
    assert game_of("Prisoners Dilemma") == game_of("g111")
    assert [each.id for each in games() if each.symmetric] == [
        f"g{layer}{n}{n}" for layer in (1, 3) for n in range(1, 7)
    ]
    with pytest.raises(ValueError, match="'g511' is no game of the atlas"):
        game_of("g511")


def test_seven_games_are_prisoners_dilemmas_as_robinson_and_goforth_count_them() -> None:
    """One equilibrium that both would leave for another outcome: the alibi games (Robinson and Goforth 2004)."""

    def worse(found: OrdinalGame) -> bool:
        paid = [found.payoff(*cell) for cell in found.equilibria]
        others = [found.payoff(row, column) for row, column in product((0, 1), repeat=2)]
        return len(paid) == 1 and any(one > paid[0][0] and two > paid[0][1] for one, two in others)

    dilemmas = [each.id for each in games() if worse(each)]
    assert dilemmas == ["g111", "g221", "g231", "g241", "g412", "g413", "g414"]


def test_layers_are_alignments_of_the_best_outcomes() -> None:
    for each in games():
        first, second = (
            next(cell for cell in product((0, 1), repeat=2) if each.payoff(*cell)[player] == 4) for player in (0, 1)
        )
        same = (first[0] == second[0], first[1] == second[1])
        assert {(False, False): 1, (True, False): 2, (True, True): 3, (False, True): 4}[same] == each.layer
        assert first[1] == second[0] == 0, "the first option of each allows the other's best outcome"
        assert (each.best_option(0), each.best_option(1)) == (first[0], second[1])


def test_neighbours_on_the_map_differ_by_one_swap() -> None:
    ring = patterns()
    for half, digit in product((0, 6), range(6)):
        one, two = (sum(ring[half + place % 6].ranks, ()) for place in (digit, digit + 1))
        changed = {frozenset(pair) for pair in zip(one, two, strict=True) if pair[0] != pair[1]}
        assert changed == {frozenset({1, 2} if digit % 2 == 0 else {2, 3})}


def test_mirrored_games_have_exchanged_payoffs_and_equilibria() -> None:
    for each in games():
        other = each.mirror
        assert other.mirror == each
        for row, column in product((0, 1), repeat=2):
            assert other.payoff(column, row) == each.payoff(row, column)[::-1]
        assert sorted(other.equilibria) == sorted((column, row) for row, column in each.equilibria)
        assert other.id == f"g{ {1: 1, 2: 4, 3: 3, 4: 2}[each.layer] }{each.column.digit}{each.row.digit}"


def test_all_equilibria_are_those_of_an_independent_solver() -> None:
    for each in games():
        expected = solved(shown(each))
        assert {(one[0], two[0]) for one, two in mixed(each.table)} == expected, each.id
        pure = {pair for pair in expected if set(pair) <= {0, 1}}
        assert {(Fraction(1 - row), Fraction(1 - column)) for row, column in each.equilibria} == pure
    assert Counter(len(each.equilibria) for each in games()) == {0: 18, 1: 108, 2: 18}


@pytest.mark.parametrize("story", [None, *stories()])
def test_relabelled_games_are_the_same_games(story: str | None) -> None:
    orders = set()
    for each, labels in product(games()[::7], range(9)):
        law = atlas_table(each, PLAYERS, labels, story)
        orders.add((law.rows.index(law.cooperative[0]), law.columns.index(law.cooperative[1])))
        assert len({*law.rows, *law.columns}) == 4
        for row, column in product(law.rows, law.columns):
            place = original_option(law, 0, row), original_option(law, 1, column)
            assert tuple(map(int, law.cell(row, column))) == each.payoff(*place)
        cells = {(one[0], two[0]) for one, two in mixed(table_of(law))}
        assert len(cells) == len(mixed(each.table))
    assert len(orders) == 4, "rows and columns stand in both orders"


def test_labels_are_drawn_from_their_number_alone() -> None:
    found = game_of("chicken")
    named = [atlas_table(found, PLAYERS, labels).names() for labels in range(40)]
    assert named[0] == ("up", "down", "left", "right")
    assert len(set(named)) > 30
    assert named[7] == atlas_table(found, PLAYERS, 7).names()


def test_a_member_of_the_atlas_plays_by_its_name() -> None:
    found = game("atlas:stag-hunt:river").spec
    law = found.law
    assert isinstance(law, AtlasTable)
    assert (found.name, found.game.model_dump()["id"]) == ("atlas-g322-river", "g322")
    assert found.text.startswith("Gizmo lives up the river and Glitch down the river.")
    assert tuple(map(int, law.cell("dig_channel", "plant_willows"))) == (4, 4)
    for text in ("atlas:g322", "atlas:g233:market"):
        assert load_scenario(text, {"repeated": {"known": 3}}).spec.name == text.replace(":", "-")
