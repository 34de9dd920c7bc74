"""Hearing by distance and voice, at the positions at the time of speech."""

from __future__ import annotations

import random
from math import dist

import pytest

from dilemmas.modes.hearing import Earshot, sayable, voice_of

REACH = {"say": 16.0, "shout": 32.0, "whisper": 4.0}


def earshot(**at: tuple[float, float, float]) -> Earshot:
    ears = Earshot(REACH)  # type: ignore[arg-type]
    ears.move(at)
    return ears


def test_distance_decides_and_includes_height() -> None:
    ears = earshot(Ada=(0, 0, 0), Bea=(16, 0, 0), Cleo=(16.01, 0, 0), Dov=(10, 13, 0), Eda=(-31, 0, 0))
    assert ears.hearers("Ada", "say") == ["Bea"]
    assert ears.hearers("Ada", "shout") == ["Bea", "Cleo", "Dov", "Eda"]


def test_a_whisper_reaches_the_one_it_is_for_and_only_from_near() -> None:
    ears = earshot(Ada=(0, 0, 0), Bea=(3, 0, 0), Cleo=(1, 0, 0), Dov=(9, 0, 0))
    assert ears.hearers("Ada", "whisper", "Bea") == ["Bea"]
    assert ears.hearers("Ada", "whisper", "Dov") == []
    assert ears.hearers("Ada", "whisper", "Ada") == []
    assert ears.hearers("Ada", "whisper", "Nobody") == []


def test_an_absent_player_is_not_heard() -> None:
    assert earshot(Ada=(0, 0, 0)).hearers("Ghost", "shout") == []


def test_squares_of_the_land_find_the_same_as_a_look_at_everybody() -> None:
    chance = random.Random(4)
    at = {f"P{n:03d}": (chance.uniform(-90, 90), chance.uniform(0, 9), chance.uniform(-90, 90)) for n in range(300)}
    ears = earshot(**at)
    for name, here in at.items():
        for voice in ("say", "shout"):
            all_ = [other for other, there in at.items() if other != name and dist(here, there) <= REACH[voice]]
            assert ears.hearers(name, voice) == all_  # type: ignore[arg-type]


def test_players_are_heard_at_their_current_positions() -> None:
    chance = random.Random(5)

    def somewhere() -> tuple[float, float, float]:
        return (chance.uniform(-100, 100), 0.0, chance.uniform(-100, 100))

    at = {f"P{n:03d}": somewhere() for n in range(150)}
    ears = earshot(**at)
    for turn in range(8):
        # Several squares away, so that a search in the old square would fail.
        at.update({name: somewhere() for name in chance.sample(sorted(at), 50)})
        if turn % 4 == 1:
            del at[chance.choice(sorted(at))]
        if turn % 4 == 2:
            at = {f"New{turn}": somewhere(), **at}
        if turn % 4 == 3:
            at = dict(sorted(at.items(), key=lambda _: chance.random()))
        ears.move(at)
        for name, here in at.items():
            near = [other for other, there in at.items() if other != name and dist(here, there) <= REACH["say"]]
            assert ears.hearers(name, "say") == near


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (" two\nlines ", "two lines"),
        ("/op Ada", "op Ada"),
        ("!! fire", "fire"),
        ("\u00a7cred\x00", "cred"),
        ("", ""),
        ("x" * 900, "x" * 240),
    ],
)
def test_a_speech_is_one_line_of_chat_and_never_a_command(text: str, line: str) -> None:
    assert sayable(text) == line


def test_a_marked_line_is_a_shout() -> None:
    assert voice_of("!help me") == ("shout", "help me")
    assert voice_of("help me") == ("say", "help me")
