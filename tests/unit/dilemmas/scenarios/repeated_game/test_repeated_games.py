"""Repeated games in the world, where choices are read and payoffs are held."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from dilemmas.errors import SpecError
from dilemmas.records.events import GameBegun, OptionChosen
from dilemmas.scenarios.registry import load_scenario
from tests.unit.voyager_agents.stage_games.scene import DILEMMA, events, game, payoffs, played, rounds, sums, written
from voyager_agents.stage_games.play import play
from voyager_agents.stage_games.strategies import STRATEGIES


@pytest.mark.parametrize("by", ["plates", "levers", "chests"])
async def test_players_choose_by_the_device_and_are_paid_in_emeralds(by: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"{DILEMMA}by: {by}\nrepeated: {{known: 3}}\n")
    found = await played(path, "tit-for-tat,always-defect", tmp_path)
    assert [each.choices[0] for each in rounds(found)] == [
        {"Gizmo": "cooperate", "Glitch": "defect"},
        {"Gizmo": "defect", "Glitch": "defect"},
        {"Gizmo": "defect", "Glitch": "defect"},
    ]
    items = {player: each["items"] for player, each in found.results[0]["players"].items()}
    assert items == {"Gizmo": {"emerald": 2, "cooperate": 1, "defect": 2}, "Glitch": {"emerald": 7, "defect": 3}}
    assert not any(any(each.absent) for each in rounds(found))


async def test_the_world_shows_what_the_law_says_round_for_round(tmp_path: Path) -> None:
    path = written(tmp_path, f"{DILEMMA}repeated: {{random: 0.1, most: 30}}\nrules: {{noise: 0.2}}\n")
    found = await played(path, "generous-tit-for-tat,win-stay-lose-shift", tmp_path, seed=3)
    match = game(path).spec.match(3)
    kinds = {"Gizmo": "generous-tit-for-tat", "Glitch": "win-stay-lose-shift"}
    assert payoffs(found) == sums(play(match, kinds, seed=3))
    assert [tuple(each.choices) for each in rounds(found)] == [each.choices for each in match.history]
    assert 1 < len(match.history) < 30
    assert any(each.trembled for each in rounds(found))


async def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    path = written(tmp_path, f"{DILEMMA}repeated: {{unknown: 4}}\nrules: {{noise: 0.3}}\n")
    logs = []
    for number in (1, 2):
        found = await played(path, "random,random", tmp_path / str(number), seed=7)
        logs.append((found.directory / "events.jsonl").read_bytes().replace(found.directory.name.encode(), b"run"))
    assert logs[0] == logs[1]


async def test_losses_are_paid_from_what_everybody_has_at_the_start(tmp_path: Path) -> None:
    found = await played("donor-game", "discriminator", tmp_path, time_limit_s=4)
    begun = next(event for event in events(found) if isinstance(event, GameBegun))
    assert begun.start == 50
    expected = {player: 50 + sum(each.payoffs[player] for each in rounds(found)) for player in payoffs(found)}
    assert payoffs(found) == expected
    assert rounds(found)[-1].images == {
        player: each["items"].get("help", 0) for player, each in _players(found).items()
    }


async def test_punishers_take_from_free_riders_what_it_costs_them_to_ride_free(tmp_path: Path) -> None:
    found = await played("public-goods-punishment", "free-rider,punisher,punisher,punisher", tmp_path, time_limit_s=2)
    (only,) = rounds(found)
    # 20 + 24 from the good less three times 6; the others keep nothing, get 24 and pay 2.
    assert only.payoffs == {"Gizmo": 26.0, "Glitch": 22.0, "Sprocket": 22.0, "Rivet": 22.0}


async def test_many_emeralds_become_blocks(tmp_path: Path) -> None:
    path = written(tmp_path, "game: {actions: [a, b], payoffs: [[30, 0], [40, 1]]}\nrepeated: {known: 21}\n")
    found = await played(path, "always-cooperate", tmp_path)
    assert payoffs(found) == {"Gizmo": 630, "Glitch": 630}
    items = found.results[0]["players"]["Gizmo"]["items"]
    assert (items["emerald_block"], items["emerald"]) == (66, 36)


async def test_the_default_counts_without_a_choice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(STRATEGIES, "grim", lambda turn, draw: "surrender")
    path = written(tmp_path, f"{DILEMMA}repeated: {{known: 2}}\nrules: {{default: cooperative}}\n")
    found = await played(path, "grim,always-defect", tmp_path)
    assert [each.choices[0] for each in rounds(found)] == [{"Gizmo": "cooperate", "Glitch": "defect"}] * 2
    assert [each.absent for each in rounds(found)] == [[["Gizmo"]]] * 2
    assert [each.stood_in for each in rounds(found)] == [[{"Gizmo": "cooperative"}]] * 2
    assert [each.cooperation for each in rounds(found)] == [{"Glitch": 0.0}] * 2
    told = [event.fault for event in events(found) if isinstance(event, OptionChosen) and event.player == "Gizmo"]
    assert told == ["'surrender' is no option here; legal are cooperate, defect"] * 2


async def test_programs_play_the_same_game_against_the_clock(tmp_path: Path) -> None:
    path = written(tmp_path, f"{DILEMMA}plays: [episodes, rounds]\nrepeated: {{known: 3}}\nrules: {{stage_s: 4}}\n")
    found = await played(path, "always-cooperate,always-defect", tmp_path)
    assert payoffs(found) == {"Gizmo": 0, "Glitch": 15}
    assert not any(any(each.absent) for each in rounds(found))
    assert not any(isinstance(event, OptionChosen) for event in events(found))


async def test_under_the_contract_the_reference_players_cooperate(tmp_path: Path) -> None:
    path = written(tmp_path, f"{DILEMMA}repeated: {{known: 2}}\n")
    found = await played(path, "reference", tmp_path / "agreed", contracts=("negotiate",))
    assert payoffs(found) == {"Gizmo": 6, "Glitch": 6}
    cheated = await played(path, "always-cooperate,always-defect", tmp_path / "cheated", contracts=("contract-1",))
    # 0 and 10 from the table; two defections at 3 each.
    assert payoffs(cheated) == {"Gizmo": 6, "Glitch": 4}


def _players(found: object) -> dict[str, dict[str, dict[str, int]]]:
    players: dict[str, dict[str, dict[str, int]]] = found.results[0]["players"]  # type: ignore[attr-defined]
    return players


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "game: {actions: [a, b], payoffs: [[1, 2], [3]]}",
            "payoffs: row 2 of 2 has 1 cells; 2 by 2 actions need 2 rows of 2 cells",
        ),
        ("game: {actions: [a, a], payoffs: [[1, 2], [3, 4]]}", "actions: 'a' stands there twice"),
        ("game: {actions: [a, b], payoffs: [[1, 2], [3, x]]}", "game.matrix.payoffs.1.1: 'x' is no number"),
        ("game: {actions: [a, b], payoffs: [[1, 2], [3, [1, 2]]]}", "some cells are pairs and some single numbers"),
        ("game: {actions: [a, b], payoffs: [[1, 2], [3, 4]], cooperate: c}", "cooperate: 'c' is no action"),
        ("game: {actions: [a, b], payoffs: [[1, 5], [0, 3]]}", "the first action, 'a', would count as cooperation"),
        ("game: {actions: [a, emerald], payoffs: [[3, 0], [4, 1]]}", "'emerald' is what players are paid in"),
        ("game: {actions: [a, b], payoffs: [[3, 0.5], [4, 1]]}", "a payoff of 0.5 is no whole number of emeralds"),
        ("game: {form: chess}", "game.form: 'chess' is not legal; choose one of matrix, public-goods"),
        ("game: {form: ultimatum, pie: 4, offers: [1, 5]}", "5 is more than the pie of 4"),
        (DILEMMA + "repeated: {known: 3, random: 0.1}", "known and random is given; give one of"),
        (DILEMMA + "repeated: {random: 2}", "random: 2 is no chance between 0 and 1"),
        (DILEMMA + "rules: {noise: 2}", "noise: 2 is no chance from 0 to 1"),
        (DILEMMA + "by: doors", "by: 'doors' is not legal"),
        (DILEMMA + "text: Hello", "text: follows from the game"),
        (DILEMMA + "players: {Ada: {}, Bob: {}, Cyd: {}}", "a table of payoffs is for two players, not for 3"),
        (
            "game: {actions: [a, b], payoffs: [[400, 2], [3, 4]]}",
            "400 emeralds, and a player can carry 96 at most",
        ),
    ],
)
def test_a_wrong_game_is_one_line(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        load_scenario(written(tmp_path, text + "\n"))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_the_text_says_what_the_table_pays(tmp_path: Path) -> None:
    spec = game(written(tmp_path, f"{DILEMMA}story: Once.\nemerald: 0.5\nrepeated: {{random: 0.25}}\n")).spec
    for sentence in (
        "Once. If Gizmo chooses cooperate and Glitch chooses cooperate, Gizmo gets 3 and Glitch gets 3.",
        "If Gizmo chooses cooperate and Glitch chooses defect, Gizmo gets 0 and Glitch gets 5.",
        "After each round it ends with a chance of 25 %.",
        "An emerald is worth 0.5.",
    ):
        assert sentence in spec.text
    assert spec.players["Gizmo"].prices == {"emerald": 0.5, "emerald_block": 4.5}


def test_a_random_end_follows_the_seed_and_is_close_to_the_given_probability() -> None:
    spec = game("prisoners-dilemma-random").spec
    lasts = [spec.match(seed).last for seed in range(400)]
    assert lasts == [spec.match(seed).last for seed in range(400)]
    assert max(lasts) <= 200
    # Geometric with a mean of 25 and a deviation of 24.5: 400 draws are within four standard errors of it.
    assert abs(sum(lasts) / len(lasts) - 25) < 5


def test_hands_tremble_with_the_given_probability() -> None:
    match = game("prisoners-dilemma").spec.match(1)
    match.noise = Fraction(1, 4)
    while not match.over:
        match.choose({"Gizmo": "cooperate", "Glitch": "cooperate"})
    flips = sum(len(each.trembled[0]) for each in match.history)
    assert 12 <= flips <= 38
    assert all("defect" in each.choices[0].values() for each in match.history if each.trembled[0])
