"""Calls through a batch API: collected, sent once, taken up again after a restart."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from voyager_agents import ModelError, Settings
from voyager_agents.models import ChatMessage
from voyager_agents.models.base import RequestedForm
from voyager_agents.models.batch import BatchModel
from voyager_agents.models.openai_chat import OpenAIModel

SETTINGS = Settings(temperature=0)
FORM = RequestedForm("letter", {"type": "object", "properties": {}})


class Provider(ThreadingHTTPServer):
    """Provider with a batch API: a call is answered with its own text, one that says `later` not by the first batch."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, list[dict[str, Any]]] = {}
        self.polls = 0
        self.status = "completed"
        self.takes_forms = True

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    @property
    def sizes(self) -> list[int]:
        return [len(rows) for name, rows in self.files.items() if name.startswith("in")]

    def rows(self, number: int) -> list[dict[str, Any]]:
        """Return the lines of the answers to the batch with this number."""
        found = []
        for row in self.files[f"in{number}"]:
            text = row["body"]["messages"][-1]["content"]
            if text == "later" and number == 0:
                continue
            body: dict[str, Any] = {"choices": [{"message": {"content": text.upper()}, "finish_reason": "stop"}]}
            status = 200
            if text == "bad" or ("response_format" in row["body"] and not self.takes_forms):
                status, body = 400, {"error": {"message": "response_format is unknown" if text != "bad" else "no"}}
            found.append({"custom_id": row["custom_id"], "response": {"status_code": status, "body": body}})
        return found


class Handler(BaseHTTPRequestHandler):
    server: Provider

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["content-length"]))
        number = len(self.server.sizes)
        if self.path.endswith("/files"):
            lines = [line for line in raw.split(b"\r\n") if line.startswith(b"{")]
            rows = [json.loads(line) for part in lines for line in part.splitlines()]
            self.server.files[f"in{number}"] = rows
            self._send({"id": f"in{number}", "object": "file"})
        else:
            self._send(self._batch(number - 1))

    def do_GET(self) -> None:
        name = self.path.split("/")[-1]
        if name == "content":
            number = int(self.path.split("/")[-2].removeprefix("out"))
            self._write("".join(json.dumps(row) + "\n" for row in self.server.rows(number)).encode())
            return
        self.server.polls += 1
        self._send(self._batch(int(name.removeprefix("batch"))))

    def _batch(self, number: int) -> dict[str, Any]:
        state = self.server.status if self.server.polls % 2 == 0 else "in_progress"
        errors = {"data": [{"message": "no credit"}]} if state == "failed" else None
        ended = {"output_file_id": f"out{number}", "errors": errors}
        return {"id": f"batch{number}", "object": "batch", "status": state, **ended}

    def _send(self, body: dict[str, Any]) -> None:
        self._write(json.dumps(body).encode())

    def _write(self, raw: bytes) -> None:
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


@pytest.fixture
def provider() -> Iterator[Provider]:
    server = Provider()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


async def no_pause(_: float) -> None:
    await asyncio.sleep(0)


def batched(provider: Provider, folder: Path) -> BatchModel:
    model = OpenAIModel("tiny", base_url=provider.base_url, api_key="key", sleep=no_pause)
    return BatchModel(model, folder / "batches.jsonl", sleep=no_pause)


async def told(model: BatchModel, *texts: str, settings: Settings = SETTINGS) -> list[Any]:
    calls = [model.complete([ChatMessage("user", text)], settings) for text in texts]
    try:
        found = await asyncio.gather(*calls, return_exceptions=True)
    finally:
        await model.close()
    return [each if isinstance(each, BaseException) else each.text for each in found]


async def test_calls_of_one_moment_are_one_batch(provider: Provider, tmp_path: Path) -> None:
    assert await told(batched(provider, tmp_path), "a", "b", "a") == ["A", "B", "A"]
    assert provider.sizes == [3]
    assert len({row["custom_id"] for row in provider.files["in0"]}) == 3
    assert provider.files["in0"][0]["body"]["temperature"] == 0


async def test_a_resumed_study_takes_up_the_batches_that_it_sent(provider: Provider, tmp_path: Path) -> None:
    await told(batched(provider, tmp_path), "a", "b")
    assert await told(batched(provider, tmp_path), "b", "a", "c") == ["B", "A", "C"]
    assert provider.sizes == [2, 1]


async def test_a_call_without_an_answer_is_sent_again(provider: Provider, tmp_path: Path) -> None:
    assert await told(batched(provider, tmp_path), "later", "a") == ["LATER", "A"]
    assert provider.sizes == [2, 1]


async def test_a_refused_form_is_asked_for_in_words(provider: Provider, tmp_path: Path) -> None:
    provider.takes_forms = False
    assert await told(batched(provider, tmp_path), "a", settings=Settings(form=FORM)) == ["A"]
    assert provider.sizes == [1, 1, 1, 1]
    assert "response_format" not in provider.files["in3"][0]["body"]


async def test_a_refused_call_and_a_failed_batch_are_told_in_one_line(provider: Provider, tmp_path: Path) -> None:
    bad, good = await told(batched(provider, tmp_path), "bad", "a")
    assert good == "A"
    assert isinstance(bad, ModelError)
    assert "a call was answered 400" in str(bad)
    provider.status = "failed"
    (failed,) = await told(batched(provider, tmp_path), "new")
    assert str(failed) == "model openai/tiny: batch batch1 failed: no credit"


async def test_a_broken_ledger_is_told_in_one_line(provider: Provider, tmp_path: Path) -> None:
    (tmp_path / "batches.jsonl").write_text("[]\n")
    (failed,) = await told(batched(provider, tmp_path), "a")
    assert str(failed).endswith("batches.jsonl, line 1: is no batch of a study")
