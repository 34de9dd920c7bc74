"""Requests to the page's application without a socket."""

from __future__ import annotations

import asyncio
from typing import Any

from accord.viewer.server import Site, application

HOST = b"127.0.0.1:8000"
ORIGIN = b"http://" + HOST


def get(
    site: Site,
    path: str,
    query: str = "",
    method: str = "GET",
    host: bytes = HOST,
    origin: bytes | None = None,
    *,
    body: bytes = b"",
    content: bytes | None = None,
) -> tuple[int, dict[str, str], bytes]:
    """Send one request to the application, and return status, headers and body of the response."""
    headers = [(b"host", host)] + ([(b"origin", origin)] if origin is not None else [])
    headers += [(b"content-type", content)] if content is not None else []
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
             "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "scheme": "http",
             "headers": headers, "server": ("127.0.0.1", 8000), "client": ("127.0.0.1", 5)}  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    asyncio.run(application(site)(scope, receive, send))  # type: ignore[arg-type]
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(each.get("body", b"") for each in sent[1:])
