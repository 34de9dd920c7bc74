"""Commanders of Conquest: their orders, their pacts, and what they do with payments."""

from __future__ import annotations

import random

import pytest

from contracts import Contract, Expression, Observables, Transfer
from contracts.bargaining.deals import DealBook
from contracts.bargaining.merging import merged
from contracts.judges.formal import assess
from voyager_agents.conquest.commanders import STRATEGIES, Commander, CommanderMemory
from voyager_agents.conquest.pacts import is_pact, pact, partners
from voyager_agents.conquest.turns import ConquestTurn, SeenTerritory
from voyager_agents.errors import PlayerError

PLAYERS = ("Ada", "Ben", "Cleo")


def turn(*, ada: int, ben: int, objective: tuple[str, ...] = ("far",)) -> ConquestTurn:
    """Return Ada's turn: two territories, one of which borders on Ben's and one of Cleo's with 9 troops."""
    territories = (
        SeenTerritory("a-1", "near", ("a-2", "b-1", "c-1"), "Ada", ada),
        SeenTerritory("a-2", "near", ("a-1",), "Ada", 1),
        SeenTerritory("b-1", "far", ("a-1",), "Ben", ben),
        SeenTerritory("c-1", "there", ("a-1",), "Cleo", 9),
        SeenTerritory("c-2", "there", ("c-1",)),
    )
    return ConquestTurn("Ada", PLAYERS, 1, 10, territories, objective, recruits=1)


def order(kind: str, bound_to: frozenset[str] = frozenset(), attackers: tuple[str, ...] = (), **seen: int) -> object:
    memory = CommanderMemory(bound_to, set(attackers))
    found = STRATEGIES[kind](turn(**seen), memory, random.Random(0))
    return (found.act, found.origin, found.target, found.troops) if found.act != "hold" else "hold"


def test_kinds_differ_in_whom_they_attack() -> None:
    attack = ("attack", "a-1", "b-1", 4)
    ben = frozenset({"Ben"})
    assert order("greedy", ben, ada=5, ben=2) == attack
    assert order("truthful", ben, ada=5, ben=2) == "hold"
    assert order("truthful", ada=5, ben=2) == attack
    assert order("tit-for-tat", ben, ada=5, ben=2) == "hold"
    assert order("tit-for-tat", ben, ("Ben",), ada=5, ben=2) == attack
    assert order("betrayer", ben, ada=5, ben=2) == attack
    assert order("peaceful", ada=5, ben=0) == "hold"


@pytest.mark.parametrize("kind", STRATEGIES)
def test_nobody_attacks_without_a_chance(kind: str) -> None:
    assert order(kind, ada=3, ben=2) == "hold" or kind == "peaceful"


def test_a_pact_names_every_attack_and_costs_what_it_says() -> None:
    made = pact(("Ada", "Ben"), fine=5)
    assert is_pact(made)
    assert partners(made, "Ada") == {"Ben"}
    table = Observables({"Ada.items.attacks_on_ben": 2, "Ben.items.attacks_on_ada": 0})
    verdict = assess(made, table)
    assert [each.party for each in verdict.breaches] == ["Ada"]
    assert {(each.payer, float(each.amount)) for each in verdict.awards if each.amount} == {("Ada", 10.0)}


def test_partners_are_found_in_several_deals() -> None:
    book = DealBook(PLAYERS)
    for number, parties in enumerate((("Ada", "Ben"), ("Ada", "Cleo")), 1):
        book.offer("Ada", pact(parties), secret=False)
        book.accept(parties[1], number)
    assert partners(merged(book.deals_of("Ada")), "Ada") == {"Ben", "Cleo"}
    assert partners(merged(book.deals_of("Ben")), "Ben") == {"Ada"}


def test_a_contract_with_other_payments_is_no_pact() -> None:
    made = pact(("Ada", "Ben"))
    tribute = Transfer("t", "Ben", "Ada", Expression("3"), Expression("True"), "")
    assert not is_pact(Contract("c", made.text, made.parties, (tribute,), made.obligations))
    assert not is_pact(pact(("Ada", "Ben"), bound=("Ben",)))


def test_unknown_kinds_are_named() -> None:
    with pytest.raises(PlayerError, match="did you mean"):
        Commander("Ada", "truthfull")
