"""The page in three dimensions in a real browser: hostile names, keyboard, a file without a server, no WebGL2."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accord.viewer.export import export
from tests.fakes.browser import Page, browser
from tests.fakes.view_server import view_server
from tests.unit.accord.viewer.lands import a_building, a_config
from tests.unit.accord.viewer.records import ATTACKS, a_life

pytestmark = pytest.mark.live
MOMENT = "document.getElementById('moment').textContent"
LACK = "document.getElementById('lack')"
DRAWN = "document.getElementById('notice').hidden && !document.getElementById('space').hidden"
SWITCH = "[...document.querySelectorAll('#tools button')].find((each) => each.textContent === '3-D')"
COLOURS = """(() => {
  const copy = document.createElement('canvas')
  const space = document.getElementById('space')
  Object.assign(copy, { width: 64, height: 40 })
  const pen = copy.getContext('2d')
  return new Promise((resolve) => requestAnimationFrame(() => {
    pen.drawImage(space, 0, 0, 64, 40)
    const { data } = pen.getImageData(0, 0, 64, 40)
    const seen = new Set()
    for (let at = 0; at < data.length; at += 4) seen.add(`${data[at] >> 4} ${data[at + 1] >> 4} ${data[at + 2] >> 4}`)
    resolve(seen.size)
  }))
})()"""
"""Number of different colours of the picture."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = a_life(tmp_path_factory.mktemp("runs") / "a", ["Ada", *ATTACKS], list(ATTACKS))
    a_config(run)
    return run


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        yield found


@pytest.fixture(autouse=True)
def _no_trouble(page: Page) -> Iterator[None]:
    page.troubles.clear()
    yield
    assert page.run("window.hacked") is None
    assert page.troubles == []


@contextmanager
def served(page: Page, run: Path) -> Iterator[str]:
    """Serve a run; the page leaves it before the server ends, since its questions would fail then."""
    with view_server([run]) as where:
        try:
            yield where
        finally:
            page.call("Page.navigate", url="about:blank")
            page.until("location.href === 'about:blank'")


def test_a_land_with_hostile_names_is_drawn_and_flown_through(page: Page, record: Path) -> None:
    with served(page, record) as where:
        page.open(f"{where}#t=19&view=3d")
        page.until(DRAWN)
        page.until("!location.hash.includes('camera')")
        page.until(f"{COLOURS}.then((count) => count > 8)")
        assert page.run("document.getElementById('known').textContent").count("not recorded") >= 1
        for name in ATTACKS:
            place = f"{{ t: 19, view: '3d', eyes: 1, follow: 1, agent: {name!r} }}"
            page.run(f"location.hash = new URLSearchParams({place})")
            page.until("document.getElementById('panel').textContent.includes('all agents')")
        assert page.run("document.querySelectorAll('main img, main script, main iframe').length") == 0
        page.press("Escape")
        page.run("document.getElementById('over').focus()")
        page.call("Input.dispatchKeyEvent", type="keyDown", key="w", text="w")
        page.until("location.hash.includes('camera=')")
        page.call("Input.dispatchKeyEvent", type="keyUp", key="w")
        page.press("v")
        page.until("document.getElementById('space').hidden && !document.getElementById('map').hidden")


def test_no_second_policy_and_no_other_worker_can_be_made(page: Page, record: Path) -> None:
    with served(page, record) as where:
        page.open(where)
        page.until(f"{MOMENT} !== ''")
        for refused in (
            "trustedTypes.createPolicy('other', { createHTML: (text) => text })",
            "trustedTypes.createPolicy('accord-mesher', { createHTML: (text) => text })",
            "new Worker('mesh_worker.mjs')",
            "new Worker(URL.createObjectURL(new Blob(['1'])))",
            "document.body.innerHTML = '<b>x</b>'",
        ):
            thrown = page.run(f"(() => {{ try {{ {refused}; return '' }} catch (error) {{ return error.name }} }})()")
            assert thrown == "TypeError", refused
        page.run("1")
        # The browser reports what it refused, which is expected here.
        page.troubles.clear()


def test_an_exported_file_shows_the_land_without_server_and_worker(page: Page, tmp_path: Path) -> None:
    run = a_building(tmp_path / "a", ["Gizmo", "Glitch"])
    export([run], tmp_path / "out.html", 10**7)
    page.open(f"{(tmp_path / 'out.html').as_uri()}#t=5&view=3d")
    page.until(DRAWN)
    page.until(f"{COLOURS}.then((count) => count > 8)")


def test_without_webgl_a_line_says_so_and_the_map_stays(page: Page, record: Path) -> None:
    kept = "HTMLCanvasElement.prototype.getContext"
    source = f"{{ const kept = {kept}; {kept} = function (kind, ...more) {{ return kind === 'webgl2' ? null : kept.call(this, kind, ...more) }} }}"  # noqa: E501
    number = page.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    try:
        with served(page, record) as where:
            page.open(f"{where}#t=5&view=3d")
            page.until(f"!{LACK}.hidden && {LACK}.textContent.includes('has no WebGL2. The map stays.')")
            assert page.run("!document.getElementById('map').hidden && document.getElementById('space').hidden")
    finally:
        page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


def test_a_game_without_land_has_no_switch(page: Page, tmp_path: Path) -> None:
    run = a_life(tmp_path / "b", ["Ada"], ["Hello"])
    a_config(run, settings={"world": "none"})
    with served(page, run) as where:
        page.open(f"{where}#t=5&view=3d")
        page.until(f"!{LACK}.hidden && {LACK}.textContent.includes('it has no land')")
        assert page.run(f"{SWITCH} === undefined")


def test_a_narrow_screen_shows_the_land_without_scrolling_sideways(page: Page, record: Path) -> None:
    page.call("Emulation.setDeviceMetricsOverride", width=360, height=740, deviceScaleFactor=2, mobile=True)
    with served(page, record) as where:
        page.open(f"{where}#t=5&view=3d&agent=Ada&follow=1")
        page.until(DRAWN)
        assert page.run("document.documentElement.scrollWidth") <= 360
        assert page.run("document.getElementById('over').getBoundingClientRect().height") > 150
