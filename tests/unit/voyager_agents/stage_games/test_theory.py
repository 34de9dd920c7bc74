"""Game theory of known games: equilibria, efficiency, dominance, dilemmas, coopetition; generated fines."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest

from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.stage_games.contracts import deterrent, fining, outcome, sustains
from voyager_agents.stage_games.equilibria import PayoffTable, dominant, efficient, expected, mixed, pure
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.theory import poles, theory

THIRD = F(1, 3)


def law_of(name: str) -> StageLaw:
    found = load_scenario(name)
    assert isinstance(found, RepeatedGame)
    return found.spec.law


def square(*rows: list[tuple[int, int]]) -> PayoffTable:
    names = tuple("abcdefgh"[: len(rows)])
    columns = tuple("vwxyz"[: len(rows[0])])
    return PayoffTable(names, columns, tuple(tuple((F(one), F(two)) for one, two in row) for row in rows))


def test_matching_pennies_has_one_equilibrium_and_it_is_mixed() -> None:
    pennies = square([(1, -1), (-1, 1)], [(-1, 1), (1, -1)])
    half = (F(1, 2), F(1, 2))
    assert pure(pennies) == []
    assert mixed(pennies) == [(half, half)]
    assert expected(pennies, (half, half)) == (0, 0)
    assert dominant(pennies) == (None, None)


def test_a_table_need_not_be_square() -> None:
    # The third column is never a best response; without it the rows are mixed with 2/3 and 1/3.
    wide = square([(2, 1), (0, 0), (9, -1)], [(0, 0), (1, 2), (9, -1)])
    assert pure(wide) == [(0, 0), (1, 1)]
    assert mixed(wide)[-1] == ((F(2, 3), THIRD), (THIRD, F(2, 3), F(0)))
    assert set(efficient(wide)) == {(0, 0), (1, 1), (0, 2), (1, 2)}


@pytest.mark.parametrize(
    ("name", "cells", "draws"),
    [
        ("prisoners-dilemma", [["defect", "defect"]], []),
        ("stag-hunt", [["stag", "stag"], ["hare", "hare"]], [{"stag": 0.75, "hare": 0.25}]),
        ("chicken", [["swerve", "straight"], ["straight", "swerve"]], [{"swerve": 2 / 3, "straight": 1 / 3}]),
        (
            "battle-of-the-sexes",
            [["opera", "opera"], ["football", "football"]],
            [{"opera": 0.6, "football": 0.4}],
        ),
        ("rock-paper-scissors", [], [dict.fromkeys(("rock", "paper", "scissors"), 1 / 3)]),
    ],
)
def test_the_equilibria_of_known_games(name: str, cells: list[Any], draws: list[Any]) -> None:
    found = theory(law_of(name))
    assert found["pure_equilibria"] == cells
    assert [pytest.approx(each["weights"][0]) for each in found["mixed_equilibria"]] == draws


@pytest.mark.parametrize(
    ("name", "greed", "fear", "dilemma"),
    [
        ("prisoners-dilemma", 2, 1, True),
        ("stag-hunt", -1, 3, True),
        ("chicken", 1, -2, True),
        # A contribution of one of four players returns 0.4 of itself to the player, whatever the others do.
        ("public-goods", 12, 12, True),
        ("rock-paper-scissors", -1, -1, False),
    ],
)
def test_greed_and_fear_of_known_games(name: str, greed: float, fear: float, dilemma: bool) -> None:
    found = theory(law_of(name))["social_dilemma"]
    assert (found["greed"], found["fear"]) == (greed, fear)
    assert found["dilemma"] is dilemma


def test_the_coopetition_of_the_prisoners_dilemma() -> None:
    found = theory(law_of("prisoners-dilemma"))["coopetition"]
    # The other player decides 3 or 4 of a range of 5. Together they get 6, alone 1 each. A player with a weight of 0.7
    # on the other's payoff cooperates.
    assert found["interdependence"] == {"Gizmo": 0.7, "Glitch": 0.7}
    assert (found["value"], found["synergy"]) == (6, 4)
    assert found["added_value"] == {"Gizmo": 5, "Glitch": 5}
    assert found["coopetitive"] == [["cooperate", "cooperate"]]


def test_nobody_brings_anything_where_all_is_fixed() -> None:
    found = theory(law_of("rock-paper-scissors"))["coopetition"]
    assert found["value"] == 2
    assert found["synergy"] == 2


def test_the_fine_is_the_least_whole_one_above_every_gain() -> None:
    law = law_of("prisoners-dilemma")
    assert deterrent(law) == 3
    for fine, holds in ((3, True), (2, True), (1, False)):
        assert sustains(law, fining(law, fine), "Gizmo") is holds, fine
    assert not sustains(law, None, "Gizmo")
    roles = law.situations()[0]
    cheated = poles(law, roles, ["Gizmo"])
    assert outcome(law, fining(law), roles, cheated) == {"Gizmo": 3, "Glitch": 2}


@pytest.mark.parametrize("name", ["prisoners-dilemma", "stag-hunt", "chicken", "public-goods", "donor-game"])
def test_under_the_generated_contract_cooperation_pays_everybody(name: str) -> None:
    law = law_of(name)
    assert all(sustains(law, fining(law), player) for player in law.players)
    assert not any(sustains(law, fining(law, 0), player) for player in law.players) or name == "stag-hunt"


def test_a_proposer_that_could_keep_nearly_all_agrees_to_no_fine() -> None:
    scenario = load_scenario("ultimatum-game")
    assert isinstance(scenario, RepeatedGame)
    fixed = scenario.spec.model_copy(update={"game": scenario.spec.game.model_copy(update={"alternate": False})})
    law = fixed.game.law(tuple(fixed.players))
    assert [sustains(law, fining(law), player) for player in law.players] == [False, True]
