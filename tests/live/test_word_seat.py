"""A person in a browser plays a game of hidden roles by words and buttons to its end; the record holds its words."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.study import StudySettings
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.browser import Page, save_picture
from tests.fakes.browser_person import BODY, click, in_the_browser
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
