"""Bounds of schemas: no form's longest answer is cut off by the tokens of an answer."""

from __future__ import annotations

import json
from typing import Any

from common.answers.bounds import MAX_LONGEST, limit_length, longest_answer
from common.answers.schema import list_schema, text_schema


def closed(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - schemas
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def test_the_longest_answer_is_counted_with_keys_quotes_and_commas() -> None:
    schema = closed(why=text_schema(10), choice={"type": "string", "enum": ["cooperate", "defect"]})
    longest = json.dumps({"why": "x" * 10, "choice": "cooperate"}, separators=(",", ":"))
    assert len(longest) <= longest_answer(schema) <= len(longest) + 4
    assert longest_answer(list_schema(text_schema(4), 0, 3)) == len(json.dumps(["xxxx"] * 3, separators=(",", ":"))) + 1


def test_a_schema_that_fits_is_left_as_it_is() -> None:
    schema = closed(why=text_schema(400), notes=list_schema(text_schema(50), 0, 8))
    assert limit_length(schema) == schema


def test_texts_are_shortened_before_lists_and_lists_keep_their_smallest_length() -> None:
    found = limit_length(closed(why=text_schema(1000), notes=list_schema(text_schema(100), 2, 12)))
    assert found["properties"]["why"]["maxLength"] == 750
    assert found["properties"]["notes"]["maxItems"] == 12
    many = limit_length(closed(notes=list_schema(text_schema(100), 10, 40)))
    assert (many["properties"]["notes"]["minItems"], many["properties"]["notes"]["maxItems"]) == (10, 20)
    assert many["properties"]["notes"]["items"]["maxLength"] == 60


def test_alternatives_are_limited_one_by_one() -> None:
    short, long = closed(act=text_schema(20)), closed(program=text_schema(4000))
    found = limit_length({"anyOf": [short, long]})
    assert found["anyOf"][0] == short
    assert longest_answer(found) <= MAX_LONGEST
    assert longest_answer(long) > MAX_LONGEST
