"""Forms for human players: what they may hold, what is recorded, and what frees a seat."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers
from dilemmas.people.forms import FormQuestion, Questionnaire, StudyForms, markdown_nodes, read_forms
from dilemmas.people.human_session import PersonWithdrewError
from dilemmas.people.seat_page import NoPage
from dilemmas.records.events import PersonSeen, QuestionnaireAnswered

SCALE = FormQuestion.model_validate({"id": "games", "ask": "How often?", "kind": "scale", "from": 1, "to": 5})
CHOICE = FormQuestion(id="fair", ask="Fair?", kind="choice", choices=("yes", "no"))
WORDS = FormQuestion(id="words", ask="What else?", kind="text", optional=True)
FORMS = StudyForms("# Consent", "Rules", Questionnaire(before=(SCALE,), after=(CHOICE, WORDS)))


class Sheet(NoPage):
    """Page that remembers what it shows."""

    def __init__(self) -> None:
        self.stage: str | None = None
        self.freed = 0
        self.admitted = False

    def show_form(self, form: Mapping[str, Any] | None) -> None:
        self.stage = None if form is None else form["stage"]

    def show_presence(self, *, here: bool, admitted: bool) -> None:
        self.admitted = admitted

    def free(self) -> None:
        self.freed += 1


class Room:
    """People of a study with a page each, and what is recorded of them."""

    def __init__(self, forms: StudyForms = FORMS, *names: str, wait_s: float = 60.0) -> None:
        self.people = HumanPlayers(names or ("Glitch",), "Judy", wait_s, forms=forms)
        self.noted: list[PersonSeen | QuestionnaireAnswered] = []
        self.people.note = self.noted.append
        self.pages = {name: Sheet() for name in self.people.sessions}
        for name, session in self.people.sessions.items():
            session.page = self.pages[name]
        self.people.open_forms()

    def answer(self, stage: str, name: str = "Glitch", **answers: Any) -> str:  # noqa: ANN401
        return self.people.answer_form(name, stage, answers)

    def states(self) -> list[tuple[str, str]]:
        return [(each.player, each.state) for each in self.noted if isinstance(each, PersonSeen)]


def test_a_person_is_admitted_after_consent_instructions_and_questions() -> None:
    room = Room()
    page, session = room.pages["Glitch"], room.people.sessions["Glitch"]
    assert (page.stage, session.admitted) == ("consent", False)
    assert room.answer("before", games=3) == "this page was answered already: reload it"
    assert room.answer("consent", agree="yes") == "say whether you agree"
    assert room.answer("consent", agree=True, more=1) == "say whether you agree"
    assert room.answer("consent", agree=True) == ""
    assert page.stage == "instructions"
    assert room.answer("instructions") == ""
    assert (page.stage, page.admitted) == ("before", False)
    assert room.answer("before", games=4) == ""
    assert (room.pages["Glitch"].stage, page.admitted, session.admitted) == (None, True, True)
    assert room.states() == [("Glitch", "consented")]
    [answered] = [each for each in room.noted if isinstance(each, QuestionnaireAnswered)]
    assert [(each.question, each.answer) for each in answered.answers] == [("How often?", 4)]


def test_who_declines_frees_the_seat_for_another_person() -> None:
    room = Room(FORMS, "Glitch", "Golem")
    assert room.answer("consent", "Golem", agree=True) == ""
    assert room.answer("consent", agree=False) == ""
    assert (room.pages["Glitch"].freed, room.pages["Glitch"].stage, room.pages["Golem"].stage) == (
        1,
        "consent",
        "instructions",
    )
    assert room.states() == [("Golem", "consented"), ("Glitch", "declined")]
    assert room.answer("consent", agree=True) == ""


async def test_who_withdraws_ends_the_run_as_infrastructure() -> None:
    room = Room(StudyForms("Consent"))
    assert room.answer("withdraw") == "this page was answered already: reload it"
    room.answer("consent", agree=True)
    ended: list[str] = []

    async def play() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("play")

    playing = asyncio.create_task(room.people.unless_withdrawn(play()))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert room.answer("withdraw") == ""
    with pytest.raises(PersonWithdrewError, match="Glitch has withdrawn from the study"):
        await playing
    assert (ended, room.pages["Glitch"].freed, room.pages["Glitch"].admitted) == (["play"], 1, False)
    assert room.states()[-1] == ("Glitch", "withdrawn")


async def test_questions_afterwards_wait_for_all_and_may_stay_open() -> None:
    room = Room(StudyForms(questionnaire=Questionnaire(after=(CHOICE, WORDS))), "Glitch", "Golem")
    asking = asyncio.create_task(room.people.ask_afterwards())
    await asyncio.sleep(0)
    assert room.answer("after", fair="perhaps") == "fair: an answer is one of the choices"
    assert room.answer("after", fair="yes") == ""
    assert not asking.done()
    assert room.answer("after", "Golem", fair="no", words="<b>bad</b>") == ""
    await asking
    found = [
        (each.player, [a.answer for a in each.answers])
        for each in room.noted
        if isinstance(each, QuestionnaireAnswered)
    ]
    assert found == [("Glitch", ["yes", None]), ("Golem", ["no", "<b>bad</b>"])]
    silent = Room(StudyForms(questionnaire=Questionnaire(after=(CHOICE,))), wait_s=0.001)
    await silent.people.ask_afterwards()
    assert (silent.noted, silent.pages["Glitch"].stage) == ([], None)


def test_who_has_answered_in_the_record_is_not_asked_again() -> None:
    first = Room(FORMS, "Glitch", "Golem")
    for name in ("Glitch", "Golem"):
        first.answer("consent", name, agree=True)
        first.answer("instructions", name)
        first.answer("before", name, games=2)
    first.people.report_state("Glitch", "joined")
    again = HumanPlayers(["Glitch", "Golem"], "Judy", forms=FORMS)
    again.remember(first.noted)
    assert {name: session.admitted for name, session in again.sessions.items()} == {"Glitch": True, "Golem": False}
    again.sessions["Golem"].page = sheet = Sheet()
    again.open_forms()
    assert sheet.stage == "consent"
    # Another text was not agreed to.
    changed = HumanPlayers(["Glitch"], "Judy", forms=StudyForms("Other", "Rules", FORMS.questionnaire))
    changed.remember(first.noted)
    assert not changed.sessions["Glitch"].admitted
    # Another person has the seat after somebody withdrew.
    first.people.report_state("Glitch", "withdrawn")
    again.remember(first.noted)
    assert not again.sessions["Glitch"].admitted


def test_forms_need_a_page() -> None:
    with pytest.raises(PrerequisiteError, match="Glitch has no page for the study's forms"):
        HumanPlayers(["Glitch"], "Judy", forms=FORMS).open_forms()
    HumanPlayers(["Glitch"], "Judy").open_forms()


@pytest.mark.parametrize(
    ("question", "answer"),
    [(SCALE, 0), (SCALE, 6), (SCALE, True), (SCALE, "3"), (SCALE, 3.0), (SCALE, None), (CHOICE, "maybe"),
     (CHOICE, ["yes"]), (CHOICE, None), (WORDS, 7), (WORDS, "a" * 4001)],
)  # fmt: skip
def test_answers_that_fit_no_question_are_refused(question: FormQuestion, answer: object) -> None:
    assert question.check(answer).startswith(question.id)
    assert (SCALE.check(5), CHOICE.check("no"), WORDS.check(None)) == ("", "", "")


def test_markdown_becomes_known_elements_and_never_markup() -> None:
    text = "# A *b*\n\n<script>alert(1)</script>\n\n- x `y`\n\n"
    text += "[site](https://one.example) ![alt](x.png) [js](javascript:alert(1))"
    nodes = markdown_nodes(text)
    assert nodes[0] == ["h1", "A ", ["em", "b"]]
    assert nodes[1] == ["p", "<script>alert(1)</script>"]
    assert nodes[2] == ["ul", ["li", ["p", "x ", ["code", "y"]]]]
    assert nodes[3] == ["p", "site", " (https://one.example)", " ", "alt", " [js](javascript:alert(1))"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("before: [{id: a, ask: b, kind: choice}]", "two or more different choices"),
        ("before: [{id: A, ask: b, kind: text}]", "before.0.id"),
        ("before: [{id: a, ask: b, kind: scale, from: 3, to: 3}]", "from a lower to a higher number"),
        ("before: [{id: a, ask: b, kind: text}, {id: a, ask: c, kind: text}]", "id 'a' is given twice"),
        ("during: []", "during"), ("- a", "the file"), ("a: [", "is not readable YAML"), ("", "0 bytes"),
    ],
)  # fmt: skip
def test_bad_questionnaires_are_refused_in_one_line(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "questions.yaml"
    path.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_forms(None, None, str(path))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_are_named() -> None:
    with pytest.raises(UsageError, match=r"--consent: nowhere\.md cannot be read"):
        read_forms("nowhere.md", None, None)
