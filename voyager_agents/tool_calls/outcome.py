"""Outcomes of tool calls, and the text in which a model reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bridge.types import Place
from common.untrusted_text import quote_text
from voyager_agents.realtime_agent import Ended
from voyager_agents.tool_calls.toolbox import PrimitiveUse

MAX_RESULT = 1200
"""Maximum characters of a call's result."""
MAX_HEARD = 6
"""Maximum chat messages in a call's result; the newest are shown."""
_ENDS: Mapping[Ended, str] = {
    "stopped": "stopped before its end",
    "late": "stopped: the time is up",
    "lost": "the world was lost",
}
"""End of a call -> text for the model, for ends that say nothing themselves."""


@dataclass(frozen=True)
class CallOutcome:
    """Outcome of a call, observed in the world."""

    use: PrimitiveUse
    ended: Ended
    error: str
    """Error of the call; empty if there was none."""
    seconds: float
    """Duration in game seconds."""
    printed: tuple[str, ...] = ()
    """Lines that the call printed, its result among them."""
    gained: Mapping[str, int] = field(default_factory=dict)
    """Item -> change of the count that the player holds."""
    position: Place | None = None
    chat: tuple[tuple[str, str], ...] = ()
    """(speaker, text) of other players' messages since the call before."""
    left_s: float | None = None
    """Game seconds left; None if players do not know the time limit."""

    def result(self) -> str:
        """Return the outcome as the tool's result."""
        lines = [each.removeprefix(f"{self.use.label} ") for each in self.printed]
        if self.error and not any(self.error in line for line in lines):
            lines.append(f"failed: {self.error}")
        if self.ended in _ENDS:
            lines.append(_ENDS[self.ended])
        if gained := ", ".join(f"{count:+d} {item}" for item, count in self.gained.items()):
            lines.append(f"inventory: {gained}")
        if self.position is not None:
            lines.append("you are at " + " ".join(f"{each:.1f}" for each in self.position))
        lines += [f"{speaker} said {quote_text(text)}" for speaker, text in self.chat[-MAX_HEARD:]]
        if self.left_s is not None:
            lines.append(f"time left: {self.left_s:.0f} s")
        return "\n".join(lines)[:MAX_RESULT]
