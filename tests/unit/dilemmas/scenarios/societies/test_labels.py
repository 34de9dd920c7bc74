"""Labels of a record by rater, and topics that were planted in its goals."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import pytest

from dilemmas.records import events as log
from dilemmas.scenarios.societies.labels import RECORD, read_items
from dilemmas.scenarios.societies.roles import NO_ROLE
from dilemmas.scenarios.societies.topics import name_topics
from tests.fakes.known_lives import goal, line, village
from tests.fakes.rated import PLANTED, respond
from voyager_agents.asking import Asker
from voyager_agents.errors import BudgetExhausted, ModelError
from voyager_agents.models import ChatMessage, Reply, Settings
from voyager_agents.models.fake_server import Request
from voyager_agents.piano.topic_rater import TopicRater
from voyager_agents.roles import RATER


class Scripted:
    """The scripted model of `tests.fakes.rated`, without a server; or one that fails."""

    name = "scripted"

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        if self._error is not None:
            raise self._error
        told = [{"role": each.role, "content": each.content} for each in messages]
        return Reply(respond(Request("", "", {"messages": told})))

    async def close(self) -> None:
        """Do nothing."""


def planted() -> list[log.LogLine]:
    """Return goals of thirty people: ten about dance, ten about eco, ten about neither."""
    goals = ["You practise the waltz.", "You ask all to join the recycling.", "You mine ores."]
    return [line(goal(10.0 * step, f"P{n}", f"{goals[n % 3]} Day {step}.")) for step in range(3) for n in range(30)]


def topics_of(lines: Sequence[log.LogLine], error: Exception | None = None) -> list[log.TopicsNamed]:
    return asyncio.run(name_topics(lines, TopicRater(Asker(Scripted(error), RATER))))


def test_planted_topics_are_found() -> None:
    (found,) = topics_of(planted())
    assert {name: {*words} for name, words in found.words.items()} == {
        "dance": {*PLANTED["dance"]}, "eco": {*PLANTED["eco"]},
    }  # fmt: skip
    assert (len(found.summaries), found.unread, found.fault) == (30, 0, "")
    labels = read_items(planted()).labels({"m": [found]})["goal with a topic"]
    assert labels.keys() == {"m"}
    assert labels["m"] == {(f"P{n}", step): "no" if n % 3 == 2 else "yes" for n in range(30) for step in range(3)}


def test_a_record_without_goals_has_no_topics_and_a_model_that_fails_says_why() -> None:
    assert topics_of([line(log.EpisodeStarted(attempt=1))]) == []
    (failed,) = topics_of(planted(), ModelError("the endpoint is gone"))
    assert (failed.topics, failed.fault) == (None, "the endpoint is gone")
    with pytest.raises(BudgetExhausted):
        topics_of(planted(), BudgetExhausted("over"))
    assert json.loads(line(failed).to_json())["kind"] == "topics_named"


def test_the_record_labels_by_its_own_rules_and_raters_by_their_answers_alone() -> None:
    rated = [
        log.LifeRated(player="Ann", roles=[["miner", "farmer"], [], []], unrated=[2], agree={1: False}),
        log.LifeRated(player="Cid", roles=[], agree={}),
    ]
    labels = read_items(village()).labels({"m": rated})
    roles, deeds = labels["role"], labels["words and deeds"]
    assert roles["m"] == {("Ann", 0): "miner", ("Ann", 1): NO_ROLE, ("Ann", 2): None}
    assert {roles[RECORD]["Ann", place] for place in range(16)} == {"farmer"}
    assert deeds[RECORD] == {
        (name, n): "yes" if name == "Ann" else "no" for name in ("Ann", "Cid") for n in range(1, 5)
    }
    assert deeds["m"]["Ann", 1] == "no"
    assert {deeds["m"][name, n] for name in ("Ann", "Cid") for n in range(2, 5)} == {None}
    assert labels.keys() == {"role", "words and deeds"}


def test_ratings_during_the_run_are_those_of_the_record() -> None:
    *lines, end = village()
    own = log.LifeRated(player="Ann", roles=[["miner"]] * 16, agree=dict.fromkeys(range(1, 5), False))
    labels = read_items([*lines, line(own), end]).labels({"m": [own]})
    for question in ("role", "words and deeds"):
        told = labels[question]  # type: ignore[index] # questions of the record
        assert {label for (player, _), label in told[RECORD].items() if player == "Ann"} == {*told["m"].values()}


def test_sentiments_are_those_that_the_agent_wrote_or_a_model_gave() -> None:
    truth = log.TruthTold(study="room", judges=["Ava"], likeability={}, extroversion={})

    def profile(t_s: float, player: str, felt: float) -> log.SlotWritten:
        value = {
            "Lila": {"summary": "x", "sentiment": felt},
            "Noah": {"summary": "y"},
            "Eve": 3,
            "Max": {"sentiment": 10**400},
        }
        return log.SlotWritten(t_s=t_s, player=player, slot="profiles", version=1, writer="x", value=value)

    def scored(*scores: tuple[str, float, float | None]) -> log.SummariesRated:
        return log.SummariesRated(
            scores=[log.ScoredThought(observer=who, of="Lila", t_s=t_s, score=score) for who, t_s, score in scores]
        )

    lines = [line(each) for each in (truth, profile(1, "Ava", 7), profile(2, "Ava", 8), profile(3, "Lila", 9))]
    rated = {"m": [scored(("Ava", 1, 2.5), ("Ava", 2, None), ("", 0, 4))]}
    labels = read_items(lines).labels(rated)["sentiment"]
    assert labels == {
        RECORD: {("Ava", "Lila", 1): 7, ("Ava", "Lila", 2): 8},
        "m": {("Ava", "Lila", 1): 2.5, ("Ava", "Lila", 2): None},
    }
    online = read_items([*lines, line(scored(("Ava", 2, 1), ("", 0, 4)))]).labels(rated)["sentiment"]
    assert online[RECORD] == {("Ava", "Lila", 1): 7, ("Ava", "Lila", 2): 1}


def test_only_the_last_attempt_has_items() -> None:
    lines = [*planted(), line(log.EpisodeStarted(attempt=2)), line(goal(1, "Ann", "You waltz."))]
    (found,) = topics_of(lines)
    assert found.summaries.keys() == {"Ann"}
    assert read_items(lines).labels({"m": [found]})["goal with a topic"]["m"] == {("Ann", 0): "yes"}
