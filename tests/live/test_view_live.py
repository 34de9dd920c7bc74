"""A study in play in a real browser: two viewers at once, pause and resume, and an end requested from the page."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bridge.prerequisites import ROOT
from tests.fakes.browser import Page, another, browser

pytestmark = pytest.mark.live
ACCORD = Path(sys.executable).with_name("accord")
MOMENT = "document.getElementById('moment').textContent"
END = f"{MOMENT}.split(' / ')[1]"
STEER = "document.getElementById('steer').textContent"
ENDLESS = (
    "perception-room",
    "--world",
    "mock",
    "--time-limit",
    "86400",
    "--max-wall",
    "300",
    "--no-report",
    "--json",
    "--watch",
)
"""A day of the smallest society, which the page ends, or the wall time limit if the page fails."""


@contextmanager
def watched(out: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yield the process of a study in play, and its page's address."""
    study = subprocess.Popen(
        [str(ACCORD), "run", *ENDLESS, "--out", str(out)], cwd=ROOT, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert study.stderr is not None
    try:
        line = next(line for line in study.stderr if "watch it at " in line)
        yield study, line.split("watch it at ")[1].split()[0]
    finally:
        study.terminate()
        try:
            study.communicate(timeout=60)
        finally:
            study.kill()


def click(page: Page, label: str) -> None:
    """Press the button with that label as soon as it exists."""
    button = f"[...document.querySelectorAll('#steer button')].find((each) => each.textContent === {label!r})"
    page.until(button + " !== undefined")
    page.run(f"{button}.click()")


def test_two_viewers_watch_pause_and_end_a_study_that_is_played(tmp_path: Path) -> None:
    with browser() as one, watched(tmp_path) as (study, address):
        one.open(address)
        one.until(f"{MOMENT}.endsWith(' live')")
        click(one, "Pause the study")
        one.until(f"{STEER}.includes('Go on')")
        with another(one, address) as two:
            two.until("document.querySelectorAll('#panel .row').length > 1")
            paused_at = two.until(END)
            click(two, "Go on")
            for page in (one, two):
                page.until(f"{END} !== {paused_at!r} && {STEER}.includes('Pause')")
            click(one, "End the study")
            study.wait(60)
            assert one.troubles == two.troubles == [] or _only_that_the_server_went(one, two)
    (result,) = tmp_path.rglob("result.json")
    assert json.loads(result.read_text())["status"] != "complete"


def _only_that_the_server_went(*pages: Page) -> bool:
    return all("ERR_CONNECTION_REFUSED" in trouble for page in pages for trouble in page.troubles)
