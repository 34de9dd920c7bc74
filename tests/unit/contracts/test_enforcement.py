from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts import (
    Contract,
    ContractFormatError,
    Expression,
    Obligation,
    Transfer,
    contract_as_mapping,
    load_contract,
    settle,
)
from contracts.enforcement import Payment, bills, enforce, expected_payoffs, selfish_payment
from contracts.forces import Force, described
from contracts.judges.formal import assess
from contracts.observables import Observables, PlayerFacts

PLAYERS = ("Ada", "Bob", "Cleo")


def agreement(force: Force, deposit: int = 0) -> Contract:
    return Contract(
        "deal",
        "1. Bob mines ten stones.\n2. Ada pays Bob 6 emeralds for it.",
        PLAYERS,
        (Transfer("ada-pays", "Ada", "Bob", Expression("6"), Expression('met("bob-mines")')),),
        (Obligation("bob-mines", "Bob", Expression("Bob.mined.stone >= 10")),),
        force=force,
        deposit=deposit,
    )


def ended(stones: int) -> Observables:
    facts = {name: PlayerFacts(mined={"stone": stones if name == "Bob" else 0}, reward=20) for name in PLAYERS}
    return Observables.collect(facts, items=[], blocks=["stone"])


REWARDS = dict.fromkeys(PLAYERS, 20)


def test_a_binding_agreement_moves_what_the_judge_orders_and_asks_nobody() -> None:
    contract = agreement(Force.BINDING)
    verdict = assess(contract, ended(10))
    assert bills(contract, verdict) == ()
    found = enforce(contract, verdict, ())
    assert found.verdict == verdict
    assert (found.breaches, found.promises["Bob"]) == ((), 1)


@pytest.mark.parametrize("force", [Force.CHEAP_TALK, Force.REPUTATION])
def test_without_force_only_what_a_payer_pays_moves_and_refusing_is_a_breach(force: Force) -> None:
    contract = agreement(force)
    verdict = assess(contract, ended(10))
    [bill] = bills(contract, verdict)
    assert (bill.payer, bill.total, bill.breached) == ("Ada", 6, False)
    paid = enforce(contract, verdict, [Payment("Ada", ("ada-pays",))])
    refused = enforce(contract, verdict, [Payment("Ada", ())])
    assert [(each.payer, each.amount) for each in paid.verdict.awards] == [("Ada", 6)]
    assert (paid.breaches, paid.promises) == ((), {"Ada": 1, "Bob": 1, "Cleo": 0})
    assert refused.verdict.awards == ()
    assert [(each.party, each.term, each.kind) for each in refused.breaches] == [("Ada", "ada-pays", "payment")]


def test_a_decision_that_could_not_be_read_is_no_choice() -> None:
    contract = agreement(Force.ESCROW, 9)
    verdict = assess(contract, ended(10))
    found = enforce(contract, verdict, [Payment("Ada", (), readable=False)])
    assert (found.verdict.awards, found.breaches, found.forfeited) == ((), (), {})
    assert (found.unread, found.promises["Ada"]) == (("Ada",), 0)


def test_a_breach_forfeits_the_deposit_to_the_other_parties_to_the_cent() -> None:
    contract = agreement(Force.ESCROW, 7)
    verdict = assess(contract, ended(3))
    found = enforce(contract, verdict, ())
    moved = settle(REWARDS, found.verdict).transfers
    assert moved == {"Ada": Fraction(7, 2), "Bob": -7, "Cleo": Fraction(7, 2)}
    assert sum(moved.values()) == 0
    assert found.forfeited == {"Bob": 7}


def test_both_breaches_of_a_party_forfeit_one_deposit() -> None:
    contract = agreement(Force.ESCROW, 5)
    verdict = assess(contract, ended(10))
    found = enforce(contract, verdict, [Payment("Ada", ())])
    assert found.forfeited == {"Ada": 5}
    assert settle(REWARDS, found.verdict).transfers["Ada"] == -5


@given(
    force=st.sampled_from(Force),
    deposit=st.integers(1, 50),
    stones=st.integers(0, 20),
    paid=st.none() | st.booleans(),
    amount=st.fractions(0, 30),
)
def test_no_force_creates_emeralds_or_takes_more_than_dues_and_deposits(
    force: Force, deposit: int, stones: int, paid: bool | None, amount: Fraction
) -> None:
    contract = agreement(force, deposit if force is Force.ESCROW else 0)
    verdict = assess(contract, ended(stones))
    verdict = replace(verdict, awards=tuple(replace(each, amount=amount) for each in verdict.awards))
    payments = [
        Payment(each.payer, tuple(due.term for due in each.dues) if paid else (), readable=paid is not None)
        for each in bills(contract, verdict)
    ]
    found = enforce(contract, verdict, payments)
    moved = settle(REWARDS, found.verdict).transfers
    assert sum(moved.values()) == 0
    owed = sum((each.amount for each in verdict.awards), Fraction(0))
    assert -moved["Ada"] <= owed + contract.deposit + Fraction(1, 100)
    assert -moved["Bob"] <= contract.deposit
    assert sum(found.forfeited.values()) == contract.deposit * len({each.party for each in found.breaches})


@pytest.mark.parametrize(("deposit", "pays"), [(5, False), (6, True), (20, True)])
def test_a_selfish_payer_pays_what_costs_it_no_more_than_its_deposit(deposit: int, pays: bool) -> None:
    contract = agreement(Force.ESCROW, deposit)
    [bill] = bills(contract, assess(contract, ended(10)))
    assert bool(selfish_payment(bill, deposit).paid) is pays


def test_payoffs_are_expected_by_what_selfish_payers_do() -> None:
    def payoffs(force: Force, deposit: int = 0, stake: float = 0.0, stones: int = 10) -> list[float]:
        contract = agreement(force, deposit)
        found = expected_payoffs(contract, assess(contract, ended(stones)), REWARDS, dict.fromkeys(PLAYERS, stake))
        return [float(found[name]) for name in PLAYERS]

    assert payoffs(Force.BINDING) == [14, 26, 20]
    assert payoffs(Force.CHEAP_TALK, stake=99) == [20, 20, 20]
    assert payoffs(Force.ESCROW, 6) == [14, 26, 20]
    assert payoffs(Force.ESCROW, 4) == [16, 22, 22]
    assert payoffs(Force.REPUTATION, stake=6) == [14, 26, 20]
    assert payoffs(Force.REPUTATION, stake=5) == [15, 20, 20]
    assert payoffs(Force.REPUTATION, stake=5, stones=0) == [20, 15, 20]


@pytest.mark.parametrize("force", list(Force))
def test_the_force_is_kept_in_files_and_told_to_players(force: Force) -> None:
    contract = agreement(force, 12 if force is Force.ESCROW else 0)
    assert load_contract(contract_as_mapping(contract)) == contract
    assert (described(force, contract.deposit) == "") is (force is Force.BINDING)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"force": "iron"}, "force: 'iron' is unknown: choose one of binding, escrow, reputation, cheap-talk"),
        ({"force": "escrow", "deposit": 0}, "deposit: 0: under the force escrow it is a whole number from 1"),
        ({"force": "cheap-talk", "deposit": 3}, "deposit: 3: under the force cheap-talk it is 0"),
        ({"force": "escrow", "deposit": True}, "deposit: True"),
    ],
)
def test_a_wrong_force_is_refused_in_one_line(changes: dict[str, object], said: str) -> None:
    with pytest.raises(ContractFormatError) as caught:
        load_contract(contract_as_mapping(agreement(Force.BINDING)) | changes)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
