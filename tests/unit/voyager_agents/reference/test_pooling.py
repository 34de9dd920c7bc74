"""Best-response players, and the bargainer for any number of players and any scope."""

from __future__ import annotations

import pytest

from contracts import Contract, ContractScope, NegotiationRules, Ratification, Sheet, library_contract, negotiate
from contracts.negotiation import Negotiated
from tests.unit.voyager_agents.scene import DOUBLE_VEIN, seen
from voyager_agents import Facts, PlayerError, PublicGood, ReferenceAgent
from voyager_agents.reference.games import GRAB, PLAN, Outlook, game_of, planned
from voyager_agents.reference.multiparty_bargainer import pool

CLEANUP = PublicGood(
    players=("Gizmo", "Glitch"),
    crop="red_mushroom_block",
    item="red_mushroom",
    waste="slime_block",
    threshold=7,
    values={"Gizmo": {"red_mushroom": 3}, "Glitch": {"red_mushroom": 3}},
    field=(0, 0, 0),
    commons=(9, 0, 0),
)
EQUAL = {"Gizmo": 0.5, "Glitch": 0.5}


def stands(facts: Facts | PublicGood, contract: Contract | None, profile: tuple[str, ...]) -> bool:
    return Outlook(game_of(facts), contract).stable(profile)


def test_without_payments_grabbing_is_all_that_holds_by_itself() -> None:
    outlook = Outlook(game_of(DOUBLE_VEIN), None)
    assert outlook.table[(GRAB, GRAB)] == pytest.approx((36, 33))
    assert [profile for profile in outlook.table if outlook.stable(profile)] == [(GRAB, GRAB)]
    assert not stands(CLEANUP, None, ("harvest", "clean"))


def test_who_shares_in_everything_does_best_by_what_is_best_for_all() -> None:
    shared = pool(("Gizmo", "Glitch"), EQUAL)
    assert stands(DOUBLE_VEIN, shared, ("iron_ore", "diamond_ore"))
    assert not stands(DOUBLE_VEIN, shared, (GRAB, GRAB))
    assert stands(CLEANUP, shared, ("harvest", "clean"))
    assert stands(CLEANUP, shared, ("clean", "harvest"))


@pytest.mark.parametrize("name", ["double_vein_1", "double_vein_2"])
def test_the_studys_contracts_would_be_broken_by_who_grabs_everything(name: str) -> None:
    contract = library_contract(name)
    profile, plan = planned(contract, DOUBLE_VEIN)
    assert profile == (PLAN, PLAN)
    assert plan == {"Gizmo": {"iron_ore": 12}, "Glitch": {"diamond_ore": 6}}
    outlook = Outlook(game_of(DOUBLE_VEIN, plan), contract)
    assert sum(outlook.table[profile]) == 78
    assert not outlook.stable(profile)


def test_players_who_are_alike_and_have_agreed_on_nothing_are_treated_alike() -> None:
    first, second = Outlook(game_of(CLEANUP), pool(("Gizmo", "Glitch"), EQUAL)).mixed
    assert first == pytest.approx(second)
    assert sum(first.values()) == pytest.approx(1)
    drawn = [Outlook(game_of(CLEANUP), None).draw("Gizmo", seed, 0) for seed in range(30)]
    assert set(drawn) == {"harvest", "alternate"}


async def bargained(
    facts: Facts | PublicGood, table: NegotiationRules, kind: str = "best-response", seed: int = 0
) -> Negotiated:
    agents = [ReferenceAgent(name, kind, seed=seed) for name in facts.players]
    for agent in agents:
        agent.observe(seen(agent.name, facts))
    return await negotiate(agents, table)


@pytest.mark.parametrize("facts", [DOUBLE_VEIN, CLEANUP])
@pytest.mark.parametrize("scope", [ContractScope.BOTH, ContractScope.TRANSFERS])
async def test_shares_of_the_pool_are_whole_and_everybody_gains(
    facts: Facts | PublicGood, scope: ContractScope
) -> None:
    contract = (await bargained(facts, NegotiationRules(6, scope))).contract
    assert contract is not None
    assert contract.scope is scope
    assert bool(contract.schedule) is (scope is ContractScope.BOTH)
    shares = [each.amount.product[0] for each in contract.transfers]
    assert sum(shares) == 1
    assert all(0 < share < 1 for share in shares)


async def test_promises_that_do_not_hold_are_not_made_and_word_keepers_share_out_what_serves_both() -> None:
    for facts in (DOUBLE_VEIN, CLEANUP):
        assert (await bargained(facts, NegotiationRules(6, ContractScope.COORDINATION))).contract is None
        kept = (await bargained(facts, NegotiationRules(6, ContractScope.COORDINATION), "reference")).contract
        assert kept is not None
        assert kept.transfers == ()
        _, plan = planned(kept, facts)
        outlook = Outlook(game_of(facts, plan), None)
        profile, _ = planned(kept, facts)
        assert profile is not None
        alone = outlook.table[(outlook.game.selfish,) * 2]
        assert all(mine > before for mine, before in zip(outlook.game.payoffs(profile, None), alone, strict=True))


@pytest.mark.parametrize("kind", ["reference", "best-response"])
async def test_who_is_greedy_and_opens_gets_more(kind: str) -> None:
    async def mine(table: NegotiationRules) -> float:
        contract = (await bargained(CLEANUP, table, kind)).contract
        assert contract is not None
        return 1 - float(next(each.amount.product[0] for each in contract.transfers if each.payer == "Gizmo"))

    assert await mine(NegotiationRules(6, greedy=("Gizmo",))) > await mine(NegotiationRules(6)) + 0.1


async def test_terms_are_ratified_by_whom_they_serve() -> None:
    agent = ReferenceAgent("Glitch")
    agent.observe(seen("Glitch"))

    async def answer(share: float) -> Ratification:
        return await agent.ratify(Sheet(pool(("Gizmo", "Glitch"), {"Gizmo": 1 - share, "Glitch": share}), {}))

    assert [(await answer(share)).ratified for share in (0.1, 0.9)] == [False, True]


def test_what_it_knows_no_game_of_it_says() -> None:
    with pytest.raises(PlayerError, match="no game is known"):
        game_of(None)
