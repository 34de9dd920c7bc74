"""Topics of goals, named by a model from a finished record (Project Sid, 8.4 and appendix E)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from dilemmas.records import events as log
from voyager_agents.errors import AgentError, BudgetExhausted, QuotaExhausted
from voyager_agents.lexicon import Lexicon
from voyager_agents.piano.topic_rater import TopicRater


@dataclass
class GoalHistory:
    """Goals of the last attempt."""

    goals: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    """Player -> (second, goal); a goal that is set again without another in between has one entry."""

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        if isinstance(event, log.EpisodeStarted):
            self.goals = {}
        elif isinstance(event, log.SlotWritten) and event.slot == "goal" and isinstance(event.value, Mapping):
            text, goals = str(event.value.get("text", "")), self.goals.setdefault(event.player, [])
            if text and (not goals or goals[-1][1] != text):
                goals.append((event.t_s, text))


@dataclass(frozen=True)
class TopicUse:
    """Occurrence of a topic in the goals of a record."""

    topic: log.NamedTopic
    goals: int
    """Number of goals with one of its keywords."""
    players: int
    """Number of players with such a goal."""


def topic_uses(history: GoalHistory, named: log.TopicsNamed) -> list[TopicUse]:
    """Return the occurrence of each topic in goals, in the order of the topics.

    Args:
        history: The goals.
        named: The topics.
    """
    lexicon = Lexicon(topics=named.words)
    found = [
        (name, player) for player, goals in history.goals.items() for _, text in goals for name in lexicon.about(text)
    ]
    counts, players = Counter(name for name, _ in found), Counter(name for name, _ in {*found})
    return [TopicUse(each, counts[each.name], players[each.name]) for each in named.topics or ()]


async def name_topics(lines: Iterable[log.LogLine], rater: TopicRater) -> list[log.TopicsNamed]:
    """Return the topics of all goals in a log; empty if nobody had a goal.

    Args:
        lines: Lines of the log.
        rater: Model that names topics.

    Raises:
        BudgetExhausted: The budget is used up.
        QuotaExhausted: The account with the model's provider is used up.
    """
    found = GoalHistory()
    for line in lines:
        found.add_event(line.event)
    if not found.goals:
        return []
    try:
        told = await rater.summarize(found.goals)
        summaries = {player: text for player, text in told.items() if text is not None}
        topics = await rater.name_topics(summaries)
    except (BudgetExhausted, QuotaExhausted):
        raise
    except AgentError as error:
        return [log.TopicsNamed(topics=None, summaries={}, unread=len(found.goals), fault=str(error))]
    named = None if topics is None else [log.NamedTopic(**each.model_dump()) for each in topics]
    return [log.TopicsNamed(topics=named, summaries=summaries, unread=len(told) - len(summaries))]
