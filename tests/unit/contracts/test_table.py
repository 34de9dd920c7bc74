"""Negotiations of more than two players: the opener, the scope's bounds, and the views shown to all."""

from __future__ import annotations

import pytest

from contracts import (
    Contract,
    ContractFormatError,
    ContractScope,
    ContractState,
    Experience,
    NegotiationMessage,
    NegotiationRules,
    NegotiatorView,
    negotiate,
)

NAMES = ("Ada", "Bob", "Cyd")


class Scripted:
    """Negotiator that sends scripted messages and records the views it was shown."""

    def __init__(self, name: str, *lines: str) -> None:
        self.name = name
        self.lines = list(lines)
        self.views: list[NegotiatorView] = []

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        self.views.append(view)
        return self.lines.pop(0)


def offer(number: int) -> str:
    return f"[message] Mine: [contract] 1. Ada pays Bob {number} emeralds. [contract end]"


ACCEPT = "[message] Agreed. [accept]"


async def held(table: NegotiationRules, *lines: list[str]) -> tuple[list[Scripted], object]:
    players = [Scripted(name, *said) for name, said in zip(NAMES, lines, strict=True)]
    return players, await negotiate(players, table)


@pytest.mark.parametrize(
    ("ada", "bob", "cyd", "agreed", "length"),
    [
        ([offer(1)], [ACCEPT], [ACCEPT], "1", 3),
        ([offer(1), ACCEPT], [ACCEPT, ACCEPT], [offer(3)], "3", 5),
        ([offer(1), ACCEPT], [offer(2)], [ACCEPT], "2", 4),
        ([offer(1), offer(4)], [ACCEPT, ACCEPT], [offer(3), offer(6)], None, 6),
        ([offer(1), offer(4)], [ACCEPT, ACCEPT], ["nonsense", "nonsense", ACCEPT], "4", 6),
    ],
)
async def test_all_must_accept_the_same_proposal(
    ada: list[str], bob: list[str], cyd: list[str], agreed: str | None, length: int
) -> None:
    _, outcome = await held(NegotiationRules(6), ada, bob, cyd)
    assert len(outcome.transcript) == length
    assert outcome.state is (ContractState.AGREED if agreed else ContractState.FAILED)
    assert (outcome.contract.text if outcome.contract else None) == (
        f"1. Ada pays Bob {agreed} emeralds." if agreed else None
    )


async def test_a_new_proposal_voids_the_acceptances_of_the_one_before() -> None:
    (ada, bob, cyd), outcome = await held(NegotiationRules(5), [offer(1), ACCEPT], [ACCEPT, ACCEPT], [offer(3)])
    assert cyd.views[0].accepted == ("Ada", "Bob")
    assert ada.views[1].accepted == ("Cyd",)
    assert (ada.views[1].standing_round, bob.views[1].accepted) == (3, ("Cyd", "Ada"))
    assert [entry.of for entry in outcome.transcript] == [None, 1, None, 3, 3]


@pytest.mark.parametrize(
    ("said", "faults"), [("[accept 1]", ()), ("[accept 2]", ("void-proposal",)), ("[ACCEPT  9]", ("void-proposal",))]
)
async def test_an_acceptance_may_name_the_proposal_and_then_must_name_the_standing_one(
    said: str, faults: tuple[str, ...]
) -> None:
    _, outcome = await held(NegotiationRules(3), [offer(1)], [f"[message] Yes. {said}", ACCEPT], [ACCEPT])
    assert outcome.transcript[1].faults == faults
    assert outcome.state is ContractState.AGREED


@pytest.mark.parametrize(
    ("opens", "order"), [(None, "Ada Bob Cyd Ada"), ("Bob", "Bob Cyd Ada Bob"), ("Cyd", "Cyd Ada Bob Cyd")]
)
async def test_who_opens_is_first_and_the_others_follow_in_the_order_of_the_table(
    opens: str | None, order: str
) -> None:
    players, outcome = await held(NegotiationRules(4, opens=opens), *[[offer(1), offer(2)]] * 3)
    assert [entry.speaker for entry in outcome.transcript] == order.split()
    assert {entry.proposal.parties for entry in outcome.transcript} == {NAMES}
    assert all(view.parties == NAMES for player in players for view in player.views)


async def test_what_is_asked_of_one_negotiator_is_shown_to_it_alone() -> None:
    before = Experience(None, {"Ada": 3.0}, {"Ada": 3.0}, "Well kept.", {"cleans": False}, stands=True)
    players, _ = await held(NegotiationRules(3, greedy=("Bob",), before=before), *[[offer(1)]] * 3)
    assert [player.views[0].greedy for player in players] == [False, True, False]
    assert all(player.views[0].before is before for player in players)


@pytest.mark.parametrize(
    ("scope", "text", "code"),
    [
        (ContractScope.COORDINATION, "1. Ada mines iron.\n2. Bob pays Ada 3 emeralds.", "beyond-coordination"),
        (ContractScope.COORDINATION, "1. Ada gets 40 % of the iron.", "beyond-coordination"),
        (ContractScope.COORDINATION, "1. Ada mines iron and gives Bob a signal.", None),
        (ContractScope.TRANSFERS, "1. Ada mines iron.\n2. Bob pays Ada 3 emeralds.", "beyond-transfers"),
        (ContractScope.TRANSFERS, "1. Bob pays Ada 3 emeralds.", None),
        (ContractScope.BOTH, "1. Ada mines iron.\n2. Bob pays Ada 3 emeralds.", None),
    ],
)
async def test_a_proposal_beyond_the_scope_is_refused_with_a_correction(
    scope: ContractScope, text: str, code: str | None
) -> None:
    said = f"[message] This. [contract] {text} [contract end]"
    players, outcome = await held(NegotiationRules(1, scope=scope), [said, said], [], [])
    entry = outcome.transcript[0]
    assert entry.faults == ((code, code) if code else ())
    assert (entry.proposal.scope if entry.proposal else None) == (None if code else scope)
    assert ("line" in players[0].views[-1].correction) is (code is not None)


@pytest.mark.parametrize("change", [{"opens": "Eve"}, {"greedy": ("Eve",)}])
async def test_outsiders_have_no_part_in_a_table(change: dict[str, object]) -> None:
    with pytest.raises(ContractFormatError, match="'Eve' is not at the table: choose from Ada, Bob, Cyd"):
        await held(NegotiationRules(1, **change), [], [], [])


async def test_ready_made_terms_beyond_the_scope_are_refused_too() -> None:
    from contracts import library_contract

    class Ready:
        def __init__(self, name: str) -> None:
            self.name = name

        async def speak(self, view: NegotiatorView) -> NegotiationMessage:
            return NegotiationMessage("", "This.", proposal=library_contract("double_vein_1"))

    for scope in (ContractScope.COORDINATION, ContractScope.TRANSFERS):
        outcome = await negotiate([Ready("Gizmo"), Ready("Glitch")], NegotiationRules(1, scope=scope))
        assert outcome.transcript[0].faults == (f"beyond-{scope}",) * 2
    assert Contract("c", "1. x", ("A1", "B1"), scope=ContractScope.TRANSFERS).scope == "transfers"
