from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contracts import Contract, ContractFormatError, MessageError
from contracts.bargaining.carriers import Carrier, Letters, Meeting, OutOfBand, Whispers
from contracts.bargaining.channels import ChannelRule, Channels
from contracts.bargaining.deals import DealBook, DealEntry
from contracts.bargaining.merging import merged
from contracts.bargaining.messages import TalkAnswer, TalkMessage, read_talk, talk_form
from contracts.bargaining.talk import TalkEntry, TalkRules, TalkSession, TalkView
from contracts.forces import Force

PLAYERS = ("Ada", "Bob", "Cleo", "Dan")
ALL = Channels(ChannelRule(), ChannelRule(2), ChannelRule())


def deal(*parties: str, text: str = "1. {0} pays {1} 5 emeralds.") -> Contract:
    return Contract("offer", text.format(*parties), tuple(name for name in PLAYERS if name in parties))


class Scripted:
    """Talker that says scripted messages and passes afterwards."""

    def __init__(self, name: str, *lines: TalkMessage) -> None:
        self.name = name
        self.lines = list(lines)
        self.views: list[TalkView] = []

    async def talk(self, view: TalkView) -> TalkMessage:
        self.views.append(view)
        return self.lines.pop(0) if self.lines else TalkMessage("pass")


async def held(
    scripts: dict[str, list[TalkMessage]],
    *,
    channels: Channels = ALL,
    secret: bool = False,
    rounds: int = 3,
    carrier: Carrier | None = None,
    force: Force = Force.BINDING,
) -> tuple[TalkSession, dict[str, Scripted], list[TalkEntry | DealEntry]]:
    talkers = {name: Scripted(name, *scripts.get(name, ())) for name in PLAYERS}
    heard: list[TalkEntry | DealEntry] = []
    talk = TalkSession(list(talkers.values()), listener=heard.append)
    await talk.hold(TalkRules(channels, rounds, secret=secret, carrier=carrier or OutOfBand(), force=force))
    return talk, talkers, heard


def say(text: str, *to: str) -> TalkMessage:
    return TalkMessage("say", to, text)


async def test_a_message_reaches_the_members_of_its_channel_alone() -> None:
    _, talkers, _ = await held({"Ada": [say("for Bob", "Bob"), say("for two", "Bob", "Cleo"), say("for all")]})
    texts = {name: [each.text for each in talkers[name].views[-1].messages] for name in PLAYERS}
    assert texts["Bob"] == ["for Bob", "for two", "for all"]
    assert texts["Cleo"] == ["for two", "for all"]
    assert texts["Dan"] == ["for all"]


async def test_a_deal_between_two_is_made_when_both_accept_and_is_announced_or_not() -> None:
    offer = TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob"))
    for secret in (False, True):
        talk, talkers, _ = await held({"Ada": [offer], "Bob": [TalkMessage("accept", deal=1)]}, secret=secret)
        assert [each.number for each in talk.book.in_force] == [1]
        assert [each.number for each in talkers["Bob"].views[-1].deals] == [1]
        assert bool(talkers["Cleo"].views[-1].deals) is not secret


async def test_deals_are_ordered_by_agreement_and_open_offers_lapse() -> None:
    talk, _, heard = await held(
        {
            "Ada": [
                TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob")),
                TalkMessage("offer", ("Cleo",), contract=deal("Ada", "Cleo")),
                TalkMessage("offer", (), contract=deal(*PLAYERS)),
            ],
            "Bob": [TalkMessage("pass"), TalkMessage("accept", deal=1)],
            "Cleo": [TalkMessage("accept", deal=2)],
        }
    )
    assert [each.number for each in talk.book.in_force] == [2, 1]
    assert talk.book.deals[3].state == "lapsed"
    entries = [each for each in heard if isinstance(each, DealEntry)]
    plain = [DealEntry.from_dict(each.to_dict()) for each in entries]
    assert DealBook.restore(PLAYERS, plain) == talk.book


async def test_a_deal_is_renegotiated_left_or_ended_by_all() -> None:
    first = TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob"))
    second = TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob", text="1. {0} pays {1} 9 emeralds."), replaces=1)
    talk, _, _ = await held(
        {
            "Ada": [first, TalkMessage("pass"), second],
            "Bob": [TalkMessage("accept", deal=1), TalkMessage("pass"), TalkMessage("accept", deal=2)],
        },
        rounds=4,
    )
    assert [(each.number, each.state) for each in talk.book.deals.values()] == [(1, "ended"), (2, "agreed")]
    assert talk.book.end("Ada", 2)[-1].change == "asked-to-end"
    assert talk.book.end("Bob", 2)[-1].change == "ended"
    loose, _, _ = await held({"Ada": [first], "Bob": [TalkMessage("accept", deal=1)]}, force=Force.CHEAP_TALK)
    assert loose.book.end("Bob", 1)[-1].reason == "Bob left it"


async def test_a_deal_ends_by_its_own_terms() -> None:
    offer = TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob"), lasts=2)
    talk, _, _ = await held({"Ada": [offer], "Bob": [TalkMessage("accept", deal=1)]})
    assert [each.change for each in talk.book.grow_older()] == ["held"]
    assert [each.change for each in talk.book.grow_older()] == ["held", "ended"]
    assert talk.book.in_force == ()


@pytest.mark.parametrize(
    ("message", "channels", "code"),
    [
        (say("x", "Bob"), Channels(public=ChannelRule()), "channel"),
        (say("x"), Channels(pairwise=ChannelRule(first=2)), "act"),
        (say("x", "Bob"), Channels(ChannelRule(), ChannelRule(opens=("Bob",))), "channel"),
        (TalkMessage("accept", deal=7), ALL, "act"),
        (TalkMessage("offer", ("Cleo",), contract=deal("Ada", "Bob")), ALL, "outsiders"),
        (TalkMessage("withdraw", deal=1), ALL, "act"),
    ],
)
async def test_a_message_beyond_the_rules_is_corrected_once_and_seen_by_nobody(
    message: TalkMessage, channels: Channels, code: str
) -> None:
    talk, talkers, _ = await held({"Ada": [message, message]}, channels=channels, rounds=1)
    faults = [each.faults for each in talk.entries if each.faults]
    # A channel that is closed leaves the player no act, so that it is not asked.
    assert faults == ([] if code == "act" and channels.pairwise and not channels.public else [(code, code)])
    assert not any(view.messages for name in ("Bob", "Cleo", "Dan") for view in talkers[name].views)


@pytest.mark.parametrize(
    ("count", "channels", "left"),
    [
        (2, ALL, {"public": 1}),
        (2, Channels(pairwise=ChannelRule(2), group=ChannelRule()), {"pairwise": 2}),
        (3, ALL, {"public": 1, "pairwise": 2}),
        (4, ALL, {"public": 1, "pairwise": 2, "group": 1}),
    ],
)
async def test_players_are_told_only_of_channels_that_they_can_use(
    count: int, channels: Channels, left: dict[str, int]
) -> None:
    talkers = [Scripted(name) for name in PLAYERS[:count]]
    await TalkSession(talkers).hold(TalkRules(channels))
    assert talkers[0].views[0].left == left


@pytest.mark.parametrize(
    ("count", "channels", "sizes"),
    [
        (4, ALL, (0, 3)),
        (4, Channels(pairwise=ChannelRule()), (1, 1)),
        (4, Channels(group=ChannelRule()), (2, 2)),
        (4, Channels(public=ChannelRule()), (0, 3)),
        (2, Channels(pairwise=ChannelRule()), (0, 1)),
        (3, Channels(ChannelRule(), ChannelRule()), (0, 2)),
    ],
)
async def test_a_form_allows_audiences_of_existing_channels(
    count: int, channels: Channels, sizes: tuple[int, int]
) -> None:
    talkers = [Scripted(name) for name in PLAYERS[:count]]
    await TalkSession(talkers).hold(TalkRules(channels))
    assert talkers[0].views[0].audience_sizes == sizes


async def test_after_its_last_message_a_player_of_two_is_asked_for_none_that_would_be_refused() -> None:
    ada, bob = Scripted("Ada", say("Hello.", "Bob"), say("And more.", "Bob")), Scripted("Bob")
    talk = TalkSession([ada, bob])
    await talk.hold(TalkRules(ALL, rounds=1))
    assert [(each.message, each.faults) for each in talk.entries if each.act == "say"] == [("Hello.", ())]
    assert len(ada.views) == 1


async def test_only_who_may_open_a_channel_or_answer_on_one_is_asked() -> None:
    channels = Channels(pairwise=ChannelRule(1, opens=("Bob",)))
    _, talkers, _ = await held({"Bob": [say("Only you.", "Cleo")], "Cleo": [say("Yes.", "Bob")]}, channels=channels)
    assert [len(talkers[name].views) for name in PLAYERS] == [0, 2, 2, 0]
    assert [each.text for each in talkers["Bob"].views[-1].messages] == ["Only you.", "Yes."]


async def test_letters_arrive_a_round_later_and_whispers_within_reach() -> None:
    _, talkers, _ = await held({"Ada": [say("a letter", "Bob")]}, carrier=Letters())
    assert [[each.text for each in view.messages] for view in talkers["Bob"].views][:2] == [[], ["a letter"]]
    places = {"Ada": (0.0, 0.0, 0.0), "Bob": (3.0, 0.0, 0.0), "Cleo": (30.0, 0.0, 0.0)}
    near = Whispers(lambda: places, 5)
    talk, talkers, _ = await held(
        {"Ada": [say("psst"), TalkMessage("offer", ("Cleo",), contract=deal("Ada", "Cleo"))]}, carrier=near
    )
    assert talkers["Ada"].views[0].reachable == ("Bob",)
    assert talk.entries[0].arrives == {"Bob": 1}
    assert "Cleo cannot hear you" in talkers["Ada"].views[2].correction
    assert talk.book.deals == {}
    meeting = Meeting(lambda: places, (0, 0, 0), 5)
    assert [meeting.delay("Ada", name) for name in PLAYERS[1:]] == [0, None, None]


async def test_a_letter_in_transit_keeps_the_talk_going() -> None:
    offer = TalkMessage("offer", ("Bob",), contract=deal("Ada", "Bob"))
    talk, _, _ = await held(
        {"Ada": [offer], "Bob": [TalkMessage("pass"), TalkMessage("accept", deal=1)]}, carrier=Letters()
    )
    assert [each.state for each in talk.book.deals.values()] == ["agreed"]


class Chatterer:
    """Talker with random messages, each with a word of its own that names its audience."""

    def __init__(self, name: str, dice: random.Random) -> None:
        self.name = name
        self.dice = dice
        self.views: list[TalkView] = []

    async def talk(self, view: TalkView) -> TalkMessage:
        self.views.append(view)
        act = self.dice.choice(view.acts)
        to = tuple(name for name in view.others if self.dice.random() < 0.4)
        audience = "".join(name[0] for name in PLAYERS if not to or name in (*to, self.name))
        mark = f"mark-{audience}-{self.dice.randrange(10**9)}"
        if act == "offer":
            members = tuple(name for name in PLAYERS if not to or name in (*to, self.name))
            return TalkMessage("offer", to, mark, contract=Contract("o", f"1. {mark}", members))
        if act in ("accept", "decline"):
            return TalkMessage(act, deal=self.dice.choice(view.offers).number)
        if act == "withdraw":
            return TalkMessage(act, deal=self.dice.choice(view.own_offers).number)
        if act == "end":
            return TalkMessage(act, deal=self.dice.choice(view.own_deals).number)
        return TalkMessage(act, to, mark)


@given(seed=st.integers(0, 10**6), carrier=st.sampled_from([OutOfBand(), Letters()]))
@settings(max_examples=60)
async def test_no_word_of_a_private_channel_or_a_secret_deal_reaches_an_outsider(seed: int, carrier: Carrier) -> None:
    dice = random.Random(seed)
    talkers = [Chatterer(name, dice) for name in PLAYERS]
    entries: list[DealEntry] = []
    talk = TalkSession(talkers, listener=lambda each: entries.append(each) if isinstance(each, DealEntry) else None)
    await talk.hold(TalkRules(ALL, 4, secret=True, carrier=carrier))
    for talker in talkers:
        for view in talker.views:
            shown = repr((view.messages, view.offers, view.own_offers, view.deals, view.correction))
            audiences = {part.split("-")[1] for part in shown.split() if part.startswith("mark-")}
            audiences |= {piece.split("-")[0] for piece in shown.split("mark-")[1:]}
            assert all(talker.name[0] in audience for audience in audiences)
        for known in talk.book.known_to(talker.name):
            assert talker.name in known.parties
    assert DealBook.restore(PLAYERS, entries) == talk.book


def test_deals_are_merged_into_one_contract_with_terms_of_their_own() -> None:
    from contracts import Expression, Obligation, Transfer

    def typed(*parties: str) -> Contract:
        first, second = parties
        return Contract(
            "offer",
            f"1. {second} mines.\n2. {first} pays {second} 5 emeralds.",
            parties,
            (Transfer("pays", first, second, Expression("5"), Expression('met("mines")')),),
            (Obligation("mines", second, Expression(f"{second}.mined.stone > 3")),),
        )

    book = DealBook(PLAYERS)
    for parties in (("Ada", "Bob"), ("Ada", "Cleo")):
        number = book.offer("Ada", typed(*parties), secret=False)[-1].deal
        book.accept(parties[1], number)
    whole = merged(book.known_to("Dan"))
    assert whole is not None
    assert whole.parties == ("Ada", "Bob", "Cleo")
    assert [each.id for each in whole.transfers] == ["deal-1-pays", "deal-2-pays"]
    assert [each.condition.source for each in whole.transfers] == ["met('deal-1-mines')", "met('deal-2-mines')"]
    assert len(whole.clauses) == 4
    assert merged(()) is None
    assert merged(book.known_to("Dan")[:1]) == book.deals[1].contract


async def test_offers_beyond_what_one_contract_holds_are_refused() -> None:
    long = "1. {0} pays {1} 5 emeralds. " + "x" * 3000
    talk, _, _ = await held(
        {
            "Ada": [TalkMessage("offer", (name,), contract=deal("Ada", name, text=long)) for name in ("Bob", "Cleo")],
            "Bob": [TalkMessage("accept", deal=1)],
        },
        channels=Channels(pairwise=ChannelRule(1)),
    )
    assert [each.number for each in talk.book.in_force] == [1]
    assert [each.faults for each in talk.entries if each.faults] == [("too-long",)]
    assert merged(talk.book.deals_of("Ada")) == talk.book.deals[1].contract


def test_players_learn_nothing_about_others_by_naming_numbers() -> None:
    book = DealBook(PLAYERS)
    book.offer("Ada", deal("Ada", "Bob"), secret=True)
    refusals = []
    for number in (1, 2):
        with pytest.raises(MessageError) as caught:
            book.accept("Cleo", number)
        refusals.append(str(caught.value).replace(str(number), "N"))
    assert refusals[0] == refusals[1]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"to": ["Zoe"], "act": "say", "message": "x"}, "audience"),
        ({"to": ["Ada"], "act": "say", "message": "x"}, "audience"),
        ({"act": "offer"}, "empty-contract"),
        ({"act": "accept"}, "no-deal"),
        ({"act": "say"}, "empty-message"),
        ({"act": "offer", "contract": "1. a\n1. b"}, "contract"),
    ],
)
def test_answers_that_contradict_themselves_are_faults(answer: dict[str, object], code: str) -> None:
    whole = TalkAnswer.model_validate({"thinking": "", "to": [], "message": "", "deal": 0} | answer)
    with pytest.raises(MessageError) as caught:
        read_talk(whole, "Ada", PLAYERS)
    assert caught.value.code == code


def test_the_schema_of_a_message_allows_legal_values_alone() -> None:
    schema = talk_form(("Bob", "Cleo"), ("pass", "say"), (3,), (1, 2)).schema()["properties"]
    assert (schema["to"]["minItems"], schema["to"]["maxItems"]) == (1, 2)
    assert schema["to"]["items"]["enum"] == ["Bob", "Cleo"]
    assert schema["deal"]["enum"] == [0, 3]
    assert schema["act"]["enum"] == ["pass", "say"]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (lambda: Channels(), "there are none"),
        (lambda: ChannelRule(0), "messages: 0"),
        (lambda: ChannelRule(first=3, last=2), "last: 2 is before"),
    ],
)
def test_wrong_channels_are_refused(wrong: Callable[[], object], said: str) -> None:
    with pytest.raises(ContractFormatError, match=said):
        wrong()
