"""Terms, agreements, rules, accounts and reputation: tables of cases for the logic alone, without agents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from contracts.errors import Refused
from contracts.institutions import Accounts, Amend, Repeal, Rule, Vote
from voyager_agents import ReplyError
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative import GenerativeSettings, audit, scores
from voyager_agents.generative.acts import ACTS, read_act
from voyager_agents.generative.court import CouncilCourt as Court
from voyager_agents.generative.terms import TERMS, TermScope, read_term

PLAYERS = ("Ann", "Bob", "Cid", "bot_1")
MEMBERS = PLAYERS[:3]
SCOPE = TermScope(PLAYERS, ("tree 1", "tree 2"))
ALL = ("communication", "constitution", "reputation")
LEAVE = {"kind": "leave", "tree": "tree 1", "apples": 2}
TAKE = HarvestAct("take", "Ann", (1, 1), "tree 1", 1)
ATTACK = HarvestAct("attack", "Ann", (1, 1), target="Bob")


@pytest.mark.parametrize(
    ("term", "deed", "taken", "broken"),
    [
        (LEAVE, TAKE, 1, True),
        (LEAVE, replace(TAKE, left=2), 1, False),
        (LEAVE, replace(TAKE, tree="tree 2"), 1, False),
        (LEAVE | {"tree": "*"}, replace(TAKE, tree="tree 2"), 1, True),
        (LEAVE, ATTACK, 0, False),
        ({"kind": "avoid", "tree": "tree 1"}, replace(TAKE, left=9), 1, True),
        ({"kind": "avoid", "tree": "tree 2"}, TAKE, 1, False),
        ({"kind": "peace", "player": "Bob"}, ATTACK, 0, True),
        ({"kind": "peace", "player": "Cid"}, ATTACK, 0, False),
        ({"kind": "peace", "player": "*"}, ATTACK, 0, True),
        ({"kind": "limit", "apples": 3}, TAKE, 3, False),
        ({"kind": "limit", "apples": 3}, TAKE, 4, True),
        ({"kind": "limit", "apples": 0}, ATTACK, 4, False),
    ],
)
def test_whether_a_deed_breaks_a_term(term: dict[str, Any], deed: HarvestAct, taken: int, broken: bool) -> None:
    assert read_term(term, SCOPE).breaks(deed, taken) is broken


@pytest.mark.parametrize("kind", sorted(TERMS))
def test_every_term_tells_its_form_and_itself_in_words(kind: str) -> None:
    form = TERMS[kind].summary.partition("}")[0] + "}"
    raw = json.loads(form.replace(" T", ' "tree 1"').replace(" P", ' "Bob"').replace(" k", " 2"))
    term = read_term(raw, SCOPE)
    assert term.kind == kind
    assert term.says()


@pytest.mark.parametrize("kind", sorted(ACTS))
def test_every_act_belongs_to_a_module_and_tells_its_form(kind: str) -> None:
    assert ACTS[kind].module in ALL
    assert f'"act": "{kind}"' in ACTS[kind].summary
    with pytest.raises(ReplyError, match=f"act: '{kind}' is unknown here"):
        read_act({"act": kind}, ())


@pytest.mark.parametrize(
    ("term", "told"),
    [
        ({}, "kind: None is unknown: choose one of leave, avoid, peace, limit"),
        ({"kind": {}}, "is unknown"),
        ({"kind": "leave", "tree": "tree 9", "apples": 1}, "tree: 'tree 9' is not there: name tree 1, tree 2 or '\\*'"),
        ({"kind": "leave", "tree": "tree 1", "apples": True}, "term leave: apples"),
        ({"kind": "leave", "tree": "tree 1", "apples": 1, "unless": "hungry"}, "term leave: unless"),
        ({"kind": "peace", "player": "Dan"}, "player: 'Dan' is not there"),
        ({"kind": "peace", "player": "B\u043eb"}, "is not there"),
        ({"kind": "limit", "apples": -1}, "term limit: apples"),
    ],
)
def test_a_term_that_is_none_is_refused(term: dict[str, Any], told: str) -> None:
    with pytest.raises(Refused, match=told):
        read_term(term, SCOPE)


class Table:
    """Court together with its recorded entries."""

    def __init__(self, **settings: Any) -> None:  # noqa: ANN401
        chosen = GenerativeSettings(**{"modules": ALL, **settings})
        self.court = Court(MEMBERS, SCOPE, chosen)
        self.entries = [self.court.opening()]

    def act(self, round: int, player: str, **act: Any) -> list[dict[str, Any]]:  # noqa: ANN401
        return self._keep(self.court.hear(round, player, read_act(act, self.court.settings.modules)))

    def agree(self, round: int = 1, term: dict[str, Any] | None = None, rounds: int = 4) -> None:
        self.act(round, "Ann", act="propose", to=["Bob"], term=term or LEAVE, rounds=rounds)
        self.act(round, "Bob", act="accept", agreement=list(self.court.agreements.all)[-1])

    def judge(self, round: int, *deeds: HarvestAct) -> list[dict[str, Any]]:
        return self._keep(self.court.judge(round, deeds))

    def close(self, round: int) -> list[dict[str, Any]]:
        return self._keep(self.court.close(round))

    def pass_rule(self, round: int = 1, term: dict[str, Any] | None = None, **cost: int) -> None:
        self.act(round, "Ann", act="rule", term=term or LEAVE, **{"penalty": 2, "reward": 0, **cost})
        self.act(round, "Bob", act="vote", motion=list(self.court.constitution.motions)[-1], yes=True)

    def found(self, what: str) -> list[dict[str, Any]]:
        return [each for each in self.entries if each["what"] == what]

    def _keep(self, entries: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        self.entries += entries
        return list(entries)


def whats(entries: Sequence[dict[str, Any]]) -> list[str]:
    return [str(each["what"]) for each in entries]


def test_an_agreement_binds_once_every_party_has_accepted() -> None:
    table = Table()
    table.act(1, "Ann", act="propose", to=["Bob", "Cid"], term=LEAVE, rounds=4)
    table.judge(1, TAKE)
    assert table.found("broken") == []
    assert whats(table.act(2, "Bob", act="accept", agreement="A1")) == ["act", "agreement_accepted"]
    made = table.act(2, "Cid", act="accept", agreement="A1")[-1]
    assert (made["what"], made["first"], made["until"]) == ("agreement_made", 2, 5)
    table.judge(2, TAKE)
    assert [(each["player"], each["id"], each["deed"]) for each in table.found("broken")] == [("Ann", "A1", 0)]


def test_a_breach_frees_the_others_and_counts_for_nobody_else() -> None:
    table = Table()
    table.agree()
    judged = table.judge(1, replace(TAKE, player="Bob"), TAKE, TAKE)
    assert whats(judged[4:]) == ["broken", "agreement_ended", "reputation"]
    assert table.judge(4) == [{"what": "round_over", "round": 4}]
    assert {name: (each.kept, each.broken) for name, each in table.court.standings.items()} == {
        "Ann": (0, 0),
        "Bob": (0, 1),
        "Cid": (0, 0),
    }


def test_a_promise_that_held_to_the_end_is_kept_by_each_whom_it_bound() -> None:
    table = Table()
    table.agree(term={"kind": "peace", "player": "Bob"})
    for round in range(1, 5):
        table.judge(round, replace(ATTACK, player="Cid"), replace(ATTACK, player="Bob", target="Ann"))
    assert [(each["player"], each["round"]) for each in table.found("kept")] == [("Ann", 4)]
    assert table.found("agreement_ended")[0]["why"] == "fulfilled"


def test_a_limit_counts_only_what_is_taken_while_it_binds() -> None:
    table = Table()
    table.judge(1, *[TAKE] * 5)
    table.agree(2, {"kind": "limit", "apples": 2})
    assert table.judge(2, TAKE, TAKE)[-1]["what"] == "round_over"
    assert "broken" in whats(table.judge(3, TAKE))


@pytest.mark.parametrize(
    ("player", "act", "told"),
    [
        ("Ann", {"act": "propose", "to": ["Ann"], "term": LEAVE, "rounds": 4}, "'Ann' cannot agree"),
        ("Ann", {"act": "propose", "to": ["bot_1"], "term": LEAVE, "rounds": 4}, "name Bob, Cid"),
        ("Ann", {"act": "propose", "to": ["Bob", "Bob"], "term": LEAVE, "rounds": 4}, "name each once"),
        ("Ann", {"act": "propose", "to": ["Bob"], "term": LEAVE, "rounds": 2}, "binds for 3 to 50 rounds"),
        ("Ann", {"act": "propose", "to": ["Bob"], "term": LEAVE, "rounds": 51}, "binds for 3 to 50 rounds"),
        ("Ann", {"act": "propose", "to": ["Bob"], "term": LEAVE | {"tree": "x"}, "rounds": 4}, "'x' is not there"),
        ("Bob", {"act": "propose", "to": ["Ann"], "term": LEAVE, "rounds": 4}, "A1 says that already"),
        ("Ann", {"act": "accept", "agreement": "A1"}, "does not wait for you: what does is none"),
        ("Cid", {"act": "accept", "agreement": "A1"}, "does not wait for you"),
        ("Bob", {"act": "accept", "agreement": "A2"}, "'A2' does not wait for you: what does is A1"),
        ("Cid", {"act": "vote", "motion": "M1", "yes": True}, "'M1' is not open: open are none"),
        ("Cid", {"act": "repeal", "rule": "R1"}, "'R1' is not in force"),
        ("Cid", {"act": "rule", "term": LEAVE, "penalty": 11, "reward": 0}, "penalty: 11: 0 to 10 apples"),
        ("Cid", {"act": "rule", "term": LEAVE, "penalty": 0, "reward": -1}, "reward: -1"),
    ],
)
def test_what_is_not_legal_is_refused_and_changes_nothing(player: str, act: dict[str, Any], told: str) -> None:
    table = Table()
    table.act(1, "Ann", act="propose", to=["Bob"], term=LEAVE, rounds=4)
    before = (len(table.court.agreements.open()), len(table.court.constitution.motions))
    refused = table.act(1, player, **act)
    assert whats(refused) == ["act", "refused"]
    assert told in refused[1]["why"]
    assert (len(table.court.agreements.open()), len(table.court.constitution.motions)) == before


def test_proposals_end_by_refusal_by_time_and_with_the_game() -> None:
    table = Table(proposal_rounds=2)
    for number in (1, 2, 3, 4):
        table.act(1, "Ann", act="propose", to=["Bob"], term=LEAVE | {"apples": number}, rounds=4)
    assert "3 proposals of yours are open" in table.entries[-1]["why"]
    assert whats(table.act(1, "Bob", act="decline", agreement="A1"))[-1] == "agreement_declined"
    table.act(2, "Bob", act="propose", to=["Ann"], term={"kind": "limit", "apples": 1}, rounds=4)
    table.judge(2)
    assert table.found("agreement_ended") == []
    table.judge(3)
    assert [(each["agreement"], each["why"]) for each in table.found("agreement_ended")] == [
        ("A2", "not accepted in time"),
        ("A3", "not accepted in time"),
    ]
    assert whats(table.close(3)) == ["game_over", "agreement_ended"]


@pytest.mark.parametrize(("last", "kept"), [(2, 0), (3, 2)])
def test_a_promise_cut_short_by_the_end_counts_only_if_it_bound_long_enough(last: int, kept: int) -> None:
    table = Table()
    table.agree(rounds=40)
    table.close(last)
    assert len(table.found("kept")) == kept


@pytest.mark.parametrize(
    ("voting", "votes", "end"),
    [
        ("majority", [], None),
        ("majority", [("Bob", True)], "rule_passed"),
        ("majority", [("Bob", False)], None),
        ("majority", [("Bob", False), ("Cid", True)], "rule_passed"),
        ("majority", [("Bob", False), ("Cid", False)], "rule_failed"),
        ("unanimity", [("Bob", True)], None),
        ("unanimity", [("Bob", True), ("Cid", True)], "rule_passed"),
        ("unanimity", [("Bob", False)], "rule_failed"),
    ],
)
def test_votes_decide_as_soon_as_they_can(voting: str, votes: list[tuple[str, bool]], end: str | None) -> None:
    table = Table(voting=voting)
    table.act(1, "Ann", act="rule", term=LEAVE, penalty=1, reward=0)
    for player, yes in votes:
        table.act(1, player, act="vote", motion="M1", yes=yes)
    ends = [each for each in whats(table.entries) if each in ("rule_passed", "rule_failed")]
    assert ends == ([] if end is None else [end])


def test_a_vote_counts_once_and_a_rule_can_be_repealed() -> None:
    table = Table(voting="unanimity")
    table.act(1, "Ann", act="rule", term=LEAVE, penalty=1, reward=0)
    assert table.act(1, "Ann", act="vote", motion="M1", yes=True)[-1]["why"] == "you have voted on M1 already"
    for player in ("Bob", "Cid"):
        table.act(1, player, act="vote", motion="M1", yes=True)
    table.act(6, "Cid", act="repeal", rule="R1")
    assert whats(table.act(6, "Bob", act="repeal", rule="R1"))[-1] == "refused"
    for player in ("Ann", "Bob"):
        table.act(6, player, act="vote", motion="M2", yes=True)
    assert table.entries[-1]["what"] == "rule_repealed"
    assert table.judge(6, TAKE)[-1]["what"] == "round_over"


def test_a_penalty_is_paid_to_the_others_and_only_as_far_as_it_can_be() -> None:
    table = Table()
    table.pass_rule(penalty=3)
    table.judge(1, *[replace(TAKE, left=9)] * 2, TAKE, TAKE, replace(TAKE, player="bot_1"))
    paid = [(each["due"], each["paid"], each["to"]) for each in table.found("penalty")]
    assert paid == [(3, 3.0, {"Bob": 1.5, "Cid": 1.5}), (3, 1.0, {"Bob": 0.5, "Cid": 0.5})]
    assert table.court.accounts.transfers() == {"Ann": -4.0, "Bob": 2.0, "Cid": 2.0}
    assert table.court.accounts.holds("Ann") == 0


def test_a_period_pays_keepers_from_breakers_and_nothing_from_nowhere() -> None:
    table = Table(rule_period=3)
    table.pass_rule(penalty=0, reward=2)
    table.judge(1, *[replace(TAKE, left=9)] * 9, TAKE, TAKE)
    table.judge(3)
    assert [(each["payer"], each["to"]) for each in table.found("reward")] == [("Ann", {"Bob": 2.0, "Cid": 2.0})]
    assert [(each["what"], each["player"]) for each in table.entries if each["what"] in ("kept", "broken")] == [
        ("kept", "Bob"),
        ("kept", "Cid"),
        ("broken", "Ann"),
    ]
    table.judge(6)
    assert len(table.found("reward")) == 1
    assert len(table.found("kept")) == 5
    assert sum(table.court.accounts.transfers().values()) == 0


def test_shares_that_do_not_divide_are_whole_hundredths_and_sum_to_zero() -> None:
    accounts = Accounts(["a", "b", "c", "d"])
    accounts.earn("a")
    assert accounts.pay("R1", "a", ["b", "c", "d"], Fraction(1)) == dict.fromkeys("bcd", Fraction(33, 100))
    assert accounts.holds("a") == Fraction(1, 100)
    assert accounts.pay("R1", "a", ["b", "c", "d"], Fraction(5)) == {}
    assert accounts.pay("R1", "a", [], Fraction(5)) == {}
    moved = accounts.transfers()
    assert moved == {"a": -0.99, "b": 0.33, "c": 0.33, "d": 0.33}


def test_reputation_is_the_stated_formula_and_only_told_where_it_is_switched_on() -> None:
    table, silent = Table(), Table(modules=("communication",))
    for each in (table, silent):
        each.agree(rounds=3)
        each.judge(1)
        each.judge(3)
        each.agree(4, {"kind": "avoid", "tree": "tree 2"}, 3)
        each.judge(4, replace(TAKE, tree="tree 2"))
    assert scores(table.entries) == {"Ann": 2 / 4, "Bob": 2 / 3, "Cid": 1 / 2}
    live = {each["player"]: each["score"] for each in table.found("reputation")}
    assert live == {"Ann": 2 / 4, "Bob": 2 / 3}
    assert silent.found("reputation") == []
    assert scores(silent.entries) == scores(table.entries)


def test_a_record_gone_through_again_gives_the_same_and_a_false_one_does_not() -> None:
    table = Table()
    table.agree()
    table.pass_rule(term=LEAVE | {"apples": 3}, reward=1)
    table.act(1, "Cid", act="ask", to="Ann", text="why?")
    table.act(1, "Cid", act="accept", agreement="A1")
    table.judge(1, replace(TAKE, left=5), TAKE)
    table.close(12)
    written = [json.loads(json.dumps(each)) for each in table.entries]
    assert audit(written) == written
    forged = [each for each in written if each["what"] != "broken"]
    assert audit(forged) == written
    assert scores(forged) != scores(written)


def test_a_rule_is_amended_by_its_voters_and_only_while_it_is_in_force() -> None:
    settings = GenerativeSettings(modules=ALL)
    court = Court(MEMBERS, SCOPE, settings)
    court.hear(1, "Ann", Rule(act="rule", term=LEAVE, penalty=1, reward=0))
    passed = court.hear(1, "Bob", Vote(act="vote", motion="M1", yes=True))[-1]
    assert (passed["what"], passed["rule"]) == ("rule_passed", "R1")
    stricter = {**LEAVE, "apples": 3}
    amend = Amend(act="amend", rule="R1", term=stricter, penalty=4, reward=1)
    moved = court.hear(2, "Cid", amend)[1]
    assert (moved["does"], moved["amends"], moved["says"]) == ("amend", "R1", "leave at least 3 apples on tree 1")
    assert court.hear(2, "Ann", amend)[-1]["why"] == "there is a motion that says so: M2"
    amended = court.hear(2, "Ann", Vote(act="vote", motion="M2", yes=True))[-1]
    assert (amended["what"], amended["rule"], amended["penalty"]) == ("rule_amended", "R1", 4)
    assert [law.term.model_dump() for law in court.constitution.laws.values()] == [stricter]
    assert court.hear(2, "Ann", amend)[-1]["why"] == "R1 says that already"
    gone = amend.model_copy(update={"rule": "R7"})
    assert court.hear(2, "Ann", gone)[-1]["why"] == "rule: 'R7' is not in force: what is in force is R1"
    court.accounts.earn("Ann", 10)
    entries = court.judge(3, [replace(TAKE, left=2)])
    assert [each["paid"] for each in entries if each["what"] == "penalty"] == [4.0]


def test_an_amendment_of_a_rule_that_was_repealed_meanwhile_falls() -> None:
    court = Court(MEMBERS, SCOPE, GenerativeSettings(modules=ALL))
    court.hear(1, "Ann", Rule(act="rule", term=LEAVE, penalty=1, reward=0))
    court.hear(1, "Bob", Vote(act="vote", motion="M1", yes=True))
    court.hear(2, "Ann", Amend(act="amend", rule="R1", term=LEAVE, penalty=2, reward=0))
    court.hear(2, "Bob", Repeal(act="repeal", rule="R1"))
    court.hear(2, "Cid", Vote(act="vote", motion="M3", yes=True))
    fallen = court.hear(2, "Bob", Vote(act="vote", motion="M2", yes=True))[-1]
    assert (fallen["what"], fallen["why"]) == ("rule_failed", "the rule is not in force any more")
    assert court.constitution.laws == {}
