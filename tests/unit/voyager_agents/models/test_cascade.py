"""Cascades of models: what escalates a question, and what each call tells."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Reply, Settings, is_model, open_model
from voyager_agents.models.base import NO_PARAMETERS, CascadeStep, ModelTool, RequestedForm
from voyager_agents.models.cascade import CascadeModel, CascadeSpec
from voyager_agents.models.completion import read_reply
from voyager_agents.models.confidence import IN_OBJECT, IN_TEXT, ask_confidence, take_confidence

ASKED = [ChatMessage("user", "Name a number.")]


class Stage:
    """Stage with scripted answers, which remembers the steps that it was asked for."""

    def __init__(self, name: str, *replies: Reply | str) -> None:
        self.name = name
        self._replies = [each if isinstance(each, Reply) else Reply(each) for each in replies]
        self.asked: list[tuple[CascadeStep, Settings]] = []

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        raise NotImplementedError

    async def close(self) -> None:
        """Do nothing."""

    async def complete_stage(
        self, messages: Sequence[ChatMessage], settings: Settings, step: CascadeStep
    ) -> tuple[Reply, int]:
        self.asked.append((step, settings))
        return self._replies[len(self.asked) - 1], 10 * step.stage + len(self.asked)


def number(reply: Reply) -> int:
    return int(reply.text)


async def answer(rule: str, small: Stage, large: Stage, *, corrects: bool = False) -> str:
    spec = CascadeSpec.parse("::".join(["cascade:a/x", "b/y", *([rule] if rule else [])]))
    found = await CascadeModel([small, large], spec).complete_read(ASKED, Settings(), number, corrects=corrects)
    return found.text


@pytest.mark.parametrize(
    ("rule", "answers", "expected", "why"),
    [
        ("", ["7"], "7", []),
        ("", ["seven"], "9", ["unreadable"]),
        ("agree", ["7", " 7"], "7", []),
        ("agree", ["7", "8"], "9", ["unsure"]),
        ("agree", ["7", "eight"], "9", ["unsure"]),
        ("agree", ["seven"], "9", ["unreadable"]),
        ("logprob=-0.5", [Reply("7", logprob=-0.4)], "7", []),
        ("logprob=-0.5", [Reply("7", logprob=-0.6)], "9", ["unsure"]),
        ("logprob=-0.5", [Reply("seven", logprob=-0.1)], "9", ["unreadable"]),
        ("confidence=0.7", ["7\nconfidence: 0.7"], "7", []),
        ("confidence=0.7", ["7\n// **Confidence**: 0.9"], "7", []),
        ("confidence=0.7", ["7\nconfidence: 0.6"], "9", ["unsure"]),
        ("confidence=0.7", ["7\nconfidence: 80 %"], "9", ["unsure"]),
        ("confidence=0.7", ["7\nconfidence: 80"], "9", ["unsure"]),
        ("confidence=0.7", ["7"], "9", ["unsure"]),
        ("confidence=0.7", ["seven\nconfidence: 1"], "9", ["unreadable"]),
    ],
)
async def test_the_next_stage_is_asked_where_an_answer_is_not_enough(
    rule: str, answers: list[Reply | str], expected: str, why: list[str]
) -> None:
    small, large = Stage("a/x", *answers), Stage("b/y", "9")
    assert await answer(rule, small, large) == expected
    assert [step.why for step, _ in large.asked] == why
    assert [step.why for step, _ in small.asked] == ["", "sample"][: len(answers)]
    assert {settings.logprobs for _, settings in small.asked} == {True if rule.startswith("logprob") else None}
    for step, settings in large.asked:
        assert (step.stage, step.after, settings.logprobs) == (2, 10 + len(answers), None)
        assert step.fault


async def test_a_correction_goes_to_the_last_stage_whose_answers_are_final() -> None:
    small, large = Stage("a/x"), Stage("b/y", "nine")
    assert await answer("agree", small, large, corrects=True) == "nine"
    assert not small.asked
    assert [step for step, _ in large.asked] == [CascadeStep(2)]


async def test_an_answer_in_place_of_a_tool_call_is_asked_for_no_confidence() -> None:
    small, large = Stage("a/x", "7"), Stage("b/y")
    spec = CascadeSpec.parse("cascade:a/x::b/y::confidence=0.7")
    asked = Settings(tools=(ModelTool("go", "", NO_PARAMETERS),))
    found = await CascadeModel([small, large], spec).complete_read(ASKED, asked, number)
    assert (found.text, small.asked) == ("7", [(CascadeStep(1), asked)])


async def test_without_log_probabilities_their_rule_cannot_decide() -> None:
    with pytest.raises(ModelError, match=r"a/x gives no log-probabilities.*use ::agree"):
        await answer("logprob=-1", Stage("a/x", "7"), Stage("b/y"))


async def test_a_replay_follows_its_record_whatever_can_be_read_now() -> None:
    small, large = Stage("a/x", Reply("seven", followed="")), Stage("b/y", "9")
    assert await answer("", small, large) == "seven"
    assert await answer("", Stage("a/x", Reply("7", followed="unreadable")), large) == "9"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("cascade:openai/a", "give 2 to 4 different models"),
        ("cascade:openai/a::openai/a", "give 2 to 4 different models"),
        ("cascade:" + "::".join(f"openai/{name}" for name in "abcde"), "give 2 to 4 different models"),
        ("cascade:openai/a::", "'' cannot be a stage"),
        ("cascade:openai/a::cascade:openai/b", "'cascade:openai/b' cannot be a stage"),
        ("cascade:replay:runs::openai/b", "'replay:runs' cannot be a stage"),
        ("cascade:openai/a::openai/b::logprob=much", "log-probability 'much' is not legal"),
        ("cascade:openai/a::openai/b::logprob=nan", "a number from -100 to below 0"),
        ("cascade:openai/a::openai/b::logprob=0.5", "a number from -100 to below 0"),
        ("cascade:openai/a::openai/b::confidence=high", "confidence 'high' is not legal: give a number above 0, to 1"),
        ("cascade:openai/a::openai/b::confidence=0", "give a number above 0, to 1"),
        ("cascade:openai/a::openai/b::confidence=nan", "give a number above 0, to 1"),
        ("cascade:openai/a::openai/b::confidence=80", "give a number above 0, to 1"),
    ],
)
def test_an_illegal_cascade_is_refused_in_one_line(spec: str, told: str) -> None:
    with pytest.raises(ModelError, match=told) as error:
        CascadeSpec.parse(spec)
    assert "\n" not in str(error.value)
    assert not is_model(spec)


def test_a_cascade_is_no_single_model() -> None:
    assert is_model("cascade:local::openai/b::agree")
    assert not is_model("cascade:openai/a::nobody/b")
    with pytest.raises(ModelError, match=r"a cascade cannot be used here; give one model, e\.g\. local"):
        open_model("cascade:local::openai/b")


@pytest.mark.parametrize(
    ("told", "mean"),
    [
        ({"content": [{"logprob": -0.25}, {"logprob": -0.75}]}, -0.5),
        ({"content": []}, None),
        ({"content": [{"logprob": "x"}]}, None),
        ({"content": [{"logprob": float("-inf")}]}, None),
        ({"content": 7}, None),
        (None, None),
        ("none", None),
    ],
)
def test_log_probabilities_of_an_endpoint_are_read_strictly(told: object, mean: float | None) -> None:
    choice = {"message": {"content": "7"}, "logprobs": told}
    assert read_reply(json.loads(json.dumps({"choices": [choice]}))).logprob == mean


FORM = RequestedForm("number", {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})


@pytest.mark.parametrize(
    ("text", "left", "stated"),
    [
        ('{"n": 7, "confidence": 0.5}', {"n": 7}, 0.5),
        ('```json\n{"n": 7, "confidence": 1}\n```', {"n": 7}, 1.0),
        ('{"n": 7}', {"n": 7}, None),
        ('{"n": 7, "confidence": "0.5"}', {"n": 7}, None),
        ('{"n": 7, "confidence": true}', {"n": 7}, None),
        ('{"n": 7, "confidence": 1.1}', {"n": 7}, None),
        ('{"n": 7, "confidence": {"deep": [0.5]}}', {"n": 7}, None),
    ],
)
def test_the_confidence_of_an_object_is_its_own_key_and_gone_before_the_answer_is_read(
    text: str, left: dict[str, int], stated: float | None
) -> None:
    found, confidence = take_confidence(Reply(text), Settings(form=FORM))
    assert (json.loads(found.text), confidence) == (left, stated)


@pytest.mark.parametrize("text", ["", "[0.5]", "{" * 9999, '{"n": 7, "n": 8, "confidence": 1}', '{"confidence": NaN}'])
def test_what_is_no_object_stays_as_it_is(text: str) -> None:
    assert take_confidence(Reply(text), Settings(form=FORM)) == (Reply(text), None)


def test_a_question_asks_for_the_confidence_in_its_form_and_in_words() -> None:
    alternatives = RequestedForm("either", {"anyOf": [FORM.schema, {**FORM.schema, "required": []}]})
    messages, settings = ask_confidence(ASKED, Settings(form=alternatives))
    assert messages[0].content.endswith(f"\n\n{IN_OBJECT}")
    assert settings.form is not None
    for each in settings.form.schema["anyOf"]:
        assert list(each["properties"]) == ["n", "confidence"]
        assert each["required"][-1] == "confidence"
    words, plain = ask_confidence(ASKED, Settings())
    assert (words[0].content, plain) == (f"{ASKED[0].content}\n\n{IN_TEXT}", Settings())
    # A form that has the key asks for it already, and its reader gets it.
    own = RequestedForm("own", {"type": "object", "properties": {"confidence": {"type": "number"}}})
    assert ask_confidence(ASKED, Settings(form=own)) == (ASKED, Settings(form=own))
    assert take_confidence(Reply('{"confidence": 0.5}'), Settings(form=own)) == (Reply('{"confidence": 0.5}'), 0.5)
    tools = Settings(tools=(ModelTool("go", "", NO_PARAMETERS),))
    assert ask_confidence(ASKED, tools) == (ASKED, tools)
