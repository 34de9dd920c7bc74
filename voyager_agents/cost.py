"""Estimates of the model calls in a run; each family provides its own estimate (`family.Family.cost`).

A family's cost is measured on its real prompts: its agents run as in a study, with `Sizing` in place of a model.
Nothing is sent to a provider.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from contracts import Contract
from voyager_agents.agent import Observation, PicturedTexts
from voyager_agents.asking import MAX_SHOWN, TRIES, Asker
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.context import AgentContext
from voyager_agents.eyes import without_places
from voyager_agents.facts import ScenarioFacts
from voyager_agents.grid.players import GridTexts, PlanTexts
from voyager_agents.models import ChatMessage, Reply, Settings, ToolCall, Usage


@dataclass(frozen=True)
class CallCost:
    """Number of calls of one role of one player, and their tokens."""

    calls: int = 0
    prompt: int = 0
    """Prompt tokens."""
    completion: int = 0
    """Completion tokens."""
    stable: int = 0
    """Prompt tokens in a beginning that stays equal between the calls of a role: tools, system message, and the part
    of the next message that is that of the call before."""

    def times(self, count: int) -> CallCost:
        """Return the cost multiplied by `count`."""
        return CallCost(self.calls * count, self.prompt * count, self.completion * count, self.stable * count)

    def plus(self, other: CallCost) -> CallCost:
        """Return the sum of both costs."""
        return CallCost(
            self.calls + other.calls,
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.stable + other.stable,
        )

    @property
    def usage(self) -> Usage:
        """Token counts as a `Usage`."""
        return Usage(self.prompt, self.completion)


Range = tuple[CallCost, CallCost]
"""(minimum, maximum): everything succeeds at once, or every round and episode is used."""


@dataclass(frozen=True)
class ImaginedRun:
    """An imagined run from the point of view of one player's agent."""

    context: AgentContext
    """The context's `model` returns None for every role."""
    facts: ScenarioFacts | None
    contract: Contract | None
    """Contract of the run, or a contract of usual length in place of one that will be negotiated."""
    extent: tuple[int, int]
    """Minimum and maximum length of the player's run, in the mode's unit: episodes, rounds or game seconds."""
    anew: bool = False
    """True if a new contract is negotiated after each episode, so that agents prepare for every episode."""
    within: bool = False
    """True if agents are called during the game; the minimum of `extent` then also bounds their number of calls."""
    civic_questions: Mapping[str, int] = field(default_factory=dict)
    """Institution -> maximum number of questions that it asks the player."""
    words: Callable[[str], GridTexts] | None = None
    """Player -> texts that a text-based game shows the player. A call takes a moment."""
    plans: Callable[[str], PlanTexts] | None = None
    """Player -> questions for plans in such a game. A call takes a moment."""

    def first_observation(self) -> Observation:
        """Return the player's observation before the first episode or game."""
        context = self.context
        pictured = None
        if context.about_pictured is not None:
            pictured = PicturedTexts(_joined(context.text, context.about_pictured), without_places(self.facts))
        return Observation(
            context.player,
            context.players,
            task=context.task,
            scenario=_joined(context.text, context.about),
            facts=self.facts,
            contract=self.contract,
            pictured=pictured,
        )


def _joined(*texts: str) -> str:
    return "\n".join(text for text in texts if text)


CostFunction = Callable[[ImaginedRun], Awaitable[Mapping[str, Range]]]
"""Estimator for `family.Family.cost`: returns role -> calls of one player in one run. Negotiation before a game and the
judge are excluded; the study counts them."""


@dataclass
class Sizing:
    """Stand-in for a model that measures prompts and returns a well-formed answer."""

    answer: str
    """Text of every answer."""
    tokens: int
    """Usual completion tokens of the role."""
    calls: tuple[ToolCall, ...] = ()
    """Tool calls of every answer to a question with tools."""
    name: str = "sizing"
    asked: list[CallCost] = field(default_factory=list)
    _before: list[str] | None = None
    """Texts of the last prompt."""

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Record the size of the prompt and return the fixed answer."""
        chars = sum(each.size for each in messages) + sum(each.size for each in settings.tools)
        stable = self._equal_beginning(messages) + sum(each.size for each in settings.tools)
        self.asked.append(CallCost(1, chars // CHARS_A_TOKEN, self.tokens, stable // CHARS_A_TOKEN))
        return Reply(self.answer, calls=self.calls if settings.tools else ())

    def _equal_beginning(self, messages: Sequence[ChatMessage]) -> int:
        """Return the characters at the beginning that the prompt before had too; at first those of a system message."""
        texts = [each.content for each in messages]
        before, self._before = self._before, texts
        if before is None:
            return len(texts[0]) if messages[0].role == "system" else 0
        equal = 0
        for text, earlier in zip(texts, before, strict=False):
            equal += equal_beginning(text, earlier)
            if text != earlier:
                break
        return equal

    async def close(self) -> None:
        """Do nothing; a stand-in holds no resources."""


def equal_beginning(first: str, second: str) -> int:
    """Return the number of characters at the beginning that two texts share."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def corrected(cost: CallCost, tries: int = TRIES, shown: int = MAX_SHOWN) -> CallCost:
    """Return the cost of a question whose answers are all unusable but the last.

    Args:
        cost: Cost of the first try.
        tries: Maximum answers to the question.
        shown: Maximum characters of an unusable answer in the next prompt.
    """
    repeats = tries * (tries - 1) // 2
    again = cost.times(tries)
    return CallCost(again.calls, again.prompt + repeats * (shown // CHARS_A_TOKEN), again.completion, again.stable)


def sizing_asker(context: AgentContext, role: str, sizing: Sizing) -> Asker:
    """Return the access to a stand-in with the limits and the reasoning of the context."""
    return replace(context, model=lambda _role: sizing).asker(role)


def total(costs: Sequence[CallCost]) -> CallCost:
    """Return the sum of the costs."""
    found = CallCost()
    for cost in costs:
        found = found.plus(cost)
    return found


def mean(costs: Sequence[CallCost]) -> CallCost:
    """Return the average cost of one of these calls."""
    found = total(costs)
    return CallCost(1, found.prompt // len(costs), found.completion // len(costs), found.stable // len(costs))


def repeated(first: CallCost, later: CallCost, count: int) -> CallCost:
    """Return the cost of `count` calls: the first one, then later ones."""
    return first.plus(later.times(count - 1)) if count else CallCost()
