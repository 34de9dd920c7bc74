"""Typing, display and ratification of terms; a typist cannot add to the text."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from contracts import Contract, ContractScope, LanguageTypist, Ratification, Sheet, library_contract, sign
from contracts.typist import terms_form
from tests.fakes.askers import asker_of
from tests.unit.contracts.evidence import ended
from voyager_agents.asking import TRIES

PARTIES = ("Gizmo", "Glitch")
TEXT = Contract(
    "c", "1. Gizmo mines the iron.\n2. Gizmo pays Glitch 11 emeralds.\n3. Glitch pays half of its reward.", PARTIES
)
NAMES = tuple(ended({}, {}).observables)
EXAMPLES = {
    "nothing was done": ended({}, {}).observables,
    "all is mined": ended({"iron_ore": 12}, {"diamond_ore": 6}).observables,
}


def transfer(clause: str = "2", amount: str = "11", **change: str) -> dict[str, str]:
    base = {"id": "t", "clause": clause, "payer": "Gizmo", "payee": "Glitch", "amount": amount, "condition": "True"}
    return base | change


def terms(*transfers: dict[str, str], obligations: list[dict[str, str]] | None = None) -> str:
    return json.dumps({"obligations": obligations or [], "transfers": list(transfers)})


class Saying:
    """Model that gives these answers in turn."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def __call__(self, system: str, user: str) -> str:
        self.asked.append(user)
        return self.answers.pop(0)


class Party:
    """Party that signs or refuses as scripted."""

    def __init__(self, name: str, *answers: bool) -> None:
        self.name = name
        self.answers = list(answers)
        self.sheets: list[Sheet] = []

    async def ratify(self, sheet: Sheet) -> Ratification:
        self.sheets.append(sheet)
        return Ratification(self.name, self.answers.pop(0), "too much")


def typist(*answers: str) -> tuple[LanguageTypist, Saying]:
    asked = Saying(*answers)
    return LanguageTypist(asker_of(asked, TRIES), instructions="type", observables=NAMES), asked


async def test_both_see_the_terms_and_what_they_would_move_before_they_ratify() -> None:
    parties = [Party("Gizmo", True), Party("Glitch", True)]
    duty = {"id": "mines", "clause": "1", "party": "Gizmo", "condition": "Gizmo.mined.iron_ore >= 12"}
    typing, _ = typist(terms(transfer(condition='met("mines")'), obligations=[duty]))
    signed = await sign(TEXT, typing, parties, EXAMPLES)
    assert signed.contract is not None
    assert (signed.contract.text, signed.contract.name) == (TEXT.text, TEXT.name)
    sheet = parties[1].sheets[0]
    assert sheet.payments == {"nothing was done": (), "all is mined": ("Gizmo pays Glitch 11",)}
    assert "If nothing was done: nobody pays anything." in sheet.text
    assert 'Payment t: Gizmo pays Glitch 11 emeralds if met("mines").' in sheet.text
    assert len(signed.tries) == 1


async def test_terms_that_are_not_ratified_are_typed_once_more_and_then_there_is_no_contract() -> None:
    typing, asked = typist(terms(transfer(amount="5")), terms(transfer()))
    signed = await sign(TEXT, typing, [Party("Gizmo", True, True), Party("Glitch", False, True)], EXAMPLES)
    assert [each.transfers[0].amount.source for each in [signed.contract] if each] == ["11"]
    assert "Glitch did not ratify: too much" in asked.asked[1]
    typing, _ = typist(terms(transfer()), terms(transfer()))
    signed = await sign(TEXT, typing, [Party("Gizmo", True, True), Party("Glitch", False, False)], EXAMPLES)
    assert (signed.contract, len(signed.tries)) == (None, 2)


async def test_terms_that_a_party_wrote_are_voted_on_once_without_a_typist() -> None:
    ready = library_contract("double_vein_1")
    assert (await sign(ready, None, [Party("Gizmo", True), Party("Glitch", True)], EXAMPLES)).contract is ready
    refused = await sign(ready, None, [Party("Gizmo", True), Party("Glitch", False)], EXAMPLES)
    assert (refused.contract, len(refused.tries)) == (None, 1)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("I think 11", "the answer is not one JSON object"),
        ('{"transfers": []}', "obligations: Field required"),
        (terms(), "there are no terms"),
        (terms(transfer("1")), "names no payment"),
        (terms(transfer("9")), "transfers.clause '9' is not legal here; choose one of 1, 2, 3"),
        (terms(transfer(amount="12")), "clause 2 says 11"),
        (terms(transfer(payer="Glitch", payee="Gizmo")), "by clause 2 'Gizmo'"),
        (terms(transfer("3", payer="Gizmo", amount="1")), "by clause 3 'Glitch'"),
        (terms(transfer(), transfer(id="u")), "twice"),
        (terms(transfer(payee="Judy")), "'Judy' is not a party"),
        (terms(transfer(amount="Gizmo.items.emerald_block")), "not seen in this scenario"),
        (terms(transfer(amount="__import__('os')")), "not legal here"),
        (terms(transfer(amount="-5")), "negative"),
        (terms(transfer() | {"note": "more"}), "Extra inputs"),
    ],
)
async def test_what_a_typist_may_not_say_is_a_fault_that_is_recorded(answer: str, words: str) -> None:
    typing, _ = typist(answer, answer)
    signed = await sign(TEXT, typing, [Party("Gizmo"), Party("Glitch")], EXAMPLES)
    (only,) = signed.tries
    assert (signed.contract, only.sheet, only.typed.raw) == (None, None, answer)
    assert words in only.typed.fault
    assert "\n" not in only.typed.fault
    assert [each.kind for each in only.typed.faults] == ["unreadable"] * TRIES


async def test_ids_that_repeat_are_numbered_unless_a_payment_depends_on_them() -> None:
    duties = [{"id": "t", "clause": "1", "party": "Gizmo", "condition": f"Gizmo.mined.iron_ore >= {n}"} for n in (1, 2)]
    typing, _ = typist(terms(transfer(), obligations=duties))
    typed = await typing.type_terms(TEXT, "")
    assert typed.terms is not None
    assert [each.id for each in typed.terms.obligations] == ["t", "t-2"]
    assert [each.id for each in typed.terms.transfers] == ["t-3"]
    typing, _ = typist(*[terms(transfer(id="u", condition='met("t")'), obligations=duties)] * TRIES)
    assert "'t' is used twice" in (await typing.type_terms(TEXT, "")).fault


def test_the_schema_of_terms_allows_only_payments_that_a_clause_names() -> None:
    transfers = terms_form(TEXT, NAMES).schema()["properties"]["transfers"]
    legal = [
        tuple(each["properties"][key]["enum"][0] for key in ("clause", "payer", "payee"))
        for each in transfers["items"]["anyOf"]
    ]
    assert legal == [("2", "Gizmo", "Glitch"), ("3", "Glitch", "Gizmo")]
    assert (transfers["minItems"], transfers["maxItems"]) == (1, 2)
    coordination = terms_form(replace(TEXT, scope=ContractScope.COORDINATION), NAMES).schema()["properties"]
    assert coordination["transfers"]["maxItems"] == 0
    assert coordination["obligations"]["minItems"] == 1
    payments = terms_form(replace(TEXT, scope=ContractScope.TRANSFERS), NAMES).schema()["properties"]
    assert payments["obligations"]["maxItems"] == 0


async def test_a_typist_is_told_what_was_wrong_with_its_terms() -> None:
    typing, asked = typist(terms(transfer(amount="12")), terms(transfer()))
    signed = await sign(TEXT, typing, [Party("Gizmo", True), Party("Glitch", True)], EXAMPLES)
    assert signed.contract is not None
    assert "clause 2 says 11" in asked.asked[1]
    assert [each.kind for each in signed.tries[0].typed.faults] == ["unreadable"]


@pytest.mark.parametrize(
    ("said", "amount"),
    [
        (
            transfer("3", "40 * Glitch.items.diamond", payer="Glitch", payee="Gizmo"),
            "min(Glitch.reward, 40 * Glitch.items.diamond)",
        ),
        (transfer("2", "99 * Gizmo.items.raw_iron"), "min(11, 99 * Gizmo.items.raw_iron)"),
    ],
)
async def test_open_amounts_stay_within_the_clause_or_the_payers_reward(said: dict[str, Any], amount: str) -> None:
    typing, _ = typist(terms(said))
    signed = await sign(TEXT, typing, [Party("Gizmo", True), Party("Glitch", True)], EXAMPLES)
    assert signed.contract is not None
    assert signed.contract.transfers[0].amount.source == amount


async def test_a_scope_binds_the_typist_too() -> None:
    roles = Contract("c", "1. Gizmo pays attention to the iron.", PARTIES, scope=ContractScope.COORDINATION)
    typing, _ = typist(*[terms(transfer("1", "1 * Gizmo.reward"))] * 2)
    signed = await sign(roles, typing, [Party("Gizmo"), Party("Glitch")], EXAMPLES)
    assert "a contract of scope coordination" in signed.tries[0].typed.fault
