"""Play through a seat's page: entry, inputs of one's own body, tokens, and what the network reaches."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seat_inputs import InputRefused
from accord.viewer.seat_play import EntryRefused
from accord.viewer.seat_world import RELEASE, WorldSeatPlay
from accord.viewer.seats import Seat, Seats
from accord.viewer.server import Site
from bridge.errors import ServerError
from bridge.types import Address
from tests.unit.accord.viewer.asgi import ORIGIN, get

JSON = b"application/json"
WORLD = {"host": "127.0.0.1", "port": 25599, "version": "1.20.4"}


class FakeClient:
    """A player's client that writes down its orders."""

    def __init__(self, hear: Callable[[Mapping[str, Any]], object]) -> None:
        self.hear = hear
        self.orders: list[Any] = []
        self.closed = False

    def join(self, address: Address, name: str) -> None:
        self.orders.append(("join", str(address), name))

    def leave(self) -> None:
        self.orders.append("leave")

    def send(self, order: Mapping[str, Any]) -> None:
        self.orders.append(dict(order))

    def survey(self, part: str, **fields: Any) -> Any:  # noqa: ANN401
        return {"part": part, **fields}

    def close(self) -> None:
        self.closed = True


class Game:
    """A site with two seats in the browser, one with a client of its own each."""

    def __init__(self, catalog: RunCatalog) -> None:
        self.clients: dict[str, FakeClient] = {}
        self.forms: list[tuple[str, str, Mapping[str, Any]]] = []
        seats = {name: Seat(name, token=name.lower()) for name in ("Glitch", "Golem")}
        for name, seat in seats.items():
            seat.play = WorldSeatPlay(name, self.starter(name), alone_s=3600)
        self.site = Site(catalog, token="secret", seats=Seats(seats, lambda *_: "", self.answer), hosts=("10.0.0.5",))

    def starter(self, name: str) -> Callable[[Callable[[Mapping[str, Any]], object]], FakeClient]:
        def start(hear: Callable[[Mapping[str, Any]], object]) -> FakeClient:
            self.clients[name] = FakeClient(hear)
            return self.clients[name]

        return start

    def answer(self, player: str, stage: str, answers: Mapping[str, Any]) -> str:
        self.forms.append((player, stage, answers))
        return "no" if stage == "refused" else ""

    def post(self, path: str, body: object, token: str = "glitch", **more: Any) -> tuple[int, Any]:  # noqa: ANN401
        given = {"origin": ORIGIN, "content": JSON, **more}
        status, _, told = get(self.site, f"/{token}/api/{path}", "", "POST", body=json.dumps(body).encode(), **given)
        return status, json.loads(told) if status not in (404, 405) or told.startswith(b"{") else None

    def seat(self, name: str = "Glitch") -> Seat:
        return self.site.seats.seats[name]

    def let_in(self, name: str = "Glitch") -> FakeClient:
        """Admit a player, and let it enter."""
        self.seat(name).take({"game": {"address": WORLD}, "admitted": True})
        assert self.post("enter", {}, name.lower())[0] == 200
        self.clients[name].hear({"kind": "joined"})
        return self.clients[name]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    catalog = RunCatalog([], awaited=True)
    made = Game(catalog)
    yield made
    made.site.seats.close()
    catalog.close()


def test_nobody_enters_before_the_forms_and_the_world(game: Game) -> None:
    assert game.post("enter", {}) == (409, {"error": "answer the pages before the game first"})
    game.seat().take({"admitted": True})
    assert game.post("enter", {}) == (409, {"error": "the world is not ready yet: wait a moment"})
    game.seat().take({"game": {"address": WORLD}, "here": True})
    assert game.post("enter", {})[1]["error"].startswith("you are in the game with a Minecraft client")
    assert game.clients == {}
    game.seat().take({"here": False})
    assert game.post("enter", {}) == (200, {"state": "joining"})
    assert game.clients["Glitch"].orders == [("join", "127.0.0.1:25599", "Glitch")]


def test_a_seat_moves_its_own_body_alone(game: Game) -> None:
    glitch, golem = game.let_in(), game.let_in("Golem")
    assert game.post("input", {"inputs": [{"do": "keys", "keys": ["forward"]}]}) == (200, {})
    assert glitch.orders[-1] == {"do": "keys", "keys": ["forward"]}
    assert golem.orders == [("join", "127.0.0.1:25599", "Golem")]
    before = list(glitch.orders)
    for hostile in ({"do": "leave"}, {"do": "join", **WORLD, "name": "Golem"}, {"do": "chat", "text": "/op Glitch"}):
        assert game.post("input", {"inputs": [{"do": "drop"}, hostile]})[0] == 409
    assert glitch.orders == before


@pytest.mark.parametrize("path", ["input", "enter", "leave", "form"])
def test_another_token_site_or_form_of_request_does_nothing(game: Game, path: str) -> None:
    client = game.let_in()
    before = list(client.orders)
    body = {"inputs": [{"do": "drop"}], "stage": "consent", "answers": {"agree": True}}
    assert game.post(path, body, "glitc")[0] == 404
    assert game.post(path, body, "secret")[0] == 404
    assert game.post(path, body, origin=None)[0] == 403
    assert game.post(path, body, origin=b"http://evil.example")[0] == 404
    assert game.post(path, body, content=b"text/plain")[0] == 403
    assert game.post(path, ["x"])[0] == 400
    assert get(game.site, f"/glitch/api/{path}")[0] in (404, 405)
    assert (client.orders, game.forms) == (before, [])


def test_the_land_is_what_the_own_client_has_loaded(game: Game) -> None:
    assert get(game.site, "/glitch/api/land/facts")[0] == 404
    game.let_in()
    assert json.loads(get(game.site, "/glitch/api/land/news", "look=3&texture=-4")[2]) == {
        "part": "news", "look": 3, "texture": 0,
    }  # fmt: skip
    for path, query in (
        ("land/secret", ""),
        ("land/news", "look=x"),
        ("land/columns", "at=1"),
        ("land/columns", "at=a,b"),
    ):
        assert get(game.site, f"/glitch/api/{path}", query)[0] == 404
    assert get(game.site, "/secret/api/land/facts")[0] == 404


def test_the_network_reaches_seats_it_was_invited_to_and_no_record(game: Game) -> None:
    host, origin = b"10.0.0.5:8000", b"http://10.0.0.5:8000"
    assert get(game.site, "/glitch/api/seat", host=host)[0] == 200
    assert get(game.site, "/secret/api/runs", host=host)[0] == 404
    assert get(game.site, "/glitch/api/seat", host=b"10.0.0.6:8000")[0] == 404
    assert get(game.site, "/glitch/api/seat", host=host, origin=b"http://10.0.0.6:8000")[0] == 404
    assert get(game.site, "/glitch/", host=host, origin=origin)[0] == 200
    alone = Site(game.site.catalog, token="secret", seats=game.site.seats)
    assert get(alone, "/glitch/api/seat", host=host)[0] == 404


def test_a_freed_seat_has_another_token_and_no_player_in_the_game(game: Game) -> None:
    client = game.let_in()
    game.seat().take({"text": "for the first person alone"})
    game.site.seats.free("Glitch")
    assert client.closed
    assert get(game.site, "/glitch/api/seat")[0] == 404
    told = game.seat().news(-1, 0)
    assert told is not None
    assert (told["texts"], told["game"], game.seat().play.game) == ([], True, {"address": WORLD})


def test_forms_reach_the_study_with_their_player(game: Game) -> None:
    assert game.post("form", {"stage": "consent", "answers": {"agree": True}}) == (200, {"taken": "consent"})
    assert game.post("form", {"stage": "refused", "answers": {}}) == (409, {"error": "no"})
    for body in ({"stage": 7, "answers": {}}, {"stage": "consent", "answers": []}, {}):
        assert game.post("form", body)[0] == 400
    assert game.forms[0] == ("Glitch", "consent", {"agree": True})


def test_reports_stream_how_things_are_and_what_is_new(game: Game) -> None:
    client = game.let_in()
    client.hear({"kind": "self", "at": [0, 0, 0]})
    client.hear({"kind": "signs", "signs": [[1, 2, 3, ["gone"]]]})
    client.hear({"kind": "signs", "signs": []})
    number, standing = game.seat().play.open_page()
    assert standing == [
        {"kind": "state", "state": "in"}, {"kind": "self", "at": [0, 0, 0]}, {"kind": "signs", "signs": []},
    ]  # fmt: skip
    client.hear({"kind": "chat", "from": "Gizmo", "text": "lone \ud800"})
    found = game.seat().play.reports(number)
    assert found is not None
    assert found[1] == [{"kind": "chat", "from": "Gizmo", "text": "lone \ufffd"}]
    assert game.seat("Golem").play.reports(0) == (0, [])
    game.seat().play.close_page()
    assert client.orders[-3:] == [dict(order) for order in RELEASE]


def test_a_slow_page_learns_that_reports_are_lost(game: Game) -> None:
    client = game.let_in()
    for at in range(2100):
        client.hear({"kind": "self", "at": at})
    assert game.seat().play.reports(0) is None


def test_a_player_follows_the_study_into_its_next_world(game: Game) -> None:
    client = game.let_in()
    game.seat().take({"game": None})
    client.hear({"kind": "gone", "reason": "Server closed"})
    with pytest.raises(InputRefused, match="not in the game"):
        game.seat().play.take_inputs([])
    with pytest.raises(ServerError):
        game.seat().play.survey("facts")
    game.seat().take({"game": {"address": {**WORLD, "port": 25600}}})
    assert client.orders[-2:] == ["leave", ("join", "127.0.0.1:25600", "Glitch")]
    game.seat().play.leave()
    client.hear({"kind": "gone", "reason": ""})
    game.seat().take({"game": {"address": WORLD}})
    assert client.orders[-1] == "leave"


def test_entry_without_a_world_is_refused() -> None:
    with pytest.raises(EntryRefused):
        WorldSeatPlay("Glitch", lambda _hear: pytest.fail("nothing starts")).enter()
