"""How calls of models reach their endpoint: aiohttp below the `openai` client, at half the CPU time.

The client above keeps its timeouts, the environment's proxies and 1000 connections. What goes wrong below keeps its
meaning: a connection that is refused or lost is no time-out.
"""

from __future__ import annotations

from typing import Any
from urllib.request import getproxies

import aiohttp
import httpx2
import openai


def http_client() -> httpx2.AsyncClient:
    """A client for one endpoint, to be closed by whoever uses it; it opens nothing before its first call."""
    if any(url.startswith("socks") for url in getproxies().values()):
        # aiohttp knows no SOCKS proxies.
        return openai.DefaultAsyncHttpxClient()
    return _AioHttpClient()


class _AioHttpClient(openai.DefaultAioHttpClient):
    """Tells lost connections from time-outs."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:  # noqa: ANN401 - as above it
        """The response. Raises what httpx2 raises."""
        try:
            return await super().send(request, **options)
        except httpx2.TimeoutException as error:
            lost = error.__cause__
            # The transport takes every trouble with a connection for a time-out.
            if isinstance(lost, aiohttp.ClientConnectionError) and not isinstance(lost, TimeoutError):
                raise httpx2.ConnectError(str(lost), request=request) from lost
            raise
