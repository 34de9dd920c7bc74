"""Steps of an agent's thinking, for the record alone: no other player and no judge is shown them.

An agent reports each step through `AgentContext.tell` (`voyager_agents.context`) as soon as the step is taken. A step
is one of the classes below, told apart by `what`; `role` is the role whose calls of a model led to it, so that a
transcript can name their model, tokens and price. `Noted` is for everything that no other class fits. A new kind of
step is one class here and one line in `Step`; how it is shown is one entry in `accord.analysis.transcript.minds`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

MIND, EMBEDDING, CURRICULUM, CRITIC, ACTION = "mind", "embedding", "curriculum", "critic", "action"


@dataclass(frozen=True)
class Kept:
    """Something that entered long-term memory."""

    id: int
    text: str
    kind: str
    """observation | speech | insight | plan"""
    poignancy: int
    evidence: tuple[int, ...] = ()
    """For an insight: the memories that it was drawn from."""


@dataclass(frozen=True)
class Recollection:
    """A memory that was found again, and why."""

    id: int
    text: str
    kind: str
    round: int
    """In which it was stored."""
    score: float
    """The weighted mean of the three parts, each from 0 to 1."""
    similarity: float
    recency: float
    poignancy: float


@dataclass(frozen=True)
class TurnPerceived:
    """A turn as the agent took it in."""

    round: int
    sees: tuple[str, ...]
    """The nearest things in sight."""
    remembered: tuple[Kept, ...]
    """New observation, as it is remembered now."""
    react: str = ""
    """Why to plan anew; empty for none."""
    what: Literal["perceived"] = "perceived"
    role: str = MIND


@dataclass(frozen=True)
class Recalled:
    """Memories that were looked up."""

    round: int
    purpose: str
    """Purpose: `plan`, or the question of a reflection."""
    query: str
    memories: tuple[Recollection, ...]
    """Best first."""
    what: Literal["recalled"] = "recalled"
    role: str = EMBEDDING


@dataclass(frozen=True)
class PlanWritten:
    """A new plan."""

    round: int
    reason: str
    """Why it was made."""
    reasoning: str
    goal: str
    plan: str
    steps: tuple[str, ...]
    what: Literal["planned"] = "planned"
    role: str = MIND


@dataclass(frozen=True)
class Reflected:
    """Questions about what was observed, and the insights that answer them."""

    round: int
    questions: tuple[str, ...]
    insights: tuple[Kept, ...]
    what: Literal["reflected"] = "reflected"
    role: str = MIND


@dataclass(frozen=True)
class HypothesesHeld:
    """Hypotheses about rules of the world and of others, after new ones and new evidence."""

    round: int
    hypotheses: tuple[Mapping[str, Any], ...]
    """All of them, as `Hypothesis.plain` gives them."""
    confirmed: tuple[str, ...]
    """Those that are held to be rules now."""
    what: Literal["understood"] = "understood"
    role: str = MIND


@dataclass(frozen=True)
class Deliberated:
    """An agent's thought before it spoke at a council, and the acts of its message."""

    round: int
    reasoning: str
    acts: tuple[Mapping[str, Any], ...]
    what: Literal["deliberated"] = "deliberated"
    role: str = MIND


@dataclass(frozen=True)
class TaskTaken:
    """The task of the episode to come."""

    text: str
    goal: Mapping[str, int]
    """Item -> how many the player then holds; empty where the world cannot tell."""
    attempt: int
    """Which program for this task is written now, from 1."""
    attempts: int
    """Programs for one task at most."""
    reasoning: str = ""
    """The curriculum's, where it has proposed the task just now."""
    completed: int = 0
    given_up: int = 0
    """Tasks so far."""
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
    """A skill that the writer of a program may call."""

    name: str
    version: int
    description: str


@dataclass(frozen=True)
class SkillsFound:
    """Skills of the library that fit a task, best first."""

    query: str
    skills: tuple[SkillShown, ...]
    known: int
    """Number of the library has."""
    what: Literal["skills"] = "skills"
    role: str = EMBEDDING


@dataclass(frozen=True)
class SkillLearned:
    """A program that did its task entered the library, or could not."""

    name: str
    version: int
    """0 where it did not enter."""
    description: str
    task: str
    fault: str = ""
    """Why it did not enter."""
    what: Literal["learned"] = "learned"
    role: str = CURRICULUM


@dataclass(frozen=True)
class Reviewed:
    """The critic's review of the last episode."""

    success: bool | None
    """None for an answer that could not be read."""
    text: str
    reasoning: str = ""
    world: str = ""
    """Evidence of the world against the critic's verdict; empty where both agree."""
    what: Literal["reviewed"] = "reviewed"
    role: str = CRITIC


@dataclass(frozen=True)
class Unusable:
    """A model's answer that was of no use: a fault of the agent's own."""

    part: str
    """Role that asked."""
    why: str
    final: bool = True
    """True if the agent gave up; else it asked again."""
    what: Literal["unusable"] = "unusable"
    role: str = ""


@dataclass(frozen=True)
class Noted:
    """Anything else, in words."""

    title: str
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Name -> plain data."""
    what: Literal["noted"] = "noted"
    role: str = ""


Step = (
    TurnPerceived | Recalled | PlanWritten | Reflected | HypothesesHeld | Deliberated
    | TaskTaken | Questioned | SkillsFound | SkillLearned | Reviewed | Unusable | Noted
)  # fmt: skip
"""Any step."""
Tell = Callable[[Step], None]
"""Takes a step down; never raises for what a step says."""


def silent(step: Step) -> None:
    """Take nothing down."""
