"""Donor game in amounts: partners, amounts, traces, standing, punishment, what players see; reputation by standing."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction

import pytest

from dilemmas.errors import SpecError
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.stage_games.donations import CostlyPunishment, Donations
from voyager_agents.stage_games.groups import DONOR, Donor
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.strategies import STRATEGIES
from voyager_agents.stage_games.turns import turn_of

FOUR = ("Ada", "Bob", "Cleo", "Dan")


def law(**changes: object) -> Donations:
    given = {"players": FOUR, "endowment": Fraction(10), "parts": (0, 50, 100), "multiplier": Fraction(2), "depth": 3}
    return Donations(**{**given, **changes})  # type: ignore[arg-type]


def match(of: Donations, rounds: int = 8) -> RepeatedMatch:
    return RepeatedMatch(of, Repetition(rounds), 0)


def donors(game: RepeatedMatch) -> dict[str, str]:
    return {name: role.partner for name, role in game.roles.items() if role.name == DONOR}


def act(game: RepeatedMatch, choices: Mapping[str, str] | None = None, usual: str = "give_50") -> None:
    game.choose({name: (choices or {}).get(name, usual) for name in donors(game)})


@pytest.mark.parametrize("count", [2, 4, 6, 12, 14])
def test_players_alternate_and_meet_new_partners(count: int) -> None:
    players = tuple(f"P{number}" for number in range(count))
    given: set[tuple[str, str]] = set()
    for number in range(1, count + 1):
        roles = law(players=players).roles(random.Random(0), number)
        now = {(name, role.partner) for name, role in roles.items() if role.name == DONOR}
        assert len(now) == count // 2
        assert {one for pair in now for one in pair} == set(players)
        assert {name for name, _ in now} == set(players[(number + 1) % 2 :: 2])
        if number <= count // 2:
            assert not {frozenset(pair) for pair in now} & {frozenset(pair) for pair in given}
        assert not now & given, "nobody gives to the same player twice"
        given |= now
    with pytest.raises(ValueError, match="even number of players, not for 3"):
        law(players=("A", "B", "C"))


def test_gifts_are_parts_of_what_a_donor_has_and_arrive_twofold() -> None:
    game = match(law())
    act(game)
    assert donors(game) == {"Bob": "Cleo", "Dan": "Ada"}
    held = [game.law.held(name) for name in FOUR]  # type: ignore[attr-defined]
    assert held == [5, 20, 5, 20]
    act(game, {"Bob": "give_100", "Dan": "give_0"})
    assert [game.law.held(name) for name in FOUR] == [5, 0, 45, 20]  # type: ignore[attr-defined]
    assert sum(sum(each.payoffs.values()) for each in game.history) == 5 + 0 + 45 + 20 - 40


def test_nobody_loses_more_than_it_has_by_punishment() -> None:
    game = match(law(punishment=CostlyPunishment((10, 100), Fraction(2))))
    assert game.options("Ada") == ("give_0", "give_50", "give_100", "punish_10", "punish_100")
    act(game, {"Ada": "punish_100", "Cleo": "punish_10"})
    assert [game.law.held(name) for name in FOUR] == [0, 0, 9, 8]  # type: ignore[attr-defined]
    paid = play(match(law(punishment=CostlyPunishment((100,), Fraction(2)))), dict.fromkeys(FOUR, "random"))
    assert min(paid.values()) >= -10


def test_a_donor_knows_the_trace_to_the_given_depth_and_only_its_own_rounds() -> None:
    game = match(law())
    act(game, {"Ada": "give_0", "Cleo": "give_100"})
    act(game, {"Bob": "give_50", "Dan": "give_0"})
    of = game.law
    assert isinstance(of, Donations)
    assert [(each.round, each.donor, each.recipient, each.option) for each in of.trace("Dan")] == [
        (2, "Dan", "Ada", "give_0"), (1, "Ada", "Bob", "give_0"),
    ]  # fmt: skip
    assert donors(game)["Ada"] == "Dan"
    told = turn_of(game, "Ada").told
    assert told == (
        "You have 10, and Dan has 30.",
        "In round 2 Dan gave 0 % of what it had to Ada.",
        "In round 1 Ada gave 0 % of what it had to Bob.",
    )
    seen = turn_of(game, "Ada").history
    assert [dict(each.choices[0]) for each in seen] == [{"Ada": "give_0"}, {"Dan": "give_0"}]
    shallow = match(law(depth=1))
    act(shallow)
    assert len(turn_of(shallow, "Bob").told) == 2
    blind = match(law(depth=0))
    act(blind, usual="give_0")
    assert turn_of(blind, "Bob").told == ("You have 10, and Cleo has 10.",)
    assert blind.law.in_good_standing("Cleo")  # type: ignore[attr-defined]


def test_to_give_nothing_to_a_player_in_bad_standing_is_justified_if_the_trace_is_deep_enough() -> None:
    standing = {}
    for depth in (1, 2):
        game = match(law(depth=depth))
        act(game, {"Ada": "give_0"})
        act(game, {"Dan": "give_0"})
        of = game.law
        assert isinstance(of, Donations)
        standing[depth] = of.in_good_standing("Dan")
        assert not of.in_good_standing("Ada")
        assert of.in_good_standing("Bob")
    assert standing == {1: False, 2: True}


def test_discriminators_and_punishers_treat_players_by_their_standing() -> None:
    game = match(law(punishment=CostlyPunishment((10, 30), Fraction(2))))
    act(game, {"Cleo": "give_0"})
    draw = random.Random(0)
    chosen = {name: STRATEGIES[name](turn_of(game, "Bob"), draw) for name in ("discriminator", "punisher", "grim")}
    assert chosen == {"discriminator": "give_0", "punisher": "punish_30", "grim": "give_100"}
    assert STRATEGIES["punisher"](turn_of(match(law()), "Ada"), draw) == "give_100"


def test_nothing_is_paid_in_emeralds() -> None:
    scenario = load_scenario("donations")
    assert isinstance(scenario, RepeatedGame)
    assert scenario.spec.start == 0
    assert "not paid in emeralds" in scenario.spec.text
    assert "as many units" in scenario.spec.task
    assert list(scenario.spec.conditions) == ["none"]
    punishing = load_scenario("donations-punishment")
    assert "spend a part of its units on punishment: 10 %, 50 %" in punishing.spec.text


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ({"parts": [0, 150]}, "150 is above 100 per cent"),
        ({"endowment": 0}, "endowment: 0 is not above 0"),
        ({"trace": 11}, "trace"),
        ({"punishment": {"parts": [10, 20], "multiplier": "x"}}, "'x' is no number"),
        ({"parts": [0, 1, 2, 3, 4, 5, 6, 7], "punishment": {"parts": [10, 20]}}, "10 options at once"),
    ],
)
def test_what_cannot_be_played_is_refused(game: dict[str, object], told: str) -> None:
    with pytest.raises(SpecError, match=told):
        load_scenario("donations", {"game": game})


def test_by_standing_only_a_refusal_towards_a_player_in_good_standing_counts() -> None:
    of = Donor(FOUR, Fraction(3), Fraction(1), standing=True)
    game = RepeatedMatch(of, Repetition(60), 1)
    play(game, {"Ada": "always-defect", **dict.fromkeys(FOUR[1:], "discriminator")}, 1)
    refused = [each for each in game.history if "refuse" in each.choices[0].values()]
    assert len(refused) > 10
    assert game.images() == {"Ada": -1, "Bob": 0, "Cleo": 0, "Dan": 0}
    image = RepeatedMatch(Donor(FOUR, Fraction(3), Fraction(1)), Repetition(60), 1)
    play(image, {"Ada": "always-defect", **dict.fromkeys(FOUR[1:], "discriminator")}, 1)
    assert min(image.images().values()) < -1


def test_scores_are_known_as_often_as_the_game_says() -> None:
    of = Donor(FOUR, Fraction(3), Fraction(1), known=Fraction(1, 4), standing=True)
    game = RepeatedMatch(of, Repetition(400), 1)
    known = []
    while not game.over:
        turns = [turn_of(game, name) for name in donors_of(game)]
        known += [bool(turn.images) for turn in turns]
        assert all(
            set(each.choices[0]) <= {turn.player, each.roles[turn.player].partner}
            for turn in turns
            for each in turn.history
        )
        game.choose({turn.player: "help" for turn in turns})
    assert sum(known) / len(known) == pytest.approx(0.25, abs=0.04)
    assert "25 %" in " ".join(of.rule_lines())


def donors_of(game: RepeatedMatch) -> list[str]:
    return [name for name in FOUR if game.options(name)]
