from __future__ import annotations

import pytest

from contracts import Contract, FormalJudge, library_contract, load_contract, settle
from tests.unit.contracts.evidence import ended, rewards

IRON, DIAMOND = {"iron_ore": 12}, {"diamond_ore": 6}
KEEPS = {"iron_pickaxe": 1}


@pytest.mark.parametrize(
    ("name", "gizmo", "glitch", "held", "payoffs", "breaches"),
    [
        # Kept: the study's figures.
        ("double_vein_1", IRON, DIAMOND, {"Glitch": KEEPS}, (37, 41), []),
        ("double_vein_2", IRON, DIAMOND, {"Glitch": KEEPS}, (39, 39), []),
        # Contract 2, Gizmo keeps the pickaxe: it pays its half and gets nothing for the diamonds it made impossible.
        ("double_vein_2", IRON, {}, {"Gizmo": KEEPS}, (24, 24), ["gizmo-returns-pickaxe", "glitch-mines-diamonds"]),
        # Contract 2, Gizmo mines some of the diamonds: it gets no half of the rest.
        (
            "double_vein_2",
            {"iron_ore": 12, "diamond_ore": 2},
            {"diamond_ore": 4},
            {},
            (56 - 24, 20 + 24),
            ["gizmo-leaves-diamonds"],
        ),
        # Contract 2, Glitch mines iron: it gets nothing of Gizmo's half and still owes its own.
        (
            "double_vein_2",
            {"iron_ore": 8},
            {"iron_ore": 4, "diamond_ore": 6},
            {},
            (32 + 15, 42 - 15),
            ["glitch-leaves-iron"],
        ),
        # Contract 1, Glitch poaches: no 11 emeralds.
        ("double_vein_1", {"iron_ore": 7}, {"iron_ore": 5, "diamond_ore": 6}, {}, (28, 45), ["glitch-leaves-iron"]),
        # Contract 1, Glitch is lazy: no 11 emeralds.
        ("double_vein_1", IRON, {"diamond_ore": 5}, {}, (48, 25), ["glitch-mines-diamonds"]),
        # Contract 1, Gizmo also takes the iron pickaxe: Glitch is excused and paid.
        (
            "double_vein_1",
            IRON,
            {},
            {"Gizmo": KEEPS},
            (37, 11),
            ["gizmo-leaves-iron-pickaxe", "glitch-mines-diamonds"],
        ),
        # Contract 1, Gizmo mines everything: Glitch left nothing undone.
        (
            "double_vein_1",
            {"iron_ore": 12, "diamond_ore": 6},
            {},
            {"Gizmo": KEEPS},
            (72 - 11, 11),
            ["gizmo-leaves-diamonds", "gizmo-leaves-iron-pickaxe"],
        ),
    ],
)
async def test_the_library_contracts_under_what_may_happen(
    name: str,
    gizmo: dict[str, int],
    glitch: dict[str, int],
    held: dict[str, dict[str, int]],
    payoffs: tuple[int, int],
    breaches: list[str],
) -> None:
    evidence = ended(gizmo, glitch, held=held)
    verdict = await FormalJudge().judge(library_contract(name), evidence)
    settled = settle(rewards(evidence), verdict)
    assert (settled.payoffs["Gizmo"], settled.payoffs["Glitch"]) == payoffs
    assert [each.subject for each in verdict.breaches] == breaches
    assert all(breach in verdict.critique for breach in breaches)


async def test_a_finding_says_which_values_decided_it() -> None:
    verdict = await FormalJudge().judge(library_contract("double_vein_1"), ended(IRON, {"iron_ore": 3}))
    finding = next(each for each in verdict.findings if each.subject == "glitch-leaves-iron")
    assert (finding.ok, finding.party, finding.values) == (False, "Glitch", {"Glitch.mined.iron_ore": 3.0})
    assert "Glitch.mined.iron_ore = 3" in finding.reason
    transfer = next(each for each in verdict.findings if each.kind == "transfer")
    assert not transfer.ok
    assert "not kept: glitch-leaves-iron, glitch-mines-diamonds" in transfer.reason


def typed(amount: str, condition: str = "True") -> Contract:
    transfer = {"id": "pay", "payer": "Gizmo", "payee": "Glitch", "amount": amount, "condition": condition}
    return load_contract({"name": "t", "text": "1. x", "parties": ["Gizmo", "Glitch"], "transfers": [transfer]})


@pytest.mark.parametrize(
    ("amount", "condition", "told"),
    [
        ("Gizmo.items.emerald", "True", "unknown observable 'Gizmo.items.emerald'"),
        ("5", "Gizmo.items.emerald > 0", "unknown observable"),
        ("1 / chest.diamond", "True", "divides by zero"),
        ("chest.diamond - 5", "True", "is negative"),
        ("chest.diamond + 1000000 * 1000000", "True", "leaves the bound"),
        ("5", "False", "not due"),
    ],
)
async def test_a_term_without_a_value_moves_nothing_and_says_so(amount: str, condition: str, told: str) -> None:
    verdict = await FormalJudge().judge(typed(amount, condition), ended(IRON, DIAMOND))
    assert verdict.awards == ()
    assert told in verdict.findings[0].reason
    assert not verdict.findings[0].ok


async def test_an_obligation_without_a_value_is_not_kept() -> None:
    data = {
        "name": "t",
        "text": "1. x",
        "parties": ["Gizmo", "Glitch"],
        "obligations": [{"id": "o", "party": "Gizmo", "condition": "Gizmo.items.emerald == 0"}],
        "transfers": [{"id": "p", "payer": "Glitch", "payee": "Gizmo", "amount": 5, "condition": 'met("o")'}],
    }
    verdict = await FormalJudge().judge(load_contract(data), ended(IRON, DIAMOND))
    assert verdict.awards == ()
    assert "has no value" in verdict.breaches[0].reason


async def test_text_alone_moves_nothing_here() -> None:
    verdict = await FormalJudge().judge(Contract("t", "1. Gizmo pays Glitch 5.", ("Gizmo", "Glitch")), ended(IRON, {}))
    assert verdict.awards == ()
    assert "no typed terms" in verdict.critique
