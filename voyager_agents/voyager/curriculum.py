"""Curriculum part: proposes the next task from the player's inventory and from its completed and failed tasks.

It follows Voyager's section on the automatic curriculum: small steps, always measurable in the inventory. The prompt
grows with the number of completed tasks (`WARM_UP`), so that distant goals do not distract a beginner. At the end of
the warm-up it also asks and answers questions itself, and keeps the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pydantic import Field

from common.answers.fitting import keep_ends
from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, list_schema, text_schema
from voyager_agents import rendering
from voyager_agents.agent import Observation
from voyager_agents.asking import Asker, require_answer
from voyager_agents.errors import ReplyError
from voyager_agents.prompts.fitting import fill_with
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.skill_library.skill import MAX_COUNT, Item, Items, Line
from voyager_agents.thought_events import CURRICULUM

WARM_UP: Mapping[str, int] = {"inventory": 0, "chat": 5, "inventories": 7, "questions": 15}
"""Part of the prompt -> completed tasks before the curriculum sees it; the numbers are Voyager's for similar parts."""
MAX_QUESTIONS = 5
SHOWN = 30
"""Maximum tasks and questions shown; the last ones are kept."""
_LATER = "(not shown yet)"


class CurriculumTask(Strict):
    """A player's task for an episode."""

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


class GoalItem(Strict):
    """An item that the player has to hold at the end."""

    item: Item
    count: int = Field(ge=1, le=MAX_COUNT)


class TaskAnswer(Strict):
    """Answer with the next task."""

    reasoning: str = Field(max_length=1000)
    task: str = Field(min_length=1, max_length=200)
    goal: list[GoalItem] = Field(min_length=1, max_length=8)


class SelfQuestion(Strict):
    """A question with its answer."""

    question: str = Field(min_length=1, max_length=300)
    answer: str = Field(min_length=1, max_length=500)


class QuestionsAnswer(Strict):
    """Answer with questions that the player asks itself."""

    questions: list[SelfQuestion] = Field(max_length=MAX_QUESTIONS)


_SHORT_QUESTION = bounded_schema(SelfQuestion)
_SHORT_QUESTION["properties"] = {"question": text_schema(150, 1), "answer": text_schema(200, 1)}
"""Bounds in the schema, so that small models are not cut off; the parser takes longer texts."""
TASK_FORM = AnswerForm(
    "task",
    TaskAnswer,
    {
        "reasoning": "<what the player has, can do and lacks>",
        "task": "Mine 3 iron ore",
        "goal": [{"item": "raw_iron", "count": 3}],
    },
    reasoning="reasoning",
)
QUESTIONS_FORM = AnswerForm(
    "questions",
    QuestionsAnswer,
    {"questions": [{"question": "Which tool does diamond ore need?", "answer": "An iron pickaxe or a better one."}]},
    narrowed={"questions": list_schema(_SHORT_QUESTION, 0, MAX_QUESTIONS)},
)


@dataclass(frozen=True)
class TaskHistory:
    """A player's past tasks."""

    completed: Sequence[str] = ()
    failed: Sequence[str] = ()
    answers: Mapping[str, str] = field(default_factory=dict)
    """Question -> answer."""


class CurriculumPart:
    """Requests the next task from a model."""

    def __init__(self, asker: Asker, warm_up: Mapping[str, int] = WARM_UP, prompts: Prompts = STANDARD) -> None:
        self.reasoning = ""
        """Reasoning for the last proposed task."""
        self._asker = asker
        self._warm_up = warm_up
        self._prompt = prompts.load("curriculum")
        self._questions = prompts.load("questions")

    async def ask(self, observation: Observation, past: TaskHistory) -> dict[str, str]:
        """Return new questions with their answers; empty during the warm-up or if no answer can be read."""
        if len(past.completed) < self._warm_up["questions"]:
            return {}
        values = self._common(observation, past) | {"known": _answers(past.answers)}
        question = self._asker.fit(values, keep_ends("known"), fill_with(self._questions), QUESTIONS_FORM)
        answer = await self._asker.ask(*question, QUESTIONS_FORM, part="questions")
        found = [] if answer.value is None else answer.value.questions
        return {each.question: each.answer for each in found if each.question not in past.answers}

    async def propose(self, observation: Observation, past: TaskHistory, skills: str) -> CurriculumTask:
        """Return the next task. Raises ReplyError if no answer was usable."""
        values = self._values(observation, past, skills)
        question = self._asker.fit(values, keep_ends("chat", "questions", "skills"), fill_with(self._prompt), TASK_FORM)
        answer = await self._asker.ask(*question, TASK_FORM, lambda given: _check_task(given, past), part=CURRICULUM)
        proposal = require_answer(answer)
        self.reasoning = proposal.reasoning
        goal: dict[str, int] = {}
        for each in proposal.goal:
            # To hold 3 and to hold 6 of an item is to hold 6.
            goal[each.item] = max(each.count, goal.get(each.item, 0))
        return CurriculumTask(text=proposal.task, goal=goal)

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


def _check_task(proposal: TaskAnswer, past: TaskHistory) -> None:
    """Check that the task is a new one, in one line. Raises ReplyError."""
    if not proposal.task.isprintable():
        raise ReplyError("no-task", "task: has to be one line of printable characters")
    if proposal.task in past.completed:
        raise ReplyError("done-task", f"task: {proposal.task!r} has been completed: propose another one")


def _listed(tasks: Sequence[str]) -> str:
    return "; ".join(tasks[-SHOWN:]) or "(none)"


def _answers(known: Mapping[str, str]) -> str:
    lines = [f"- {question} {answer}" for question, answer in list(known.items())[-SHOWN:]]
    return "\n".join(lines) or "(none)"
