"""A person in a browser takes a seat, agrees, signs a contract, plays Double-Vein to its end, and is paid."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.browser import Page, save_picture
from tests.fakes.browser_person import BODY, click, in_the_browser
from tests.fakes.person import PATIENCE_S, person, variant

pytestmark = pytest.mark.live
STATES = ("joined", "left", "back", "ready", "done")
"""States of a person that a client and a page share."""
PLAY = "document.getElementById('play')"
WINDOW = "document.getElementById('window')"
HAND = 54
"""First slot of the hotbar in the window of a chest."""
FIRST_OF_HOTBAR = 36
SWEEP = 25
"""Number of presses that turn the view from level to straight down, at least."""
LOOK_S, LOOKS = 0.2, 10
"""Real time between two looks at the page in seconds, and the number of looks in which a window may open."""
UNCOVERED = """(() => {
  const seen = document.getElementById('over').getBoundingClientRect()
  const cross = document.getElementById('cross').getBoundingClientRect()
  const pad = document.getElementById('pad').getBoundingClientRect()
  const chat = document.getElementById('chatter').getBoundingClientRect()
  const centred = Math.abs(seen.top + seen.height / 2 - cross.top - cross.height / 2) < 2
  return centred && chat.bottom <= cross.top && seen.height > 100 && pad.top >= seen.bottom
})()"""
"""True if buttons and chat of a narrow page leave the view and its cross free."""
CONSENT = "# A game about ore\n\nYou may *stop* at any time. <img src=x onerror=window.hacked=1>\n"
QUESTIONS = """
before:
  - {id: games, ask: How often do you play?, kind: scale, from: 1, to: 5, labels: [never, daily]}
after:
  - {id: fair, ask: Was the contract fair?, kind: choice, choices: ["yes", "no"]}
  - {id: words, ask: What did you think?, kind: text, optional: true}
"""


class Player:
    """Hands of the person in the browser."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        page.open(address)

    def click(self, selector: str) -> None:
        """Press a button once it is there."""
        click(self.page, selector)

    def answer(self, words: str, kind: str) -> None:
        """Press the button that answers the study's question with these words."""
        button = f"[...document.querySelectorAll('#answers button')].find((each) => each.textContent === {words!r})"
        self.page.until(f"{BODY}.includes({kind!r}) && {button}?.disabled === false && ({button}.click(), true)")

    def key(self, kind: str, key: str) -> None:
        """Press (`keyDown`) or release (`keyUp`) a key over the game."""
        text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
        self.page.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def place(self) -> list[float]:
        """Return the place that the page reports."""
        return [float(part) for part in self.page.run(f"{PLAY}.dataset.at").split()]

    def moves(self, key: str) -> None:
        """Hold a key of the feet until the place has changed."""
        start = self.place()
        self.key("keyDown", key)
        self.page.until(f"(() => {{ const [x, , z] = {PLAY}.dataset.at.split(' ').map(Number); "
                        f"return Math.hypot(x - {start[0]}, z - {start[2]}) > 0.7 }})()")  # fmt: skip
        self.key("keyUp", key)

    def opens(self, what: str) -> None:
        """Look down and up again until something is in the middle of the view, and open it.

        How far a press turns depends on how long the key is down, and the page may tell late what it sees: until the
        window is open, the search goes on.
        """
        for key in (("ArrowDown",) * SWEEP + ("ArrowUp",) * SWEEP) * 3:
            seen = self.page.run("document.getElementById('target').textContent") == what
            if seen:
                self.page.press("g")
            for _ in range(LOOKS if seen else 1):
                time.sleep(LOOK_S)
                if self.page.run(f"{WINDOW}.open"):
                    return
            self.page.press(key)
        raise AssertionError(f"{what} cannot be opened")

    def shot(self, name: str) -> None:
        """Save a picture for a look by eye."""
        save_picture(self.page, name)


def slot(number: int) -> str:
    """Return the expression for what a slot of the window shows."""
    return f"document.querySelector('#window [data-slot=\"{number}\"]').textContent"


def uses_a_chest(person: Player) -> None:
    """Put an item into a chest, close it, open it again, take the item back, and walk on."""
    page = person.page
    hotbar = "document.querySelector('#hotbar button').textContent"
    # The chest stands in front of the feet.
    person.opens("chest")
    page.until(f"document.querySelector('#window h2').textContent === 'Chest' && {slot(HAND)} === 'raw iron 2'")
    person.shot("chest")
    person.click(f"#window [data-slot='{HAND}']")
    page.until("document.getElementById('pointed').textContent === '2 raw iron at the pointer'")
    person.click("#window [data-slot='0']")
    page.until(f"{slot(0)} === 'raw iron 2'")
    page.press("Escape")
    page.until(f"{hotbar} === '' && !{WINDOW}.open && document.activeElement.id === 'over'")
    page.press("g")
    page.until(f"{WINDOW}.open && {slot(0)} === 'raw iron 2'")
    person.click("#whole")
    person.click("#window [data-slot='0']")
    page.until(f"{slot(0)} === '' && {slot(HAND + 7)} === 'raw iron 2'")
    person.click("#whole")
    person.click(f"#window [data-slot='{HAND + 7}']")
    person.click(f"#window [data-slot='{HAND}']")
    page.until(f"{slot(HAND)} === 'raw iron 2'")
    person.click("#shut")
    page.until(f"{hotbar} === 'raw iron 2' && !{WINDOW}.open && document.activeElement.id === 'over'")
    # What the pointer carries comes back when one's own things are closed.
    page.press("e")
    person.click(f"#window [data-slot='{FIRST_OF_HOTBAR}']")
    page.until("document.getElementById('pointed').textContent === '2 raw iron at the pointer'")
    page.press("Escape")
    page.until("document.getElementById('hotbar').textContent.includes('raw iron 2')")
    person.moves("s")


def plays(page: Page, address: str) -> None:
    """Take the seat and play to the end."""
    person = Player(page, address)
    page.until(f"{BODY}.includes('A game about ore')")
    person.shot("consent")
    assert page.run("document.querySelectorAll('#paper img').length") == 0
    person.click("#agree")
    person.click("#paper input[value='4']")
    person.shot("before")
    person.click("#give")
    person.click("#enter")
    page.until(f"{BODY}.includes('it is your turn')")
    person.shot("turn")
    person.answer("accept", "On the table")
    person.answer("ready", "Read what is played")
    page.until("document.getElementById('title').textContent.startsWith('You play')")
    page.until("document.getElementById('vitals').textContent.includes('Health 20')")
    page.until("document.getElementById('notice').textContent === ''")
    person.shot("begin")
    page.run("document.getElementById('over').focus()")
    person.moves("w")
    page.press("ArrowDown")
    page.press("t")
    page.until("document.activeElement.id === 'chatline'")
    for key in "hello":
        page.press(key)
    page.press("Enter")
    page.until("document.getElementById('chatter').textContent.includes('<Glitch> hello')")
    page.run("document.getElementById('over').focus()")
    page.press("q")
    page.until("!document.querySelector('#hotbar button').textContent.includes('raw iron 3')")
    person.shot("dropped")
    uses_a_chest(person)
    page.call("Emulation.setDeviceMetricsOverride", width=390, height=760, deviceScaleFactor=2, mobile=True)
    page.until("innerWidth <= 390")
    person.shot("narrow")
    assert page.run("document.documentElement.scrollWidth") <= 390
    assert page.run(UNCOVERED)
    page.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
    page.run("document.documentElement.classList.add('dark')")
    person.shot("dark")
    assert page.troubles == []
    person.answer("done", "You play")
    person.click("#paper input[value='no']")
    person.click("#give")
    page.until(f"{BODY}.includes('Nothing is asked of you now.')")
    assert page.run("window.hacked") is None


async def at_a_page(tmp_path: Path) -> StudyResult:
    """Play a study whose person is in the browser."""
    settings = settings_in(tmp_path)
    (tmp_path / "consent.md").write_text(CONSENT)
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    settings = replace(settings, consent=str(tmp_path / "consent.md"), questionnaire=str(tmp_path / "questions.yaml"))
    found, _ = await in_the_browser(settings, plays, "Glitch")
    return found


async def at_a_client(tmp_path: Path) -> StudyResult:
    """Play the same study with the person at a client."""
    ports: asyncio.Queue[int] = asyncio.Queue()

    def listen(line: log.LogLine) -> None:
        if isinstance(line.event, log.WorldReady) and line.event.address:
            ports.put_nowait(int(line.event.address.rpartition(":")[2]))

    study = asyncio.create_task(run_study(settings_in(tmp_path), listen=listen))
    async with person(await ports.get(), "Glitch") as glitch:
        await glitch.does("join")
        for shown, words in (("On the table", "accept"), ("Say ready", "ready"), ("Go!", "")):
            await glitch.until("read", shown)
            if words:
                await glitch.does("say", f"/msg Judy {words}")
        await glitch.does("say", "hello")
        await glitch.does("toss", "raw_iron")
        await glitch.until("tossed")
        await glitch.does("say", "/msg Judy done")
        return await study


def settings_in(folder: Path) -> StudySettings:
    """Return the settings of both studies."""
    folder.mkdir(exist_ok=True)
    return StudySettings(
        str(variant(folder)), ("negotiate",), players={"Glitch": "human"}, world="embedded", time_limit_s=600,
        human_wait_s=PATIENCE_S, out=folder,
    )  # fmt: skip


def seat_in(found: StudyResult) -> dict[str, Any]:
    """Return what a record says of the person's seat."""
    [result] = found.results
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    account = result["players"]["Glitch"]
    return {
        "status": result["status"],
        "author": next(each for each in events if isinstance(each, log.RunStarted)).players["Glitch"].author,
        "states": [each.state for each in events if isinstance(each, log.PersonSeen) and each.state in STATES],
        "accepts": [each.accepts for each in events if isinstance(each, log.NegotiationTurn)][-1],
        "signed": [each.state for each in events if isinstance(each, log.ContractEvent)],
        "words": [each.text for each in events if isinstance(each, log.ChatEvent) and each.sender == "Glitch"],
        "ended": [each.outcome for each in events if isinstance(each, log.PolicyEnded) and each.player == "Glitch"],
        "account": (sorted(account), account["items"]["raw_iron"], account["reward"]),
    }


async def test_a_person_in_a_browser_plays_to_the_end_and_signs_as_one_at_a_client(tmp_path: Path) -> None:
    found = await at_a_page(tmp_path / "browser")
    seat = seat_in(found)
    assert (seat["status"], seat["accepts"]) == ("complete", True)
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    answered = [event for event in events if isinstance(event, log.QuestionnaireAnswered)]
    assert [(event.stage, event.answers[0].answer) for event in answered] == [("before", 4), ("after", "no")]
    assert "consented" in [event.state for event in events if isinstance(event, log.PersonSeen)]
    assert seat == seat_in(await at_a_client(tmp_path / "client"))
