"""Lines of a mock world's process, from whatever pieces its pipe delivers."""

from __future__ import annotations

import pytest

from bridge.mock import answer_reader
from bridge.mock.answer_reader import AnswerReader

SAID = b'{"id": 1}\n\n{"id": 2, "value": "' + b"long " * 100 + b'"}\n{"id": 3}\n'


@pytest.mark.parametrize("size", [1, 2, 7, 64, len(SAID)])
async def test_lines_are_passed_on_whole_however_they_arrive(size: int) -> None:
    lines: list[bytes] = []
    reader = AnswerReader(lines.append)
    for start in range(0, len(SAID), size):
        reader.data_received(SAID[start : start + size])
    reader.data_received(b'{"id": 4')
    assert lines == SAID.split(b"\n")[:-1]
    reader.connection_lost(None)
    await reader.end()
    assert lines == SAID.split(b"\n")[:-1], "half a line was passed on"


async def test_a_line_that_cannot_be_read_ends_the_reading() -> None:
    lines: list[bytes] = []

    def receive(line: bytes) -> None:
        lines.append(line)
        if line == b"nonsense":
            raise ValueError("no JSON object")

    reader = AnswerReader(receive)
    reader.data_received(b"one\nnonsense\ntwo\n")
    reader.data_received(b"three\n")
    with pytest.raises(ValueError, match="no JSON object"):
        await reader.end()
    assert lines == [b"one", b"nonsense"]


async def test_a_line_that_does_not_end_ends_the_reading(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answer_reader, "MAX_LINE", 100)
    reader = AnswerReader(lambda line: None)
    for _ in range(4):
        reader.data_received(b"x" * 30)
    with pytest.raises(ValueError, match="a line of more than 100 bytes"):
        await reader.end()
