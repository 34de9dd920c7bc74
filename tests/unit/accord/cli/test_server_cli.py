"""`accord server` with real embedded servers that stay up, and its messages about wrong input."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.cli.app import run
from bridge.servers import registry
from common.processes import is_alive


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "state"
    monkeypatch.setenv("ACCORD_STATE", str(folder))
    yield folder
    assert run(["server", "down"]) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["up", "--world", "mock"], 2, "'mock' is not one of"),
        (["up", "--version", "1.21.4"], 2, "the embedded server speaks 1.20.4 only"),
        (["up", "--keep"], 2, "in memory only"),
        (["up", "--port", "70000"], 2, "port 70000 is not legal"),
        (["up", "--terrain", "hilly"], 1, "terrain 'hilly' is not legal: choose one of flat, survival"),
        (["up", "--world", "paper", "--terrain", "survival"], 1, "the paper world has no survival terrain"),
        (["up", "--world", "paper", "--version", "1.8.9"], 1, "choose 1.20.4 or 1.21.4"),
        (["up", "--world", "paper", "--memory", "1"], 1, "memory of 1 MB"),
        (["command", "list"], 1, "no server is up: run `accord server up`"),
        (["logs"], 1, "no server is up"),
        (["spectate", "Eve"], 1, "no server is up"),
        (["command", "list", "--world", "paper"], 1, "no paper server is up: run `accord server up --world paper`"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACCORD_EULA", raising=False)
    assert run(["server", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1


def test_paper_without_the_eula_is_refused_before_docker_is_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACCORD_EULA", raising=False)
    monkeypatch.setenv("DOCKER_HOST", "unix:///nonexistent.sock")
    assert run(["server", "up", "--world", "paper"]) == 1
    assert "ACCORD_EULA=true" in capsys.readouterr().err
    monkeypatch.setenv("ACCORD_EULA", "true")
    assert run(["server", "up", "--world", "paper"]) == 1
    assert "no Docker engine answers at unix:///nonexistent.sock" in capsys.readouterr().err


def test_nothing_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "status"]) == 0
    assert run(["server", "status", "--json"]) == 0
    assert run(["server", "down"]) == 0
    assert capsys.readouterr().out == "no server is up: 'accord server up' starts one\n[]\nno server was up\n"


def test_a_server_stays_up_answers_and_goes_down(capsys: pytest.CaptureFixture[str], state: Path) -> None:
    assert run(["server", "up", "--json"]) == 0
    up = json.loads(capsys.readouterr().out)
    password = json.loads((state / "embedded.json").read_text())["password"]
    assert is_alive(up["pid"], "")
    assert password.encode() not in Path(f"/proc/{up['pid']}/cmdline").read_bytes()
    assert Path(f"/proc/{up['pid']}/environ").read_bytes() == b""
    assert os.getsid(up["pid"]) == up["pid"], "a closed terminal does not end it"

    assert run(["server", "up"]) == 1
    assert f"is up already at 127.0.0.1:{up['port']}" in capsys.readouterr().err
    assert run(["server", "command", "/setblock 0 -60 0 stone"]) == 0
    assert run(["server", "command", "--json", "setblok"]) == 1
    assert run(["server", "command", "setblok"]) == 1
    told = capsys.readouterr()
    said = told.out.splitlines()
    assert said[0] == "Changed the block at 0, -60, 0"
    assert json.loads(said[1])["refused"]
    assert "was refused" in told.err

    assert run(["server", "status"]) == 0
    assert run(["server", "logs"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said == [f"embedded 1.20.4 at 127.0.0.1:{up['port']}: up", f"ready on port {up['port']}"]
    assert run(["server", "spectate", "no name!"]) == 1
    assert run(["server", "spectate", "Eve", "--wait", "0"]) == 1
    told_last = capsys.readouterr().err
    assert "is no player's name" in told_last
    assert "Eve did not join" in told_last

    assert run(["server", "down"]) == 0
    assert capsys.readouterr().out == "the embedded server is down\n"
    assert not is_alive(up["pid"], "")
    assert not list(state.glob("embedded.json")) + list(state.glob("*.log"))


def test_a_server_that_died_is_told_and_cleared(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "up", "--json"]) == 0
    pid = json.loads(capsys.readouterr().out)["pid"]
    os.kill(pid, 9)
    os.waitpid(pid, 0)
    assert run(["server", "status"]) == 1
    assert ": gone: it has ended; 'accord server down --world embedded' ends what is left" in capsys.readouterr().out
    assert run(["server", "down"]) == 0
    assert registry.everything() == []


def test_a_taken_port_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["server", "up", "--json"]) == 0
    port = json.loads(capsys.readouterr().out)["port"]
    record = registry.find("embedded")
    assert record is not None
    (registry.state_folder() / "embedded.json").unlink()
    assert run(["server", "up", "--port", str(port)]) == 1
    assert f"port {port} on 127.0.0.1 is taken" in capsys.readouterr().err
    registry.remember(record)
