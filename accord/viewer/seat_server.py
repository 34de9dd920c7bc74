"""HTTP API of a seat: the page of one human player, behind the seat's own token (`accord.viewer.server`)."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from accord.viewer.responses import file_response, json_response
from accord.viewer.seats import MAX_BODY_BYTES, Seat, Seats, WordsRefused
from common.text import read_json

SEAT = "accord.seat"
"""Key of a request's scope with its seat."""
WAIT_S = 2.0
"""Maximum wait of a request for news, in seconds."""
LOOK_S = 0.1
JSON = "application/json"


def seat_application(
    seats: Seats, files: Mapping[str, tuple[bytes, str]], closing: Callable[[], bool] = lambda: False
) -> ASGIApp:
    """Return the application of all seats; the scope of a request names its seat.

    Args:
        seats: The seats of the study.
        files: The page's files.
        closing: Returns True while the server shuts down.
    """
    answers = _SeatAnswers(seats, files, closing)
    return Starlette(
        routes=[
            Route("/", answers.page),
            Route("/{name}", answers.file),
            Route("/api/seat", answers.news),
            Route("/api/say", answers.say, methods=["POST"]),
        ]
    )


class _SeatAnswers:
    """Request handlers of a seat."""

    def __init__(self, seats: Seats, files: Mapping[str, tuple[bytes, str]], closing: Callable[[], bool]) -> None:
        self._seats = seats
        self._files = files
        self._closing = closing

    def page(self, request: Request) -> Response:
        """Serve the seat's page."""
        return file_response(self._files, "seat.html")

    def file(self, request: Request) -> Response:
        """Serve one of the page's files."""
        return file_response(self._files, request.path_params["name"])

    def news(self, request: Request) -> Response:
        """Serve what is newer than a version of the seat; wait briefly for it."""
        seat: Seat = request.scope[SEAT]
        try:
            version, after = (int(request.query_params.get(key, -1)) for key in ("version", "after"))
        except ValueError:
            return json_response({"error": "version and after are whole numbers"}, 400)
        until = time.monotonic() + WAIT_S
        while (found := seat.news(version, after)) is None and time.monotonic() < until and not self._closing():
            time.sleep(LOOK_S)
        return json_response(found if found is not None else {"version": version})

    async def say(self, request: Request) -> Response:
        """Pass a line of the player to the study."""
        seat: Seat = request.scope[SEAT]
        # Browsers send the origin with every POST; another site's page cannot choose it.
        if request.headers.get("origin") is None or request.headers.get("content-type") != JSON:
            return json_response({"error": "only the seat's own page can write"}, 403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > MAX_BODY_BYTES:
                return json_response({"error": f"a request has at most {MAX_BODY_BYTES} bytes"}, 413)
        try:
            given = read_json(body)
            words = seat.check_words(given.get("words") if isinstance(given, dict) else None)
        except (ValueError, RecursionError):
            return json_response({"error": "the request is no JSON"}, 400)
        except WordsRefused as error:
            return json_response({"error": str(error)}, 400)
        refusal = await run_in_threadpool(self._seats.say, seat.player, words)
        return json_response({"error": refusal}, 409) if refusal else json_response({"said": words})
