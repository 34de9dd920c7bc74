"""People play games in rounds on their pages: by words in a browser, and beside bots that walk in a world."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.browser import Page, save_picture
from tests.fakes.browser_person import BODY, click, in_the_browser
from tests.fakes.page_person import Chooser, seats
from tests.fakes.person import PATIENCE_S

pytestmark = pytest.mark.live
PERSON = "Gizmo"
TITLE = "document.getElementById('title').textContent"
TEXTS = "document.getElementById('texts').textContent"
OVER = f"{TEXTS}.includes('The game is over.')"
QUESTIONS = "/^(Give your clue|For whom|Vote now|You were accused)/"
GAMES = 2


def plays(page: Page, address: str) -> list[str]:
    """Take the seat, play to the end, and return the clues."""
    clues: list[str] = []
    page.open(address)
    click(page, "#enter")
    page.until(f"{BODY}.includes('Read the rules on this page')")
    save_picture(page, "words-ready")
    click(page, "#answers button")
    while (title := page.until(f"{OVER} ? 'over' : {QUESTIONS}.test({TITLE}) && {TITLE}")) != "over":
        if title.startswith("Give"):
            clues.append(f"thing-{'abcdefgh'[len(clues)]}")
            save_picture(page, f"words-clue-{len(clues)}")
            page.run(f"document.getElementById('line').value = {clues[-1]!r}")
            click(page, "#send")
            # The next question may have the same words.
            page.until(f"{TEXTS}.includes({f'{PERSON}: {clues[-1]}'!r})")
        else:
            save_picture(page, "words-vote")
            click(page, "#answers button:last-child")
            page.until(f"{OVER} || {TITLE} !== {title!r}")
    save_picture(page, "words-over")
    assert page.run(f"{TEXTS}.split('the chameleon was').length") == GAMES + 1
    assert page.troubles == []
    return clues


async def test_a_person_in_a_browser_plays_a_game_of_hidden_roles_to_its_end(tmp_path: Path) -> None:
    settings = StudySettings(
        "chameleon", ("none",), players={PERSON: "human"}, world="none", repeat=GAMES, human_wait_s=PATIENCE_S,
        out=tmp_path,
    )  # fmt: skip
    found, clues = await in_the_browser(settings, plays, PERSON, "words")
    assert [each["status"] for each in found.results] == ["complete"]
    said = [line.event for line in read_events(found.directory / "events.jsonl") if line.kind == "word_said"]
    own = [each for each in said if isinstance(each, log.WordSaid) and each.player == PERSON]
    assert [each.clue for each in own if each.stage == "clue"] == clues
    assert len([each for each in own if each.vote]) == GAMES
    assert {each.fault for each in own} == {""}


async def test_what_a_person_chooses_on_its_page_is_done_by_its_body_in_the_world(tmp_path: Path) -> None:
    people: list[Chooser] = []
    settings = StudySettings(
        "prisoners-dilemma", ("none",), players={PERSON: "human"}, world="embedded", repeat=2, out=tmp_path
    )
    result = await run_study(settings, seated=seats(Chooser, people))
    assert [each["status"] for each in result.results] == ["complete"]
    events = [line.event for line in read_events(result.directory / "events.jsonl")]
    assert [each.choices[0][PERSON] for each in events if isinstance(each, log.RoundPlayed)] == people[0].chosen
    assert people[0].chosen == ["cooperate", "defect"]
    walked = [each for each in events if isinstance(each, log.ActionEvent) and each.bot == PERSON]
    assert {each.name for each in walked if each.ok} >= {"goTo"}
