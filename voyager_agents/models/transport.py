"""HTTP client for model endpoints: aiohttp below the `openai` client, at half the CPU time, with size limits.

The client keeps `openai`'s timeouts, the environment's proxies and 1000 connections. Network errors keep their meaning:
a refused or lost connection is not a timeout. Response bodies are read up to a limit, and redirects are never followed,
so an endpoint can neither exhaust memory nor send a request elsewhere.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

import aiohttp
import httpx2
import openai

from voyager_agents.errors import ModelError

if TYPE_CHECKING:
    from ssl import SSLContext

MAX_BODY = 8 << 20
"""Maximum bytes of a decompressed answer; an answer of a million tokens has half as many."""
SHOWN = 120
"""Maximum characters of a library's error message quoted in ours."""


class BadResponse(httpx2.TransportError):
    """An answer that is not valid HTTP or exceeds the size limit; the message is one line."""


class _Bounded(httpx2.AsyncClient):
    """Mixin that reads every response body up to a size limit."""

    max_body = MAX_BODY

    async def send(self, request: httpx2.Request, *, stream: bool = False, **options: Any) -> httpx2.Response:  # noqa: ANN401 - as above it
        """Return the response with its whole body. Raises the errors of httpx2, and BadResponse."""
        try:
            return await self._read(await super().send(request, stream=True, **options))
        except httpx2.TimeoutException as error:
            lost = error.__cause__
            # aiohttp's transport reports every connection error as a timeout.
            if isinstance(lost, aiohttp.ClientConnectionError) and not isinstance(lost, TimeoutError):
                raise httpx2.ConnectError(str(lost), request=request) from lost
            raise
        except (aiohttp.ClientError, httpx2.ProtocolError, httpx2.DecodingError) as error:
            said = error.message if isinstance(error, aiohttp.ClientResponseError) else str(error)
            why = " ".join(said.split())[:SHOWN]
            raise BadResponse(f"the answer is no HTTP response ({why})", request=request) from error

    async def _read(self, response: httpx2.Response) -> httpx2.Response:
        """Return the response with its body read. Raises BadResponse if the body exceeds the limit."""
        body = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                body += chunk
                if len(body) > self.max_body:
                    raise BadResponse(f"the answer has more than {self.max_body} bytes", request=response.request)
        finally:
            await response.aclose()
        # The body is decompressed and no longer chunked, so these headers no longer apply.
        dropped = {b"content-encoding", b"transfer-encoding", b"content-length"}
        headers = [(name, value) for name, value in response.headers.raw if name.lower() not in dropped]
        return httpx2.Response(response.status_code, headers=headers, content=bytes(body), request=response.request)


class _AioClient(_Bounded, openai.DefaultAioHttpClient):
    """Client over aiohttp."""


class _PlainClient(_Bounded, openai.DefaultAsyncHttpxClient):
    """Client over httpx2's own transport."""


@cache
def _certificates() -> SSLContext:
    """Read the system's certificates once for all clients: it takes some 30 ms."""
    return httpx2.create_ssl_context()


def http_client(max_body: int = MAX_BODY) -> httpx2.AsyncClient:
    """Return a client for one endpoint. It opens no connection before the first call; the caller must close it.

    Args:
        max_body: Maximum bytes of an answer.

    Raises:
        ModelError: The environment names a SOCKS proxy, and the package for it is not installed.
    """
    # aiohttp does not support SOCKS proxies.
    socks = any(url.startswith("socks") for url in getproxies().values())
    try:
        client = (_PlainClient if socks else _AioClient)(follow_redirects=False, verify=_certificates())
    except ImportError:
        raise ModelError(
            "the environment names a SOCKS proxy (ALL_PROXY or HTTPS_PROXY), and the package socksio is missing: run "
            "pip install socksio, or unset the variable"
        ) from None
    client.max_body = max_body
    return client
