"""Pages of human players: each shows what its player was sent, and takes what the player could say in the chat.

A seat has a token of its own. Its page holds the texts, books, questions and forms that the study sends to this player
alone, and nothing from the record; it cannot show what the player does not know. Its inputs are lines of the chat's
grammar, answers to forms, and what a player does in the game (`accord.viewer.seat_play`).
"""

from __future__ import annotations

import base64
import math
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from accord.analysis.report.text import visible
from accord.viewer.seat_play import SeatPlay
from accord.viewer.seat_world import WorldSeatPlay
from bridge.types import Address
from common.text import well_formed, well_formed_data
from voyager_agents.human.grid_view import GridView
from voyager_agents.human.seat_question import SeatQuestion

MAX_WORDS = 1000
"""Maximum length of a line, in characters."""
MAX_BODY_BYTES = 8000
"""Maximum size of a request with a line, in bytes."""
MAX_KEPT = 300
"""Maximum number of texts that a seat keeps; the oldest are dropped first."""
MAX_TEXT = 20_000
"""Maximum length of a text, in characters."""
TALKS = ("talk", "table")
"""Kinds of questions with messages and deals."""
PER_WINDOW, WINDOW_S = 20, 10.0
"""Maximum number of lines from one seat in a time window, in seconds of wall time."""
Say = Callable[[str, str, int], str]
"""Passes a line to the study: player, line, number of the question -> the reason if nobody reads it, or empty."""
PAGE_GONE_S = 2.0
"""Time without a request after which a seat's page counts as closed, in seconds of wall time."""
Ending = Literal["over", "broken"]
"""End of a study as its people are told: as planned, or by an error or by whoever ended it."""
Answer = Callable[[str, str, Mapping[str, Any]], str]
"""Passes a player's form to the study: player, stage, answers -> the reason if it is not taken, or an empty text."""


class WordsRefused(Exception):
    """A line that a seat does not take; the text is one line."""


@dataclass
class Seat:
    """Content of one player's page. Thread-safe."""

    player: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    make_play: Callable[[str], SeatPlay] = WorldSeatPlay
    """Player -> its play through the page."""
    clock: Callable[[], float] = time.monotonic
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _texts: deque[tuple[int, bool, str]] = field(default_factory=lambda: deque(maxlen=MAX_KEPT))
    _count: int = 0
    _version: int = 0
    _books: Mapping[str, str] = field(default_factory=dict)
    _question: Any = None
    _talk: Any = None
    _is_open: bool = False
    _said_at: deque[float] = field(default_factory=lambda: deque(maxlen=PER_WINDOW))
    _form: Any = None
    _ended: Ending | None = None
    _followed_at: float = -math.inf
    _told: int = -1
    """Version that the page has got."""
    _status: dict[str, Any] = field(default_factory=lambda: {"here": False, "admitted": False})
    play: SeatPlay = field(init=False)
    """Play through the page."""

    def __post_init__(self) -> None:
        self.play = self.make_play(self.player)

    @property
    def admitted(self) -> bool:
        """True once the person may enter the game."""
        return bool(self._status["admitted"])

    @property
    def here(self) -> bool:
        """True while the player is in the world."""
        return bool(self._status["here"])

    def take(self, news: Mapping[str, Any]) -> None:
        """Store news of the study.

        A `text` (`own` if it is the player's), `books`, a `question`, a `form`, or what there is to know of the game:
        `here`, `admitted`, and the news of the play; `ended` once the study has ended (`Ending`).
        """
        self.play.take_news(news)
        if "grid" in news:
            # The page follows the game by the play's reports.
            return
        with self._lock:
            self._version += 1
            if "text" in news:
                self._count += 1
                self._texts.append((self._count, bool(news.get("own")), well_formed(str(news["text"])[:MAX_TEXT])))
            if "books" in news:
                self._books = well_formed_data(news["books"])
            self._ended = self._ended or news.get("ended")
            if "form" in news:
                self._form = well_formed_data(news["form"])
            self._status |= {key: bool(news[key]) for key in self._status if key in news}
            if "question" in news:
                # The last question and the last talk stay on the page, without an answer.
                self._is_open = news["question"] is not None
                self._question = well_formed_data(news["question"]) or self._question
                if self._is_open and self._question["kind"] in TALKS:
                    self._talk = self._question

    def close(self) -> None:
        """Take no more answers."""
        self.take({"question": None})

    def news(self, version: int, after: int) -> dict[str, Any] | None:
        """Return the page's content without the first `after` texts; None if nothing is newer than `version`."""
        with self._lock:
            self._followed_at = self.clock()
            if version == self._version:
                return None
            self._told = self._version
            return {
                "version": self._version,
                "player": self.player,
                "texts": [each for each in self._texts if each[0] > after],
                "books": self._books,
                "question": self._question,
                "talk": self._talk,
                "open": self._is_open,
                "form": self._form,
                "ended": self._ended,
                "plays": self.play.kind,
                "game": self.play.game is not None,
                **self._status,
            }

    @property
    def is_told(self) -> bool:
        """True if no open page waits for news."""
        with self._lock:
            return self._told == self._version or self.clock() - self._followed_at > PAGE_GONE_S

    def check_words(self, words: object) -> str:
        """Return a line of the player. Raises WordsRefused if it is no plain line, too long, or one of too many."""
        if not isinstance(words, str) or not (text := words.strip()):
            raise WordsRefused("write a line of text")
        if len(text) > MAX_WORDS:
            raise WordsRefused(f"a line has at most {MAX_WORDS} characters, and yours has {len(text)}")
        if visible(text, len(text)) != text or "\n" in text or "\t" in text or not _encodable(text):
            raise WordsRefused("a line has no control characters, direction marks or line breaks: write it plainly")
        now = self.clock()
        with self._lock:
            if len(self._said_at) == PER_WINDOW and now - self._said_at[0] < WINDOW_S:
                raise WordsRefused("too many lines at once: wait a few seconds")
            self._said_at.append(now)
        return text


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@dataclass
class Seats:
    """The seats of a study, and the way of their players' words to it."""

    seats: dict[str, Seat] = field(default_factory=dict)
    """Player -> seat."""
    say: Say = lambda _player, _words, _question: "no study is played here"
    answer: Answer = lambda _player, _stage, _answers: "no study is played here"

    @classmethod
    def of(
        cls,
        players: Iterable[str],
        say: Say,
        answer: Answer | None = None,
        make_play: Callable[[str], SeatPlay] = WorldSeatPlay,
    ) -> Seats:
        """Return a seat for each of the players.

        Args:
            players: Names of the players.
            say: Passes their lines to the study.
            answer: Passes their forms to the study; None for a study without forms.
            make_play: Player -> its play through the page.
        """
        seats = {player: Seat(player, make_play=make_play) for player in players}
        return cls(seats, say) if answer is None else cls(seats, say, answer)

    def free(self, player: str) -> None:
        """Give a player a new seat: the old token is void, and its page holds nothing any more."""
        old = self.seats[player]
        new = self.seats[player] = Seat(player, make_play=old.make_play, clock=old.clock, _status=dict(old._status))
        new.play.take_news({"game": old.play.game})
        old.play.close()

    def end_study(self, ending: Ending) -> None:
        """Tell all pages that have not heard of it that the study has ended."""
        for seat in self.seats.values():
            seat.take({"ended": ending})

    @property
    def are_told(self) -> bool:
        """True if no open page waits for news."""
        return all(seat.is_told for seat in self.seats.values())

    def close(self) -> None:
        """End the play of all players."""
        for seat in self.seats.values():
            seat.play.close()

    def by_token(self, token: bytes) -> Seat | None:
        """Return the seat of a token, or None; every token is compared, in constant time."""
        found = [each for each in self.seats.values() if secrets.compare_digest(token, each.token.encode("ascii"))]
        return found[0] if found else None


class SentPage:
    """Page of a human player (`dilemmas.people.seat_page.SeatPage`) whose seat is fed by messages."""

    def __init__(self, player: str, send: Callable[[Mapping[str, object]], None]) -> None:
        self._player = player
        self._send = send

    def show_text(self, text: str, *, own: bool = False) -> None:
        """Show a text that the player was sent, or its own words."""
        self._send({"seat": self._player, "text": text, "own": own})

    def show_books(self, books: Mapping[str, str]) -> None:
        """Show the player's books (title -> text)."""
        self._send({"seat": self._player, "books": dict(books)})

    def show_question(self, question: SeatQuestion | None) -> None:
        """Show the question that is asked now; None for none."""
        self._send({"seat": self._player, "question": None if question is None else asdict(question)})

    def show_form(self, form: Mapping[str, Any] | None) -> None:
        """Show a form of the study to fill in; None for none."""
        self._send({"seat": self._player, "form": form})

    def open_game(self, address: Address | None) -> None:
        """Tell that the game can be entered; `address` is that of its world, None if it is played on the page."""
        self._send({"seat": self._player, "game": {"address": None if address is None else asdict(address)}})

    def close_game(self) -> None:
        """Tell that there is no game to enter any more."""
        self._send({"seat": self._player, "game": None})

    def show_grid(self, view: GridView) -> None:
        """Show a grid game as its player sees it now."""
        picture = base64.b64encode(view.picture).decode("ascii")
        self._send({"seat": self._player, "grid": {**asdict(view), "picture": picture}})

    def show_presence(self, *, here: bool, admitted: bool) -> None:
        """Tell whether the player is in the world, and whether it may enter."""
        self._send({"seat": self._player, "here": here, "admitted": admitted})

    def free(self) -> None:
        """Give the seat to nobody: the study waits for another person."""
        self._send({"seat": self._player, "free": True})
