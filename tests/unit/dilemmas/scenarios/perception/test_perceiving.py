"""Agents' opinions of each other, from logs whose truth is known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from dilemmas.records import events as log
from dilemmas.scenarios.perception.measures import MIN_OBSERVERS, people, points, society_of, table
from dilemmas.scenarios.societies.perceiving import PerceptionHistory


def take(told: Iterable[log.Event]) -> PerceptionHistory:
    found = PerceptionHistory()
    for event in told:
        found.add_event(event)
    return found


def truth(study: Any, **more: Any) -> log.TruthTold:  # noqa: ANN401 - of any study
    told: dict[str, Any] = {"judges": ["Ava"], "likeability": {}, "extroversion": {}, **more}
    return log.TruthTold(study=study, **told)


def thinks(t_s: float, observer: str, **felt: float) -> log.SlotWritten:
    value = {name: {"summary": "", "sentiment": each, "activity": ""} for name, each in felt.items()}
    return log.SlotWritten(t_s=t_s, player=observer, slot="profiles", version=1, writer="social_awareness", value=value)


def impressed(t_s: float, observer: str, **felt: float) -> log.SlotWritten:
    return log.SlotWritten(t_s=t_s, player=observer, slot="impressions", version=1, writer="impressions", value=felt)


def says(t_s: float, speaker: str, *hearers: str, text: str = "Hello.") -> log.Speech:
    return log.Speech(t_s=t_s, speaker=speaker, voice="say", text=text, at=(0, 0, 0), hearers=list(hearers))


def end(t_s: float) -> log.EndStateRead:
    return log.EndStateRead(t_s=t_s, players={}, chest={}, reason="time_limit", wall_s=1)


ROOM = {"Lila": {"Ava": [(0.0, 0.0), (100.0, 10.0)]}}


def test_a_thought_that_follows_the_truth_has_a_correlation_of_one_and_its_bias() -> None:
    told = [thinks(t_s - 1.0, "Ava", Lila=t_s / 10 * 0.5 + 2) for t_s in range(10, 101, 10)]
    found = take([truth("room", feelings=ROOM), impressed(1, "Ava", Lila=5.0), *told, end(100)])
    measured = society_of(found)
    assert measured["perception"] == pytest.approx({"n": 10, "slope": 0.5, "intercept": 2.0, "r": 1.0})
    assert measured["mean_error"] == pytest.approx(sum(2 - 0.5 * x for x in range(1, 11)) / 10)
    assert [each.t_s for each in points(found)] == list(range(10, 101, 10))


def test_first_impressions_count_until_social_awareness_has_thought_and_words_alone_are_neutral() -> None:
    begun = [truth("room", feelings=ROOM), says(1, "Lila", "Ava"), says(1, "Ava", "Lila")]
    assert take(begun).felt == {("Ava", "Lila"): 5.0}
    assert take([*begun, impressed(2, "Ava", Lila=6.5)]).felt == {("Ava", "Lila"): 6.5}
    judged = [*begun, thinks(2, "Ava", Lila=1.0), impressed(3, "Ava", Lila=6.5)]
    assert take(judged).felt == {("Ava", "Lila"): 1.0}
    assert take([*judged, log.EpisodeStarted(attempt=2), truth("room")]).felt == {}, "an attempt begins anew"
    still = society_of(take([*begun, impressed(2, "Ava", Lila=6.5), end(60)]))
    assert still["perception"]["r"] is None
    assert still["perception"]["slope"] == 0


def test_in_a_town_a_person_knows_a_speaker_only_after_enough_words() -> None:
    names = ["Ada", "Bea", "Cleo"]
    told = truth(
        "town", judges=names, likeability=dict.fromkeys(names, 5.0), extroversion=dict.fromkeys(names, 0.5), ties=2
    )
    words = [says(t_s, "Ada", "Bea", "Cleo", text="Bea, good day.") for t_s in (1, 2)]
    found = take([told, *words, thinks(3, "Cleo", Ada=9.0), thinks(3, "Bea", Ada=8.0), end(20)])
    assert found.felt == {("Bea", "Ada"): 8.0}
    measured = society_of(found)
    assert (measured["ties"], measured["pairs"]) == (1, 0)


def test_the_tables_of_a_town_leave_out_who_has_too_few_observers() -> None:
    names = [f"P{n:02}" for n in range(12)]
    told = truth(
        "town",
        judges=names,
        likeability={name: float(n) * 10 / 11 for n, name in enumerate(names)},
        extroversion={name: n / 11 for n, name in enumerate(names)},
    )
    # Number n is known by n others, of lower numbers, who think of it what it is, half as far from five.
    felt = [
        thinks(1, observer, **{other: 5 + (told.likeability[other] - 5) / 2})
        for n, other in enumerate(names)
        for observer in [name for name in names if name != other][:n]
    ]
    found = take([told, *felt, end(30)])
    rows = table(people(found))
    counts = [None if (row := rows[least]) is None else row.n for least in MIN_OBSERVERS]
    assert counts == [*range(11, 2, -1), None, None]
    first = rows[1]
    assert first is not None
    assert (first.slope, first.intercept, first.r) == pytest.approx((0.5, 2.5, 1.0))
    measured = society_of(found)
    assert measured["in_degree_by_extroversion"]["r"] == pytest.approx(1.0)
    assert measured["pairs"] == 0, "nobody knows somebody of a higher number"
    assert measured["slope_over_time"]["rows"][-1] == [30.0, pytest.approx(0.5), 7]


def test_two_directions_of_a_pair_are_as_far_apart_as_they_are() -> None:
    told = truth("town", judges=["Ada", "Bea", "Cleo"])
    found = take(
        [told, thinks(1, "Ada", Bea=9.0, Cleo=5.0), thinks(1, "Bea", Ada=6.5), thinks(2, "Cleo", Ada=5.0), end(9)]
    )
    measured = society_of(found)
    assert (measured["pairs"], measured["mean_difference"]) == (2, pytest.approx(1.25))
    assert measured["differences"] == [1, 0, 1, 0, 0, 0, 0, 0, 0, 0]


def test_food_is_counted_by_who_received_it_and_nothing_is_lost() -> None:
    guests = {name: {"Remy": [(0.0, felt)]} for name, felt in (("Adam", 9.0), ("Bob", 5.0), ("Charles", 1.0))}
    none = {"Remy": 12, "Adam": 0, "Bob": 0, "Charles": 0}
    given = {"Remy": 3, "Adam": 2, "Bob": 3, "Charles": 1}
    found = take(
        [
            truth("chef", judges=["Remy"], feelings=guests, foods=["bread"]),
            thinks(1, "Remy", Adam=8.0, Bob=5.0, Charles=2.0),
            log.FoodSeen(t_s=0, held=none, received=dict.fromkeys(none, 0)),
            log.FoodSeen(t_s=9, held=given, received={"Remy": 0, "Adam": 5, "Bob": 3, "Charles": 1}),
            end(20),
        ]
    )
    measured = society_of(found)
    assert measured["guests"]["rows"] == [["Adam", 9.0, 8.0, 5], ["Bob", 5.0, 5.0, 3], ["Charles", 1.0, 2.0, 1]]
    assert (measured["given"], measured["received"]) == (9, 9)
    assert measured["food_by_perceived"]["slope"] == pytest.approx(2 / 3)
