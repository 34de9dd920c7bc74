"""Private words of a talk stay off the pages of outsiders, and off the public page while people play."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path

import pytest

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.sealing import PublicParts, has_people
from accord.viewer.seats import Seats, SentPage
from accord.viewer.server import Site
from contracts.bargaining.channels import ChannelRule, Channels
from contracts.bargaining.deals import DealEntry
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import TalkEntry, TalkRules, TalkSession, TalkView
from contracts.terms import Contract
from dilemmas.people import HumanPlayers
from dilemmas.records.locking import lock_directory
from tests.unit.accord.viewer.asgi import get
from tests.unit.accord.viewer.records import a_call, line
from voyager_agents.human.agents import HumanAgent
from voyager_agents.human.connection import ChatLine, HumanContext

PLAYERS = ("Gizmo", "Glitch", "Golem", "Gremlin")
PEOPLE = ("Glitch", "Golem")
EVERYBODY = "-".join(PLAYERS)


def marked(members: Sequence[str]) -> str:
    """Return words that name the players who may read them."""
    return f"mark:{'-'.join(sorted(members))}:"


class Screens:
    """World of people's screens, which takes any command."""

    def __init__(self, people: HumanPlayers) -> None:
        self.people = people

    async def commands(self, texts: Sequence[str]) -> list[str]:
        return ["" for _ in texts]

    def hear_whisper(self, name: str, text: str) -> None:
        self.people.sessions[name].record_words(ChatLine(text, "Judy"))


class Bot:
    """Player that writes marked words to random players, and sometimes offers and accepts."""

    def __init__(self, name: str, dice: random.Random) -> None:
        self.name = name
        self._dice = dice

    async def talk(self, view: TalkView) -> TalkMessage:
        if view.offers and self._dice.random() < 0.5:
            return TalkMessage("accept", deal=view.offers[0].number)
        if "say" not in view.acts:
            return TalkMessage("pass")
        to, words = drawn(self.name, self._dice)
        if self._dice.random() < 0.3:
            parties = tuple(name for name in PLAYERS if name == self.name or name in to)
            return TalkMessage("offer", to, words, contract=Contract("offer", f"1. {words}", parties))
        return TalkMessage("say", to, words, thought=f"I hide {words}")


def drawn(name: str, dice: random.Random) -> tuple[tuple[str, ...], str]:
    """Return random receivers, and words marked with them."""
    others = [each for each in PLAYERS if each != name]
    to = tuple(dice.sample(others, dice.randint(1, 3)))
    return to, marked([name, *to])


class Writer(SentPage):
    """Page of a person who answers each question at once, on the page."""

    def __init__(self, name: str, seats: Seats, people: HumanPlayers, dice: random.Random) -> None:
        super().__init__(name, seats.seats[name].take)
        self._name = name
        self._people = people
        self._dice = dice
        self.left = 0

    def show_question(self, question: object) -> None:
        super().show_question(question)  # type: ignore[arg-type]
        if question is None:
            return
        self.left -= 1
        to, words = drawn(self._name, self._dice)
        offers = [deal.answers[0] for deal in question.deals if deal.answers]  # type: ignore[attr-defined]
        written = f"to {', '.join(to)}: {self._dice.choice(['', 'offer '])}{words}"
        said = self._dice.choice([written, written, *offers]) if self.left > 0 else "pass"
        assert self._people.hear_page(self._name, said) == ""


async def talked(seed: int) -> tuple[Seats, list[TalkEntry | DealEntry]]:
    """Hold a random talk of two bots and two people, and return the people's seats and the record."""
    dice = random.Random(seed)
    people = HumanPlayers(PEOPLE, "Judy")
    people.venue = Screens(people)
    seats = Seats.of(PEOPLE, people.hear_page)
    agents: list[Bot | HumanAgent] = []
    for name in PLAYERS:
        if name in PEOPLE:
            people.sessions[name].page = Writer(name, seats, people, dice)
            people.sessions[name].page.left = 6
            agents.append(HumanAgent(name, HumanContext(people.sessions[name], "Judy", reads_text=True)))
        else:
            agents.append(Bot(name, dice))
    heard: list[TalkEntry | DealEntry] = []
    rule = ChannelRule(2)
    await TalkSession(agents, listener=heard.append).hold(TalkRules(Channels(rule, rule, rule), rounds=3, secret=True))
    return seats, heard


@pytest.mark.parametrize("seed", range(12))
async def test_a_seat_holds_no_word_of_a_channel_without_its_player(seed: int) -> None:
    seats, heard = await talked(seed)
    said = [each for each in heard if isinstance(each, TalkEntry)]
    private = {each.members for each in said if each.act == "say" and each.channel != "public"}
    assert private
    for player, seat in seats.seats.items():
        told = json.dumps(seat.news(-1, 0))
        for members in private:
            assert (marked(members) in told) <= (player in members), (player, members)
        # What reached the player before its last turn is there.
        mine = [each for each in said if each.round == 1 and each.act == "say" and player in each.arrives]
        assert all(each.message in told for each in mine)


@contextmanager
def played(directory: Path, heard: Sequence[TalkEntry | DealEntry], author: str = "human") -> Iterator[Site]:
    """Write a run with a talk, whose private words are quoted in all places that a model writes, and serve it."""
    directory.mkdir()
    (directory / "config.yaml").write_text("{}")
    terms = {name: {"prices": {}, "author": author if name in PEOPLE else "m", "group": ""} for name in PLAYERS}
    lines = [
        line(0, "run_started", None, run="", scenario="test", version=1, condition="negotiate+private",
             contract_kind="negotiated", world="embedded", seed=0, players=terms)
    ]  # fmt: skip
    quotes: list[str] = []
    for entry in heard:
        if isinstance(entry, DealEntry):
            lines.append(line(1, "deal", entry=entry.to_dict()))
            continue
        lines.append(line(1, "talk", **asdict(entry)))
        if entry.channel != "public":
            quotes.append(entry.message)
    for quote in filter(None, quotes):
        lines += [
            line(2, "chat", **{"from": "Gizmo", "text": quote, "to": "Golem"}),
            line(2, "action", bot="Gizmo", name="whisper", args=[quote], ok=True),
            line(2, "log", bot="Gizmo", text=quote, level="info"),
            line(2, "policy_written", player="Gizmo", author="m", source=f"// {quote}"),
            line(2, "mind_step", player="Gizmo", step={"what": "planned", "goal": quote}),
            line(2, "critique", player="Gizmo", text=quote, success=False),
            line(2, "speech", t_s=0.0, speaker="Gizmo", voice="whisper", text=quote, to="Golem"),
            line(2, "verdict", readable=True, critique=quote, judge="m", findings=[], deal=1),
            line(2, "transfer", payer="Gizmo", payee="Golem", amount=1.0, term=quote, deal=1),
            line(2, "something_new", text=quote),
        ]  # fmt: skip
    lines.append(line(3, "chat", **{"from": "Gizmo", "text": "in the open"}))
    (directory / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    (directory / "calls.jsonl").write_text("".join(a_call(n, "Gizmo", quote) for n, quote in enumerate(quotes)))
    catalog = RunCatalog([directory])
    try:
        yield Site(catalog, token="secret")
    finally:
        catalog.close()


def whole_page(site: Site, directory: Path) -> str:
    """Return everything that the page's server tells of its only run, any line of its logs included."""
    ask = partial(get, site)
    index = site.catalog.index(0)
    while index.step() or index.reach()["read"] < index.reach()["size"]:
        pass
    parts = ["reach", "words", "word_marks", "marks", "figures", "calls", "sums", "answers"]
    asked = [(f"run/0/{part}", "") for part in parts] + [("runs", ""), ("run/0/calls", "text=mark")]
    asked += [("run/0/deeds", f"player={name}") for name in PLAYERS]
    asked += [(f"run/0/chunk/{number}", "") for number in range(len(index.reach()["chunks"]))]
    for name, what in (("events.jsonl", "line"), ("calls.jsonl", "call")):
        offset = 0
        for each in (directory / name).read_bytes().splitlines(keepends=True):
            asked.append((f"run/0/{what}", f"o={offset}&l={len(each)}"))
            offset += len(each)
    return "".join(ask(f"/secret/api/{path}", query)[2].decode() for path, query in asked)


@pytest.mark.parametrize("seed", range(3))
def test_the_public_page_holds_no_private_word_while_people_play(seed: int, tmp_path: Path) -> None:
    _, heard = asyncio.run(talked(seed))
    run = tmp_path / "run"
    with played(run, heard) as site, lock_directory(run):
        told = whole_page(site, run)
        assert "in the open" in told
        assert marked(PLAYERS) in told, "public words are shown"
        assert "mark:" not in told.replace(marked(PLAYERS), "")
        assert json.loads(get(site, "/secret/api/run/0/reach")[2])["sealed"]


def test_when_the_run_is_over_the_page_shows_the_whole_record(tmp_path: Path) -> None:
    _, heard = asyncio.run(talked(0))
    run = tmp_path / "run"
    with played(run, heard) as site:
        with lock_directory(run):
            whole_page(site, run)
        assert not json.loads(get(site, "/secret/api/run/0/reach")[2])["sealed"]
        told = whole_page(site, run)
        assert "answer to mark:" in told
        assert marked(("Gizmo", "Glitch")) in told or marked(("Gizmo", "Gremlin")) in told


def test_a_run_of_models_alone_is_shown_whole_while_it_is_played(tmp_path: Path) -> None:
    _, heard = asyncio.run(talked(0))
    run = tmp_path / "run"
    with played(run, heard, author="openai/x") as site, lock_directory(run):
        assert has_people(run) is False
        assert "answer to mark:" in whole_page(site, run)


def test_a_log_without_its_first_line_tells_nothing(tmp_path: Path) -> None:
    assert has_people(tmp_path) is None
    (tmp_path / "events.jsonl").write_text('{"seq": 0, "kind": "run_started"')
    assert has_people(tmp_path) is None


@pytest.mark.parametrize(("first", "shown"), [("life_began", True), ("grid_begun", False)])
def test_in_a_grid_game_nobody_sees_what_others_hold(first: str, shown: bool) -> None:
    parts = PublicParts()
    for kind in ("run_started", first):
        parts.note(kind)
    assert (parts.part("state", {"players": {"Golem": {"items": {"wood": 2}}}}) is not None) == shown
    assert parts.part("person", {"player": "Golem", "state": "joined"}) is not None
    assert parts.part("grid_ended", {"rewards": {"Golem": 2}}) is None


@pytest.mark.parametrize(("first", "shown"), [("life_began", True), ("game_begun", False), ("decision", False)])
def test_in_games_in_rounds_nothing_tells_choices_or_what_is_out_of_sight(first: str, shown: bool) -> None:
    parts = PublicParts()
    for kind in ("run_started", first):
        parts.note(kind)
    for kind, data in (("places", {"players": {"Golem": [1, 2, 3]}}), ("action", {"bot": "Golem", "name": "goTo"})):
        assert (parts.part(kind, data) is not None) == shown
    assert parts.part("option", {"player": "Golem", "option": "defect"}) is None
