"""Repeated games with models that give no usable answers: a stand-in chooses, and nothing counts as the model's."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.transcript import StepFilter, read_steps
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult
from dilemmas.errors import UsageError
from dilemmas.records.events import OptionChosen
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import load_repeated
from tests.fakes.json_schema import faults
from tests.unit.voyager_agents.stage_games.scene import events, game, played, rounds, written
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.faults import WRONG
from voyager_agents.stage_games.match import RepeatedMatch
from voyager_agents.stage_games.stand_ins import GameStandIn, GameStandIns

ANSWER = json.dumps({"why": "so", "choice": "cooperate"})
SEED = 3


async def asked(
    out: Path,
    answer: Callable[[Request], FakeReply | str],
    repeat: int = 6,
    **more: Any,  # noqa: ANN401 - settings
) -> StudyResult:
    """Play a model as Gizmo against a player that always cooperates."""
    async with FakeServer(answer) as server:
        return await played(
            "prisoners-dilemma", "chooser,always-cooperate", out, model="openai/m", base_url=server.base_url,
            repeat=repeat, seed=SEED, **more,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("reply", "kind"),
    [("I would rather talk.", "unreadable"), (WRONG["refusal"], "refused"), (WRONG["thoughts alone"], "cut_off")],
)
async def test_a_model_without_answers_makes_the_run_invalid_and_has_never_defected(
    tmp_path: Path, reply: FakeReply | str, kind: str
) -> None:
    found = await asked(tmp_path, lambda _: reply)
    (result,) = found.results
    assert (result["status"], result["invalid"]) == ("complete", "answers")
    none = dict.fromkeys(("unreadable", "refused", "cut_off"), 0)
    (counts,) = result["answers"]
    assert counts == {
        "player": "Gizmo", "role": "player", "model": "openai/m",
        **none, kind: 12, "questions": 6, "answers": 12, "given_up": 6,
    }  # fmt: skip
    assert result["measures"]["cooperation"] == {"Glitch": 1.0, "": 1.0}
    assert result["measures"]["absent"] == {"Gizmo": 6.0, "Glitch": 0.0}
    assert "mutual" not in result["measures"]
    assert "defect" not in result["players"]["Gizmo"]["items"]
    assert [each.stood_in for each in rounds(found)] == [[{"Gizmo": "random"}]] * 6
    assert {each.choices[0]["Gizmo"] for each in rounds(found)} == {"cooperate", "defect"}
    told = [event for event in events(found) if isinstance(event, OptionChosen)]
    assert {(each.player, each.option, each.stood_in) for each in told} == {
        ("Gizmo", "", "random"),
        ("Glitch", "cooperate", ""),
    }
    steps = list(read_steps(found.directory, StepFilter(players=("Gizmo",))))
    assert "chooses in round 1: nothing; random stands in" in [step.title for step in steps]
    assert any("(random stood in), Glitch cooperate" in repr(step) for step in steps)
    assert faults(json.loads(SCHEMA.read_text(encoding="utf-8")), result) == []


async def test_a_run_below_the_limit_is_valid_and_leaves_out_the_round_without_an_answer(tmp_path: Path) -> None:
    numbers = count(1)

    def clumsy(_: Request) -> str:
        return "hm" if next(numbers) in (3, 4) else ANSWER

    found = await asked(tmp_path / "valid", clumsy, repeat=10)
    (result,) = found.results
    assert "invalid" not in result
    (counts,) = result["answers"]
    assert (counts["questions"], counts["answers"], counts["unreadable"], counts["given_up"]) == (10, 11, 2, 1)
    assert result["measures"]["cooperation"]["Gizmo"] == 1.0
    assert result["measures"]["mutual"] == {"": 1.0}
    assert [each.round for each in rounds(found) if each.absent] == [3]


async def test_the_limit_is_an_option(tmp_path: Path) -> None:
    numbers = count(1)
    found = await asked(tmp_path, lambda _: "hm" if next(numbers) in (3, 4) else ANSWER, repeat=10, max_unreadable=0.05)
    assert found.results[0]["invalid"] == "answers"


@pytest.mark.parametrize(("how", "chosen"), [("last", "cooperate"), ("reference", "cooperate")])
async def test_what_stands_in_is_an_option(tmp_path: Path, how: str, chosen: str) -> None:
    numbers = count(1)
    found = await asked(tmp_path, lambda _: ANSWER if next(numbers) == 1 else "hm", on_unreadable=how)
    assert [each.stood_in for each in rounds(found)] == [[], *[[{"Gizmo": how}]] * 5]
    assert {each.choices[0]["Gizmo"] for each in rounds(found)} == {chosen}


def test_players_read_what_stands_in_for_them() -> None:
    assert "one of its options is drawn at random" in load_repeated("prisoners-dilemma", None).spec.text
    assert "its last choice counts again" in load_repeated("prisoners-dilemma", None, "last").spec.text


@pytest.mark.parametrize(
    ("scenario", "how", "told"),
    [
        ("prisoners-dilemma", "idle", "on unreadable: prisoners-dilemma has no 'idle'; choose from random, last, "),
        ("double-vein", "random", "on unreadable: double-vein has no 'random'; choose from idle"),
        ("double-vein", "sleep", "on unreadable: 'sleep' is not legal; choose one of idle, last, random, reference"),
    ],
)
def test_a_stand_in_that_a_game_cannot_have_is_refused_before_the_start(scenario: str, how: Any, told: str) -> None:  # noqa: ANN401
    with pytest.raises(UsageError) as caught:
        StudyPlan.of(StudySettings(scenario, on_unreadable=how))
    assert str(caught.value).startswith(told)


def match_of(name: str, how: GameStandIn) -> tuple[RepeatedMatch, GameStandIns]:
    match = game(name).spec.match(SEED)
    return match, GameStandIns(match, how)


def test_random_draws_are_uniform_and_the_same_for_a_seed() -> None:
    match, stand_ins = match_of("prisoners-dilemma", "random")
    drawn = [stand_ins.fill({"Glitch": "defect"})[0]["Gizmo"] for _ in range(400)]
    assert 160 < drawn.count("cooperate") < 240
    again = match_of("prisoners-dilemma", "random")[1]
    assert [again.fill({})[0]["Gizmo"] for _ in range(400)] == drawn
    assert match.options("Gizmo") == ("cooperate", "defect")


def test_the_last_choice_is_the_players_own_and_at_first_drawn() -> None:
    match, stand_ins = match_of("rock-paper-scissors", "last")
    for own in ({}, {"Gizmo": "paper"}, {}, {}):
        match.choose(*stand_ins.fill({**own, "Glitch": "rock"}))
    assert [each.stood_in[0].get("Gizmo", "") for each in match.history] == ["random", "", "last", "last"]
    assert [each.choices[0]["Gizmo"] for each in match.history[1:]] == ["paper"] * 3


@pytest.mark.parametrize("name", ["public-goods-punishment", "donor-game", "ultimatum-game", "trust-game", "chicken"])
def test_every_game_has_a_reference_that_chooses_in_every_stage(name: str) -> None:
    match, stand_ins = match_of(name, "reference")
    while not match.over:
        choices, stood_in = stand_ins.fill({})
        match.choose(choices, stood_in)
        assert set(stood_in.values()) <= {"reference"}
    assert not any(match.images().values())


def test_a_missing_choice_is_never_filled_in_silently() -> None:
    match, _ = match_of("prisoners-dilemma", "random")
    with pytest.raises(ValueError, match="Gizmo: '' is not legal here; choose one of cooperate, defect"):
        match.choose({"Glitch": "defect"})


def test_a_file_may_name_a_pole(tmp_path: Path) -> None:
    body = "game: {actions: [a, b], payoffs: [[3, 0], [4, 1]]}\nrules: {default: selfish}\n"
    found = load_repeated(written(tmp_path, body), None)
    assert "its most selfish option counts" in found.spec.text
