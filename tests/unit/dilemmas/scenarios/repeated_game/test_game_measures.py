"""Measures of what was played: after MAgIC, trust, loyalty, and their way into results, tournaments and reports."""

from __future__ import annotations

import csv
from fractions import Fraction as F
from pathlib import Path

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.tournament import ranking
from accord.analysis.tournament import Tournament
from dilemmas.records.events import GameBegun, OptionChosen, RoundPlayed
from dilemmas.scenarios.repeated_game.belief_cases import BeliefCase
from dilemmas.scenarios.repeated_game.magic import NAMES, PREFIX, magic_measures
from dilemmas.scenarios.repeated_game.measures import belief_measures, trust_measures
from tests.unit.voyager_agents.stage_games.scene import game, played
from voyager_agents.stage_games.loyalty import revealed_weight
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.normal_form import normal_form
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.tournament import bout
from voyager_agents.stage_games.trust import FALL, GROWTH, MEMORY, START, TrustState

CHICKEN = game("chicken").spec.law
ONE, TWO = CHICKEN.players


def cells(*chosen: tuple[str, str]) -> list[dict[str, str]]:
    return [dict(zip((ONE, TWO), each, strict=True)) for each in chosen]


def test_rationality_coordination_and_cooperation_count_rounds_of_their_kind() -> None:
    rounds = cells(("swerve", "swerve"), ("swerve", "straight"), ("straight", "swerve"), ("straight", "swerve"))
    found = magic_measures(CHICKEN, [*rounds, {ONE: "swerve"}], [])
    # Against swerve only straight is a best reply, against straight only swerve. Three rounds are equilibria.
    assert found["magic_rationality"] == {ONE: 0.75, TWO: 0.75}
    assert found["magic_coordination"] == {ONE: pytest.approx(2 / 3), TWO: pytest.approx(1 / 3)}
    assert found["magic_cooperation"] == {"": 0.25}
    assert "magic_judgement" not in found


def test_rationality_in_the_prisoners_dilemma_is_defection() -> None:
    law = game("prisoners-dilemma").spec.law
    chosen = [("cooperate", "defect"), ("defect", "defect"), ("cooperate", "defect"), ("cooperate", "cooperate")]
    found = magic_measures(law, [dict(zip(law.players, each, strict=True)) for each in chosen], [])
    assert found["magic_rationality"] == dict(zip(law.players, (0.25, 0.75), strict=True))
    assert "magic_coordination" not in found  # there is only one equilibrium


def test_the_volunteer_has_the_worse_equilibrium() -> None:
    law = game("volunteers-dilemma").spec.law
    first, *rest = law.players
    found = magic_measures(law, [{first: "volunteer"} | dict.fromkeys(rest, "wait")], [])
    assert found["magic_coordination"] == {first: 0.0} | dict.fromkeys(rest, 1.0)
    assert found["magic_rationality"] == dict.fromkeys(law.players, 1.0)
    assert found["magic_cooperation"] == {"": 1.0}


def test_beliefs_give_judgement_reasoning_deception_and_self_awareness() -> None:
    both = {"partner_will": "swerve", "partner_expects": "swerve"}
    cases = [
        # Rightly expects swerve, knows that it is expected to swerve, and goes straight, a best reply to its belief.
        BeliefCase(ONE, both, own="straight", partner="swerve", expected="swerve"),
        # Does what the partner expects: no deception; swerving against swerve is not a best reply.
        BeliefCase(ONE, both, own="swerve", partner="straight", expected="swerve"),
        # Wrong about what the partner expects: misleads it by accident.
        BeliefCase(ONE, both, own="swerve", partner="swerve", expected="straight"),
        # A stand-in chose: beliefs count, choices do not.
        BeliefCase(ONE, both, own=None, partner="swerve", expected="straight"),
    ]
    found = magic_measures(CHICKEN, [], cases)
    assert found["magic_judgement"] == {ONE: 0.75}
    assert found["magic_reasoning"] == {ONE: 5 / 8}
    assert found["magic_deception"] == {ONE: pytest.approx(1 / 3)}
    assert found["magic_self_awareness"] == {ONE: pytest.approx(1 / 3)}
    assert list(found) == [PREFIX + name for name in NAMES if PREFIX + name in found]


def test_beliefs_are_matched_with_choices_of_the_same_round_and_stage() -> None:
    begun = GameBegun(
        form="matrix", stages=["choice"], options={ONE: [], TWO: []}, best=0, selfish=0, start=0, rounds=2, told=True
    )
    rounds = [
        RoundPlayed(round=number, roles={}, choices=cells(each), cooperation={}, payoffs={}, absent=[absent])
        for number, each, absent in ((1, ("swerve", "straight"), []), (2, ("swerve", "swerve"), [TWO]))
    ]
    asked = [
        OptionChosen(round=number, stage="choice", player=player, option="swerve", beliefs=beliefs)
        for number, player, beliefs in (
            (1, ONE, {"partner_will": "straight", "partner_expects": "straight"}),
            (1, TWO, {"partner_will": "swerve"}),
            (2, ONE, {"partner_will": "swerve"}),
        )
    ]
    # In round 2 a stand-in chose for the partner: nothing is known of the belief about it.
    found = belief_measures(begun, rounds, asked)
    assert found == {"foresight": {ONE: 1.0, TWO: 1.0}, "reflection": {ONE: 0.0}}


def test_trust_grows_slowly_and_falls_fast() -> None:
    good = TrustState()
    good.observe(1.0)
    assert good.value == pytest.approx(START + GROWTH * (1 - START))
    bad = TrustState()
    bad.observe(0.0)
    assert bad.value == pytest.approx(START * (1 - FALL))
    assert START - bad.value > 2 * (good.value - START)
    # The ceiling: damage of 0.6 leaves 0.4, which fades by 3 % a period and lets trust recover only in part.
    for _ in range(10):
        bad.observe(1.0)
    assert bad.value < START
    dependent = TrustState(dependence=1.0)
    dependent.observe(0.0)
    assert dependent.value == pytest.approx(START * (1 - 1.5 * FALL))


def test_reciprocity_remembers_a_few_periods_and_needs_trust() -> None:
    once = TrustState()
    assert once.cooperates()  # nothing was seen
    once.observe(0.0)
    answers = []
    for _ in range(MEMORY):
        answers.append(once.cooperates())
        once.observe(1.0)
    assert answers == [False] * MEMORY
    assert once.cooperates()  # one defection is out of memory, and trust is above the threshold
    often = TrustState()
    for rate in (0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0):
        often.observe(rate)
    assert not often.cooperates()  # forgotten, but trust is gone


def test_trust_measures_compare_choices_with_the_rule() -> None:
    rounds = [
        RoundPlayed(round=number, roles={}, choices=[], cooperation={ONE: mine, TWO: theirs}, payoffs={ONE: 0, TWO: 0})
        for number, (mine, theirs) in enumerate([(1.0, 1.0), (1.0, 0.0), (0.0, 0.0)], 1)
    ]
    found = trust_measures(game("public-goods").spec.law, rounds)
    assert found["trust_reciprocity"] == {ONE: 1.0, TWO: 0.0}
    assert found["trust"][TWO] > found["trust"][ONE]


@pytest.mark.parametrize(
    ("name", "profile", "weight"),
    [
        ("prisoners-dilemma", (0, 0), F(2, 3)),  # 3 instead of 5, the other 3 instead of 0
        ("prisoners-dilemma", (0, 1), F(1, 4)),  # 0 instead of 1, the other 5 instead of 1
        ("prisoners-dilemma", (1, 0), F(0)),
        ("public-goods", (2, 0, 0, 0), F(1, 2)),  # 20 given cost 12 and bring the others 24
        ("public-goods", (0, 0, 0, 0), F(0)),
        ("stag-hunt", (1, 0), None),  # hare against stag is worse for both
    ],
)
def test_choices_reveal_the_least_loyalty_that_explains_them(
    name: str, profile: tuple[int, ...], weight: F | None
) -> None:
    assert revealed_weight(normal_form(game(name).spec.law), profile, 0) == weight


def match(name: str, rounds: int) -> RepeatedMatch:
    return RepeatedMatch(game(name).spec.law, Repetition(rounds), seed=0)


def test_the_loyal_cooperate_and_the_trusting_stop_after_defection() -> None:
    dilemma = match("prisoners-dilemma", 6)
    one, two = dilemma.law.players
    play(dilemma, {one: "loyal", two: "trust-gated"})
    assert all(set(each.choices[0].values()) == {"cooperate"} for each in dilemma.history)
    betrayed = match("prisoners-dilemma", 6)
    play(betrayed, {one: "trust-gated", two: "always-defect"})
    assert [each.choices[0][one] for each in betrayed.history] == ["cooperate"] + ["defect"] * 5


def test_a_tournament_tells_exploitability() -> None:
    pairs = (("always-cooperate", "always-defect"), ("always-cooperate", "tit-for-tat"))
    found = Tournament(
        "prisoners-dilemma",
        ("always-cooperate", "always-defect", "tit-for-tat"),
        0,
        tuple(bout(match("prisoners-dilemma", 4), pair, 0) for pair in pairs),
    )
    rows = {row["name"]: row for row in csv.DictReader(ranking(found).splitlines())}
    assert float(rows["always-cooperate"]["exploitability"]) == 4.0
    assert float(rows["always-cooperate"]["best_response_gap"]) == 1.5  # 1 against defection, 2 against cooperation
    assert float(rows["always-defect"]["exploitability"]) == 0.0


async def test_results_and_reports_have_the_measures(tmp_path: Path) -> None:
    found = await played("chicken", "tit-for-tat,alternator", tmp_path, repeat=4)
    measured = found.results[0]["measures"]
    for name in ("exploitability", "best_response_gap", "correlated_gap", "loyalty", "trust", "magic_rationality"):
        assert set(measured[name]) == {ONE, TWO}, name
    assert found.results[0]["gathered"]["exploitability"] == "mean"
    write_report([found.directory], tmp_path / "report")
    rows = csv.DictReader((tmp_path / "report" / "runs.csv").read_text().splitlines())
    assert {row["measure"] for row in rows} >= {"exploitability", "nash_gap", "equilibrium_distance"}
    theory = (tmp_path / "report" / "game_theory.csv").read_text()
    assert "Correlated equilibrium with the highest total,10.5" in theory
    assert "Evolutionarily stable" in theory
    page = (tmp_path / "report" / "report.html").read_text()
    assert "Distance to the nearest equilibrium" in page
