"""The page's server beside a study in play: `python -m accord.viewer.watching PORT`, a separate process.

The process has the lowest priority and ends with the study: its standard input is a pipe that only the study's process
holds. Lines of JSON go both ways. The study sends `{"directory": ...}` with the record's path and `{"state": ...}`; the
server sends `{"address": ...}`, and then requests such as `{"ask": "pause"}`.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
from pathlib import Path

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site
from accord.viewer.serving import address, bind, serve

ANSWER_WAIT_S = 5.0
"""Maximum wait for the study's answer to a button, in seconds."""


class StudyPipe:
    """The pipe to the study's process."""

    def __init__(self) -> None:
        self.site = Site(RunCatalog([], awaited=True), ask=self.ask, awaited=True)
        self._state = "steady"
        self._answered = threading.Event()

    def ask(self, what: str) -> str:
        """Send a button's request to the study and wait for the new state; `state` returns the current one."""
        if what != "state":
            self._answered.clear()
            self.send({"ask": what})
            self._answered.wait(ANSWER_WAIT_S)
        return self._state

    def send(self, message: dict[str, str]) -> None:
        """Send a line to the study."""
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.write(json.dumps(message) + "\n")
            sys.stdout.flush()

    def listen(self) -> None:
        """Receive lines from the study until its process ends, then end this one."""
        for line in sys.stdin:
            told = json.loads(line)
            if "directory" in told:
                self.site.catalog.add(Path(told["directory"]))
            self._state = told.get("state", self._state)
            self._answered.set()
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
