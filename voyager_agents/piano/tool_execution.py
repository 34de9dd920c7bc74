"""Skill execution by tool calls: for each decision a conversation in which the model calls primitives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bridge.types import Place
from voyager_agents.asking import Asker
from voyager_agents.piano.slots import ControllerDecision
from voyager_agents.realtime_agent import Doing, PrimitiveCall, ToolAct
from voyager_agents.skill_library import Skill
from voyager_agents.tool_calls.outcome import CallOutcome
from voyager_agents.tool_calls.session import ToolSession, open_toolbox
from voyager_agents.tool_calls.toolbox import PrimitiveUse

MODULE = "skill_execution"
"""Module whose model can act by tool calls."""
CALL_S = 300.0
"""Time limit of one call, in game seconds; primitives have deadlines of their own."""


class ToolExecution:
    """Conversations of one agent: a new one for each decision, which ends when the model stops."""

    def __init__(self, asker: Asker, primitives: str) -> None:
        """Create the conversations.

        Args:
            asker: Access to the model.
            primitives: Documentation of the primitives, which tells those that a decision needs first.
        """
        self._asker = asker
        self._primitives = primitives
        self._session: ToolSession | None = None
        self._doing = ""
        """Decided act of the conversation."""
        self._ended = 0
        """Number of the last decision whose conversation has ended."""
        self._made: tuple[PrimitiveUse, Doing] | None = None
        """Call that the body makes or has made last."""

    def is_due(self, decision: ControllerDecision) -> bool:
        """Return True unless the model has stopped acting on this decision."""
        return decision.number != self._ended

    def continues(self, decision: ControllerDecision) -> bool:
        """Return True if a conversation on this decision is under way."""
        return self._session is not None and self._doing == decision.doing

    async def next_act(
        self,
        decision: ControllerDecision,
        position: Place,
        skills: Sequence[Skill],
        question: Callable[[], tuple[str, str]],
    ) -> tuple[ToolAct, PrimitiveUse] | None:
        """Return the next call as an act; None if the model stops, or gives no usable answer.

        Args:
            decision: The decision to carry out.
            position: Position of the body.
            skills: Skills that are tools too, for a new conversation.
            question: Makes system and user message of a new conversation.

        Raises:
            ReplyError: The model gave no usable answer.
            ModelError: The model failed.
            BudgetExhausted: The budget is used up.
        """
        last = self._outcome(position)
        if not self.continues(decision) or self._session is None:
            toolbox = open_toolbox(self._asker, self._primitives, f"{decision.doing} {decision.expects}", skills)
            self._session, self._doing, last = ToolSession(self._asker, toolbox, *question()), decision.doing, None
        session = self._session
        self._session = None  # an answer without a use, or a cancelled question, ends the conversation
        self._ended = decision.number
        use = await session.next_call(last)
        if use is None:
            return None
        self._session, self._ended = session, 0
        call = PrimitiveCall(use.name, use.args)
        return ToolAct(use.label, program=session.program(use), call=call, limit_s=CALL_S), use

    def begin(self, use: PrimitiveUse, doing: Doing) -> None:
        """Note that the body makes a call."""
        self._made = use, doing

    def drop(self) -> None:
        """End the conversation, because its decision is over."""
        self._session = self._made = None
        self._ended = 0

    def _outcome(self, position: Place) -> CallOutcome | None:
        """Return the outcome of the last call; a call that never ended was stopped."""
        if self._made is None:
            return None
        (use, doing), self._made = self._made, None
        found = doing.outcome
        if found is None:
            return CallOutcome(use, "stopped", "", 0.0, position=position)
        outcome = CallOutcome(use, found.ended, found.error, found.seconds, gained=found.gained, position=position)
        return replace(outcome, printed=tuple(doing.printed))
