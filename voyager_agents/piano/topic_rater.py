"""Topics of agents' goals, found by a model: goals are summarized, and topics are named from the summaries.

Source: Project Sid, appendix E ("Summarizing goals into memes") and section 8.4, which searches the goals for the
keywords of the topics.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker
from voyager_agents.errors import ReplyError
from voyager_agents.piano.role_classifier import batches
from voyager_agents.prompts.folder import STANDARD, Prompts

Goals = Sequence[tuple[float, str]]
"""(second, goal) in the order of time."""
MAX_GOALS = 200
"""Maximum number of goals of a summary; an agent with more has several summaries."""
MAX_SUMMARIES = 25
"""Maximum number of summaries of a call that names topics."""
MAX_TOPICS, MAX_KEYWORDS = 20, 8
KEYWORD = re.compile(r"[^\W_][\w' -]{1,39}")


class GoalPeriod(Strict):
    """Goals of one period in a model answer."""

    begin: str = Field(max_length=8)
    end: str = Field(max_length=8)
    summary: str = Field(max_length=400)


class GoalSummary(Strict):
    """Model answer: summary of one agent's goals."""

    description: str = Field(max_length=300)
    periods: list[GoalPeriod] = Field(max_length=8)

    @property
    def text(self) -> str:
        """The summary in lines, as the paper has it."""
        lines = [f"- {each.begin} - {each.end}: {each.summary}" for each in self.periods]
        return "\n".join([self.description, *lines])


class Topic(Strict):
    """Topic in a model answer."""

    name: str = Field(max_length=40)
    about: str = Field(max_length=200)
    keywords: list[str] = Field(max_length=MAX_KEYWORDS)


class Topics(Strict):
    """Model answer: topics of all agents so far."""

    topics: list[Topic] = Field(max_length=MAX_TOPICS)


SUMMARY_FORM = AnswerForm(
    "summarize_goals",
    GoalSummary,
    {
        "description": "<short description>",
        "periods": [{"begin": "00:00:00", "end": "00:10:00", "summary": "<summary with keywords>"}],
    },
)
TOPICS_FORM = AnswerForm(
    "name_topics",
    Topics,
    {"topics": [{"name": "<short name>", "about": "<one sentence>", "keywords": ["<keyword>", "<keyword>"]}]},
)


class TopicRater:
    """Rater that finds topics by a model."""

    def __init__(self, asker: Asker, prompts: Prompts = STANDARD) -> None:
        self._asker = asker
        self._prompts = prompts

    async def summarize(self, goals: Mapping[str, Goals]) -> dict[str, str | None]:
        """Return agent -> summary of its goals; None for an agent whose goals could not be summarized.

        Errors of the model are passed on.

        Args:
            goals: Agent -> its goals.
        """
        found = await asyncio.gather(*(self._summarize(agent, each) for agent, each in goals.items()))
        return dict(zip(goals, found, strict=True))

    async def _summarize(self, agent: str, goals: Goals) -> str | None:
        told = [{"at": _clock(t_s), "goal": text} for t_s, text in goals]
        system, texts = self._prompts.load("summarize_goals").system, []
        for part in batches(told, self._prompts, "summarize_goals", MAX_GOALS):
            shown = quote_document({"agent": agent, "goals": part})
            answer = await self._asker.ask(system, shown, SUMMARY_FORM, part="summarize_goals")
            texts += [] if answer.value is None else [answer.value.text]
        return "\n".join(texts) or None

    async def name_topics(self, summaries: Mapping[str, str]) -> list[Topic] | None:
        """Return the topics of all summaries; None if no answer was usable.

        Summaries are read in batches; each call is shown the topics that were named before and names all of them anew.
        Errors of the model are passed on.

        Args:
            summaries: Agent -> summary of its goals.
        """
        topics: list[Topic] | None = None
        told = [{"agent": agent, "summary": text} for agent, text in summaries.items()]
        system = self._prompts.load("name_topics").system
        for part in batches(told, self._prompts, "name_topics", MAX_SUMMARIES):
            known = [each.model_dump() for each in topics or ()]
            shown = quote_document({"summaries": part, "topics named before": known})
            answer = await self._asker.ask(system, shown, TOPICS_FORM, _check, part="name_topics")
            topics = topics if answer.value is None else answer.value.topics
        return topics


def _check(answer: Topics) -> None:
    """Check that names and keywords are usable, and each keyword belongs to one topic. Raises ReplyError."""
    owner: dict[str, str] = {}
    names = [each.name.strip().casefold() for each in answer.topics]
    if "" in names:
        raise ReplyError("form", "a topic has no name")
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ReplyError("form", f"the topic {twice!r} is named twice: name each once")
    for topic in answer.topics:
        if not topic.keywords:
            raise ReplyError("form", f"the topic {topic.name!r} has no keyword")
        for keyword in topic.keywords:
            if not KEYWORD.fullmatch(keyword):
                raise ReplyError("form", f"{keyword[:40]!r} is no keyword: give a word or a short phrase")
            if owner.setdefault(keyword.casefold(), topic.name) != topic.name:
                raise ReplyError("form", f"the keyword {keyword!r} is in two topics: a keyword belongs to one")


def _clock(t_s: float) -> str:
    """Return a time as HH:MM:SS."""
    seconds = int(t_s)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
