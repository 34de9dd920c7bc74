"""The page in three dimensions in a real browser: hostile names, keyboard, a file without a server, no WebGL2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from accord.viewer.export import export
from accord.viewer.land import RunLand, furnish_land
from bridge.mock_world import MockWorld
from tests.fakes.browser import Page, browser, save_picture
from tests.fakes.view_server import view_server
from tests.unit.accord.viewer.lands import a_building, a_config
from tests.unit.accord.viewer.records import ATTACKS, a_life, line

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
SKY = """(() => {
  const copy = document.createElement('canvas')
  Object.assign(copy, { width: 8, height: 8 })
  const pen = copy.getContext('2d')
  return new Promise((resolve) => requestAnimationFrame(() => {
    pen.drawImage(document.getElementById('space'), 0, 0, 8, 8)
    const [red, , blue] = pen.getImageData(4, 0, 1, 1).data
    resolve(blue - red)
  }))
})()"""
"""Blueness of the picture's upper edge: blue less red, of 255."""
RED = """(() => {
  const copy = document.createElement('canvas')
  Object.assign(copy, { width: 320, height: 200 })
  const pen = copy.getContext('2d')
  return new Promise((resolve) => requestAnimationFrame(() => {
    pen.drawImage(document.getElementById('space'), 0, 0, 320, 200)
    const { data } = pen.getImageData(0, 0, 320, 200)
    let count = 0
    for (let at = 0; at < data.length; at += 4) count += data[at] > 3 * Math.max(data[at + 1], data[at + 2], 20)
    resolve(count)
  }))
})()"""
"""Number of red points of the picture."""
OVER = "document.getElementById('over')"
SIGN = ("<script>window.hacked=1</script>", "<img/src=x/onerror=window.hacked=1>")


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


@pytest.fixture
def written(page: Page) -> Iterator[str]:
    """Expression for all texts that the page has drawn on canvases."""
    source = """window.written = new Set()
    const { prototype } = CanvasRenderingContext2D
    const kept = prototype.fillText
    prototype.fillText = function (text, ...more) { window.written.add(text); return kept.call(this, text, ...more) }"""
    number = page.call("Page.addScriptToEvaluateOnNewDocument", source=source)["identifier"]
    yield "[...window.written]"
    page.call("Page.removeScriptToEvaluateOnNewDocument", identifier=number)


async def with_signs(world: MockWorld, land: RunLand) -> None:
    """Set up a land in which a sign hangs in the air, with words that attack the page."""
    await furnish_land(world, land)
    words = ",".join(f"'{json.dumps({'text': text})}'" for text in (*SIGN, "", ""))
    await world.commands([f"setblock 0 -40 0 oak_sign{{front_text:{{messages:[{words}]}}}}"])


def touch(page: Page, kind: str, *points: tuple[float, float]) -> None:
    """Put fingers on the picture, move them, or take them away (no points)."""
    fingers = [{"x": x, "y": y, "id": number} for number, (x, y) in enumerate(points)]
    page.call("Input.dispatchTouchEvent", type=kind, touchPoints=fingers)


def uses_fingers(page: Page) -> None:
    """Turn the camera with one finger, and fly with two."""
    page.press("Escape")
    left, top = page.run(f"(() => {{ const box = {OVER}.getBoundingClientRect(); return [box.left, box.top] }})()")
    middle = (left + 200, top + 150)
    camera = "new URLSearchParams(location.hash.slice(1)).get('camera').split(',').map(Number)"
    x, y, z, yaw, _pitch = page.until(camera)
    touch(page, "touchStart", middle)
    touch(page, "touchMove", (middle[0] + 60, middle[1]))
    touch(page, "touchEnd")
    page.until(f"Math.abs({camera}[3] - {yaw}) > 3 && Math.abs({camera}[0] - {x}) < 0.1")
    turned = page.run(f"{camera}[3]")
    touch(page, "touchStart", middle, (middle[0] + 80, middle[1]))
    touch(page, "touchMove", middle, (middle[0] + 200, middle[1]))
    touch(page, "touchEnd")
    page.until(f"(([x, y, z]) => Math.hypot(x - {x}, y - {y}, z - {z}) > 1)({camera})")
    assert page.run(f"{camera}[3]") == turned


def test_a_land_with_hostile_names_is_drawn_and_flown_through(
    page: Page, record: Path, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.viewer.land.furnish_land", with_signs)
    with served(page, record) as where:
        page.open(f"{where}#t=19&view=3d&camera=0.5,-39.5,-4,0,0")
        page.until(DRAWN)
        for text in SIGN:
            page.until(f"{written}.some((each) => each.includes({text[:9]!r}))")
        save_picture(page, "signs")
        uses_fingers(page)
        page.open(f"{where}#t=19&view=3d")
        page.until(DRAWN)
        page.until("!location.hash.includes('camera')")
        page.until(f"{COLOURS}.then((count) => count > 8)")
        assert page.run("document.getElementById('known').textContent").count("not recorded") >= 1
        for name in ATTACKS:
            place = f"{{ t: 19, view: '3d', eyes: 1, follow: 1, agent: {name!r} }}"
            page.run(f"location.hash = new URLSearchParams({place})")
            page.until("document.getElementById('panel').textContent.includes('all agents')")
        page.until(f"{written}.some((each) => each.includes({ATTACKS[0][:14]!r}))")
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
    stairs = [[x, -60, 3, "oak_stairs"] for x in range(4)]
    states = [
        [x, -60, 3, f"oak_stairs[facing={to},half=top]"] for x, to in enumerate(("east", "west", "south", "north"))
    ]
    changed = {"t_s": 5.5, "changed": {"Gizmo": stairs}, "tops": [], "left_out": 0, "states": states}
    items = {str(n): [kind, 1, [0.2, -60.0, 1.2 + n / 2]] for n, kind in enumerate(("redstone_block", "apple"))}
    drops = [line(8, "drops", t_s=5.5, at=items, gone=[]), line(8, "drops", t_s=5.8, at={}, gone=list(items))]
    wet = [line(8, "ground_changed", **changed), line(8, "weather", t_s=5.6, weather="rain"), *drops]
    run = a_building(tmp_path / "a", ["Gizmo", "Glitch"], wet)
    export([run], tmp_path / "out.html", 10**7)
    held = "&view=3d&camera=-2,-58.5,1,-60,5"
    page.open(f"{(tmp_path / 'out.html').as_uri()}#t=5{held}")
    page.until(DRAWN)
    page.until(f"{COLOURS}.then((count) => count > 8)")
    clear = page.until(f"{SKY}.then((blue) => blue > 40 && blue)")
    page.run(f"location.hash = 't=11.9{held}'")
    page.until(f"{SKY}.then((blue) => blue < {clear} - 30)")
    page.until(f"{RED}.then((count) => count === 0)")
    page.run(f"location.hash = 't=11.7{held}'")
    page.until(f"{RED}.then((count) => count > 20)")
    save_picture(page, "stairs-in-rain")


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
