"""Progress events of a model client while one of its calls is under way.

Whoever makes the call looks on: `with watched(hear): await model.complete(...)`. A client says what happens by `tell`,
in the task of that call; where nobody looks on, nothing is told. A client of one's own may tell the same.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Queued:
    """The call waits for its turn: so many are asked already, and the endpoint had too much to do with more."""

    model: str
    limit: int
    """Calls in flight at most, now."""
    what: Literal["queued"] = "queued"


@dataclass(frozen=True)
class Asking:
    """The call is with the endpoint."""

    model: str
    what: Literal["asking"] = "asking"


@dataclass(frozen=True)
class Retrying:
    """A try has failed; after a pause comes another one."""

    model: str
    why: str
    """In a few words: the HTTP status, or what is wrong."""
    overload: bool
    """The endpoint had too much to do (429, 5xx and such), so that waiting helps."""
    limited: bool
    """It was a 429."""
    pause_s: float
    tries: int
    """Tries that have failed so far."""
    what: Literal["retrying"] = "retrying"


@dataclass(frozen=True)
class GaveUp:
    """No further try is made."""

    model: str
    why: str
    what: Literal["gave_up"] = "gave_up"


@dataclass(frozen=True)
class Blocked:
    """Calls to this endpoint are switched off (`voyager_agents.models.switch`)."""

    why: str
    what: Literal["blocked"] = "blocked"


State = Queued | Asking | Retrying | GaveUp | Blocked
"""Event of a call."""
Hear = Callable[[State], None]
_LOOKING_ON: ContextVar[Hear | None] = ContextVar("accord_model_states", default=None)


@contextmanager
def watched(hear: Hear) -> Generator[None]:
    """Inside, `hear` is told what the calls of this task are doing."""
    token = _LOOKING_ON.set(hear)
    try:
        yield
    finally:
        _LOOKING_ON.reset(token)


def tell(state: State) -> None:
    """Inform whoever watches this call."""
    hear = _LOOKING_ON.get()
    if hear is not None:
        hear(state)
