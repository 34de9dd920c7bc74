"""The page of a human player in a real browser: keyboard alone, hostile words, a narrow screen, addressees."""

from __future__ import annotations

import queue
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seats import Seat, Seats
from accord.viewer.server import Site
from accord.viewer.serving import seat_addresses
from tests.fakes.browser import Page, browser
from tests.fakes.view_server import serving
from tests.unit.accord.viewer.records import ATTACKS

pytestmark = pytest.mark.live
BODY = "document.body.textContent"
REPLY = "document.getElementById('reply').textContent"
FORM = "document.getElementById('form')"
LINE = "document.getElementById('line')"


def message(speaker: str, text: str, *to: str) -> dict[str, Any]:
    return {"speaker": speaker, "to": list(to), "text": text, "act": "say", "deal": None}


TALK: dict[str, Any] = {
    "kind": "talk", "title": "Talk, round 1 of 3: it is your turn.", "help": ["  pass - nothing more"], "context": [],
    "messages": [message("Gizmo", "Only you.", "Glitch"), message("Glitch", "To all."), message("Golem", ATTACKS[0])],
    "deals": [{"heading": "Offered to you", "number": 4, "parties": ["Gizmo", "Glitch"], "text": "1. We share.",
               "answers": ["accept 4", "decline 4"]}],
    "answers": ["pass"], "audience": ["Gizmo", "Golem"],
}  # fmt: skip


class Table:
    """A seat's page in a browser, and the lines that it sends."""

    def __init__(self, page: Page, seat: Seat, heard: queue.Queue[str]) -> None:
        self.page = page
        self.seat = seat
        self.heard = heard

    def sent(self) -> str:
        """Return the next line that reaches the study."""
        return self.heard.get(timeout=60)

    def tab_to(self, selector: str) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(40):
            if self.page.run(f"document.activeElement === document.querySelector({selector!r})"):
                return
            self.page.press("Tab")
        raise AssertionError(f"the keyboard does not reach {selector}")


@contextmanager
def served(heard: queue.Queue[str], seats: Seats | None = None) -> Iterator[tuple[Seat, str]]:
    """Serve a seat, and yield it with its address."""

    def say(_player: str, words: str, _question: int) -> str:
        heard.put(words)
        return "nobody waits for your words now" if words == "too late" else ""

    own = seats or Seats({"Glitch": Seat("Glitch")}, say)
    site = Site(RunCatalog([], awaited=True), seats=own)
    with serving(site) as opened:
        yield site.seats.seats["Glitch"], seat_addresses(site, opened)["Glitch"]


@pytest.fixture(scope="module")
def browsing() -> Iterator[Page]:
    with browser() as found:
        yield found


@pytest.fixture
def table(browsing: Page, tmp_path: Path) -> Iterator[Table]:
    browsing.troubles.clear()
    heard: queue.Queue[str] = queue.Queue()
    with served(heard) as (seat, address):
        seat.take({"books": {"The game": f"Mine. {ATTACKS[2]}"}})
        seat.take({"text": f"Welcome, Glitch. {ATTACKS[1]}"})
        seat.take({"question": TALK})
        browsing.open(address)
        browsing.until(f"{BODY}.includes('it is your turn')")
        yield Table(browsing, seat, heard)
        assert browsing.run("window.hacked") is None
        assert browsing.troubles == []
        browsing.open("about:blank")


def test_the_keyboard_alone_writes_to_channels_and_answers_offers(table: Table) -> None:
    page = table.page
    headings = page.run("[...document.querySelectorAll('#channels h2')].map((each) => each.textContent)")
    assert headings == ["With Gizmo alone", "With everybody"]
    page.until(f"document.activeElement === {LINE}")
    for key in "hi all":
        page.press(key)
    page.press("Enter")
    assert table.sent() == "hi all"
    page.until(f"{REPLY} === 'sent: hi all' && {LINE}.value === ''")
    table.tab_to("#audience input[value=Golem]")
    page.press(" ")
    table.tab_to("#line")
    for key in "psst":
        page.press(key)
    page.press("Enter")
    assert table.sent() == "to Golem: psst"
    table.tab_to("#deals button")
    page.press("Enter")
    assert table.sent() == "accept 4"


def test_what_the_study_refuses_is_told_and_stays_in_the_line(table: Table) -> None:
    page = table.page
    page.run(f"{LINE}.value = 'too late'; document.getElementById('send').click()")
    assert table.sent() == "too late"
    page.until(f"{REPLY} === 'nobody waits for your words now' && {LINE}.value === 'too late'")
    # The browser reports the refusal, which is expected here.
    page.troubles.clear()


def test_without_a_question_the_page_takes_no_words_and_keeps_the_talk(table: Table) -> None:
    page = table.page
    table.seat.take({"question": None})
    page.until(f"{LINE}.disabled && {BODY}.includes('Nothing is asked of you now.')")
    assert page.run("[...document.querySelectorAll('#deals button')].every((each) => each.disabled)")
    assert page.run(f"{BODY}.includes('Only you.')")
    owes = {**TALK, "kind": "payment", "title": "You owe payments", "answers": ["pay all", "no"], "context": ["a\nb"]}
    table.seat.take({"question": owes})
    page.until("document.querySelectorAll('#answers button').length === 2")
    assert page.run("document.querySelector('#context pre').textContent") == "a\nb"
    assert page.run("[...document.querySelectorAll('#deals button')].every((each) => each.disabled)")
    page.run("document.querySelector('#answers button').click()")
    assert table.sent() == "pay all"


def test_a_second_press_does_not_answer_the_next_question(table: Table) -> None:
    page = table.page
    turn = {**TALK, "kind": "turn", "messages": [], "deals": [], "answers": ["cooperate", "defect"]}
    # Whoever presses as soon as there is a button presses too early, and gets no answer by it.
    page.run(
        "new MutationObserver(() => document.querySelector('#answers button')?.click())"
        ".observe(document.getElementById('answers'), { childList: true })"
    )
    for number, words in ((8, "defect"), (9, "cooperate")):
        table.seat.take({"question": {**turn, "title": f"Round {number}?", "number": number}})
        page.until(f"{BODY}.includes('Round {number}?')")
        page.until("[...document.querySelectorAll('#answers button:enabled')].length === 2")
        assert table.heard.empty()
        page.run(f"document.querySelectorAll('#answers button')[{turn['answers'].index(words)}].click()")
        assert table.sent() == words


def test_the_page_tells_the_end_of_a_study_from_a_lost_connection_and_a_void_link(browsing: Page) -> None:
    heard: queue.Queue[str] = queue.Queue()
    ends = {"over": "The study has ended", "broken": "The study has broken off"}
    for ending, shown in ends.items():
        with served(heard) as (seat, address):
            seat.take({"question": TALK})
            browsing.open(address)
            browsing.until(f"{BODY}.includes('it is your turn')")
            seat.take({"question": None, "ended": ending})
            browsing.until(f"{BODY}.includes({shown!r}) && {LINE}.getClientRects().length === 0")
        # Nothing is asked of the server that is gone, so that no error is reported.
        assert browsing.troubles == []
        assert browsing.run(f"{BODY}.includes({shown!r}) && !{BODY}.includes('is lost')")
    with served(heard) as (seat, address):
        seat.take({"form": {"stage": "before", "text": [], "questions": []}})
        browsing.open(address)
        browsing.until(f"{BODY}.includes('Before the game')")
    browsing.until(f"{REPLY}.startsWith('The connection to the study is lost.') && {FORM}.hidden")
    browsing.open("about:blank")
    browsing.troubles.clear()


def test_a_seat_that_was_given_back_tells_its_old_page(browsing: Page) -> None:
    seats = Seats({"Glitch": Seat("Glitch")})
    with served(queue.Queue(), seats) as (seat, address):
        seat.take({"question": TALK})
        browsing.open(address)
        browsing.until(f"{BODY}.includes('it is your turn')")
        seats.free("Glitch")
        browsing.until(f"{BODY}.includes('You are not in the study any more')")
        browsing.open("about:blank")
    browsing.troubles.clear()


def test_hostile_words_are_text_and_a_narrow_screen_needs_no_scrolling_sideways(table: Table) -> None:
    page = table.page
    assert page.run(f"{BODY}.includes({ATTACKS[0]!r}) && {BODY}.includes({ATTACKS[1]!r})")
    assert page.run("document.querySelectorAll('main img:not(#seen), main script').length") == 0
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True)
    page.until("innerWidth <= 360")
    assert page.run("document.documentElement.scrollWidth") <= 360
    page.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
