"""Responses of the page's server: headers, the page's own files, and the check of where a request comes from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from starlette.responses import Response
from starlette.types import Scope

PAGE = Path(__file__).parent / "page"
TYPES: Mapping[str, str] = {
    ".html": "text/html", ".css": "text/css", ".mjs": "text/javascript", ".svg": "image/svg+xml",
}  # fmt: skip
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Content-Security-Policy of every response. `trusted-types 'none'` keeps text from becoming markup or code."""
SPACES = ("index.html", "seat.html")
"""Pages with a view in three dimensions."""
MESHER = "accord-mesher"
"""Name of the one policy of trusted types: `page/mesher.mjs` makes it, and it yields one constant address."""
PAGE_POLICY = POLICY.replace("trusted-types 'none'", f"trusted-types {MESHER}").replace(
    "connect-src 'self'", "connect-src 'self'; worker-src 'self'"
)
"""Policy of pages with a view in three dimensions, which make their meshes in a worker.

Text can still become neither markup nor code: the page makes its one policy of trusted types before anything else runs,
a second one is refused, and the policy makes nothing but the worker's address.
"""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}
LOOPBACK = ("127.0.0.1", "::1")
"""Addresses of clients on this machine."""
LOCAL = ("127.0.0.1", "localhost")
"""Host names that a browser on this machine uses; any other indicates DNS rebinding."""


def page_files() -> dict[str, tuple[bytes, str]]:
    """Return name -> (content, type) of the page's files."""
    return {path.name: (path.read_bytes(), TYPES[path.suffix]) for path in PAGE.iterdir() if path.suffix in TYPES}


def file_response(files: Mapping[str, tuple[bytes, str]], name: str) -> Response:
    """Return one of the page's files, or a 404."""
    if name not in files:
        return json_response({"error": "no such file"}, 404)
    body, kind = files[name]
    headers = {**HEADERS, "Content-Security-Policy": PAGE_POLICY} if name in SPACES else HEADERS
    return Response(body, 200, headers, kind)


def json_response(data: object, status: int = 200) -> Response:
    """Return plain data as JSON."""
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return Response(body, status, HEADERS, "application/json")


def is_local(scope: Scope) -> bool:
    """Return True if the request comes from this machine, names it, and comes from no other site's page."""
    client = scope.get("client")
    return (client is None or client[0] in LOOPBACK) and is_from(scope, LOCAL)


def is_from(scope: Scope, hosts: Sequence[str]) -> bool:
    """Return True if the request names one of the hosts, and comes from no other site's page."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    host = headers.get(b"host", "")
    origin = headers.get(b"origin")
    return host.rpartition(":")[0] in hosts and origin in (None, f"http://{host}")
