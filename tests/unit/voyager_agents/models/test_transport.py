"""Transport below the client of models: closed together with the client, with exact names for failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import openai
import pytest

from voyager_agents import ModelError, Settings
from voyager_agents.models import ChatMessage
from voyager_agents.models.fake_server import FakeReply, FakeServer
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.transport import http_client

ASKED = [ChatMessage("user", "hello")]


class Silent:
    """Server that reads requests and never answers."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.left = asyncio.Event()
        """Event that is set once a client has sent a request and closed the connection."""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        self.asked.set()
        while await reader.read(1 << 16):
            pass
        self.left.set()
        writer.close()


@asynccontextmanager
async def silent() -> AsyncIterator[tuple[Silent, OpenAIModel]]:
    kept = Silent()
    server = await asyncio.start_server(kept.serve, "127.0.0.1", 0)
    model = OpenAIModel("m", base_url=f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", api_key="k")
    try:
        yield kept, model
    finally:
        await model.close()
        server.close()
        await server.wait_closed()


async def test_a_call_that_is_cancelled_leaves_no_connection_and_no_place_in_the_gate() -> None:
    async with silent() as (server, model):
        call = asyncio.create_task(model.complete(ASKED, Settings(timeout_s=600)))
        await server.asked.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        await server.left.wait()
        assert model.gate.in_flight == 0


async def test_closing_the_model_closes_its_connections() -> None:
    async with FakeServer(["one", "two"]) as server:
        model = OpenAIModel("m", base_url=server.base_url, api_key="k")
        await model.complete(ASKED, Settings())
        await model.complete(ASKED, Settings())
        (connection,) = server._connections
        await model.close()
        await asyncio.wait([connection])


@pytest.mark.parametrize("answer", [FakeReply(close=True), FakeReply("fine", cut=80), FakeReply("fine", cut=12)])
async def test_a_lost_connection_is_no_time_out(answer: FakeReply) -> None:
    async with FakeServer([answer]) as server:
        client = openai.AsyncOpenAI(base_url=server.base_url, api_key="k", max_retries=0, http_client=http_client())
        with pytest.raises(openai.APIConnectionError) as caught:
            await client.chat.completions.create(model="m", messages=[{"role": "user", "content": "hello"}])
        await client.close()
    assert not isinstance(caught.value, openai.APITimeoutError)


async def test_as_many_calls_as_the_gate_lets_through_are_under_way_at_once() -> None:
    waiting, most = asyncio.Event(), 150

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readuntil(b"\r\n\r\n"))
        if len(asked) == most:
            waiting.set()
        await waiting.wait()
        writer.write(b"HTTP/1.1 400 No\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        writer.close()

    asked: list[bytes] = []
    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with http_client() as client:
        calls = [client.post(f"http://127.0.0.1:{port}/", content=b"") for _ in range(most)]
        answers = await asyncio.gather(*calls)
    assert {answer.status_code for answer in answers} == {400}
    server.close()
    await server.wait_closed()


@pytest.mark.parametrize("there", [True, False])
async def test_a_socks_proxy_is_left_to_the_usual_client(there: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def usual(**_: object) -> httpx2.AsyncClient:
        if not there:
            raise ImportError("socksio")
        return plain

    plain = http_client()
    assert isinstance(plain, openai.DefaultAioHttpClient)
    await plain.aclose()
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    monkeypatch.setattr("voyager_agents.models.transport._PlainClient", usual)
    if there:
        assert http_client() is plain
        return
    with pytest.raises(ModelError, match="pip install socksio, or unset the variable"):
        http_client()
