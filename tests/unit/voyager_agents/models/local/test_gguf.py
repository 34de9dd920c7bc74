"""Figures from the header of a GGUF file, and the refusals that follow from them."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from voyager_agents.errors import ModelError
from voyager_agents.models.local import memory, shared_engine
from voyager_agents.models.local import settings as engine_settings
from voyager_agents.models.local.gguf import COMPUTE_BYTES, ModelHeader, read_header
from voyager_agents.models.local.settings import EngineOptions, local_spec
from voyager_agents.models.local.shared_engine import EngineUse

TEXT, WHOLE, LIST = 8, 4, 9


def text(value: str) -> bytes:
    return struct.pack("<Q", len(value)) + value.encode()


def entry(key: str, kind: int, value: bytes) -> bytes:
    return text(key) + struct.pack("<I", kind) + value


def whole(key: str, value: int) -> bytes:
    return entry(key, WHOLE, struct.pack("<I", value))


ENTRIES = [
    entry("general.architecture", TEXT, text("llama")),
    whole("llama.context_length", 2048),
    whole("llama.block_count", 30),
    whole("llama.embedding_length", 576),
    whole("llama.attention.head_count", 9),
    entry("llama.attention.head_count_kv", LIST, struct.pack("<IQII", WHOLE, 2, 3, 1)),
    entry("tokenizer.ggml.tokens", LIST, b"never read"),
]


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(engine_settings, "engine_version", lambda: "0")
    monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    found = tmp_path / "small.gguf"
    found.write_bytes(struct.pack("<4sIQQ", b"GGUF", 3, 0, len(ENTRIES)) + b"".join(ENTRIES))
    return found


def test_the_figures_of_a_model(file: Path) -> None:
    header = read_header(file)
    assert header == ModelHeader(file.stat().st_size, 2048, 30 * 3 * (64 + 64) * 2)
    assert header.memory(100) == file.stat().st_size + 100 * 23_040 + COMPUTE_BYTES


@pytest.mark.parametrize("content", [b"", b"GGUF", b"GGUF" + b"\xff" * 60, struct.pack("<4sIQQ", b"GGUF", 3, 0, 1)])
def test_a_broken_header_tells_nothing(content: bytes, file: Path) -> None:
    file.write_bytes(content)
    assert read_header(file) is None


def test_the_context_is_no_larger_than_the_trained_one(file: Path) -> None:
    assert local_spec(str(file)).options.context == 2048
    with pytest.raises(ModelError, match=r"^local: context=4096 is more than small\.gguf was trained for; give 2048"):
        local_spec(str(file), EngineOptions(context=4096))


def test_a_model_that_does_not_fit_is_not_started(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_engine, "free_memory", lambda: 10**8)
    with pytest.raises(ModelError, match=r"small\.gguf: needs about 0\.4 GB, and 0\.1 GB are free: give a smaller"):
        EngineUse(local_spec(str(file))).acquire()


def test_the_limit_of_a_container_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, content in (
        ("MEMINFO", "MemTotal: 9 kB\nMemAvailable:   8 kB\n"),
        ("LIMIT", "6000\n"),
        ("USED", "5000\n"),
        ("STATISTICS", "anon 1\ninactive_file 1500\n"),
    ):
        (tmp_path / name).write_text(content)
        monkeypatch.setattr(memory, name, tmp_path / name)
    assert memory.free_memory() == 2500
    (tmp_path / "LIMIT").write_text("max\n")
    assert memory.free_memory() == 8192
    (tmp_path / "MEMINFO").unlink()
    assert memory.free_memory() is None
