"""Two people at seats of the browser bargain in private by chat, whisper and page, while a stranger listens."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from accord.viewer.seat_world import WorldSeatPlay
from accord.viewer.seats import Seat, Seats, SentPage
from bridge.seat_client import Report, SeatClient
from dilemmas.people import HumanPlayers
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.person import PATIENCE_S, Person, person
from voyager_agents.models.fake_server import FakeServer

pytestmark = pytest.mark.live
DEAL = "1. Glitch pays Gizmo 2 emeralds."
VARIANT = """extends: {original}
players:
  Glitch: {{items: {{raw_iron: 3}}}}
  Golem: {{spawn: [3, 0, 0], yaw: 0, prices: {{raw_iron: 3, diamond: 5}}}}
rules: {{swap_spawns: false}}
conditions: {{contract-1: null, contract-2: null}}
"""
"""Double-Vein of three players; its contracts are for two."""
VERDICT = json.dumps(
    {
        "transfers": [{"clause": "1", "payer": "Glitch", "payee": "Gizmo", "amount": 2}],
        "findings": [],
        "critique": "Glitch owes what it promised.",
    }
)
GLITCH = (
    "/msg Golem word-for-golem",
    "/msg Judy to Gizmo: word-for-gizmo",
    "word-for-everybody",
    f"/msg Judy to Gizmo: offer {DEAL}",
)
"""Words of Glitch in the game, one after the other; three messages are all that a round allows."""
TURN, READY, OWES = ": it is your turn.", "Say ready", "You owe"
"""Parts of what the screen shows when Glitch is asked; the welcome announces turns, too."""


class Seated:
    """Person at a seat in the browser, without the browser: its page's content, and its client in the game."""

    def __init__(self, name: str, people: HumanPlayers) -> None:
        self._name = name
        self._people = people
        loop = asyncio.get_running_loop()
        self._reports: asyncio.Queue[Report] = asyncio.Queue()
        self.seats = Seats.of([name], people.hear_page)
        self.seat.play = WorldSeatPlay(name, lambda hear: SeatClient(partial(self._hear, loop, hear)))
        people.sessions[name].page = SentPage(name, self.take)
        self.read: list[str] = []
        """Lines of the game's chat."""
        self.refused: list[str] = []

    @property
    def seat(self) -> Seat:
        return self.seats.seats[self._name]

    def _hear(self, loop: asyncio.AbstractEventLoop, hear: Callable[[Report], object], report: Report) -> None:
        hear(report)
        with contextlib.suppress(RuntimeError):
            # The test has ended.
            loop.call_soon_threadsafe(self._reports.put_nowait, report)

    def take(self, news: Mapping[str, object]) -> None:
        """Show news."""
        self.seat.take(news)

    async def listen(self) -> None:
        """Read the chat."""
        while True:
            report = await self._reports.get()
            if report["kind"] == "chat":
                self.read.append(f"{report['from']} {report['text']}" if report["from"] else report["text"])
                self.follow(self.read[-1])

    def follow(self, shown: str) -> None:
        """Act on a line of the chat."""

    def says(self, words: str) -> None:
        """Say words in the game."""
        self.seat.play.take_inputs([{"do": "chat", "text": words}])

    def content(self) -> Any:  # noqa: ANN401 - the page's data
        """Return everything on the page."""
        return self.seat.news(-1, 0)


class Talker(Seated):
    """Person who says a script's lines in its turns in the game, passes afterwards, and answers what else is asked."""

    def __init__(self, name: str, people: HumanPlayers, script: Sequence[str]) -> None:
        super().__init__(name, people)
        self._lines = iter(script)

    def follow(self, shown: str) -> None:
        if TURN in shown:
            self.says(next(self._lines, "/msg Judy pass"))
        for part, words in ((READY, "/msg Judy ready"), ("Go!", "/msg Judy done"), (OWES, "/msg Judy pay all")):
            if part in shown:
                self.says(words)


class PageReader(Seated):
    """Person who reads and writes on its page only, besides being in the game."""

    def take(self, news: Mapping[str, object]) -> None:
        """Show news, and answer a question once the study waits for it."""
        super().take(news)
        if news.get("question") is not None:
            asyncio.get_running_loop().call_soon(self._answer)

    def _answer(self) -> None:
        asked = self.content()["question"]
        offered = [deal["answers"][0] for deal in asked["deals"] if DEAL in deal["text"] and "accept" in str(deal)]
        words = next(iter(offered), asked["answers"][0])
        self.refused += filter(None, [self._people.hear_page(self._name, words)])


async def test_private_words_of_people_reach_their_channel_and_no_other_client(tmp_path: Path) -> None:
    ports: asyncio.Queue[int] = asyncio.Queue()
    seated: asyncio.Queue[tuple[Talker, PageReader]] = asyncio.Queue()

    def listen(line: log.LogLine) -> None:
        event = line.event
        if isinstance(event, log.WorldReady) and event.address:
            ports.put_nowait(int(event.address.rpartition(":")[2]))

    def seat(people: HumanPlayers) -> None:
        seated.put_nowait((Talker("Glitch", people, GLITCH), PageReader("Gizmo", people)))

    async with FakeServer(lambda _request: VERDICT) as judge, contextlib.AsyncExitStack() as clients:
        settings = StudySettings(
            str(variant(tmp_path)), ("negotiate+private+secret+cheap-talk+untyped",), world="embedded", time_limit_s=5,
            players={"Glitch": "human", "Gizmo": "human"}, human_wait_s=PATIENCE_S, out=tmp_path,
            judge="language", models={"judge": "openai/m"}, base_url=judge.base_url,
        )  # fmt: skip
        study = asyncio.create_task(run_study(settings, listen=listen, seated=seat))
        first = asyncio.create_task(ports.get())
        await asyncio.wait({study, first}, return_when=asyncio.FIRST_COMPLETED)
        assert first.done(), study.result().results
        glitch, gizmo = await seated.get()
        for each in (glitch, gizmo):
            clients.callback(each.seats.close)
        stranger = await clients.enter_async_context(person(first.result(), "Stranger"))
        await stranger.does("join")
        await stranger.until("here", "True")
        acting = [asyncio.create_task(each.listen()) for each in (glitch, gizmo, stranger)]
        for each in (glitch, gizmo):
            each.seat.play.enter()
        done, _ = await asyncio.wait({study, *acting}, return_when=asyncio.FIRST_COMPLETED)
        for task in acting:
            task.cancel()
        found = await asyncio.gather(*acting, return_exceptions=True)
        assert study in done, [found, *(client.read for client in (glitch, gizmo, stranger))]
        check(study.result(), glitch, gizmo, stranger)


def variant(folder: Path) -> Path:
    """Write a Double-Vein variant with a third player, in which Glitch can pay without playing."""
    path = folder / "double_vein.yaml"
    path.write_text(VARIANT.format(original=load_scenario("double-vein").path), encoding="utf-8")
    return path


def check(study: StudyResult, glitch: Seated, gizmo: Seated, stranger: Person) -> None:
    """Check who has which words: in the record, in the chat, and on the pages."""
    outside = "\n".join(stranger.read)
    [result] = study.results
    assert result["status"] == "complete", result["reason"]
    events = [line.event for line in read_events(study.directory / "events.jsonl")]
    said = {each.message: each for each in events if isinstance(each, log.TalkMessageSent) and each.message}
    found = {words: (each.speaker, each.members, each.channel, [*each.arrives]) for words, each in said.items()}
    assert found["word-for-golem"] == ("Glitch", ["Glitch", "Golem"], "pairwise", ["Golem"])
    assert found["word-for-gizmo"] == ("Glitch", ["Gizmo", "Glitch"], "pairwise", ["Gizmo"])
    assert found["word-for-everybody"] == ("Glitch", ["Gizmo", "Glitch", "Golem"], "public", ["Gizmo", "Golem"])
    [deal] = [each for each in result["deals"] if DEAL in each["contract"]["text"]]
    assert (deal["state"], deal["contract"]["parties"]) == ("agreed", ["Gizmo", "Glitch"])
    [paid] = [each for each in events if isinstance(each, log.PaymentDecided)]
    assert (paid.player, paid.due, paid.paid) == ("Glitch", {"1": 2}, ["1"])
    assert result["players"]["Gizmo"]["transfer"] == 2
    chat = [each.text for each in events if isinstance(each, log.ChatEvent)]
    for outsider in (outside, "\n".join(chat)):
        assert "word-for-gizmo" not in outsider
        assert "word-for-golem" not in outsider
        assert DEAL not in outsider
    assert "word-for-everybody" in outside, "what is said in the open chat is heard"
    for screen in ("\n".join(gizmo.read), json.dumps(gizmo.content())):
        assert "word-for-golem" not in screen
        assert "Glitch to Gizmo: word-for-gizmo" in screen
        assert "Glitch to all: word-for-everybody" in screen
        assert DEAL in screen
    assert gizmo.refused == []
    # Each of the two seats has the own words of its player, and the questions to it, alone.
    assert "You owe" in json.dumps(glitch.content())
    assert "You owe" not in json.dumps(gizmo.content())
    assert "pass" not in [text for _, own, text in glitch.content()["texts"] if not own]
