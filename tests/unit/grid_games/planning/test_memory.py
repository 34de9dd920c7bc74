"""Remembered maps: what was seen stays known, and what a tool is missing for is not forgotten."""

from __future__ import annotations

from grid_games.planning.memory import SeenAgent
from tests.unit.grid_games.planning.planned import cell, explorers, look, runner
from tests.unit.grid_games.play import act, empty, event, give, place, put


def test_what_was_seen_stays_known_out_of_view() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 5))
    put(batch, cell(4, 2), wood=3)
    event(batch, cell(3, 4), "hammer_craft")
    mine = runner(batch)
    assert mine.memory.unseen.size == 81 - 25
    for _ in range(3):
        act(batch, "right", "up")
        look(batch, mine)
    assert mine.memory.piles[cell(4, 2), 0] == 3
    assert mine.memory.event[cell(3, 4)] == 1
    assert mine.memory.seen[cell(4, 2)] == 0
    assert mine.memory.unseen.size == 81 - 25 - 15
    # The other agent was last seen two rows up, and then left the window.
    assert mine.memory.others == {1: SeenAgent(cell(2, 5), 2)}
    assert mine.memory.occupied == frozenset()


def test_a_pile_that_is_seen_to_be_gone_is_forgotten() -> None:
    batch = explorers(2)
    place(batch, cell(4, 4), cell(4, 5))
    put(batch, cell(4, 5), wood=1)
    mine = runner(batch)
    assert mine.memory.found[0]
    act(batch, "stay", "pick wood")
    look(batch, mine)
    assert mine.memory.piles.sum() == 0
    assert not mine.memory.found.any()


def test_what_needs_a_tool_is_not_forgotten_without_it() -> None:
    batch = explorers()
    coal = batch.game.resource("coal")
    place(batch, cell(4, 4))
    put(batch, cell(4, 5), coal=4)
    mine = runner(batch)
    assert mine.memory.piles[cell(4, 5), coal] == 0
    give(batch, 0, hammer=1)
    look(batch, mine)
    assert mine.memory.piles[cell(4, 5), coal] == 4
    give(batch, 0, hammer=0)
    look(batch, mine)
    assert mine.memory.piles[cell(4, 5), coal] == 4
    assert not mine.start.pickable[coal]


def test_what_others_show_is_remembered_and_does_not_erase() -> None:
    batch = explorers(2)
    coal = batch.game.resource("coal")
    place(batch, cell(0, 0), cell(4, 4))
    put(batch, cell(4, 4), wood=2, coal=2)
    give(batch, 0, hammer=1)
    mine = runner(batch)
    act(batch, "stay", "share 0")
    look(batch, mine)
    assert mine.memory.piles[cell(4, 4)].tolist()[: coal + 1] == [2, 0, 0, 0]
    assert mine.memory.others[1] == SeenAgent(cell(4, 4), 1)
    # The first agent sees the coal itself; the other, which shows it the same cell, lacks a hammer.
    mine.memory.piles[cell(4, 4), coal] = 2
    act(batch, "stay", "stay")
    look(batch, mine)
    assert mine.memory.piles[cell(4, 4), coal] == 2


def test_a_window_wider_than_the_map_shows_each_cell_once() -> None:
    batch = empty(1, (3, 3))
    mine = runner(batch)
    assert sorted(mine.state.view.cells.tolist()) == list(range(9))
    assert mine.state.view.own.all()
