"""HTTP API of a seat: the page of one human player, behind the seat's own token (`accord.viewer.server`)."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from functools import partial
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from accord.viewer.queries import columns_of, names_of, whole
from accord.viewer.responses import HEADERS, file_response, json_response
from accord.viewer.seat_inputs import InputRefused
from accord.viewer.seat_play import EntryRefused
from accord.viewer.seats import MAX_BODY_BYTES, Seat, Seats, WordsRefused
from bridge.errors import ServerError
from bridge.seat_client import Report
from common.text import read_json

SEAT = "accord.seat"
"""Key of a request's scope with its seat."""
WAIT_S = 2.0
"""Maximum wait of a request for news, in seconds."""
LOOK_S = 0.1
FOLLOW_S = 0.025
"""Interval between two looks for reports of the play, in seconds."""
QUIET_S = 10.0
"""Interval after which a quiet stream sends a comment, so that a page that is gone is noticed."""
LAND = ("facts", "skies", "news", "bodies")
"""Parts of the land that a page asks for, besides columns."""
MAX_FORM_BYTES = 100_000
"""Maximum size of a request with answers to a form, in bytes."""
NOT_ADMITTED = "answer the pages before the game first"
JSON = "application/json"
Posted = dict[str, Any]
"""Object that a page has sent."""


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
            Route("/api/say", _posted(answers.say), methods=["POST"]),
            Route("/api/form", _posted(answers.form, MAX_FORM_BYTES), methods=["POST"]),
            Route("/api/enter", _posted(answers.enter), methods=["POST"]),
            Route("/api/leave", _posted(answers.leave), methods=["POST"]),
            Route("/api/input", _posted(answers.inputs), methods=["POST"]),
            Route("/api/reports", answers.reports),
            Route("/api/picture", answers.picture),
            Route("/api/land/columns", answers.columns),
            Route("/api/land/{part}", answers.land),
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

    async def say(self, seat: Seat, given: Posted) -> Response:
        """Pass a line of the player to the study."""
        try:
            words = seat.check_words(given.get("words"))
        except WordsRefused as error:
            return json_response({"error": str(error)}, 400)
        question = given.get("question")
        if not isinstance(question, int) or isinstance(question, bool):
            return json_response({"error": "a line names the number of the question that it answers"}, 400)
        refusal = await run_in_threadpool(self._seats.say, seat.player, words, question)
        return json_response({"error": refusal}, 409) if refusal else json_response({"said": words})

    async def form(self, seat: Seat, given: Posted) -> Response:
        """Pass answers to a form to the study."""
        stage, answers = given.get("stage"), given.get("answers")
        if not isinstance(stage, str) or not isinstance(answers, dict):
            return json_response({"error": "a form has a stage and answers"}, 400)
        refusal = await run_in_threadpool(self._seats.answer, seat.player, stage, answers)
        return json_response({"error": refusal}, 409) if refusal else json_response({"taken": stage})

    async def enter(self, seat: Seat, given: Posted) -> Response:
        """Let the player enter the game."""
        if not seat.admitted:
            return json_response({"error": NOT_ADMITTED}, 409)
        try:
            await run_in_threadpool(partial(seat.play.enter, here=seat.here))
        except EntryRefused as error:
            return json_response({"error": str(error)}, 409)
        return json_response({"state": seat.play.state})

    async def leave(self, seat: Seat, given: Posted) -> Response:
        """Let the player leave the game."""
        await run_in_threadpool(seat.play.leave)
        return json_response({"state": seat.play.state})

    async def inputs(self, seat: Seat, given: Posted) -> Response:
        """Act on the player's inputs."""
        try:
            await run_in_threadpool(seat.play.take_inputs, given.get("inputs"))
        except InputRefused as error:
            return json_response({"error": str(error)}, 409)
        return json_response({})

    async def reports(self, request: Request) -> Response:
        """Stream reports of the play as server-sent events."""
        seat: Seat = request.scope[SEAT]
        return StreamingResponse(self._events(seat), 200, HEADERS, "text/event-stream")

    async def _events(self, seat: Seat) -> AsyncIterator[str]:
        number, standing = seat.play.open_page()
        try:
            yield _lines(standing)
            quiet = time.monotonic()
            while not self._closing() and self._seats.seats.get(seat.player) is seat:
                found = seat.play.reports(number)
                if found is None:
                    return
                number, reports = found
                now = time.monotonic()
                if reports or now - quiet > QUIET_S:
                    quiet = now
                    yield _lines(reports) or ":\n\n"
                await asyncio.sleep(FOLLOW_S)
        finally:
            seat.play.close_page()

    def picture(self, request: Request) -> Response:
        """Serve the picture of the game as the player sees it now."""
        seat: Seat = request.scope[SEAT]
        if (found := seat.play.picture) is None:
            return json_response({"error": "there is no picture"}, 404)
        return Response(found, 200, HEADERS, "image/png")

    def columns(self, request: Request) -> Response:
        """Serve columns around the player: `at` names them as `x,z;x,z`."""
        seat: Seat = request.scope[SEAT]
        try:
            places = columns_of(request.query_params.get("at", ""))
            found = seat.play.survey("columns", columns=[list(each) for each in places])
            body = base64.b64decode(str(found), validate=True)
        except (ServerError, ValueError, binascii.Error) as error:
            return json_response({"error": str(error)[:200]}, 404)
        return Response(body, 200, {**HEADERS, "Content-Encoding": "deflate"}, "application/octet-stream")

    def land(self, request: Request) -> Response:
        """Serve another part of the land around the player."""
        seat: Seat = request.scope[SEAT]
        part = request.path_params["part"]
        if part not in LAND:
            return json_response({"error": "no such part"}, 404)
        query = request.query_params
        try:
            fields: dict[str, Any] = {}
            if part == "news":
                fields = {key: max(0, whole(query, key, 0)) for key in ("look", "texture")}
            elif part == "bodies":
                fields = {key: names_of(query.get(key, "")) for key in ("players", "items")}
            return json_response(seat.play.survey(part, **fields))
        except (ServerError, ValueError) as error:
            return json_response({"error": str(error)[:200]}, 404)


def _lines(reports: list[Report]) -> str:
    return "".join(f"data: {json.dumps(report, separators=(',', ':'))}\n\n" for report in reports)


def _posted(
    answer: Callable[[Seat, Posted], Awaitable[Response]], most: int = MAX_BODY_BYTES
) -> Callable[[Request], Awaitable[Response]]:
    """Return a request handler that passes the posted object to `answer`, or refuses it."""

    async def endpoint(request: Request) -> Response:
        given = await _read(request, most)
        return given if isinstance(given, Response) else await answer(request.scope[SEAT], given)

    return endpoint


async def _read(request: Request, most: int) -> Posted | Response:
    """Return the object in a request of the seat's own page, or the refusal."""
    # Browsers send the origin with every POST; another site's page cannot choose it.
    if request.headers.get("origin") is None or request.headers.get("content-type") != JSON:
        return json_response({"error": "only the seat's own page can write"}, 403)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > most:
            return json_response({"error": f"a request has at most {most} bytes"}, 413)
    try:
        given = read_json(body)
    except (ValueError, RecursionError):
        return json_response({"error": "the request is no JSON"}, 400)
    return given if isinstance(given, dict) else json_response({"error": "the request is no object"}, 400)
