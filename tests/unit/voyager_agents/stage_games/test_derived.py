"""Mediators and commitments: their equilibria, found by the solvers of tables, and play by reference strategies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from voyager_agents.stage_games.derived import DerivedMatrix, Mediator, Programs, derived
from voyager_agents.stage_games.groups import PublicGoods, Punishment
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.normal_form import normal_form
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.theory import theory

TWO = ("Gizmo", "Glitch")
FAIR = ("fair", "cooperate if plays(others, cooperate) else defect")
CLIQUE = ("clique", "cooperate if same(others) else defect")


def table(r: int, s: int, t: int, p: int) -> Matrix:
    options = ("cooperate", "defect")
    numbers = (
        ((Fraction(r), Fraction(r)), (Fraction(s), Fraction(t))),
        ((Fraction(t), Fraction(s)), (Fraction(p), Fraction(p))),
    )
    return Matrix(TWO, options, options, numbers, ("cooperate", "cooperate"), ("defect", "defect"))


DILEMMA = table(3, 0, 5, 1)


def pure_of(law: StageLaw) -> list[tuple[str, ...]]:
    form = normal_form(law)
    return [form.names(each) for each in form.profiles if form.is_equilibrium(each)]


def test_a_mediator_makes_cooperation_an_equilibrium_of_the_dilemma() -> None:
    law = derived(DILEMMA, Mediator(DILEMMA))
    assert isinstance(law, DerivedMatrix)
    known = theory(law)
    assert known["pure_equilibria"] == [["defect", "defect"], ["delegate", "delegate"]]
    assert known["efficient"][-1] == ["delegate", "delegate"]
    assert law.cell("delegate", "delegate") == (3, 3)
    assert law.cell("delegate", "defect") == (1, 1)
    assert law.cell("delegate", "cooperate") == (5, 0)
    # Delegation is never worse than defection, and better against itself: it is weakly dominant among the two.
    assert all(law.cell("delegate", each)[0] >= law.cell("defect", each)[0] for each in law.columns)
    assert theory(DILEMMA)["pure_equilibria"] == [["defect", "defect"]]


def test_reference_players_cooperate_with_a_mediator_and_defect_without() -> None:
    for law, total in ((DILEMMA, 10), (derived(DILEMMA, Mediator(DILEMMA)), 30)):
        earned = play(RepeatedMatch(law, Repetition(10), 0), dict.fromkeys(TWO, "reference"))
        assert earned == {"Gizmo": total, "Glitch": total}
    mediated = derived(DILEMMA, Mediator(DILEMMA))
    exploited = play(RepeatedMatch(mediated, Repetition(10), 0), {"Gizmo": "reference", "Glitch": "always-defect"})
    assert exploited == {"Gizmo": 10, "Glitch": 10}


def test_a_mediator_that_does_not_answer_defection_restores_nothing() -> None:
    law = derived(DILEMMA, Mediator(DILEMMA, otherwise="cooperate"))
    assert pure_of(law) == [("defect", "defect")]
    earned = play(RepeatedMatch(law, Repetition(10), 0), dict.fromkeys(TWO, "reference"))
    assert earned == {"Gizmo": 10, "Glitch": 10}


def test_commitments_that_read_each_other_make_cooperation_an_equilibrium() -> None:
    law = derived(DILEMMA, Programs(DILEMMA, (FAIR, CLIQUE)))
    assert isinstance(law, DerivedMatrix)
    assert theory(law)["pure_equilibria"] == [["defect", "defect"], ["fair", "fair"], ["clique", "clique"]]
    assert (law.cell("fair", "cooperate"), law.cell("fair", "defect"), law.cell("fair", "clique")) == (
        (3, 3),
        (1, 1),
        (1, 1),
    )
    assert law.carried(({"Gizmo": "clique", "Glitch": "cooperate"},)) == {"Gizmo": "defect", "Glitch": "cooperate"}
    earned = play(RepeatedMatch(law, Repetition(10), 0), dict.fromkeys(TWO, "reference"))
    assert earned == {"Gizmo": 30, "Glitch": 30}


@pytest.mark.parametrize(
    ("r", "s", "t", "p"), [(3, 0, 5, 1), (4, 0, 3, 2), (3, 1, 5, 0), (10, -5, 11, 0), (1, 0, 3, 2)]
)
def test_a_mediator_holds_all_to_cooperation_if_and_only_if_that_pays_more_than_defection(
    r: int, s: int, t: int, p: int
) -> None:
    law = derived(table(r, s, t, p), Mediator(table(r, s, t, p)))
    # Against delegation a player gets R by delegating, S or P by what else it may do: the mediator then defects.
    assert (("delegate", "delegate") in pure_of(law)) == (r >= max(s, p))


def test_a_mediator_of_many_and_its_quorum() -> None:
    players = ("Ann", "Bea", "Cem")
    goods = PublicGoods(players, Fraction(10), (0, 10), Fraction(2), None)
    law = derived(goods, Mediator(goods))
    assert set(pure_of(law)) >= {("give_0",) * 3, ("delegate",) * 3}
    assert ("give_10",) * 3 not in pure_of(law)
    earned = play(RepeatedMatch(law, Repetition(4), 0), dict.fromkeys(players, "reference"))
    assert set(earned.values()) == {Fraction(80)}
    two = derived(goods, Mediator(goods, quorum=2))
    assert two.carried(({"Ann": "delegate", "Bea": "delegate", "Cem": "give_0"},)) == {
        "Ann": "give_10",
        "Bea": "give_10",
        "Cem": "give_0",
    }
    assert ("delegate",) * 3 not in pure_of(two)
    assert "If at least 2 players delegate, the mediator chooses give_10" in two.rule_lines()[-1]


def test_cooperation_of_a_device_is_that_of_what_it_does_among_its_kind() -> None:
    law = derived(DILEMMA, Programs(DILEMMA, (FAIR, ("trap", "defect if plays(others, defect) else defect"))))
    roles = law.situations()[0]
    rates = {option: law.cooperation(0, "Gizmo", option, roles) for option in law.options(0, "Gizmo", roles)}
    assert rates == {"cooperate": 1, "defect": 0, "fair": 1, "trap": 0}


def test_illegal_devices_are_refused_in_one_line() -> None:
    for make, message in [
        (lambda: Mediator(DILEMMA, together="steal"), "mediator.together: 'steal' is no option of Gizmo"),
        (lambda: Mediator(DILEMMA, quorum=3), "mediator.quorum: 3: give a number of players from 1 to 2"),
        (lambda: Programs(DILEMMA, (("defect", "defect"),)), "'defect' is an option of the game"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()
    goods = PublicGoods(("Ann", "Bea"), Fraction(1), (0, 1), Fraction(1), Punishment(Fraction(1), Fraction(1)))
    with pytest.raises(ValueError, match="public-goods: a mediator or commitments need choices made once and together"):
        derived(goods, Mediator(goods))
