"""Calls skipped while nothing that a module heeds has changed: what counts as a change, and what is recorded."""

from __future__ import annotations

import itertools
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import LifeSummed
from dilemmas.records.record import read_events
from tests.fakes.life import ANSWERS, GameTimeModel, Life, respond, small_village
from voyager_agents.errors import WiringError
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.piano.modules.action_awareness import Lesson
from voyager_agents.piano.modules.controller import MODULE as CONTROLLER
from voyager_agents.piano.modules.goal_generation import MODULE as GOAL_GENERATION
from voyager_agents.piano.modules.skill_execution import MODULE as SKILL_EXECUTION
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.skipping import AWAY_S, MAX_QUIET_S, RecentAnswers, Sightings, has_news, state_key
from voyager_agents.piano.slots import Goal, Memo, Percepts, Profile
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import ActOutcome, HeardWords

SEEN = Percepts((0.5, 64.0, 0.5), 18, 18, {"bread": 4}, None, True, (), (), {"wheat": 3})
BOTTLENECK = ("goal", "percepts", "hearing", "outcome", "working_memory")
WORDS = HeardWords(3.0, "Eve", "Where is the bread?", "say", (0.0, 64.0, 0.0), False)
DONE = ActOutcome(1, "farm", "done", "", 0.0, 4.0, {})


def state(**values: Any) -> SlotState:  # noqa: ANN401 - of any slot
    wiring = wire(PianoSettings())
    first = {**wiring.first, "percepts": SEEN, "goal": Goal("Farm.", "farming", 0.0), "hearing": (WORDS,), **values}
    return SlotState(wiring.types, wiring.writers, first)


def is_asked_again(before: SlotState, now: SlotState) -> bool:
    """Return whether the controller would be asked again."""
    return has_news(state_key(CONTROLLER, before, BOTTLENECK), state_key(CONTROLLER, now, BOTTLENECK))


@pytest.mark.parametrize(
    "changed",
    [
        {
            "percepts": replace(
                SEEN, at=(90.5, 64.0, 0.5), blocks={"poppy": 1}, items={"bread": 5}, food=17.5, health=16
            )
        },
        {"goal": Goal("Farm.", "farming", 99.0)},
        {"hearing": ()},
        {"hearing": (replace(WORDS, t_s=9.0),)},
        {"working_memory": ("I did: farm: done",)},
    ],
)
def test_steps_times_and_what_is_forgotten_are_no_news(changed: dict[str, Any]) -> None:
    assert not is_asked_again(state(), state(**changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"percepts": replace(SEEN, items={"bread": 9})},
        {"percepts": replace(SEEN, items={})},
        {"percepts": replace(SEEN, health=6)},
        {"percepts": replace(SEEN, day=False)},
        {"goal": Goal("Mine.", "mining", 0.0)},
        {"hearing": (WORDS, replace(WORDS, text="Here it is."))},
        {"hearing": (replace(WORDS, speaker="Bob"),)},
        {"outcome": DONE},
    ],
)
def test_what_the_controller_would_decide_by_is_news(changed: dict[str, Any]) -> None:
    assert is_asked_again(state(), state(**changed))


def test_an_act_done_again_is_no_news_and_each_failure_is() -> None:
    failed = replace(DONE, ended="failed", error="no wheat")
    assert not is_asked_again(state(outcome=DONE), state(outcome=replace(DONE, number=2, ended_s=9.0)))
    assert is_asked_again(state(outcome=failed), state(outcome=replace(failed, number=2)))


def test_a_module_does_not_ask_because_of_its_own_answer() -> None:
    before = state_key(GOAL_GENERATION, state())
    assert not has_news(before, state_key(GOAL_GENERATION, state(goal=Goal("Mine.", "mining", 8.0))))
    profile = {"Eve": Profile("kind", 8.0, "farming", 1.0, "thought")}
    assert has_news(before, state_key(GOAL_GENERATION, state(profiles=profile)))
    assert has_news(before, state_key(GOAL_GENERATION, state(recalled=(Memo(1.0, "Eve said: hello", 3, "speech"),))))
    assert "action" in dict(state_key(SKILL_EXECUTION, state()))  # type: ignore[call-overload] # pairs


def test_who_was_in_sight_lately_is_no_news() -> None:
    sightings, eve = Sightings(), ("Eve",)

    def key() -> object:
        return state_key(CONTROLLER, state(), BOTTLENECK, sightings)

    sightings.see((), 0.0)
    alone = key()
    sightings.see(eve, 1.0)
    met = key()
    assert has_news(alone, met)
    sightings.see((), 1.0 + AWAY_S)
    sightings.see(eve, 1.0 + AWAY_S)
    assert not has_news(met, key()), "she was out of sight for no longer than that"
    sightings.see((), 2.5 + 2 * AWAY_S)
    assert not has_news(met, key()), "that she is gone is no news"
    sightings.see(eve, 3.0 + 2 * AWAY_S)
    assert has_news(met, key())


def test_an_answer_of_late_is_given_again_to_an_equal_question_and_holds_from_then_on() -> None:
    answers = RecentAnswers()
    one, two = ("walk", "done"), ("dig", "done")
    found = [Lesson(why="", as_expected=True, avoid=False, advice=each) for each in "ab"]
    assert answers.again(one, 0.0) is None
    answers.keep(one, found[0], 0.0)
    answers.keep(two, found[1], 5.0)
    assert not answers.is_unchanged(one, 6.0)
    assert answers.again(one, 6.0) is found[0]
    assert answers.is_unchanged(one, 7.0)
    assert not answers.is_unchanged(two, 7.0)
    assert answers.again(one, MAX_QUIET_S) is None, "its question is too old"
    assert answers.again(two, MAX_QUIET_S) is found[1]


async def test_an_act_that_is_done_again_gets_its_lesson_again() -> None:
    lessons, labels = itertools.count(), itertools.cycle(["walk", "dig"])

    def answer(part: str) -> str:
        more = {
            "to compare": {"why": "", "advice": f"lesson {next(lessons)}"} if part == "to compare" else {},
            "to act": {"label": next(labels)} if part == "to act" else {},
            "to decide": {"speak": False},
        }
        return json.dumps({**ANSWERS[part], **more[part]})

    roles = ("controller", "skill_execution", "action_awareness")
    life = Life(lambda role: model if role in roles else None, skip="unchanged")
    model = GameTimeModel(life.clock, 0.25, answer)
    learned: dict[int, tuple[str, str]] = {}
    while len(learned) < 4:
        await life.pass_time(1)
        doing = life.body.doing
        if doing is not None and doing.outcome is None:
            life.body.end()
            await life.pass_time(1)
            learned[doing.number] = doing.act.label, life.agent.state.value("awareness").advice
    await life.end()
    walk, dig = ("walk", "lesson 0"), ("dig", "lesson 1")
    assert [*learned.values()] == [walk, dig, walk, dig]
    assert [part for _, part in model.asked].count("to compare") == 2


def test_the_option_is_checked() -> None:
    assert PianoSettings.read({"skip": "unchanged"}).skip == "unchanged"
    with pytest.raises(WiringError, match="skip: 'always' is not legal; choose from none, unchanged"):
        PianoSettings.read({"skip": "always"})


async def test_a_village_with_skipping_makes_fewer_calls_and_counts_the_others(tmp_path: Path) -> None:
    calls, skipped, goals = {}, {}, {}
    for skip in ("none", "unchanged"):
        path = small_village(tmp_path, people=2, seconds=40)
        async with FakeServer(respond) as server:
            settings = StudySettings(
                str(path), ("normal",), world="mock", agents="piano", model="openai/x", base_url=server.base_url,
                out=tmp_path / skip, agents_options={"skip": skip},
            )  # fmt: skip
            found = await run_study(settings)
        assert found.status == "complete"
        lives = [line.event for line in read_events(found.directory / "events.jsonl", ("life_summed",))]
        modules = [each.modules for each in lives if isinstance(each, LifeSummed)]
        skipped[skip] = sum(each.get("skipped", 0) for told in modules for each in told.values())
        goals[skip] = [told["goal_generation"]["calls"] for told in modules]
        calls[skip] = sum(each["calls"] for told in modules for each in told.values())
    assert skipped["none"] == 0
    assert skipped["unchanged"] > 0
    assert calls["unchanged"] < calls["none"]
    assert goals["unchanged"] == goals["none"], "each goal is a new choice"
