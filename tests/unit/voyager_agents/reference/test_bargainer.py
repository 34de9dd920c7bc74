from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import Contract, ContractState, NegotiationMessage, NegotiatorView, library_contract, negotiate
from contracts.negotiation import Negotiated
from tests.unit.voyager_agents.scene import DOUBLE_VEIN, ONE_TOOL, seen
from voyager_agents import Facts, Ore, PlayerError, ReferenceAgent
from voyager_agents.reference.bargainer import bargain, forecast, prospects, temper
from voyager_agents.reference.drafting import draft


async def bargained(facts: Facts, seed: int, rounds: int, order: int = 1) -> Negotiated:
    agents = [ReferenceAgent(name, seed=seed) for name in facts.players][::order]
    for agent in agents:
        agent.observe(seen(agent.name, facts))
    return await negotiate(agents, rounds)


def test_what_double_vein_is_worth_with_and_without_a_contract() -> None:
    known = prospects(DOUBLE_VEIN)
    assert known.allocation == {"Gizmo": {"iron_ore": 12}, "Glitch": {"diamond_ore": 6}}
    assert known.worth == {"Gizmo": 48, "Glitch": 30}
    assert known.alone == {"Gizmo": 36, "Glitch": 33}
    assert known.gain == 9


@pytest.mark.parametrize("order", [1, -1])
@pytest.mark.parametrize("rounds", [2, 3, 6, 10])
@pytest.mark.parametrize("seed", range(6))
async def test_bargainers_agree_on_what_both_prefer_to_none(seed: int, rounds: int, order: int) -> None:
    outcome = await bargained(DOUBLE_VEIN, seed, rounds, order)
    assert outcome.state is ContractState.AGREED
    assert outcome.contract is not None
    expected = forecast(outcome.contract, DOUBLE_VEIN)
    assert expected is not None
    assert expected["Gizmo"] > 36
    assert expected["Glitch"] > 33
    assert sum(expected.values()) == 78


async def test_offers_concede_step_by_step_and_stay_in_whole_emeralds() -> None:
    outcome = await bargained(DOUBLE_VEIN, 0, 10)
    paid = {name: [] for name in DOUBLE_VEIN.players}
    for entry in outcome.transcript[:-1]:
        assert entry.proposal is not None
        paid[entry.speaker].append(entry.proposal.transfers[0].amount.number({}))
    assert len(outcome.transcript) >= 4
    assert paid["Gizmo"] == sorted(paid["Gizmo"])
    assert paid["Glitch"] == sorted(paid["Glitch"], reverse=True)
    assert all(amount.denominator == 1 for amount in [*paid["Gizmo"], *paid["Glitch"]])
    assert outcome.transcript[-1].accepts


async def test_transcripts_differ_between_seeds() -> None:
    outcomes = [await bargained(DOUBLE_VEIN, seed, 8) for seed in range(6)]
    offers = {tuple(entry.message for entry in outcome.transcript) for outcome in outcomes}
    assert len(offers) > 1


async def test_one_round_is_too_few() -> None:
    assert (await bargained(DOUBLE_VEIN, 0, 1)).state is ContractState.FAILED


async def test_messages_show_the_contract_in_tags_and_no_thought() -> None:
    first = (await bargained(DOUBLE_VEIN, 0, 6)).transcript[0]
    assert first.proposal is not None
    assert f"[contract]\n{first.proposal.text}\n[contract end]" in first.message
    assert "without contract" in first.thought
    assert "without contract" not in first.message


def view(standing: Contract | None, round: int = 2, rounds: int = 6) -> NegotiatorView:
    return NegotiatorView("Glitch", "Gizmo", round, rounds, (), standing)


@pytest.mark.parametrize(
    ("emeralds", "round", "accepts"),
    [(12, 2, True), (9, 2, True), (3, 2, False), (4, 2, False), (4, 6, True), (3, 6, False), (-5, 6, False)],
)
def test_what_is_accepted_depends_on_the_gain_and_on_the_rounds_left(emeralds: int, round: int, accepts: bool) -> None:
    allocation = prospects(DOUBLE_VEIN).allocation
    offer = draft(DOUBLE_VEIN, allocation, {"Gizmo": Fraction(-emeralds), "Glitch": Fraction(emeralds)})
    assert answered(offer, round).accepts is accepts


@pytest.mark.parametrize(
    ("name", "expected"),
    [("double_vein_1", {"Gizmo": 37, "Glitch": 41}), ("double_vein_2", {"Gizmo": 39, "Glitch": 39})],
)
def test_any_typed_contract_is_understood(name: str, expected: dict[str, int]) -> None:
    contract = library_contract(name)
    assert forecast(contract, DOUBLE_VEIN) == expected
    assert answered(contract).accepts


def test_a_text_alone_is_answered_with_a_proposal() -> None:
    text = Contract("t", "1. Gizmo pays Glitch 1000 emeralds.", DOUBLE_VEIN.players)
    assert forecast(text, DOUBLE_VEIN) is None
    assert answered(text, 6).proposal is not None


async def test_where_nothing_can_be_gained_there_is_no_proposal_and_no_contract() -> None:
    alike = {"Gizmo": {"raw_iron": 4}, "Glitch": {"raw_iron": 4}}
    outcome = await bargained(replace(DOUBLE_VEIN, values=alike, ores=DOUBLE_VEIN.ores[:1]), 0, 3)
    assert outcome.state is ContractState.FAILED
    assert [entry.proposal for entry in outcome.transcript] == [None] * 3


def test_what_it_cannot_bargain_about_it_says() -> None:
    with pytest.raises(PlayerError, match="3 players and 2 ores"):
        prospects(replace(DOUBLE_VEIN, players=("A", "B", "C"), values={"A": {}, "B": {}, "C": {}}))
    with pytest.raises(PlayerError, match="harvest no ore"):
        prospects(replace(DOUBLE_VEIN, ores=(Ore("obsidian", "obsidian", 3, ()),)))


def answered(standing: Contract, round: int = 2) -> NegotiationMessage:
    turn = bargain(view(standing, round), DOUBLE_VEIN, 0)
    assert isinstance(turn, NegotiationMessage)
    return turn


def test_tempers_are_sane_for_every_seed() -> None:
    for each in (temper(seed, name) for seed in range(50) for name in DOUBLE_VEIN.players):
        assert 0 < each.firmness < 1
        assert 1 / (1 + each.discount) <= each.opening <= 1


WORTH = st.integers(0, 9)
SCENES = st.builds(
    lambda a, b, c, d, iron, diamonds: replace(
        DOUBLE_VEIN,
        values={"Gizmo": {"raw_iron": a, "diamond": b}, "Glitch": {"raw_iron": c, "diamond": d}},
        ores=(replace(DOUBLE_VEIN.ores[0], count=iron), replace(DOUBLE_VEIN.ores[1], count=diamonds)),
    ),
    WORTH, WORTH, WORTH, WORTH, st.integers(1, 20), st.integers(1, 20),
).filter(lambda facts: prospects(facts).gain > 0)  # fmt: skip


@settings(max_examples=60)
@given(SCENES | st.just(ONE_TOOL), st.integers(0, 1000))
async def test_in_every_scene_with_a_gain_both_end_better_than_alone(facts: Facts, seed: int) -> None:
    outcome = await bargained(facts, seed, 6)
    assert outcome.contract is not None
    expected = forecast(outcome.contract, facts)
    known = prospects(facts)
    assert expected is not None
    assert all(expected[name] >= known.alone[name] for name in facts.players)
    assert sum(expected.values()) == sum(known.worth.values())
