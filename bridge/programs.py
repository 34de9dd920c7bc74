"""Programs sent to Node: calls as data, and a bound on length."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

TICKS_A_SECOND = 20
MAX_SOURCE = 200_000
"""Maximum characters of a program, as in the hosts (bridge/host/isolates/syntax.js)."""


class Calls(str):
    """Source of a program that only calls primitives with plain arguments, one after the other.

    Every world can run the source. A world may also make the calls without compiling it: `steps` are (name, arguments
    after the bot), `pause_s` is the pause after the last call.
    """

    steps: tuple[tuple[str, tuple[Any, ...]], ...]
    pause_s: float

    def __new__(cls, steps: Sequence[tuple[str, Sequence[Any]]], pause_s: float = 0.0) -> Calls:
        """Create the source. Raises ValueError for an illegal name or an argument that is no JSON value."""
        lines = []
        for name, args in steps:
            if not name.isidentifier():
                raise ValueError(f"{name!r} is no name of a primitive")
            values = ["bot", *(json.dumps(each, allow_nan=False) for each in args)]
            lines.append(f"  await {name}({', '.join(values)})")
        if pause_s > 0:
            lines.append(f"  await bot.waitForTicks({round(pause_s * TICKS_A_SECOND)})")
        calls = super().__new__(cls, "\n".join(["async function act (bot) {", *lines, "}"]))
        calls.steps = tuple((name, tuple(args)) for name, args in steps)
        calls.pause_s = pause_s
        return calls

    def to_dict(self) -> dict[str, Any]:
        """Return the calls in the mock world's JSON form."""
        steps = [{"name": name, "args": list(args)} for name, args in self.steps]
        return {"steps": steps, "pause_ticks": round(self.pause_s * TICKS_A_SECOND)}


class RoutineCalls(Calls):
    """Source of a program that calls functions of one of Accord's libraries of routines (`skills_js/routines/`).

    A world that has the library may make the calls without compiling the source, since they contain no agent's code.
    """

    library: str

    def __new__(cls, library: str, steps: Sequence[tuple[str, Sequence[Any]]], source: str) -> RoutineCalls:
        """Create from the whole program, which does the same as `steps`."""
        calls = str.__new__(cls, source)
        calls.library = library
        calls.steps = tuple((name, tuple(args)) for name, args in steps)
        calls.pause_s = 0.0
        return calls

    def to_dict(self) -> dict[str, Any]:
        """Return the calls in the mock world's JSON form."""
        return {**super().to_dict(), "library": self.library}


def posted(source: str) -> str:
    """Return the program as sent to Node.

    Of a program that is too long, only enough is sent for the host to refuse it as the program's own `syntax` error; in
    whole it would exceed every message.
    """
    return source[: MAX_SOURCE + 1]
