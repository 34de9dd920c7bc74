"""The page of `accord view` with short records of all scenarios, several episodes and runs, and a resumed run."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from accord.analysis.report.reader import find_runs
from accord.studies.players import mode_of
from accord.studies.runner import usual_world
from accord.studies.settings import StudySettings
from accord.studies.study import read_settings, resume_study, run_study
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import SCENARIOS, load_scenario
from tests.fakes.browser import Page, browser
from tests.fakes.killing import kill_after, killed_at
from tests.fakes.view_server import view_server

pytestmark = pytest.mark.live
TABS = ("agents", "words", "contract", "calls", "numbers", "marks", "help")
SMALL = {
    "progression": "extends: progression\npopulation: {count: 5}\n",
    "religion": "extends: religion-small\n",
}
"""Scenario -> variant with fewer players; a village of thirty shows what a crowd's record is like."""
READ = "document.getElementById('moment').textContent.includes(' / ')"
FAULT = "document.getElementById('fault').textContent"
FILLED = """[...document.getElementById('panel').firstElementChild.children]
  .some((each) => !each.classList.contains('filter') && each.textContent !== '')"""
"""Script that tells if the open panel shows something beside its filters, be it one short name."""
DRAWN = """(() => {
  const { width, height } = document.getElementById('map')
  const rows = document.getElementById('map').getContext('2d').getImageData(0, 0, width, height).data
  return new Set(new Uint32Array(rows.buffer)).size
})()"""
"""Script that counts colours on the map."""


def settings(scenario: str, out: Path) -> StudySettings:
    """Return settings for short episodes under the scenario's first condition, two if the mode allows."""
    folder = out / scenario
    if scenario in SMALL:
        folder.mkdir()
        (folder / "small.yaml").write_text(f"{SMALL[scenario]}name: {scenario}\n")
        scenario = str(folder / "small.yaml")
    found = load_scenario(scenario)
    world = usual_world(found, "off")
    once = StudySettings(
        scenario, (next(iter(found.spec.conditions)),), world="mock" if world == "embedded" else world,
        time_limit_s=5.0, out=folder / "runs",
    )  # fmt: skip
    return replace(once, episodes=2 if mode_of(once, found).several else 1)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return records of all scenarios, of two runs, and of a study killed in its second episode and resumed."""
    out = tmp_path_factory.mktemp("records")
    whole = out / "double-vein"

    async def play() -> None:
        for scenario in SCENARIOS:
            await run_study(settings(scenario, out))
        again = ("negotiate+again=stands",)
        await run_study(StudySettings("double-vein", again, world="mock", episodes=2, out=out / "stands"))
        await run_study(StudySettings("double-vein", world="mock", runs=2, time_limit_s=5.0, out=out / "two"))

    asyncio.run(play())
    (log,) = whole.rglob("events.jsonl")
    starts = [number for number, line in enumerate(read_events(log)) if line.kind == "episode_started"]
    assert len(starts) == 2
    killed_at(run_study(settings("double-vein", out / "resumed"), listen=kill_after(starts[1] + 8)))
    (killed,) = find_runs([out / "resumed"])
    asyncio.run(resume_study(killed, read_settings(killed)))
    assert {"run_resumed", "run_ended"} <= {line.kind for line in read_events(killed / "events.jsonl")}
    return out


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    with browser() as found:
        yield found


def test_every_record_opens_at_its_beginning_in_its_middle_and_at_its_end(page: Page, records: Path) -> None:
    runs = find_runs([records])
    assert len(runs) == len(SCENARIOS) + 4
    with view_server([records]) as where:
        page.open(where)
        page.until(READ)
        for run in runs:
            opens(page, f"{records.name}/{run.relative_to(records)}")


def opens(page: Page, run: str) -> None:
    """Check that the page shows a run: the map at several moments, and every tab."""
    for moment in (0, 2.5, 1e6):
        page.run(f"location.hash = new URLSearchParams({{ run: {run!r}, t: {moment} }})")
        page.until(f"document.getElementById('runs').selectedOptions[0].textContent.startsWith({run!r}) && {READ}")
        page.until(f"document.getElementById('notice').hidden && {DRAWN} > 3")
    for number, tab in enumerate(TABS, 1):
        page.press(str(number))
        page.until(f"document.querySelector('[data-tab={tab}]').getAttribute('aria-selected') === 'true'")
        page.until(f"/* {run}, {tab} */ {FILLED}")
    assert (run, page.run(FAULT), page.troubles) == (run, "", [])
