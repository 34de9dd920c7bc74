"""Steps of an agent's reasoning. They are only recorded: neither other players nor judges see them.

An agent reports each step through `AgentContext.tell` (`voyager_agents.context`) as soon as it takes the step. A step
is an instance of one class below; its field `what` is the discriminator. `role` is the role whose model calls led to
the step, so that a transcript can show the model, tokens and price. `Noted` is for steps that no other class fits. A
new kind of step needs one class here, one line in `Step`, and one entry in `accord.analysis.transcript.thought_texts`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from common.answers.faults import FaultKind

MIND, EMBEDDING, CURRICULUM, CRITIC, ACTION = "mind", "embedding", "curriculum", "critic", "action"


@dataclass(frozen=True)
class Kept:
    """A memory that entered long-term memory."""

    id: int
    text: str
    kind: str
    """observation | speech | insight | plan"""
    poignancy: int
    evidence: tuple[int, ...] = ()
    """For an insight: ids of the memories that it was drawn from."""


@dataclass(frozen=True)
class Recollection:
    """A retrieved memory and its score."""

    id: int
    text: str
    kind: str
    round: int
    """Round in which the memory was stored."""
    score: float
    """Weighted mean of similarity, recency and poignancy, each from 0 to 1."""
    similarity: float
    recency: float
    poignancy: float


@dataclass(frozen=True)
class TurnPerceived:
    """An agent's perception of one turn."""

    round: int
    sees: tuple[str, ...]
    """The nearest things in sight."""
    remembered: tuple[Kept, ...]
    """New observations as stored in memory."""
    react: str = ""
    """Reason to make a new plan; empty to keep the plan."""
    what: Literal["perceived"] = "perceived"
    role: str = MIND


@dataclass(frozen=True)
class Recalled:
    """Retrieved memories."""

    round: int
    purpose: str
    """`plan`, or the question of a reflection."""
    query: str
    memories: tuple[Recollection, ...]
    """Best match first."""
    what: Literal["recalled"] = "recalled"
    role: str = EMBEDDING


@dataclass(frozen=True)
class PlanWritten:
    """A new plan."""

    round: int
    reason: str
    """Reason for the new plan."""
    reasoning: str
    goal: str
    plan: str
    steps: tuple[str, ...]
    what: Literal["planned"] = "planned"
    role: str = MIND


@dataclass(frozen=True)
class Reflected:
    """Questions about recent observations, and the insights that answer them."""

    round: int
    questions: tuple[str, ...]
    insights: tuple[Kept, ...]
    what: Literal["reflected"] = "reflected"
    role: str = MIND


@dataclass(frozen=True)
class HypothesesHeld:
    """Hypotheses about rules of the world and of other players, after an update."""

    round: int
    hypotheses: tuple[Mapping[str, Any], ...]
    """All hypotheses, in the form of `Hypothesis.to_dict`."""
    confirmed: tuple[str, ...]
    """Hypotheses that the agent now takes for rules."""
    what: Literal["understood"] = "understood"
    role: str = MIND


@dataclass(frozen=True)
class Deliberated:
    """An agent's reasoning before it spoke at a council, and the acts in its message."""

    round: int
    reasoning: str
    acts: tuple[Mapping[str, Any], ...]
    what: Literal["deliberated"] = "deliberated"
    role: str = MIND


@dataclass(frozen=True)
class TaskTaken:
    """The task of the next episode."""

    text: str
    goal: Mapping[str, int]
    """Item -> count that the player has to hold; empty if the world cannot check the task."""
    attempt: int
    """Number of the program written for this task, from 1."""
    attempts: int
    """Maximum number of programs for one task."""
    reasoning: str = ""
    """The curriculum's reasoning, if it has just proposed the task."""
    completed: int = 0
    given_up: int = 0
    """Tasks given up so far."""
    what: Literal["task"] = "task"
    role: str = CURRICULUM


@dataclass(frozen=True)
class Questioned:
    """Questions that the curriculum asked and answered itself."""

    answers: Mapping[str, str]
    what: Literal["questioned"] = "questioned"
    role: str = CURRICULUM


@dataclass(frozen=True)
class SkillShown:
    """A skill that a new program may call."""

    name: str
    version: int
    description: str


@dataclass(frozen=True)
class SkillsFound:
    """Skills of the library that match a task, best first."""

    query: str
    skills: tuple[SkillShown, ...]
    known: int
    """Number of skills in the library."""
    what: Literal["skills"] = "skills"
    role: str = EMBEDDING


@dataclass(frozen=True)
class SkillLearned:
    """A successful program that was added to the library, or rejected."""

    name: str
    version: int
    """0 if the program was rejected."""
    description: str
    task: str
    fault: str = ""
    """Reason of the rejection."""
    what: Literal["learned"] = "learned"
    role: str = CURRICULUM


@dataclass(frozen=True)
class Reviewed:
    """The critic's review of the last episode."""

    success: bool | None
    """None if the answer could not be parsed."""
    text: str
    reasoning: str = ""
    world: str = ""
    """Evidence of the world against the critic's verdict; empty if they agree."""
    what: Literal["reviewed"] = "reviewed"
    role: str = CRITIC


@dataclass(frozen=True)
class Unusable:
    """A model's answer that the agent could not use."""

    part: str
    """Role that made the call."""
    why: str
    final: bool = True
    """True if the agent gave up, False if it asked again."""
    kind: FaultKind = "unreadable"
    what: Literal["unusable"] = "unusable"
    role: str = ""


@dataclass(frozen=True)
class PromptShortened:
    """A prompt that was shortened to fit the role's limit of tokens."""

    shortened: Mapping[str, int]
    """Part of the prompt -> number of steps that it was shortened by (`voyager_agents.prompts.fitting`)."""
    tokens: int
    """Estimated tokens of the prompt."""
    limit: int
    over: int = 0
    """Estimated tokens above the limit that no rule could save."""
    what: Literal["shortened"] = "shortened"
    role: str = ""


@dataclass(frozen=True)
class StrategyWritten:
    """A strategy that a player of a repeated game wrote before its first choice."""

    text: str
    reasoning: str = ""
    advice: int = 0
    """Number of strategies of earlier players that it had read."""
    what: Literal["strategy"] = "strategy"
    role: str = ""


@dataclass(frozen=True)
class Noted:
    """Any other step, in words."""

    title: str
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Name -> plain JSON value."""
    what: Literal["noted"] = "noted"
    role: str = ""


Step = (
    TurnPerceived | Recalled | PlanWritten | Reflected | HypothesesHeld | Deliberated
    | TaskTaken | Questioned | SkillsFound | SkillLearned | Reviewed | Unusable | PromptShortened
    | StrategyWritten | Noted
)  # fmt: skip
"""Any step of reasoning."""
Tell = Callable[[Step], None]
"""Callback that records a step; the content of a step never makes it raise."""


def silent(step: Step) -> None:
    """Discard the step."""
