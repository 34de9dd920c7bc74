"""People in grid games: a study waits for their actions, and its record holds them like those of other players."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from common.errors import PrerequisiteError
from dilemmas.minecraft.people import HumanPlayers, PageVenue
from dilemmas.minecraft.people.human_session import NoPage
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from voyager_agents.human.grid_view import GridView
from voyager_agents.human.seat_question import SeatQuestion

PERSON = "miner_2"
Choose = Callable[[GridView], str]


class Person(NoPage):
    """Page of a person who enters at once, says ready, and chooses an action in each step."""

    def __init__(self, people: HumanPlayers, choose: Choose, name: str = PERSON) -> None:
        self.people = people
        self.name = name
        self.choose = choose
        self.views: list[GridView] = []
        self.refused: list[str] = []
        self.texts: list[str] = []

    def _soon(self, act: Callable[[], object]) -> None:
        asyncio.get_running_loop().call_soon(act)

    def open_game(self, address: object) -> None:
        assert address is None
        self._soon(lambda: self.venue.set_presence(self.name, here=True))

    @property
    def venue(self) -> PageVenue:
        assert isinstance(self.people.venue, PageVenue)
        return self.people.venue

    def show_text(self, text: str, *, own: bool = False) -> None:
        self.texts.append(text)

    def show_question(self, question: SeatQuestion | None) -> None:
        if question is not None:
            answer = question.answers[0]
            self._soon(lambda: self.people.hear_page(self.name, answer))

    def show_grid(self, view: GridView) -> None:
        self.views.append(view)
        if view.is_open:
            self._soon(lambda: self._act(view))

    def _act(self, view: GridView) -> None:
        """Choose in vain first, and then as told."""
        self.refused += [
            self.people.choose_on_page(self.name, view.step, "fly", ()),
            self.people.choose_on_page(self.name, view.step + 1, view.actions[0].name, ()),
            self.people.choose_on_page("miner_3", view.step, view.actions[0].name, ()),
        ]
        action = self.choose(view)
        assert self.people.choose_on_page(self.name, view.step, action, ()) == ""
        self.refused.append(self.people.choose_on_page(self.name, view.step, action, ()))


def settings_in(folder: Path, scenario: str = "ada-contract", **more: Any) -> StudySettings:  # noqa: ANN401
    usual = StudySettings(
        scenario, ("none",), players={PERSON: "human"}, agents="greedy", world="none", out=folder, time_limit_s=24
    )
    return replace(usual, **more)


async def played(settings: StudySettings, choose: Choose) -> tuple[StudyResult, Person]:
    """Play a study with a person, and return its result with the person."""
    seated: list[Person] = []

    def seat(people: HumanPlayers) -> None:
        for name, session in people.sessions.items():
            seated.append(Person(people, choose, name))
            session.page = seated[-1]

    return await run_study(settings, seated=seat), seated[0]


def last(view: GridView) -> str:
    """Choose the last legal action, which is a social one where there is one."""
    return view.actions[-1].name


def events_of(result: StudyResult) -> list[log.Event]:
    return [line.event for line in read_events(result.directory / "events.jsonl")]


def actions_of(result: StudyResult, player: str) -> list[str]:
    """Return a player's actions by the record's trajectory."""
    [begun] = [event for event in events_of(result) if isinstance(event, log.GridBegun)]
    with np.load(result.directory / "episodes" / "1" / "trajectory.npz") as kept:
        names = kept["action_names"].tolist()
        return [names[number] for number in kept["actions"][:, list(begun.roles).index(player)]]


async def test_a_person_plays_a_player_and_the_record_holds_its_actions(tmp_path: Path) -> None:
    result, person = await played(settings_in(tmp_path), last)
    assert [each["status"] for each in result.results] == ["complete"]
    found = events_of(result)
    started = next(event for event in found if isinstance(event, log.RunStarted))
    [begun] = [event for event in found if isinstance(event, log.GridBegun)]
    assert (started.players[PERSON].author, begun.players[PERSON]) == ("human", "human")
    states = [event.state for event in found if isinstance(event, log.PersonSeen)]
    assert states == ["awaited", "joined", "ready"]
    views = person.views
    assert [view.step for view in views] == [*range(1, 25), 25]
    assert actions_of(result, PERSON) == [view.actions[-1].name for view in views[:-1]]
    assert "join" in actions_of(result, PERSON)[0] or any("join" in each for each in actions_of(result, PERSON))
    assert views[-1].over
    [ended] = [event for event in found if isinstance(event, log.GridEnded)]
    assert views[-1].reward == ended.rewards[PERSON]
    assert not any(ended.refused.values()) or PERSON not in ended.refused
    assert set(person.refused) == {
        "this action is not possible now: choose one of the buttons",
        "you have no choice in this step any more: look at the game as it is now",
    }
