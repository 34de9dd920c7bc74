"""Contract, Social Structure and Exploration: stages, schedules, edges and words."""

from __future__ import annotations

import numpy as np
import pytest

from grid_games import Batch, GameError, StepError, load, observe
from grid_games.measures import degrees
from grid_games.rules import ContractRules
from tests.unit.grid_games.play import STAY, act, give, number, put

EDGES = {"isolation": 0, "connection": 40, "independent": 56, "overlapping": 40, "inequality": 24, "federation": 24}


def contract(seed: int = 0) -> Batch:
    return Batch(load("ada-contract"), [seed])


def order(batch: Batch) -> list[int]:
    assert isinstance(batch.rules, ContractRules)
    return [int(each) for each in batch.rules.order[0]]


def test_in_contract_one_must_choose_and_the_others_wait() -> None:
    batch = contract()
    turns = order(batch)
    assert sorted(turns) == [0, 1, 2, 3]
    for step in range(20):
        for agent in range(4):
            allowed = {str(batch.actions[each]) for each in np.flatnonzero(batch.mask[0, agent])}
            assert allowed == ({f"join {group}" for group in range(4)} if agent == turns[step % 4] else {"stay"})
        batch.step(np.full((1, 4), number(batch, "join 2")))
    assert batch.refused[0].tolist() == [15] * 4
    assert not batch.mask[..., batch.tables.social :].any()
    assert batch.mask[0, :, STAY].all()
    assert batch.rules.graph.belongs()[0].tolist() == [[False, False, True, False]] * 4


def test_orders_differ_between_seeds_and_are_kept_for_the_episode() -> None:
    assert len({tuple(order(contract(seed))) for seed in range(30)}) > 10


def test_the_last_choice_binds_and_groups_share_equally() -> None:
    batch = contract()
    turns = order(batch)
    for step in range(20):
        chosen = np.full((1, 4), STAY)
        # All agents start in group 1; in the end agents 0 and 2 are in group 3, and 1 and 3 are each alone.
        agent, last = turns[step % 4], {0: 3, 1: 0, 2: 3, 3: 2}
        chosen[0, agent] = number(batch, f"join {1 if step < 16 else last[agent]}")
        batch.step(chosen)
    assert batch.rules.graph.pool(np.array([[8.0, 1.0, 0.0, 0.0]])).tolist() == [[4, 1, 4, 0]]
    found = degrees(batch.rules.graph, 0)["group"]
    assert (found.nodes, found.max_in, found.mean_out) == (3, 2, 4 / 3)


def test_a_contract_lasts_120_steps_and_ends_by_itself_only_then() -> None:
    batch = contract()
    ended = [bool(batch.step(np.full((1, 4), STAY)).ended[0]) for _ in range(120)]
    assert ended == [False] * 119 + [True]
    with pytest.raises(StepError, match=r"the episodes of environments \[0\] are over; call reset\(\[0\]\)"):
        batch.step(np.full((1, 4), STAY))


@pytest.mark.parametrize(("structure", "edges"), EDGES.items())
def test_structures_have_the_edges_of_the_specification(structure: str, edges: int) -> None:
    batch = Batch(load("ada-social-structure", settings={"structure": structure}), [0])
    views = batch.rules.graph.shares[0][0]
    assert views.sum() == edges
    assert np.array_equal(views, views.T)
    equal = Batch(load("ada-social-structure", "equal-edges", settings={"structure": structure}), [0])
    assert equal.rules.graph.shares[0][0].sum() == 56
    for mine, its in zip(batch.rules.graph.member, equal.rules.graph.member, strict=True):
        assert np.array_equal(mine, its)


@pytest.mark.parametrize(
    ("structure", "expected"),
    [
        ("isolation", [8, 0, 0, 0, 0, 0, 0, 4]),
        ("connection", [8, 0, 0, 0, 0, 0, 0, 4]),
        ("independent", [2, 2, 1, 1, 2, 2, 1, 1]),
        # Agent 0 is in A and C, agent 7 in B and D: each group gets half of its member's reward.
        ("overlapping", [2, 2, 1.5, 1.5, 1.5, 1.5, 1, 1]),
        ("inequality", [6.8, 0.4, 0.2, 0.2, 0.4, 0.4, 3.4, 0.2]),
        ("federation", [2, 2, 1, 1, 2, 2, 1, 1]),
    ],
)
def test_structures_pay_as_the_specification_says(structure: str, expected: list[float]) -> None:
    batch = Batch(load("ada-social-structure", settings={"structure": structure}), [0])
    paid = batch.rules.graph.pool(np.array([[8.0, 0, 0, 0, 0, 0, 0, 4.0]]))[0]
    assert np.allclose(paid, expected)


def test_a_federation_shows_both_teams_to_each_other() -> None:
    batch = Batch(load("ada-social-structure", settings={"structure": "federation"}), [0])
    assert batch.rules.graph.views()[0].sum() == 56
    assert degrees(batch.rules.graph, 0)["group 2"].max_in == 2


def test_the_dynamic_structure_changes_after_the_rewards_of_steps_30_and_60() -> None:
    batch = Batch(load("ada-social-structure"), [0])
    paid: dict[int, list[float]] = {}
    for step in range(1, 63):
        put(batch, int(batch.world.at[0]), wood=20)
        rewards = act(batch, "pick wood", *[STAY] * 7).rewards[0]
        paid[step] = [round(float(each), 6) for each in rewards[:4]]
    assert paid[1] == paid[30] == [0.85, 0.05, 0, 0]
    assert paid[31] == paid[60] == [0.25, 0.25, 0, 0]
    assert paid[61] == [0.25, 0.25, 0.125, 0.125]


def test_a_structure_is_for_its_eight() -> None:
    with pytest.raises(GameError, match="has 4 players; its structures are of 8"):
        Batch(load("ada-social-structure", players={"carpenter": 2, "miner": 2}), [0])
    with pytest.raises(
        GameError, match="structure of game ada-social-structure is 'caste'; structures are connection, dyn"
    ):
        Batch(load("ada-social-structure", settings={"structure": "caste"}), [0])
    with pytest.raises(GameError, match="edges of game ada-social-structure are 'few'; they are one of own, everyone"):
        Batch(load("ada-social-structure", settings={"edges": "few"}), [0])


def explore(agents: int = 3) -> Batch:
    return Batch(load("ada-exploration", players={"explorer": agents}), [0, 1])


def test_in_exploration_nobody_acts_on_itself_or_joins_twice() -> None:
    batch = explore()
    for agent in range(3):
        assert not batch.mask[0, agent, number(batch, f"message {agent}")]
        assert not batch.mask[0, agent, number(batch, f"share {agent}")]
    assert batch.mask[0, :, number(batch, "join 0") :].all()
    act(batch, "join 1", "stay", "stay")
    assert batch.mask[0, 0, number(batch, "join 0") :].tolist() == [True, False, True]
    act(batch, "join 2", "join 2", "stay")
    assert batch.rules.graph.member[0][0, :, 0].tolist() == [2, 2, -1]


def test_sharing_is_made_and_broken_one_way() -> None:
    batch = explore()
    act(batch, "share 1", "stay", "stay")
    assert np.argwhere(batch.rules.graph.shares[0][0]).tolist() == [[0, 1]]
    act(batch, "share 1", "share 0", "stay")
    assert np.argwhere(batch.rules.graph.shares[0][0]).tolist() == [[1, 0]]


def test_messages_carry_the_words_given_for_one_step() -> None:
    batch = explore()
    words = np.arange(2 * 3 * 3).reshape(2, 3, 3)
    chosen = np.full((2, 3), STAY)
    chosen[1, 0] = number(batch, "message 2")
    batch.step(chosen, words)
    heard = observe(batch)["communication"]
    assert heard[1, 2, 0].tolist() == [9, 10, 11]
    assert np.count_nonzero(heard) == 3
    act(batch, "message 1", "stay", "stay")
    heard = observe(batch)["communication"]
    assert heard[0, 1, 0].tolist() == [1, 0, 0]
    assert np.count_nonzero(heard) == 1
    with pytest.raises(StepError, match=r"words are int64 \(1, 2\); give whole numbers \(2, 3, 3\)"):
        batch.step(chosen, np.zeros((1, 2), np.intp))


def test_a_join_counts_from_the_same_step_and_not_for_earlier_rewards() -> None:
    batch = explore()
    give(batch, 0, wood=2)
    act(batch, "stay", "join 0", "stay")
    before = act(batch, "dump wood", "stay", "stay").rewards[0].tolist()
    together = act(batch, "join 0", "stay", "stay").rewards[0].tolist()
    after = act(batch, "pick wood", "stay", "stay").rewards[0].tolist()
    assert (before, together, after) == ([-1, 0, 0], [0, 0, 0], [0.5, 0.5, 0])
