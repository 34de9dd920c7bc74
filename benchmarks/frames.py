"""Cost of a frame of `accord view` with many agents, names and speech bubbles, in Chromium.

    python benchmarks/frames.py [--agents 500] [--seconds 6] [--zoom 4 14] [--profile] [--trace]

CPU time is that of the page's own thread, as the browser's devtools count it (thread ticks), so that it tells the same
on a machine that others use; a frame's script is timed by the wall clock as well, the median of all. Frames a second
tell what the machine had left, and how it draws: here by software.

With `--trace` the browser's own trace is taken after that for as long: of each frame the time of the main thread, by
the clock (`wall`) and in CPU (`cpu`), and how far frames are `apart`; of all the share within a 60th of a second.
`wall` and `apart` need a machine that nobody else uses.
"""

from __future__ import annotations

import argparse
import collections
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site, application
from accord.viewer.serving import address, bind
from benchmarks.frame_trace import traced
from benchmarks.viewing import write
from tests.fakes.browser import Page, browser

# The page keeps its parts to itself: each frame's script is timed where the browser calls it.
TIMED = """
(() => {
  const real = requestAnimationFrame
  window.took = []
  window.requestAnimationFrame = (act) => real((now) => {
    const began = performance.now()
    act(now)
    window.took.push(performance.now() - began)
  })
})()
"""
MEDIAN = "(took.sort((a, b) => a - b), [took.length, took[took.length >> 1], took[Math.floor(took.length * 0.95)]])"
METRICS = ("TaskDuration", "ScriptDuration", "LayoutDuration", "RecalcStyleDuration")


@contextmanager
def served(record: Path) -> Iterator[str]:
    """Return the address of the page over that record."""
    site, opened = Site(RunCatalog([record])), bind(None)
    server = uvicorn.Server(uvicorn.Config(application(site), log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        yield address(site, opened)
    finally:
        server.should_exit = True
        thread.join()
        opened.close()
        site.catalog.close()


def site_is_read(page: Page, where: str) -> None:
    """Wait for the index: building it is measured elsewhere."""
    page.open(where)
    page.until("/[1-9]:[0-9.]+$/.test(document.getElementById('moment').textContent)")
    page.until("!document.getElementById('stage').textContent.includes('reading')")


def counted(page: Page) -> Mapping[str, float]:
    """Return the browser's own counters, in seconds of CPU."""
    found = {each["name"]: each["value"] for each in page.call("Performance.getMetrics")["metrics"]}
    return {name: found.get(name, 0.0) for name in METRICS}


def heaviest(profile: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Functions by the milliseconds that were spent in themselves."""
    nodes = {node["id"]: node["callFrame"] for node in profile["nodes"]}
    spent: collections.Counter[str] = collections.Counter()
    for node, micros in zip(profile["samples"], profile["timeDeltas"], strict=True):
        frame = nodes[node]
        place = f"{frame['url'].rpartition('/')[2]}:{frame['lineNumber'] + 1}"
        spent[f"{frame['functionName'] or '(anonymous)'} {place}"] += micros
    return [(name, micros / 1000) for name, micros in spent.most_common(14)]


def measure(page: Page, where: str, given: argparse.Namespace, zoom: float, keys: str) -> None:
    """Play for some seconds at that zoom, and tell what a frame took."""
    page.open(f"{where}#t=5&x=0&z=0&zoom={zoom}")
    page.until("document.getElementById('moment').textContent.startsWith('0:05.0')")
    page.until("!document.getElementById('stage').textContent.includes('reading')")
    for key in keys:
        page.press(key)
    page.press(" ")
    time.sleep(1.0)  # sprites are drawn
    if given.profile:
        page.call("Profiler.start")
    page.run("took = []; 1")
    before, began = counted(page), time.perf_counter()
    time.sleep(given.seconds)
    after, wall = counted(page), time.perf_counter() - began
    frames, median, slow = page.run(MEDIAN)
    spent = {name: (after[name] - before[name]) * 1000 / frames for name in METRICS}
    print(
        f"zoom {zoom:g}, keys {keys or '-'}: {frames / wall:.1f} frames/s; a frame's script {median:.2f} ms "
        f"(95 %: {slow:.2f}); CPU ms a frame: " + ", ".join(f"{name} {value:.2f}" for name, value in spent.items()),
        flush=True,
    )
    if given.trace:
        print(f"    {traced(page, given.seconds).told()}", flush=True)
    if given.profile:
        for name, ms in heaviest(page.call("Profiler.stop")["profile"]):
            print(f"    {ms / frames:7.3f} ms a frame  {name}")


def main() -> None:
    """Write, play, tell."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--zoom", type=float, nargs="*", default=[4, 14])
    parser.add_argument("--profile", action="store_true")
    parser.add_argument("--trace", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        record = Path(folder) / "bench"
        write(record, 6_000_000, given.agents)
        with served(record) as where, browser() as page:
            site_is_read(page, where)
            page.call("Performance.enable", timeDomain="threadTicks")
            page.call("Profiler.enable")
            page.call("Page.addScriptToEvaluateOnNewDocument", source=TIMED)
            for zoom in given.zoom:
                for keys in ("", "a"):
                    measure(page, where, given, zoom, keys)


if __name__ == "__main__":
    main()
