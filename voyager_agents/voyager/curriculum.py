"""Curriculum part: proposes the next task from the player's inventory and from its completed and failed tasks.

It follows Voyager's section on the automatic curriculum: small steps, always measurable in the inventory. The prompt
grows with the number of completed tasks (`WARM_UP`), so that distant goals do not distract a beginner. At the end of
the warm-up it also asks and answers questions itself, and keeps the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import BaseModel, ConfigDict, Field

from common.answers.reading import MAX_ANSWER
from common.answers.spoken import spoken
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.errors import ReplyError
from voyager_agents.models import ChatMessage, Model, Settings
from voyager_agents.prompts import Prompt
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.skill_library.skill import Items, Line
from voyager_agents.thought_events import CURRICULUM, Tell, Unusable, silent

ATTEMPTS = 3
"""Maximum answers requested until one is a well-formed task."""
WARM_UP: Mapping[str, int] = {"inventory": 0, "chat": 5, "inventories": 7, "questions": 15}
"""Part of the prompt -> completed tasks before the curriculum sees it; the numbers are Voyager's for similar parts."""
MAX_QUESTIONS = 5
SHOWN = 30
"""Maximum tasks and questions shown; the last ones are kept."""
_LATER = "(not shown yet)"
_STRICT = ConfigDict(extra="forbid", strict=True, frozen=True)


class CurriculumTask(BaseModel):
    """A player's task for an episode."""

    model_config = _STRICT
    text: Line
    goal: Items = Field(default_factory=dict)
    """Item -> count that the player has to hold; empty if the world cannot check the task."""

    def told(self) -> str:
        """Return the task in words, for prompts."""
        goal = ", ".join(f"{count} {item}" for item, count in sorted(self.goal.items()))
        return f"{self.text} (done when you hold at least {goal})" if goal else self.text

    def missing(self, held: Mapping[str, int]) -> dict[str, int]:
        """Return item -> count still missing; empty if the goal is reached."""
        return {item: count - held.get(item, 0) for item, count in self.goal.items() if held.get(item, 0) < count}


class _Proposal(BaseModel):
    model_config = _STRICT
    reasoning: str = Field(max_length=4000)
    task: Line
    goal: Items = Field(min_length=1, max_length=8)


class _Question(BaseModel):
    model_config = _STRICT
    question: Line
    answer: Line


class _Questions(BaseModel):
    model_config = _STRICT
    questions: list[_Question] = Field(max_length=MAX_QUESTIONS)


@dataclass(frozen=True)
class TaskHistory:
    """A player's past tasks."""

    completed: Sequence[str] = ()
    failed: Sequence[str] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    """Question -> answer."""


class CurriculumPart:
    """Requests the next task from a model; a malformed answer is returned with the fault, for another try."""

    def __init__(
        self,
        model: Model,
        settings: Settings | None = None,
        warm_up: Mapping[str, int] = WARM_UP,
        prompts: Prompts = STANDARD,
        tell: Tell = silent,
    ) -> None:
        """Create the part; `tell` records unusable answers."""
        self._tell = tell
        self.reasoning = ""
        """Reasoning for the last proposed task."""
        self._model = model
        self._settings = settings or Settings(temperature=0.1)
        self._warm_up = warm_up
        self._prompt = prompts.load("curriculum")
        self._questions = prompts.load("questions")

    async def ask(self, observation: Observation, past: TaskHistory) -> dict[str, str]:
        """Return new questions with their answers; empty during the warm-up or if the answer cannot be parsed."""
        if len(past.completed) < self._warm_up["questions"]:
            return {}
        values = self._common(observation, past) | {"known": _answers(past.answers)}
        reply = await self._model.complete(_messages(self._questions, values), self._settings)
        try:
            found = json_answer(reply.text, _Questions, "no-questions").questions
        except ReplyError as error:
            self._tell(Unusable("questions", str(with_cause(error, reply)), role=CURRICULUM))
            return {}
        return {each.question: each.answer for each in found if each.question not in past.answers}

    async def propose(self, observation: Observation, past: TaskHistory, skills: str) -> CurriculumTask:
        """Return the next task. Raises ReplyError if the last answer is still malformed."""
        messages = _messages(self._prompt, self._values(observation, past, skills))
        for attempt in range(1, ATTEMPTS + 1):
            reply = await self._model.complete(messages, self._settings)
            try:
                task, self.reasoning = _task(reply.text, past)
                return task
            except ReplyError as wrong:
                error = with_cause(wrong, reply)
                self._tell(Unusable("curriculum", str(error), final=attempt == ATTEMPTS, role=CURRICULUM))
                if attempt == ATTEMPTS:
                    raise error from None
                told = f"That answer cannot be used: {error}. Answer again with one JSON object of the form asked for."
                messages = [
                    *messages,
                    ChatMessage("assistant", spoken(reply.text)[:MAX_ANSWER] or "(empty)"),
                    ChatMessage("user", told),
                ]
        raise ReplyError("no-answer", "no answer was asked for")

    def _values(self, observation: Observation, past: TaskHistory, skills: str) -> dict[str, str]:
        others = [name for name in observation.players if name != observation.player]
        return self._common(observation, past) | {
            "others": ", ".join(others) or "(none)",
            "contract": rendering.contract_text(observation.contract),
            "inventories": self._warm("inventories", past, rendering.inventories(observation)),
            "chat": self._warm("chat", past, rendering.conversation(observation.chat)),
            "reward": rendering.reward(observation),
            "questions": self._warm("questions", past, _answers(past.answers)),
            "skills": skills,
        }

    def _common(self, observation: Observation, past: TaskHistory) -> dict[str, str]:
        held = observation.inventories.get(observation.player, {})
        return {
            "player": observation.player,
            "task": observation.task,
            "scenario": observation.scenario,
            "facts": rendering.facts(observation.facts),
            "inventory": ", ".join(f"{count} {item}" for item, count in sorted(held.items())) or "(nothing)",
            "completed": _listed(past.completed),
            "failed": _listed(past.failed),
        }

    def _warm(self, what: str, past: TaskHistory, text: str) -> str:
        return text if len(past.completed) >= self._warm_up[what] else _LATER


def _task(text: str, past: TaskHistory) -> tuple[CurriculumTask, str]:
    """Return the task and the reasoning for it."""
    found = json_answer(text, _Proposal, "no-task")
    if not found.task.isprintable():
        raise ReplyError("no-task", "task: has to be one line of printable characters")
    if found.task in past.completed:
        raise ReplyError("done-task", f"task: {found.task!r} has been completed: propose another one")
    return CurriculumTask(text=found.task, goal=found.goal), found.reasoning


def _messages(prompt: Prompt, values: Mapping[str, str]) -> list[ChatMessage]:
    system, user = prompt.fill(values)
    return [ChatMessage("system", system), ChatMessage("user", user)]


def _listed(tasks: Sequence[str]) -> str:
    return "; ".join(tasks[-SHOWN:]) or "(none)"


def _answers(known: Mapping[str, str]) -> str:
    lines = [f"- {question} {answer}" for question, answer in list(known.items())[-SHOWN:]]
    return "\n".join(lines) or "(none)"
