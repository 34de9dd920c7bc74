"""Conversations in which a model acts by tool calls, one call after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bridge.primitive_signatures import PrimitiveSignature, primitive_signatures
from common.answers.spoken import spoken
from voyager_agents.asking import Asker, require_answer
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Reply, ToolCall
from voyager_agents.primitive_docs import parse_primitives
from voyager_agents.skill_library import Skill
from voyager_agents.tool_calls.outcome import CallOutcome
from voyager_agents.tool_calls.toolbox import FINISH, PrimitiveUse, Toolbox, standard_toolbox

MAX_CALLS = 40
"""Maximum calls of one conversation."""
MAX_AT_ONCE = 8
"""Maximum calls in one answer."""
MAX_THOUGHT = 2000
"""Maximum characters of a model's text that it is shown again."""
SKIPPED = "not made, because the call before it did not succeed"
FORM = f"Call one of the tools, or call {FINISH.name} to do nothing more"


@dataclass(frozen=True)
class ToolTurn:
    """A model's answer with checked calls."""

    message: ChatMessage
    calls: tuple[tuple[str, PrimitiveUse | None], ...]
    """(identifier, call) in order; None stands for `finish`. Empty if the model only wrote text."""


def open_toolbox(asker: Asker, primitives: str, task: str, skills: Sequence[Skill] = ()) -> Toolbox:
    """Return the tools of a conversation, shortened to the asker's limit of tokens.

    Args:
        asker: Access to the model.
        primitives: Documentation of the primitives, which tells those that the task needs first.
        task: The task in words.
        skills: Skills that are tools too.
    """
    known = [PrimitiveSignature(each.name, each.about.description, (), "") for each in skills]
    whole = Toolbox([*primitive_signatures(), *known]) if known else standard_toolbox()
    needed = parse_primitives(primitives).needed(task) | {each.name for each in known}
    levels = [whole, *whole.shorter(needed)]
    return levels[asker.fit_tools([each.tools for each in levels])]


class ToolSession:
    """One conversation. Call `next_call` until it returns None."""

    def __init__(
        self,
        asker: Asker,
        toolbox: Toolbox,
        system: str,
        user: str,
        *,
        most: int = MAX_CALLS,
        wrap: Callable[[str], str] = str,
    ) -> None:
        """Begin a conversation.

        Args:
            asker: Access to the model.
            toolbox: Tools of the agent.
            system: System message.
            user: User message, the situation.
            most: Maximum number of calls.
            wrap: Turns the program of a call into the one that runs, such as by an error mode.
        """
        self._asker = asker
        self._toolbox = toolbox
        self._messages = [ChatMessage("system", system), ChatMessage("user", user)]
        self._most = most
        self._wrap = wrap
        self._queue: list[tuple[str, PrimitiveUse | None]] = []
        """Calls of the last answer that are not made yet; the first one is being made."""
        self.made = 0
        """Number of calls so far."""

    def program(self, use: PrimitiveUse) -> str:
        """Return the program that makes a call."""
        return self._wrap(use.program)

    async def next_call(self, last: CallOutcome | None) -> PrimitiveUse | None:
        """Return the next call, or None if the model has stopped or the limit of calls is reached.

        Args:
            last: Outcome of the call returned before; None at first.

        Raises:
            ReplyError: The model gave no usable answer.
            ModelError: The model failed.
            BudgetExhausted: The budget is used up.
        """
        if last is not None:
            self._take_result(last)
        if self.made >= self._most:
            return None
        if not self._queue:
            turn = require_answer(await self._asker.call_tools(self._messages, self._toolbox.tools, self._read))
            if not turn.calls:
                return None
            self._messages.append(turn.message)
            self._queue = list(turn.calls)
        use = self._queue[0][1]
        self.made += use is not None
        return use

    def _take_result(self, last: CallOutcome) -> None:
        """Add the result of the call that was made; after a failure the other calls of the answer are skipped."""
        (made, _), *rest = self._queue
        self._messages.append(ChatMessage("tool", last.result() or "done", tool_call_id=made))
        if last.ended != "done":
            self._messages += [ChatMessage("tool", SKIPPED, tool_call_id=each) for each, _ in rest]
            rest = []
        self._queue = rest

    def _read(self, reply: Reply) -> ToolTurn:
        """Return the checked answer. Raises ReplyError."""
        text = spoken(reply.text).strip()[:MAX_THOUGHT]
        if not reply.calls:
            if self.made == 0:
                raise ReplyError("no-call", f"it calls no tool. {FORM}")
            return ToolTurn(ChatMessage("assistant", text), ())
        if len(reply.calls) > MAX_AT_ONCE:
            raise ReplyError("too-many", f"it makes {len(reply.calls)} calls: make at most {MAX_AT_ONCE} in one answer")
        calls = [
            call if call.id else ToolCall(f"call_{self.made}_{place}", call.name, call.arguments)
            for place, call in enumerate(reply.calls)
        ]
        if len({call.id for call in calls}) != len(calls):
            raise ReplyError("duplicate-id", "two of its calls have the same id: give each call an id of its own")
        checked = tuple((call.id, self._toolbox.read(call)) for call in calls)
        return ToolTurn(ChatMessage("assistant", text, tuple(calls)), checked)
