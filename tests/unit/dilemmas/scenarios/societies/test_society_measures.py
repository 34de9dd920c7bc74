"""Measures of societies, against lives whose truth is known."""

from __future__ import annotations

from math import log2

import pytest

from dilemmas.records import events as log
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import LifeHistories, PlayerLife, life_histories
from dilemmas.scenarios.societies.roles import RoleChange
from dilemmas.scenarios.village.measures import measures, society
from tests.fakes.known_lives import FARM, act, line, village, words
from voyager_agents.piano.rule_based.assumptions import rules


def test_roles_of_known_goals() -> None:
    steps = roles.role_changes([(float(n), FARM) for n in range(4)], rules())
    assert steps == []  # four goals are no set
    found = measures(village(), ["Ann", "Bob", "Cid"])
    assert found["roles"] == {"Ann": 1.0, "Bob": 2.0, "Cid": 1.0}
    # Of Bob's 16 sets of five the first 8 hold more farming than mining: one of 15 steps changes.
    assert found["role_persistence"] == {"Ann": 1.0, "Bob": pytest.approx(14 / 15), "Cid": 1.0}
    # Ann and Cid have one role from the fifth goal (40 s) to the end; Bob has two in that time.
    assert found["role_length_s"] == {"Ann": 160.0, "Bob": 80.0, "Cid": 160.0}
    assert found["coherence"] == {"Ann": 1.0, "Cid": 0.0}
    assert found["decisions"] == {"Ann": 4.0, "Bob": 0.0, "Cid": 4.0}


def test_measures_of_a_known_society() -> None:
    found = society(village())
    two_to_one = -(2 / 3 * log2(2 / 3) + 1 / 3 * log2(1 / 3))
    assert found["role_entropy_bits"] == pytest.approx(two_to_one)  # two of three are alike at every step
    assert found["role_persistence"] == pytest.approx((1 + 14 / 15 + 1) / 3)
    assert found["role_length_s"] == pytest.approx((160 + 80 + 80 + 160) / 4)
    assert sum(found["role_shares"].values()) == pytest.approx(1)
    assert set(found["role_shares"]) == {"farmer", "miner"}
    # What was done before there was a role counts for the first one; walking and what failed do not count.
    assert found["deeds_by_role"] == {"farmer": {"harvestCrop wheat": 5}, "miner": {"mineBlock iron_ore": 4}}
    assert found["mind"]["coherence"] == 0.5


def test_deeds_count_for_the_role_of_their_time_and_for_the_first_one_before_it() -> None:
    steps = {"Ann": [RoleChange(40, "farmer"), RoleChange(80, "miner")], "Bob": []}
    done = {"Ann": [(1.0, "till"), (39.9, "till"), (40.0, "sow"), (80.0, "dig")], "Bob": [(1.0, "dig")]}
    assert roles.deeds_by_role(done, steps) == {"farmer": {"till": 2, "sow": 1}, "miner": {"dig": 1}}


def test_entropy_of_known_distributions() -> None:
    assert roles.entropy({"a": 5}) == 0
    assert roles.entropy({"a": 5, "b": 5}) == 1
    assert roles.entropy({name: 2 for name in "abcdefgh"}) == 3
    assert roles.entropy({}) == 0
    assert roles.role_entropy([]) is None
    together = [[RoleChange(0, "a"), RoleChange(1, "b")]] * 4
    assert roles.role_entropy(together) == 0  # all change, and all are alike at any time
    assert roles.role_entropy([[RoleChange(0, "a")], [RoleChange(0, "b")], []]) == 1


def test_roles_at_times_spells_and_societies() -> None:
    steps = [RoleChange(10, "a"), RoleChange(20, "a"), RoleChange(30, "b"), RoleChange(40, "a")]
    assert roles.spells(steps, 100) == [(10, 30, "a"), (30, 40, "b"), (40, 100, "a")]
    assert [roles.role_at(steps, t) for t in (9.9, 10, 29, 30, 500)] == [None, "a", "a", "b", "a"]
    assert roles.persistence(steps) == pytest.approx(1 / 3)
    assert roles.persistence(steps[:1]) is None
    assert roles.mean_length([steps], 100) == pytest.approx((20 + 10 + 60) / 3)
    assert roles.only_in({"x": {"a", "b", "none"}, "y": {"b", "c"}}) == {"x": ["a"], "y": ["c"]}
    assert roles.only_in({"x": {"a"}}) == {"x": ["a"]}


def test_heat_maps_are_shares_of_rows_and_of_columns() -> None:
    table = {"farmer": {"till": 3.0, "eat": 1.0}, "miner": {"till": 1.0, "eat": 0.0}}
    assert roles.normalized(table)["farmer"] == {"till": 0.75, "eat": 0.25}
    columns = roles.transposed(roles.normalized(roles.transposed(table)))
    assert columns == {"farmer": {"till": 0.75, "eat": 1.0}, "miner": {"till": 0.25, "eat": 0.0}}
    assert roles.normalized({"idle": {"till": 0.0}}) == {"idle": {"till": 0.0}}


def test_reactions_are_from_the_event_to_the_first_act_or_words() -> None:
    lines = [
        line(log.LifeBegan(t_s=0, player="Ann", attempt=1)),
        line(log.LifeBegan(t_s=0, player="Bob", attempt=1)),
        line(words(10, "Bob", "Ann, come here", None, ("Ann",))),
        line(words(12, "Bob", "nice weather", None, ("Ann",))),  # meant for nobody
        line(act(12.5, "Ann", "walk", 1)),
        line(log.ActEnded(t_s=20, player="Ann", number=1, label="walk", ended="failed", error="no path", seconds=1,
                          gained={})),
        line(words(21, "Ann", "I cannot", 1)),
        line(words(100, "Bob", "Ann?", None, ("Ann",))),  # never answered
    ]  # fmt: skip
    lives = life_histories(lines).lives
    assert mind.reactions(lives["Ann"]) == [2.5, 1.0]
    assert mind.percentile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert mind.percentile(list(map(float, range(1, 101))), 0.95) == 95.0
    assert mind.percentile([], 0.95) is None


def test_use_of_modules_is_by_agent_and_minute() -> None:
    found = LifeHistories(until=120.0)
    for _ in range(2):
        modules = {"talking": {"runs": 20.0, "calls": 8.0, "stale": 2.0, "late_p99": 0.1, "late_most": 0.2}}
        found.lives[str(len(found.lives))] = PlayerLife(modules=modules, calls={"talking": (8, 800)})
    use = mind.uses(list(found.lives.values()), found.until)["talking"]
    assert (use.runs, use.calls, use.tokens, use.stale) == (10.0, 4.0, 400.0, 0.25)
    assert (use.late_p99, use.late_most) == (0.1, 0.2)


def test_repetitions_extend_an_entry_of_a_life_and_an_attempt_starts_anew() -> None:
    life = life_histories(village()).lives["Ann"]
    goals = [entry for entry in life.entries if entry.kind == "goal"]
    assert (goals[0].t_s, goals[0].text) == (0.0, FARM)
    assert sum(entry.times for entry in goals) == 20
    again = life_histories([*village(), line(log.EpisodeStarted(attempt=2))])
    assert again.lives == {}
