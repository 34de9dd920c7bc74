"""One way of asking: corrections, kinds of unusable answers, and the form in the request."""

from __future__ import annotations

import pytest
from pydantic import Field

from common.answers.faults import AnswerFault, refuses
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from voyager_agents import ReplyError
from voyager_agents.asking import Asker, require_answer
from voyager_agents.models import Reply, ScriptedModel
from voyager_agents.models.base import RequestedForm
from voyager_agents.thought_events import Step, Unusable


class Picked(Strict):
    why: str = Field(max_length=20)
    number: int


FORM = AnswerForm("picked", Picked, {"why": "a reason", "number": 3}, reasoning="why")
GOOD = '{"why": "odd", "number": 7}'


def asker(*replies: str | Reply, steps: list[Step] | None = None, **options: object) -> tuple[Asker, ScriptedModel]:
    model = ScriptedModel(replies)
    return Asker(model, "mind", tell=(steps if steps is not None else []).append, **options), model  # type: ignore[arg-type]


async def test_a_usable_answer_is_returned_with_the_form_in_the_request() -> None:
    asked, model = asker(GOOD)
    answer = await asked.ask("Pick.", "Now.", FORM)
    assert require_answer(answer) == Picked(why="odd", number=7)
    assert (answer.raw, answer.faults) == (GOOD, ())
    (messages, settings), *_ = model.seen
    assert messages[0].content == f"Pick.\n\n{FORM.instructions()}"
    assert settings.form == RequestedForm("picked", FORM.schema())
    assert "form" not in settings.asked


async def test_free_reasoning_sends_no_schema() -> None:
    asked, model = asker('I like it.\n{"number": 7}', reasoning="free")
    assert require_answer(await asked.ask("Pick.", "Now.", FORM)) == Picked(why="I like it.", number=7)
    assert model.seen[0][1].form is None


async def test_an_unusable_answer_is_corrected_once_and_recorded_with_its_kind() -> None:
    steps: list[Step] = []
    asked, model = asker("seven", Reply('{"why": "o', ended="length"), steps=steps)
    answer = await asked.ask("Pick.", "Now.", FORM, part="numbers")
    assert answer.value is None
    first, last = steps
    assert isinstance(first, Unusable)
    assert isinstance(last, Unusable)
    assert (first.part, first.role, first.final, first.kind) == ("numbers", "mind", False, "unreadable")
    assert (last.final, last.kind) == (True, "cut-off")
    assert "finish_reason: length" in last.why
    again = model.seen[1][0]
    assert [each.role for each in again] == ["system", "user", "assistant", "user"]
    assert again[-1].content.startswith("That answer cannot be used: the answer is not one JSON object")
    with pytest.raises(ReplyError, match="finish_reason: length"):
        require_answer(answer)


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, but I can't help with that.",
        "As an AI, I do not gamble.",
        Reply("No.", ended="refusal"),
        Reply("", ended="filter"),
    ],
)
async def test_a_refusal_is_no_unreadable_answer(reply: str | Reply) -> None:
    asked, _ = asker(reply, GOOD)
    answer = await asked.ask("Pick.", "Now.", FORM)
    assert [each.kind for each in answer.faults] == ["refused"]
    assert answer.value is not None


def test_words_of_regret_inside_an_answer_are_no_refusal() -> None:
    assert not refuses('{"say": "I\'m sorry"}')
    assert not refuses("The player said: I cannot.")


async def test_an_illegal_value_is_refused_by_the_check() -> None:
    def check(picked: Picked) -> None:
        if picked.number > 5:
            raise ReplyError("too-large", "number: at most 5")

    asked, _ = asker(GOOD, '{"why": "", "number": 5}')
    answer = await asked.ask("Pick.", "Now.", FORM, check)
    assert answer.faults == (AnswerFault("unreadable", "number: at most 5", "too-large"),)
    assert require_answer(answer).number == 5


async def test_a_text_is_read_by_its_reader() -> None:
    def read(text: str) -> str:
        if not text.startswith("go"):
            raise ReplyError("form", "begin with go")
        return text[2:]

    asked, model = asker("no", "goal", tries=3)
    assert require_answer(await asked.ask_text("Write.", "Now.", read)) == "al"
    assert model.seen[0][1].form is None
