"""Play of a grid game through a seat's page: entry, one's own actions alone, hostile inputs, pictures, reports."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seat_grid import GridSeatPlay
from accord.viewer.seat_inputs import BURST, InputLimiter, InputRefused
from accord.viewer.seat_on_page import PageSeatPlay
from accord.viewer.seats import Seat, Seats, SentPage
from accord.viewer.server import Site
from tests.unit.accord.viewer.asgi import ORIGIN, get
from voyager_agents.human.grid_view import GridOption, GridView

JSON = b"application/json"
PICTURE = b"\x89PNG of Glitch"
VIEW = GridView(
    step=7, steps=9, role="miner", goal="Earn.", rules="Rules.", seen="Seen \ud800.", legend="Signs.", picture=PICTURE,
    holds={"wood": 2}, actions=(GridOption("up", "up"), GridOption("join 1", "join 1")),
)  # fmt: skip


class Link:
    """Study that takes some actions."""

    def __init__(self) -> None:
        self.chosen: list[tuple[str, int, str, tuple[int, ...]]] = []
        self.seen: list[tuple[str, bool]] = []

    def choose(self, player: str, step: int, action: str, words: tuple[int, ...]) -> str:
        self.chosen.append((player, step, action, words))
        return "not possible now" if action == "fly" else ""

    def show_presence(self, player: str, *, here: bool) -> None:
        self.seen.append((player, here))


class Game:
    """A site with two seats of a grid game."""

    def __init__(self, catalog: RunCatalog) -> None:
        self.link = Link()
        seats = {name: Seat(name, name.lower(), self.make_play) for name in ("Glitch", "Golem")}
        self.site = Site(catalog, token="secret", seats=Seats(seats))

    def make_play(self, player: str) -> GridSeatPlay:
        return GridSeatPlay(player, self.link, InputLimiter(lambda: 0.0), alone_s=3600)

    def post(self, path: str, body: object, token: str = "glitch") -> tuple[int, Any]:
        data = json.dumps(body).encode()
        status, _, told = get(self.site, f"/{token}/api/{path}", "", "POST", body=data, origin=ORIGIN, content=JSON)
        return status, json.loads(told) if told.startswith(b"{") else None

    def act(self, action: object, token: str = "glitch", **more: Any) -> tuple[int, Any]:  # noqa: ANN401
        return self.post("input", {"inputs": [{"do": "act", "step": 7, "action": action, **more}]}, token)

    def seat(self, name: str = "Glitch") -> Seat:
        return self.site.seats.seats[name]

    def let_in(self, name: str = "Glitch") -> None:
        """Open the game to a player, let it enter, and show it a step."""
        page = SentPage(name, self.seat(name).take)
        page.show_presence(here=False, admitted=True)
        page.open_game(None)
        assert self.post("enter", {}, name.lower()) == (200, {"state": "in"})
        page.show_grid(VIEW)


@pytest.fixture
def game() -> Iterator[Game]:
    catalog = RunCatalog([], awaited=True)
    made = Game(catalog)
    yield made
    made.site.seats.close()
    catalog.close()


def test_nobody_enters_before_the_forms_and_the_game(game: Game) -> None:
    assert game.post("enter", {}) == (409, {"error": "answer the pages before the game first"})
    game.seat().take({"admitted": True})
    assert game.post("enter", {}) == (409, {"error": "the game is not ready yet: wait a moment"})
    assert game.act("up") == (409, {"error": "you are not in the game"})
    assert (game.link.chosen, game.link.seen) == ([], [])
    game.let_in()
    assert game.link.seen == [("Glitch", True)]
    told = game.seat().news(-1, 0)
    assert told is not None
    assert (told["plays"], told["game"]) == ("grid", True)


def test_a_seat_chooses_for_its_own_player_and_is_told_of_a_refusal(game: Game) -> None:
    game.let_in()
    game.let_in("Golem")
    assert game.act("fly") == (409, {"error": "not possible now"})
    assert game.act("up") == (200, {})
    assert game.act("join 1", "golem", words=[1, 2]) == (200, {})
    assert game.act("up", "secret")[0] == 404
    assert game.link.chosen == [("Glitch", 7, "fly", ()), ("Glitch", 7, "up", ()), ("Golem", 7, "join 1", (1, 2))]


@pytest.mark.parametrize(
    "inputs",
    [
        None, {}, [], "up", [{"do": "act"}], [{"do": "act", "step": 7, "action": "up"}] * 2,
        [{"do": "act", "step": "7", "action": "up"}], [{"do": "act", "step": 0, "action": "up"}],
        [{"do": "act", "step": 10**9, "action": "up"}], [{"do": "act", "step": 7, "action": ""}],
        [{"do": "act", "step": 7, "action": "u" * 81}], [{"do": "act", "step": 7, "action": ["up"]}],
        [{"do": "act", "step": 7, "action": "up", "words": [-1]}], [{"do": "act", "step": True, "action": "up"}],
        [{"do": "act", "step": 7, "action": "up", "words": [0.5]}],
        [{"do": "act", "step": 7, "action": "up", "words": [1] * 65}],
        [{"do": "act", "step": 7, "action": "up", "words": [2**31]}],
        [{"do": "act", "step": 7, "action": "up", "player": "Golem"}], [{"do": "keys", "keys": ["forward"]}],
        [{"do": "chat", "text": "hello"}],
    ],
)  # fmt: skip
def test_hostile_inputs_get_one_line_and_never_reach_the_study(game: Game, inputs: object) -> None:
    game.let_in()
    status, told = game.post("input", {"inputs": inputs})
    assert status == 409
    assert "\n" not in told["error"]
    assert game.link.chosen == []


def test_a_flood_of_inputs_is_refused(game: Game) -> None:
    game.let_in()
    answers = [game.act("up") for _ in range(int(BURST) + 2)]
    refusal = (409, {"error": "too many inputs at once: wait a moment"})
    assert (answers.count((200, {})), answers[-2:]) == (BURST, [refusal] * 2)
    assert len(game.link.chosen) == BURST


def test_reports_tell_the_step_and_that_a_choice_was_taken(game: Game) -> None:
    game.let_in()
    number, (state, shown) = game.seat().play.open_page()
    assert state == {"kind": "state", "state": "in"}
    assert (shown["kind"], shown["step"], shown["waits"], shown["seen"]) == ("grid", 7, False, "Seen \ufffd.")
    assert "picture" not in shown
    assert list(shown["actions"][1].values()) == ["join 1", "join 1"]
    game.act("up")
    found = game.seat().play.reports(number)
    assert found is not None
    assert [(each["step"], each["waits"]) for each in found[1]] == [(7, True)]
    assert game.seat("Golem").play.reports(0) == (0, [])
    game.seat().play.close_page()


def test_a_picture_is_for_its_own_seat(game: Game) -> None:
    assert get(game.site, "/glitch/api/picture")[0] == 404
    game.let_in()
    status, headers, body = get(game.site, "/glitch/api/picture", "number=1")
    assert (status, headers["content-type"], body) == (200, "image/png", PICTURE)
    assert headers["content-security-policy"].startswith("default-src 'none'")
    assert get(game.site, "/golem/api/picture")[0] == 404
    assert get(game.site, "/secret/api/picture")[0] == 404
    assert base64.b64encode(PICTURE).decode() not in json.dumps(game.seat().news(-1, 0))


def test_who_leaves_the_game_comes_back_and_a_game_that_ends_puts_all_out(game: Game) -> None:
    game.let_in()
    assert game.post("leave", {}) == (200, {"state": "out"})
    assert game.act("up") == (409, {"error": "you are not in the game"})
    assert game.post("enter", {}) == (200, {"state": "in"})
    game.seat().play.open_page()
    game.seat().play._leave_alone()
    assert game.seat().play.state == "in", "a page is open"
    game.seat().play.close_page()
    game.seat().play._leave_alone()
    assert game.seat().play.state == "out"
    _, (state, _) = game.seat().play.open_page()
    assert state == {"kind": "state", "state": "in"}
    game.seat().take({"game": None})
    assert game.seat().play.state == "out"
    assert [here for _, here in game.link.seen] == [True, False, True, False, True, False]


def test_a_freed_seat_has_another_token_and_nothing_of_its_last_person(game: Game) -> None:
    game.let_in()
    game.site.seats.free("Glitch")
    assert game.link.seen[-1] == ("Glitch", False)
    assert get(game.site, "/glitch/api/picture")[0] == 404
    new = game.seat()
    assert (new.play.state, new.play.picture, new.play.open_page()[1]) == (
        "out", None, [{"kind": "state", "state": "out"}],
    )  # fmt: skip
    told = new.news(-1, 0)
    assert told is not None
    assert told["game"]


def test_there_is_no_land_on_a_grid(game: Game) -> None:
    game.let_in()
    assert get(game.site, "/glitch/api/land/facts")[0] == 404
    assert get(game.site, "/glitch/api/land/columns", "at=0,0")[0] == 404


def test_a_seat_that_is_played_by_answers_takes_no_other_input() -> None:
    link = Link()
    play = PageSeatPlay("Glitch", link, InputLimiter(lambda: 0.0))
    play.take_news({"game": {"address": None}})
    play.enter()
    with pytest.raises(InputRefused, match="played by answers"):
        play.take_inputs({"inputs": [{"do": "act", "step": 1, "action": "up"}]})
    play.take_news({"game": None})
    assert (play.state, link.seen, link.chosen) == ("out", [("Glitch", True), ("Glitch", False)], [])
