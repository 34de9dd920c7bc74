"""A person in a browser plays a player of a grid game by keys and buttons to its end; the record holds its actions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from accord.studies.study import StudySettings
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from dilemmas.scenarios import ada_contract
from tests.fakes.browser import Page, save_picture
from tests.fakes.browser_person import BODY, click, in_the_browser
from tests.fakes.person import PATIENCE_S

pytestmark = pytest.mark.live
STAND = "document.getElementById('stand').textContent"
WAYS = {"ArrowUp": "up", "ArrowLeft": "left", "ArrowDown": "down", "ArrowRight": "right", "e": "produce", ".": "stay"}
"""Key -> the action that it chooses."""
HOSTILE = "<img src=x onerror=window.hacked=1>"
CONSENT = f"# A game about groups\n\nYou may *stop* at any time. {HOSTILE}\n"
QUESTIONS = 'after:\n  - {id: fair, ask: Was it fair?, kind: choice, choices: ["yes", "no"]}\n'
BASE = Path(ada_contract.__file__).parent / "ada_contract.yaml"
GAME = f"""
extends: {BASE}
name: short-contract
text: Choose groups, then work. {HOSTILE}
game: {{name: ada-contract, variants: [], changes: {{steps: 26}}}}
"""


class Player:
    """Hands of the person in the browser, and the actions that they chose."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.chosen: dict[int, str] = {}
        """Step -> action."""
        page.open(address)

    def click(self, selector: str) -> None:
        """Press a button once it is there."""
        click(self.page, selector)

    def turn(self) -> int:
        """Wait for a step with a choice, and return it; 0 once the game is over."""
        self.page.until(f"/choose an action|is over/.test({STAND})")
        stand: str = self.page.run(STAND)
        return 0 if "is over" in stand else int(stand.split()[1])

    def legal(self) -> list[str]:
        """Return the actions whose buttons can be pressed."""
        buttons = "[...document.querySelectorAll('#board button:enabled')]"
        return list(self.page.run(f"{buttons}.map((each) => each.dataset.action)"))

    def presses(self, step: int, key: str, action: str) -> None:
        """Choose an action by its key, and wait until the step is over."""
        self.page.press(key)
        self._goes_on(step, action)

    def clicks(self, step: int, action: str) -> None:
        """Choose an action by its button, and wait until the step is over."""
        self.click(f"#board button[data-action='{action}']")
        self._goes_on(step, action)

    def tabs(self, step: int, action: str) -> None:
        """Choose an action by Tab and Enter alone, and wait until the step is over."""
        for _ in range(60):
            self.page.press("Tab")
            if self.page.run("document.activeElement.dataset.action") == action:
                break
        else:
            raise AssertionError(f"the keyboard does not reach {action}")
        self.page.press("Enter")
        self._goes_on(step, action)
        assert self.page.run("document.getElementById('board').contains(document.activeElement)")

    def _goes_on(self, step: int, action: str) -> None:
        self.page.until(f"!{STAND}.startsWith('Step {step} of') || {STAND}.includes('waiting')")
        self.page.until(f"!{STAND}.startsWith('Step {step} of')")
        self.chosen[step] = action

    def shot(self, name: str) -> None:
        """Save a picture for a look by eye."""
        save_picture(self.page, name)


def joins_a_group(person: Player) -> None:
    """Choose a group by a number, while the others' turns pass by themselves."""
    page, step = person.page, person.turn()
    assert [each for each in person.legal() if not each.startswith("join ")] == []
    page.until("document.activeElement.id === 'board'")
    person.shot("grid-join")
    label = page.run("document.querySelector('#acts button').getAttribute('aria-label')")
    assert label == "join 0, key 1"
    person.presses(step, "2", "join 1")
    assert page.run(f"{BODY}.includes('Group 1 shares what its members earn')")


def comes_back(person: Player) -> None:
    """Lose the page, and go on by the same link."""
    step, legal = person.turn(), person.legal()
    person.page.open(person.address)
    assert (person.turn(), person.legal()) == (step, legal)
    person.page.until("document.getElementById('seen').naturalWidth > 100")


def looks_narrow_and_dark(person: Player) -> None:
    """Check that a narrow screen needs no scrolling sideways; save pictures."""
    page = person.page
    person.shot("grid-wide")
    page.call("Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=2, mobile=True)
    page.until("innerWidth <= 320")
    assert page.run("document.documentElement.scrollWidth") <= 320
    assert page.run("[...document.querySelectorAll('#board, #choose')].every((e) => e.scrollWidth <= e.clientWidth)")
    person.shot("grid-narrow")
    page.call("Emulation.setDeviceMetricsOverride", width=1200, height=800, deviceScaleFactor=1, mobile=False)
    page.run("document.documentElement.classList.add('dark')")
    person.shot("grid-dark")
    page.run("document.documentElement.classList.remove('dark')")


def plays(page: Page, address: str) -> dict[int, str]:
    """Take the seat, play to the end, and return the actions by step."""
    person = Player(page, address)
    page.until(f"{BODY}.includes('A game about groups')")
    person.click("#agree")
    person.click("#enter")
    page.until(f"{BODY}.includes('Read the rules on this page') && {BODY}.includes({HOSTILE!r})")
    person.shot("grid-ready")
    person.click("#answers button")
    joins_a_group(person)
    comes_back(person)
    looks_narrow_and_dark(person)
    person.tabs(person.turn(), "join 2")
    while step := person.turn():
        legal = person.legal()
        ways = [key for key, action in WAYS.items() if action in legal]
        others = [action for action in legal if action not in WAYS.values()]
        if others:
            person.clicks(step, others[0])
        else:
            key = ways[step % len(ways)]
            person.presses(step, key, WAYS[key])
    person.shot("grid-over")
    assert page.troubles == []
    assert page.run("window.hacked") is None
    person.click("#paper input[value='no']")
    person.click("#give")
    return person.chosen


async def test_a_person_in_a_browser_plays_a_grid_game_to_its_end(tmp_path: Path) -> None:
    for name, text in (("consent.md", CONSENT), ("questions.yaml", QUESTIONS), ("short.yaml", GAME)):
        (tmp_path / name).write_text(text)
    settings = StudySettings(
        str(tmp_path / "short.yaml"), ("none",), players={"miner_2": "human"}, agents="greedy", world="none",
        human_wait_s=PATIENCE_S, out=tmp_path, consent=str(tmp_path / "consent.md"),
        questionnaire=str(tmp_path / "questions.yaml"),
    )  # fmt: skip
    found, chosen = await in_the_browser(settings, plays, "miner_2", "grid")
    assert [each["status"] for each in found.results] == ["complete"]
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    [begun] = [event for event in events if isinstance(event, log.GridBegun)]
    assert begun.players["miner_2"] == "human"
    states = [event.state for event in events if isinstance(event, log.PersonSeen)]
    assert [state for state in states if state not in ("left", "back")] == ["awaited", "consented", "joined", "ready"]
    assert [event.stage for event in events if isinstance(event, log.QuestionnaireAnswered)] == ["after"]
    with np.load(found.directory / "episodes" / "1" / "trajectory.npz") as kept:
        names, column = kept["action_names"].tolist(), list(begun.roles).index("miner_2")
        actions = [names[number] for number in kept["actions"][:, column]]
    assert {step: actions[step - 1] for step in chosen} == chosen
    assert len(chosen) == begun.stage // len(begun.roles) + begun.steps - begun.stage
    assert {actions[step - 1] for step in range(1, begun.steps + 1) if step not in chosen} == {"stay"}
