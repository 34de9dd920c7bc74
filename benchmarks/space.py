"""Cost of a frame of `accord view` in three dimensions, in Chromium.

    python benchmarks/space.py RECORD [--at 300] [--seconds 6] [--sight 12]

It reports the time from opening the page to the first mesh and to the last one, the script's time of a frame by the
wall clock (median and 95th percentile), frames a second, the size of the picture, and what draws: without a graphics
card Chromium draws by software, and lowers the resolution where frames take too long.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.frames import MEDIAN, TIMED
from tests.fakes.browser import Page, browser
from tests.fakes.view_server import view_server

RENDERER = """(() => {
  const gl = document.createElement('canvas').getContext('webgl2')
  return gl.getParameter(gl.getExtension('WEBGL_debug_renderer_info').UNMASKED_RENDERER_WEBGL)
})()"""
READY = "document.getElementById('notice').hidden && !document.getElementById('space').hidden"
SIZE = "['width', 'height'].map((side) => document.getElementById('space')[side]).join(' x ')"
COLUMNS = "performance.getEntriesByType('resource').filter((each) => each.name.includes('/columns?')).length"
QUIET_S = 5.0
"""Time without a request for columns after which all are loaded."""


def wait_for_columns(page: Page) -> None:
    """Wait until the page requests no more columns."""
    seen, since = 0, time.monotonic()
    while time.monotonic() - since < QUIET_S:
        time.sleep(0.2)
        count = page.run(COLUMNS)
        if count != seen:
            seen, since = count, time.monotonic()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("record", type=Path)
    parser.add_argument("--at", type=float, default=300.0)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--sight", type=int, default=12, choices=(4, 8, 12, 16))
    given = parser.parse_args()
    with view_server([given.record]) as where, browser(1280, 800) as page:
        page.call("Page.addScriptToEvaluateOnNewDocument", source=TIMED)
        began = time.monotonic()
        page.open(f"{where}#t={given.at}&view=3d")
        page.until(READY)
        first = time.monotonic() - began
        page.run(
            "{ const sight = document.querySelector('#tools select[aria-label=Sight]'); "
            f"sight.value = '{given.sight}'; sight.dispatchEvent(new Event('change')); null }}"
        )
        wait_for_columns(page)
        loaded = time.monotonic() - began - QUIET_S
        page.press(" ")
        page.run("took.length = 0")
        time.sleep(given.seconds)
        frames, median, slow = page.run(MEDIAN)
        sys.stdout.write(
            f"{page.run(RENDERER)}\nfirst mesh {first:.1f} s, all columns {loaded:.1f} s\n"
            f"{frames / given.seconds:.1f} frames/s at {page.run(SIZE)} pixels; a frame's script {median:.2f} ms, "
            f"95 % within {slow:.2f} ms\n"
        )


if __name__ == "__main__":
    main()
