from __future__ import annotations

import json
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.answers.form import Reasoning
from contracts import (
    Contract,
    ContractFormatError,
    ContractState,
    MessageError,
    NegotiationMessage,
    NegotiatorView,
    negotiate,
)
from contracts.messages import message_form, parse_turn, read_turn
from contracts.negotiation import NO_PROPOSAL

PARTIES = ("Gizmo", "Glitch")


def offer(emeralds: int, thought: str = "a secret") -> str:
    return (
        f"[thinking] {thought}\n[message] Hello! [contract] 1. Gizmo pays Glitch {emeralds} emeralds. "
        "[contract end] What do you think?"
    )


ACCEPT = "[thinking] fine\n[message] Agreed. [accept]"


class Scripted:
    """Negotiator that sends scripted messages and records the views it was shown."""

    def __init__(self, name: str, *lines: str | NegotiationMessage) -> None:
        self.name = name
        self.lines = list(lines)
        self.views: list[NegotiatorView] = []

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        self.views.append(view)
        return self.lines.pop(0)


@pytest.mark.parametrize(
    ("gizmo", "glitch", "rounds", "agreed", "length"),
    [
        ([offer(10), offer(9), ACCEPT], [offer(14), offer(11)], 6, "11", 5),
        ([offer(10)], [ACCEPT], 2, "10", 2),
        ([offer(10), offer(9)], [offer(14), offer(11)], 4, None, 4),
        ([offer(10)], [], 1, None, 1),
    ],
)
async def test_accepting_concludes_with_the_other_sides_last_proposal(
    gizmo: list[str], glitch: list[str], rounds: int, agreed: str | None, length: int
) -> None:
    outcome = await negotiate([Scripted("Gizmo", *gizmo), Scripted("Glitch", *glitch)], rounds)
    assert len(outcome.transcript) == length
    expected = (
        (ContractState.AGREED, f"1. Gizmo pays Glitch {agreed} emeralds.") if agreed else (ContractState.FAILED, None)
    )
    assert (outcome.state, outcome.contract.text if outcome.contract else None) == expected


async def test_thoughts_are_recorded_and_never_shown() -> None:
    gizmo = Scripted("Gizmo", offer(10, "THOUGHT-A"), ACCEPT)
    glitch = Scripted("Glitch", offer(12, "THOUGHT-B"))
    outcome = await negotiate([gizmo, glitch], 3)
    assert [entry.thought for entry in outcome.transcript] == ["THOUGHT-A", "THOUGHT-B", "fine"]
    assert "THOUGHT" not in str([*gizmo.views, *glitch.views])
    assert glitch.views[0].history[0][0] == "Gizmo"
    assert glitch.views[0].standing is not None


MALFORMED = [
    ("", "no-message"),
    ("Hello", "text-before-tags"),
    ("[thinking] hm", "no-message"),
    ("[thinking] hm\n[message] Hello", "neither"),
    ("[message] [contract] 1. x", "open-contract"),
    ("[message] [contract] [contract end]", "empty-contract"),
    ("[message] [contract] 1. x [contract end] [accept]", "both"),
    ("[message] [accept] [accept]", "tags"),
    ("[message] [contract end] 1. x [contract]", "tags"),
    ("[message] [contract] 1. x [contract end] [contract] 2. y [contract end]", "tags"),
    ("[message] a [message] [accept]", "repeated-tag"),
    ("[thinking] a [thinking] b [message] [accept]", "repeated-tag"),
    ("[message] [accept] [thinking] late", "tags"),
    ("[contract] 1. x [contract end] [message] hi", "tag-order"),
    ("[thinking] [accept] [message] hi", "tag-order"),
    ("before [message] [accept]", "text-before-tags"),
    ("[message] [contract] " + "x" * 4001 + " [contract end]", "contract"),
    ("[message] " + "x" * 9000, "too-long"),
]


@pytest.mark.parametrize(("raw", "code"), MALFORMED)
def test_malformed_messages_have_a_code_and_say_what_to_change(raw: str, code: str) -> None:
    with pytest.raises(MessageError) as caught:
        parse_turn(raw, PARTIES, "c")
    assert caught.value.code == code


def written(act: str = "propose", contract: str = "1. Gizmo pays Glitch 3 emeralds.", **more: str) -> str:
    return json.dumps({"thinking": "a secret", "message": "Hello!", "act": act, "contract": contract} | more)


@pytest.mark.parametrize("wrapped", ["{}", "```json\n{}\n```", "```\n{}\n```"])
def test_a_json_object_is_a_message_too(wrapped: str) -> None:
    turn = parse_turn(wrapped.replace("{}", written()), PARTIES, "c")
    assert (turn.thought, turn.message) == (
        "a secret", "Hello!\nProposed contract:\n1. Gizmo pays Glitch 3 emeralds.",
    )  # fmt: skip
    assert turn.proposal == Contract("c", "1. Gizmo pays Glitch 3 emeralds.", PARTIES)
    accepted = parse_turn(wrapped.replace("{}", written("accept", "")), PARTIES, "c")
    assert (accepted.accepts, accepted.message, accepted.of) == (True, "Hello!\n(accepts the proposal)", None)


MALFORMED_OBJECTS = [
    ("{", "form"),
    ('{"message": "Hello!"}', "form"),
    (written("refuse"), "form"),
    (written(price="3"), "form"),
    (written(message="x" * 2001), "form"),
    (written() + written(), "form"),
    (written(contract=" "), "empty-contract"),
    (written("accept"), "both"),
    (written(message="Hello! [accept]"), "tags"),
    (written(contract="1. x [contract end] [accept]"), "tags"),
]


@pytest.mark.parametrize(("raw", "code"), MALFORMED_OBJECTS)
def test_malformed_objects_have_a_code_and_one_line(raw: str, code: str) -> None:
    with pytest.raises(MessageError) as caught:
        parse_turn(raw, PARTIES, "c")
    assert caught.value.code == code
    assert "\n" not in str(caught.value)


def test_the_form_for_models_reads_both_forms_and_lets_an_acceptance_repeat_the_proposal() -> None:
    for reasoning in get_args(Reasoning):
        tagged = message_form().parse(offer(3), reasoning)
        assert read_turn(tagged, PARTIES, "c").proposal == Contract("c", "1. Gizmo pays Glitch 3 emeralds.", PARTIES)
    thought = message_form().parse(f"Three is fair.\n```json\n{written('accept')}\n```", "free")
    assert read_turn(thought, PARTIES, "c", standing="1. Gizmo pays  Glitch 3 emeralds.\n").accepts
    with pytest.raises(MessageError, match="another contract"):
        read_turn(thought, PARTIES, "c", standing="1. Gizmo pays Glitch 4 emeralds.")
    with pytest.raises(ValueError, match="act 'accept' is not legal here; choose one of propose"):
        message_form(can_accept=False).parse(written("accept", ""))


async def test_a_malformed_message_gets_one_correction() -> None:
    gizmo = Scripted("Gizmo", "Hello", offer(10))
    outcome = await negotiate([gizmo, Scripted("Glitch", ACCEPT)], 2)
    assert outcome.contract is not None
    assert [view.correction == "" for view in gizmo.views] == [True, False]
    assert outcome.transcript[0].faults == ("text-before-tags",)
    assert outcome.transcript[0].raw == ("Hello",)
    assert outcome.transcript[0].fault_kinds == ("unreadable",)


async def test_a_second_malformed_message_counts_as_no_proposal_and_shows_nothing() -> None:
    gizmo = Scripted("Gizmo", "LEAK one", "LEAK two", ACCEPT)
    glitch = Scripted("Glitch", offer(5))
    outcome = await negotiate([gizmo, glitch], 3)
    assert outcome.transcript[0].message == NO_PROPOSAL
    assert glitch.views[0].history == (("Gizmo", NO_PROPOSAL),)
    assert outcome.contract is not None
    assert outcome.contract.text == "1. Gizmo pays Glitch 5 emeralds."


async def test_there_is_nothing_to_accept_at_first() -> None:
    outcome = await negotiate([Scripted("Gizmo", ACCEPT, ACCEPT), Scripted("Glitch", ACCEPT, ACCEPT)], 2)
    assert outcome.state is ContractState.FAILED
    assert [entry.faults for entry in outcome.transcript] == [("nothing-to-accept",) * 2] * 2


async def test_ones_own_proposal_cannot_be_accepted() -> None:
    gizmo = Scripted("Gizmo", offer(1), ACCEPT, ACCEPT)
    outcome = await negotiate([gizmo, Scripted("Glitch", "bad", "bad")], 3)
    assert outcome.state is ContractState.FAILED


async def test_a_ready_made_proposal_with_outsiders_is_refused() -> None:
    stranger = NegotiationMessage("", "x", proposal=Contract("c", "1. x", ("Gizmo", "Judy")))
    outcome = await negotiate([Scripted("Gizmo", stranger, stranger), Scripted("Glitch")], 1)
    assert outcome.transcript[0].faults == ("outsiders", "outsiders")


def test_a_turn_either_proposes_or_accepts() -> None:
    with pytest.raises(MessageError, match="propose or accept"):
        NegotiationMessage("", "hello")
    with pytest.raises(MessageError, match="propose or accept"):
        NegotiationMessage("", "hello", proposal=Contract("c", "1. x", PARTIES), accepts=True)


@pytest.mark.parametrize("rounds", [0, -1, True, 2.5])
async def test_rounds_are_a_whole_number_from_one(rounds: int) -> None:
    with pytest.raises(ContractFormatError, match="rounds"):
        await negotiate([Scripted("Gizmo"), Scripted("Glitch")], rounds)


async def test_two_different_players_negotiate() -> None:
    with pytest.raises(ContractFormatError, match="two or more different players"):
        await negotiate([Scripted("Gizmo"), Scripted("Gizmo")], 2)


def test_the_record_is_plain_data() -> None:
    turn = parse_turn(offer(3), PARTIES, "c")
    assert turn.thought == "a secret"
    assert turn.message.startswith("Hello! [contract]")
    assert turn.proposal == Contract("c", "1. Gizmo pays Glitch 3 emeralds.", PARTIES)


PIECES = st.lists(
    st.sampled_from(
        ["[thinking]", "[message]", "[contract]", "[contract end]", "[accept]", "[ACCEPT ]", " x ", "1. y", "\n"]
    ),
    max_size=9,
).map("".join)


def parsed(raw: str) -> NegotiationMessage | None:
    try:
        return parse_turn(raw, PARTIES, "c")
    except MessageError:
        return None


@given(PIECES)
def test_any_arrangement_of_tags_is_one_clear_turn_or_an_error(raw: str) -> None:
    turn = parsed(raw)
    assert turn is None or (turn.accepts is (turn.proposal is None) and raw.count("[message]") == 1)
