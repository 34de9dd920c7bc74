"""Typed forms of answers: instructions, schema and parser say the same."""

from __future__ import annotations

import json
from typing import Literal

import pytest
from pydantic import Field

from common.answers.form import AnswerForm, Reasoning
from common.answers.reading import MAX_ANSWER, Strict
from common.answers.schema import (
    MAX_ITEMS,
    MAX_TEXT,
    bounded_schema,
    integer_schema,
    limit_values,
    list_schema,
    tagged_schema,
    without_bounds,
)  # fmt: skip


class Payment(Strict):
    payer: str = Field(max_length=16)
    amount: float = Field(ge=0)


class Award(Strict):
    why: str = Field(max_length=40)
    payments: list[Payment] = Field(max_length=3)
    notes: list[str] = Field(default_factory=list)
    mood: Literal["calm", "angry"] = "calm"


EXAMPLE = {"why": "short", "payments": [{"payer": "Ann", "amount": 2}], "notes": [], "mood": "calm"}
FORM = AnswerForm("award", Award, EXAMPLE, reasoning="why", choices={"payments.payer": ("Ann", "Bob")})
TOLD = json.dumps(EXAMPLE)


def test_the_schema_closes_objects_and_bounds_every_text_and_list() -> None:
    schema = FORM.schema()
    assert list(schema["properties"]) == schema["required"] == ["why", "payments", "notes", "mood"]
    assert schema["additionalProperties"] is False
    payments = schema["properties"]["payments"]
    assert payments["maxItems"] == 3
    assert payments["items"]["properties"]["payer"] == {"type": "string", "enum": ["Ann", "Bob"]}
    assert payments["items"]["properties"]["amount"] == {"minimum": 0, "type": "number"}
    assert schema["properties"]["notes"] == {
        "type": "array",
        "items": {"type": "string", "maxLength": MAX_TEXT // 2},  # eight whole ones would be cut off
        "maxItems": MAX_ITEMS,
    }
    assert schema["properties"]["mood"] == {"type": "string", "enum": ["calm", "angry"]}
    assert "$ref" not in json.dumps(schema)


def test_a_schema_without_bounds_keeps_its_keys_and_values() -> None:
    plain = without_bounds(
        {**FORM.schema(), "properties": {**FORM.schema()["properties"], "maximum": {"type": "null"}}}
    )
    assert not {"maxLength", "maxItems", "minimum"} & set(json.dumps(plain).replace('"', " ").split())
    assert plain["properties"]["maximum"] == {"type": "null"}
    assert plain["required"] == FORM.schema()["required"]


def test_legal_values_of_a_list_are_those_of_its_items() -> None:
    schema = limit_values(bounded_schema(Award), {"notes": ("a", 1)})
    assert schema["properties"]["notes"]["items"] == {"enum": ["a", 1]}
    with pytest.raises(KeyError):
        limit_values(bounded_schema(Award), {"nowhere": ("a",)})


def test_a_field_is_narrowed_or_left_out_in_the_schema_alone() -> None:
    numbers = list_schema(integer_schema(1, 10), 2, 2)
    form = AnswerForm("award", Award, EXAMPLE, reasoning="why", narrowed={"notes": numbers, "mood": None})
    assert form.schema()["properties"]["notes"] == {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": 10},
        "minItems": 2,
        "maxItems": 2,
    }
    assert "mood" not in form.schema()["properties"]
    assert "mood" not in form.schema()["required"]
    assert form.parse(TOLD).mood == "calm"


def test_objects_of_several_kinds_are_tagged_and_those_without_a_legal_value_are_left_out() -> None:
    class Vote(Strict):
        act: str
        motion: str

    class Fine(Strict):
        act: str
        penalty: int

    kinds = {"vote": Vote, "fine": Fine}
    found = tagged_schema(kinds, "act", {"motion": ("M1",)}, {"penalty": integer_schema(0, 3)})["anyOf"]
    assert [each["properties"] for each in found] == [
        {"act": {"type": "string", "enum": ["vote"]}, "motion": {"type": "string", "enum": ["M1"]}},
        {"act": {"type": "string", "enum": ["fine"]}, "penalty": integer_schema(0, 3)},
    ]
    assert [each["properties"]["act"]["enum"] for each in tagged_schema(kinds, "act", {"motion": ()})["anyOf"]] == [
        ["fine"]
    ]


@pytest.mark.parametrize("answer", [TOLD, f"```json\n{TOLD}\n```", f"<think>{{}}</think>{TOLD}"])
def test_an_answer_is_read_alone_or_in_one_fence(answer: str) -> None:
    assert FORM.parse(answer).model_dump() == EXAMPLE


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("I pay.", "not one JSON object"),
        (f"Here: {TOLD}", "not one JSON object"),
        (TOLD.replace("Ann", "Eve"), "payments.payer 'Eve' is not legal here; choose one of Ann, Bob"),
        (TOLD.replace('"mood"', '"moods"'), "moods: Extra inputs are not permitted"),
        (TOLD.replace("2", '"2"'), "payments.0.amount: Input should be a valid number"),
        ("[]", "the answer: Input should be"),
        (f'"{"a" * MAX_ANSWER}"', f"write at most {MAX_ANSWER}"),
    ],
)
def test_an_answer_of_another_form_is_refused_in_one_line(answer: str, fault: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the text is compared below
        FORM.parse(answer)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("reasoning", ["none", "free"])
def test_reasoning_outside_the_form_leaves_its_field_out(reasoning: Reasoning) -> None:
    assert "why" in FORM.instructions()
    assert "why" not in FORM.instructions(reasoning)
    assert list(FORM.schema(reasoning)["properties"]) == FORM.schema(reasoning)["required"]
    assert "why" not in FORM.schema(reasoning)["properties"]
    bare = {key: value for key, value in EXAMPLE.items() if key != "why"}
    assert FORM.parse(json.dumps(bare), reasoning).why == ""


@pytest.mark.parametrize("mark", ["```json\n{}\n```", "{}", "```\n{}\n```"])
def test_free_reasoning_stands_before_the_object(mark: str) -> None:
    bare = {key: value for key, value in EXAMPLE.items() if key != "why"}
    read = FORM.parse("Ann has paid.\nSo {no} more.\n" + mark.replace("{}", json.dumps(bare)), "free")
    assert read.why == "Ann has paid.\nSo {no} more."
    with pytest.raises(ValueError, match="does not end with one JSON object"):
        FORM.parse(json.dumps(bare) + " is my answer", "free")


def test_a_long_reason_is_cut_and_a_missing_one_is_empty() -> None:
    assert FORM.parse(json.dumps({**EXAMPLE, "why": "w" * 100})).why == "w" * 40
    assert FORM.parse(json.dumps({key: EXAMPLE[key] for key in ("payments", "notes", "mood")})).why == ""
