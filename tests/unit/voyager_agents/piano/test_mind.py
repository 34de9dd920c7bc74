"""Mind on a manual clock: modules run concurrently, a slow module delays no other, and failures are reported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.life import ANSWERS, GameTimeModel, Life, sensed, zombie
from voyager_agents.errors import WiringError
from voyager_agents.realtime_agent import HeardWords
from voyager_agents.thought_events import Unusable

LATENCY_S = 2.0


def alive(seconds: float, answer: Any = None, **options: Any) -> tuple[Life, GameTimeModel]:  # noqa: ANN401
    """Return a life whose modules all ask a model with this delay."""
    life = Life(lambda _role: model, **options)
    model = GameTimeModel(life.clock, seconds, answer)
    return life, model


async def test_no_module_waits_for_anothers_call() -> None:
    life, model = alive(LATENCY_S)
    await life.pass_time(10)
    began = {part: [at for at, asked in model.asked if asked == part] for _, part in model.asked}
    # In sequence the first four modules alone would take eight seconds.
    assert began["the social goal"][0] == began["to decide"][0] == 0.0
    assert began["planning"][0] <= LATENCY_S + 0.5
    assert began["to talk"][0] <= LATENCY_S + 0.5
    assert began["to act"][0] <= LATENCY_S + 0.5
    busy = len(model.asked) * LATENCY_S
    assert busy > 1.5 * 10, "modules that take turns are never busy for longer than the time that passed"
    await life.end()


async def test_reflex_answers_danger_within_half_a_second_while_all_others_think() -> None:
    life, model = alive(1000.0)
    await life.pass_time(3)
    assert {part for _, part in model.asked} >= {"the social goal", "to decide"}
    assert not life.body.acts
    life.body.felt = sensed(mobs=(zombie(),))
    met = life.clock.now
    await life.pass_time(1)
    at, act = life.body.acts[0]
    assert at - met <= 0.5
    assert (act.by, act.label) == ("reflex", "flee from the zombie")
    await life.end()


async def test_a_reflex_is_not_stopped_by_a_decision_made_meanwhile() -> None:
    life, _ = alive(LATENCY_S)
    life.body.felt = sensed(mobs=(zombie(),))
    await life.pass_time(4)
    assert [act.by for _, act in life.body.acts] == ["reflex"]
    life.body.felt = sensed()
    life.body.end()
    await life.pass_time(6)
    assert life.body.acts[1][1].by == "skill_execution"
    await life.end()


async def test_what_cannot_be_read_leaves_the_slot_as_it_was_and_is_recorded() -> None:
    life, _ = alive(0.5, lambda part: "no idea" if part == "the social goal" else json.dumps(ANSWERS[part]))
    await life.pass_time(10)
    assert life.agent.state.at("goal").version == 0
    told = [step for step in life.steps if isinstance(step, Unusable)]
    assert {(step.part, step.role, step.kind) for step in told} == {
        ("goal_generation", "goal_generation", "unreadable")
    }
    assert [step.final for step in told[:2]] == [False, True]
    assert life.agent.schedule.accounts["goal_generation"].unreadable == len(told)
    assert not [data for kind, data in life.body.notes if kind == "unreadable"]
    await life.end()


async def test_an_answer_to_a_decision_that_is_over_is_dropped_and_recorded() -> None:
    count = iter(range(1000))

    def changing(part: str) -> str:
        answer = ANSWERS[part]
        return json.dumps({**answer, "doing": f"farm {next(count)}"} if part == "to decide" else answer)

    life = Life(lambda role: slow if role == "talking" else quick)
    quick, slow = GameTimeModel(life.clock, 0.5, changing), GameTimeModel(life.clock, 9.0)
    await life.pass_time(20)
    stale = [data for kind, data in life.body.notes if kind == "stale"]
    assert stale[0] == {"module": "talking", "reason": "what it was asked for is over"}
    assert not life.body.said
    await life.end()


async def test_words_that_a_decision_asked_for_are_said_though_the_next_answer_keeps_the_act_silently() -> None:
    decided = 0

    def once_told(part: str) -> str:
        nonlocal decided
        decided += part == "to decide"
        return json.dumps({**ANSWERS[part], "speak": decided == 1} if part == "to decide" else ANSWERS[part])

    life = Life(lambda role: model if role in ("controller", "talking") else None)
    model = GameTimeModel(life.clock, 3.0, once_told)
    await life.pass_time(20)
    assert decided > 2
    assert [text for _, _, text in life.body.said] == ["I farm wheat."]
    assert not [data for kind, data in life.body.notes if kind == "stale"]
    await life.end()


async def test_the_record_says_what_passed_the_bottleneck_for_every_decision() -> None:
    life = Life(bottleneck="goal=60,persona=2")
    await life.pass_time(5)
    choices = [data for kind, data in life.body.notes if kind == "choice"]
    passed = choices[-1]["passed"]
    assert [each["slot"] for each in passed] == ["goal", "persona"]
    assert passed[1]["chars"] == 8
    assert passed[1]["cut"] > 0
    await life.end()


async def test_a_narrow_bottleneck_keeps_from_the_controller_what_does_not_pass() -> None:
    def heard() -> HeardWords:
        return HeardWords(1.0, "Bea", "Ada, come here", "say", (1, 64, 1), addressed=True)

    answered = {}
    for name, gates in (("wide", "goal=60,hearing=60"), ("narrow", "goal=60")):
        life = Life(bottleneck=gates, without="social_awareness")
        await life.pass_time(3)
        life.body.ears = [heard()]
        await life.pass_time(18)
        made = [data["choice"] for kind, data in life.body.notes if kind == "choice"]
        answered[name] = [each["to"] for each in made if each["purpose"] == "answer"]
        await life.end()
    assert answered == {"wide": ["Bea"], "narrow": []}


async def test_a_new_decision_stops_what_goes_on_and_a_failure_is_left_alone_for_a_while() -> None:
    life = Life()
    await life.pass_time(4)
    first = life.body.acts[-1][1].label
    life.body.end("failed", "NoPath: there is no way")
    await life.pass_time(6)
    assert life.body.acts[-1][1].label != first
    assert first in life.agent.state.value("awareness").avoid
    await life.end()


async def test_without_action_awareness_the_same_failure_comes_again_and_again() -> None:
    life = Life(without="action_awareness")
    await life.pass_time(4)
    for _ in range(3):
        life.body.end("failed", "NoPath: there is no way")
        await life.pass_time(1)
    assert len(life.body.acts) == 4
    assert len({act.label for _, act in life.body.acts}) == 1
    await life.end()


async def test_what_a_user_module_raises_ends_this_life_and_its_state_stays(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from voyager_agents.piano.module import Module, Result, When\n"
        "def rule(view):\n    if view.now > 2:\n        raise RuntimeError('mine')\n    return Result()\n"
        "MODULE = Module(name='mine', reads=(), writes=(), when=When(every_s=1), rule=rule)\n"
    )
    life = Life(modules=str(path))
    with pytest.raises(RuntimeError, match="mine"):
        await life.pass_time(5)
    assert life.agent.state.value("goal") is not None
    assert [kind for kind, _ in life.body.notes].count("lived") == 1


async def test_a_module_sees_and_moves_only_what_it_declares(tmp_path: Path) -> None:
    for number, body in enumerate(("view['goal']", "Result(act=Act('x', program='y'))", "Result({'goal': None})")):
        path = tmp_path / f"own{number}.py"
        path.write_text(
            "from voyager_agents.realtime_agent import Act\n"
            "from voyager_agents.piano.module import Module, Result, When\n"
            f"MODULE = Module(name='mine', reads=(), writes=(), when=When(every_s=1), rule=lambda view: {body})\n"
        )
        with pytest.raises(WiringError):
            await Life(modules=str(path)).pass_time(2)


async def test_the_same_seed_lives_the_same_life() -> None:
    lives = []
    for _ in range(2):
        life = Life()
        await life.pass_time(60)
        await life.end()
        lives.append((life.body.notes, life.body.said, [(at, act.label) for at, act in life.body.acts]))
    assert lives[0] == lives[1]
