"""Roles and coherence rated by a model: strict parsing, with the table's values wherever the model gave none."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest

from accord.analysis.report import read_comparison
from accord.analysis.report.society.findings import find_societies
from accord.studies.estimate import expect
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.events import LifeRated, ModelCalled
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from dilemmas.scenarios.societies.lives import life_histories
from dilemmas.scenarios.societies.rating import rate_lives
from dilemmas.scenarios.village.measures import measures, society
from tests.fakes.known_lives import line, village
from tests.fakes.life import respond, small_village
from tests.fakes.rated import Answers
from voyager_agents.asking import TRIES, Asker
from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Reply, Settings
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.piano.role_classifier import BATCH, RoleClassifier
from voyager_agents.roles import RATER
from voyager_agents.thought_events import Step, Unusable

GOALS = ("You farm.",) * 5


def rater_of(model: Any, steps: list[Step] | None = None) -> RoleClassifier:  # noqa: ANN401 - a stand-in for a model
    return RoleClassifier(Asker(model, RATER, tell=(steps if steps is not None else []).append))


async def test_sets_are_asked_about_many_at_a_time_and_read_strictly() -> None:
    model = Answers({"roles": [["farmer", "trader"]] * BATCH}, {"roles": [[], ["miner"]]})
    found = await rater_of(model).roles([GOALS] * (BATCH + 2))
    assert found == [("farmer", "trader")] * BATCH + [(), ("miner",)]
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ("a farmer, I think", "not one JSON object"),
        ({"roles": [["farmer"]]}, "it is about 1, and 2 were asked about"),
        ({"roles": [["a farmer"], []]}, "'a farmer' is no role"),
        ({"roles": [["a", "b"], []], "sure": True}, "sure"),
        ({"roles": [["one", "two", "three", "four"], []]}, "more than 3 roles"),
    ],
)
async def test_an_answer_that_is_not_in_form_is_asked_for_once_more_and_then_rates_nothing(
    answer: Any,  # noqa: ANN401 - text or data
    told: str,
) -> None:
    model, mended = Answers(answer), Answers(answer, {"roles": [["farmer"], ["miner"]]})
    steps: list[Step] = []
    rater = rater_of(model, steps)
    assert await rater.roles([GOALS, GOALS]) == [None, None]
    assert len(model.asked) == TRIES
    assert told in model.asked[1][-1].content
    assert [isinstance(step, Unusable) and told in step.why for step in steps] == [True] * TRIES
    assert await rater_of(mended).roles([GOALS, GOALS]) == [("farmer",), ("miner",)]


async def test_measures_take_the_models_word_and_the_tables_where_it_said_nothing() -> None:
    class Scribe(Answers):
        """Model that calls the first set of goals a poet's, and says of every decision that words and deeds agree."""

        async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
            count = messages[1].content.count('"number": ')
            poet = {"roles": [["poet"]] + [[]] * (count - 1)}
            return Reply(json.dumps(poet if "the role" in messages[0].content else {"agree": [True] * count}))

    lines = village()
    without = measures(lines, ["Ann", "Bob", "Cid"])
    assert without["coherence"] == {"Ann": 1.0, "Cid": 0.0}
    events = await rate_lives(lines, rater_of(Scribe("")))
    assert [event.player for event in events] == ["Ann", "Bob", "Cid"]
    lines[-1:-1] = [line(event) for event in events]
    found = measures(lines, ["Ann", "Bob", "Cid"])
    assert found["coherence"] == {"Ann": 1.0, "Cid": 1.0}
    # All sets of Ann are equal and rated once. Of Bob's, only the first is rated; the table covers the others.
    assert society(lines)["rated"] == 1.0
    assert found["roles"] == {"Ann": 1.0, "Bob": 3.0, "Cid": 1.0}
    assert set(society(lines)["role_shares"]) == {"poet", "farmer", "miner"}


async def test_a_model_that_cannot_be_asked_leaves_all_to_the_table() -> None:
    lines = village()
    events = await rate_lives(lines, rater_of(Answers(ModelError("the endpoint is gone"))))
    assert {event.fault for event in events} == {"the endpoint is gone"}
    assert not any(event.roles or event.agree for event in events)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[StudyResult, StudySettings]:
    """Play two villagers with models for one minute; the rater always answers that they fish."""
    folder = tmp_path_factory.mktemp("rated")
    path = small_village(folder, people=2, seconds=60)

    async def play() -> tuple[StudyResult, StudySettings]:
        async with FakeServer(respond) as server:
            settings = StudySettings(
                str(path), world="mock", contracts=("normal",), out=folder / "runs", think="1", agents="piano",
                base_url=server.base_url, models={name: "openai/x" for name in ("controller", "goal_generation")},
            )  # fmt: skip
            settings.models["rater"] = "openai/y"
            return await run_study(settings), settings

    return asyncio.run(play())


async def test_a_rater_is_metered_recorded_estimated_and_told_of_in_the_report(
    study: tuple[StudyResult, StudySettings],
) -> None:
    found, settings = study
    assert found.results[0]["status"] == "complete"
    lines = list(read_events(found.directory / "events.jsonl"))
    ratings = [each.event for each in lines if isinstance(each.event, LifeRated)]
    assert [each.player for each in ratings] == list(found.results[0]["players"])
    assert all(["fisher"] in each.roles for each in ratings)
    called = [each.event for each in lines if isinstance(each.event, ModelCalled)]
    asked = [event for event in called if event.purpose == "rater"]
    assert {event.model for event in asked} == {"openai/y"}
    result = read_result(found.directory / "result.json")
    assert result["village"]["role_shares"] == {"fisher": 1.0}
    assert [each for each in result["costs"] if each["role"] == "rater"]
    expected = {each["role"]: each for each in (await expect(settings))["roles"]}
    assert expected["rater"]["least"]["calls"] <= len(asked) <= expected["rater"]["most"]["calls"]
    assert all(life.rated for life in life_histories(lines).lives.values())
    told = find_societies(read_comparison([found.directory]))
    assert told is not None
    assert told.rated
