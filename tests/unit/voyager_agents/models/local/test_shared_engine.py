"""An engine is started by its first user, shared, and ends with its last, however that one ends."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes import engine
from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Settings, open_model
from voyager_agents.models.local import settings as engine_settings
from voyager_agents.models.local.model import open_local
from voyager_agents.models.local.settings import EngineOptions
from voyager_agents.models.local.shared_engine import EngineUse, engines

HELLO = [ChatMessage("user", "hello")]
PATIENCE_S = 120.0
USER = """
import sys, time
from pathlib import Path
from voyager_agents.models.local import settings
settings.engine_version = lambda: "0"
from voyager_agents.models.local.model import open_local
model = open_local(sys.argv[1])
print(model._use.acquire().pid, flush=True)
time.sleep(600)
"""


@pytest.fixture(autouse=True)
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(Path(engine.__file__).parent), *sys.path]))
    monkeypatch.setattr(engine_settings, "engine_version", lambda: "0")
    monkeypatch.setattr("voyager_agents.models.local.settings.engine_version", lambda: "0")
    file = tmp_path / "small.gguf"
    file.write_bytes(b"GGUF and so on")
    return file


def until(fact: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_S
    while not fact():
        assert time.monotonic() < end
        time.sleep(0.02)


async def test_one_engine_serves_all_and_ends_with_the_last(weights: Path) -> None:
    first, second = open_local(str(weights)), open_local(str(weights))
    replies = await asyncio.gather(*(each.complete(HELLO, Settings(seed=7)) for each in (first, second)))
    assert [json.loads(each.text) for each in replies] == [{"message": "hello", "seed": 7}] * 2
    (record,) = engines()
    await first.close()
    assert record.alive
    await second.complete(HELLO, Settings())
    await second.close()
    assert not record.alive
    assert engines() == []


async def test_other_options_are_another_engine(weights: Path) -> None:
    models = [open_local(str(weights), EngineOptions(slots=slots)) for slots in (1, 2)]
    for each in models:
        await each.complete(HELLO, Settings())
    assert len({each.pid for each in engines()}) == 2
    for each in models:
        await each.close()
    assert engines() == []


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_engine_ends_when_its_user_is_killed(weights: Path, sign: signal.Signals) -> None:
    users = [
        subprocess.Popen([sys.executable, "-c", USER, str(weights)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(2)
    ]
    pids = {int(user.stdout.readline()) for user in users if user.stdout}
    assert len(pids) == 1
    (record,) = engines()
    for user, alive in zip(users, (True, False), strict=True):
        user.send_signal(sign)
        user.wait()
        assert user.stdout
        user.stdout.close()
        until(lambda alive=alive: record.alive == alive)  # type: ignore[misc]
    until(lambda: engines() == [])


def test_a_kept_engine_stays_until_it_is_not_kept(weights: Path) -> None:
    spec = open_local(str(weights)).spec
    use = EngineUse(spec)
    record = use.acquire()
    use.keep()
    use.release()
    again = EngineUse(spec)
    assert again.acquire() == record
    again.release()
    assert record.alive
    assert [each.kept for each in engines()] == [True]
    use.files.keep.unlink()
    until(lambda: not record.alive)


def test_others_on_the_machine_cannot_use_it(weights: Path) -> None:
    use = EngineUse(open_local(str(weights)).spec)
    record = use.acquire()
    with pytest.raises(urllib.error.HTTPError, match="401") as refused:
        urllib.request.urlopen(f"{record.url}/models")
    refused.value.close()
    assert use.files.json.stat().st_mode & 0o77 == 0
    assert record.api_key not in repr(record)
    use.release()


async def test_a_dead_engine_is_told_in_one_line(weights: Path) -> None:
    model = open_local(str(weights))
    await model.complete(HELLO, Settings())
    with pytest.raises(ModelError, match=r"^model local/small: its engine ended \(.*\): .*`accord resume`"):
        await model.complete([ChatMessage("user", "DIE")], Settings())
    await model.close()
    assert engines() == []


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK something", r"is no GGUF file \(it begins with b'PK s'\): give a model in GGUF form"),
        (None, r"cannot be read \(No such file or directory\)"),
    ],
)
def test_a_file_that_is_no_model(content: bytes | None, said: str, tmp_path: Path) -> None:
    file = tmp_path / "other.gguf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ModelError, match=said):
        open_model(f"local:{file}")


def test_a_broken_model(weights: Path) -> None:
    weights.write_bytes(b"GGUFBAD")
    use = EngineUse(open_local(str(weights)).spec)
    with pytest.raises(ModelError, match=r"the engine did not start \(llama_model_load: the file is broken\)"):
        use.acquire()
    assert engines() == []


def test_an_engine_whose_starter_is_gone_ends_at_once() -> None:
    """Threads of the engine, here one that sleeps, would outlive an exception."""
    code = (
        "import threading, time; threading.Thread(target=time.sleep, args=(600,)).start()\n"
        "from voyager_agents.models.local.server import say; say({'url': 'http://127.0.0.1:1/v1'})"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.close()
    _, told = process.communicate(timeout=60)
    assert (process.returncode, told) == (1, b"")
