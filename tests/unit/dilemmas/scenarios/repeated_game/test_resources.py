"""Common-pool resources: a stock carried between rounds, its collapse, and GovSim's measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from dilemmas.errors import SpecError
from dilemmas.records.events import GameBegun, RoundPlayed
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.measures import game_measures
from tests.unit.voyager_agents.stage_games.scene import events, game, played, rounds, written
from voyager_agents.stage_games.choosing import now
from voyager_agents.stage_games.cost import _imagined
from voyager_agents.stage_games.match import RepeatedMatch, Repetition, cooperation
from voyager_agents.stage_games.turns import turn_of

TAKING = (
    "game: {form: formula, choices: [0, 3, 5], verb: take, payoff: own, stock: "
    '{start: 20, collapse: 4, grows: "min(20, 2 * left)"}}\nplayers: {Ada: {}, Bob: {}}\nrepeated: {known: 6}\n'
)


def measured(found: list[object]) -> dict[str, float]:
    begun = next(event for event in found if isinstance(event, GameBegun))
    return {
        name: values[""]
        for name, values in game_measures(begun, [each for each in found if isinstance(each, RoundPlayed)]).items()
        if "" in values
    }


async def test_a_sustained_fishery_lasts_and_pays_best(tmp_path: Path) -> None:
    found = await played("fishery", "always-cooperate", tmp_path)
    assert [each.state for each in rounds(found)] == [{"stock": 100, "sustainable": 50}] * 12
    told = measured(list(events(found)))
    assert (told["survival"], told["gain"], told["efficiency"]) == (12, 120, 1)
    assert (told["equality"], told["over_usage"]) == (1, 0)


async def test_a_fishery_of_greedy_players_collapses_in_the_first_month(tmp_path: Path) -> None:
    found = await played("fishery", "always-defect", tmp_path)
    assert len(rounds(found)) == 1
    told = measured(list(events(found)))
    assert (told["survival"], told["gain"], told["over_usage"]) == (1, 20, 1)
    assert told["efficiency"] == pytest.approx(100 / 600)


def test_the_stock_regrows_from_what_is_left(tmp_path: Path) -> None:
    law = game(written(tmp_path, TAKING)).spec.law
    match = RepeatedMatch(law, Repetition(6), 0)
    told = []
    for one, two in (("take_5", "take_5"), ("take_5", "take_3"), ("take_3", "take_5")):
        told.append(match.law.state())
        match.choose({"Ada": one, "Bob": two})
    # 20 - 10 doubles to 20; 20 - 8 to 20, the most there can be; then the same again.
    assert told == [{"stock": 20, "sustainable": 10}] * 3
    assert match.law.state() == {"stock": 20, "sustainable": 10}
    assert law.state() == told[0]


def test_nobody_takes_more_than_an_equal_share_and_below_the_bound_the_game_is_over(tmp_path: Path) -> None:
    path = written(tmp_path, TAKING.replace("2 * left", "left"))
    match = RepeatedMatch(game(path).spec.law, Repetition(6), 0)
    match.choose({"Ada": "take_5", "Bob": "take_5"})
    assert match.law.state() == {"stock": 10, "sustainable": 0}
    match.choose({"Ada": "take_3", "Bob": "take_3"})
    assert (match.law.state()["stock"], match.over) == (4, False)
    assert match.options("Ada") == ("take_0",)
    assert "The stock is 4 now." in now(turn_of(match, "Ada"))
    with pytest.raises(ValueError, match="'take_3' is not legal here; choose one of take_0"):
        match.choose({"Ada": "take_3", "Bob": "take_0"})
    again = RepeatedMatch(game(path).spec.law, Repetition(6), 0)
    for _ in range(2):
        again.choose({"Ada": "take_5", "Bob": "take_5"})
    assert again.over
    assert again.options("Ada") == ()


def test_choices_are_rated_by_the_stock_of_their_round(tmp_path: Path) -> None:
    """Rate the same choice by stocks of 20 (6 sustainable, 3 each) and 15 (5 sustainable, of which 0 is the choice)."""
    law = game(written(tmp_path, TAKING.replace("20, 2 * left", "20, 3 * left / 2"))).spec.law
    match = RepeatedMatch(law, Repetition(3), 0)
    match.choose({"Ada": "take_5", "Bob": "take_3"})
    match.choose({"Ada": "take_5", "Bob": "take_3"})
    first, second = match.history
    assert cooperation(law, first) == {"Ada": 0, "Bob": 1}
    assert match.law.state()["stock"] == 15
    assert cooperation(law, second) == {"Ada": 0, "Bob": 1}
    match.choose({"Ada": "take_5", "Bob": "take_3"})
    assert cooperation(law, match.history[-1]) == {"Ada": 0, "Bob": 0.4}


async def test_a_cost_estimate_imagines_a_game_that_lasts() -> None:
    facts = game("fishery").facts()
    turn = _imagined(facts, "Rivet", 9)
    assert (len(turn.history), len(turn.options)) == (9, 9)


def test_stories_are_the_same_game() -> None:
    laws = [game(name).spec.law for name in ("fishery", "pasture", "pollution")]
    assert len({(law.best(), law.finest(), law.widest()) for law in laws}) == 1
    assert len({game(name).spec.text for name in ("fishery", "pasture", "pollution")}) == 3


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("choices: [0, 3, 5]", "choices: [0, 3, 15]", "2 times the choice of 15 is more than the start of 20"),
        ("collapse: 4", "collapse: 40", "start: 20 is below collapse: 40"),
        ("2 * left", "2 * stock", "stock (names: left)"),
        ("payoff: own", "payoff: own, order: in-turn", "for alike players who choose together"),
    ],
)
def test_a_wrong_stock_is_refused_in_a_line(old: str, new: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_scenario(written(tmp_path, TAKING.replace(old, new)))
    assert told in str(caught.value)
