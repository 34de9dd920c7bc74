"""Rollouts over HTTP: plain JSON behind a token, and one line for every wrong request."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from accord.cli import main
from accord.training.environment import AsyncEnvironment
from accord.training.server import MAX_BODY_BYTES, MAX_OPEN, application

TEXT = json.dumps({"why": "", "choice": "cooperate"})
TYPE = {"content-type": "application/json"}


@pytest.fixture
async def environment(tmp_path: Path) -> AsyncIterator[AsyncEnvironment]:
    async with AsyncEnvironment(
        "prisoners-dilemma", partners="tit-for-tat", repeat=2, out=tmp_path / "out"
    ) as environment:
        yield environment


@pytest.fixture
async def client(environment: AsyncEnvironment) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=application(environment, "secret"))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000/secret/") as client:
        yield client


async def told(response: httpx.Response, status: int = 200) -> Any:  # noqa: ANN401
    assert response.status_code == status, response.text
    return response.json()


async def test_a_rollout_is_played_by_requests(client: httpx.AsyncClient, tmp_path: Path) -> None:
    about = await told(await client.get(""))
    assert about["seats"] == ["Gizmo"]
    assert about["players"] == ["Gizmo", "Glitch"]
    state = await told(await client.post("rollouts", json={"seed": 4}))
    for number in (0, 1):
        (turn,) = state["turns"]
        assert (turn["number"], turn["seat"], state["ended"]) == (number, "Gizmo", False)
        assert turn["own"] == [False] * len(turn["messages"])
        state = await told(await client.post(f"rollouts/0/turns/{number}", json={"text": TEXT}))
    assert state["ended"] is True
    assert state["turns"] == []
    assert state["result"]["rewards"] == {"Gizmo": 6.0, "Glitch": 6.0}
    assert Path(state["result"]["path"]).is_relative_to(tmp_path / "out")
    assert await told(await client.get("rollouts/0")) == state


async def test_a_rollout_is_ended_early(client: httpx.AsyncClient) -> None:
    state = await told(await client.post("rollouts", json={"wait_s": 0}))
    assert (state["seed"], state["turns"], state["ended"]) == (0, [], False)
    ended = await told(await client.delete("rollouts/0"))
    assert (ended["ended"], ended["result"]["status"], ended["result"]["reason"]) == (True, "failed", "abandoned")


@pytest.mark.parametrize("path", ["/", "/secre/", "/secret2/rollouts", "/rollouts", "/SECRET/"])
async def test_requests_without_the_token_get_404(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(f"http://127.0.0.1:8000{path}")
    assert (response.status_code, response.text) == (404, "not found")


@pytest.mark.parametrize("headers", [{"host": "evil.example"}, {"origin": "http://evil.example"}, {"origin": "null"}])
async def test_a_web_page_cannot_ask(client: httpx.AsyncClient, headers: dict[str, str]) -> None:
    assert (await client.post("rollouts", json={}, headers=headers)).text == "not found"


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        (b"{", 400, "the request is no JSON"),
        (b"\xff", 400, "the request is no JSON"),
        (b"[" * 100_000, 400, "the request is no JSON"),
        (b"[1]", 400, "the request is no JSON object"),
        (b'{"out": "/tmp"}', 400, "'out' is unknown here; legal are seed, wait_s"),
        (b'{"seed": -1}', 400, "seed -1 is not legal"),
        (b'{"seed": "../x"}', 400, "seed '../x' is not legal"),
        (b'{"seed": 1e99}', 400, "is not legal"),
        (b'{"wait_s": "nan"}', 400, "wait_s: 'nan' is not legal"),
        (b'{"wait_s": [1]}', 400, "wait_s: '[1]' is not legal"),
        (b"1" * (MAX_BODY_BYTES + 1), 413, "at most 1000000 bytes"),
    ],
)
async def test_a_wrong_request_starts_nothing(
    client: httpx.AsyncClient, environment: AsyncEnvironment, body: bytes, status: int, message: str
) -> None:
    error = (await told(await client.post("rollouts", content=body, headers=TYPE), status))["error"]
    assert message in error
    assert "\n" not in error
    assert environment.path is None


async def test_a_wrong_answer_leaves_the_turn_open(client: httpx.AsyncClient) -> None:
    await told(await client.post("rollouts", json={}))
    for given, message in (
        ({"text": 5}, "is int, not a text"),
        ({"text": None}, "is NoneType, not a text"),
        ({"text": "", "calls": {}}, "calls: give a list"),
        ({"text": "", "calls": [{"name": 1}]}, "call 0 of the answer"),
        ({"texts": ""}, "'texts' is unknown here"),
    ):
        assert message in (await told(await client.post("rollouts/0/turns/0", json=given), 400))["error"]
    assert (
        "waits for no answer" in (await told(await client.post("rollouts/0/turns/7", json={"text": ""}), 400))["error"]
    )
    assert "is unknown here" in (await told(await client.get("rollouts/9"), 404))["error"]
    assert (await client.post("rollouts/0/turns/0", content=b"{}")).status_code == 415
    assert len((await told(await client.get("rollouts/0")))["turns"]) == 1


async def test_open_rollouts_are_bounded(
    client: httpx.AsyncClient, environment: AsyncEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AsyncEnvironment, "open_rollouts", dict.fromkeys(range(MAX_OPEN)))
    error = (await told(await client.post("rollouts", json={}), 409))["error"]
    assert error == f"{MAX_OPEN} rollouts are open: finish or delete some"


def test_the_command_serves_until_it_is_interrupted(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "accord.cli", "env", "serve", "prisoners-dilemma", "--partner", "grim",
               "--repeat", "1", "--workers", "1", "--out", str(tmp_path)]  # fmt: skip
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        found = re.search(r"Gizmo learns at (http://127\.0\.0\.1:\d+/\S+/) ", line)
        assert found, line
        state = httpx.post(f"{found[1]}rollouts", json={"seed": 1}, timeout=60).json()
        assert state["turns"][0]["seat"] == "Gizmo"
        ended = httpx.post(f"{found[1]}rollouts/0/turns/0", json={"text": TEXT}, timeout=60).json()
        assert ended["result"]["status"] == "complete"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["--seat", "Nobody"], "unknown player 'Nobody'"),
        (["--partner", "grim", "--partner", "random"], "several partners need names"),
        (["--partner", "Glitch=nothing"], "unknown reference player 'nothing'"),
        (["--world", "moon"], "unknown world 'moon'"),
        (["--workers", "-3"], "workers: -3 is not legal"),
        (["--port", "99999999"], "cannot listen there"),
    ],
)
def test_wrong_options_are_one_line(given: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env", "serve", "prisoners-dilemma", *given]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
