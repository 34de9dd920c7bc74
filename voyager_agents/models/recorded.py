"""Calls that were made before: the memory of a run that goes on, and a model that repeats a run and asks nobody."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bridge.text import read_json
from voyager_agents.errors import ModelError, ScriptExhausted
from voyager_agents.models.base import ChatMessage, Reply, Settings, Usage

MAX_DIFF = 200
"""Lines of a diff that are kept."""
REPLAY = "replay/"
"""What the names of replayed models begin with."""


@dataclass(frozen=True)
class RecordedCall:
    """One line of a calls.jsonl."""

    messages: tuple[ChatMessage, ...]
    reply: Reply
    model: str
    usd: float | None
    wall_s: float = 0.0
    """How long its answer took."""


@dataclass
class RecordedCalls:
    """The calls of one run, by who asked and as what, in their order."""

    calls: dict[tuple[str, str], dict[int, RecordedCall]] = field(default_factory=dict)
    """(player, role) -> number of the call, from 0 -> call."""

    @classmethod
    def load(cls, path: Path) -> RecordedCalls:
        """The calls in that file; a torn last line (the process was killed) is left away. Raises ModelError."""
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise ModelError(f"{path}: cannot be read ({type(error).__name__}): give a run's directory") from None
        found = cls()
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                found._add(read_json(line))
            except (ValueError, KeyError, TypeError, AttributeError):
                if number < len(lines):
                    raise ModelError(f"{path}, line {number}: is no model call of a run") from None
        return found

    def at(self, player: str, role: str, number: int) -> RecordedCall | None:
        """That call, if it was made."""
        return self.calls.get((player, role), {}).get(number)

    def forget(self, player: str, role: str, number: int) -> None:
        """Drops that call and those after it: what was asked since is not what is asked now."""
        calls = self.calls.get((player, role), {})
        for late in [each for each in calls if each >= number]:
            del calls[late]

    def _add(self, entry: Mapping[str, Any]) -> None:
        player, role, number = str(entry["player"]), str(entry["role"]), int(entry["number"])
        # A call that was made again in a resumed run replaces the first one and all that followed it.
        self.forget(player, role, number)
        reply = Reply(str(entry["reply"]), Usage(**entry["usage"]), str(entry["model"]))
        messages = tuple(ChatMessage(**each) for each in entry["messages"])
        call = RecordedCall(messages, reply, str(entry["model"]), entry["usd"], float(entry.get("wall_ms", 0)) / 1000)
        self.calls.setdefault((player, role), {})[number] = call


class ReplayModel:
    """Gives a player the answers that it got in a recorded run; a prompt that differs comes back with a diff."""

    def __init__(self, calls: RecordedCalls, player: str, role: str) -> None:
        first = calls.at(player, role, 0)
        self.name = REPLAY + ("nobody" if first is None else first.model.removeprefix(REPLAY))
        self._calls = calls
        self._player = player
        self._role = role
        self._next = 0

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The next recorded answer. Raises ScriptExhausted when there is none."""
        call = self._calls.at(self._player, self._role, self._next)
        if call is None:
            raise ScriptExhausted(
                f"the recorded run has {self._next} answers for {self._player}'s {self._role}, one more was asked for: "
                "replay it with the same scenario, contract, seed and options"
            )
        self._next += 1
        return replace(call.reply, differs=difference(call.messages, messages))

    async def close(self) -> None:
        """Nothing to give back."""


def difference(recorded: Sequence[ChatMessage], asked: Sequence[ChatMessage]) -> str:
    """A unified diff from the recorded prompt to the one asked now; empty when they are equal."""
    lines = difflib.unified_diff(_lines(recorded), _lines(asked), "recorded", "asked", n=1, lineterm="")
    return "\n".join(list(lines)[:MAX_DIFF])


def _lines(messages: Sequence[ChatMessage]) -> list[str]:
    return [line for each in messages for line in (f"[{each.role}]", *each.content.splitlines())]
