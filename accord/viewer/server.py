"""HTTP API of the page: a Starlette application on 127.0.0.1, behind a token.

Everything is below `/TOKEN/`; any other address, host or token gets the same bare 404. No response contains markup from
a record: records are sent as JSON, and the page's own files are read when the application is created.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from accord.viewer.queries import Query, columns_of, names_of, whole
from accord.viewer.responses import HEADERS, file_response, is_from, is_local, json_response, page_files
from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seat_server import SEAT, seat_application
from accord.viewer.seats import Seats
from common.text import read_json
from dilemmas.errors import DilemmaError

WAIT_S = 2.0
"""Maximum wait of a request for news, in seconds."""
LOOK_S = 0.2
MAX_CHANNEL = 4000
"""Maximum length of a channel in a query, in characters."""
STEADY = "nothing to pause: only a mock or an embedded world that this command plays alone (--jobs 1) can stand still"
Ask = Callable[[str], str]
"""Performs a request of the page's buttons (`pause`, `go`, `end`) and returns the state (`running`, `paused`,
`ending`); `state` only returns it.
"""


@dataclass
class Site:
    """Content and callbacks of the application."""

    catalog: RunCatalog
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    ask: Ask | None = None
    """None if the page cannot control the study."""
    closing: Callable[[], bool] = lambda: False
    """Returns True while the server shuts down, which ends waiting requests."""
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    awaited: bool = False
    """True if a study is starting, whose run the page should show."""
    seats: Seats = field(default_factory=Seats)
    """Pages of human players."""
    hosts: tuple[str, ...] = ()
    """Addresses of this machine in its network at which seats, and nothing else, are served."""


class _Guard:
    """Guard that checks token and host name, and passes requests to the page or to a seat."""

    def __init__(self, inner: ASGIApp, seat: ASGIApp, site: Site) -> None:
        self._inner = inner
        self._seat = seat
        self._seats = site.seats
        self._hosts = site.hosts
        self._token = site.token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._inner(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        token, _, rest = scope["path"].removeprefix("/").partition("/")
        given = token.encode("utf-8", "replace")
        seat = self._seats.by_token(given)
        local = is_local(scope)
        # The page itself is for this machine alone; seats are also for the network if people were invited there.
        known = local and secrets.compare_digest(given, self._token)
        if not (known or (seat is not None and (local or is_from(scope, self._hosts)))):
            await Response("not found", 404, HEADERS, "text/plain")(scope, receive, send)
            return
        inner = {**scope, "path": f"/{rest}", "raw_path": None, SEAT: seat}
        await (self._inner if seat is None else self._seat)(inner, receive, send)


def application(site: Site) -> ASGIApp:
    """Return the application for `site`."""
    files = page_files()
    answers = _Answers(site, files)
    routes = [
        Route("/", answers.page),
        Route("/{name}", answers.file),
        Route("/api/runs", answers.runs),
        Route("/api/control", answers.control, methods=["GET", "POST"]),
        Route("/api/run/{number:int}/chunk/{chunk:int}", answers.chunk),
        Route("/api/run/{number:int}/columns", answers.columns),
        Route("/api/run/{number:int}/{what}", answers.part),
    ]
    return _Guard(Starlette(routes=routes), seat_application(site.seats, files, lambda: site.closing()), site)


class _Answers:
    """Request handlers, one method per kind of address."""

    def __init__(self, site: Site, files: Mapping[str, tuple[bytes, str]]) -> None:
        self._site = site
        self._files = files

    def page(self, request: Request) -> Response:
        """Serve the page."""
        return file_response(self._files, "index.html")

    def file(self, request: Request) -> Response:
        """Serve one of the page's files."""
        return file_response(self._files, request.path_params["name"])

    def runs(self, request: Request) -> Response:
        """Serve the list of runs."""
        try:
            return json_response({"runs": self._site.catalog.runs(), "newest": self._site.awaited})
        except DilemmaError as error:
            return _refusal(error)

    async def control(self, request: Request) -> Response:
        """Serve the state of the study that this command plays; a POST changes it."""
        ask = self._site.ask
        what = "state"
        if request.method == "POST":
            what = request.query_params.get("what", "")
            if ask is None or what not in ("pause", "go", "end"):
                return json_response({"error": "nothing to steer: pause, go and end are for a run with --watch"}, 409)
        state = await run_in_threadpool(ask, what) if ask is not None else None
        if what == "pause" and state == "steady":
            return json_response({"error": STEADY}, 409)
        return json_response({"state": state})

    def chunk(self, request: Request) -> Response:
        """Serve a chunk of a run; `after` omits initial changes of the open chunk."""
        try:
            index = self._site.catalog.index(request.path_params["number"])
            chunk = whole(request.path_params, "chunk")
            body, packed = index.chunk(chunk, max(0, whole(request.query_params, "after", 0)))
        except (KeyError, ValueError, OSError, DilemmaError) as error:
            return _refusal(error)
        headers = {**HEADERS, "Content-Encoding": "deflate"} if packed else HEADERS
        return Response(body, 200, headers, "application/json")

    def columns(self, request: Request) -> Response:
        """Serve columns of a run's land: `at` names them as `x,z;x,z`."""
        try:
            places = columns_of(request.query_params.get("at", ""))
            body = self._site.catalog.columns(request.path_params["number"], places)
        except (KeyError, ValueError, OSError, DilemmaError) as error:
            return _refusal(error)
        return Response(body, 200, {**HEADERS, "Content-Encoding": "deflate"}, "application/octet-stream")

    def part(self, request: Request) -> Response:
        """Serve any other part of a run."""
        part = _PARTS.get(request.path_params["what"])
        if part is None:
            return json_response({"error": "no such part"}, 404)
        try:
            return json_response(part(self._site, request.path_params["number"], request.query_params))
        except (KeyError, ValueError, OSError, DilemmaError) as error:
            return _refusal(error)


def _refusal(error: Exception) -> Response:
    text = str(error) if isinstance(error, DilemmaError) else "not in this record"
    return json_response({"error": text}, 404)


def _number(query: Query, key: str, usual: float = 0.0) -> float:
    """Return a finite number of the query. Raises ValueError for any other value."""
    value = float(query.get(key, usual))
    if not math.isfinite(value):
        raise ValueError(key)
    return value


def _reach(site: Site, number: int, query: Query) -> object:
    """Return the progress of a run; wait briefly until more than `read` bytes are indexed."""
    had = int(_number(query, "read", -1))
    until = site.clock() + WAIT_S
    while True:
        told = site.catalog.reach(number)
        if told["read"] > had or not told["live"] or site.clock() >= until or site.closing():
            return told
        site.sleep(LOOK_S)


def _line(site: Site, number: int, query: Query) -> object:
    return site.catalog.line(number, whole(query, "o"), whole(query, "l"))


def _ground(site: Site, number: int, query: Query) -> object:
    return site.catalog.ground(number, whole(query, "o"), whole(query, "l"))


def _land(site: Site, number: int, query: Query) -> object:
    return site.catalog.land(number, build=query.get("build") == "1")


def _blocks(site: Site, number: int, query: Query) -> object:
    return site.catalog.blocks(number, whole(query, "after", 0))


def _news(site: Site, number: int, query: Query) -> object:
    """Return looks and textures of blocks from some numbers on; `names` adds the looks of these blocks."""
    names = names_of(query.get("names", ""))
    named = site.catalog.survey(number, "named", names=names) if names else []
    look, texture = max(0, whole(query, "look", 0)), max(0, whole(query, "texture", 0))
    return {**site.catalog.survey(number, "news", look=look, texture=texture), "named": named}


def _bodies(site: Site, number: int, query: Query) -> object:
    """Return the bodies of the scenario's players, of mobs, and of the items named by `items`."""
    items = names_of(query.get("items", ""))
    return site.catalog.survey(number, "bodies", items=items)


def _skies(site: Site, number: int, query: Query) -> object:
    return site.catalog.survey(number, "skies")


def _call(site: Site, number: int, query: Query) -> object:
    return site.catalog.line(number, whole(query, "o"), whole(query, "l"), log="calls.jsonl")


def _words(site: Site, number: int, query: Query) -> object:
    kinds = [kind for kind in query.get("kinds", "").split(",") if kind][:20]
    text, who = query.get("text", "")[:200], query.get("who", "")
    before, channel = _number(query, "before", 1e12), _channel(query.get("channel", ""))
    return site.catalog.words(number, before=before, text=text, who=who, kinds=kinds, channel=channel)


def _channel(text: str) -> tuple[str, list[str]] | None:
    """Return kind and members of a channel from `["pairwise", "Ada", "Bo"]`. Raises ValueError for anything else."""
    if not text:
        return None
    try:
        found = read_json(text[:MAX_CHANNEL])
    except RecursionError:
        raise ValueError(text[:40]) from None
    if not isinstance(found, list) or len(found) < 2 or not all(isinstance(each, str) for each in found):
        raise ValueError(text[:40])
    return found[0], found[1:]


def _word_marks(site: Site, number: int, query: Query) -> object:
    return asdict(site.catalog.word_marks(number))


def _marks(site: Site, number: int, query: Query) -> object:
    return site.catalog.marks(number, whole(query, "after", 0))


def _deeds(site: Site, number: int, query: Query) -> object:
    return site.catalog.deeds(number, query["player"], _number(query, "before", 1e12))


def _figures(site: Site, number: int, query: Query) -> object:
    return site.catalog.figures(number)


def _calls(site: Site, number: int, query: Query) -> object:
    text, player, role = query.get("text", "")[:200], query.get("player", ""), query.get("role", "")
    return site.catalog.calls(number, text=text, player=player, role=role, start=whole(query, "start", 0))


def _sums(site: Site, number: int, query: Query) -> object:
    return site.catalog.sums(number)


def _answers(site: Site, number: int, query: Query) -> object:
    return site.catalog.answers(number)


_PARTS: Mapping[str, Callable[[Site, int, Query], object]] = {
    "reach": _reach,
    "line": _line,
    "ground": _ground,
    "call": _call,
    "words": _words,
    "word_marks": _word_marks,
    "marks": _marks,
    "deeds": _deeds,
    "figures": _figures,
    "calls": _calls,
    "sums": _sums,
    "answers": _answers,
    "land": _land,
    "blocks": _blocks,
    "news": _news,
    "bodies": _bodies,
    "skies": _skies,
}
