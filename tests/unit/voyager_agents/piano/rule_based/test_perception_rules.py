"""Rule-based companions: displays are read as feelings, social awareness alone changes them, the chef gives by them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from statistics import fmean
from typing import Any

import pytest

from bridge.types import NearPlayer
from tests.fakes.life import PERSONA
from voyager_agents.piano.module import SlotView
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.perception import FILE
from voyager_agents.piano.rule_based.perception.feelings import (
    level_of,
    scripted,
    shown_in,
    summary_of,
    towards,
    words_for,
)
from voyager_agents.piano.rule_based.perception.rules import IMPRESSIONS, decide, judge, meet, talk
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.slots import ControllerDecision, Percepts, Profile
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import HeardWords

TABLE = rules(FILE)
SEEN = Percepts((0, 64, 0), 20, 20, {}, None, day=True, players=(), mobs=(), blocks={})
NAMES = ("Adam", "Bob", "Charles", "David")


def view(seed: object = 0, now: float = 100.0, without: str = "", **slots: Any) -> SlotView:  # noqa: ANN401 - of any slot
    """Return a module's view of slots with these values."""
    wiring = wire(PianoSettings.read({"tables": "companions", "without": without}))
    state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": PERSONA})
    for slot, value in slots.items():
        state.write(wiring.writers.get(slot, "body"), slot, value, now)
    return SlotView(state, tuple(wiring.types), now, frozenset(), str(seed), TABLE)


def heard(text: str, speaker: str = "Bob", t_s: float = 99.0, *, addressed: bool = True) -> HeardWords:
    return HeardWords(t_s, speaker, text, "say", (0, 64, 0), addressed)


def near(*names: str) -> Percepts:
    return replace(SEEN, players=tuple(NearPlayer(n, name, (1, 64, 0), 3.0, None) for n, name in enumerate(names)))


def test_words_that_show_more_are_read_as_more_and_near_to_what_is_felt() -> None:
    levels = [[shown_in(text, TABLE["shows"]) for text in texts] for texts in TABLE["says"]]
    means = [fmean(each) for each in levels]
    assert means == sorted(means)
    for place, texts in enumerate(levels):
        felt = 10 * place / (len(levels) - 1)
        assert all(abs(each - felt) <= 1.5 for each in texts), (felt, texts, TABLE["says"][place])
    assert shown_in("The likelihood of rain is twofold.", TABLE["shows"]) == 5
    warmest = [text.replace("{name}", "Ava") for text in TABLE["says"][-1]]
    assert words_for(10, "Ava", TABLE["says"], random.Random(1)) in warmest


def test_scripts_go_straight_from_one_sentiment_to_the_next() -> None:
    script = [[10, 9], [20, 1], [30, 5]]
    assert [scripted(script, t_s) for t_s in (0, 10, 15, 20, 25, 99)] == [9, 9, 5, 1, 3, 5]
    assert towards({"feelings": {"Ava": script}, "kindness": 0.1}, "Ava", 5, 0.5, 15) == 5
    assert towards({"kindness": 0.8}, "Bob", felt=2, answers=0.25, now=0) == pytest.approx(0.75 * 8 + 0.25 * 2)
    assert [level_of(each, 3) for each in (-1, 0, 5, 10, 11)] == [0, 0, 1, 2, 2]
    assert "hates" in summary_of(0, "Bob", TABLE["thinks"])


def test_a_first_impression_is_chance_alone_and_made_once() -> None:
    def first(words: str) -> list[float]:
        ears = (heard(words),)
        return [meet(view(seed, ears=ears)).writes["impressions"]["Bob"] for seed in range(200)]

    made, cold = first("I love you"), first("I hate you")
    assert made == cold
    assert fmean(made) == pytest.approx(5, abs=0.2)
    assert len(set(made)) > 100
    assert not meet(view(ears=(heard("Hello"),), impressions={"Bob": 4.0})).writes
    assert set(meet(view(percepts=near("Cleo"))).writes["impressions"]) == {"Cleo"}


def test_social_awareness_moves_towards_what_is_shown_more_for_words_that_are_meant_for_one() -> None:
    def moved(text: str, *, addressed: bool) -> float:
        told = [
            judge(view(seed, hearing=(heard(text, addressed=addressed),), impressions={"Bob": 5.0})).writes["profiles"]
            for seed in range(60)
        ]
        return fmean(each["Bob"].sentiment for each in told)

    assert moved("Ada, I hate you.", addressed=True) < 4
    assert moved("Ada, I adore you.", addressed=True) > 6
    assert 4.5 < moved("Cleo, I hate you.", addressed=False) < moved("Cleo, it gets late.", addressed=False)
    before = {"Bob": Profile("", 5.0, "", 99.0, "heard")}
    assert "profiles" not in judge(view(hearing=(heard("I hate you"),), profiles=before)).writes, "words are read once"


def test_a_gift_warms_towards_who_gave_it() -> None:
    offer = (heard("Ada, take this bread, it is for you.", "Remy", 97.0),)
    known = {"Remy": Profile("", 4.0, "", 97.0, "heard")}
    held = replace(SEEN, items={"bread": 1})
    given = judge(view(hearing=offer, profiles=known, percepts=held, larder=0)).writes
    assert given["profiles"]["Remy"].sentiment == pytest.approx(4.0 + 0.15 * 6)
    assert given["larder"] == 1
    eaten = judge(view(hearing=offer, profiles=known, percepts=SEEN, larder=1)).writes
    assert eaten == {"larder": 0}


def served(without: str = "") -> Counter[str]:
    persona = {**PERSONA, "part": "chef"}
    seen = replace(near(*NAMES), items={"bread": 5})
    profiles = {name: Profile("", felt, "", 1.0, "heard") for name, felt in zip(NAMES, (9, 6.5, 3.5, 1), strict=True)}
    slots: Mapping[str, Any] = {} if without else {"profiles": profiles}
    wanted: Counter[str] = Counter()
    for seed in range(400):
        seen_by = view(seed, without=without, persona=persona, percepts=seen, **slots)
        wanted[decide(seen_by).writes["decision"].to] += 1
    return wanted


def test_the_chef_gives_by_what_it_thinks_of_its_guests_and_without_social_awareness_to_all_alike() -> None:
    counts = served()
    assert [name for name, _ in counts.most_common()] == list(NAMES)
    assert counts["Adam"] > 10 * counts["David"]
    alike = served("social_awareness")
    assert all(70 <= alike[name] <= 130 for name in NAMES), alike


def test_what_is_said_shows_what_is_felt_and_a_gift_is_named() -> None:
    told = ControllerDecision(3, "stay here", "stay", "", True, "Cleo", "", "", 99.0)
    texts = [talk(view(seed, decision=told)).words for seed in range(40)]
    assert all(each is not None and each.text.startswith("Cleo, ") for each in texts)
    gift = replace(told, doing="give cooked_salmon to Cleo", activity="give")
    words = talk(view(decision=gift)).words
    assert words is not None
    assert "cooked salmon" in words.text
    assert "for you" in words.text


def test_taking_social_awareness_out_leaves_first_impressions() -> None:
    whole = {each.name for each in wire(PianoSettings.read({"tables": "companions"})).modules}
    rest = {each.name for each in wire(PianoSettings.read({"tables": "companions", "baseline": True})).modules}
    assert whole - rest == {"social_awareness", "talking"}
    assert IMPRESSIONS.name in rest
