"""Two people at Minecraft clients bargain in private by chat, whisper and page, while a stranger listens."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from accord.viewer.seats import Seats, SentPage
from dilemmas.minecraft.people import HumanPlayers
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
"""Words of Glitch at its client, one after the other; three messages are all that a round allows."""
TURN, READY, OWES = ": it is your turn.", "Say ready", "You owe"
"""Parts of what the screen shows when Glitch is asked; the welcome announces turns, too."""


async def plays(client: Person, script: tuple[str, ...]) -> None:
    """Say the script's lines in the player's turns, pass afterwards, and answer what else is asked."""
    lines = iter(script)
    while True:
        shown = await client.until("read")
        if TURN in shown:
            await client.does("say", next(lines, "/msg Judy pass"))
        for part, words in ((READY, "/msg Judy ready"), ("Go!", "/msg Judy done"), (OWES, "/msg Judy pay all")):
            if part in shown:
                await client.does("say", words)


class PageReader:
    """Person who reads and writes on its page only, besides joining with its client."""

    def __init__(self, name: str, people: HumanPlayers) -> None:
        self._name = name
        self._people = people
        self.seats = Seats.of([name], people.hear_page)
        self.refused: list[str] = []

    def take(self, news: Mapping[str, object]) -> None:
        """Show news, and answer a question once the study waits for it."""
        self.seats.seats[self._name].take(news)
        if news.get("question") is not None:
            asyncio.get_running_loop().call_soon(self._answer)

    def _answer(self) -> None:
        asked = self.content()["question"]
        offered = [deal["answers"][0] for deal in asked["deals"] if DEAL in deal["text"] and "accept" in str(deal)]
        words = next(iter(offered), asked["answers"][0])
        self.refused += filter(None, [self._people.hear_page(self._name, words)])

    def content(self) -> dict[str, object]:
        """Return everything on the page."""
        found = self.seats.seats[self._name].news(-1, 0)
        assert found is not None
        return found


async def test_private_words_of_people_reach_their_channel_and_no_other_client(tmp_path: Path) -> None:
    ports: asyncio.Queue[int] = asyncio.Queue()
    pages: list[PageReader] = []

    def listen(line: log.LogLine) -> None:
        event = line.event
        if isinstance(event, log.WorldReady) and event.address:
            ports.put_nowait(int(event.address.rpartition(":")[2]))

    def seated(people: HumanPlayers) -> None:
        pages.append(PageReader("Gizmo", people))
        people.sessions["Gizmo"].page = SentPage("Gizmo", pages[0].take)

    async with FakeServer(lambda _request: VERDICT) as judge, contextlib.AsyncExitStack() as clients:
        settings = StudySettings(
            str(variant(tmp_path)), ("negotiate+private+secret+cheap-talk+untyped",), world="embedded", time_limit_s=5,
            players={"Glitch": "human", "Gizmo": "human"}, human_wait_s=PATIENCE_S, out=tmp_path,
            judge="language", models={"judge": "openai/m"}, base_url=judge.base_url,
        )  # fmt: skip
        study = asyncio.create_task(run_study(settings, listen=listen, seated=seated))
        first = asyncio.create_task(ports.get())
        await asyncio.wait({study, first}, return_when=asyncio.FIRST_COMPLETED)
        assert first.done(), study.result().results
        names = ("Glitch", "Gizmo", "Stranger")
        glitch, gizmo, stranger = [await clients.enter_async_context(person(first.result(), name)) for name in names]
        await stranger.does("join")
        await stranger.until("here", "True")
        acting = [asyncio.create_task(plays(glitch, GLITCH))]
        acting += [asyncio.create_task(each.listen()) for each in (gizmo, stranger)]
        for client in (glitch, gizmo):
            await client.does("join")
        done, _ = await asyncio.wait({study, *acting}, return_when=asyncio.FIRST_COMPLETED)
        for task in acting:
            task.cancel()
        await asyncio.gather(*acting, return_exceptions=True)
        assert study in done, [client.read for client in (glitch, gizmo, stranger)]
        check(study.result(), [gizmo, stranger], pages[0])


def variant(folder: Path) -> Path:
    """Write a Double-Vein variant with a third player, in which Glitch can pay without playing."""
    path = folder / "double_vein.yaml"
    path.write_text(VARIANT.format(original=load_scenario("double-vein").path), encoding="utf-8")
    return path


def check(study: StudyResult, clients: list[Person], page: PageReader) -> None:
    """Check who has which words: in the record, on the clients' screens, and on the page."""
    gizmo, stranger = ("\n".join(client.read) for client in clients)
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
    for outsider in (stranger, "\n".join(chat)):
        assert "word-for-gizmo" not in outsider
        assert "word-for-golem" not in outsider
        assert DEAL not in outsider
    assert "word-for-everybody" in stranger, "what is said in the open chat is heard"
    shown = json.dumps(page.content())
    for screen in (gizmo, shown):
        assert "word-for-golem" not in screen
        assert "Glitch to Gizmo: word-for-gizmo" in screen
        assert "Glitch to all: word-for-everybody" in screen
        assert DEAL in screen
    assert page.refused == []
