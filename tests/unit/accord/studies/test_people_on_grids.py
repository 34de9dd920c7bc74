"""People in grid games: a study waits for their actions, and its record holds them like those of other players."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from common.errors import PrerequisiteError
from common.text import read_json
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.page_person import PagePerson, soon
from tests.fakes.page_person import seats as seated
from tests.unit.dilemmas.scenarios.ada.scene import first_plan
from voyager_agents.human.grid_view import GridChoice, GridView
from voyager_agents.models.fake_server import FakeServer, Request

PERSON = "miner_2"
ALL_WORK = 21
"""First step of a Contract game in which all players have a choice."""
Choose = Callable[[GridView], GridChoice | None]
"""Step -> the person's action; None if it chooses nothing."""


class Person(PagePerson):
    """Page of a person who chooses as told."""

    def __init__(self, people: HumanPlayers, name: str, choose: Choose) -> None:
        super().__init__(people, name)
        self.choose = choose
        self.views: list[GridView] = []

    def show_grid(self, view: GridView) -> None:
        self.views.append(view)
        if view.is_open and (choice := self.choose(view)) is not None:
            soon(lambda: self.does(view.step, choice))

    def does(self, step: int, choice: GridChoice) -> None:
        """Choose an action that is legal."""
        assert self.people.choose_on_page(self.name, step, choice.action, choice.words) == ""


def settings_in(folder: Path, scenario: str = "ada-contract", **more: Any) -> StudySettings:  # noqa: ANN401
    usual = StudySettings(
        scenario, ("none",), players={PERSON: "human"}, agents="greedy", world="none", out=folder, time_limit_s=24
    )
    return replace(usual, **more)


def seats(choose: Choose, found: list[Person]) -> Callable[[HumanPlayers], None]:
    """Return a function that seats people who choose as told, and adds them to a list."""
    return seated(lambda people, name: Person(people, name, choose), found)


async def played(settings: StudySettings, choose: Choose) -> tuple[StudyResult, list[Person]]:
    """Play a study with people, and return its result with them."""
    people: list[Person] = []
    return await run_study(settings, seated=seats(choose, people)), people


def last(view: GridView) -> GridChoice:
    """Choose the last legal action, which is a social one where there is one."""
    return GridChoice(view.actions[-1].name)


def events_of(directory: Path) -> list[log.Event]:
    return [line.event for line in read_events(directory / "events.jsonl")]


def states_of(directory: Path) -> list[str]:
    return [event.state for event in events_of(directory) if isinstance(event, log.PersonSeen)]


def actions_of(directory: Path, player: str) -> list[str]:
    """Return a player's actions by the record's trajectory."""
    begun = next(event for event in events_of(directory) if isinstance(event, log.GridBegun))
    with np.load(directory / "episodes" / "1" / "trajectory.npz") as kept:
        names = kept["action_names"].tolist()
        return [names[number] for number in kept["actions"][:, list(begun.roles).index(player)]]


def the_one_run(folder: Path) -> Path:
    """Return the directory of the only run in a folder."""
    [log_file] = folder.rglob("events.jsonl")
    return log_file.parent


async def test_a_person_plays_a_player_and_the_record_holds_its_actions(tmp_path: Path) -> None:
    result, [person] = await played(settings_in(tmp_path), last)
    assert [each["status"] for each in result.results] == ["complete"]
    found = events_of(result.directory)
    started = next(event for event in found if isinstance(event, log.RunStarted))
    [begun] = [event for event in found if isinstance(event, log.GridBegun)]
    assert (started.players[PERSON].author, begun.players[PERSON], begun.players["miner_3"]) == (
        "human", "human", "greedy",
    )  # fmt: skip
    assert states_of(result.directory) == ["awaited", "joined", "ready"]
    *steps, end = person.views
    assert [view.step for view in steps] == list(range(1, 25))
    assert actions_of(result.directory, PERSON) == [view.actions[-1].name for view in steps]
    assert {view.role for view in steps} == {"miner"}
    assert len([view for view in steps if view.actions[-1].name == "join 3"]) == 5
    [ended] = [event for event in found if isinstance(event, log.GridEnded)]
    assert (end.over, end.actions, end.reward) == (True, (), ended.rewards[PERSON])
    assert sum(view.gained for view in person.views) == pytest.approx(end.reward)


async def test_what_is_not_possible_now_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    refusals: list[str] = []
    people: list[Person] = []

    def choose(view: GridView) -> GridChoice:
        def tries(name: str, step: int, action: str, *words: int) -> None:
            refusals.append(people[0].people.choose_on_page(name, step, action, words))

        def in_vain() -> None:
            tries(PERSON, view.step, "fly")
            tries(PERSON, view.step, view.actions[0].name, 1)
            tries(PERSON, view.step + 1, view.actions[0].name)
            tries("miner_3", view.step, view.actions[0].name)
            people[0].does(view.step, last(view))
            tries(PERSON, view.step, view.actions[0].name)

        soon(in_vain)
        return None  # type: ignore[return-value] # chosen in vain first

    result = await run_study(settings_in(tmp_path), seated=seats(choose, people))
    assert set(refusals) == {
        "this action is not possible now: choose one of the buttons",
        "only a message has words",
        "you have no choice in this step any more: look at the game as it is now",
    }
    assert actions_of(result.directory, PERSON) == [view.actions[-1].name for view in people[0].views[:-1]]


@pytest.mark.parametrize(
    ("scenario", "player", "condition"),
    [
        ("ada-contract", "carpenter_0", "contract-1"),
        ("ada-contract-hard", "carpenter_0", "none"),
        ("ada-negotiation", "carpenter_0", "none"),
        ("ada-negotiation-hard", "miner_4", "none"),
        ("ada-social-structure", "carpenter_0", "dynamic"),
        ("ada-exploration", "explorer_0", "none"),
    ],
)
async def test_people_play_all_grid_scenarios_by_legal_actions(
    tmp_path: Path, scenario: str, player: str, condition: str
) -> None:
    dice = random.Random(1)
    said: list[str] = []

    def choose(view: GridView) -> GridChoice:
        options = [each for each in view.actions if not each.name.startswith(("up", "down", "left", "right"))]
        option = dice.choice(options or view.actions)
        said.append(option.label)
        return GridChoice(option.name, (3, 2) if option.name.startswith("message") else ())

    settings = settings_in(tmp_path, scenario, contracts=(condition,), players={player: "human"}, agents="random",
                           time_limit_s=40)  # fmt: skip
    result, [person] = await played(settings, choose)
    assert [each["status"] for each in result.results] == ["complete"]
    assert len(person.views) == 41
    assert all(view.picture.startswith(b"\x89PNG") for view in person.views)
    if scenario == "ada-exploration":
        acts = [each for each in events_of(result.directory) if isinstance(each, log.GridSocialAct)]
        assert (3, 2, 0) in {tuple(each.words or ()) for each in acts if each.player == player}
        assert any(label.startswith("message explorer_") for label in said)


async def test_planners_plan_while_a_person_chooses(tmp_path: Path) -> None:
    people: list[Person] = []
    planned: list[int] = []

    def choose(view: GridView) -> GridChoice | None:
        """In the first step in which all have a choice, choose nothing before a planner was asked."""
        return None if view.step == ALL_WORK and not planned else last(view)

    def plan(request: Request) -> str:
        view = people[0].views[-1]
        if view.step == ALL_WORK and not planned:
            planned.append(view.step)
            soon(lambda: people[0].does(view.step, last(view)))
        return first_plan(request)

    async with FakeServer(plan) as server:
        settings = settings_in(
            tmp_path, agents="planner", model="openai/test", base_url=server.base_url, human_wait_s=60.0
        )
        result = await run_study(settings, seated=seats(choose, people))
    assert [each["status"] for each in result.results] == ["complete"]
    assert {each.player for each in events_of(result.directory) if isinstance(each, log.GridPlanned)} == {
        "carpenter_0", "carpenter_1", "miner_3",
    }  # fmt: skip


async def test_people_negotiate_before_a_grid_game_by_the_page(tmp_path: Path) -> None:
    names = ("carpenter_0", "carpenter_1", "miner_2", "miner_3")
    settings = settings_in(tmp_path, contracts=("negotiate",), players=dict.fromkeys(names, "human"))
    result, people = await played(settings, last)
    assert [each["status"] for each in result.results] == ["complete"]
    kinds = {question.kind for person in people for question in person.asked}
    assert {"table", "ready"} <= kinds
    [turns] = [[each for each in events_of(result.directory) if isinstance(each, log.NegotiationTurn)]]
    assert turns[0].speaker in names
    assert any(each.accepts for each in turns)
    told = "\n".join(text for person in people for text in person.texts)
    assert "/msg" not in told
    assert "book in your hand" not in told
    assert len({tuple(actions_of(result.directory, name)) for name in names}) > 1


async def test_the_game_waits_for_a_person_who_lost_the_page(tmp_path: Path) -> None:
    away = asyncio.Event()
    people: list[Person] = []

    def choose(view: GridView) -> GridChoice | None:
        if view.step < 22 or away.is_set():
            return last(view)
        away.set()
        people[0].venue.set_presence(PERSON, here=False)
        return None

    study = asyncio.create_task(run_study(settings_in(tmp_path), seated=seats(choose, people)))
    await away.wait()
    await settled()
    count = len(people[0].views)
    await settled()
    assert (study.done(), len(people[0].views)) == (False, count)
    people[0].venue.set_presence(PERSON, here=True)
    people[0].does(people[0].views[-1].step, last(people[0].views[-1]))
    result = await study
    assert [each["status"] for each in result.results] == ["complete"]
    assert states_of(result.directory) == ["awaited", "joined", "ready", "left", "back"]


async def test_a_person_who_stays_away_or_silent_ends_the_study_in_one_line(tmp_path: Path) -> None:
    people: list[Person] = []
    settings = settings_in(tmp_path / "silent", human_wait_s=0.2)
    with pytest.raises(PrerequisiteError, match=f"{PERSON} has chosen no action for 0.2 s: .* --human-wait"):
        await run_study(settings, seated=seats(lambda _view: None, people))
    directory = the_one_run(tmp_path / "silent")
    assert read_json((directory / "result.json").read_bytes())["status"] == "failed"
    assert not [each for each in events_of(directory) if isinstance(each, log.GridEnded)]

    class Absent(Person):
        """Page that nobody opens."""

        def open_game(self, address: object) -> None:
            pass

    def seat(humans: HumanPlayers) -> None:
        humans.sessions[PERSON].page = Absent(humans, PERSON, last)

    with pytest.raises(PrerequisiteError, match=f"{PERSON} has not been in the game for 0.2 s: .* --human-wait"):
        await run_study(settings_in(tmp_path / "absent", human_wait_s=0.2), seated=seat)
    with pytest.raises(UsageError, match="ada-contract is played on people's pages: add --watch or --invite"):
        await run_study(settings_in(tmp_path / "nowhere"))
    assert not (tmp_path / "nowhere").exists()


async def test_a_person_who_withdraws_ends_the_run_without_a_score(tmp_path: Path) -> None:
    people: list[Person] = []

    def choose(view: GridView) -> GridChoice | None:
        if view.step < 22:
            return last(view)
        soon(lambda: people[0].people.answer_form(PERSON, "withdraw", {}))
        return None

    result = await run_study(settings_in(tmp_path), seated=seats(choose, people))
    assert [each["status"] for each in result.results] == ["infrastructure"]
    assert states_of(result.directory)[-1] == "withdrawn"


async def test_a_resumed_study_is_played_to_its_end_by_the_person(tmp_path: Path) -> None:
    people: list[Person] = []

    def stops(view: GridView) -> GridChoice | None:
        if view.step < 22:
            return last(view)
        soon(study.cancel)
        return None

    study = asyncio.create_task(run_study(settings_in(tmp_path), seated=seats(stops, people)))
    with pytest.raises(asyncio.CancelledError):
        await study
    directory = the_one_run(tmp_path)
    again: list[Person] = []
    result = await resume_study(directory, read_settings(directory), seated=seats(last, again))
    assert [each["status"] for each in result.results] == ["complete"]
    whole, _ = await played(settings_in(tmp_path / "whole"), last)
    assert actions_of(result.directory, PERSON) == actions_of(whole.directory, PERSON)


async def settled() -> None:
    """Let all ready tasks run."""
    for _ in range(30):
        await asyncio.sleep(0)
