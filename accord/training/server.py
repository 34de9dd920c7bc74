"""HTTP face of an environment: plain JSON on 127.0.0.1, behind a token, for trainers that are no Python programs.

Everything is below `/TOKEN/`; any other address, host or token gets the same bare 404. Requests of web pages are
refused. A request names no file: records are written where the command says.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Callable, Mapping
from typing import Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from accord.training.environment import AsyncEnvironment, LiveRollout
from accord.viewer.responses import HEADERS, is_local, json_response
from common.text import read_json
from dilemmas.errors import DilemmaError

MAX_BODY_BYTES = 1_000_000
"""Maximum size of a request."""
MAX_OPEN = 64
"""Maximum number of rollouts in progress, each with a world of its own."""
MAX_ENDED = 1000
"""Maximum number of ended rollouts whose result can still be asked for."""
MAX_WAIT_S = 60.0
"""Maximum wait of a request for a turn, in seconds."""
JSON = "application/json"
HOST_URL = "http://127.0.0.1:{port}/{token}/"
"""Address of an environment."""


class RequestRefused(Exception):
    """Refusal of a request, with its status."""

    def __init__(self, text: str, status: int = 400) -> None:
        super().__init__(text)
        self.status = status


class _Guard:
    """Guard that checks token, host name and origin."""

    def __init__(self, inner: ASGIApp, token: str) -> None:
        self._inner = inner
        self._token = token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        token, _, rest = scope["path"].removeprefix("/").partition("/")
        known = secrets.compare_digest(token.encode("utf-8", "replace"), self._token)
        # Browsers send the origin of a page with its requests; programs send none.
        from_page = any(name == b"origin" for name, _ in scope["headers"])
        if not known or not is_local(scope) or from_page:
            await Response("not found", 404, HEADERS, "text/plain")(scope, receive, send)
            return
        await self._inner({**scope, "path": f"/{rest}", "raw_path": None}, receive, send)


def application(environment: AsyncEnvironment, token: str) -> ASGIApp:
    """Return the application of an environment."""
    answers = _Answers(environment)
    routes = [
        Route("/", answers.guarded(answers.about)),
        Route("/rollouts", answers.guarded(answers.start), methods=["POST"]),
        Route("/rollouts/{number:int}", answers.guarded(answers.state), methods=["GET", "DELETE"]),
        Route("/rollouts/{number:int}/turns/{turn:int}", answers.guarded(answers.answer), methods=["POST"]),
    ]
    return _Guard(Starlette(routes=routes), token)


Handler = Callable[[Request], Any]


class _Answers:
    """Request handlers."""

    def __init__(self, environment: AsyncEnvironment) -> None:
        self._environment = environment
        self._ended: dict[int, LiveRollout] = {}

    def guarded(self, handler: Handler) -> Handler:
        """Return the handler with errors as one line of JSON."""

        async def handle(request: Request) -> Response:
            try:
                return json_response(await handler(request))
            except RequestRefused as error:
                return json_response({"error": str(error)}, error.status)
            except DilemmaError as error:
                return json_response({"error": str(error)}, 400)

        return handle

    async def about(self, request: Request) -> dict[str, Any]:
        """Describe the environment."""
        environment = self._environment
        return {
            "scenario": environment.settings.scenario,
            "contract": environment.settings.contracts[0],
            "seats": list(environment.seats),
            "players": list(environment.players),
            "open": list(environment.open_rollouts),
        }

    async def start(self, request: Request) -> dict[str, Any]:
        """Start a rollout and return its first turns."""
        given = await _body(request, {"seed", "wait_s"})
        if len(self._environment.open_rollouts) >= MAX_OPEN:
            raise RequestRefused(f"{MAX_OPEN} rollouts are open: finish or delete some", 409)
        wait_s = _wait_s(given.get("wait_s"))
        episode = await self._environment.start(given.get("seed"))
        self._ended[episode.number] = episode
        self._forget()
        return await self._state(episode, wait_s)

    async def state(self, request: Request) -> dict[str, Any]:
        """Return the waiting turns or the end of a rollout; a DELETE ends it early."""
        episode = self._episode(request)
        if request.method == "DELETE":
            await episode.abandon()
        return await self._state(episode, _wait_s(request.query_params.get("wait_s")))

    async def answer(self, request: Request) -> dict[str, Any]:
        """Answer a turn and return the next ones."""
        episode = self._episode(request)
        given = await _body(request, {"text", "calls", "wait_s"})
        wait_s = _wait_s(given.get("wait_s"))
        calls = given.get("calls", [])
        if not isinstance(calls, list) or not all(isinstance(each, dict) for each in calls):
            raise RequestRefused("calls: give a list of objects with name and arguments")
        await episode.answer(request.path_params["turn"], given.get("text", ""), calls)
        return await self._state(episode, wait_s)

    def _episode(self, request: Request) -> LiveRollout:
        number = request.path_params["number"]
        if number not in self._ended:
            raise RequestRefused(f"rollout {number} is unknown here: start one by POST to rollouts", 404)
        return self._ended[number]

    def _forget(self) -> None:
        """Forget the oldest of too many ended rollouts."""
        ended = [number for number, episode in self._ended.items() if episode.rollout is not None]
        for number in ended[: max(0, len(ended) - MAX_ENDED)]:
            del self._ended[number]

    async def _state(self, episode: LiveRollout, wait_s: float) -> dict[str, Any]:
        """Return a rollout's state, as soon as a turn waits or the rollout has ended."""
        await episode.changed(wait_s)
        found: dict[str, Any] = {"rollout": episode.number, "seed": episode.seed, "ended": episode.rollout is not None}
        found["turns"] = [turn.to_dict() for turn in episode.open_turns]
        if episode.rollout is not None:
            found["result"] = episode.rollout.to_dict()
        return found


async def _body(request: Request, legal: set[str]) -> Mapping[str, Any]:
    """Return the JSON object of a request. Raises RequestRefused."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        raise RequestRefused(f"the request's type is not {JSON}: send JSON with that Content-Type", 415)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MAX_BODY_BYTES:
            raise RequestRefused(f"a request has at most {MAX_BODY_BYTES} bytes", 413)
    try:
        given = read_json(body.decode("utf-8") or "{}")
    except (ValueError, RecursionError):
        raise RequestRefused("the request is no JSON") from None
    if not isinstance(given, dict):
        raise RequestRefused("the request is no JSON object")
    if unknown := sorted(set(given) - legal):
        raise RequestRefused(f"{unknown[0][:40]!r} is unknown here; legal are {', '.join(sorted(legal))}")
    return given


def _wait_s(given: object) -> float:
    """Return how long a request waits for a turn, in seconds. Raises RequestRefused."""
    if given is None:
        return MAX_WAIT_S
    try:
        value = float(given) if isinstance(given, str | int | float) else -1.0
    except (ValueError, OverflowError):
        value = -1.0
    if not 0 <= value <= MAX_WAIT_S:
        raise RequestRefused(f"wait_s: {str(given)[:40]!r} is not legal; give seconds from 0 to {MAX_WAIT_S:g}")
    return value


def serve(environment: AsyncEnvironment, opened: socket.socket, token: str, ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C or SIGTERM, then close the environment.

    Args:
        environment: The environment.
        opened: Socket that listens.
        token: First part of every path.
        ready: Called before the first request.
    """
    config = uvicorn.Config(
        application(environment, token), log_config=None, access_log=False, lifespan="off",
        timeout_graceful_shutdown=2, ws="none",
    )  # fmt: skip
    server = uvicorn.Server(config)

    async def run() -> None:
        try:
            await server.serve(sockets=[opened])
        finally:
            await environment.close()

    try:
        ready()
        asyncio.run(run())
    except (KeyboardInterrupt, asyncio.CancelledError):
        # Ctrl-C is the way to end the server; its signal is raised again after a clean shutdown.
        pass
    finally:
        opened.close()


def new_token() -> str:
    """Return a new token."""
    return secrets.token_urlsafe(24)
