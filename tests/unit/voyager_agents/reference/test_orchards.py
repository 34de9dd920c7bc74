"""Players of a commons who compute and bargain: expectations, bounds set by contracts, tables of three."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contracts import (
    Contract,
    ContractScope,
    Expression,
    NegotiationRules,
    Obligation,
    Sheet,
    Transfer,
    library_contract,
    negotiate,
)
from contracts.negotiation import Negotiated
from dilemmas.scenarios.registry import load_scenario
from tests.unit.voyager_agents.scene import policy, seen
from voyager_agents import PlayerError, ReferenceAgent
from voyager_agents.facts import Commons
from voyager_agents.reference.games import Outlook, game_of, planned
from voyager_agents.reference.multiparty_bargainer import pool
from voyager_agents.reference.orchards import STRIP, SUSTAIN, fair_quota, yields
from voyager_agents.reference.planning import quota


def commons(scenario: str = "commons-harvest") -> Commons:
    found = load_scenario(scenario).facts()
    assert isinstance(found, Commons)
    return found


COMMONS = commons()
PLAYERS = COMMONS.players
ALL, NONE = (SUSTAIN,) * 3, (STRIP,) * 3


@pytest.mark.parametrize("scenario", ["commons-harvest", "commons-harvest-single-tree"])
def test_what_they_expect_is_the_dilemma(scenario: str) -> None:
    facts = commons(scenario)
    outlook = Outlook(game_of(facts), None)
    (reward, *_), (punishment, *_) = outlook.table[ALL], outlook.table[NONE]
    (tempted, sucker), (_, alone) = yields(facts, 1, 2), yields(facts, 2, 1)
    assert reward > punishment > alone
    assert tempted > reward > sucker
    assert 3 * reward > tempted + 2 * sucker
    assert [each for each in Outlook(game_of(facts), None).table if Outlook(game_of(facts), None).stable(each)] == [
        NONE
    ]


def test_what_they_expect_is_near_to_what_is_measured() -> None:
    """Payoffs measured by a Schelling diagram of ten seeds on mock: 44.1, 26.3, 49.8 beside 19.2, 31.1 beside 18.8."""
    expected = [*yields(COMMONS, 0, 3), *yields(COMMONS, 3, 0), *yields(COMMONS, 1, 2), *yields(COMMONS, 2, 1)]
    assert expected == pytest.approx([0, 44.1, 26.3, 0, 49.8, 19.2, 31.1, 18.8], rel=0.15)


def test_who_shares_in_everything_does_best_by_leaving_enough() -> None:
    shared = Outlook(game_of(COMMONS), pool(PLAYERS, dict.fromkeys(PLAYERS, 1 / 3)))
    assert shared.stable(ALL)
    assert not shared.stable(NONE)
    assert all(chances[SUSTAIN] > 0.9 for chances in shared.mixed)
    assert all(chances[STRIP] > 0.9 for chances in Outlook(game_of(COMMONS), None).mixed)


def test_nobody_gains_by_breaking_the_librarys_contract() -> None:
    contract = library_contract("commons_harvest_1")
    profile, plan = planned(contract, COMMONS)
    assert profile == ALL
    assert plan == {player: {"poppy": 45} for player in PLAYERS}
    outlook = Outlook(game_of(COMMONS, plan), contract)
    assert [each for each in outlook.table if outlook.stable(each)] == [ALL]
    assert outlook.table[STRIP, SUSTAIN, SUSTAIN][0] < outlook.table[ALL][0] / 2


def bound(condition: str, party: str = "Laura") -> Contract:
    duty = Obligation("quota", party, Expression(condition), "a quota")
    return Contract("bounds", "1. A quota.", PLAYERS, (), (duty,))


@pytest.mark.parametrize(
    ("condition", "most"),
    [
        ("Laura.mined.poppy <= 45", 45),
        ("Laura.items.apple <= 22.5", 22),
        ("Laura.mined.poppy < 45", 44),
        ("Laura.mined.poppy == 0", 0),
        ("Laura.mined.poppy > 3 and Laura.mined.poppy <= 9", 9),
        ("Laura.mined.poppy >= 45", None),
        ("Pedro.mined.poppy <= 45", None),
        ("Laura.mined.poppy <= Pedro.mined.poppy", None),
        ("Laura.mined.poppy <= 9 or Laura.mined.poppy <= 45", None),
    ],
)
def test_a_quota_is_read_off_the_terms(condition: str, most: int | None) -> None:
    assert quota(bound(condition), COMMONS, "Laura") == most
    assert quota(bound(condition), COMMONS, "Marta") is None


@pytest.mark.parametrize(("condition", "most"), [("Laura.mined.poppy <= 45", 45), ("Laura.mined.poppy < 0", None)])
def test_who_is_paid_only_below_a_bound_keeps_below_it(condition: str, most: int | None) -> None:
    paid = Transfer("pays", "Pedro", "Laura", Expression("3"), Expression(condition))
    contract = Contract("paid", "1. Pedro pays Laura 3 apples.", PLAYERS, (paid,))
    assert [quota(contract, COMMONS, player) for player in PLAYERS] == [most, None, None]


@pytest.mark.parametrize("kind", ["reference", "best-response", "quota-harvester"])
async def test_programs_keep_to_the_contract_and_strip_without_one(kind: str) -> None:
    contract = library_contract("commons_harvest_1")
    assert "taken < 45 ? nearest(spare()) : null" in await policy("Laura", kind, COMMONS, contract)
    sustains = await policy("Laura", kind, COMMONS, bound("Laura.mined.poppy >= 0"))
    assert ("nearest(spare())" in sustains) is (kind != "best-response")
    assert "taken <" not in sustains
    assert ("nearest(spare())" in await policy("Laura", kind, COMMONS, None)) is (kind == "quota-harvester")


async def test_a_text_alone_is_nothing_that_they_can_follow() -> None:
    with pytest.raises(PlayerError, match="'words' has no typed terms"):
        await policy("Laura", "reference", COMMONS, Contract("words", "1. Be kind.", PLAYERS))


async def bargained(
    table: NegotiationRules, kind: str = "reference", facts: Commons = COMMONS, seed: int = 0
) -> Negotiated:
    agents = [ReferenceAgent(name, kind, seed=seed) for name in facts.players]
    for agent in agents:
        agent.observe(seen(agent.name, facts))
    return await negotiate(agents, table)


@pytest.mark.parametrize("kind", ["reference", "best-response"])
@pytest.mark.parametrize("scope", [ContractScope.BOTH, ContractScope.TRANSFERS])
async def test_three_agree_and_all_of_them_gain(scope: ContractScope, kind: str) -> None:
    found = await bargained(NegotiationRules(6, scope), kind)
    contract = found.contract
    assert contract is not None
    offered = max(entry.round for entry in found.transcript if entry.proposal is not None)
    assert [entry.of for entry in found.transcript if entry.round > offered] == [offered] * 2
    assert len(contract.transfers) == 6
    assert len(contract.obligations) == (3 if scope is ContractScope.BOTH else 0)
    assert "of all apples it earned" in contract.text or scope is ContractScope.TRANSFERS
    _, plan = planned(contract, COMMONS)
    outlook = Outlook(game_of(COMMONS, plan), contract)
    alone = Outlook(game_of(COMMONS), None).table[NONE]
    assert outlook.stable(ALL)
    assert all(mine > before for mine, before in zip(outlook.table[ALL], alone, strict=True))


async def test_words_alone_are_given_by_those_who_keep_them() -> None:
    assert (await bargained(NegotiationRules(6, ContractScope.COORDINATION), "best-response")).contract is None
    kept = (await bargained(NegotiationRules(6, ContractScope.COORDINATION))).contract
    assert kept is not None
    assert kept.transfers == ()
    assert {quota(kept, COMMONS, player) for player in PLAYERS} == {fair_quota(COMMONS)}


@pytest.mark.parametrize(("rounds", "agreed"), [(2, False), (3, True)])
async def test_three_need_three_messages(rounds: int, agreed: bool) -> None:
    assert ((await bargained(NegotiationRules(rounds))).contract is not None) is agreed


@pytest.mark.parametrize("kind", ["reference", "best-response"])
async def test_who_is_greedy_and_makes_the_last_offer_gets_more(kind: str) -> None:
    async def share(table: NegotiationRules) -> float:
        contract = (await bargained(table, kind)).contract
        assert contract is not None
        return float(next(each.amount.product[0] for each in contract.transfers if each.payee == "Laura"))

    assert (
        await share(NegotiationRules(3, greedy=("Laura",)))
        > await share(NegotiationRules(3))
        > await share(NegotiationRules(3, opens="Pedro"))
    )


async def test_terms_are_ratified_by_whom_they_serve() -> None:
    agent = ReferenceAgent("Marta")
    agent.observe(seen("Marta", COMMONS))
    fair = pool(PLAYERS, dict.fromkeys(PLAYERS, 1 / 3))
    poor = pool(PLAYERS, {"Laura": 0.5, "Pedro": 0.45, "Marta": 0.05})
    assert [(await agent.ratify(Sheet(each, {}))).ratified for each in (fair, poor)] == [True, False]


def test_more_than_the_game_is_made_for_are_refused() -> None:
    names = tuple(f"Player{number}" for number in range(6))
    crowd = replace(COMMONS, players=names, values={name: {"apple": 1} for name in names})
    with pytest.raises(PlayerError, match="no game is known of Commons for these players: 2 to 5"):
        game_of(crowd)
