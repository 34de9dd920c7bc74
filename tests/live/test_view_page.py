"""The page of `accord view` in a real browser: hostile records, keyboard control, a narrow screen, one file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.viewer.export import export
from tests.fakes.browser import Page, browser
from tests.fakes.view_server import view_server
from tests.unit.accord.viewer.records import ATTACKS, a_life, a_talk

pytestmark = pytest.mark.live
MOMENT = "document.getElementById('moment').textContent"
PANEL = "document.getElementById('panel').textContent"
READY = f"{MOMENT}.endsWith('0:19.0')"


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return a_life(tmp_path_factory.mktemp("runs") / "a", ["Ada", *ATTACKS], list(ATTACKS))


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module")
def where(record: Path) -> Iterator[str]:
    with view_server([record]) as found:
        yield found


@pytest.fixture(autouse=True)
def _no_trouble(page: Page) -> Iterator[None]:
    # A test that failed may have left a page whose server has gone.
    page.open("about:blank")
    page.troubles.clear()
    yield
    assert page.run("window.hacked") is None
    assert page.troubles == []


def test_hostile_names_and_words_are_text_wherever_they_are_shown(page: Page, where: str) -> None:
    page.open(f"{where}#t=19")
    page.until(READY)
    for number, tab in enumerate(("agents", "words", "contract", "calls", "numbers", "marks", "help"), 1):
        page.press(str(number))
        page.until(f"document.querySelector('[data-tab={tab}]').getAttribute('aria-selected') === 'true'")
        page.until(f"{PANEL}.length > 10")
    page.press("2")
    page.until(f"{PANEL}.includes({ATTACKS[1]!r})")
    page.press("4")
    page.until(f"{PANEL}.includes('Ada action #10')")
    page.run("document.querySelectorAll('#panel details').forEach((each) => { each.open = true })")
    page.until(f"{PANEL}.includes('answer to <script>')")
    made = "document.querySelectorAll('#panel img, #panel script, #panel iframe').length"
    assert page.run(made) == 0
    assert page.run("document.scripts.length") == 1
    for name in ATTACKS:
        page.run(f"location.hash = new URLSearchParams({{ t: 19, agent: {name!r} }})")
        page.until(f"{PANEL}.includes('all agents') && {PANEL}.includes('Life')")


def test_a_place_is_gone_to_although_a_frame_writes_the_old_one(page: Page, where: str) -> None:
    page.open(where)
    page.until(READY)
    page.run(
        "(() => { const old = location.href; location.hash = 't=19&agent=Ada'; history.replaceState(null, '', old) })()"
    )
    page.until(f"{MOMENT}.startsWith('0:19.0') && {PANEL}.includes('all agents')")


def test_even_the_pages_own_code_can_make_no_markup(page: Page, where: str) -> None:
    page.open(where)
    page.until(READY)
    refused = (
        "(() => { try { document.body.innerHTML = '<b>x</b>'; return '' } catch (error) { return error.name } })()"
    )
    assert page.run(refused) == "TypeError"
    page.run("1")
    # The browser reports what it refused, which is expected here.
    page.troubles.clear()


def test_the_keyboard_alone_goes_through_time_and_agents(page: Page, where: str) -> None:
    page.open(where)
    page.until(READY)
    page.press("ArrowRight")
    page.until(f"{MOMENT}.startsWith('0:05.0')")
    page.press("n")
    page.until(f"{PANEL}.includes('all agents')")
    page.until("location.hash.includes('agent=Ada') && location.hash.includes('t=5')")
    page.press("Escape")
    page.until("!location.hash.includes('agent')")
    page.press("End")
    page.until(f"{MOMENT}.startsWith('0:19.0')")
    page.press("Home")
    page.press(" ")
    page.until(f"!{MOMENT}.startsWith('0:00.0')")
    page.press(" ")
    for _ in range(3):
        page.press("Tab")
    assert page.run("document.activeElement !== document.body")


def test_unhandled_errors_are_shown_in_one_line_and_the_page_continues(page: Page, where: str) -> None:
    page.open(where)
    page.until(READY)
    fault = "document.getElementById('fault')"
    assert page.run(f"{fault}.hidden")
    for fail in ("setTimeout(() => { throw new Error('thrown') })", "Promise.reject(new Error('rejected'))"):
        page.run(f"{{ {fail}; null }}")
        word = "thrown" if "thrown" in fail else "rejected"
        page.until(f"!{fault}.hidden && {fault}.textContent.includes('This page has an error: {word}')")
    assert page.run(f"{fault}.getBoundingClientRect().height") < 40
    page.press("ArrowRight")
    page.until(f"{MOMENT}.startsWith('0:05.0')")
    page.run(f"{fault}.querySelector('button').click()")
    page.until(f"{fault}.hidden")
    # The browser reports them too, which is expected here.
    page.troubles.clear()


def test_talks_are_read_by_channel_and_deals_by_state_also_in_one_file(page: Page, tmp_path: Path) -> None:
    run = a_talk(tmp_path / "talk")
    export([run], tmp_path / "out.html", 10**7)
    channels = (
        "[...document.querySelector('#panel select[aria-label^=Channel]').options].map((each) => each.text).join('; ')"
    )
    with view_server([run]) as served:
        for address in (served, (tmp_path / "out.html").as_uri()):
            page.open(f"{address}#tab=words")
            page.until(f"{MOMENT} !== ''")
            page.press("End")
            page.until(f"{PANEL}.includes('Bo broke 2') && {PANEL}.includes('Hello all.')")
            page.until(f"{channels} === 'all channels; public channel; Ada, Bo alone; Bo, Cy alone'")
            page.run(
                "{ const chosen = document.querySelector('#panel select[aria-label^=Channel]'); "
                "chosen.selectedIndex = 2; chosen.dispatchEvent(new Event('change')); null }"
            )
            page.until(f"{PANEL}.includes('Only Bo.') && !{PANEL}.includes('Hello all.')")
            page.press("3")
            page.until(f"{PANEL}.includes('Deal 1 between Ada, Bo: agreed, cheap-talk, secret, Bo broke 2')")
            page.until(f"{PANEL}.includes('1. Bo pays Ada 2.') && {PANEL}.includes('Bo owes 5.')")


def test_an_exported_file_shows_the_same_without_a_server(page: Page, record: Path, tmp_path: Path) -> None:
    export([record], tmp_path / "out.html", 10**7)
    page.open(f"{(tmp_path / 'out.html').as_uri()}#t=19&tab=words")
    page.until(f"{PANEL}.includes({ATTACKS[2]!r})")
    page.press("4")
    page.until(f"{PANEL}.includes('Ada action #3')")
    page.press("1")
    page.press("n")
    page.until(f"{PANEL}.includes('Life')")


def test_a_narrow_screen_needs_no_scrolling_sideways(page: Page, where: str) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True)
    page.open(f"{where}#t=5&agent=Ada")
    page.until(f"{PANEL}.includes('Life')")
    assert page.run("document.documentElement.scrollWidth") <= 360
    assert page.run("document.getElementById('map').getBoundingClientRect().height") > 150
    assert page.run("document.getElementById('time').getBoundingClientRect().width") > 200
