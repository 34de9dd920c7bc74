"""Games by formula in the world: order of moves, what movers see, private types, errors in files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dilemmas.errors import SpecError
from dilemmas.records.events import GameBegun, OptionChosen
from dilemmas.scenarios.registry import load_scenario
from tests.unit.voyager_agents.stage_games.scene import events, game, payoffs, played, rounds, sums, written
from voyager_agents.stage_games.choosing import now
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.turns import turn_of

NEW = (
    "cost-sharing", "dictator-game", "n-player-prisoners-dilemma", "ring-network", "sequential-public-goods",
    "sequential-public-goods-penalty", "sequential-public-goods-plain", "simultaneous-public-goods",
    "volunteers-dilemma", "volunteers-dilemma-private", "weakest-link",
)  # fmt: skip
GIVING = """game:
  form: formula
  choices: [0, 1, 2]
  payoff: 2 - own + before + total
"""


@pytest.mark.parametrize("name", NEW)
def test_a_game_is_data_of_at_most_fifteen_lines(name: str) -> None:
    found = game(name)
    lines = Path(found.path).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if line and not line.startswith("#")]) <= 15
    assert "payoff in a round is" in found.spec.text


async def test_movers_in_turn_are_paid_what_the_law_says(tmp_path: Path) -> None:
    path = written(tmp_path, f"{GIVING}  order: in-turn\n  rotate: true\nrepeated: {{known: 2}}\n")
    kinds = ("subgame-perfect", "always-cooperate", "conditional-cooperator", "best-reply")
    found = await played(path, ",".join(kinds), tmp_path)
    match = game(path).spec.match(0)
    assert payoffs(found) == sums(play(match, dict(zip(match.law.players, kinds, strict=True))))
    first, second = rounds(found)
    assert [list(stage) for stage in first.choices] == [["Gizmo"], ["Glitch"], ["Sprocket"], ["Rivet"]]
    assert [list(stage) for stage in second.choices] == [["Glitch"], ["Sprocket"], ["Rivet"], ["Gizmo"]]
    assert second.roles == {
        "Glitch": "first mover", "Sprocket": "second mover", "Rivet": "third mover", "Gizmo": "fourth mover",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("sees", "choices", "told"),
    [
        ("everything", ({"Gizmo": "give_1"}, {"Glitch": "give_2"}), "The first move of this round: Gizmo give_1."),
        ("last", ({}, {"Glitch": "give_2"}), "The second move of this round: Glitch give_2."),
        ("sum", ({}, {}), "The numbers chosen so far sum to 3."),
        ("nothing", ({}, {}), "Now choose: third move."),
    ],
)
def test_a_later_mover_sees_what_the_file_says(sees: str, choices: Any, told: str, tmp_path: Path) -> None:  # noqa: ANN401
    match = game(written(tmp_path, f"{GIVING}  order: in-turn\n  sees: {sees}\n")).spec.match(0)
    match.choose({"Gizmo": "give_1"})
    match.choose({"Glitch": "give_2"})
    turn = turn_of(match, "Sprocket")
    assert turn.choices == choices
    assert told in now(turn)
    assert ("give_1" in now(turn)) == (sees == "everything")


def test_one_line_makes_a_game_simultaneous(tmp_path: Path) -> None:
    together = game(written(tmp_path, GIVING)).spec
    assert together.law.stages == ("choice",)
    assert together.plays == ("rounds", "episodes")
    in_turn = game(written(tmp_path, f"{GIVING}  order: in-turn\n")).spec
    assert in_turn.law.stages == ("first move", "second move", "third move", "fourth move")
    assert "Each sees all choices made before its own." in in_turn.text
    # A program in the world sees other players at their devices: it plays only where nothing is hidden.
    assert game(written(tmp_path, f"{GIVING}  order: in-turn\n  sees: sum\n")).spec.plays == ("rounds",)


async def test_a_private_type_is_told_to_its_player_alone_and_logged(tmp_path: Path) -> None:
    found = await played("volunteers-dilemma-private", "random", tmp_path, seed=5)
    match = game("volunteers-dilemma-private").spec.match(5)
    drawn = {player: match.roles[player].private for player in match.law.players}
    assert len(set(drawn.values())) > 1
    assert rounds(found)[0].types == {player: float(private or 0) for player, private in drawn.items()}
    for player, private in drawn.items():
        turn = turn_of(match, player)
        assert {name: role.private for name, role in turn.roles.items() if role.private} == {player: private}
        assert f"Your cost in this round is {float(private or 0):g}; only you know it." in now(turn)
    match.choose(dict.fromkeys(match.law.players, "wait"))
    assert all(role.private is None for each in turn_of(match, "Gizmo").history for role in each.roles.values())


async def test_types_enter_the_payoff(tmp_path: Path) -> None:
    found = await played("volunteers-dilemma-private", "always-cooperate", tmp_path, seed=1)
    for each in rounds(found):
        assert each.payoffs == {player: 10 - cost for player, cost in each.types.items()}
    assert len({tuple(each.types.values()) for each in rounds(found)}) > 3


async def test_a_game_without_types_logs_none(tmp_path: Path) -> None:
    found = await played("dictator-game", "always-defect", tmp_path)
    assert b'"types"' not in (found.directory / "events.jsonl").read_bytes()
    begun = next(event for event in events(found) if isinstance(event, GameBegun))
    assert begun.theory["equilibria"] == [{"Gizmo": "give_0"}]
    assert payoffs(found) == {"Gizmo": 50, "Glitch": 50}
    assert [each.roles for each in rounds(found)][:2] == [
        {"Gizmo": "dictator of Glitch", "Glitch": "recipient of Gizmo"},
        {"Glitch": "dictator of Gizmo", "Gizmo": "recipient of Glitch"},
    ]


async def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    logs = []
    for number in (1, 2):
        found = await played("volunteers-dilemma-private", "random", tmp_path / str(number), seed=7)
        logs.append((found.directory / "events.jsonl").read_bytes().replace(found.directory.name.encode(), b"run"))
    assert logs[0] == logs[1]


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("choices: [0, 1], payoff: own.real", "'own.real' is not legal here"),
        ("choices: [0, 1], payoff: own + price", "price (names: "),
        ("choices: [0, 1], payoff: own >= 1", "is a truth value"),
        ("choices: [0, 1]", "give choices and payoff for all players, or roles"),
        ("choices: [0, 1], payoff: own, roles: {a: {payoff: own}, b: {payoff: own}}", "leave out those of the game"),
        ("choices: [0, 1], payoff: own, sees: sum", "sees: sum is for moves in turn; give order: in-turn"),
        ("choices: [0, 1], payoff: own, values: {total: 3}", "'total' is taken in formulas"),
        ("choices: [0, 1], payoff: own, cooperate: give_7", "cooperate: 'give_7' is no choice; choose from give_0"),
        ("choices: [0, 1], payoff: 3 - own", "name both, e.g. `cooperate: give_0` and `defect: give_1`"),
        ("choices: [0, 1], payoff: own / lowest", "divides by zero"),
        ("choices: [0, 1, 2, 3, 4, 5, 6, 7, 8], payoff: own + before, order: in-turn", "combinations of choices"),
        ("roles: {a: {choices: [0, 1], payoff: own}, b: {payoff: a + rest}}", "rest (names: "),
    ],
)
def test_a_wrong_file_is_refused_in_a_line(body: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_scenario(written(tmp_path, f"game: {{form: formula, {body}}}\n"))
    assert told in str(caught.value)


async def test_a_stand_in_is_told_and_no_choice_of_the_player(tmp_path: Path) -> None:
    path = written(tmp_path, f"{GIVING}repeated: {{known: 2}}\nrules: {{default: reference}}\n")
    match = game(path).spec.match(0)
    picked = {"Glitch": "give_0", "Sprocket": "give_0", "Rivet": "give_0"}
    match.choose({"Gizmo": "give_2", **picked}, {"Gizmo": "reference"})
    assert match.history[-1].own_choices(0) == picked


async def test_decisions_are_logged_with_the_stage(tmp_path: Path) -> None:
    found = await played("sequential-public-goods", "subgame-perfect", tmp_path)
    chosen = [event for event in events(found) if isinstance(event, OptionChosen)]
    assert [(each.player, each.stage) for each in chosen[:2]] == [("Gizmo", "first move"), ("Glitch", "second move")]
    assert {each.option for each in chosen} == {"give_10"}
