"""Small OpenAI-compatible server on a loopback port, for tests, examples and trials without a key.

It serves `POST /v1/chat/completions` from a script (running out is an error) or a callable, and can misbehave on
purpose: any status, headers, delay or raw body. `POST /v1/embeddings` is served from a callable. The server is
reachable from this machine only.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

MAX_BODY = 4_000_000
"""Maximum bytes of a request; larger requests are refused."""
HOST = "127.0.0.1"


@dataclass(frozen=True)
class FakeReply:
    """A reply of the server."""

    text: str = ""
    """Text of the assistant's message."""
    calls: tuple[tuple[str, str], ...] = ()
    """(name, arguments) of the tool calls in the assistant's message."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: str | None = None
    """Raw body, sent instead of a completion or an error object."""
    code: str | None = None
    """Error code for a status of 400 or above, e.g. insufficient_quota."""
    delay_s: float = 0.0
    close: bool = False
    """Close the connection without an answer."""
    cut: int | None = None
    """Close the connection after this many bytes of the answer."""


@dataclass(frozen=True)
class Request:
    """A client's request."""

    path: str
    authorization: str
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Messages of the conversation."""
        return list(self.body.get("messages", []))

    @property
    def images(self) -> list[bytes]:
        """Files of the images in the messages, decoded from their data URLs. Raises ValueError for another URL."""
        parts = [part for each in self.messages if isinstance(each["content"], list) for part in each["content"]]
        urls = [part["image_url"]["url"] for part in parts if part.get("type") == "image_url"]
        return [_decoded(url) for url in urls]

    @property
    def text(self) -> str:
        """Texts of all messages, without images."""
        texts = []
        for each in self.messages:
            parts = each["content"] if isinstance(each["content"], list) else [{"text": each["content"]}]
            texts += [part.get("text") or "" for part in parts]
        return "\n".join(texts)


Responder = Callable[[Request], FakeReply | str]
Embedder = Callable[[Request], FakeReply | list[list[float]]]
"""Function that returns one vector per text of the request's `input`, in order."""


class FakeServer:
    """Async context manager; `base_url` is the address for clients, `requests` holds their requests."""

    def __init__(self, answers: Iterable[FakeReply | str] | Responder, embed: Embedder | None = None) -> None:
        """`answers` is a script, served in the order of the calls, or a function of the request. `embed` answers
        embedding requests; without it they are refused."""
        self._embed = embed
        if callable(answers):
            self._respond: Responder = answers
        else:
            self._respond = _from_script(list(answers))
        self.requests: list[Request] = []
        self.most_at_once = 0
        """Peak number of requests that waited at the same time."""
        self._at_once = 0
        self._failure: Exception | None = None
        """First error of the function that answers; raised when the server is closed."""
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()

    @property
    def base_url(self) -> str:
        """URL of the server, with the path that clients expect.

        Raises:
            RuntimeError: The server is not running.
        """
        if self._server is None:
            raise RuntimeError("the fake server is not running: use it as an async context manager")
        return f"http://{HOST}:{self._server.sockets[0].getsockname()[1]}/v1"

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, HOST, 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
            for connection in self._connections:
                connection.cancel()
            await asyncio.gather(*self._connections, return_exceptions=True)
            await self._server.wait_closed()
        if self._failure is not None and error is None:
            raise self._failure

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a connection in our own task; asyncio's task logs an error when it is cancelled at the end."""
        connection = asyncio.create_task(self._serve(reader, writer))
        self._connections.add(connection)
        connection.add_done_callback(self._connections.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while (request := await _read(reader)) is not None:
                answer = await self._answer(request)
                if answer.close:
                    break
                writer.write(_response(answer, str(request.body.get("model", "")))[: answer.cut])
                await writer.drain()
                if answer.cut is not None:
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            # A client that disconnected is not an error.
            pass
        finally:
            writer.close()

    async def _answer(self, request: Request) -> FakeReply:
        self.requests.append(request)
        answer = self._made(request)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            if answer.delay_s:
                await asyncio.sleep(answer.delay_s)
        finally:
            self._at_once -= 1
        return answer

    def _made(self, request: Request) -> FakeReply:
        if request.path.endswith("/embeddings") and self._embed is not None:
            vectors = self._embed(request)
            return (
                vectors if isinstance(vectors, FakeReply) else FakeReply(body=json.dumps(_embeddings(vectors, request)))
            )
        if not request.path.endswith("/chat/completions"):
            return FakeReply(status=404, text=f"no such path {request.path}")
        try:
            answer = self._respond(request)
        except Exception as error:  # noqa: BLE001 -- the client ends by a refusal; without an answer it would ask again for long
            self._failure = self._failure or error
            return FakeReply(status=400, text=f"the fake server's function has failed: {error!r}")
        return FakeReply(answer) if isinstance(answer, str) else answer


def _decoded(url: str) -> bytes:
    head, _, data = url.partition(",")
    if head != "data:image/png;base64":
        raise ValueError(f"an image's URL begins with {head[:40]!r}, not data:image/png;base64")
    return base64.b64decode(data, validate=True)


def _from_script(script: list[FakeReply | str]) -> Responder:
    def respond(request: Request) -> FakeReply | str:
        if not script:
            return FakeReply(status=400, text="the script of the fake server has no answer left")
        return script.pop(0)

    return respond


async def _read(reader: asyncio.StreamReader) -> Request | None:
    """Return one HTTP/1.1 request with a JSON body; None at the end of the connection or for a malformed request."""
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines) if name}
    length = headers.get("content-length", "0")
    words = first.split(" ")
    if len(words) != 3 or not length.isdigit() or int(length) > MAX_BODY:
        return None
    raw = await reader.readexactly(int(length))
    try:
        body = json.loads(raw or b"{}")
    except ValueError:
        return None
    return Request(words[1], headers.get("authorization", ""), body if isinstance(body, dict) else {})


def _response(answer: FakeReply, model: str) -> bytes:
    body = answer.body
    if body is None and answer.status >= 400:
        body = json.dumps({"error": {"message": answer.text, "type": "fake", "code": answer.code}})
    if body is None:
        body = json.dumps(_completion(answer, model))
    raw = body.encode()
    headers = {"content-type": "application/json", "content-length": str(len(raw))} | answer.headers
    lines = [f"HTTP/1.1 {answer.status} Fake", *(f"{name}: {value}" for name, value in headers.items()), "", ""]
    return "\r\n".join(lines).encode("latin-1") + raw


def _completion(answer: FakeReply, model: str) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text}
    if answer.calls:
        message["tool_calls"] = [
            {"id": f"call_{place}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for place, (name, arguments) in enumerate(answer.calls)
        ]
    return {
        "id": "fake",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if answer.calls else "stop"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
    }


def _embeddings(vectors: list[list[float]], request: Request) -> dict[str, Any]:
    tokens = sum(len(str(text).split()) for text in request.body.get("input", []))
    return {
        "object": "list",
        "model": str(request.body.get("model", "")),
        "data": [{"object": "embedding", "index": place, "embedding": each} for place, each in enumerate(vectors)],
        "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
    }
