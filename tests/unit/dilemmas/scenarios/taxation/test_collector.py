"""Attribution of payments into community chests, from inventories and chests alone."""

from __future__ import annotations

import random

from dilemmas.scenarios.taxation.collector import Collector, Move

AT = {"north": (0.5, 0.5, 0.5), "south": (0.5, 0.5, 5.5), "far": (60.5, 0.5, 0.5)}
HERE, THERE = (1.0, 0.0, 3.0), (60.0, 0.0, 1.0)


def collector() -> Collector:
    return Collector(AT, reach=6, settle_s=3)


def test_items_that_moved_from_an_inventory_into_a_chest_were_paid() -> None:
    made = collector()
    places = {"Ann": HERE, "Bob": HERE}
    assert made.add_state(0, {"north": {}}, {"Ann": {"coal": 10}, "Bob": {"coal": 5}}, places) == []
    found = made.add_state(1, {"north": {"coal": 4}}, {"Ann": {"coal": 6}, "Bob": {"coal": 5}}, places)
    assert found == [Move(1, "Ann", "north", "coal", 4)]
    assert made.close_accounts() == []


def test_both_sides_may_be_seen_at_different_steps() -> None:
    made = collector()
    made.add_state(0, {"north": {}}, {"Ann": {"coal": 10}}, {"Ann": HERE})
    assert made.add_state(1, {"north": {"coal": 4}}, {"Ann": {"coal": 10}}, {"Ann": HERE}) == []
    assert made.add_state(3, {"north": {"coal": 4}}, {"Ann": {"coal": 6}}, {"Ann": HERE}) == [
        Move(1, "Ann", "north", "coal", 4)
    ]


def test_items_eaten_thrown_away_or_lost_elsewhere_were_not_paid() -> None:
    made = collector()
    places = {"Ann": HERE, "Bob": THERE}
    made.add_state(0, {"north": {}}, {"Ann": {"bread": 10, "coal": 2}, "Bob": {"coal": 9}}, places)
    found = made.add_state(1, {"north": {"coal": 2}}, {"Ann": {"bread": 9, "coal": 2}, "Bob": {"coal": 7}}, places)
    found += made.add_state(5, {"north": {"coal": 2}}, {"Ann": {"bread": 9, "coal": 2}, "Bob": {"coal": 7}}, places)
    assert found == [Move(1, "", "north", "coal", 2)]


def test_items_taken_out_again_are_seen() -> None:
    made = collector()
    made.add_state(0, {"north": {"coal": 8}}, {"Ann": {}}, {"Ann": HERE})
    assert made.add_state(1, {"north": {"coal": 3}}, {"Ann": {"coal": 5}}, {"Ann": HERE}) == [
        Move(1, "Ann", "north", "coal", 5, taken=True)
    ]


def test_a_player_that_has_left_is_no_fault() -> None:
    made = collector()
    made.add_state(0, {"north": {}}, {"Ann": {"coal": 8}, "Bob": {"coal": 1}}, {"Ann": HERE, "Bob": HERE})
    assert made.add_state(1, {"north": {"coal": 1}}, {"Bob": {}}, {"Bob": HERE}) == [Move(1, "Bob", "north", "coal", 1)]


def test_several_at_several_chests_are_told_apart_where_that_can_be() -> None:
    """Olga can reach both chests, Piet one: a match that leaves Piet without a chest is reversed."""
    made = collector()
    near_both, near_north = (0.5, 0.0, 3.0), (0.5, 0.0, -3.0)
    places = {"Olga": near_both, "Piet": near_north, "Kira": (0.5, 0.0, 9.0)}
    before = {"Olga": {"stone": 50}, "Piet": {"stone": 50}, "Kira": {"stone": 50}}
    after = {"Olga": {"stone": 17}, "Piet": {"stone": 17}, "Kira": {"stone": 32}}
    made.add_state(0, {"north": {}, "south": {}}, before, places)
    found = made.add_state(1, {"north": {"stone": 33}, "south": {"stone": 51}}, after, places)
    assert {(each.player, each.chest): each.count for each in found} == {
        ("Piet", "north"): 33, ("Olga", "south"): 33, ("Kira", "south"): 18,
    }  # fmt: skip
    assert made.close_accounts() == []


def test_simultaneous_payments_are_all_attributed() -> None:
    """Random payments of many players at chests within their reach: every account equals the payments."""
    for seed in range(60):
        chance = random.Random(seed)
        names = [f"P{number}" for number in range(chance.randint(2, 9))]
        spots = [(0.5, 0.0, -4.0), (0.5, 0.0, 3.0), (0.5, 0.0, 10.0)]
        places = {name: chance.choice(spots) for name in names}
        before = {name: {"stone": 64, "log": 64} for name in names}
        made, chests = collector(), {"north": {"stone": 3}, "south": {}, "far": {}}
        made.add_state(0, chests, before, places)
        paid = {name: {"stone": chance.randint(0, 40), "log": chance.randint(0, 40)} for name in names}
        for name in names:
            z = places[name][2]
            reachable = [chest for chest in ("north", "south") if abs(AT[chest][2] - z) < 5]
            for item, count in paid[name].items():
                chest = chests[chance.choice(reachable)]
                chest[item] = chest.get(item, 0) + count
        after = {name: {item: 64 - paid[name][item] for item in ("stone", "log")} for name in names}
        found = made.add_state(1, chests, after, places)
        got = {name: {item: 0 for item in ("stone", "log")} for name in names}
        for each in found:
            got[each.player][each.item] += each.count
        assert got == paid, seed
        assert made.close_accounts() == []
