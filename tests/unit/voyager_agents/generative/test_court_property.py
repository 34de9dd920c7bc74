"""Invariants under arbitrary speech and action: no apple is created, no account is negative, the record replays."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative import GenerativeSettings, audit, scores
from voyager_agents.generative.acts import read_act
from voyager_agents.generative.court import CouncilCourt as Court
from voyager_agents.generative.terms import TermScope

PLAYERS = ("Ann", "Bob", "Cid", "Dan", "bot_1")
MEMBERS = PLAYERS[:4]
TREES = ("tree 1", "tree 2")
MODULES = ("communication", "constitution", "reputation")

names, trees = st.sampled_from(PLAYERS), st.sampled_from([*TREES, "*", "tree 9"])
terms = st.one_of(
    st.fixed_dictionaries({"kind": st.just("leave"), "tree": trees, "apples": st.integers(1, 4)}),
    st.fixed_dictionaries({"kind": st.just("avoid"), "tree": trees}),
    st.fixed_dictionaries({"kind": st.just("peace"), "player": st.sampled_from([*PLAYERS, "*", "Eve"])}),
    st.fixed_dictionaries({"kind": st.just("limit"), "apples": st.integers(0, 3)}),
)
acts = st.one_of(
    st.fixed_dictionaries(
        {
            "act": st.just("propose"),
            "to": st.lists(names, min_size=1, max_size=3),
            "term": terms,
            "rounds": st.integers(0, 8),
        }
    ),
    st.fixed_dictionaries(
        {"act": st.sampled_from(["accept", "decline"]), "agreement": st.sampled_from(["A1", "A2", "A3"])}
    ),
    st.fixed_dictionaries(
        {"act": st.just("rule"), "term": terms, "penalty": st.integers(-1, 12), "reward": st.integers(0, 10)}
    ),
    st.fixed_dictionaries({"act": st.just("repeal"), "rule": st.sampled_from(["R1", "R2"])}),
    st.fixed_dictionaries(
        {"act": st.just("vote"), "motion": st.sampled_from(["M1", "M2", "M3"]), "yes": st.booleans()}
    ),
)
takes = st.builds(
    HarvestAct, st.just("take"), names, st.just((1, 1)), st.sampled_from(TREES), st.integers(0, 5)
)  # fmt: skip
attacks = st.builds(HarvestAct, st.just("attack"), names, st.just((1, 1)), target=names, hit=st.booleans())
rounds = st.lists(
    st.tuples(
        st.lists(st.tuples(st.sampled_from(MEMBERS), acts), max_size=5),
        st.lists(st.one_of(takes, takes, attacks), max_size=6),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(rounds, st.sampled_from(["majority", "unanimity"]))
def test_whatever_happens_the_books_balance_and_the_record_is_true(played: list[Any], voting: str) -> None:
    chosen = GenerativeSettings(modules=MODULES, voting=voting, rule_period=3, proposal_rounds=2)
    court = Court(MEMBERS, TermScope(PLAYERS, TREES), chosen)
    entries = [court.opening()]
    for number, (said, deeds) in enumerate(played, 1):
        for player, act in said:
            entries += court.hear(number, player, read_act(act, MODULES))
        entries += court.judge(number, deeds)
        assert all(court.accounts.holds(name) >= 0 for name in MEMBERS)
    entries += court.close(len(played))
    apples = sum(deed.kind == "take" and deed.player in MEMBERS for _, deeds in played for deed in deeds)
    assert sum((court.accounts.holds(name) for name in MEMBERS), Fraction(0)) == apples
    assert sum(round(100 * each) for each in court.accounts.transfers().values()) == 0
    written = json.loads(json.dumps(entries))
    assert audit(written) == written
    assert scores(written) == {name: each.score for name, each in court.standings.items()}
    assert not court.agreements.open()
    assert not court.constitution.motions
