"""A person in a browser takes a seat, agrees, signs a contract, plays Double-Vein to its end, and is paid."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

import pytest

from accord.cli.watch import Watching
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.browser import Page, browser
from tests.fakes.person import PATIENCE_S, variant

pytestmark = pytest.mark.live
BODY = "document.body.textContent"
PLAY = "document.getElementById('play')"
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
        button = f"document.querySelector({selector!r})"
        self.page.until(f"!{button}.disabled && {button}.getClientRects().length > 0 && ({button}.click(), true)")

    def answer(self, words: str, kind: str) -> None:
        """Press the button that answers the study's question with these words."""
        button = f"[...document.querySelectorAll('#answers button')].find((each) => each.textContent === {words!r})"
        self.page.until(f"{BODY}.includes({kind!r}) && {button} && ({button}.click(), true)")

    def key(self, kind: str, key: str) -> None:
        """Press (`keyDown`) or release (`keyUp`) a key over the game."""
        text = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
        self.page.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def place(self) -> list[float]:
        """Return the place that the page reports."""
        return [float(part) for part in self.page.run(f"{PLAY}.dataset.at").split()]

    def shot(self, name: str) -> None:
        """Save a picture for a look by eye, if ACCORD_SHOTS names a folder."""
        if folder := os.environ.get("ACCORD_SHOTS"):
            import base64

            data = self.page.call("Page.captureScreenshot", format="png")["data"]
            Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))


def plays(page: Page, address: str) -> dict[str, Any]:
    """Take the seat and play to the end; return what was seen on the way."""
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
    start = person.place()
    person.key("keyDown", "w")
    page.until(f"(() => {{ const [x, , z] = {PLAY}.dataset.at.split(' ').map(Number); "
               f"return Math.hypot(x - {start[0]}, z - {start[2]}) > 0.7 }})()")  # fmt: skip
    person.key("keyUp", "w")
    seen = {"moved": person.place() != start}
    person.shot("walked")
    person.key("keyDown", "ArrowDown")
    page.until("document.getElementById('target').dataset.at !== ''")
    person.key("keyUp", "ArrowDown")
    person.shot("down")
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
    person.answer("done", "You play")
    person.click("#paper input[value='no']")
    person.click("#give")
    page.until(f"{BODY}.includes('Nothing is asked of you now.')")
    assert page.run("window.hacked") is None
    return seen


async def test_a_person_in_a_browser_plays_to_the_end_and_signs(tmp_path: Path) -> None:
    (tmp_path / "consent.md").write_text(CONSENT)
    (tmp_path / "questions.yaml").write_text(QUESTIONS)
    settings = StudySettings(
        str(variant(tmp_path)), ("negotiate",), players={"Glitch": "human"}, world="embedded", time_limit_s=60,
        human_wait_s=PATIENCE_S, out=tmp_path, consent=str(tmp_path / "consent.md"),
        questionnaire=str(tmp_path / "questions.yaml"),
    )  # fmt: skip
    with browser() as page, Watching(people=["Glitch"]) as watching:
        async with watching.hearing():
            study = asyncio.create_task(run_study(settings, placed=watching.placed, seated=watching.seated))
            person = asyncio.create_task(asyncio.to_thread(plays, page, watching.seats["Glitch"]))
            await asyncio.wait({study, person}, return_when=asyncio.FIRST_EXCEPTION)
            if person.done() and person.exception():
                study.cancel()
            seen = await person
            found = await study
    result = found.results[0]
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    assert (result["status"], seen) == ("complete", {"moved": True})
    states = [event.state for event in events if isinstance(event, log.PersonSeen)]
    assert states == ["awaited", "consented", "joined", "ready", "done"]
    answers = [
        (event.stage, event.answers[0].answer) for event in events if isinstance(event, log.QuestionnaireAnswered)
    ]
    assert answers == [("before", 4), ("after", "no")]
