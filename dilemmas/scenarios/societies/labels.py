"""Labels of the items in a record, by rater: roles, agreement of words and deeds, topics, sentiments.

The rater `record` stands for the record itself: a model that rated the lives when they ended or, without one, the
stated rules (tables of words, keywords of the population, sentiments that agents wrote). A rater's empty or unusable
answer is no label.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from dilemmas.records import events as log
from dilemmas.scenarios.compliance import KINDS as LAW_KINDS
from dilemmas.scenarios.compliance import ComplianceRated, ComplianceRecord, rated_labels
from dilemmas.scenarios.societies import mind, perceiving, roles
from dilemmas.scenarios.societies.lives import KINDS as LIFE_KINDS
from dilemmas.scenarios.societies.lives import LifeHistories
from dilemmas.scenarios.societies.topics import GoalHistory, TopicUse, topic_uses
from voyager_agents.lexicon import Lexicon
from voyager_agents.piano.rule_based.assumptions import rules

Question = Literal["role", "words and deeds", "goal with a topic", "sentiment", "compliance"]
SCORED: frozenset[Question] = frozenset({"sentiment"})
"""Questions whose labels are numbers; those of all others are categories."""
RECORD = "record"
KINDS = LIFE_KINDS | LAW_KINDS | {"truth", "summaries_rated"}
"""Kinds of events that labels are made from."""
Item = tuple[str | float, ...]
Label = str | float
Rated = log.Event | ComplianceRated
"""An event of a log, or a rating that is kept beside one."""
Labels = Mapping[Item, Label | None]
"""Item -> its label; None if the rater gave none."""


@dataclass
class LabelledItems:
    """Items of the last attempt in a record, and what the record itself says of them."""

    lives: LifeHistories = field(default_factory=LifeHistories)
    goals: GoalHistory = field(default_factory=GoalHistory)
    memes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Topic of the population -> words that identify it."""
    sentiments: dict[Item, float] = field(default_factory=dict)
    """(observer, observed, second) -> sentiment that the observer wrote."""
    scored: list[log.SummariesRated] = field(default_factory=list)
    """Scores by a model when the lives ended."""
    judges: frozenset[str] = frozenset()
    law: ComplianceRecord = field(default_factory=ComplianceRecord)

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        self.lives.add_event(event)
        self.goals.add_event(event)
        self.law.add_event(event)
        match event:
            case log.EpisodeStarted():
                self.memes, self.sentiments, self.scored, self.judges = {}, {}, [], frozenset()
            case log.PeopleSettled():
                self.memes = event.memes
            case log.TruthTold():
                self.judges = frozenset(event.judges)
            case log.SummariesRated():
                self.scored = [event]
            case log.SlotWritten(slot="profiles") if event.player in self.judges:
                for name, felt, _ in perceiving.profiles_in(event.value):
                    self.sentiments[event.player, name, event.t_s] = felt
            case _:
                pass

    def labels(self, ratings: Mapping[str, Sequence[Rated]]) -> dict[Question, dict[str, Labels]]:
        """Return question -> rater -> labels; a question that nobody answered is left out.

        Args:
            ratings: Rater -> its ratings of the record.
        """
        found: dict[Question, dict[str, Labels]] = {
            "role": {RECORD: self._recorded_roles()},
            "words and deeds": {RECORD: self._recorded_agreements()},
            "goal with a topic": {RECORD: self._with_topic(self.memes) if self.memes else {}},
            "sentiment": {RECORD: self._recorded_sentiments()},
            "compliance": {RECORD: self.law.recorded()},
        }
        for rater, events in ratings.items():
            lives = [each for each in events if isinstance(each, log.LifeRated)]
            found["role"][rater] = self._rated_roles(lives)
            found["words and deeds"][rater] = self._rated_agreements(lives)
            named = _topics_in(events)
            found["goal with a topic"][rater] = {} if named is None else self._goals_with(named)
            found["sentiment"][rater] = _scores([each for each in events if isinstance(each, log.SummariesRated)])
            found["compliance"][rater] = rated_labels(events)
        return {
            question: {rater: each for rater, each in told.items() if each}
            for question, told in found.items()
            if any(told[rater] for rater in ratings)
        }

    def topics(self, ratings: Mapping[str, Sequence[Rated]]) -> dict[str, list[TopicUse]]:
        """Return rater -> occurrence of its topics in the goals; a rater without topics is left out.

        Args:
            ratings: Rater -> its ratings of the record.
        """
        named = {rater: _topics_in(events) for rater, events in ratings.items()}
        return {rater: topic_uses(self.goals, each) for rater, each in named.items() if each is not None}

    def _recorded_roles(self) -> dict[Item, str]:
        return {
            (player, place): step.role
            for player, life in self.lives.lives.items()
            for place, step in enumerate(roles.role_changes(life.goals, rules(), life.rated_roles))
        }

    def _rated_roles(self, lives: Sequence[log.LifeRated]) -> dict[Item, str | None]:
        """Return the first role of each set of goals; a set that no role fits has the label of no role."""
        return {
            (life.player, place): None if place in life.unrated else told[0] if told else roles.NO_ROLE
            for life in lives
            for place, told in enumerate(life.roles)
        }

    def _recorded_agreements(self) -> dict[Item, str]:
        return {
            (player, choice): _yes(agrees)
            for player, life in self.lives.lives.items()
            for choice, agrees in mind.agreements(life, rules()).items()
        }

    def _rated_agreements(self, lives: Sequence[log.LifeRated]) -> dict[Item, str | None]:
        rated = {each.player: each.agree for each in lives}
        return {
            (player, each.choice): _yes(rated[player][each.choice]) if each.choice in rated[player] else None
            for player, life in self.lives.lives.items()
            if player in rated
            for each in mind.spoken_and_done(life)
        }

    def _goals_with(self, named: log.TopicsNamed) -> dict[Item, str | None]:
        told = self._with_topic(named.words)
        return {**told} if named.topics is not None else dict.fromkeys(told)

    def _with_topic(self, words: Mapping[str, Sequence[str]]) -> dict[Item, str]:
        lexicon = Lexicon(topics=words)
        return {
            (player, place): _yes(bool(lexicon.about(text)))
            for player, goals in self.goals.goals.items()
            for place, (_, text) in enumerate(goals)
        }

    def _recorded_sentiments(self) -> dict[Item, float]:
        rated = {item: score for item, score in _scores(self.scored).items() if score is not None}
        return {item: rated.get(item, felt) for item, felt in self.sentiments.items()}


def _topics_in(events: Sequence[Rated]) -> log.TopicsNamed | None:
    return next((each for each in events if isinstance(each, log.TopicsNamed)), None)


def _scores(events: Sequence[log.SummariesRated]) -> dict[Item, float | None]:
    """Return the scores of thoughts; those of traits, which have no observer, are left out."""
    return {(each.observer, each.of, each.t_s): each.score for told in events for each in told.scores if each.observer}


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def read_items(lines: Iterable[log.LogLine]) -> LabelledItems:
    """Return the items of the last attempt in a log."""
    found = LabelledItems()
    for line in lines:
        found.add_event(line.event)
    return found
