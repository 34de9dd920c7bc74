"""`accord run --watch`: the page of `accord view` for a running study, served by a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
import threading
import webbrowser
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from rich.console import Console
from rich.text import Text

from accord.viewer.control import StudyControl
from accord.viewer.seats import Ending, SentPage
from accord.viewer.serving import network_address
from bridge.worlds import World
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers
from voyager_agents.human.connection import IN_WORLD

OVER = "the study is over"
PULSE_S = 1.0
"""Interval between two checks of the study's state, in seconds."""


class Watching:
    """Page process of a study, and the study's end of its buttons. Use as a context manager."""

    def __init__(
        self,
        port: int | None = None,
        *,
        browse: bool = False,
        people: Sequence[str] = (),
        invite: bool = False,
        kind: str = IN_WORLD,
    ) -> None:
        """Start the page.

        Args:
            port: Its port; None for a free one.
            browse: Open the page in the browser.
            people: Human players, who get pages of their own.
            invite: Serve these pages to this machine's network.
            kind: Kind of the people's play (`accord.viewer.watching.KINDS`).

        Raises:
            UsageError: The port cannot be used, or there is no network.
        """
        host = network_address() if invite else "-"
        self.tell_seats: Callable[[Mapping[str, str]], object] = lambda _seats: None
        """Called with the addresses of pages that have changed."""
        self._browse = browse
        self._steering: StudyControl | None = None
        self._people: HumanPlayers | None = None
        # Own session: Ctrl-C reaches only the study, which then ends this process by closing the pipe.
        self._process = subprocess.Popen(
            [sys.executable, "-m", "accord.viewer.watching", str(port or 0), host, kind, *people],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip

    @property
    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def __enter__(self) -> Self:
        first = self._pipes[1].readline()
        if not first:
            assert self._process.stderr is not None
            reason = self._process.stderr.read().decode("utf-8", "replace").strip().splitlines()
            raise UsageError(f"--watch: no page: {reason[-1] if reason else 'its process ended'}")
        told = json.loads(first)
        self.address: str = told["address"]
        self.seats: dict[str, str] = told["seats"]
        """Human player -> address of its own page."""
        if self._browse:
            webbrowser.open(self.address)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(OSError):
            self._pipes[0].close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def stay(self) -> None:
        """Keep the page open after the study until Enter or Ctrl-C, if standard input is a terminal."""
        if not sys.stdin.isatty():
            return
        Console(stderr=True).print(Text(f"the page stays open at {self.address}: Enter or Ctrl-C ends it"))
        with contextlib.suppress(KeyboardInterrupt):
            sys.stdin.readline()

    def placed(self, directory: Path) -> None:
        """Report the directory of the study's record to the page."""
        self._send({"directory": str(directory.absolute())})

    def seated(self, people: HumanPlayers) -> None:
        """Connect the human players with their pages."""
        self._people = people
        for name, session in people.sessions.items():
            session.page = SentPage(name, self._send)
            session.page.show_presence(here=session.here, admitted=session.admitted)

    def steer(self, make: Callable[..., World], end: Callable[[], object]) -> Callable[..., World]:
        """Enable the page's buttons to pause and end the study.

        Return the function with which the study opens its worlds.
        """
        self._steering = StudyControl(make, end)
        return self._steering.worlds

    @contextlib.asynccontextmanager
    async def hearing(self) -> AsyncGenerator[None]:
        """Handle the page's buttons and send it the study's state while the context is open."""
        loop = asyncio.get_running_loop()
        threading.Thread(target=self._listen, args=(loop,), name="the page", daemon=True).start()
        pulse = asyncio.create_task(self._pulse(), name="state of the study")
        ending: Ending = "broken"
        try:
            yield
            ending = "over"
        finally:
            pulse.cancel()
            if self._steering is not None:
                await self._steering.close()
            self._steering = self._people = None
            for name in self.seats:
                self._send({"seat": name, "form": None, "game": None})
            for name in self.seats:
                self._send({"seat": name, "question": None, "ended": ending})
            self._send({"state": "over"})

    def _listen(self, loop: asyncio.AbstractEventLoop) -> None:
        """Handle the page's messages until its process ends."""
        for line in self._pipes[1]:
            with contextlib.suppress(RuntimeError):
                # The event loop may have ended; nothing is left to answer then.
                asyncio.run_coroutine_threadsafe(self._answer(json.loads(line)), loop)

    async def _answer(self, told: Mapping[str, Any]) -> None:
        if "say" in told:
            people = self._people
            line = (str(told["say"]), str(told["words"]), int(told["question"]))
            refusal = OVER if people is None else people.hear_page(*line)
            self._send({"said": told["number"], "refusal": refusal})
        elif "form" in told:
            people = self._people
            stage, answers = str(told["stage"]), dict(told["answers"])
            refusal = OVER if people is None else people.answer_form(str(told["form"]), stage, answers)
            self._send({"said": told["number"], "refusal": refusal})
        elif "choose" in told:
            people = self._people
            chosen = (int(told["step"]), str(told["action"]), tuple(told["words"]))
            refusal = OVER if people is None else people.choose_on_page(str(told["choose"]), *chosen)
            self._send({"said": told["number"], "refusal": refusal})
        elif "present" in told:
            if self._people is not None and self._people.venue is not None:
                self._people.venue.set_presence(str(told["present"]), here=bool(told["here"]))
        elif "seats" in told:
            changed = {name: page for name, page in told["seats"].items() if self.seats.get(name) != page}
            self.seats.update(changed)
            self.tell_seats(changed)
        elif self._steering is not None:
            self._send({"state": await self._steering.ask(str(told.get("ask")))})

    async def _pulse(self) -> None:
        told = ""
        while True:
            state = self._steering.state if self._steering is not None else "steady"
            if state != told:
                self._send({"state": state})
                told = state
            await asyncio.sleep(PULSE_S)

    def _send(self, message: Mapping[str, object]) -> None:
        with contextlib.suppress(OSError):
            self._pipes[0].write(json.dumps(message).encode("utf-8") + b"\n")
            self._pipes[0].flush()
