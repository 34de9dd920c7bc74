"""Known results of games of n players, recomputed: equilibria by counting, mixed, Bayesian, by backward induction."""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction as F
from itertools import product
from typing import Any

import pytest

from dilemmas.scenarios.repeated_game.formulas import FormulaSpec
from tests.unit.voyager_agents.stage_games.scene import game
from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.group_theory import mixed_equilibria
from voyager_agents.stage_games.induction import UnsolvedError, holds_with_less_seen, subgame_perfect
from voyager_agents.stage_games.theory import theory

NAMES = ("Ada", "Bob", "Cyd", "Dan", "Eve")


def law_of(name: str) -> FormulaLaw:
    law = game(name).spec.law
    assert isinstance(law, FormulaLaw)
    return law


def made(count: int = 3, **data: Any) -> FormulaLaw:  # noqa: ANN401 - keys of a game's file
    law = FormulaSpec.model_validate({"form": "formula", **data}).law(NAMES[:count])
    assert isinstance(law, FormulaLaw)
    return law


def profile_counts(*counts: Mapping[str, int]) -> list[dict[str, int]]:
    return [dict(each) for each in counts]


def test_in_the_weakest_link_all_equal_efforts_are_equilibria_and_no_others() -> None:
    found = theory(law_of("weakest-link"))
    assert found["equilibria_by_count"] == profile_counts(*({f"effort_{level}": 4} for level in range(1, 8)))
    assert found["social_dilemma"]["fear"] > 0 > found["social_dilemma"]["greed"]


@pytest.mark.parametrize(("count", "cost"), [(2, 4), (3, 4), (4, 1), (5, 9)])
def test_the_mixed_equilibrium_of_the_volunteers_dilemma_is_diekmanns(count: int, cost: int) -> None:
    payoff = f"(10 if total >= 1 else 0) - {cost} * own"
    (chance,) = mixed_equilibria(made(count, choices={"volunteer": 1, "wait": 0}, payoff=payoff))
    assert chance == pytest.approx(1 - (cost / 10) ** (1 / (count - 1)), abs=1e-9)


def test_one_volunteer_is_the_pure_equilibrium() -> None:
    found = theory(law_of("volunteers-dilemma"))
    assert found["equilibria_by_count"] == [{"volunteer": 1, "wait": 3}]
    assert found["symmetric_mixed"][0]["volunteer"] == pytest.approx(1 - 0.4 ** (1 / 3), abs=1e-9)


def test_with_private_costs_only_the_cheapest_type_volunteers() -> None:
    """Nobody else volunteers with probability (2/3)^3: ten times that is 2.96, above a cost of 2 and below 4."""
    rules = theory(law_of("volunteers-dilemma-private"))["symmetric_bayesian"]
    assert rules == [{"2": "volunteer", "4": "wait", "8": "wait"}]


def test_the_dictator_gives_nothing() -> None:
    assert theory(law_of("dictator-game"))["equilibria"] == [{"Gizmo": "give_0"}]


def test_nobody_gives_in_the_ring_although_all_would_gain() -> None:
    found = theory(law_of("ring-network"))
    assert found["equilibria"] == [dict.fromkeys(("Gizmo", "Glitch", "Sprocket", "Rivet"), "give_0")]
    assert found["social_dilemma"]["dilemma"]


def test_costs_are_shared_exactly_or_by_nobody() -> None:
    """All profiles by brute force over the rule itself, without the law."""

    def paid(own: int, total: int) -> int:
        return 10 - own if total >= 12 else 0

    levels = range(0, 9, 2)
    expected = set()
    for each in product(levels, repeat=3):
        total = sum(each)
        if all(paid(own, total) >= paid(other, total - own + other) for own in each for other in levels):
            expected.add(tuple(sorted(each)))
    found = theory(law_of("cost-sharing"))["equilibria_by_count"]
    told = {tuple(int(name[4:]) for name, count in each.items() for _ in range(count)) for each in found}
    assert told == expected
    assert (4, 4, 4) in told
    assert (0, 0, 0) in told


def test_defection_is_the_equilibrium_of_the_prisoners_dilemma_of_many() -> None:
    found = theory(law_of("n-player-prisoners-dilemma"))
    assert found["equilibria_by_count"] == [{"defect": 4}]
    assert [found["social_dilemma"][key] for key in "RSTP"] == [6, 0, 9, 3]


def sequential(bonus: str, count: int = 3, **more: Any) -> FormulaLaw:  # noqa: ANN401 - keys of a game's file
    values = {"multiplier": 1.5, "bonus": bonus, "target": 20, "endowment": 10}
    payoff = "endowment - own + multiplier * total / n + (bonus * own if total >= target else 0)"
    return made(count, choices=[0, 5, 10], values=values, payoff=payoff, order="in-turn", **more)


@pytest.mark.parametrize("count", [3, 4])
def test_the_bonus_switches_the_only_equilibrium_of_sequential_public_goods(count: int) -> None:
    """Below 1 - multiplier / n to give is dominated; above it the last movers complete the target, and so do all."""
    switch = 1 - F(3, 2) / count
    for bonus, choice in ((switch - F(1, 100), "give_0"), (switch + F(1, 100), "give_10")):
        law = sequential(str(bonus), count)
        outcomes = subgame_perfect(law, law.situations()[0])
        assert [each.options() for each in outcomes] == [dict.fromkeys(law.players, choice)]
    at = sequential(str(switch), count)
    assert len(subgame_perfect(at, at.situations()[0])) > 1


@pytest.mark.parametrize("count", [3, 4])
@pytest.mark.parametrize("synergy", ["0", "0.01"])
def test_the_penalty_switches_the_only_equilibrium_of_sequential_public_goods(count: int, synergy: str) -> None:
    """The last mover completes the target if the penalty and its bonus together exceed the cost of its gift."""
    switch = 10 * (1 - F(3, 2) / count) - F(synergy) * (count - 1) * 100
    form = game("sequential-public-goods-penalty").spec.game.model_dump(exclude_defaults=True)
    for penalty, choice in ((switch - F(1, 10), "give_0"), (switch + F(1, 10), "give_10")):
        values = {"multiplier": 1.5, "synergy": synergy, "penalty": str(penalty), "target": 10 * count, "endowment": 10}
        law = made(count, **{**form, "values": values})
        outcomes = subgame_perfect(law, law.situations()[0])
        assert [each.options() for each in outcomes] == [dict.fromkeys(law.players, choice)]


def test_only_the_sequence_removes_the_equilibrium_of_free_riders() -> None:
    together = theory(law_of("simultaneous-public-goods"))
    assert together["equilibria_by_count"] == [{"give_0": 4}, {"give_10": 4}]
    assert "subgame_perfect" not in together
    in_turn = theory(law_of("sequential-public-goods"))
    assert in_turn["subgame_perfect"] == [dict.fromkeys(law_of("sequential-public-goods").players, "give_10")]
    assert in_turn["subgame_perfect_unique"]
    plain = theory(law_of("sequential-public-goods-plain"))
    assert plain["subgame_perfect"] == [dict.fromkeys(law_of("sequential-public-goods").players, "give_0")]


def test_the_sum_of_gifts_is_enough_for_the_sequence_and_the_last_gift_is_not() -> None:
    told = {
        sees: holds_with_less_seen(law, law.situations()[0])
        for sees in ("everything", "sum", "last", "nothing")
        for law in [sequential("0.8", sees=sees)]
    }
    assert told == {"everything": True, "sum": True, "last": False, "nothing": False}
    assert "subgame_perfect" not in theory(sequential("0.8", sees="last"))
    assert not theory(sequential("0.8", sees="sum"))["subgame_perfect_unique"]


def test_the_lowest_offer_is_accepted_in_the_ultimatum_game() -> None:
    law = game("ultimatum-game").spec.law
    roles = law.situations()[0]
    outcomes = subgame_perfect(law, roles)
    assert [each.options() for each in outcomes] == [{"Gizmo": "offer_1", "Glitch": "accept"}]
    # After an offer, only the answer is left to choose.
    (rest,) = subgame_perfect(law, roles, ({"Gizmo": "offer_4"},))
    assert rest.payoffs == {"Gizmo": 6, "Glitch": 4}


def test_nothing_is_sent_in_the_trust_game() -> None:
    law = game("trust-game").spec.law
    assert {each.options()["Gizmo"] for each in subgame_perfect(law, law.situations()[0])} == {"send_0"}


def test_an_ultimatum_written_as_formulas_pays_as_the_form_does() -> None:
    payoffs = {"proposer": "10 - proposer if responder == 1 else 0", "responder": "proposer if responder == 1 else 0"}
    choices: dict[str, Any] = {"proposer": [1, 5, 9], "responder": {"accept": 1, "reject": 0}}
    roles = {name: {"choices": choices[name], "payoff": payoff, "verb": "offer"} for name, payoff in payoffs.items()}
    law, form = made(2, roles=roles, order="in-turn"), game("ultimatum-game").spec.law
    assert law.stages == ("first move", "second move")
    for offer, answer in product(("offer_1", "offer_5", "offer_9"), ("accept", "reject")):
        written = law.payoffs(law.situations()[0], ({"Ada": offer}, {"Bob": answer}))
        given = form.payoffs(form.situations()[0], ({"Gizmo": offer}, {"Glitch": answer}))
        assert list(written.values()) == list(given.values())
    assert theory(law)["subgame_perfect"] == [{"Ada": "offer_1", "Bob": "accept"}]


def test_all_equilibria_of_a_tie_are_found() -> None:
    """A responder that gets nothing either way may reject, so both the offer of 0 and that of 2 are equilibria."""
    roles = {
        "proposer": {"choices": [0, 2], "payoff": "10 - own if responder == 1 else 0"},
        "responder": {"choices": {"accept": 1, "reject": 0}, "payoff": "proposer if own == 1 else 0"},
    }
    law = made(2, roles=roles, order="in-turn")
    found = theory(law)
    assert found["subgame_perfect"] == [{"Ada": "give_0", "Bob": "accept"}, {"Ada": "give_2", "Bob": "accept"}]
    assert not found["subgame_perfect_unique"]


def test_a_game_with_too_many_paths_is_not_solved() -> None:
    law = game("public-goods-punishment").spec.law
    with pytest.raises(UnsolvedError, match="20000 paths"):
        subgame_perfect(law, law.situations()[0])


PATHS = list(product((0, 1), repeat=3))
"""Choices of three movers in turn."""


def by_all_strategies(paid: Mapping[tuple[int, ...], tuple[int, ...]]) -> set[tuple[int, ...]]:
    """Return the outcomes of all profiles of strategies in which no mover gains at any of its nodes."""
    nodes = [path[:length] for length in range(3) for path in product((0, 1), repeat=length)]
    found = set()
    for moves in product((0, 1), repeat=len(nodes)):
        plan = dict(zip(nodes, moves, strict=True))

        def end(node: tuple[int, ...], plan: Mapping[tuple[int, ...], int] = plan) -> tuple[int, ...]:
            return node if len(node) == 3 else end((*node, plan[node]), plan)

        if all(
            paid[end((*node, plan[node]))][len(node)] >= paid[end((*node, 1 - plan[node]))][len(node)] for node in nodes
        ):
            found.add(end(()))
    return found


@pytest.mark.parametrize("seed", range(25))
def test_backward_induction_equals_the_enumeration_of_all_strategies(seed: int) -> None:
    """Payoffs from 0 to 2, so that most of the games have ties."""
    draw = random.Random(seed)
    paid = {path: tuple(draw.randrange(3) for _ in range(3)) for path in PATHS}
    roles = {}
    for place, name in enumerate(("one", "two", "three")):
        roles[name] = {"choices": [0, 1], "payoff": branches({path: each[place] for path, each in paid.items()})}
    law = made(3, roles=roles, order="in-turn")
    outcomes = subgame_perfect(law, law.situations()[0])
    chosen = {tuple(int(option[-1]) for option in each.options().values()) for each in outcomes}
    assert chosen == by_all_strategies(paid)
    assert len(chosen) == len(outcomes)


def branches(paid: Mapping[tuple[int, ...], int], path: tuple[int, ...] = ()) -> str:
    """Return a payoff after each path as a formula."""
    if len(path) == 3:
        return str(paid[path])
    name = ("one", "two", "three")[len(path)]
    return f"({branches(paid, (*path, 0))} if {name} == 0 else {branches(paid, (*path, 1))})"
