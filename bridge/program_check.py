"""Syntax check of agents' programs by the bot hosts' own parser, before any world is asked to run them.

One Node process per Python process parses (`bridge/host/isolates/program_check.js`); it starts with the first program
and ends with Python. Calls block for the milliseconds of parsing, since no other task of a deterministic world may run
meanwhile.
"""

from __future__ import annotations

import atexit
import json
import subprocess
import threading
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bridge.confinement import confinement, isolate_flags
from bridge.errors import HostError
from bridge.prerequisites import ROOT, ready_node
from bridge.programs import posted
from common.errors import PrerequisiteError

SCRIPT = ROOT / "bridge" / "host" / "isolates" / "program_check.js"
READ = ("node_modules", "bridge/host", "package.json")
FLAGS = isolate_flags(READ)
ANSWER_S = 60.0
"""Maximum seconds for one program; the parser itself gives up after half of it."""
END_S = 2.0
TRIES = 2


@dataclass(frozen=True)
class SyntaxFault:
    """A syntax error of a program; positions in its own source count from 1."""

    message: str
    line: int | None = None
    column: int | None = None


class ProgramChecker:
    """The parsing process, started on demand and again after a loss."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def check(self, source: str) -> SyntaxFault | None:
        """Return the first syntax error of a program, or None. Raises HostError or PrerequisiteError."""
        question = json.dumps({"source": posted(source)}).encode() + b"\n"
        with self._lock:
            for _ in range(TRIES):
                answer = self._exchange(question)
                if answer is not None:
                    return _fault(answer)
        raise HostError(f"the process that parses programs ended {TRIES} times without an answer")

    def close(self) -> None:
        """End the process; the next program starts a new one."""
        with self._lock:
            self._end()

    def _exchange(self, question: bytes) -> Any:  # noqa: ANN401 - JSON
        """Return the answer of the process; None when it ended without one."""
        process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Timer(ANSWER_S, process.kill)
        late.daemon = True
        late.start()
        try:
            process.stdin.write(question)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            late.cancel()
        if line.endswith(b"\n"):
            return json.loads(line)
        self._end()
        return None

    def _start(self) -> subprocess.Popen[bytes]:
        binary = ready_node()
        try:
            self._process = subprocess.Popen(
                [*confinement(SCRIPT).command, str(binary), *FLAGS, str(SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env={},
                cwd="/",
                start_new_session=True,  # Ctrl-C is Python's to handle; Node ends when its input does
            )
        except OSError as error:
            raise PrerequisiteError(f"Node does not start ({error}): run `make setup`") from error
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            process.wait(END_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


CHECKER = ProgramChecker()
"""The checker of this process."""
atexit.register(CHECKER.close)


def syntax_fault(source: str) -> SyntaxFault | None:
    """Return the first syntax error of a program, or None. Raises HostError or PrerequisiteError."""
    return CHECKER.check(source)


def _fault(answer: Any) -> SyntaxFault | None:  # noqa: ANN401 - JSON
    error = answer["error"]
    # A machine that was too busy to parse says nothing about the program: the host parses it again.
    if error is None or error["name"] != "SyntaxError":
        return None
    return SyntaxFault(error["message"], error["line"], error["column"])
