"""Counts of answers by player, role and model, from events."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from contracts.negotiation import NO_PROPOSAL
from dilemmas.records import events as log
from dilemmas.records.answers import AnswerCounter, RoleAnswers, given_up_shares, read_answers
from dilemmas.records.record import RunRecord
from voyager_agents.asking import Asker
from voyager_agents.models import Reply, ScriptedModel
from voyager_agents.thought_events import Reviewed, Unusable

GOOD = '{"why": "so", "number": 7}'
REPLIES: dict[str, str | Reply] = {
    "usable": GOOD,
    "unreadable": "seven",
    "refused": "I'm sorry, I cannot say that.",
    "cut-off": Reply('{"why": "s', ended="length"),
}


class Picked(Strict):
    why: str = Field(max_length=20)
    number: int


FORM = AnswerForm("picked", Picked, {"why": "a reason", "number": 3}, reasoning="why")


def called(player: str = "Gizmo", role: str = "player", model: str = "m") -> log.ModelCalled:
    return log.ModelCalled(player=player, purpose=role, model=model, tokens=1)


def counted(*events: object) -> list[RoleAnswers]:
    counter = AnswerCounter()
    for event in events:
        counter.take(event)
    return counter.counts()


def message(faults: list[str], act: Literal["say", "pass"] = "say") -> log.TalkMessageSent:
    return log.TalkMessageSent(
        number=1, round=1, speaker="Gizmo", members=["Gizmo"], channel="public", act=act, message="", faults=faults
    )


async def asked(kinds: Sequence[str], tries: int) -> tuple[AnswerCounter, int, int]:
    """Ask questions until the answers are used up; return the counter, the questions, and those answered."""
    counter, model = AnswerCounter(), ScriptedModel([*(REPLIES[kind] for kind in kinds), *[GOOD] * tries])

    class Counted:
        name = "m"

        async def complete(self, *args: Any) -> Reply:  # noqa: ANN401 - handed on
            reply = await model.complete(*args)
            counter.take(called())
            return reply

        async def close(self) -> None:
            pass

    tell = lambda step: counter.take(log.MindTold(player="Gizmo", step=step))  # noqa: E731
    asker, questions, answered = Asker(Counted(), "player", tell=tell, tries=tries), 0, 0
    while len(model.seen) < len(kinds):
        questions += 1
        answered += (await asker.ask("Pick.", "Now.", FORM)).value is not None
    return counter, questions, answered


@given(kinds=st.lists(st.sampled_from(sorted(REPLIES)), min_size=1, max_size=20), tries=st.integers(1, 3))
def test_the_counts_add_up(kinds: list[str], tries: int) -> None:
    counter, questions, answered = asyncio.run(asked(kinds, tries))
    (found,) = counter.counts()
    assert (found.unreadable, found.refused, found.cut_off) == tuple(
        kinds.count(kind) for kind in ("unreadable", "refused", "cut-off")
    )
    assert found.questions == questions
    assert found.given_up == questions - answered
    assert found.answers - found.unusable == answered


def test_an_unusable_answer_belongs_to_the_model_that_gave_it() -> None:
    unusable = Unusable("choice", "no", kind="refused", role="player")
    found = counted(
        called(model="old"),
        called(model="new"),
        log.MindTold(player="Gizmo", step=unusable),
        called("Glitch"),
        called("Gizmo", "embedding"),
    )
    assert [(each.player, each.model, each.refused, each.given_up) for each in found] == [
        ("Gizmo", "old", 0, 0),
        ("Gizmo", "new", 1, 1),
        ("Glitch", "m", 0, 0),
    ]


def turn(faults: list[str], message: str) -> log.NegotiationTurn:
    return log.NegotiationTurn(turn=1, speaker="Gizmo", message=message, faults=faults)


def verdict(*, readable: bool, faults: list[str]) -> log.VerdictGiven:
    empty: dict[str, Any] = {"awards": [], "findings": [], "raw": "", "transfers": {}, "critique": ""}
    return log.VerdictGiven(judge="language", readable=readable, faults=faults, **empty)


@pytest.mark.parametrize(
    ("role", "calls", "event", "unreadable", "given_up"),
    [
        ("negotiator", 2, turn(["form"], "Take this."), 1, 0),
        ("negotiator", 2, turn(["form", "form"], NO_PROPOSAL), 2, 1),
        ("negotiator", 2, message(["channel"]), 1, 0),
        ("negotiator", 2, message(["no-deal", "channel"], "pass"), 2, 1),
        ("judge", 3, verdict(readable=False, faults=["a", "b", "c"]), 3, 1),
        ("judge", 2, verdict(readable=True, faults=["a"]), 1, 0),
        ("critic", 1, log.MindTold(player="Gizmo", step=Reviewed(None, "?")), 1, 1),
        ("talking", 1, log.MindNoted(t_s=1, player="Gizmo", what="unreadable", module="talking", reason="?"), 1, 1),
        ("talking", 1, log.MindNoted(t_s=1, player="Gizmo", what="stale", module="talking", reason="?"), 0, 0),
    ],
)
def test_faults_in_other_events_count_as_unreadable_answers(
    role: str,
    calls: int,
    event: Any,  # noqa: ANN401 - any event
    unreadable: int,
    given_up: int,
    tmp_path: Path,
) -> None:
    said = [*[called(role=role)] * calls, event]
    (found,) = counted(*said)
    record = RunRecord.create(tmp_path / "run", {}, ())
    for each in said:
        record.log(each)
    record.close()
    assert read_answers(tmp_path / "run") == [found], "the log's reader counts the same kinds of events"
    assert (found.answers, found.unreadable, found.given_up) == (calls, unreadable, given_up)
    assert found.questions == calls - unreadable + given_up


def test_an_answer_that_a_critic_told_is_not_counted_again_by_its_review() -> None:
    told = log.MindTold(player="Gizmo", step=Unusable("critic", "?", kind="cut-off", role="critic"))
    review = log.MindTold(player="Gizmo", step=Reviewed(None, "?"))
    (found,) = counted(called(role="critic"), told, review)
    assert (found.questions, found.cut_off, found.unreadable, found.given_up) == (1, 1, 0, 1)


def test_kinds_are_those_of_the_event_and_both_judges_count() -> None:
    second = {"readable": False, "faults": ["a"], "fault_kinds": ["refused"]}
    given = verdict(readable=True, faults=["a"]).model_copy(update={"fault_kinds": ["cut-off"], "beside": second})
    (found,) = counted(*[called("Judy", "judge")] * 3, given)
    assert (found.questions, found.cut_off, found.refused, found.given_up) == (2, 1, 1, 1)


def test_a_role_without_a_model_of_its_own_counts_for_the_one_that_plays_it() -> None:
    (found,) = counted(called(role="action"), turn(["form"], "Take this."))
    assert (found.role, found.unreadable) == ("action", 1)


def test_words_of_a_person_are_no_answers_of_a_model() -> None:
    assert counted(turn(["form"], "hm")) == []


def test_shares_are_those_of_the_roles_that_decide() -> None:
    answers = [
        RoleAnswers("Gizmo", "player", "m", questions=8, answers=10, unreadable=3, given_up=1),
        RoleAnswers("Gizmo", "negotiator", "m", questions=2, answers=2),
        RoleAnswers("Gizmo", "critic", "m", questions=5, answers=5, refused=5, given_up=5),
        RoleAnswers("Judy", "judge", "m", questions=1, answers=3, unreadable=3, given_up=1),
        RoleAnswers("Glitch", "player", "m"),
    ]
    assert given_up_shares(answers) == {"Gizmo": 0.1}
