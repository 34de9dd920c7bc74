"""Composed games: payoffs of sequences, parallel and nested games by hand, play on the mock world, refusals."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dilemmas.errors import SpecError
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.composed import ComposedSpec
from tests.unit.voyager_agents.stage_games.scene import game, played, rounds, written
from voyager_agents.stage_games.laws import Choices, StageLaw

PLAYERS = ("Gizmo", "Glitch")
BOTH = ("chicken", "prisoners-dilemma")
NESTED = (
    "game: {form: composed, how: nested, games: [chicken, prisoners-dilemma], "
    "restrict: [{after: up/right, player: first, only: up}]}\n"
)


def law(how: str, *names: str, labels: int = 0) -> StageLaw:
    data = {"form": "composed", "how": how, "games": names, "labels": labels}
    return ComposedSpec.model_validate(data).law(PLAYERS)


def choices(*pairs: tuple[str, str]) -> Choices:
    return tuple(dict(zip(PLAYERS, pair, strict=True)) for pair in pairs)


def paid(found: StageLaw, *pairs: tuple[str, str]) -> tuple[int, int]:
    amounts = found.payoffs({}, choices(*pairs))
    return int(amounts["Gizmo"]), int(amounts["Glitch"])


def test_payoffs_of_sequential_games_add_up() -> None:
    found = law("sequential", *BOTH)
    assert found.stages == ("choice in game 1", "choice in game 2")
    assert paid(found, ("up_1", "right_1"), ("down_2", "left_2")) == (2 + 4, 4 + 1)
    assert (found.worst(), found.finest(), found.best()) == (2, 8, 12)


def test_a_parallel_choice_names_an_option_in_each_game() -> None:
    found = law("parallel", *BOTH)
    roles = found.situations()[0]
    assert found.options(0, "Glitch", roles) == ("left_left", "left_right", "right_left", "right_right")
    assert paid(found, ("up_down", "right_left")) == (2 + 4, 4 + 1)
    assert (found.kind(0, "Gizmo", roles), found.selfish(0, "Gizmo", roles)) == ("up_up", "down_down")
    assert found.cooperation(0, "Gizmo", "up_down", roles) == Fraction(1, 2)


def test_the_first_of_nested_games_binds_a_player_in_the_second(tmp_path: Path) -> None:
    found = game(written(tmp_path, NESTED)).spec
    assert paid(found.law, ("up_1", "right_1"), ("down_2", "right_2")) == (2 + 1, 4 + 4), "down counts as up"
    assert paid(found.law, ("up_1", "left_1"), ("down_2", "right_2")) == (3 + 2, 3 + 2), "nobody is bound"
    assert "If game 1 ends in up_1 and right_1, up_2 counts for Gizmo in game 2, whatever it chooses." in found.text


def test_relabelled_parts_keep_their_payoffs() -> None:
    plain, other = law("sequential", *BOTH), law("sequential", *BOTH, labels=4)
    assert (plain.best(), plain.worst(), plain.finest()) == (other.best(), other.worst(), other.finest())
    roles = other.situations()[0]
    kind = [tuple(other.kind(stage, player, roles) for player in PLAYERS) for stage in (0, 1)]
    assert paid(other, *kind) == paid(plain, ("up_1", "left_1"), ("up_2", "left_2")) == (6, 6)  # type: ignore[arg-type]
    assert not set(other.names()) & set(plain.names())


async def test_strategies_play_nested_games_in_the_world(tmp_path: Path) -> None:
    path = written(tmp_path, NESTED + "repeated: {known: 2}\n")
    found = await played(path, "always-cooperate,always-defect", tmp_path / "out")
    first, _ = rounds(found)
    assert first.choices == [{"Gizmo": "up_1", "Glitch": "right_1"}, {"Gizmo": "up_2", "Glitch": "right_2"}]
    assert first.payoffs == {"Gizmo": 3, "Glitch": 8}
    assert first.cooperation == {"Gizmo": 1, "Glitch": 0}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("{form: composed, how: parallel, games: [g111, g122, g133, g144]}", "4 at once are too many; name 3 at most"),
        ("{form: composed, how: nested, games: [g111, g122]}", "restrict says what the first one decides"),
        ("{form: composed, how: sequential, games: [g111, g999]}", "'g999' is no game of the atlas"),
        (
            "{form: composed, how: nested, games: [g111, g122], restrict: [{after: up/up, player: first, only: up}]}",
            "'up' is no option of the second player; write left or right",
        ),
        (
            "{form: composed, how: parallel, games: [g1, g2], restrict: [{after: up/left, player: first, only: up}]}",
            "is for nested games, not for parallel ones",
        ),
    ],
)
def test_what_cannot_be_composed_is_one_line(body: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=told):
        load_scenario(written(tmp_path, f"game: {body}\n"))
