from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from voyager_agents import ModelBlocked, ModelError, QuotaExhausted, ScriptExhausted, Settings, open_model
from voyager_agents.models import KINDS, ChatMessage, Model, Reply, ScriptedModel, Usage
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.faults import TROUBLE, WRONG, Faulty
from voyager_agents.models.learner import LEARNER
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.retries import UNKNOWN_TRIES

ASKED = [ChatMessage("system", "be brief"), ChatMessage("user", "hello")]
SETTINGS = Settings(temperature=0.7, max_tokens=9, timeout_s=20)


class Pauses:
    """Replacement of `sleep` that records the length of each pause."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


@asynccontextmanager
async def model_at(
    base_url: str, pauses: Pauses | None = None, patience_s: float = 900.0
) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("tiny", base_url=base_url, api_key="key-1", sleep=pauses or Pauses(), patience_s=patience_s)
    try:
        yield model
    finally:
        await model.close()


async def test_messages_and_settings_go_out_and_text_and_usage_come_back() -> None:
    async with FakeServer(["hi"]) as server, model_at(server.base_url) as model:
        reply = await model.complete(ASKED, SETTINGS)
    assert reply == Reply("hi", Usage(10, 5), "tiny")
    assert reply.usage.total == 15
    request = server.requests[0]
    assert request.messages == [{"role": "system", "content": "be brief"}, {"role": "user", "content": "hello"}]
    assert (request.body["model"], request.body["temperature"], request.body["max_tokens"]) == ("tiny", 0.7, 9)
    assert request.authorization == "Bearer key-1"


@pytest.mark.parametrize(
    ("trouble", "pauses"),
    [
        ([FakeReply(status=429, headers={"retry-after": "3"})], [3.0]),
        ([FakeReply(status=429, headers={"retry-after": "9999"})], [30.0]),
        ([FakeReply(status=500), FakeReply(status=503)], None),
        ([FakeReply(status=429, headers={"retry-after-ms": "250"})], [0.25]),
        ([FakeReply(status=429, headers={"retry-after": "Thu, 01 Jan 1970 00:00:00 GMT"})], [0.0]),
        ([FakeReply(status=429, headers={"retry-after": "soon"})], None),
        ([FakeReply(status=429)] * 20, None),
        ([FakeReply(body="not json")], None),
        ([FakeReply("cut", cut=150)], None),
        ([FakeReply(close=True)], None),
    ],
)
async def test_overload_backs_off_and_is_tried_again(trouble: list[FakeReply], pauses: list[float] | None) -> None:
    slept = Pauses()
    async with FakeServer([*trouble, "at last"]) as server, model_at(server.base_url, slept) as model:
        assert (await model.complete(ASKED, SETTINGS)).text == "at last"
    assert len(slept.seconds) == len(trouble)
    assert pauses is None or slept.seconds == pauses
    assert all(0 <= each <= 37.5 for each in slept.seconds)


async def test_pauses_grow() -> None:
    slept = Pauses()
    async with FakeServer([*[FakeReply(status=503)] * 4, "ok"]) as server, model_at(server.base_url, slept) as model:
        await model.complete(ASKED, SETTINGS)
    assert slept.seconds == sorted(slept.seconds)


@pytest.mark.parametrize(
    ("answers", "told"),
    [
        ([FakeReply("no", status=401)], "the key was refused (401): check OPENAI_API_KEY or --api-key-file"),
        ([FakeReply("no", status=403)], "the key was refused (403)"),
        ([FakeReply("no", status=404)], "no such model or path (404): check the model's name and --base-url"),
        ([FakeReply("bad\nrequest", status=400)], "answered 400: Error code: 400 - bad request"),
        ([FakeReply(close=True)] * UNKNOWN_TRIES, "nothing answers there: check --base-url"),
        ([FakeReply(body='{"choices": []}')] * UNKNOWN_TRIES, "the answer has no choices"),
        ([FakeReply(body='{"choices": {"0": 1}}')] * UNKNOWN_TRIES, "the answer has no choices"),
        ([FakeReply(body="{}")] * UNKNOWN_TRIES, "the answer has no choices, 3 times: check --base-url"),
        ([FakeReply(body="[1]")] * UNKNOWN_TRIES, "the answer is no JSON object ([1])"),
        ([FakeReply(body="not json")] * UNKNOWN_TRIES, "the answer is not JSON"),
    ],
)
async def test_everything_else_is_told_in_one_line(answers: list[FakeReply], told: str) -> None:
    async with FakeServer(answers) as server, model_at(server.base_url) as model:
        with pytest.raises(ModelError) as caught:
            await model.complete(ASKED, SETTINGS)
    assert told in str(caught.value)
    assert "openai/tiny" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "key-1" not in str(caught.value)


async def test_an_endpoint_that_stays_overloaded_is_given_up_in_the_end() -> None:
    slept = Pauses()
    async with FakeServer(lambda _: FakeReply(status=503)) as server, model_at(server.base_url, slept, 60) as model:
        with pytest.raises(ModelError, match=r"still answers 503 after \d+ tries: resume the run later"):
            await model.complete(ASKED, SETTINGS)
    assert 60 <= sum(slept.seconds) < 100


@pytest.mark.parametrize("fault", sorted(TROUBLE))
async def test_trouble_of_an_endpoint_that_works_ends_nobody(fault: str) -> None:
    answers = ["first", *[TROUBLE[fault]] * 12, "at last"]
    async with FakeServer(answers) as server, model_at(server.base_url) as model:
        await model.complete(ASKED, SETTINGS)
        assert (await model.complete(ASKED, SETTINGS)).text == "at last"


async def test_a_storm_ends_nobody_and_narrows_the_gate() -> None:
    storm = Faulty(lambda _: "ok", [TROUBLE["429"], TROUBLE["429 with a hint"], TROUBLE["500"]])
    async with FakeServer(storm) as server, model_at(server.base_url) as model:
        widest = model.gate.limit
        replies = await asyncio.gather(*(model.complete(ASKED, SETTINGS) for _ in range(100)))
        assert {reply.text for reply in replies} == {"ok"}
        assert model.gate.limit < widest / 5
        assert model.gate.in_flight == 0
    assert storm.failed > 50


@pytest.mark.parametrize(
    ("fault", "text"), [("null", ""), ("empty", ""), ("tool call", ""), ("refusal", "I cannot help with that.")]
)
async def test_a_model_that_refuses_or_says_nothing_has_answered(fault: str, text: str) -> None:
    async with FakeServer([WRONG[fault]]) as server, model_at(server.base_url) as model:
        assert (await model.complete(ASKED, SETTINGS)).text == text


@pytest.mark.parametrize(
    "answer",
    [
        FakeReply("pay first", status=429, code="insufficient_quota"),
        FakeReply("pay first", status=429, code="billing_hard_limit_reached"),
        FakeReply("pay first", status=402),
    ],
)
async def test_an_exhausted_quota_is_not_waited_for(answer: FakeReply) -> None:
    slept = Pauses()
    answers = [answer]
    async with FakeServer(answers) as server, model_at(server.base_url, slept) as model:
        with pytest.raises(QuotaExhausted, match="the quota is used up"):
            await model.complete(ASKED, SETTINGS)
    assert slept.seconds == []


async def test_a_server_that_keeps_silent_is_given_up() -> None:
    async with (
        FakeServer([FakeReply("late", delay_s=30)] * UNKNOWN_TRIES) as server,
        model_at(server.base_url) as model,
    ):
        with pytest.raises(ModelError, match=r"no answer within 0\.05 s, 3 times: raise the time limit"):
            await model.complete(ASKED, Settings(timeout_s=0.05))


def dead_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


async def test_a_dead_base_url_is_told() -> None:
    async with model_at(f"http://127.0.0.1:{dead_port()}/v1") as model:
        with pytest.raises(ModelError, match="nothing answers there: check --base-url"):
            await model.complete(ASKED, SETTINGS)


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("gpt-4o", "unknown model 'gpt-4o': write openai/NAME, local, local:FILE.gguf, cascade:SMALL::LARGE"),
        ("nobody/x", "unknown model 'nobody/x'"),
        ("openai/", "unknown model 'openai/'"),
        ("", "unknown model ''"),
    ],
)
def test_an_unknown_model_names_the_legal_form(spec: str, told: str) -> None:
    with pytest.raises(ModelError, match=told):
        open_model(spec)


@pytest.mark.parametrize(
    "url", ["nonsense", "ftp://127.0.0.1/v1", "http://", "", "127.0.0.1:80", "http://[", "http://a:x/"]
)
def test_a_base_url_has_to_be_one(url: str) -> None:
    with pytest.raises(ModelError, match=r"is no http address: write e\.g\."):
        open_model("openai/x", base_url=url)


def test_no_key_is_told_unless_the_server_is_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_ALLOW_MODEL_REQUESTS", "1")
    with pytest.raises(ModelError, match="no API key: set OPENAI_API_KEY or give --api-key-file"):
        open_model("openai/x")
    with pytest.raises(ModelError, match="no API key"):
        open_model("openai/x", base_url="https://models.example/v1")
    assert open_model("openai/vendor/name", base_url="http://127.0.0.1:9/v1").name == "openai/vendor/name"


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (lambda path: None, "cannot be read"),
        (lambda path: path.mkdir(), "cannot be read"),
        (lambda path: path.write_bytes(b"\xff\xfe"), "cannot be read"),
        (lambda path: path.write_text("\n"), "holds no key"),
        (lambda path: path.write_text("two words"), "holds no key"),
        (lambda path: path.write_text("k\u00e9y"), "holds no key"),
        (lambda path: path.write_text("k\x07y"), "holds no key"),
    ],
)
def test_a_key_file_has_to_hold_a_key(tmp_path: Path, write: Callable[[Path], object], told: str) -> None:
    path = tmp_path / "key"
    write(path)
    with pytest.raises(ModelError, match=told):
        open_model("openai/x", base_url="http://127.0.0.1:9/v1", api_key_file=path)


async def test_the_key_of_a_file_is_sent(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("from-file\n")
    async with FakeServer(["hi"]) as server:
        model = open_model("openai/x", base_url=server.base_url, api_key_file=tmp_path / "key")
        await model.complete(ASKED, SETTINGS)
        await model.close()
    assert server.requests[0].authorization == "Bearer from-file"


async def test_the_switch_forbids_models_beyond_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "real")
    for url in (None, "https://models.example/v1", "http://127.0.0.1.example/v1", "http://localhost@models.example/"):
        with pytest.raises(ModelBlocked, match="switched off"):
            open_model("openai/x", base_url=url)
    async with model_at("https://models.example/v1") as model:
        with pytest.raises(ModelBlocked):
            await model.complete(ASKED, SETTINGS)


@pytest.mark.parametrize("url", [None, "https://models.example/v1"])
async def test_an_environment_variable_cannot_lead_past_the_switch(
    url: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "real")
    with pytest.raises(ModelBlocked):
        open_model("openai/x", base_url=url)


async def test_a_scripted_model_is_strict() -> None:
    failing = ModelError("down")
    model = ScriptedModel(["one", Reply("two", Usage(1, 2)), failing])
    assert (await model.complete(ASKED, SETTINGS)).text == "one"
    with pytest.raises(ScriptExhausted, match="2 answers left"):
        model.finish()
    assert (await model.complete(ASKED, SETTINGS)).usage.total == 3
    with pytest.raises(ModelError, match="down"):
        await model.complete(ASKED, SETTINGS)
    model.finish()
    with pytest.raises(ScriptExhausted, match="asked 4 times, its script has 3 answers"):
        await model.complete(ASKED, SETTINGS)
    assert model.seen[0] == (tuple(ASKED), SETTINGS)


async def test_the_fake_server_is_strict_too_and_answers_functions() -> None:
    def shout(request: Request) -> str:
        return request.messages[-1]["content"].upper()

    async with FakeServer(shout) as server, model_at(server.base_url) as model:
        assert (await model.complete(ASKED, SETTINGS)).text == "HELLO"
    async with FakeServer([]) as server, model_at(server.base_url) as model:
        with pytest.raises(ModelError, match="no answer left"):
            await model.complete(ASKED, SETTINGS)
    with pytest.raises(RuntimeError, match="async context manager"):
        _ = FakeServer([]).base_url


def test_every_registered_kind_opens(monkeypatch: pytest.MonkeyPatch) -> None:
    # Environments give a learner its answers; nothing else opens one.
    for kind in set(KINDS) - {LEARNER}:
        model: Model = open_model(f"{kind}/x", base_url="http://127.0.0.1:9/v1")
        assert json.dumps(model.name)
