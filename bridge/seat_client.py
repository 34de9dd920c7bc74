"""Client of one human player whose seat is a page: a Node process with an ordinary player's connection to a server."""

from __future__ import annotations

import itertools
import json
import queue
import subprocess
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from bridge.errors import ServerError
from bridge.land import SurveyPart
from bridge.prerequisites import ROOT, ready_node
from bridge.types import Address

MAIN = ROOT / "bridge" / "host" / "seat" / "main.js"
ANSWER_S = 10.0
"""Maximum wait for a part of the land, in seconds."""
END_S = 2.0
HEAP_MB = 512
Report = Mapping[str, Any]
"""Report of the client; `kind` says of what (`bridge/host/seat/reports.js`)."""


class SeatClient:
    """Process of one player's client; thread-safe. Close it at the end."""

    def __init__(self, hear: Callable[[Report], object]) -> None:
        """Start the process.

        Args:
            hear: Called with each report, in a thread of the client's own.

        Raises:
            PrerequisiteError: Node or its packages cannot be used.
        """
        self._hear = hear
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[Report]] = {}
        self._sending = threading.Lock()
        self._process = subprocess.Popen(
            [str(ready_node()), f"--max-old-space-size={HEAP_MB}", str(MAIN)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={}, start_new_session=True,
        )  # fmt: skip
        self._thread = threading.Thread(target=self._listen, name="client of a seat", daemon=True)
        self._thread.start()

    def join(self, address: Address, name: str) -> None:
        """Connect to a server as a player."""
        self.send({"do": "join", "host": address.host, "port": address.port, "version": address.version, "name": name})

    def leave(self) -> None:
        """Disconnect from the server."""
        self.send({"do": "leave"})

    def send(self, order: Mapping[str, Any]) -> None:
        """Send an order; a process that has ended takes none."""
        assert self._process.stdin is not None
        with self._sending, suppress(OSError, ValueError):
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()

    def survey(self, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of the land that the client has loaded. Raises ServerError."""
        number, answer = next(self._numbers), queue.SimpleQueue[Report]()
        self._waiting[number] = answer
        try:
            self.send({"do": "survey", "number": number, "part": part, **fields})
            found = answer.get(timeout=ANSWER_S)
        except queue.Empty:
            raise ServerError(f"the player's client did not answer within {ANSWER_S:g} s") from None
        finally:
            del self._waiting[number]
        if "error" in found:
            raise ServerError(str(found["error"]))
        return found["data"]

    def close(self) -> None:
        """End the process."""
        assert self._process.stdin is not None
        with self._sending, suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._thread.join()

    def _listen(self) -> None:
        """Hand on reports until the process ends."""
        assert self._process.stdout is not None
        with self._process.stdout as lines:
            for line in lines:
                report = json.loads(line)
                if report["kind"] != "reply":
                    self._hear(report)
                elif (waiting := self._waiting.get(report["number"])) is not None:
                    waiting.put(report)
        for waiting in list(self._waiting.values()):
            waiting.put({"error": "the player's client has ended"})
        self._hear({"kind": "gone", "reason": "the player's client has ended"})
