"""Retries of one model call: failed attempts and the pauses between them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dilemmas.records.progress_events import CallEnded, CallKey, CallStarted, CallState, ProgressListener
from voyager_agents.models.watching import Retrying, State, watched


@dataclass
class CallInProgress:
    """A model call in progress; forwards its client's progress events and counts its retries."""

    who: CallKey
    model: str
    watch: ProgressListener
    retries: int = 0
    limited: int = 0
    """Retries after HTTP status 429."""
    waited_s: float = 0.0
    """Total pause between attempts, in seconds."""

    @contextmanager
    def report_states(self) -> Generator[None]:
        """Report the start of the call, then forward the client's states while the block runs."""
        self.watch(CallStarted(self.who, self.model))
        with watched(self._handle_state):
            yield

    def report_end(self, tokens: int, usd: float | None, *, failed: bool) -> None:
        """Report the end of the call."""
        self.watch(CallEnded(self.who, tokens, usd, failed))

    def retries_to_dict(self) -> dict[str, Any]:
        """Return the retry counts for calls.jsonl; empty if the first attempt succeeded."""
        if not self.retries:
            return {}
        return {"retries": self.retries, "limited": self.limited, "waited_s": round(self.waited_s, 3)}

    def _handle_state(self, state: State) -> None:
        if isinstance(state, Retrying):
            self.retries += 1
            self.limited += state.limited
            self.waited_s += state.pause_s
        self.watch(CallState(self.who, state))
