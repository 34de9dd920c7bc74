"""Estimates of the calls that agents make in a run; each family estimates its own (`family.Family.cost`).

A family's cost is measured on its real prompts: its agents are asked as in a study, only that what answers is a
stand-in (`Sizing`). Nothing is sent anywhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from contracts import Contract
from voyager_agents.agent import Observation
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.context import AgentContext
from voyager_agents.facts import ScenarioFacts
from voyager_agents.grid.players import GridTexts
from voyager_agents.models import ChatMessage, Reply, Settings, Usage


@dataclass(frozen=True)
class CallCost:
    """Calls of one role of one player, and what they need."""

    calls: int = 0
    prompt: int = 0
    """Tokens of the prompts."""
    completion: int = 0
    """Tokens of the answers."""

    def times(self, count: int) -> CallCost:
        """Return the same, so many times."""
        return CallCost(self.calls * count, self.prompt * count, self.completion * count)

    def plus(self, other: CallCost) -> CallCost:
        """Both together."""
        return CallCost(self.calls + other.calls, self.prompt + other.prompt, self.completion + other.completion)

    @property
    def usage(self) -> Usage:
        """The tokens."""
        return Usage(self.prompt, self.completion)


Range = tuple[CallCost, CallCost]
"""At least (all goes well at once) and at most (every round and episode is used)."""


@dataclass(frozen=True)
class ImaginedRun:
    """A run that is imagined, as one player's agent would find it."""

    context: AgentContext
    """Its models answer None: nobody is asked."""
    facts: ScenarioFacts | None
    contract: Contract | None
    """Under which the run is played, or one of usual length that stands for what will be negotiated."""
    extent: tuple[int, int]
    """Least and greatest length of the run for this player, in the unit of its mode: episodes, rounds, seconds of
    game time."""
    anew: bool = False
    """True if another contract is negotiated after each episode, so that everybody prepares for each."""
    within: bool = False
    """True if agents are asked while they play: then they are asked for as few units as `extent` says at least."""
    words: Callable[[str], GridTexts] | None = None
    """Player -> the texts that a game played by words shows the player. A call takes a moment."""

    def first_observation(self) -> Observation:
        """Return what the player is shown before the first episode or game."""
        context = self.context
        return Observation(
            context.player,
            context.players,
            task=context.task,
            scenario=context.text,
            facts=self.facts,
            contract=self.contract,
        )


CostFunction = Callable[[ImaginedRun], Awaitable[Mapping[str, Range]]]
"""Estimator of `family.Family.cost`: returns role -> calls of one player in one run. Negotiations before a game and
the judge are left out: the study counts them."""


@dataclass
class Sizing:
    """Stands in for a model: measures what it is asked and gives an answer of the right form."""

    answer: str
    """Text of every answer."""
    tokens: int
    """Tokens of an answer that are usual for the role."""
    name: str = "sizing"
    asked: list[CallCost] = field(default_factory=list)

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return an answer in form."""
        chars = sum(len(each.content) for each in messages)
        self.asked.append(CallCost(1, chars // CHARS_A_TOKEN, self.tokens))
        return Reply(self.answer)

    async def close(self) -> None:
        """Do nothing: a stand-in holds nothing open."""


def total(costs: Sequence[CallCost]) -> CallCost:
    """Return all together."""
    found = CallCost()
    for cost in costs:
        found = found.plus(cost)
    return found


def mean(costs: Sequence[CallCost]) -> CallCost:
    """Return one of these calls, as they are on average."""
    found = total(costs)
    return CallCost(1, found.prompt // len(costs), found.completion // len(costs))


def repeated(first: CallCost, later: CallCost, count: int) -> CallCost:
    """Return the first call and then others, so many in all."""
    return first.plus(later.times(count - 1)) if count else CallCost()
