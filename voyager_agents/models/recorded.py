"""Recorded model calls: cache of a resumed run, and a model that replays a run without calling a provider."""

from __future__ import annotations

import difflib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from common.lines import read_lines
from common.text import read_json
from voyager_agents.errors import ModelError, ScriptExhausted
from voyager_agents.models.base import CascadeStep, ChatMessage, Reply, Settings, ToolCall, Usage
from voyager_agents.models.parts import PARTS, MessageParts

MAX_DIFF = 200
"""Maximum lines of a diff."""
Wanted = Callable[[str, str, int], bool]
"""Predicate over (player, role, number of the call): True if the call may be requested again."""
REPLAY = "replay/"
"""Prefix of the names of replaying models."""


def everything(player: str, role: str, number: int) -> bool:
    """Return True for every call."""
    return True


@dataclass(frozen=True)
class RecordedCall:
    """One entry of a calls.jsonl."""

    messages: tuple[ChatMessage, ...]
    reply: Reply
    model: str
    usd: float | None
    wall_s: float = 0.0
    """Time until the answer arrived, in seconds."""
    step: CascadeStep | None = None
    """Place of the call in a cascade; None for others."""
    attempt: int = 0
    """Number of the process that made the call: 0 for the first, 1 for the one that resumed it, and so on."""

    def is_for(self, messages: tuple[ChatMessage, ...], step: CascadeStep | None) -> bool:
        """Return whether this is a call with the prompt, of the same stage of a cascade."""
        return self.has_place(step) and self.messages == messages

    def has_place(self, step: CascadeStep | None) -> bool:
        """Return whether the call has the place of this step in a cascade, whatever the question."""
        mine, other = (None if each is None else (each.stage, each.why == "sample") for each in (self.step, step))
        return mine == other


@dataclass
class RecordedCalls:
    """All calls of one run, grouped by player and role, in order."""

    calls: dict[tuple[str, str], dict[int, RecordedCall]] = field(default_factory=dict)
    """(player, role) -> number of the call, from 0 -> call. A failed call has a number but no entry."""
    attempts: int = 0
    """Number of processes that have made calls so far."""

    @classmethod
    def load(cls, path: Path, wanted: Wanted = everything) -> RecordedCalls:
        """Return the calls in a file, read line by line. A torn last line (the process was killed) is skipped.

        Calls that are not `wanted` keep only their figures: they have no messages and an empty reply. Raises
        ModelError.
        """
        found, parts = cls(), MessageParts(path.with_name(PARTS))
        try:
            for number, data, whole in read_lines(path):
                try:
                    found._add(read_json(data.decode("utf-8")), wanted, parts)
                except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
                    if whole:
                        raise ModelError(f"{path}, line {number}: is no model call of a run") from None
        except OSError as error:
            raise ModelError(f"{path}: cannot be read ({type(error).__name__}): give a run's directory") from None
        return found

    def at(self, player: str, role: str, number: int) -> RecordedCall | None:
        """Return the recorded call, or None."""
        return self.calls.get((player, role), {}).get(number)

    def take(
        self,
        player: str,
        role: str,
        number: int,
        messages: Sequence[ChatMessage],
        step: CascadeStep | None = None,
    ) -> RecordedCall | None:
        """Remove and return the recorded call of a prompt. Concurrent calls may come in another order than recorded.

        Args:
            player: The player that makes the call.
            role: The role that makes the call.
            number: Number of the call; the recorded call of that number is preferred.
            messages: The prompt.
            step: Place of the call in a cascade; None for other calls.
        """
        calls, asked = self.calls.get((player, role), {}), tuple(messages)
        places = [number, *sorted(calls)]
        found = next((each for each in places if each in calls and calls[each].is_for(asked, step)), None)
        return None if found is None else calls.pop(found)

    def take_first(self, player: str, role: str, step: CascadeStep | None = None) -> RecordedCall | None:
        """Remove and return the call with the lowest number, of a step of a cascade if one is given; or None."""
        calls = self.calls.get((player, role), {})
        fitting = [number for number, call in calls.items() if step is None or call.has_place(step)]
        return calls.pop(min(fitting)) if fitting else None

    def stages(self, player: str, role: str) -> int:
        """Return the number of stages that the calls of a role name; 0 if they were no cascade's."""
        return max((each.step.stage for each in self.calls.get((player, role), {}).values() if each.step), default=0)

    def drop_before(self, starts: Mapping[tuple[str, str], int]) -> None:
        """Drop all calls before these numbers; their results are recorded, so they are not needed again."""
        for who, start in starts.items():
            kept = {number: call for number, call in self.calls.get(who, {}).items() if number >= start}
            self.calls[who] = kept

    def _add(self, entry: dict[str, Any], wanted: Wanted, parts: MessageParts) -> None:
        player, role, number = str(entry["player"]), str(entry["role"]), int(entry["number"])
        attempt = int(entry.get("attempt", 0))
        self.attempts = max(self.attempts, attempt + 1)
        if "error" in entry:
            return
        calls = self.calls.setdefault((player, role), {})
        if number in calls:
            # A call repeated in a resumed run replaces the first one and all later ones, except calls of the same
            # process that were answered before it.
            again = attempt > calls[number].attempt
            for late in [n for n, each in calls.items() if n >= number and not (again and each.attempt == attempt)]:
                del calls[late]
        ended = str(entry.get("ended", ""))
        made = tuple(ToolCall(**call) for call in entry.get("calls", ()))
        cached = entry.get("cached") is True
        usage = Usage(**entry["usage"])
        reply = Reply(str(entry["reply"]), usage, str(entry["model"]), ended=ended, calls=made, cached=cached)
        if (logprob := entry.get("logprob")) is not None:
            reply = replace(reply, logprob=float(logprob))
        step = CascadeStep.from_dict(entry["cascade"]) if "cascade" in entry else None
        if wanted(player, role, number):
            messages = tuple(ChatMessage.from_plain(each) for each in parts.whole(entry)["messages"])
        else:
            reply, messages = replace(reply, text="", calls=()), ()
        wall_s = float(entry.get("wall_ms", 0)) / 1000
        calls[number] = RecordedCall(messages, reply, str(entry["model"]), entry["usd"], wall_s, step, attempt)


class ReplayModel:
    """Model that repeats the answers a player got in a recorded run; a reply to a different prompt carries a diff.

    A recorded prompt gets its own answer, in any order of concurrent calls. Any other prompt gets the first answer
    left.
    """

    def __init__(
        self, calls: RecordedCalls, player: str, role: str, *, renamed: bool = True, stage: int | None = None
    ) -> None:
        """Take the calls of a role.

        Args:
            calls: Calls of the run.
            player: The player that made the calls.
            role: The role that made the calls.
            renamed: True to prefix the recorded model's name with `replay/`.
            stage: Stage of a cascade, whose calls are taken alone; None for all calls.
        """
        known = calls.calls.get((player, role), {})
        if stage is not None:
            followed = {each.step.after: each.step.why for each in known.values() if each.step is not None}
            known = {
                number: replace(call, reply=replace(call.reply, followed=followed.get(number, "")))
                for number, call in known.items()
                if call.step is not None and call.step.stage == stage
            }
        name = known[min(known)].model if known else "nobody"
        self.name = REPLAY + name.removeprefix(REPLAY) if renamed else name
        self.states_confidence = any(each.step is not None and each.step.confidence for each in known.values())
        """True for a stage of a cascade whose answers had to state their confidence."""
        self._calls = RecordedCalls({(player, role): dict(known)})
        self._player = player
        self._role = role
        self._next = 0

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the next recorded answer. Raises ScriptExhausted if there is none."""
        return self.answer(messages, None)

    def answer(self, messages: Sequence[ChatMessage], step: CascadeStep | None) -> Reply:
        """Return the next recorded answer, of a step of a cascade if one is given. Raises ScriptExhausted."""
        number, who = self._next, (self._player, self._role)
        call = self._calls.take(*who, number, messages, step) or self._calls.take_first(*who, step)
        if call is None:
            raise ScriptExhausted(
                f"the recorded run has {number} answers for {self._player}'s {self._role}, one more was asked for: "
                "replay it with the same scenario, contract, seed and options"
            )
        self._next += 1
        return replace(call.reply, differs=difference(call.messages, messages))

    async def close(self) -> None:
        """Do nothing; recorded answers hold no resources."""


def prompt_hash(messages: Iterable[ChatMessage]) -> str:
    """Return a short hash of a prompt: equal for equal messages, with negligible chance of collision."""
    plain = [[each.role, each.content, *_tool_parts(each), *_image_parts(each)] for each in messages]
    return hashlib.sha256(json.dumps(plain, ensure_ascii=False).encode()).hexdigest()[:16]


def difference(recorded: Sequence[ChatMessage], asked: Sequence[ChatMessage]) -> str:
    """Return a unified diff from the recorded prompt to the current one; empty if they are equal."""
    lines = difflib.unified_diff(_lines(recorded), _lines(asked), "recorded", "asked", n=1, lineterm="")
    return "\n".join(list(lines)[:MAX_DIFF])


def _lines(messages: Sequence[ChatMessage]) -> list[str]:
    found: list[str] = []
    for each in messages:
        found += [f"[{each.role}]", *each.content.splitlines()]
        found += [f"calls {call.name} {call.arguments}" for call in each.tool_calls]
        found += [f"image {image.sha256} {image.width}x{image.height} {image.detail}" for image in each.images]
    return found


def _tool_parts(message: ChatMessage) -> list[Any]:
    """Return the fields of tools for the hash of a prompt; empty for a message without any."""
    if not message.tool_calls and not message.tool_call_id:
        return []
    return [[asdict(call) for call in message.tool_calls], message.tool_call_id]


def _image_parts(message: ChatMessage) -> list[Any]:
    """Return the images for the hash of a prompt; empty for a message without any."""
    return [[image.to_dict() for image in message.images]] if message.images else []
