from __future__ import annotations

import re
from dataclasses import replace

import pytest

from contracts import Contract, Expression, FormalJudge, Transfer, library_contract, load_contract, negotiate, settle
from tests.unit.voyager_agents.scene import DOUBLE_VEIN, ONE_TOOL, Ended, perform, policy, seen
from voyager_agents import PLAYERS, Facts, ObservationError, PlayerError, ReferenceAgent
from voyager_agents.reference.greedy import PlayerState, Temperament, greedy, ore_order, ranked_tools, temperament
from voyager_agents.reference.planning import owed, schedule
from voyager_agents.voyager.code import extract_policy

CONTRACTS = ["double_vein_1", "double_vein_2"]
STEWARDS = {"harvester", "cleaner", "alternator", "conditional-cooperator", "splitter", "steward"}
"""Players of public goods, tested in tests/unit/voyager_agents/reference/test_stewards.py."""
CHOOSERS = {"always-cooperate", "always-defect"}
"""Players of games given by their payoffs, tested in tests/unit/voyager_agents/stage_games."""
FORAGERS = {
    "sustainable-harvester", "quota-harvester", "greedy-harvester", "conditional-harvester", "aggressive-bot",
}  # fmt: skip
"""Players of a commons, tested in tests/unit/dilemmas/scenarios/commons_harvest/test_commons.py."""
BUILDERS = {"builder", "building-helper", "plan-teller"}
"""Players of buildings, tested in tests/unit/dilemmas/scenarios/build_together/test_build_together.py."""
COOKS = {"line-cook", "solo-cook"}
"""Players of kitchens, tested in tests/unit/voyager_agents/reference/test_cooks.py."""


async def staged(kinds: tuple[str, str], contract: Contract | None, facts: Facts = DOUBLE_VEIN, seed: int = 0) -> Ended:
    pairs = zip(facts.players, kinds, strict=True)
    return perform(facts, {name: await policy(name, kind, facts, contract, seed) for name, kind in pairs})


async def payoffs(end: Ended, contract: Contract, facts: Facts = DOUBLE_VEIN) -> tuple[list[float], list[str]]:
    evidence = end.evidence(facts)
    verdict = await FormalJudge().judge(contract, evidence)
    settled = settle({name: evidence.reward(name) for name in facts.players}, verdict)
    return [float(settled.payoffs[name]) for name in facts.players], [each.subject for each in verdict.breaches]


@pytest.mark.parametrize(("name", "expected"), [("double_vein_1", [37, 41]), ("double_vein_2", [39, 39])])
async def test_followers_fulfil_the_librarys_contracts(name: str, expected: list[float]) -> None:
    contract = library_contract(name)
    end = await staged(("follower", "follower"), contract)
    assert end.errors == {}
    assert await payoffs(end, contract) == (expected, [])


@pytest.mark.parametrize("name", CONTRACTS)
async def test_followers_go_by_the_terms_not_by_the_contracts_name(name: str) -> None:
    plain = replace(library_contract(name), name="other", text="1. Terms only.", schedule=())
    end = await staged(("follower", "follower"), plain)
    assert (await payoffs(end, plain))[1] == []
    assert end.mined == {"Gizmo": {"iron_ore": 12}, "Glitch": {"diamond_ore": 6}}


async def test_what_payments_alone_leave_open_a_keeper_of_its_word_does_as_it_pays_best() -> None:
    payments = Contract(
        "halves",
        "1. Each pays the other half of what it earned.",
        DOUBLE_VEIN.players,
        tuple(
            Transfer(f"{payer}-pays", payer, payee, Expression(f"0.5 * {payer}.reward"))
            for payer, payee in (DOUBLE_VEIN.players, DOUBLE_VEIN.players[::-1])
        ),
    )
    for player in DOUBLE_VEIN.players:
        kept = await policy(player, "reference", DOUBLE_VEIN, payments, 0)
        assert kept == await policy(player, "best-response", DOUBLE_VEIN, payments, 0)
    assert (await staged(("reference", "reference"), payments)).errors == {}


@pytest.mark.parametrize(
    ("name", "kinds", "breach", "breacher", "gain"),
    [
        ("double_vein_2", ("keeps-pickaxe", "follower"), "gizmo-returns-pickaxe", 0, 48 - 24),
        ("double_vein_2", ("poacher", "follower"), "gizmo-leaves-diamonds", 0, 72 - 24),
        ("double_vein_2", ("follower", "poacher"), None, 1, 39),
        ("double_vein_1", ("follower", "poacher"), "glitch-leaves-iron", 1, None),
        ("double_vein_1", ("keeps-pickaxe", "follower"), "gizmo-leaves-iron-pickaxe", 0, 48 - 11),
    ],
)
async def test_a_breach_is_noticed_and_earns_only_what_the_terms_give(
    name: str, kinds: tuple[str, str], breach: str | None, breacher: int, gain: float | None
) -> None:
    contract = library_contract(name)
    end = await staged(kinds, contract)
    paid, breaches = await payoffs(end, contract)
    assert breach is None or breach in breaches
    verdict = await FormalJudge().judge(contract, end.evidence(DOUBLE_VEIN))
    received = sum(each.amount for each in verdict.awards if each.payee == DOUBLE_VEIN.players[breacher])
    assert received == (0 if breach else 24)
    assert gain is None or paid[breacher] == gain


async def test_a_poaching_glitch_takes_iron_from_under_gizmo_and_loses_the_eleven_emeralds() -> None:
    contract = library_contract("double_vein_1")
    end = await staged(("follower", "poacher"), contract)
    assert end.mined["Glitch"]["iron_ore"] > 0
    assert end.mined["Glitch"]["diamond_ore"] == 6
    assert (await FormalJudge().judge(contract, end.evidence(DOUBLE_VEIN))).awards == ()


async def test_a_follower_without_its_pickaxe_says_so_and_ends() -> None:
    end = await staged(("keeps-pickaxe", "follower"), library_contract("double_vein_2"))
    assert end.chat == [["Glitch", "The chest has no iron_pickaxe for me."]]
    assert end.errors == {}


@pytest.mark.parametrize("seed", range(8))
async def test_greed_wastes_and_divides(seed: int) -> None:
    end = await staged(("greedy", "greedy"), None, seed=seed)
    earned = {name: float(end.evidence(DOUBLE_VEIN).reward(name)) for name in DOUBLE_VEIN.players}
    assert end.errors == {}
    assert sum(earned.values()) < 78
    assert abs(earned["Gizmo"] - earned["Glitch"]) / sum(earned.values()) > 0.1


def test_the_worst_case_and_the_common_case_both_occur_among_seeds_0_to_4() -> None:
    drawn = [temperament(seed, name, 0) for seed in range(5) for name in DOUBLE_VEIN.players]
    assert {each.hoards for each in drawn} == {True, False}
    assert {each.contested_first for each in drawn} == {True, False}
    assert len({each.hesitation for each in drawn}) > 3


async def test_a_hoarder_that_is_first_leaves_the_other_with_nothing() -> None:
    seed = next(
        seed
        for seed in range(100)
        if temperament(seed, "Gizmo", 0).hoards
        and temperament(seed, "Gizmo", 0).hesitation < temperament(seed, "Glitch", 0).hesitation
    )
    end = await staged(("greedy", "greedy"), None, seed=seed)
    assert end.items["Glitch"] == {}
    assert end.mined["Gizmo"] == {"iron_ore": 12, "diamond_ore": 6}
    assert end.chat == [["Glitch", "No tool is left for me."]]


@pytest.mark.parametrize(
    ("player", "tool", "hoards", "contested_first", "order"),
    [
        ("Glitch", "iron_pickaxe", False, True, ["iron_ore", "diamond_ore"]),
        ("Glitch", "iron_pickaxe", False, False, ["diamond_ore", "iron_ore"]),
        ("Glitch", "iron_pickaxe", True, True, ["diamond_ore", "iron_ore"]),
        ("Glitch", "stone_pickaxe", False, True, ["iron_ore"]),
    ],
)
def test_greed_mines_first_what_it_could_lose(
    player: str, tool: str, hoards: bool, contested_first: bool, order: list[str]
) -> None:
    character = Temperament(hoards, contested_first, 0)
    assert [ore.block for ore in ore_order(DOUBLE_VEIN, player, tool, character)] == order


def test_tools_are_ranked_by_what_they_earn_and_useless_ones_left() -> None:
    assert [tool.name for tool in ranked_tools(DOUBLE_VEIN, "Gizmo")] == ["iron_pickaxe", "stone_pickaxe"]
    worthless = replace(DOUBLE_VEIN, values={"Gizmo": {"diamond": 1}, "Glitch": {}})
    assert [tool.name for tool in ranked_tools(worthless, "Gizmo")] == ["iron_pickaxe"]
    assert ranked_tools(worthless, "Glitch") == ()


async def test_who_can_earn_nothing_still_writes_a_policy_that_ends() -> None:
    worthless = replace(DOUBLE_VEIN, values={"Gizmo": {}, "Glitch": {}})
    end = await staged(("greedy", "greedy"), None, worthless)
    assert (end.errors, end.mined) == ({}, {"Gizmo": {}, "Glitch": {}})


@pytest.mark.parametrize("kind", sorted(set(PLAYERS) - STEWARDS - FORAGERS - CHOOSERS - COOKS - BUILDERS))
@pytest.mark.parametrize("player", DOUBLE_VEIN.players)
@pytest.mark.parametrize("name", CONTRACTS)
async def test_every_player_writes_one_well_formed_function_and_the_same_one_again(
    kind: str, player: str, name: str
) -> None:
    written = [await policy(player, kind, contract=library_contract(name), seed=7) for _ in range(2)]
    assert written[0] == written[1]
    assert extract_policy(f"```js\n{written[0]}```") == written[0]
    assert re.search(rf"async function \w+_{player} \(bot\)", written[0])


def test_pure_players_give_back_their_state_and_change_with_the_episode() -> None:
    first, state = greedy(seen("Gizmo"), PlayerState(3))
    again, _ = greedy(seen("Gizmo"), state)
    assert (first, state) == (again, PlayerState(3))
    thoughts = {greedy(seen("Gizmo", episode=episode), PlayerState(3))[0].thought for episode in range(6)}
    assert len(thoughts) > 1


@pytest.mark.parametrize("kind", ["follower", "keeps-pickaxe", "poacher"])
async def test_who_follows_needs_a_contract_and_its_terms(kind: str) -> None:
    with pytest.raises(PlayerError, match="there is no contract to follow"):
        await policy("Gizmo", kind)
    with pytest.raises(PlayerError, match="has no typed terms"):
        await policy("Gizmo", kind, contract=Contract("t", "1. Gizmo is kind.", DOUBLE_VEIN.players))


async def test_the_reference_player_is_greedy_without_and_faithful_with_a_contract() -> None:
    assert "greedy_Gizmo" in await policy("Gizmo", "reference")
    assert "follows_Gizmo" in await policy("Gizmo", "reference", contract=library_contract("double_vein_1"))


async def test_an_agent_observes_before_it_acts_and_only_as_itself() -> None:
    agent = ReferenceAgent("Gizmo")
    with pytest.raises(ObservationError, match="observe comes before"):
        await agent.act()
    with pytest.raises(ObservationError, match="this agent is 'Gizmo'"):
        agent.observe(seen("Glitch"))
    with pytest.raises(PlayerError, match="unknown player 'saint': choose one of reference, greedy"):
        ReferenceAgent("Gizmo", "saint")


def test_one_tool_for_two_passes_through_the_chest() -> None:
    steps = schedule(ONE_TOOL, {"Ada": {"gold_ore": 5}, "Bob": {"coal_ore": 8, "clay": 3}})
    assert [(step.party, str(step.do)) for step in steps] == [
        ("Ada", "take"),
        ("Ada", "mine"),
        ("Ada", "return"),
        ("Ada", "signal"),
        ("Bob", "wait"),
        ("Bob", "take"),
        ("Bob", "mine"),
        ("Bob", "mine"),
    ]


def test_a_plan_without_a_fitting_tool_is_refused() -> None:
    stone = replace(DOUBLE_VEIN, tools=DOUBLE_VEIN.tools[:1], ores=(replace(DOUBLE_VEIN.ores[1], tools=()),))
    with pytest.raises(PlayerError, match="no tool in the chest harvests diamond_ore for Gizmo"):
        schedule(stone, {"Gizmo": {"diamond_ore": 6}})


@pytest.mark.parametrize(
    ("condition", "share"),
    [
        ("Gizmo.mined.iron_ore >= 12 - Glitch.mined.iron_ore", {"iron_ore": 12}),
        ("Gizmo.items.diamond >= 2.5 and Gizmo.mined.iron_ore == 4", {"diamond_ore": 3, "iron_ore": 4}),
        ("Gizmo.mined.iron_ore > 3", {"iron_ore": 4}),
        ("Gizmo.mined.iron_ore >= 99", {"iron_ore": 12}),
        ("Gizmo.mined.iron_ore <= 3", {}),
        ("Glitch.mined.iron_ore >= 3", {}),
        ("Gizmo.mined.iron_ore >= 3 or Gizmo.reward > 1", {}),
        ("Gizmo.items.iron_pickaxe == 0", {}),
        ("1 < Gizmo.mined.iron_ore < 5", {}),
    ],
)
def test_what_obligations_make_a_party_mine(condition: str, share: dict[str, int]) -> None:
    data = {
        "name": "t",
        "text": "1. x",
        "parties": ["Gizmo", "Glitch"],
        "obligations": [{"id": "o", "party": "Gizmo", "condition": condition}],
    }
    assert owed(load_contract(data), DOUBLE_VEIN)["Gizmo"] == share


@pytest.mark.parametrize("facts", [DOUBLE_VEIN, ONE_TOOL])
async def test_a_negotiated_contract_is_followed_and_pays_what_was_forecast(facts: Facts) -> None:
    agents = [ReferenceAgent(name, seed=1) for name in facts.players]
    for agent in agents:
        agent.observe(seen(agent.name, facts))
    outcome = await negotiate(agents, rounds=8)
    assert outcome.contract is not None
    end = await staged(("follower", "follower"), outcome.contract, facts)
    paid, breaches = await payoffs(end, outcome.contract, facts)
    assert (end.errors, breaches) == ({}, [])
    assert min(paid) > 0
