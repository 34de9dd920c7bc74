"""The page's server beside a study in play, a process of its own.

It is started by `python -m accord.viewer.watching PORT HOST KIND [PLAYER ...]`.

Without people the process has the lowest priority. It ends with the study: its standard input is a pipe that only the
study's process holds. HOST is this machine's address in a network to which seats are served, or `-` for none. Lines of
JSON go both ways:

- from the study: `{"directory": ...}` with the record's path, `{"state": ...}`
- from the server: `{"address": ...}`, and requests such as `{"ask": "pause"}`

The named players are people with a page of their own, who play a game of that kind (`KINDS`). The study sends
`{"seat": PLAYER, ...}` with what this player is shown (`accord.viewer.seats`), and answers `{"said": NUMBER,
"refusal": ...}` to these messages of the server, which have a `number` each:

- `{"say": PLAYER, "words": ..., "question": ...}` with the number of the question
- `{"form": PLAYER, "stage": ..., "answers": ...}`
- `{"choose": PLAYER, "step": ..., "action": ..., "words": ...}` in a grid game

`{"present": PLAYER, "here": ...}` tells the study who is in a game without a world. A seat that is freed gets a new
token, and the server sends the new addresses.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.seat_grid import GridSeatPlay
from accord.viewer.seat_on_page import PageSeatPlay
from accord.viewer.seat_play import SeatPlay
from accord.viewer.seat_world import WorldSeatPlay
from accord.viewer.seats import Seats
from accord.viewer.server import Site
from accord.viewer.serving import address, bind, seat_addresses, serve
from voyager_agents.human.connection import IN_WORDS, IN_WORLD, ON_GRID

LAST_WAIT_S = 3.0
"""Maximum wait for open pages of seats to hear of the study's end, in seconds."""
LOOK_S = 0.05
"""Interval between two looks whether they have heard of it, in seconds."""
ANSWER_WAIT_S = 5.0
"""Maximum wait for the study's answer to a button, in seconds."""


KINDS: Mapping[str, Callable[[str, StudyPipe], SeatPlay]] = {
    IN_WORLD: lambda player, _pipe: WorldSeatPlay(player),
    ON_GRID: GridSeatPlay,
    IN_WORDS: PageSeatPlay,
}
"""Kind of play -> factory of a player's play."""


class StudyPipe:
    """The pipe to the study's process (`accord.viewer.seat_grid.GridLink`)."""

    def __init__(self, people: Sequence[str] = (), hosts: Sequence[str] = (), kind: str = IN_WORLD) -> None:
        """Create the site, with a seat for each of `people`, served to this machine's network at `hosts`."""
        seats = Seats.of(people, self.say, self.answer, lambda player: KINDS[kind](player, self))
        self.site = Site(RunCatalog([], awaited=True), ask=self.ask, awaited=True, seats=seats, hosts=tuple(hosts))
        self.tell_seats: Callable[[], object] = lambda: None
        """Sends the seats' addresses to the study."""
        self._waiting: dict[int, queue.SimpleQueue[str]] = {}
        self._numbers = itertools.count(1)
        self._state = "steady"
        self._answered = threading.Event()
        self._sending = threading.Lock()

    def ask(self, what: str) -> str:
        """Send a button's request to the study and wait for the new state; `state` returns the current one."""
        if what != "state":
            self._answered.clear()
            self.send({"ask": what})
            self._answered.wait(ANSWER_WAIT_S)
        return self._state

    def say(self, player: str, words: str, question: int) -> str:
        """Send a player's line to the study, and return the reason if nobody reads it; `question` is its number."""
        return self._request({"say": player, "words": words, "question": question})

    def answer(self, player: str, stage: str, answers: Mapping[str, Any]) -> str:
        """Send a player's answers to a form to the study, and return the reason if they are not taken."""
        return self._request({"form": player, "stage": stage, "answers": dict(answers)})

    def choose(self, player: str, step: int, action: str, words: tuple[int, ...]) -> str:
        """Send a player's action in a grid game to the study, and return the reason if it is not taken.

        The arguments `player`, `step`, `action` and `words` are those of `GridLink.choose`.
        """
        return self._request({"choose": player, "step": step, "action": action, "words": words})

    def show_presence(self, player: str, *, here: bool) -> None:
        """Tell the study that a player has entered its game, or left it."""
        self.send({"present": player, "here": here})

    def _request(self, message: Mapping[str, object]) -> str:
        """Send a message that the study answers with a refusal, or an empty text."""
        number, answer = next(self._numbers), queue.SimpleQueue[str]()
        self._waiting[number] = answer
        try:
            self.send({**message, "number": number})
            return answer.get(timeout=ANSWER_WAIT_S)
        except queue.Empty:
            return "the study does not answer: try again"
        finally:
            del self._waiting[number]

    def send(self, message: Mapping[str, object]) -> None:
        """Send a line to the study."""
        with self._sending, contextlib.suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    def listen(self) -> None:
        """Receive lines from the study until its process ends, then end this one."""
        for line in sys.stdin:
            self._handle(json.loads(line))
        # A study that was killed could not tell how it ended.
        self.site.seats.end_study("broken")
        until = time.monotonic() + LAST_WAIT_S
        while not self.site.seats.are_told and time.monotonic() < until:
            time.sleep(LOOK_S)
        os.kill(os.getpid(), signal.SIGTERM)

    def _handle(self, told: Mapping[str, Any]) -> None:
        """Handle one message of the study."""
        seats = self.site.seats
        if (seat := seats.seats.get(told.get("seat", ""))) is not None:
            if told.get("free"):
                seats.free(seat.player)
                self.tell_seats()
            else:
                seat.take(told)
        elif (answer := self._waiting.get(told.get("said", 0))) is not None:
            answer.put(str(told["refusal"]))
        elif "directory" in told:
            self.site.catalog.add(Path(told["directory"]))
        if "state" in told:
            self._state = told["state"]
            self._answered.set()


def main() -> None:
    """Serve until standard input ends."""
    port, host, kind, *people = sys.argv[1:]
    hosts = () if host == "-" else (host,)
    # Players' clients run below this process: a player must not be slower than others.
    os.nice(5 if people else 19)
    line = StudyPipe(people, hosts, kind)
    opened = [bind(int(port) or None), *(bind(None, each) for each in hosts)]

    def ready() -> None:
        line.tell_seats = lambda: line.send({"seats": seat_addresses(line.site, opened[-1])})
        line.send({"address": address(line.site, opened[0]), "seats": seat_addresses(line.site, opened[-1])})
        threading.Thread(target=line.listen, name="study", daemon=True).start()

    serve(line.site, opened, ready)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
