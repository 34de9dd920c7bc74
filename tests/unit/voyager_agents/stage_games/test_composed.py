"""Composed games: payoffs of sequences, parallel and nested games by hand, play on the mock world, refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from dilemmas.errors import SpecError
from dilemmas.records.events import OptionChosen, RoundPlayed
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.composed import ComposedSpec
from dilemmas.scenarios.repeated_game.equilibrium_answers import answer_measures
from tests.unit.voyager_agents.stage_games.scene import game, played, rounds, written
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.stage_games.composed import Composed
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


def test_equilibria_of_each_game_of_a_sequence_and_of_parallel_games_together() -> None:
    """Chicken has the two unequal outcomes, the prisoner's dilemma only defection of both."""
    found = law("sequential", *BOTH)
    assert isinstance(found, Composed)
    assert found.stage_equilibria(0, ()) == [("up_1", "right_1"), ("down_1", "left_1")]
    assert found.stage_equilibria(1, choices(("up_1", "left_1"))) == [("down_2", "right_2")]
    both = law("parallel", *BOTH)
    assert isinstance(both, Composed)
    assert both.stage_equilibria(0, ()) == [("up_down", "right_right"), ("down_down", "left_right")]


def test_equilibria_of_a_nested_game_follow_from_how_the_first_one_ended(tmp_path: Path) -> None:
    found = game(written(tmp_path, NESTED)).spec.law
    assert isinstance(found, Composed)
    assert found.stage_equilibria(1, choices(("up_1", "left_1"))) == [("down_2", "right_2")]
    # The first player is bound to up, so that its own options make no difference to it.
    bound = found.stage_equilibria(1, choices(("up_1", "right_1")))
    assert bound == [("up_2", "right_2"), ("down_2", "right_2")]


def answer(stage: int, named: list[str] | None, number: int = 1) -> OptionChosen:
    return OptionChosen(round=number, stage=f"choice in game {stage}", player="Gizmo", option="up_1", equilibria=named)


def test_answers_are_scored_by_game_and_by_round() -> None:
    found = law("sequential", *BOTH)
    played_rounds = [
        RoundPlayed(
            round=number,
            roles={},
            choices=[{"Gizmo": "up_1", "Glitch": "left_1"}, {"Gizmo": "up_2", "Glitch": "left_2"}],
            cooperation={},
            payoffs={"Gizmo": 1.0, "Glitch": 1.0},
        )
        for number in (1, 2)
    ]
    right = [answer(1, ["down_1/left_1", "up_1/right_1"]), answer(2, ["down_2/right_2"])]
    wrong = [answer(1, ["down_1/left_1"], 2), answer(2, ["down_2/right_2"], 2)]
    told = answer_measures(found, played_rounds, [*right, *wrong, answer(1, None)])
    assert told == {"equilibria_exact": {"Gizmo": 0.75}, "equilibria_whole": {"Gizmo": 0.5}}
    assert answer_measures(found, played_rounds, [answer(1, None)]) == {}
    # A round in which one answer was unusable is not whole.
    half = answer_measures(found, played_rounds, right[:1])
    assert half == {"equilibria_exact": {"Gizmo": 1.0}, "equilibria_whole": {"Gizmo": 0.0}}


async def test_a_model_is_asked_for_the_equilibria_of_each_game(tmp_path: Path) -> None:
    asked: list[str] = []

    def respond(request: Request) -> str:
        text = str(request.messages[-1]["content"])
        asked.append(text)
        first = "game 1 alone" in text
        named = ["up_1/right_1", "down_1/left_1"] if first else ["up_2/right_2"]
        return json.dumps({"why": "w", "equilibria": named, "choice": "up_1" if first else "up_2"})

    file = written(tmp_path, "game: {form: composed, how: sequential, games: [chicken, prisoners-dilemma]}\n")
    async with FakeServer(respond) as server:
        found = await played(
            file, "chooser,always-cooperate", tmp_path / "runs", model="openai/test", base_url=server.base_url,
            agents_options={"way": "equilibria"}, repeat=2,
        )  # fmt: skip
    assert len(asked) == 4
    assert all("pure Nash equilibria of game" in each for each in asked)
    measures = found.results[0]["measures"]
    assert measures["equilibria_exact"] == {"Gizmo": 0.5}
    assert measures["equilibria_whole"] == {"Gizmo": 0.0}
