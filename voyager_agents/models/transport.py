"""HTTP client for model endpoints: aiohttp below the `openai` client, at half the CPU time, with bounds on each answer.

The client keeps `openai`'s timeouts, the environment's proxies and 1000 connections. Network errors keep their meaning:
a refused or lost connection is no time-out. An endpoint can neither fill the memory nor lead a request elsewhere:
bodies are read up to a bound, and redirects are never followed.
"""

from __future__ import annotations

from typing import Any
from urllib.request import getproxies

import aiohttp
import httpx2
import openai

from voyager_agents.errors import ModelError

MAX_BODY = 8 << 20
"""Bytes of an answer, decompressed; an answer of a million tokens has half of it."""
SHOWN = 120
"""Characters of a library's error that a message quotes."""


class BadResponse(httpx2.TransportError):
    """An endpoint's answer that is no HTTP response, or one beyond the bounds; the text is one line."""


class _Bounded(httpx2.AsyncClient):
    """Read every body up to a bound."""

    max_body = MAX_BODY

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:  # noqa: ANN401 - as above it
        """Return the response with its whole body. Raises what httpx2 raises, and BadResponse."""
        try:
            return await self._read(await super().send(request, stream=True, **options))
        except httpx2.TimeoutException as error:
            lost = error.__cause__
            # aiohttp's transport takes every trouble with a connection for a time-out.
            if isinstance(lost, aiohttp.ClientConnectionError) and not isinstance(lost, TimeoutError):
                raise httpx2.ConnectError(str(lost), request=request) from lost
            raise
        except (aiohttp.ClientError, httpx2.ProtocolError, httpx2.DecodingError) as error:
            said = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
            why = " ".join(said.split())[:SHOWN]
            raise BadResponse(f"the answer is no HTTP response ({why})", request=request) from error

    async def _read(self, response: httpx2.Response) -> httpx2.Response:
        """Return the same response with its body read. Raises BadResponse for one beyond the bound."""
        body = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self.max_body:
                    raise BadResponse(f"the answer has more than {self.max_body} bytes", request=response.request)
        finally:
            await response.aclose()
        # The body is no longer compressed, and no longer in chunks.
        dropped = {b"content-encoding", b"transfer-encoding", b"content-length"}
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in dropped]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=response.request)


class _AioClient(_Bounded, openai.DefaultAioHttpClient):
    """Over aiohttp."""


class _PlainClient(_Bounded, openai.DefaultAsyncHttpxClient):
    """Over httpx2's own transport."""


def http_client(max_body: int = MAX_BODY) -> httpx2.AsyncClient:
    """Return a client for one endpoint, to be closed by its user; it opens nothing before its first call.

    Args:
        max_body: Bytes of an answer that are read at most.

    Raises:
        ModelError: The environment names a SOCKS proxy, and the package for it is not installed.
    """
    # aiohttp has no SOCKS proxies.
    socks = any(url.startswith("socks") for url in getproxies().values())
    try:
        client = (_PlainClient if socks else _AioClient)(follow_redirects=False)
    except ImportError:
        raise ModelError(
            "the environment names a SOCKS proxy (ALL_PROXY or HTTPS_PROXY), and the package socksio is missing: run "
            "pip install socksio, or unset the variable"
        ) from None
    client.max_body = max_body
    return client
