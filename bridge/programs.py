"""Programs on their way to Node: nothing that is too long to be one crosses."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

TICKS_A_SECOND = 20
MAX_SOURCE = 200_000
"""Longest program, in characters, as the hosts take it (bridge/host/isolates/syntax.js)."""


class Calls(str):
    """The source of a program that does nothing but call primitives with plain arguments, one after the other.

    It runs on every world as the source that it is. A world that knows better may do the calls without compiling it:
    `steps` are (name, arguments after the bot), `pause_s` is how long the bot then stays.
    """

    steps: tuple[tuple[str, tuple[Any, ...]], ...]
    pause_s: float

    def __new__(cls, steps: Sequence[tuple[str, Sequence[Any]]], pause_s: float = 0.0) -> Calls:
        """Raises ValueError for a name that is none, or an argument that is no JSON value."""
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

    def plain(self) -> dict[str, Any]:
        """Return as the mock world takes it."""
        steps = [{"name": name, "args": list(args)} for name, args in self.steps]
        return {"steps": steps, "pause_ticks": round(self.pause_s * TICKS_A_SECOND)}


class RoutineCalls(Calls):
    """The source of a program that calls functions of one of Accord's libraries of routines (`skills_js/routines/`).

    A world that has the library may do the calls without compiling the source: no agent's code is in them either.
    """

    library: str

    def __new__(cls, library: str, steps: Sequence[tuple[str, Sequence[Any]]], source: str) -> RoutineCalls:
        """`source` is the whole program, which does the same as `steps`."""
        calls = str.__new__(cls, source)
        calls.library = library
        calls.steps = tuple((name, tuple(args)) for name, args in steps)
        calls.pause_s = 0.0
        return calls

    def plain(self) -> dict[str, Any]:
        """Return as the mock world takes it."""
        return {**super().plain(), "library": self.library}


def posted(source: str) -> str:
    """Return the program as it crosses.

    Of one that is too long only so much crosses that the host refuses it by name, as the program's own `syntax` error;
    in whole it would be longer than any message.
    """
    return source[: MAX_SOURCE + 1]
