"""Negotiation: every transition, the shares in the specification's examples, and growing coalitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grid_games import Batch, load, observe
from grid_games.policies.random import RandomPolicy
from grid_games.rules import Negotiation
from tests.unit.grid_games.play import CALM

A, B, C, D = range(4)


def talk(name: str = "ada-negotiation", *chosen: str, **changes: object) -> Batch:
    return Batch(load(name, *chosen, **changes), [0])


def rules(batch: Batch) -> Negotiation:
    assert isinstance(batch.rules, Negotiation)
    return batch.rules


def say(batch: Batch, **words: str) -> None:
    """Play a step in which the named agents act and all others stay."""
    numbers = [str(action) for action in batch.actions]
    chosen = np.full((1, batch.agents), numbers.index("stay"))
    for agent, action in words.items():
        number = numbers.index(action)
        assert batch.mask[0, ord(agent) - ord("a"), number], f"{agent} may not {action}"
        chosen[0, ord(agent) - ord("a")] = number
    batch.step(chosen)


def may(batch: Batch, agent: int) -> set[str]:
    return {str(batch.actions[number]) for number in np.flatnonzero(batch.mask[0, agent])}


def settle_coalitions(batch: Batch, groups: list[int], weights: list[float]) -> None:
    """Set coalitions by hand."""
    batch.rules.graph.assign(np.array([0]), np.array([groups]), np.array([weights]))
    batch._refresh()


def shares(batch: Batch) -> list[float]:
    return [round(float(each), 12) for each in batch.rules.graph.weight[0][0, :, 0]]


CLAIMS = {f"claim {each / 10}" for each in range(1, 10)}


def bargain(batch: Batch, first: str, second: str) -> None:
    say(batch, **{first: f"request {ord(second) - ord('a')}", second: f"request {ord(first) - ord('a')}"})


def at_turn_of(batch: Batch, agent: int) -> None:
    """Play an idle step if it is another agent's turn."""
    if may(batch, agent) == {"stay"}:
        say(batch)


def test_free_agents_must_ask_one_of_the_others() -> None:
    batch = talk()
    assert may(batch, B) == {"request 0", "request 2", "request 3"}


def test_an_unanswered_request_vanishes_and_is_heard() -> None:
    batch = talk()
    say(batch, a="request 1", b="request 2")
    assert (rules(batch).partner == -1).all()
    heard = observe(batch)["communication"][0]
    assert np.argwhere(heard).tolist() == [[1, 0], [2, 1]]
    say(batch)
    assert not observe(batch)["communication"].any()


def test_who_ask_each_other_bargain_and_may_not_be_asked() -> None:
    batch = talk()
    bargain(batch, "a", "c")
    assert rules(batch).partner[0].tolist() == [2, -1, 0, -1]
    assert may(batch, B) == {"request 3"}
    assert not observe(batch)["available_player"][0, B, [A, B, C]].any()


@pytest.mark.parametrize(("wait", "speaks", "waits"), [(0, C, A), (1, A, C)])
def test_the_lower_index_acts_at_even_steps(wait: int, speaks: int, waits: int) -> None:
    batch = talk()
    for _ in range(wait):
        say(batch)
    bargain(batch, "a", "c")
    assert int(batch.time[0]) == wait + 1
    assert may(batch, speaks) == CLAIMS
    assert may(batch, waits) == {"stay"}


def test_the_first_act_is_a_claim_then_accept_end_or_a_claim_anew() -> None:
    batch = talk()
    bargain(batch, "a", "c")
    assert may(batch, C) == CLAIMS
    say(batch, c="claim 0.7")
    assert may(batch, C) == {"stay"}
    assert may(batch, A) == CLAIMS | {"accept", "end"}
    proposal = observe(batch)["proposal"][0]
    assert proposal[A].tolist() == [0, 0, 0.7, 0]
    assert not proposal[[B, C, D]].any()
    say(batch, a="claim 0.7")
    assert may(batch, C) == CLAIMS | {"accept", "end"}
    assert not observe(batch)["proposal"][0, A].any()


def test_a_claim_that_stands_is_not_made_again() -> None:
    batch = talk()
    bargain(batch, "a", "c")
    say(batch, c="claim 0.7")
    say(batch)
    assert may(batch, C) == CLAIMS - {"claim 0.7"}


def test_end_sets_both_free_without_an_agreement() -> None:
    batch = talk()
    bargain(batch, "a", "c")
    say(batch, c="claim 0.7")
    say(batch, a="end")
    assert (rules(batch).partner == -1).all()
    assert shares(batch) == [1, 1, 1, 1]
    assert may(batch, A) == {"request 1", "request 2", "request 3"}


def test_two_alone_found_a_group_and_split_as_claimed() -> None:
    batch = talk()
    bargain(batch, "a", "c")
    say(batch, c="claim 0.6")
    say(batch, a="accept")
    assert rules(batch).coalition[0].tolist() == [0, -1, 0, -1]
    assert shares(batch) == [0.4, 1, 0.6, 1]
    assert may(batch, A) == {"request 1", "request 3"}
    assert observe(batch)["final_split"][0, D].tolist() == [0.4, 1, 0.6, 1]
    assert observe(batch)["social_state"][0, 0].tolist() == [[0, 0, 1, 0], [0] * 4, [1, 0, 0, 0], [0] * 4]


@pytest.mark.parametrize(
    ("claimant", "acceptor", "expected"),
    [("b", "c", [0.28, 0.42, 0.15, 0.15]), ("c", "b", [0.12, 0.18, 0.35, 0.35])],
)
def test_the_examples_of_two_coalitions(claimant: str, acceptor: str, expected: list[float]) -> None:
    batch = talk()
    settle_coalitions(batch, [2, 2, 1, 1], [0.4, 0.6, 0.5, 0.5])
    bargain(batch, "b", "c")
    at_turn_of(batch, ord(claimant) - ord("a"))
    say(batch, **{claimant: "claim 0.7"})
    say(batch, **{acceptor: "accept"})
    assert shares(batch) == expected
    # The lower-indexed bargainer's group remains.
    assert rules(batch).coalition[0].tolist() == [2, 2, 2, 2]


def test_one_alone_joins_and_any_member_speaks_for_its_coalition() -> None:
    batch = talk()
    settle_coalitions(batch, [-1, 3, 3, -1], [1, 0.5, 0.5, 1])
    bargain(batch, "a", "c")
    at_turn_of(batch, A)
    say(batch, a="claim 0.2")
    say(batch, c="accept")
    assert rules(batch).coalition[0].tolist() == [3, 3, 3, -1]
    assert shares(batch) == [0.2, 0.4, 0.4, 1]


def test_two_agreements_between_the_same_coalitions_in_one_step_count_once() -> None:
    batch = talk()
    settle_coalitions(batch, [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5])
    say(batch, a="request 2", c="request 0", b="request 3", d="request 1")
    say(batch, c="claim 0.7", d="claim 0.9")
    say(batch, a="accept", b="accept")
    assert shares(batch) == [0.15, 0.15, 0.35, 0.35]
    assert (rules(batch).partner == -1).all()


def test_acceptances_count_by_index_and_the_later_finds_the_new_weights() -> None:
    # c claims 0.5 of a, d claims 0.5 of b, and a and b are one side, first with c (a), then with d (b).
    batch = talk()
    settle_coalitions(batch, [0, 0, -1, -1], [0.5, 0.5, 1, 1])
    say(batch, a="request 2", c="request 0", b="request 3", d="request 1")
    say(batch, c="claim 0.5", d="claim 0.5")
    say(batch, a="accept", b="accept")
    assert shares(batch) == [0.125, 0.125, 0.25, 0.5]
    assert rules(batch).coalition[0].tolist() == [0] * 4


def test_a_bargain_within_what_has_become_one_coalition_is_void() -> None:
    batch = talk()
    settle_coalitions(batch, [0, 0, 1, 1], [0.5, 0.5, 0.5, 0.5])
    say(batch, a="request 2", c="request 0", b="request 3", d="request 1")
    say(batch, c="claim 0.5", d="claim 0.9")
    say(batch, a="accept", b="claim 0.3")
    assert shares(batch) == [0.25] * 4
    assert (rules(batch).partner == -1).all()
    assert may(batch, A) == {"stay"}


def test_what_is_open_when_the_stage_ends_is_void_and_then_all_work() -> None:
    batch = talk(settings={"stage": 4})
    bargain(batch, "a", "c")
    say(batch, c="claim 0.7")
    say(batch, a="claim 0.6")
    assert int(batch.time[0]) == 3
    assert may(batch, C) == {"accept", "stay"}
    assert may(batch, B) == {"stay"}
    say(batch)
    assert (rules(batch).partner == -1).all()
    assert not batch.mask[..., batch.tables.social :].any()
    assert batch.mask[..., :4].any(axis=2).all()


def test_an_acceptance_at_the_last_step_counts() -> None:
    batch = talk(settings={"stage": 4})
    bargain(batch, "a", "c")
    say(batch, c="claim 0.7")
    say(batch, a="claim 0.6")
    say(batch, c="accept")
    assert shares(batch) == [0.6, 1, 0.4, 1]


@pytest.mark.parametrize(("chosen", "stage"), [((), 20), (("code-stage",), 21)])
def test_the_stage_is_as_long_as_its_name_says_but_in_the_variant(chosen: tuple[str, ...], stage: int) -> None:
    batch = talk("ada-negotiation", *chosen)
    talking = []
    for _ in range(30):
        talking.append(not batch.mask[0, :, :4].any())
        say(batch)
    assert talking == [True] * stage + [False] * (30 - stage)


def test_rewards_are_paid_by_weight() -> None:
    batch = talk(settings={"stage": 0})
    settle_coalitions(batch, [0, -1, 0, -1], [0.4, 1, 0.6, 1])
    raw = np.array([[10.0, 1, 0, 0]])
    assert batch.rules.graph.pool(raw).tolist() == [[4, 1, 6, 0]]


@pytest.mark.parametrize("name", ["ada-negotiation", "ada-negotiation-hard"])
@settings(CALM, max_examples=10)
@given(seed=st.integers(0, 2**31))
def test_in_random_talk_weights_of_a_coalition_sum_to_one_and_bargains_are_mutual(name: str, seed: int) -> None:
    batch, policy = Batch(load(name), [seed, seed + 1]), RandomPolicy(seed)
    for _ in range(45):
        batch.step(policy.act(batch))
        state = rules(batch)
        for environment in range(2):
            groups, weights = state.coalition[environment], state.graph.weight[0][environment, :, 0]
            assert (weights[groups < 0] == 1).all()
            for group in set(groups[groups >= 0].tolist()):
                assert np.isclose(weights[groups == group].sum(), 1)
                assert (groups == group).sum() > 1
            partner = state.partner[environment]
            bargaining = np.flatnonzero(partner >= 0)
            assert (partner[partner[bargaining]] == bargaining).all()
            assert (state.parity[environment, bargaining] != state.parity[environment, partner[bargaining]]).all()
