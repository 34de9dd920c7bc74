"""Measures of spread by words, against logs whose truth is known, and against networkx and shapely."""

from __future__ import annotations

import io
import math
import random
from itertools import count, pairwise
from types import SimpleNamespace
from typing import Any, cast

import networkx as nx
import pytest
import shapely

from accord.analysis.report.towns.findings import SpreadingRun, TownFindings, sentence
from dilemmas.records import events as log
from dilemmas.scenarios.religion.measures import MAX_SAMPLES, Spreading, measures, society_of, spreading
from dilemmas.scenarios.societies.areas import area
from dilemmas.scenarios.societies.exposures import Believer, Exposures, edges, graphml
from voyager_agents.lexicon import Lexicon

FAITH, THEME, OTHER = "I am a PASTAFARIAN now.", "Some spaghetti?", "Good day."
NUMBERS = count()
FOLK = {
    "Prior": ("A", "priest"),
    "Ann": ("A", ""),
    "Bob": ("A", ""),
    "Cid": ("B", ""),
    "Dee": ("", ""),
    "Eve": ("", ""),
}
TOWNS = {"A": log.TownTold(at=(0, 0), radius=10), "B": log.TownTold(at=(100, 0), radius=10)}


def settled(deaf: bool = False) -> log.PeopleSettled:
    people = {name: log.Folk(town=town, role=role) for name, (town, role) in FOLK.items()}
    return log.PeopleSettled(
        field=(-50, -50, 150, 50), towns=TOWNS, people=people, hearing=16, deaf=deaf,
        direct=["Pastafarian", "Spaghetti Monster"], indirect=["Pasta", "Spaghetti"],
        memes={"eco": ["eco"], "dance": ["dance"]},
    )  # fmt: skip


def words(t_s: float, speaker: str, text: str, *hearers: str) -> log.Speech:
    return log.Speech(t_s=t_s, speaker=speaker, voice="say", text=text, at=(0, 0, 0), hearers=list(hearers))


def goal(t_s: float, player: str, text: str) -> log.SlotWritten:
    value = {"text": text}
    return log.SlotWritten(t_s=t_s, player=player, slot="goal", version=1, writer="goal_generation", value=value)


def places(t_s: float, **xs: float) -> log.PlacesSeen:
    return log.PlacesSeen(t_s=t_s, at={name: (x, 0.0, 0.0) for name, x in xs.items()})


def read(*events: log.Event, deaf: bool = False, author: str = "dwellers/dweller") -> Spreading:
    terms = {name: log.PlayerTerms(prices={}, author=author) for name in FOLK}
    started = log.RunStarted(run="r", scenario="religion", version=1, condition="priests", contract_kind="none",
                             world="mock", seed=0, players=terms)  # fmt: skip
    head: list[log.Event] = [started, log.EpisodeStarted(attempt=1), settled(deaf)]
    end = log.EndStateRead(t_s=300, players={}, chest={}, reason="time_limit", wall_s=0.0)
    return spreading(log.LogLine(next(NUMBERS), None, 0.0, 1, each) for each in [*head, *events, end])


def preached() -> list[log.Event]:
    """Return speeches: the priest reaches Ann and Bob; Ann tells Cid, who tells Dee; Eve hears all, says nothing."""
    return [
        words(1, "Prior", FAITH, "Ann", "Bob"),
        words(2, "Prior", FAITH, "Ann", "Eve"),
        words(3, "Ann", THEME, "Bob", "Eve"),
        words(4, "Bob", OTHER, "Ann"),
        words(5, "Ann", FAITH, "Cid", "Eve"),
        words(6, "Cid", THEME, "Dee", "Ann"),
        words(7, "Ann", THEME, "Cid"),
        words(8, "Dee", FAITH, "Eve"),
        words(9, "Prior", FAITH, "Cid"),
    ]


def test_levels_follow_from_ones_own_words_and_only_rise() -> None:
    found = read(*preached())
    people = found.exposures.people
    assert {name: each.group for name, each in people.items()} == {
        "Prior": "priest", "Ann": "direct", "Bob": "none", "Cid": "indirect", "Dee": "direct", "Eve": "none",
    }  # fmt: skip
    assert [(rise.t_s, rise.level) for rise in people["Ann"].rises] == [(3, 1), (5, 2)]
    assert [found.exposures.counts_at(t)["indirect"] for t in (2.9, 3, 5, 6, 8)] == [0, 1, 0, 1, 1]
    assert found.counts == {"indirect": 1, "direct": 2}
    assert measures([])["level"] == {}


def test_each_convert_has_the_first_exposure_before_its_conversion_as_critical() -> None:
    converts = read(*preached()).exposures.converts
    critical = {name: (each.critical.speaker, each.critical.t_s) for name, each in converts.items() if each.critical}
    assert critical == {"Ann": ("Prior", 1), "Cid": ("Ann", 5), "Dee": ("Cid", 6)}
    assert [each.rises[0].exposures for each in converts.values()] == [2, 1, 1]


def test_the_depth_is_that_of_networkx_and_the_graph_can_be_read_by_it() -> None:
    found = read(*preached()).exposures
    assert found.depths() == {"Ann": 1, "Cid": 2, "Dee": 3}
    graph = nx.read_graphml(io.BytesIO(graphml(found).encode()))
    assert set(graph.nodes) == {"Prior", "Ann", "Cid", "Dee"}
    assert graph.nodes["Prior"]["group"] == "priest"
    assert graph.nodes["Dee"] == {"group": "direct", "town": "", "converted_s": 8.0}
    critical = nx.DiGraph((one, other) for one, other, data in graph.edges(data=True) if data["critical"])
    assert nx.is_directed_acyclic_graph(critical)
    lengths = nx.single_source_shortest_path_length(critical, "Prior")
    assert {name: length for name, length in lengths.items() if length} == found.depths()
    assert graph.edges["Ann", "Cid"] == {"critical": True, "first_s": 5.0, "times": 2}
    assert graph.edges["Prior", "Cid"]["critical"] is False


def test_hostile_names_do_not_break_the_graph() -> None:
    found = Exposures({"<a&b>": Believer(role="priest"), "c\"'d": Believer()})
    found.add_speech(1, "<a&b>", 2, ["c\"'d"])
    found.add_speech(2, "c\"'d", 1, [])
    assert list(nx.read_graphml(io.BytesIO(graphml(found).encode())).edges) == [("<a&b>", "c\"'d")]


def test_a_large_random_society_agrees_with_networkx() -> None:
    chance = random.Random(4)
    names = [f"n{number}" for number in range(120)]
    found = Exposures({name: Believer("priest" if number < 5 else "") for number, name in enumerate(names)})
    graph = nx.MultiDiGraph()
    for t_s in range(1500):
        speaker = chance.choice(names)
        own = found.people[speaker]
        if own.role == "priest" or own.rises or (own.exposures and chance.random() < 0.1):
            hearers = chance.sample([name for name in names if name != speaker], 3)
            found.add_speech(t_s, speaker, 2, hearers)
            graph.add_edges_from((speaker, name, t_s) for name in hearers)
    assert not found.spontaneous
    assert len(found.converts) > 50
    for name, each in found.converts.items():
        first = min(graph.in_edges(name, keys=True), key=lambda edge: edge[2])
        assert each.critical is not None
        assert (each.critical.speaker, each.critical.t_s) == (first[0], first[2])
        assert each.exposures == graph.in_degree(name)
    simple = nx.DiGraph(graph)
    assert sum(edge.times for edge in edges(found)) == sum(graph.in_degree(name) for name in found.converts)
    assert {(e.speaker, e.hearer) for e in edges(found)} == {e for e in simple.edges if e[1] in found.converts}
    forest = nx.DiGraph((edge.speaker, edge.hearer) for edge in edges(found) if edge.critical)
    assert nx.is_forest(forest)
    assert nx.dag_longest_path_length(forest) == max(found.depths().values())


@pytest.mark.parametrize("author", ["dwellers/dweller", "piano/openai/m", "mine/agent"])
def test_a_conversion_without_hearing_is_reported_for_every_kind_of_agent(author: str) -> None:
    found = read(words(1, "Eve", FAITH, "Bob"), words(2, "Prior", FAITH, "Eve"), author=author)
    assert found.wrong() == ["Eve converted and had heard nothing of it"]
    assert society_of(found)["words_alone_convert"] is False


def test_hearing_at_the_instant_of_the_conversion_is_not_hearing_before() -> None:
    told = [
        words(1, "Prior", FAITH, "Ann"),
        words(2, "Prior", FAITH, "Ann", "Bob"),
        words(2, "Ann", FAITH, "Cid"),
        words(2, "Bob", FAITH, "Cid"),
        words(3, "Cid", FAITH, "Dee"),
        words(3, "Dee", FAITH),
    ]
    found = read(*told)
    people = found.exposures.people
    assert {name: each.critical and each.critical.speaker for name, each in found.exposures.converts.items()} == {
        "Ann": "Prior", "Bob": None, "Cid": "Ann", "Dee": None,
    }  # fmt: skip
    assert [people[name].rises[0].exposures for name in ("Ann", "Bob", "Cid", "Dee")] == [1, 0, 2, 0]
    assert {pair: heard.before for pair, heard in found.exposures.pairs.items()} == {
        ("Prior", "Ann"): 1, ("Prior", "Bob"): 0, ("Ann", "Cid"): 1, ("Bob", "Cid"): 1, ("Cid", "Dee"): 0,
    }  # fmt: skip
    assert (found.exposures.spontaneous, found.exposures.at_once) == (["Bob", "Dee"], ["Bob", "Dee"])
    assert found.wrong()[0] == "Bob converted when it heard of it first"
    # The log's order within an instant says nothing.
    assert read(*told[:1], told[2], told[3], told[1], told[5], told[4]).exposures.spontaneous == ["Bob", "Dee"]


def test_measures_without_people_are_none() -> None:
    told = society_of(read(words(1, "Prior", FAITH, "Eve")))
    assert (told["converts"], told["words_alone_convert"], told["wrong"]) == ({"indirect": 0, "direct": 0}, None, [])
    assert society_of(Spreading())["words_alone_convert"] is None


def sentence_of(*events: log.Event, deaf: bool = False) -> str:
    found = read(*events, deaf=deaf)
    run = cast(SpreadingRun, SimpleNamespace(recomputed=society_of(found), values={}))
    return sentence(
        TownFindings(cast(Any, None), (cast(Any, SimpleNamespace(name="a", runs=(run,), measure=lambda _: None)),))
    )


@pytest.mark.parametrize(
    ("events", "deaf", "said"),
    [
        (preached(), False, "In these runs each of the 3 converts had heard of it before."),
        ([words(1, "Prior", FAITH, "Eve")], False, "Nobody converted."),
        ([], False, "Nobody converted."),
        ([words(1, "Prior", FAITH, "Eve")], True, "Nobody converted, but Eve heard Prior, and all are deaf."),
        (
            [*preached(), words(10, "Prior", FAITH, "Bob"), words(10, "Zoe", THEME), words(11, "Eve", THEME)],
            False,
            "In these runs 4 of 5 converts had heard of it before, 1 had heard nothing of it (such as: Zoe conv",
        ),
        (
            [words(1, "Prior", FAITH, "Eve"), words(1, "Eve", FAITH), words(1, "Dee", THEME)],
            False,
            "In these runs 0 of 2 converts had heard of it before, 1 converted at the very second of hearing it",
        ),
    ],
)
def test_the_reports_sentence_says_what_was_measured(events: list[log.Event], deaf: bool, said: str) -> None:
    assert f" {said}" in sentence_of(*events, deaf=deaf)


def test_a_conversion_without_hearing_is_reported_and_breaks_the_rule() -> None:
    assert read(*preached()).wrong() == []
    found = read(words(1, "Eve", FAITH, "Bob"), words(2, "Prior", FAITH, "Eve"))
    assert found.exposures.spontaneous == ["Eve"]
    assert found.wrong() == ["Eve converted and had heard nothing of it"]
    assert society_of(found)["words_alone_convert"] is False
    assert read(words(1, "Prior", FAITH, "Eve"), deaf=True).wrong() == ["Eve heard Prior, and all are deaf"]


def test_the_area_is_that_of_the_union_of_discs() -> None:
    whole = math.pi * 16**2
    assert area([], 16) == 0
    assert area([(0, 64, 0)], 16) == pytest.approx(whole, rel=2e-3)
    assert area([(0, 64, 0), (0, -60, 0), (0.0, 0, 0.0)], 16) == pytest.approx(whole, rel=2e-3)
    assert area([(0, 0, 0), (100, 0, 0)], 16) == pytest.approx(2 * whole, rel=2e-3)
    lens = 2 * 16**2 * math.acos(0.5) - 8 * math.sqrt(4 * 16**2 - 16**2)  # two discs, their middles a radius apart
    assert area([(0, 0, 0), (16, 0, 0)], 16) == pytest.approx(2 * whole - lens, rel=2e-3)
    spots = [(random.Random(n).uniform(0, 80), 0.0, random.Random(-n).uniform(0, 80)) for n in range(1, 40)]
    grid = [(x + 0.5, z + 0.5) for x in range(-16, 96) for z in range(-16, 96)]
    inside = sum(any(math.dist(cell, (x, z)) <= 16 for x, _, z in spots) for cell in grid)
    assert area(spots, 16) == pytest.approx(inside, rel=0.01)


def test_the_area_over_time_follows_those_who_have_converted() -> None:
    found = read(
        places(0, Ann=0, Cid=100), words(1, "Prior", FAITH, "Ann"), words(2, "Ann", THEME, "Cid"),
        places(60, Ann=0, Cid=100), words(61, "Cid", FAITH), places(120, Ann=0, Cid=100), places(125, Ann=50, Cid=100),
    )  # fmt: skip
    disc = shapely.Point(0, 0).buffer(16, quad_segs=16).area
    rows = [found.areas(sample) for sample in found.samples]
    assert [row["both"] for row in rows] == pytest.approx([0, disc, 2 * disc, 2 * disc]), "the last one is at the end"
    assert rows[-1] == pytest.approx({"indirect": disc, "direct": disc, "both": 2 * disc})


def test_memes_are_counted_where_people_are_and_by_head() -> None:
    found = read(
        goal(0, "Ann", "You begin an eco garden."), goal(0, "Bob", "You dance and recycle at the eco fair."),
        goal(0, "Dee", "You work."), places(0, Ann=0, Bob=5, Cid=100, Dee=50),
        goal(61, "Bob", "You work."), places(65, Ann=0, Bob=5, Cid=100, Dee=50),
    )  # fmt: skip
    first, second, last = (sample.moment.places for sample in found.samples)
    assert last == second
    assert (first["A"].people, first["A"].memes) == (2, {"eco": 2, "dance": 1})
    assert (second["A"].memes, second["B"].memes, second["rural"].people) == ({"eco": 1}, {}, 1)
    told = society_of(found)["memes"]
    assert told["places"]["A"] == {"people": 2, "per_head": pytest.approx((1.5 + 0.5 + 0.5) / 3)}
    assert told["places"]["rural"] == {"people": 1, "per_head": 0}
    assert (told["towns_per_head"], told["rural_share"]) == (pytest.approx(1.25 / 3), 0)


def test_a_long_run_is_held_within_bounds() -> None:
    found = read(*(places(60.0 * n, Ann=0) for n in range(5 * MAX_SAMPLES)))
    assert MAX_SAMPLES / 2 <= len(found.samples) <= MAX_SAMPLES
    times = [sample.t_s for sample in found.samples]
    assert len({round(b - a) for a, b in pairwise(times)}) == 1


def test_words_are_found_in_any_case_and_topics_as_whole_words_only() -> None:
    lexicon = Lexicon(["Pastafarian"], ["Pasta"], {"eco": ["eco"], "show": ["talent show"]})
    assert [lexicon.level(text) for text in ("pastafarians!", "PASTA", "antipasta", "bread")] == [2, 1, 1, 0]
    assert lexicon.about("An ecology of Eco-friendly TALENT SHOWs, a talent show, eco") == ["eco", "show"]
    assert Lexicon().level("anything") == 0
    assert Lexicon().about("anything") == []


def test_texts_that_a_lexicon_has_read_before_or_forgotten_are_told_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("voyager_agents.lexicon.MAX_KNOWN", 2)
    lexicon = Lexicon(["Pastafarian"], ["Pasta"], {"eco": ["eco"], "show": ["show"]})
    texts = {
        "pastafarian": (2, []),
        "a show, eco": (0, ["show", "eco"]),
        "pasta show": (1, ["show"]),
        "eco": (0, ["eco"]),
    }
    for text in [*texts, *reversed(texts), *texts]:
        # Whoever alters what it was told alters nothing for the next.
        lexicon.about(text).append("more")
        assert (lexicon.level(text), lexicon.about(text)) == texts[text]
