"""The page's server beside a study that is played: `python -m accord.viewer.watching PORT`, a process of its own.

It is nice to the study (the least priority there is), and ends with it: its standard input is a pipe that only the
study's process holds, and lines of JSON go both ways. To it: `{"directory": ...}` where the record is, `{"state": ...}`
how the study stands. From it: `{"address": ...}`, then `{"ask": "pause"}` and the like.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

from accord.viewer.run_catalog import Shelf
from accord.viewer.server import Site
from accord.viewer.serving import address, bind, serve

PATIENCE_S = 5.0
"""For the study's answer to what a button asks."""


class StudyPipe:
    """The pipe to the study's process."""

    def __init__(self) -> None:
        self.site = Site(Shelf([], awaited=True), ask=self.ask, awaited=True)
        self._state = "steady"
        self._news = threading.Event()

    def ask(self, what: str) -> str:
        """Pass on what a button asks, and wait for what comes of it; `state` asks nobody."""
        if what != "state":
            self._news.clear()
            self.send({"ask": what})
            self._news.wait(PATIENCE_S)
        return self._state

    def send(self, message: dict[str, str]) -> None:
        """A line to the study."""
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    def listen(self) -> None:
        """Hear the study until its process is gone, then end this one."""
        for line in sys.stdin:
            told = json.loads(line)
            if "directory" in told:
                self.site.shelf.add(Path(told["directory"]))
            self._state = told.get("state", self._state)
            self._news.set()
        os.kill(os.getpid(), signal.SIGTERM)


def main() -> None:
    """Serve until standard input ends."""
    os.nice(19)
    line = StudyPipe()
    opened = bind(int(sys.argv[1]) or None)

    def ready() -> None:
        line.send({"address": address(line.site, opened)})
        threading.Thread(target=line.listen, name="study", daemon=True).start()

    serve(line.site, opened, ready)


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
