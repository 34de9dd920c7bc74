"""Human players: their words as moves, texts shown to them, and a world that waits for them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from accord.cli.option_values import player_kinds
from accord.studies.people import drafts_of
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.viewer.seats import Seat, SentPage
from bridge.errors import HostError
from bridge.rcon import MAX_COMMAND_BYTES
from bridge.types import Limits, ProgramOutcome
from common.errors import PrerequisiteError
from contracts import Award, Contract, NegotiationMessage, NegotiatorView, Sheet
from contracts.bargaining.channels import ChannelRule, Channels
from contracts.bargaining.deals import Deal
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import SeenMessage, TalkRules, TalkView
from contracts.enforcement import Bill
from contracts.forces import Force
from dilemmas.errors import UsageError
from dilemmas.minecraft import snbt
from dilemmas.people.screen_text import books_for, lines_for, printable
from dilemmas.scenarios.registry import load_scenario
from tests.unit.accord.viewer.records import ATTACKS
from tests.unit.dilemmas.people.peopled import Table, settled
from voyager_agents.human.agents import HumanAgent, RealtimeHuman, TableTalk
from voyager_agents.human.bargaining import ChannelTalk
from voyager_agents.human.connection import ChatLine, HumanContext
from voyager_agents.human.seat_question import SeatQuestion

DRAFTS = drafts_of(load_scenario("double-vein"))
HOSTILE = [
    *ATTACKS, "it's \\' } ] ,tag:{} \\\\",
    '"}]} @a /op Glitch', "\u202egnp.exe", "\xa74red", "line\nline", "\ud800", "é" * 3000,
]  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "move"),
    [
        (["accept"], "[message] \n[accept]"),
        (["that is fair", "ACCEPT 3"], "[message] that is fair\n[accept 3]"),
        (["propose Gizmo pays 3."], "[message] \n[contract]\nGizmo pays 3.\n[contract end]"),
        (["contract 1. a.", "contract 2. b.", "h", "propose"], "[message] h\n[contract]\n1. a.\n2. b.\n[contract end]"),
        (["contract 1. a.", "clear", "propose"], None),
        (["I accept", "accept it all"], None),
        (["", "   "], None),
    ],
)  # fmt: skip
def test_a_persons_words_are_a_move_if_they_say_so(lines: list[str], move: str | None) -> None:
    talk = TableTalk(DRAFTS, reads_text=True)
    assert [talk.handle_line(line)[0] for line in lines] == [None] * (len(lines) - 1) + [move]


def test_without_a_judge_that_reads_only_contracts_with_terms_are_proposed() -> None:
    talk = TableTalk(DRAFTS, reads_text=False)
    move, told = talk.handle_line("propose Gizmo pays all.")
    assert (move, "contract-1, contract-2" in told) == (None, True)
    move, _ = talk.handle_line("propose contract-2")
    assert isinstance(move, NegotiationMessage)
    assert move.proposal is not None
    assert (move.proposal.transfers, move.proposal.name) == (DRAFTS["contract-2"].transfers, "negotiated")


class Script:
    """Line to a person who says what the script contains."""

    def __init__(self, *said: str) -> None:
        self.told: list[str] = []
        self.asked: list[SeatQuestion | None] = []
        self.left = [ChatLine(text) for text in said]

    async def send_text(self, text: str) -> None:
        self.told.append(text)

    def present(self, question: SeatQuestion | None) -> None:
        self.asked.append(question)

    async def hear(self) -> ChatLine:
        return self.left.pop(0)

    def heard(self) -> list[ChatLine]:
        said, self.left = self.left, []
        return said

    def forget(self) -> None:
        pass


async def test_a_person_is_shown_what_the_others_said_and_why_a_move_does_not_count() -> None:
    line = Script("hello", "accept", "accept")
    agent = HumanAgent("Glitch", HumanContext(line, "Judy", DRAFTS))
    offer = Contract("negotiated", "1. We share.", ("Gizmo", "Glitch"))
    view = NegotiatorView("Glitch", "Gizmo", 2, 6, (("Gizmo", "Let us share."),), offer, standing_round=1)
    assert await agent.speak(view) == "[message] hello\n[accept]"
    assert "Gizmo: Let us share." in line.told[0]
    assert "1. We share." in line.told[0]
    await agent.speak(NegotiatorView("Glitch", "Gizmo", 2, 6, (), None, "there is nothing to accept"))
    assert "That does not count: there is nothing to accept" in line.told[-1]


def talk_view(**changes: Any) -> TalkView:  # noqa: ANN401
    names = ("Gizmo", "Glitch", "Golem")
    rules = TalkRules(Channels(ChannelRule(2), ChannelRule(2), ChannelRule(2)), rounds=3)
    offer = Deal(4, Contract("offer", "1. We share.", ("Gizmo", "Glitch")), "Gizmo")
    shown = {
        "me": "Glitch", "players": names, "round": 1, "rounds": 3, "rules": rules, "offers": (offer,), "own_offers": (),
        "messages": (SeenMessage(1, "Gizmo", ("Glitch",), "Only you."),), "deals": (), "left": {"pairwise": 2},
        "reachable": ("Gizmo", "Golem"),
    }  # fmt: skip
    return TalkView(**{**shown, **changes})


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([("Hello all.", "")], TalkMessage("say", (), "Hello all.")),
        ([("Only you.", "Golem")], TalkMessage("say", ("Golem",), "Only you.")),
        ([("to golem: no", "Judy"), ("to Gizmo, Golem: a", "Judy")], TalkMessage("say", ("Gizmo", "Golem"), "a")),
        ([("to Gizmo: in the open", ""), ("to all: accept 4", "")], TalkMessage("accept", deal=4)),
        ([("Accept 4", "Judy")], TalkMessage("accept", deal=4)),
        ([("accept it", "")], TalkMessage("say", (), "accept it")),
        ([("pass", "")], TalkMessage("pass")),
        (
            [("to Gizmo: offer 1. Gizmo pays 3.", "Judy")],
            TalkMessage("offer", ("Gizmo",), contract=Contract("offer", "1. Gizmo pays 3.", ("Gizmo", "Glitch"))),
        ),
        (
            [("offer", ""), ("contract 1. a.", ""), ("contract 2. b.", ""), ("offer", "")],
            TalkMessage("offer", contract=Contract("offer", "1. a.\n2. b.", ("Gizmo", "Glitch", "Golem"))),
        ),
        ([("contract 1. a.", ""), ("clear", ""), ("offer", ""), ("pass", "")], TalkMessage("pass")),
        ([("to Gizmo: offer contract-1", "Judy"), ("pass", "")], TalkMessage("pass")),
    ],
)  # fmt: skip
def test_a_persons_words_on_channels_reach_whom_they_name(lines: list[tuple[str, str]], message: TalkMessage) -> None:
    talk = ChannelTalk(talk_view(), DRAFTS, reads_text=True)
    found = [talk.handle_line(ChatLine(*line)) for line in lines]
    assert [each for each, _ in found] == [None] * (len(lines) - 1) + [message]
    assert all(told for each, told in found if each is None)


def test_without_a_judge_that_reads_only_deals_with_terms_are_offered() -> None:
    talk = ChannelTalk(talk_view(), DRAFTS, reads_text=False)
    message, told = talk.handle_line(ChatLine("to Gizmo: offer Gizmo pays all.", "Judy"))
    assert (message, "you can offer by name" in told) == (None, True)
    message, _ = talk.handle_line(ChatLine("offer contract-2"))
    assert message is not None
    assert message.contract is not None
    assert message.contract.transfers == DRAFTS["contract-2"].transfers


async def test_a_person_in_a_talk_is_shown_offers_and_messages_once() -> None:
    line = Script("hm", "decline 4", "pass")
    agent = HumanAgent("Glitch", HumanContext(line, "Judy", DRAFTS))
    assert await agent.talk(talk_view()) == TalkMessage("say", (), "hm")
    assert "Gizmo to Glitch: Only you." in line.told[0]
    assert "Offered to you: deal 4 between Gizmo, Glitch\n1. We share." in line.told[0]
    again = talk_view(round=2, correction="no message is left")
    assert await agent.talk(again) == TalkMessage("decline", deal=4)
    assert "That does not count: no message is left" in line.told[1]
    assert "Only you." not in line.told[1]
    assert line.told[0].startswith("A judge makes all payments that are due by a deal. Everybody reads of a deal once")
    assert "A judge makes" not in line.told[1]
    # The next talk begins anew.
    await agent.talk(talk_view(messages=(SeenMessage(1, "Golem", ("Glitch",), "Good morning."),)))
    assert "Golem to Glitch: Good morning." in line.told[2]


@pytest.mark.parametrize(
    ("said", "paid", "reason"),
    [
        (["pay all"], ("one", "two"), ""),
        (["maybe", "pay two"], ("two",), ""),
        (["pay three", "no, never"], (), "never"),
    ],
)
async def test_a_person_decides_on_what_it_pays(said: list[str], paid: tuple[str, ...], reason: str) -> None:
    contract = Contract("offer", "1. Glitch pays.", ("Gizmo", "Glitch"), force=Force.CHEAP_TALK)
    dues = tuple(Award(term, "Glitch", "Gizmo", Fraction(3)) for term in ("one", "two"))
    line = Script(*said)
    found = await HumanAgent("Glitch", HumanContext(line, "Judy")).pay(Bill(contract, "Glitch", dues))
    assert (found.paid, found.reason, found.readable) == (paid, reason, True)
    assert "one: 3 emeralds to Gizmo" in line.told[0]
    assert len(line.told) == len(said)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text_in_books_and_in_the_chat(text: str) -> None:
    commands = [*books_for("Glitch", text[:40], text, ["weapon.mainhand", "hotbar.8"]), *lines_for("Glitch", text)]
    assert all(len(command.encode()) <= MAX_COMMAND_BYTES for command in commands)
    read = ""
    for command in commands:
        if found := re.fullmatch(r"tellraw Glitch (.*)", command):
            assert set(json.loads(found[1])) == {"text"}
            continue
        written = re.fullmatch(
            r"item replace entity Glitch \S+ with minecraft:written_book(\{.*\}) 1", command, re.DOTALL
        )
        assert written is not None
        tag: Any = snbt.parse(written[1])
        assert list(tag) == ["title", "author", "pages"]
        read += "".join(json.loads(page)["text"] for page in tag["pages"])
    if len(text) < 2000:
        assert read == printable(text)
    assert not re.search(r"[\xa7\u202e\ud800]", "".join(commands))


async def test_the_world_waits_for_people_and_stands_still_while_one_is_away() -> None:
    table = Table()
    async with table.world as world:
        joining = asyncio.create_task(world.connect(["Gizmo", "Glitch"]))
        await table.look()
        assert not joining.done()
        await table.look("Glitch")
        await joining
        await table.look()
        asked = asyncio.create_task(world.command("clear Glitch dirt 0"))
        await settled()
        assert not asked.done()
        await table.look("Glitch")
        assert await asked == "done"
        await table.look("Glitch", left=2)
    assert table.seen == ["awaited", "joined", "left", "back", "left", "back"]
    assert table.inner.still == ["stands", "goes on"]


async def test_before_a_talk_bots_are_there_to_be_whispered_to() -> None:
    table = Table()
    async with table.world:
        gathering = asyncio.create_task(table.people.gather(["Gizmo", "Glitch"]))
        await table.look("Glitch")
        await gathering
    assert table.inner.connected == ["Gizmo", "Judy"]


async def test_a_person_is_let_in_before_anybody_hears_where_the_world_is() -> None:
    table = Table()
    async with table.world as world:
        assert "whitelist add Glitch" in table.inner.texts
        joining = asyncio.create_task(world.connect(["Gizmo", "Glitch"]))
        await table.look()
        assert table.seen == ["awaited"]
        await table.look("Glitch")
        await joining


async def test_commands_refused_because_a_person_left_are_repeated_on_return() -> None:
    table = Table()
    async with table.world as world:
        await table.look("Glitch")
        await world.connect(["Glitch"])
        table.inner.texts.clear()
        table.inner.online.remove("Glitch")
        given = asyncio.create_task(world.commands(["say hello", "tp Glitch 0 0 0"]))
        await settled()
        await table.look("Glitch")
        assert await given == ["done", "done"]
        assert [text for text in table.inner.texts if not text.startswith("tellraw")] == [
            "say hello", "tp Glitch 0 0 0", "tp Glitch 0 0 0",
        ]  # fmt: skip


async def test_a_person_who_does_not_come_ends_the_study_in_one_line() -> None:
    table = Table(wait_s=0.001)
    async with table.world as world:
        with pytest.raises(PrerequisiteError, match=r"Glitch has not been in the game for 0.001 s: .* --human-wait"):
            await world.connect(["Glitch"])


async def test_a_server_that_is_lost_while_a_person_is_asked_is_no_silence_of_the_person() -> None:
    table = Table()
    async with table.world as world:
        await table.look("Glitch")
        await world.connect(["Glitch"])
        asked = asyncio.create_task(table.people.sessions["Glitch"].hear())
        await settled()
        assert not asked.done()
        table.inner.lost = True
        await table.look("Glitch")
        with pytest.raises(HostError, match="the server ended"):
            await asked


@pytest.mark.parametrize(("word", "outcome"), [("Done!", ProgramOutcome.RETURNED), (None, ProgramOutcome.CANCELLED)])
async def test_a_person_plays_until_it_says_so_or_the_episode_ends(word: str | None, outcome: ProgramOutcome) -> None:
    table = Table()
    async with table.world as world:
        await table.look("Glitch")
        await world.connect(["Glitch"])
        table.inner.chat("done")  # has no meaning before the episode
        await settled()
        playing = asyncio.create_task(world.run({"Gizmo": "", "Glitch": ""}, Limits(wall_s=9)))
        await settled()
        assert not playing.done()
        if word is None:
            await world.cancel()
        else:
            table.inner.chat(word, to="Judy")
            await settled()
            assert not playing.done()
            table.inner.over.set()
        found = await playing
    assert list(found) == ["Gizmo", "Glitch"]
    assert (found["Glitch"].outcome, found["Glitch"].started_tick) == (outcome, 100)


async def test_words_on_the_page_are_whispers_to_the_ear_if_somebody_waits_for_them() -> None:
    table = Table()
    heard = table.world.events()
    async with table.world as world:
        session = table.people.sessions["Glitch"]
        assert "nobody waits for your words" in table.people.hear_page("Glitch", "too early")
        assert "nobody waits for your words" in table.people.hear_page("Gizmo", "I am a bot")
        await table.look("Glitch")
        await world.connect(["Glitch"])
        talking = asyncio.create_task(HumanAgent("Glitch", HumanContext(session, "Judy")).talk(talk_view()))
        await settled()
        assert table.people.hear_page("Glitch", "to Golem: psst") == ""
        assert await talking == TalkMessage("say", ("Golem",), "psst")
        assert session.question is None
        assert "nobody waits for your words" in table.people.hear_page("Glitch", "too late")
        playing = asyncio.create_task(world.run({"Glitch": ""}, Limits(wall_s=9)))
        await settled()
        assert table.people.hear_page("Glitch", "done") == ""
        assert (await playing)["Glitch"].outcome == ProgramOutcome.RETURNED
    said = [event.data async for event in heard if event.kind == "chat"]
    assert said == [{"from": "Glitch", "text": text, "to": "Judy"} for text in ("to Golem: psst", "done")]


async def test_a_page_shows_what_the_chat_the_books_and_the_questions_show() -> None:
    table, seat = Table(), Seat("Glitch")
    session = table.people.sessions["Glitch"]
    session.page = SentPage("Glitch", seat.take)
    table.people.welcome = lambda name: f"Welcome, {name}."
    async with table.world as world:
        table.people.bind("Glitch", {"The game": "You mine."})
        await table.look("Glitch")
        await world.connect(["Glitch"])
        agent = HumanAgent("Glitch", HumanContext(session, "Judy", DRAFTS, reads_text=True))
        talking = asyncio.create_task(agent.talk(talk_view()))
        await settled()
        asked = seat.news(-1, 0)
        table.inner.chat("pass", to="Judy")
        await talking
    assert asked is not None
    (welcome, told), question = asked["texts"], asked["question"]
    assert (welcome[2], asked["books"], asked["open"]) == ("Welcome, Glitch.", {"The game": "You mine."}, True)
    assert "Gizmo to Glitch: Only you." in told[2]
    assert [(each["speaker"], each["to"], each["text"]) for each in question["messages"]] == [
        ("Gizmo", ("Glitch",), "Only you.")
    ]
    assert [(deal["number"], deal["answers"]) for deal in question["deals"]] == [(4, ("accept 4", "decline 4"))]
    assert question["audience"] == ("Gizmo", "Golem")
    after = seat.news(-1, 2)
    assert after is not None
    assert (after["open"], after["texts"][-1][1:]) == (False, (True, "pass"))


@pytest.mark.parametrize(
    ("ask", "kind", "answers", "said"),
    [
        (lambda agent: agent.ratify(Sheet(Contract("a", "1. a.", ("Gizmo", "Glitch")), {})), "terms",
         ("yes", "no"), "no"),
        (lambda agent: agent.speak(NegotiatorView("Glitch", "Gizmo", 1, 6, (), None)), "table",
         ("propose contract-1", "propose contract-2"), "propose contract-1"),
        (lambda agent: agent.pay(Bill(Contract("a", "1. a.", ("Gizmo", "Glitch"), force=Force.CHEAP_TALK), "Glitch",
                                      (Award("one", "Glitch", "Gizmo", Fraction(3)),))), "payment",
         ("pay all", "no"), "pay all"),
    ],
)  # fmt: skip
async def test_every_question_has_answers_to_choose_from(
    ask: Callable[[HumanAgent], Awaitable[object]], kind: str, answers: tuple[str, ...], said: str
) -> None:
    line = Script(said)
    drafts = {name: DRAFTS[name] for name in ("contract-1", "contract-2")}
    await ask(HumanAgent("Glitch", HumanContext(line, "Judy", drafts)))
    (question, closed) = line.asked
    assert question is not None
    assert (question.kind, question.answers, closed) == (kind, answers, None)


async def test_a_person_reads_only_what_is_said_near_it() -> None:
    table = Table()
    async with table.world as world:
        await table.look("Glitch")
        await world.connect(["Glitch"])
        await world.hearing({"say": 8, "shout": 32})
        world._at = {"Glitch": (0, 0, 0), "Ada": (5, 0, 0), "Bo": (20, 0, 0)}
        await world.speak([("Ada", "hi", None), ("Bo", "psst", None), ("Bo", "!hey", None), ("Glitch", "me", None)])
    assert table.inner.said == [("Ada", "hi", None), ("Bo", "!hey", None)]


class Voice:
    """Body that records the words it is told to say."""

    def __init__(self) -> None:
        self.did: list[tuple[object, ...]] = []

    def letters(self) -> list[Any]:
        return []

    def answer(self, number: int, text: str) -> None:
        self.did.append(("answer", number, text))

    def whisper(self, to: str, text: str) -> None:
        self.did.append(("whisper", to, text))


class Once:
    """Clock that ends the life at its first beat."""

    now = 0.0

    async def sleep(self, seconds: float) -> None:
        raise asyncio.CancelledError


async def test_a_villager_whispers_and_answers_letters_by_chat() -> None:
    line = Script("hello all", "answer 3 yes, with pleasure")
    line.left += [ChatLine("psst", "Ada"), ChatLine("ready", "Judy")]
    body: Any = Voice()
    clock: Any = Once()
    with pytest.raises(asyncio.CancelledError):
        await RealtimeHuman("Bo", HumanContext(line, "Judy")).live(body, clock)
    assert body.did == [("answer", 3, "yes, with pleasure"), ("whisper", "Ada", "psst")]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"world": "mock"}, "nobody can join the world 'mock' with a Minecraft client: choose --world embedded or"),
        ({"jobs": 2, "runs": 2}, "a person plays one run at a time: leave out --jobs"),
        ({"players": {"Ada": "human"}}, "unknown player 'Ada'; this scenario's are Gizmo, Glitch"),
        ({"human_wait_s": 0}, "human wait: 0 is not legal; give seconds above 0"),
    ],
)
def test_an_impossible_seat_is_refused_in_one_line(settings: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=re.escape(told)):
        StudyPlan.of(StudySettings("double-vein", **{"players": {"Glitch": "human"}, **settings}))


def test_a_seat_belongs_to_one_player(tmp_path: Path) -> None:
    assert player_kinds(["Gizmo=greedy"], ["Glitch"]) == {"Gizmo": "greedy", "Glitch": "human"}
    with pytest.raises(UsageError, match="--player says that 'greedy' plays it"):
        player_kinds(["Glitch=greedy"], ["Glitch"])
