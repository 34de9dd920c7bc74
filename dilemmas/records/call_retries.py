"""What became of one call of a model on its way: tries that failed, and how long was waited between them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dilemmas.records.progress_events import CallBegun, CallEnded, CallState, Watch, Who
from voyager_agents.models.watching import Retrying, State, watched


@dataclass
class UnderWay:
    """One call; passes on what its client tells, and counts it."""

    who: Who
    model: str
    watch: Watch
    retries: int = 0
    limited: int = 0
    """Retries after a 429."""
    waited_s: float = 0.0
    """Between tries."""

    @contextmanager
    def watched(self) -> Generator[None]:
        """The call is made inside."""
        self.watch(CallBegun(self.who, self.model))
        with watched(self._hear):
            yield

    def ended(self, tokens: int, usd: float | None, *, failed: bool) -> None:
        """It has ended."""
        self.watch(CallEnded(self.who, tokens, usd, failed))

    def plain(self) -> dict[str, Any]:
        """For calls.jsonl; nothing where nothing went wrong."""
        if not self.retries:
            return {}
        return {"retries": self.retries, "limited": self.limited, "waited_s": round(self.waited_s, 3)}

    def _hear(self, state: State) -> None:
        if isinstance(state, Retrying):
            self.retries += 1
            self.limited += state.limited
            self.waited_s += state.pause_s
        self.watch(CallState(self.who, state))
