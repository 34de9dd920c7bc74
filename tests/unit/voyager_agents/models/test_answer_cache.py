"""Cache of answers: addresses, bounds, damaged files, and several processes."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Reply, Settings, ToolCall
from voyager_agents.models.answer_cache import AnswerCache, CachedRole, open_cache
from voyager_agents.models.base import ModelTool, RequestedForm, Usage
from voyager_agents.models.images import ModelImage

DRAW = ("double-vein", "none", 0, "Gizmo", "action")
SOURCE = {"model": "openai/a", "endpoint": None, "answers": "schema"}
WARM, COLD = Settings(temperature=0.7), Settings(temperature=0.0)
ASKED = [ChatMessage("user", "where to?")]
REPLY = Reply("north", Usage(3, 1), "a-2026", ended="length", calls=(ToolCall("1", "go", "{}"),), form_support="json")


@pytest.fixture
def cache(tmp_path: Path) -> AnswerCache:
    return AnswerCache(tmp_path / "answers.sqlite")


def role(cache: AnswerCache, *draw: str | int, **source: object) -> CachedRole:
    return CachedRole(cache, {**SOURCE, **source}, draw or DRAW)


def test_an_answer_is_found_again_whole_and_marked(cache: AnswerCache) -> None:
    assert cache.find("a") is None
    assert cache.keep("a", REPLY) is REPLY
    again = AnswerCache(cache.path)
    assert again.find("a") == replace(REPLY, cached=True)


def test_above_temperature_0_each_draw_has_its_own_address(cache: AnswerCache) -> None:
    one = role(cache)
    draws = [
        one.address(0, ASKED, WARM),
        one.address(1, ASKED, WARM),
        *(
            role(cache, *other).address(0, ASKED, WARM)
            for other in (
                ("other", *DRAW[1:]),
                (DRAW[0], "binding", *DRAW[2:]),
                (*DRAW[:2], 1, *DRAW[3:]),
                (*DRAW[:3], "Glitch", DRAW[4]),
                (*DRAW[:4], "critic"),
            )
        ),
    ]
    assert len(set(draws)) == len(draws)
    assert role(cache).address(0, list(ASKED), WARM) == draws[0]
    # A provider's default temperature may be above 0.
    unknown = Settings(temperature=None)
    assert one.address(0, ASKED, unknown) != one.address(1, ASKED, unknown)


def test_at_temperature_0_equal_questions_have_one_address(cache: AnswerCache) -> None:
    one, other = role(cache), role(cache, "other", "binding", 4, "Glitch", "critic")
    assert one.address(0, ASKED, COLD) == other.address(9, ASKED, replace(COLD, seed=4))
    assert one.address(0, ASKED, COLD) != one.address(0, [ChatMessage("user", "why?")], COLD)
    # Vectors have no chance in them at any temperature.
    assert CachedRole(cache, SOURCE, None).address(0, ASKED, WARM) == CachedRole(cache, SOURCE, None).address(
        5, ASKED, WARM
    )


def test_whatever_decides_an_answer_is_in_its_address(cache: AnswerCache) -> None:
    tool = ModelTool("go", "Go.", {"type": "object"})
    form = RequestedForm("move", {"type": "object", "properties": {"to": {"enum": ["north"]}}})
    image = ModelImage("ab" * 32, 8, 8, data=b"1")
    one = role(cache)
    found = [
        one.address(0, ASKED, COLD),
        role(cache, model="openai/b").address(0, ASKED, COLD),
        role(cache, endpoint="http://127.0.0.1:1/v1").address(0, ASKED, COLD),
        role(cache, answers="words").address(0, ASKED, COLD),
        one.address(0, [ChatMessage("system", "where to?")], COLD),
        one.address(0, [ChatMessage("user", "where to?", images=(image,))], COLD),
        one.address(0, [ChatMessage("user", "where to?", images=(replace(image, sha256="cd" * 32),))], COLD),
        one.address(0, [ChatMessage("user", "where to?", images=(replace(image, detail="low"),))], COLD),
        *(
            one.address(0, ASKED, replace(COLD, **changed))
            for changed in (
                {"max_tokens": 5}, {"top_p": 0.5}, {"reasoning_effort": "low"}, {"tools": (tool,)}, {"form": form},
                {"tools": (replace(tool, description="Walk."),)}, {"form": replace(form, schema={"type": "object"})},
            )
        ),
    ]  # fmt: skip
    assert len(set(found)) == len(found)
    # How long an answer is waited for, and the bytes behind an image's hash, decide nothing.
    assert one.address(0, ASKED, replace(COLD, timeout_s=1.0)) == found[0]
    assert one.address(0, [ChatMessage("user", "where to?", images=(replace(image, data=b""),))], COLD) == found[5]


def test_the_first_of_two_answers_to_one_question_stays(cache: AnswerCache) -> None:
    cache.keep("a", REPLY)
    other = AnswerCache(cache.path).keep("a", Reply("south", Usage(9, 9), "a-2026"))
    assert (other.text, other.usage, other.cached) == ("north", Usage(9, 9), False)


def test_the_answers_unused_for_longest_make_room(tmp_path: Path) -> None:
    answers = AnswerCache(tmp_path / "small.sqlite", max_bytes=1000)
    for number in range(20):
        answers.keep(f"{number}", Reply("x" * 200, Usage(1, 1), "a"))
        assert answers.find("0") is not None
    assert answers.find("19") is not None
    assert answers.find("1") is None
    assert len(answers) == 3
    assert answers.keep("large", Reply("x" * 2000)).text == "x" * 2000
    assert answers.find("large") is None


@pytest.mark.parametrize("content", [b"not a database at all, but words" * 99, b"SQLite format 3\0" + b"\1" * 4000])
def test_a_damaged_file_is_told_in_one_line(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "broken.sqlite"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"^cache .*broken.sqlite: .*: delete the file, or give another with --cache$"):
        open_cache(str(file))
    assert file.read_bytes() == content


def test_other_databases_and_folders_are_left_alone(tmp_path: Path) -> None:
    other = sqlite3.connect(tmp_path / "other.sqlite")
    other.execute("CREATE TABLE answers (mine TEXT)")
    other.close()
    with pytest.raises(ModelError, match="is no cache of answers"):
        open_cache(str(tmp_path / "other.sqlite"))
    with pytest.raises(ModelError, match="is no file"):
        open_cache(str(tmp_path))
    with pytest.raises(ModelError, match="there is no folder"):
        open_cache(str(tmp_path / "none" / "a.sqlite"))
    assert open_cache("off") is None


def test_a_damaged_answer_is_told_in_one_line(cache: AnswerCache) -> None:
    cache.keep("a", REPLY)
    files = sqlite3.connect(cache.path)
    files.execute("UPDATE answers SET reply = '{\"text\": 1'")
    files.commit()
    files.close()
    with pytest.raises(ModelError, match="holds an answer that cannot be read"):
        cache.find("a")


_WRITES = """
import sys
from pathlib import Path
from voyager_agents.models import Reply
from voyager_agents.models.answer_cache import AnswerCache
answers = AnswerCache(Path(sys.argv[1]))
for number in range(60):
    answers.keep(f"{number}", Reply(sys.argv[2]))
    assert answers.find(f"{number}") is not None
"""


def test_several_processes_share_a_file(tmp_path: Path) -> None:
    file = tmp_path / "shared.sqlite"
    started = [subprocess.Popen([sys.executable, "-c", _WRITES, str(file), str(each)]) for each in range(3)]
    assert [each.wait() for each in started] == [0, 0, 0]
    assert len(AnswerCache(file)) == 60


@pytest.mark.parametrize("at", range(5))
def test_another_process_may_create_the_file_while_it_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    file = tmp_path / "shared.sqlite"
    connect = sqlite3.connect

    class Interrupted(sqlite3.Connection):
        """Connection in front of whose statement number `at` another process creates the cache."""

        done = 0

        def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
            if self.done == at:
                monkeypatch.setattr(sqlite3, "connect", connect)
                AnswerCache(file).close()
            self.done += 1
            return super().execute(statement, values)

    monkeypatch.setattr(sqlite3, "connect", lambda *args, **options: connect(*args, **options, factory=Interrupted))
    opened = AnswerCache(file)
    assert len(opened) == 0
    opened.close()
