"""Rules of war in Conquest: battles, support, recruits, income and objectives."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dilemmas.scenarios.conquest.board import Board, RoundOutcome, share_out
from dilemmas.scenarios.conquest.scenario import Conquest
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.conquest.turns import ConquestOrder


def board(**troops: int) -> Board:
    """Return the map at the start; keyword `north_1=5` puts five troops into north-1."""
    scenario = load_scenario("conquest")
    assert isinstance(scenario, Conquest)
    found = Board.start(scenario.spec, 0)
    for name, count in troops.items():
        found.territories[name.replace("_", "-")].troops = count
    return found


def play(state: Board, number: int = 1, **orders: ConquestOrder) -> RoundOutcome:
    """Carry out legal orders by the players that the keywords name."""
    garrisons = {name: Counter({each.owner: each.troops}) for name, each in state.territories.items()}
    for player, order in orders.items():
        assert state.legality_fault(player, order) == ""
        if order.act != "hold":
            garrisons[order.origin][player] -= order.troops
            garrisons[order.target][player] += order.troops
    return state.resolve(number, {name: +found for name, found in garrisons.items()}, orders)


def test_the_larger_force_captures_and_loses_as_many_as_the_garrison() -> None:
    state = board(north_3=6, east_1=2)
    outcome = play(state, Ada=ConquestOrder("attack", "north-3", "east-1", 5, "north-1"))
    [battle] = outcome.battles
    assert (battle.defender, battle.owner, battle.troops, battle.captured) == ("Ben", "Ada", 3, True)
    assert state.territories["north-3"].troops == 1
    assert state.attacks == {("Ada", "Ben"): 1}
    assert state.territories["east-1"].burnt == 3


@pytest.mark.parametrize(("attack", "left"), [(2, 0), (1, 1)])
def test_a_garrison_holds_against_as_many_as_it_has(attack: int, left: int) -> None:
    state = board(north_3=6, east_1=2)
    outcome = play(state, Ada=ConquestOrder("attack", "north-3", "east-1", attack))
    assert (outcome.battles[0].owner, outcome.battles[0].troops) == ("Ben", left)


def test_attackers_fight_together_and_the_largest_force_gets_the_territory() -> None:
    state = board(north_2=9, south_2=3, south_1=2, east_3=2)
    state.territories["south-2"].owner = "Dan"
    attack = {
        "Ada": ConquestOrder("attack", "north-2", "south-2", 6),
        "Cleo": ConquestOrder("attack", "south-1", "south-2", 2),
    }
    outcome = play(state, **attack)
    [battle] = outcome.battles
    assert (battle.owner, battle.garrison) == ("Ada", 3)
    assert battle.troops == 4
    # One of Cleo's two troops survived and went home; its recruits came as well.
    assert state.territories["south-1"].troops == 1 + state.recruits("Cleo")


def test_support_becomes_the_receivers_and_fights_for_it() -> None:
    state = board(north_3=5, east_1=2, west_2=4, east_2=2)
    outcome = play(
        state,
        Ada=ConquestOrder("attack", "north-3", "east-1", 4),
        Ben=ConquestOrder(place="east-3"),
        Dan=ConquestOrder("support", "west-2", "east-2", 3),
    )
    assert outcome.supports == (("Dan", "east-2", 3),)
    assert state.territories["east-2"].troops == 5
    assert state.given == {("Dan", "Ben"): 3}


def test_burnt_territories_yield_nothing_for_the_rounds_that_the_rules_say() -> None:
    state = board(north_3=3, east_1=2)
    incomes = [play(state, 1, Ada=ConquestOrder("attack", "north-3", "east-1", 2)).income["Ben"]]
    incomes += [play(state, number).income["Ben"] for number in range(2, 7)]
    assert incomes == [3, 2, 2, 2, 3, 3]


def test_a_player_with_all_its_regions_wins() -> None:
    state = board()
    for name in ("east-1", "east-2", "east-3"):
        state.territories[name].owner = "Ada"
    assert play(state).winners == ("Ada",)


def test_illegal_orders_are_named() -> None:
    state = board()
    for order, said in (
        (ConquestOrder("attack", "east-1", "north-3", 1), "not your territory"),
        (ConquestOrder("attack", "north-1", "east-1", 1), "does not border"),
        (ConquestOrder("move", "north-3", "east-1", 1), "it is Ben's"),
        (ConquestOrder("attack", "north-1", "north-2", 1), "it is yours"),
        (ConquestOrder("move", "north-1", "north-2", 3), "3 troops; north-1 has 2"),
        (ConquestOrder("hold", place="east-1"), "place: 'east-1' is not your territory"),
    ):
        assert said in state.legality_fault("Ada", order)


def test_players_see_their_territories_and_those_beside_them() -> None:
    seen = {each.name: each.owner for each in board().seen_by("Ada")}
    assert {name for name, owner in seen.items() if owner} == {
        "north-1", "north-2", "north-3", "east-1", "south-2", "west-3",
    }  # fmt: skip


def test_the_seed_decides_the_homes() -> None:
    scenario = load_scenario("conquest")
    assert isinstance(scenario, Conquest)
    homes = [Board.start(scenario.spec, seed).held_by("Ada")[0] for seed in range(5)]
    assert homes == ["north-1", "east-1", "south-1", "west-1", "north-1"]


@given(st.integers(0, 30), st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 20), min_size=1))
def test_survivors_are_shared_out_without_loss(lost: int, troops: dict[str, int]) -> None:
    total = sum(troops.values())
    survivors = max(0, total - lost)
    found = share_out(survivors, troops)
    assert sum(found.values()) == survivors
    assert all(0 <= found[name] <= count for name, count in troops.items())
    if survivors:
        assert found[max(troops, key=lambda name: troops[name])] > 0
