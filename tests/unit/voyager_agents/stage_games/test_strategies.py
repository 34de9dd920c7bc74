"""Strategies compared with the `axelrod` library's figures for equal strategies, payoffs, turns and noise."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from pathlib import Path
from statistics import fmean

import pytest

from tests.unit.voyager_agents.stage_games.axelrod_figures import NAMES, NOISY, PAIRS, RANKED, TURNS
from tests.unit.voyager_agents.stage_games.scene import game, payoffs, played, written
from voyager_agents.stage_games.groups import PublicGoods
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.strategies import STRATEGIES, generosity


def law_of(name: str = "prisoners-dilemma") -> StageLaw:
    return game(name).spec.law


def scores(one: str, two: str, seed: int = 0, noise: float = 0) -> tuple[float, float]:
    match = RepeatedMatch(law_of(), Repetition(TURNS), seed, Fraction(str(noise)))
    found = play(match, {"Gizmo": one, "Glitch": two}, seed)
    return float(found["Gizmo"]), float(found["Glitch"])


def test_every_pair_scores_what_it_scores_in_the_axelrod_library() -> None:
    pairs = combinations_with_replacement(range(len(NAMES)), 2)
    assert {pair: scores(NAMES[pair[0]], NAMES[pair[1]]) for pair in pairs} == PAIRS


def test_the_tournament_ranks_them_as_the_axelrod_library_does() -> None:
    totals = dict.fromkeys(NAMES, 0.0)
    for one, two in combinations(NAMES, 2):
        first, second = scores(one, two)
        totals[one] += first
        totals[two] += second
    assert tuple(sorted(totals, key=lambda name: -totals[name])) == RANKED
    assert totals["tit-for-tat"] == 897


def test_with_noise_the_scores_are_those_of_the_axelrod_library() -> None:
    """Six games of each pair give standard errors of about 0.05."""
    found: dict[str, list[float]] = {name: [] for name in NOISY}
    for one, two in combinations(NOISY, 2):
        for seed in range(6):
            first, second = scores(one, two, seed, 0.05)
            found[one].append(first / TURNS)
            found[two].append(second / TURNS)
    for name, expected in NOISY.items():
        assert fmean(found[name]) == pytest.approx(expected, abs=0.2), name


async def test_a_game_in_the_world_scores_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, "game: {actions: [cooperate, defect], payoffs: [[3, 0], [5, 1]]}\nrepeated: {known: 8}\n")
    found = await played(path, "grim,alternator", tmp_path)
    expected = play(game(path).spec.match(0), {"Gizmo": "grim", "Glitch": "alternator"})
    assert payoffs(found) == {player: float(amount) for player, amount in expected.items()}


def test_generosity_is_as_often_as_can_be_afforded() -> None:
    assert generosity(law_of()) == Fraction(1, 3)


def test_whoever_gives_as_the_others_do_is_drawn_down_by_a_free_rider() -> None:
    law = law_of("public-goods")
    match = RepeatedMatch(law, Repetition(10), 0)
    kinds = dict.fromkeys(law.players, "conditional-cooperator") | {"Gizmo": "free-rider"}
    play(match, kinds)
    gifts = [each.choices[0]["Glitch"] for each in match.history]
    assert gifts[:4] == ["give_20", "give_10", "give_5", "give_0"]
    assert set(gifts[4:]) == {"give_0"}


def test_punishment_makes_free_riding_worse_than_giving() -> None:
    law = law_of("public-goods-punishment")
    assert isinstance(law, PublicGoods)
    match = RepeatedMatch(law, Repetition(10), 0)
    found = play(match, dict.fromkeys(law.players, "punisher") | {"Gizmo": "free-rider"})
    together = play(RepeatedMatch(law, Repetition(10), 0), dict.fromkeys(law.players, "punisher"))
    assert found["Gizmo"] < together["Gizmo"]
    without = play(
        RepeatedMatch(law_of("public-goods"), Repetition(10), 0),
        dict.fromkeys(law.players, "always-cooperate") | {"Gizmo": "free-rider"},
    )
    assert without["Gizmo"] > together["Gizmo"]


def test_discriminators_help_each_other_and_refuse_who_refuses() -> None:
    law = law_of("donor-game")
    match = RepeatedMatch(law, Repetition(100), 5)
    found = play(match, dict.fromkeys(law.players, "discriminator") | {"Gizmo": "always-defect"})
    helped = sum(each.choices[0].get(each.roles["Gizmo"].partner) == "help" for each in match.history)
    assert helped < 10
    assert found["Gizmo"] < min(amount for player, amount in found.items() if player != "Gizmo")


def test_a_fair_proposer_rejects_what_is_less_than_three_tenths() -> None:
    law = law_of("ultimatum-game")
    match = RepeatedMatch(law, Repetition(2), 0)
    found = play(match, {"Gizmo": "always-defect", "Glitch": "fair-proposer"})
    assert [each.choices for each in match.history] == [
        ({"Gizmo": "offer_1"}, {"Glitch": "reject"}),
        ({"Glitch": "offer_5"}, {"Gizmo": "accept"}),
    ]
    assert found == {"Gizmo": 5, "Glitch": 5}


def test_trust_is_answered_by_half_and_abused_by_nothing() -> None:
    law = law_of("trust-game")
    kind = play(RepeatedMatch(law, Repetition(1), 0), {"Gizmo": "fair-proposer", "Glitch": "fair-proposer"})
    abused = play(RepeatedMatch(law, Repetition(1), 0), {"Gizmo": "fair-proposer", "Glitch": "always-defect"})
    assert (kind, abused) == ({"Gizmo": 15, "Glitch": 15}, {"Gizmo": 0, "Glitch": 30})


@pytest.mark.parametrize("name", ["rock-paper-scissors", "public-goods-punishment", "donor-game", "trust-game"])
def test_every_strategy_plays_every_kind_of_game(name: str) -> None:
    law = law_of(name)
    for strategy in STRATEGIES:
        match = RepeatedMatch(law, Repetition(4), 1)
        play(match, dict.fromkeys(law.players, strategy))
        assert not any(any(each.stood_in) for each in match.history), strategy


def test_whoever_draws_from_the_equilibrium_wins_a_third_of_all() -> None:
    match = RepeatedMatch(law_of("rock-paper-scissors"), Repetition(300), 2)
    play(match, {"Gizmo": "mixed-equilibrium", "Glitch": "always-cooperate"})
    share = sum(each.payoffs["Gizmo"] == 2 for each in match.history) / 300
    assert 0.23 < share < 0.44
