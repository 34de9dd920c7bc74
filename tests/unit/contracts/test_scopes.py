from __future__ import annotations

import json

import pytest

from contracts import (
    Contract,
    ContractFormatError,
    ContractScope,
    FormalJudge,
    LanguageJudge,
    confine,
    contract_as_mapping,
    library_contract,
    load_contract,
    settle,
)
from contracts.loading import LIBRARY
from tests.fakes.askers import asker_of
from tests.unit.contracts.evidence import ended, rewards

NAMES = sorted(path.stem for path in LIBRARY.glob("*.yaml"))


@pytest.mark.parametrize("name", NAMES)
def test_a_scope_leaves_one_half_of_a_contract_and_reads_back_as_it_is(name: str) -> None:
    whole = library_contract(name)
    roles, payments = confine(whole, ContractScope.COORDINATION), confine(whole, ContractScope.TRANSFERS)
    assert (roles.transfers, roles.obligations, roles.schedule) == ((), whole.obligations, whole.schedule)
    assert (payments.obligations, payments.schedule) == ((), ())
    assert [each.id for each in payments.transfers] == [each.id for each in whole.transfers]
    assert len(roles.clauses) + len(payments.clauses) == len(whole.clauses)
    assert confine(whole, ContractScope.BOTH) is whole
    for contract in (roles, payments):
        assert load_contract(contract_as_mapping(contract)) == contract


@pytest.mark.parametrize("name", ["double_vein_1", "double_vein_2"])
@pytest.mark.parametrize("held", [{}, {"Gizmo": {"iron_pickaxe": 1}}])
@pytest.mark.parametrize(
    ("gizmo", "glitch"),
    [
        ({"iron_ore": 12}, {"diamond_ore": 6}),
        ({"iron_ore": 11}, {"iron_ore": 1, "diamond_ore": 6}),
        ({"diamond_ore": 6}, {}),
    ],
)
async def test_transfers_alone_move_what_the_whole_contract_moves(
    name: str, held: dict[str, dict[str, int]], gizmo: dict[str, int], glitch: dict[str, int]
) -> None:
    evidence = ended(gizmo, glitch, held=held)
    whole = library_contract(name)
    moved = [
        settle(rewards(evidence), await FormalJudge().judge(contract, evidence)).transfers
        for contract in (whole, confine(whole, ContractScope.TRANSFERS))
    ]
    assert moved[0] == moved[1]


async def test_coordination_binds_nothing_whatever_a_judge_says() -> None:
    async def gullible(system: str, user: str) -> str:
        claim = {"clause": "1", "payer": "Gizmo", "payee": "Glitch", "amount": 5}
        return json.dumps({"transfers": [claim], "findings": [], "critique": ""})

    text = Contract(
        "c", "1. Gizmo gives Glitch all that is left.", ("Gizmo", "Glitch"), scope=ContractScope.COORDINATION
    )
    evidence = ended({"iron_ore": 12}, {})
    for contract in (text, confine(library_contract("double_vein_1"), ContractScope.COORDINATION)):
        for judge in (LanguageJudge(asker_of(gullible), instructions=""), FormalJudge()):
            assert (await judge.judge(contract, evidence)).awards == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"scope": "half"}, "scope: 'half' is unknown: choose one of both, coordination, transfers"),
        (
            {"scope": "coordination"},
            "transfers: 1 entries: a contract of scope coordination has obligations and schedule only",
        ),
        ({"scope": "transfers"}, "obligations: 1 entries: a contract of scope transfers has transfers only"),
    ],
)
def test_what_does_not_fit_the_scope_is_one_line(change: dict[str, str], words: str) -> None:
    plain = {
        "name": "c",
        "text": "1. Ada mines and Bob pays 1 emerald.",
        "parties": ["Ada", "Bob"],
        "obligations": [{"id": "o", "party": "Ada", "condition": "Ada.mined.stone > 0"}],
        "transfers": [{"id": "t", "payer": "Bob", "payee": "Ada", "amount": 1}],
    }
    with pytest.raises(ContractFormatError, match=words):
        load_contract(plain | change)


@pytest.mark.parametrize(
    ("text", "scope"),
    [("1. Ada mines.", ContractScope.TRANSFERS), ("1. Ada pays Bob 1 emerald.", ContractScope.COORDINATION)],
)
def test_nothing_left_is_said(text: str, scope: ContractScope) -> None:
    with pytest.raises(ContractFormatError, match=f"nothing of the scope {scope}"):
        confine(Contract("c", text, ("Ada", "Bob")), scope)
