"""Progress events of a model call.

The caller subscribes with `with watched(hear): await model.complete(...)`. The client emits events with `tell` in the
task of that call; without a subscriber they are dropped. Custom clients may emit the same events.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Queued:
    """The call waits because the limit of concurrent calls, lowered after overload, is reached."""

    model: str
    limit: int
    """Current limit of calls in flight."""
    what: Literal["queued"] = "queued"


@dataclass(frozen=True)
class Asking:
    """The request was sent to the endpoint."""

    model: str
    what: Literal["asking"] = "asking"


@dataclass(frozen=True)
class Retrying:
    """An attempt failed; the next one follows after a pause."""

    model: str
    why: str
    """Short reason: the HTTP status or the fault."""
    overload: bool
    """True if the endpoint was overloaded (429, 5xx and similar), so that waiting helps."""
    limited: bool
    """True for status 429."""
    pause_s: float
    tries: int
    """Failed attempts so far."""
    what: Literal["retrying"] = "retrying"


@dataclass(frozen=True)
class GaveUp:
    """The last attempt failed."""

    model: str
    why: str
    what: Literal["gave_up"] = "gave_up"


@dataclass(frozen=True)
class Blocked:
    """Calls to this endpoint are forbidden (`voyager_agents.models.switch`)."""

    why: str
    what: Literal["blocked"] = "blocked"


State = Queued | Asking | Retrying | GaveUp | Blocked
"""Any event of a call."""
Hear = Callable[[State], None]
_LOOKING_ON: ContextVar[Hear | None] = ContextVar("accord_model_states", default=None)


@contextmanager
def watched(hear: Hear) -> Generator[None]:
    """Pass events of this task's model calls to `hear` inside the `with` block."""
    token = _LOOKING_ON.set(hear)
    try:
        yield
    finally:
        _LOOKING_ON.reset(token)


def tell(state: State) -> None:
    """Pass the event to the subscriber of this call, if there is one."""
    hear = _LOOKING_ON.get()
    if hear is not None:
        hear(state)
