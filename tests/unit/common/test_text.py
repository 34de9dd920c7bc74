"""Half a character becomes U+FFFD, and everything else stays as it is."""

from __future__ import annotations

import json

import pytest

from common.text import read_json, well_formed, well_formed_data

TEXTS = [
    ("plain", "plain"),
    ("Grüße, 你好 \U0001f600", "Grüße, 你好 \U0001f600"),
    ("a\ud800b", "a\ufffdb"),
    ("\udfff\ud800", "\ufffd\ufffd"),
    ("x\ud800\ud83d\ude00", "x\ufffd\U0001f600"),
    ("\udcff", "\ufffd"),
    ("\ufffd\0\uffff", "\ufffd\0\uffff"),
]


@pytest.mark.parametrize(("text", "mended"), TEXTS, ids=range(len(TEXTS)))
def test_a_text_is_mended_where_it_is_broken(text: str, mended: str) -> None:
    assert well_formed(text) == mended
    assert well_formed_data({text: [text, 1, None, (text,)]}) == {mended: [mended, 1, None, (mended,)]}
    assert mended.encode()


@pytest.mark.parametrize(("text", "mended"), TEXTS, ids=range(len(TEXTS)))
def test_json_is_read_with_its_texts_mended(text: str, mended: str) -> None:
    for written in (json.dumps({text: text}), json.dumps({text: text}).replace("\\ud", "\\uD")):
        assert read_json(written) == read_json(written.encode()) == {mended: mended}


def test_what_is_no_json_is_an_error() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        read_json("nonsense")
