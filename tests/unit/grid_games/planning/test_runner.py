"""The monitor: when it asks for a new plan, and when it lets a plan go on."""

from __future__ import annotations

from grid_games import Batch, load
from grid_games.planning import GridPlan, open_goals
from tests.unit.grid_games.planning.planned import cell, explorers, look, runner, step
from tests.unit.grid_games.play import act, place, put


def cause(mine: object) -> str | None:
    found = mine.review()  # type: ignore[attr-defined]
    return None if found is None else str(found.cause)


def test_there_is_no_plan_at_first_and_an_old_one_is_reviewed() -> None:
    batch = explorers()
    mine = runner(batch, review=3)
    assert cause(mine) == "first"
    mine.adopt(GridPlan("wait", amount=9))
    causes = []
    for _ in range(3):
        step(batch, mine)
        causes.append(cause(mine))
    assert causes == [None, None, "review"]
    mine.adopt(GridPlan("wait", amount=9))
    assert cause(mine) is None


def test_a_plan_ends_if_the_agents_own_edges_or_groups_change_and_not_for_those_of_others() -> None:
    batch = explorers(3)
    mine = runner(batch)
    mine.adopt(GridPlan("wait", amount=15))
    act(batch, "stay", "share 2", "join 1")
    look(batch, mine)
    assert cause(mine) is None
    act(batch, "stay", "share 0", "stay")
    look(batch, mine)
    assert cause(mine) == "changed"
    mine.adopt(GridPlan("wait", amount=15))
    assert cause(mine) is None


def test_a_message_is_told_once() -> None:
    batch = explorers(2)
    mine = runner(batch)
    mine.adopt(GridPlan("wait", amount=15))
    act(batch, "stay", "message 0")
    look(batch, mine)
    assert cause(mine) == "changed"
    mine.adopt(GridPlan("wait", amount=15))
    assert cause(mine) is None
    act(batch, "stay", "stay")
    look(batch, mine)
    assert cause(mine) is None


def test_news_from_outside_the_game_ends_a_plan_once() -> None:
    batch = explorers()
    mine = runner(batch)
    mine.adopt(GridPlan("wait", amount=15))
    mine.renew("you have talked")
    found = mine.review()
    assert found is not None
    assert (found.cause, found.text) == ("changed", "you have talked")
    mine.adopt(GridPlan("wait", amount=15))
    assert cause(mine) is None


def turn(batch: Batch, agent: int) -> bool:
    return bool(batch.mask[0, agent].sum() > 1)


def test_a_group_is_chosen_again_until_others_choose_other_groups() -> None:
    batch = Batch(load("ada-contract"), [0])
    chooser = int(batch.mask[0].sum(axis=1).argmax())
    mine = runner(batch, chooser)
    assert set(open_goals(mine.start)) == {"join"}
    mine.adopt(GridPlan("join", group=2))
    assert step(batch, mine, chooser, other="stay") == "join 2"
    while not turn(batch, chooser):
        mine.skip()
        act(batch, *("join 1" if turn(batch, agent) else "stay" for agent in range(4)))
        look(batch, mine, chooser)
    # The others had no group when the plan was made.
    assert cause(mine) == "changed"
    mine.adopt(GridPlan("join", group=1))
    step(batch, mine, chooser)
    while not turn(batch, chooser):
        mine.skip()
        act(batch, *("join 1" if turn(batch, agent) else "stay" for agent in range(4)))
        look(batch, mine, chooser)
    assert cause(mine) is None
    assert step(batch, mine, chooser) == "join 1"


def test_a_request_is_kept_up_until_the_agents_bargain() -> None:
    batch = Batch(load("ada-negotiation"), [0])
    mine = runner(batch)
    assert mine.fault(GridPlan("claim", share=0.5)) == "that is not possible now: claim 0.5"
    mine.adopt(GridPlan("request", partner=2))
    act(batch, "request 2", "request 3", "request 1", "request 1")
    mine._done = 1
    look(batch, mine)
    assert cause(mine) is None
    act(batch, "request 2", "request 3", "request 0", "request 1")
    look(batch, mine)
    assert cause(mine) == "done"
    assert set(open_goals(mine.start)) == {"claim"}
    mine.adopt(GridPlan("claim", share=0.4))
    assert step(batch, mine) == "claim 0.4"


def test_the_controller_draws_the_same_ways_for_the_same_seed() -> None:
    walks = []
    for _ in range(2):
        batch = explorers()
        place(batch, cell(4, 4))
        put(batch, cell(6, 6), wood=1)
        mine = runner(batch)
        mine.adopt(GridPlan("gather", "wood"))
        walks.append([step(batch, mine) for _ in range(5)])
    assert walks[0] == walks[1]
    assert walks[0][-1] == "pick wood"
