"""Misbehaving endpoints: each costs bounded time and memory, and ends in one line that names the cause."""

from __future__ import annotations

import asyncio
import json
import tracemalloc
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache

import pytest

from voyager_agents import ModelError, QuotaExhausted, Settings
from voyager_agents.index.openai_embedding import EmbeddingModel
from voyager_agents.models import ChatMessage
from voyager_agents.models.base import Usage
from voyager_agents.models.fake_server import FakeReply, FakeServer
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.retries import UNKNOWN_TRIES

ASKED = [ChatMessage("user", "hello")]
SHORT = Settings(timeout_s=0.5)
LONG = Settings(timeout_s=60)
FINE = b'{"choices":[{"message":{"role":"assistant","content":"hi"}}]}'
Write = Callable[[asyncio.StreamWriter], Awaitable[None]]


async def _no_pause(_: float) -> None:
    pass


@asynccontextmanager
async def model_of(write: Write) -> AsyncIterator[OpenAIModel]:
    """Yield a model behind a server that answers every request with `write`."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            await write(writer)
            await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
    model = OpenAIModel("tiny", base_url=url, api_key="key-1", sleep=_no_pause, patience_s=1)
    try:
        yield model
    finally:
        await model.close()
        server.close()


def raw(*pieces: bytes, repeat: bool = False) -> Write:
    """Return a writer of these bytes that repeats the last ones without end."""

    async def write(writer: asyncio.StreamWriter) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
        while repeat:
            writer.write(pieces[-1])
            await writer.drain()

    return write


def answer(body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    length = f"content-length: {len(body)}"
    head = [f"HTTP/1.1 {status}", length, "connection: close", "content-type: application/json", *headers, "", ""]
    return "\r\n".join(head).encode() + body


@cache
def packed_spaces() -> bytes:
    """Return 256 KB that unpack to 256 MB."""
    packer = zlib.compressobj()
    piece = b" " * (1 << 20)
    return b"".join(packer.compress(piece) for _ in range(256)) + packer.flush()


async def bomb(writer: asyncio.StreamWriter) -> None:
    """Write a small body that unpacks to a huge one."""
    writer.write(answer(packed_spaces(), "content-encoding: deflate"))


def usage(text: str) -> Write:
    return raw(answer(FINE[:-1] + f', "usage": {text}}}'.encode()))


ENDLESS = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"
CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
HOSTILE: dict[str, tuple[Write, str]] = {
    "endless body": (raw(ENDLESS, b" " * 65536, repeat=True), "has more than 8388608 bytes"),
    "compressed bomb": (bomb, "has more than 8388608 bytes"),
    "header of many MB": (raw(b"HTTP/1.1 200 OK\r\nx: ", b"a" * 65536, repeat=True), "no HTTP response"),
    "endless headers": (raw(b"HTTP/1.1 200 OK\r\n", b"x: " + b"a" * 6000 + b"\r\n", repeat=True), "no HTTP response"),
    "status line without a number": (raw(b"HTTP/1.1 OK fine\r\n\r\n"), "no HTTP response (Bad status line"),
    "status 99999": (raw(b"HTTP/1.1 99999 fine\r\n\r\n"), "no HTTP response"),
    "status 999": (raw(answer(b"", status="999 fine")), "still answers 999"),
    "status 101": (raw(answer(b"", status="101 fine")), "answered 101"),
    "no HTTP": (raw(b"\x00\x01\xff\r\n\r\n"), "no HTTP response"),
    "negative length": (raw(b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\n" + FINE), "no HTTP response"),
    "broken chunks": (raw(CHUNKED + b"zz\r\n" + FINE), "no HTTP response"),
    "broken gzip": (raw(answer(b"abcd", "content-encoding: gzip")), "no HTTP response"),
    "another place": (raw(answer(b"", "location: http://other.example/v1", status="307 x")), "leads to http://other.e"),
    "nested JSON": (raw(answer(b'{"choices":' + b"[" * 100_000)), "nested too deeply"),
    "odd retry-after": (raw(answer(b"", "retry-after: \xb2", status="429 x")), "still answers 429"),
    "huge retry-after": (raw(answer(b"", "retry-after: " + "9" * 400, status="429 x")), "still answers 429"),
    "usage 'NaN'": (usage('{"prompt_tokens": "NaN"}'), "usage says prompt_tokens: NaN, which is no count of tokens"),
    "usage NaN": (usage('{"prompt_tokens": NaN}'), "usage says prompt_tokens: nan"),
    "usage Infinity": (usage('{"completion_tokens": Infinity}'), "usage says completion_tokens: inf"),
    "negative usage": (usage('{"completion_tokens": -4}'), "usage says completion_tokens: -4"),
    "huge usage": (usage('{"prompt_tokens": 99999999999999999999}'), "usage says prompt_tokens: 99999999999999999999"),
    "usage in halves": (usage('{"prompt_tokens": 0.5}'), "usage says prompt_tokens: 0.5"),
    "usage true": (usage('{"prompt_tokens": true}'), "usage says prompt_tokens: True"),
    "cached 'x'": (usage('{"prompt_tokens_details": {"cached_tokens": "x"}}'), "usage says cached_tokens: x"),
    "usage a list": (usage("[1]"), "usage is no object"),
    "long integer": (usage('{"prompt_tokens": %s}' % ("9" * 5000)), "is not JSON"),
    "error under 200": (raw(answer(b'{"error": {"message": "not\\nloaded", "code": "e"}}')), "(code e): not loaded"),
    "error in words": (raw(answer(b'{"error": "model x not found"}')), "status 200 with an error in it: model x not"),
    "error as vLLM": (raw(answer(b'{"object": "error", "message": "too long", "code": 400}')), "(code 400): too long"),
    "overload under 200": (raw(answer(b'{"error": {"message": "later", "code": 503}}')), "still answers 503"),
    "a stream": (raw(answer(b'data: {"choices": []}\n\ndata: [DONE]\n\n')), "a stream, although none was asked for"),
    "pieces": (raw(answer(b'{"choices": [{"delta": {"content": "h"}}]}')), "stream, although none was asked for"),
    "JSON lines": (raw(answer(b'{"done": false}\n{"done": true}\n')), "several JSON texts, as a stream does"),
    "a web page": (
        raw(answer(b"<!doctype html><html>")),
        "a web page, not JSON, 3 times: check --base-url, which usua",
    ),
    "nothing": (raw(answer(b"")), "the answer is empty"),
    "no message": (raw(answer(b'{"choices": [{"text": "hi"}]}')), "choice has no message"),
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_misbehaving_endpoint_ends_in_one_line(name: str) -> None:
    write, told = HOSTILE[name]
    async with model_of(write) as model:
        with pytest.raises(ModelError) as caught:
            await model.complete(ASKED, LONG)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 600
    assert "key-1" not in str(caught.value)


@pytest.mark.parametrize("name", ["endless body", "compressed bomb", "header of many MB", "endless headers"])
async def test_no_answer_takes_more_memory_than_its_bound(name: str) -> None:
    write, _ = HOSTILE[name]
    async with model_of(write) as model:
        tracemalloc.start()
        try:
            with pytest.raises(ModelError):
                await model.complete(ASKED, LONG)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
    assert most < 64 << 20


async def dribble(writer: asyncio.StreamWriter) -> None:
    writer.write(ENDLESS)
    while True:
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    "write",
    [dribble, raw(b"HTTP/1.1 100 Continue\r\n\r\n", repeat=True), raw(CHUNKED + b"1;", b"a" * 999, repeat=True)],
)
async def test_a_try_ends_at_its_time_however_the_answer_comes(write: Write) -> None:
    async with model_of(write) as model:
        with pytest.raises(ModelError, match=r"no answer within 0\.5 s, 3 times: raise the time limit"):
            await asyncio.wait_for(model.complete(ASKED, SHORT), 60)
        assert model.gate.in_flight == 0


async def test_a_redirect_is_not_followed() -> None:
    async with FakeServer(["hi"]) as other:
        moved = FakeReply(status=307, headers={"location": f"{other.base_url}/chat/completions"}, body="")
        async with FakeServer([moved]) as server:
            model = OpenAIModel("tiny", base_url=server.base_url, api_key="key-1")
            with pytest.raises(ModelError, match=r"name the right one with --base-url"):
                await model.complete(ASKED, LONG)
            await model.close()
    assert other.requests == []
    assert len(server.requests) == 1


@pytest.mark.parametrize("body", [{"message": "pay", "code": "insufficient_quota"}, {"message": "pay", "code": 402}])
async def test_a_quota_that_is_told_under_status_200_is_not_waited_for(body: dict[str, object]) -> None:
    async with model_of(raw(answer(json.dumps({"error": body}).encode()))) as model:
        with pytest.raises(QuotaExhausted):
            await model.complete(ASKED, LONG)


async def test_overload_that_is_told_under_status_200_is_waited_for() -> None:
    busy = FakeReply(body='{"error": {"message": "busy", "code": 429}}')
    async with FakeServer([busy] * (UNKNOWN_TRIES + 2) + ["hi"]) as server:
        model = OpenAIModel("tiny", base_url=server.base_url, api_key="k", sleep=_no_pause)
        assert (await model.complete(ASKED, LONG)).text == "hi"
        await model.close()


THOUGHT = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
SAID: list[tuple[str, dict[str, object], str]] = [
    ("text", {"content": "hi"}, "hi"),
    ("vLLM", {"content": "hi", "reasoning_content": "hm"}, "hi"),
    ("Ollama", {"content": "hi", "reasoning": "hm"}, "hi"),
    ("thoughts alone", {"content": None, "reasoning_content": "hm"}, ""),
    ("parts", {"content": [{"type": "text", "text": "h"}, {"type": "text", "text": "i"}]}, "hi"),
    ("output parts", {"content": [{"type": "output_text", "text": "hi"}]}, "hi"),
    ("Mistral", {"content": [THOUGHT, {"type": "text", "text": "hi"}]}, "hi"),
    ("reasoning part", {"content": [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "hi"}]}, "hi"),
    ("assistants", {"content": [{"type": "text", "text": {"value": "hi"}}]}, "hi"),
    ("strings", {"content": ["h", "i"]}, "hi"),
    ("a picture", {"content": [{"type": "image_url", "image_url": {"url": "x"}}]}, ""),
    ("refusal", {"content": "", "refusal": "no"}, "no"),
]


@pytest.mark.parametrize(("message", "text"), [each[1:] for each in SAID], ids=[each[0] for each in SAID])
async def test_what_was_said_is_read_in_every_form_that_servers_send(message: dict[str, object], text: str) -> None:
    body = json.dumps({"choices": [{"message": {"role": "assistant", **message}, "finish_reason": "stop"}]})
    async with model_of(raw(answer(body.encode()))) as model:
        reply = await model.complete(ASKED, LONG)
    ended = "refusal" if message.get("refusal") else ""
    assert (reply.text, reply.ended, reply.usage) == (text, ended, Usage())


@pytest.mark.parametrize(
    ("finish", "ended", "cause"),
    [
        ("length", "length", "cut off at the limit of tokens, after 7 (finish_reason: length)"),
        ("MAX_TOKENS", "length", "raise --sampling max_tokens"),
        ("content_filter", "filter", "the provider's filter withheld the answer"),
        ("stop", "", ""),
        (None, "", ""),
        (7, "", ""),
    ],
)
async def test_an_early_end_is_kept_with_what_to_set(finish: object, ended: str, cause: str) -> None:
    choice = {"message": {"content": ""}, "finish_reason": finish}
    body = json.dumps({"choices": [choice], "usage": {"prompt_tokens": 3.0, "completion_tokens": 7}})
    async with model_of(raw(answer(body.encode()))) as model:
        reply = await model.complete(ASKED, LONG)
    assert reply.ended == ended
    assert cause in reply.cause
    assert bool(reply.cause) == bool(ended)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ('{"data": [{"index": 0}]}', "not one vector for each of 1 texts"),
        ('{"data": [{"index": "0", "embedding": [1, 0]}]}', "not one vector"),
        ('{"data": [7]}', "not one vector"),
        ('{"data": {"index": 0}}', "not one vector"),
        ('{"data": [{"index": 0, "embedding": [{}, 1]}]}', "not rows of numbers"),
        ('{"data": [{"index": 0, "embedding": [[1], [2]]}]}', "not rows of numbers"),
        ('{"data": [{"index": 0, "embedding": [NaN, 1]}]}', "has no direction"),
        ('{"data": [{"index": 0, "embedding": [0, 1]}], "usage": {"prompt_tokens": "NaN"}}', "no count of tokens"),
        ('{"error": "no such model"}', "status 200 with an error in it: no such model"),
        ("data: {}\n\n", "a stream, although none was asked for"),
    ],
)
async def test_an_endpoint_of_embeddings_that_misbehaves_ends_in_one_line(body: str, told: str) -> None:
    async with model_of(raw(answer(body.encode()))) as endpoint:
        with pytest.raises(ModelError) as caught:
            await EmbeddingModel(endpoint, "tiny", 2).complete(ASKED, LONG)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
