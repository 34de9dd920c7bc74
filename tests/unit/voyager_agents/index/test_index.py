"""Indexes on ChromaDB: results depend on the records alone; files have many readers and one writer."""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import random
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from voyager_agents import ModelError, index
from voyager_agents.errors import IndexUnusable, ModelBlocked
from voyager_agents.index import Record, check_embedding, open_embedding, open_index, open_memory_index, rebuild_index
from voyager_agents.index.base import Embedding, Vectors
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

FIX = "run the fix"
WORDS = ["iron", "ore", "mine", "smelt", "furnace", "oak", "log", "craft", "pickaxe", "wheat", "harvest", "chest"]
TEXTS = [
    Record("mineIron", "mines two blocks of iron ore with a stone pickaxe", {"task": "iron"}),
    Record("smeltIron", "smelts raw iron in a furnace", {"task": "iron"}),
    Record("harvestWheat", "harvests ripe wheat on the field", {"task": "wheat"}),
]


class Other:
    """Another embedding, which depends on a text's first letter only."""

    model = "other/first-letter"
    dimension = 128

    async def embed(self, texts: Sequence[str]) -> Vectors:
        found = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            found[row, ord(text[0]) % self.dimension] = 1
        return found

    async def close(self) -> None:
        pass


@pytest.fixture
def embedding() -> Embedding:
    return open_embedding()


async def found(opened: index.TextIndex, text: str, k: int = 3) -> list[tuple[str, float]]:
    return [(match.record.id, match.similarity) for match in await opened.query(text, k)]


def many(number: int) -> list[Record]:
    draw = random.Random(1)
    return [Record(f"r{each:04}", " ".join(draw.choices(WORDS, k=6))) for each in range(number)]


async def test_the_offline_embedding_is_the_same_everywhere(embedding: Embedding) -> None:
    vectors = await embedding.embed(["mineIronOre", "mine iron ore", "plant wheat", ""])
    assert vectors.shape == (4, embedding.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors[0] @ vectors[1] > 0.9
    assert abs(vectors[0] @ vectors[2]) < 0.2
    # Pinned numbers: a library version that hashes differently needs another name for the embedding.
    first = np.flatnonzero(vectors[1])[:3]
    assert first.tolist() == [192, 254, 318]
    assert vectors[1][first] == pytest.approx([0.5164, -0.5164, -0.5164], abs=1e-4)


async def test_a_query_finds_the_likest_and_where_narrows(embedding: Embedding) -> None:
    opened = open_memory_index(embedding)
    await opened.upsert(TEXTS)
    assert [name for name, _ in await found(opened, "how to mine iron ore")][:1] == ["mineIron"]
    narrowed = await opened.query("how to mine iron ore", 3, {"task": "wheat"})
    assert [match.record for match in narrowed] == [TEXTS[2]]
    assert await opened.query("iron", 3, {"task": "none"}) == []
    assert await opened.query("iron", 0) == []
    await opened.delete(["mineIron", "nobody"])
    assert [record.id for record in opened.records()] == ["harvestWheat", "smeltIron"]
    opened.close()


async def test_a_record_takes_the_place_of_the_one_before(embedding: Embedding) -> None:
    opened = open_memory_index(embedding)
    await opened.upsert(TEXTS)
    await opened.upsert([Record("mineIron", "plants oak", {"new": True}), Record("mineIron", "plants oak")])
    assert opened.records()[1] == Record("mineIron", "plants oak")
    assert opened.count() == 3
    opened.close()


async def test_memories_of_two_agents_do_not_mix(embedding: Embedding) -> None:
    one, two = open_memory_index(embedding), open_memory_index(embedding)
    await one.upsert(TEXTS)
    assert (one.count(), two.count()) == (3, 0)
    assert await two.query("iron", 5) == []
    two.close()
    assert one.count() == 3
    one.close()


@pytest.mark.parametrize("number", [60, 600])
async def test_answers_hang_on_the_records_alone(embedding: Embedding, number: int) -> None:
    records = many(number)
    vectors = await embedding.embed([record.text for record in records])
    opened = [open_memory_index(embedding) for _ in range(2)]
    shuffled = random.Random(2).sample(records, number)
    await opened[0].upsert(records)
    for start in range(0, number, 50):
        await opened[1].upsert(shuffled[start : start + 50])
    for text in ("smelt iron ore", "harvest the wheat", "a chest of oak log"):
        exact = (vectors.astype(np.float64) @ (await embedding.embed([text]))[0]).round(5)
        order = sorted(range(number), key=lambda each: (-exact[each], records[each].id))[:5]
        answers = [await found(each, text, 5) for each in opened]
        assert answers[0] == answers[1]
        assert [similarity for _, similarity in answers[0]] == pytest.approx(exact[order], abs=2e-5)
    everything = await opened[0].query("iron", number)
    assert len({match.record.id for match in everything}) == number
    for each in opened:
        each.close()


async def test_an_index_in_files_is_rebuilt_with_the_same_answers(tmp_path: Path, embedding: Embedding) -> None:
    written = open_index(tmp_path / "index", embedding, fix=FIX, write=True)
    for record in many(40):
        await written.upsert([record])
    before = await found(written, "smelt iron", 5), written.records()
    written.close()
    await rebuild_index(tmp_path / "other", embedding, before[1][::-1])
    rebuilt = open_index(tmp_path / "other", embedding, fix=FIX)
    assert (await found(rebuilt, "smelt iron", 5), rebuilt.records()) == before
    rebuilt.close()


async def test_a_reader_goes_over_to_the_rebuilt_index(tmp_path: Path, embedding: Embedding) -> None:
    await rebuild_index(tmp_path, embedding, TEXTS)
    reader = open_index(tmp_path, embedding, fix=FIX)
    assert reader.count() == 3
    await rebuild_index(tmp_path, embedding, TEXTS[:1])
    assert [name for name, _ in await found(reader, "wheat")] == ["mineIron"]
    assert [each for each in os.listdir(tmp_path) if each.startswith("data")] == ["data-2"]
    reader.close()


async def test_an_index_of_another_embedding_is_refused_with_the_fix(tmp_path: Path, embedding: Embedding) -> None:
    await rebuild_index(tmp_path, embedding, TEXTS)
    for write in (False, True):
        with pytest.raises(
            IndexUnusable, match=r"made with the embedding hashing/words-pieces-1 \(1024 numbers\)"
        ) as e:
            open_index(tmp_path, Other(), fix=FIX, write=write)
        assert str(e.value).endswith("not with other/first-letter (128): use that embedding, or run the fix")
    await rebuild_index(tmp_path, Other(), TEXTS)
    opened = open_index(tmp_path, Other(), fix=FIX)
    assert await found(opened, "mountain", 1) == [("mineIron", 1.0)]
    opened.close()


async def test_one_writes(tmp_path: Path, embedding: Embedding) -> None:
    first = open_index(tmp_path, embedding, fix=FIX, write=True)
    with pytest.raises(IndexUnusable, match="another process writes this index"):
        open_index(tmp_path, embedding, fix=FIX, write=True)
    with pytest.raises(IndexUnusable, match="another process writes this index"):
        await rebuild_index(tmp_path, embedding, TEXTS)
    reader = open_index(tmp_path, embedding, fix=FIX)
    with pytest.raises(IndexUnusable, match="opened to be read"):
        await reader.upsert(TEXTS)
    first.close()
    open_index(tmp_path, embedding, fix=FIX, write=True).close()
    reader.close()


@pytest.mark.parametrize("damage", ["state", "data", "sqlite", "shape", "nothing"])
async def test_a_broken_index_is_one_line_with_the_fix(tmp_path: Path, embedding: Embedding, damage: str) -> None:
    folder = tmp_path / "index"
    if damage != "nothing":
        await rebuild_index(folder, embedding, TEXTS)
    if damage == "state":
        (folder / "state.json").write_text("{")
    if damage == "shape":
        (folder / "state.json").write_text(json.dumps({"folder": "../.."}))
    if damage == "data":
        (folder / "data-1").rename(tmp_path / "away")
    if damage == "sqlite":
        (folder / "data-1" / "chroma.sqlite3").write_bytes(b"not a database" * 1000)
    with pytest.raises(IndexUnusable) as refused:
        open_index(folder, embedding, fix=FIX)
    assert str(refused.value).endswith(f": {FIX}")
    assert "\n" not in str(refused.value)
    await rebuild_index(folder, embedding, TEXTS)
    opened = open_index(folder, embedding, fix=FIX)
    assert opened.count() == 3
    opened.close()


READING = """
async def read():
    opened = open_index(Path(sys.argv[1]), Other(), fix="-")
    print("ready", flush=True)
    seen = 0
    while seen < int(sys.argv[2]):
        matches = await opened.query("iron ore", 10_000)
        ids = [match.record.id for match in matches]
        assert len(set(ids)) == len(ids) >= seen, (len(ids), seen)
        assert ids == [each.record.id for each in sorted(matches, key=lambda m: (-m.similarity, m.record.id))]
        seen = len(ids)
    print(seen, flush=True)

asyncio.run(read())
"""
IMPORTS = """
import asyncio, sys
from pathlib import Path
import numpy as np
from voyager_agents.index import open_index
"""


async def test_two_processes_read_while_one_writes(tmp_path: Path) -> None:
    records = many(30)
    writer = open_index(tmp_path, Other(), fix=FIX, write=True)
    await writer.upsert(records[:1])
    program = "from __future__ import annotations\n" + IMPORTS + inspect.getsource(Other) + READING
    command = [sys.executable, "-W", "error", "-c", program, str(tmp_path), str(len(records))]
    readers = [await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE) for _ in range(2)]
    try:
        async with asyncio.timeout(60):
            for reader in readers:
                assert reader.stdout is not None
                assert await reader.stdout.readline() == b"ready\n"
            for record in records[1:]:
                await writer.upsert([record])
                await asyncio.sleep(0)
            assert [(await reader.communicate())[0] for reader in readers] == [b"%d\n" % len(records)] * 2
    finally:
        for reader in readers:
            if reader.returncode is None:
                reader.kill()
                await reader.wait()
        writer.close()


def letters(request: Request) -> list[list[float]]:
    """Return the counts of some letters in each text."""
    return [[text.count(letter) + 0.5 for letter in "iron"] for text in request.body["input"]]


@pytest.fixture
async def server() -> AsyncIterator[FakeServer]:
    async with FakeServer([], letters) as running:
        yield running


async def test_an_embedding_behind_an_endpoint(server: FakeServer) -> None:
    embedding = open_embedding("openai/letters:4", base_url=server.base_url)
    opened = open_memory_index(embedding)
    await opened.upsert(TEXTS)
    assert await found(opened, TEXTS[1].text, 1) == [("smeltIron", 1.0)]
    assert server.requests[0].body["model"] == "letters"
    assert (await embedding.embed([])).shape == (0, 4)
    assert len(await embedding.embed([""] * 300)) == 300
    opened.close()
    await embedding.close()


@pytest.mark.parametrize(
    ("spec", "answer", "says"),
    [
        ("openai/letters:8", None, "vectors have 4 numbers, not 8: write openai/letters:4"),
        (
            "openai/letters:4",
            FakeReply(body='{"object": "list", "data": []}'),
            "has not one vector for each of 2 texts",
        ),
        ("openai/letters:4", FakeReply("bad", status=400), "answered 400: "),
    ],
)
async def test_an_endpoint_that_answers_otherwise(
    spec: str, answer: FakeReply | None, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def at_once(_seconds: float) -> None:
        return None

    async with FakeServer([], letters if answer is None else lambda _request: answer) as server:
        embedding = open_embedding(spec, base_url=server.base_url)
        monkeypatch.setattr(embedding._asks._endpoint, "_sleep", at_once)  # type: ignore[attr-defined]
        with pytest.raises(ModelError, match=says):
            await embedding.embed(["a", "b"])
        await embedding.close()


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("moon", "unknown embedding 'moon': write hashing or openai/NAME"),
        ("openai/", "unknown embedding 'openai/'"),
        ("openai/nomic", "its dimension is not known: write e.g. openai/nomic:768"),
        ("openai/nomic:0", "its dimension is not known"),
    ],
)
def test_unknown_embeddings(spec: str, says: str) -> None:
    with pytest.raises(ModelError, match=says):
        open_embedding(spec, base_url="http://127.0.0.1:9/v1")


def test_no_embedding_calls_out_of_a_test() -> None:
    with pytest.raises(ModelBlocked):
        open_embedding("openai/text-embedding-3-small")


def test_a_missing_package_is_told_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "voyager_agents.index.hashing", raising=False)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(IndexUnusable, match=r"^the package 'sklearn\S*' is not installed: run 'make setup-skills'"):
        open_embedding()


def test_what_an_embedding_needs_is_checked_before_anything_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    check_embedding("hashing")
    check_embedding("openai/text-embedding-3-small")
    with pytest.raises(ModelError, match="its dimension is not known"):
        check_embedding("openai/nomic")
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(IndexUnusable, match="'chromadb' is not installed: run 'make setup-skills'"):
        check_embedding("hashing")
