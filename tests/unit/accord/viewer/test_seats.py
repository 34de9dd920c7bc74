"""Pages of human players: what each shows, what it takes, and whom it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seats import MAX_BODY_BYTES, MAX_WORDS, PAGE_GONE_S, PER_WINDOW, WINDOW_S, Seat, Seats, WordsRefused
from accord.viewer.server import Site
from tests.unit.accord.viewer.asgi import HOST, ORIGIN, get
from tests.unit.accord.viewer.records import ATTACKS, a_life

JSON = b"application/json"
QUESTION = {"kind": "talk", "title": "Talk", "help": [], "context": [], "messages": [], "deals": [],
            "answers": ["pass"], "audience": ["Gizmo"]}  # fmt: skip


class Place:
    """A site with seats for two people, and the lines that reached the study."""

    def __init__(self, catalog: RunCatalog) -> None:
        self.heard: list[tuple[str, str]] = []
        self.refusal = ""
        seats = {"Glitch": Seat("Glitch", token="glitch"), "Golem": Seat("Golem", token="golem")}
        self.site = Site(catalog, token="secret", seats=Seats(seats, self.say))

    def say(self, player: str, words: str, question: int) -> str:
        assert question == 1
        self.heard.append((player, words))
        return self.refusal

    def post(
        self, body: bytes, token: str = "glitch", origin: bytes | None = ORIGIN, content: bytes = JSON
    ) -> tuple[int, bytes]:
        """Send a line, and return status and body of the response."""
        status, _, told = get(self.site, f"/{token}/api/say", "", "POST", origin=origin, body=body, content=content)
        return status, told


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    catalog = RunCatalog([a_life(tmp_path / "a", ["Ada"], ["hi"])])
    yield Place(catalog)
    catalog.close()


def words_of(text: str) -> bytes:
    return json.dumps({"words": text, "question": 1}).encode()


def test_a_seat_takes_lines_of_its_player_and_shows_what_it_was_sent(place: Place) -> None:
    assert place.post(words_of(" to Gizmo: offer 1. Gizmo pays 3. "))[0] == 200
    place.site.seats.seats["Glitch"].take({"text": "Gizmo to Glitch: mark-of-glitch"})
    place.site.seats.seats["Glitch"].take({"question": QUESTION})
    told = json.loads(get(place.site, "/glitch/api/seat")[2])
    assert (told["player"], told["open"], told["texts"][0][2]) == ("Glitch", True, "Gizmo to Glitch: mark-of-glitch")
    assert told["question"] == told["talk"] == QUESTION
    assert place.heard == [("Glitch", "to Gizmo: offer 1. Gizmo pays 3.")]
    assert b"mark-of-glitch" not in get(place.site, "/golem/api/seat")[2]
    later = json.loads(get(place.site, "/glitch/api/seat", f"version={told['version'] - 1}&after=1")[2])
    assert later["texts"] == []


def test_after_its_answer_a_question_stays_on_the_page_and_takes_none(place: Place) -> None:
    seat = place.site.seats.seats["Glitch"]
    seat.take({"question": QUESTION})
    seat.take({"question": {**QUESTION, "kind": "play"}})
    seat.take({"question": None})
    told = json.loads(get(place.site, "/glitch/api/seat")[2])
    assert (told["open"], told["question"]["kind"], told["talk"]["kind"]) == (False, "play", "talk")
    place.refusal = "nobody waits for your words now"
    assert place.post(words_of("pass")) == (409, b'{"error":"nobody waits for your words now"}')


def test_a_seat_tells_how_the_study_ended_and_knows_when_its_page_has_heard_of_it() -> None:
    now = [0.0]
    seats = Seats({name: Seat(name, clock=lambda: now[0]) for name in ("Glitch", "Golem")})
    glitch = seats.seats["Glitch"]
    told = glitch.news(-1, 0)
    assert told is not None
    assert told["ended"] is None
    assert seats.are_told
    glitch.take({"question": None, "ended": "over"})
    seats.end_study("broken")
    assert not seats.are_told
    told = glitch.news(told["version"], 0)
    assert told is not None
    assert told["ended"] == "over"
    # Nobody has opened the other seat.
    assert seats.are_told
    glitch.take({"text": "late"})
    assert not seats.are_told
    now[0] += 2 * PAGE_GONE_S
    assert seats.are_told


@pytest.mark.parametrize("path", ["api/runs", "api/control", "api/run/0/reach", "api/run/0/words", "api/run/0/calls"])
def test_a_seat_leads_to_no_record_and_the_record_to_no_seat(place: Place, path: str) -> None:
    assert get(place.site, f"/glitch/{path}")[0] == 404
    assert get(place.site, f"/glitch/{path}", "what=end", "POST", origin=ORIGIN)[0] in (404, 405)
    assert get(place.site, "/secret/api/seat")[0] == 404
    assert place.post(words_of("hello"), token="secret")[0] in (404, 405)
    assert get(place.site, "/glitch/")[0] == 200
    assert b"glitch" not in get(place.site, "/glitch/")[2]


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"token": "glitc"}, 404), ({"token": "GLITCH"}, 404), ({"token": ""}, 404),
        ({"origin": None}, 403), ({"origin": b"http://evil.example"}, 404), ({"origin": b"null"}, 404),
        ({"content": b"text/plain"}, 403), ({"content": b"application/x-www-form-urlencoded"}, 403),
    ],
)  # fmt: skip
def test_another_token_or_site_writes_nothing(place: Place, changes: dict[str, bytes], status: int) -> None:
    found, told = place.post(words_of("hello"), **changes)  # type: ignore[arg-type]
    assert (found, told.count(b"\n"), place.heard) == (status, 0, [])


def test_another_host_name_writes_nothing(place: Place) -> None:
    for host in (b"evil.example:8000", b""):
        origin = b"http://" + host
        assert get(place.site, "/glitch/api/say", "", "POST", host, origin, body=words_of("a"), content=JSON)[0] == 404
    assert get(place.site, "/glitch/api/say", "words=a", origin=ORIGIN, host=HOST)[0] == 405
    assert place.heard == []


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (words_of("a" * (MAX_WORDS + 1)), 400, f"at most {MAX_WORDS} characters"),
        (b'{"words": "' + b"a" * MAX_BODY_BYTES + b'"}', 413, "bytes"),
        (words_of("red \x1b[31m"), 400, "no control characters"),
        (words_of("two\nlines"), 400, "no control characters"),
        (words_of("a\tb"), 400, "no control characters"),
        (words_of("\u202egnp.exe"), 400, "no control characters"),
        (b'{"words": "\x00"}', 400, "the request is no JSON"),
        (b'{"words": "yes"}', 400, "names the number of the question"),
        (b'{"words": "yes", "question": true}', 400, "names the number of the question"),
        (words_of("   "), 400, "write a line"),
        (b'{"words": 7}', 400, "write a line"),
        (b'["words"]', 400, "the request is no object"),
        (b"{" * 5000, 400, "the request is no JSON"),
        (b"\xff\xfe", 400, "the request is no JSON"),
    ],
)
def test_hostile_lines_are_refused_in_one_line(place: Place, body: bytes, status: int, told: str) -> None:
    found, answer = place.post(body)
    error = json.loads(answer)["error"]
    assert (found, told in error, "\n" in error, place.heard) == (status, True, False, [])


def test_words_with_markup_are_words_like_others(place: Place) -> None:
    for attack in (each for each in ATTACKS if "\u202e" not in each):
        assert place.post(words_of(attack))[0] == 200
    assert [words for _, words in place.heard] == [each for each in ATTACKS if "\u202e" not in each]


def test_a_flood_of_lines_is_refused_until_time_has_passed() -> None:
    now = [100.0]
    seat = Seat("Glitch", clock=lambda: now[0])
    for _ in range(PER_WINDOW):
        seat.check_words("hello")
    with pytest.raises(WordsRefused, match="wait a few seconds"):
        seat.check_words("hello")
    now[0] += WINDOW_S
    assert seat.check_words("hello") == "hello"


def test_tokens_are_long_and_of_one_seat_each() -> None:
    seats = Seats.of(["Glitch", "Golem"], lambda _player, _words, _question: "")
    tokens = [seat.token for seat in seats.seats.values()]
    assert len({*tokens}) == 2
    assert all(len(token) >= 32 for token in tokens)
    assert [seats.by_token(token.encode()) for token in tokens] == [*seats.seats.values()]
    assert seats.by_token(b"") is None
