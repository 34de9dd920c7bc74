"""Goals of plans: what the controller does for them, and what is impossible."""

from __future__ import annotations

import pytest

from grid_games.planning import GOALS, GridPlan, open_goals
from tests.unit.grid_games.planning.planned import carry_out, cell, explorers, look, runner, step
from tests.unit.grid_games.play import act, event, give, place, put


def test_gather_walks_over_the_edge_to_the_nearest_pile_and_picks() -> None:
    batch = explorers()
    place(batch, cell(0, 0))
    put(batch, cell(8, 0), wood=1)
    put(batch, cell(0, 2), wood=5)
    mine = runner(batch)
    assert carry_out(batch, mine, GridPlan("gather", "wood", 1)) == ["up", "pick wood"]
    assert mine.review().cause == "done"  # type: ignore[union-attr]
    assert carry_out(batch, mine, GridPlan("gather", "wood", 9))[-5:] == ["pick wood"] * 5
    ended = mine.review()
    assert ended is not None
    assert (ended.cause, ended.text) == ("impossible", "you know of no wood on the ground that you can reach")


def test_gather_goes_round_blocks_and_others_and_leaves_an_occupied_pile() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 5))
    put(batch, cell(4, 5), wood=5)
    put(batch, cell(4, 2), wood=5)
    mine = runner(batch)
    assert carry_out(batch, mine, GridPlan("gather", "wood", 1)) == ["left", "left", "pick wood"]


def test_gather_needs_room_and_the_tool() -> None:
    batch = explorers(roles={"explorer": {"capacity": {"wood": 2}}})
    place(batch, cell(4, 4))
    put(batch, cell(4, 4), wood=3, coal=1)
    mine = runner(batch)
    assert mine.fault(GridPlan("gather", "coal")) == "to see and pick up coal you must hold 1 hammer"
    assert carry_out(batch, mine, GridPlan("gather", "wood", 3)) == ["pick wood", "pick wood"]
    assert mine.review().text == "you can hold no more wood (at most 2)"  # type: ignore[union-attr]
    assert "gather" not in open_goals(mine.start)


def test_craft_walks_to_the_event_and_needs_inputs_and_room() -> None:
    batch = explorers(roles={"explorer": {"capacity": {"hammer": 1}}})
    place(batch, cell(4, 4))
    mine = runner(batch)
    plan = GridPlan("craft", "hammer", 2)
    assert mine.fault(plan) == "to craft hammer you lack 1 wood, 1 stone"
    give(batch, 0, wood=2, stone=2)
    look(batch, mine)
    assert mine.fault(plan) == "you know of no cell with hammer_craft that you can reach"
    event(batch, cell(4, 5), "hammer_craft")
    look(batch, mine)
    assert list(open_goals(mine.start)["craft"]["resource"]) == ["hammer"]
    assert carry_out(batch, mine, plan) == ["right", "produce"]
    assert mine.review().text == "you can hold no more hammer (at most 1)"  # type: ignore[union-attr]
    assert mine.fault(GridPlan("craft", "wood")) == "no event makes wood"


@pytest.mark.parametrize(
    ("plan", "done"),
    [
        (GridPlan("drop", "wood", 2), ["dump wood"] * 2),
        (GridPlan("drop", "wood", 1, cell=cell(4, 6)), ["right", "right", "dump wood"]),
        # Beside another agent, since a cell holds one agent.
        (GridPlan("drop", "wood", 1, partner=1), ["down", "dump wood"]),
        (GridPlan("drop", "wood", 1, cell=cell(6, 4)), ["down", "dump wood"]),
        (GridPlan("drop", "wood", 9), ["dump wood"] * 3),
    ],
)
def test_drop_here_at_a_cell_or_beside_somebody(plan: GridPlan, done: list[str]) -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(6, 4))
    give(batch, 0, wood=3)
    mine = runner(batch)
    assert carry_out(batch, mine, plan) == done
    assert mine.review().cause == "done"  # type: ignore[union-attr]


def test_drop_for_somebody_unseen_or_gone_is_impossible() -> None:
    batch = explorers(3)
    place(batch, cell(4, 4), cell(4, 6), cell(0, 0))
    give(batch, 0, wood=3)
    mine = runner(batch)
    assert mine.fault(GridPlan("drop", "wood", partner=2)) == "you have not seen that player yet"
    assert mine.fault(GridPlan("drop", "stone")) == "you hold no stone"
    for _ in range(4):
        act(batch, "stay", "right", "stay")
    # It left while the agent did not look.
    look(batch, mine)
    assert carry_out(batch, mine, GridPlan("drop", "wood", partner=1)) == ["right"]
    assert mine.review().text == "that player is no longer where you saw it"  # type: ignore[union-attr]


def test_go_ends_at_the_cell_or_beside_who_stands_there() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 7))
    mine = runner(batch)
    assert carry_out(batch, mine, GridPlan("go", cell=cell(5, 5))) in (["right", "down"], ["down", "right"])
    assert carry_out(batch, mine, GridPlan("go", cell=cell(4, 7)))[-1] in ("right", "up")
    assert mine.state.ways.distance[cell(4, 7)] == 1
    assert mine.fault(GridPlan("go")) == "say which cell: [row, column]"
    assert mine.fault(GridPlan("go", cell=mine.state.view.place)) == "you are there already"


def test_explore_sees_the_whole_map_in_the_end() -> None:
    batch = explorers()
    mine = runner(batch)
    carry_out(batch, mine, GridPlan("explore", amount=14), most=14)
    assert mine.memory.unseen.size == 0
    assert mine.review().cause == "done"  # type: ignore[union-attr]


@pytest.mark.parametrize("goal", ["wait", "explore", "go"])
def test_a_find_ends_a_plan_that_only_looks_out(goal: str) -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 5))
    give(batch, 1, totem=1, coal=1)
    mine = runner(batch)
    mine.adopt(GridPlan(goal, amount=9, cell=cell(0, 4)))
    # Without a hammer the agent cannot pick up coal.
    assert step(batch, mine, other="dump coal") in ("stay", "up", "down", "left", "right")
    assert mine.review() is None
    step(batch, mine, other="dump totem")
    found = mine.review()
    assert found is not None
    assert (found.cause, found.text) == ("changed", "you have found totem")


def test_blocks_that_enclose_a_place_put_it_out_of_reach() -> None:
    batch = explorers()
    place(batch, cell(4, 4))
    for around in (cell(3, 4), cell(5, 4), cell(4, 3), cell(4, 5)):
        batch.world.cells[around, :, 1] = 1
    batch.world.open[cell(4, 4)] = False
    batch._refresh()
    put(batch, cell(2, 4), wood=1)
    mine = runner(batch)
    give(batch, 0, stone=1)
    look(batch, mine)
    # Where nothing but waiting and dropping is left, the agent may still work.
    assert mine.fault(GridPlan("go", cell=cell(0, 0))) == "you cannot get there"
    assert mine.fault(GridPlan("drop", "stone", cell=cell(0, 0))) == "you cannot get there"
    assert mine.fault(GridPlan("gather", "wood")) == "you know of no wood on the ground that you can reach"
    assert carry_out(batch, mine, GridPlan("explore", amount=1)) == ["stay"]


def test_every_goal_names_the_details_that_a_plan_has() -> None:
    details = {"resource", "amount", "partner", "cell", "group", "share", "words"}
    assert {name for goal in GOALS.values() for name in goal.fields} == details
    assert all(goal.optional <= set(goal.fields) for goal in GOALS.values())
