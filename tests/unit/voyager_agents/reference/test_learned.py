"""Learned policies in Commons Harvest: choices, files, the kept example and how it was made, and play beside agents."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from common.policy_file import Network, Saved
from dilemmas.errors import UsageError
from dilemmas.records.events import DeedSeen
from dilemmas.records.record import read_events
from voyager_agents.commons_harvest import HarvestTurn, Seen
from voyager_agents.errors import PlayerError
from voyager_agents.models import KINDS
from voyager_agents.reference.learned import FEATURES, LearnedForager, read_policy

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
BOT = EXAMPLES / "harvest_bot.npz"
sys.path.insert(0, str(EXAMPLES))
import harvest_policy  # noqa: E402

SEEN = (
    Seen("apple", (5, 6), "tree 1"),
    Seen("apple", (5, 8), "tree 1"),
    Seen("bare", (6, 8), "tree 1"),
    Seen("player", (7, 5), "Pedro"),
    Seen("apple", (9, 5), "tree 2"),
)
"""Sights of a player at (5, 5), nearest first."""


def turn(*seen: Seen, number: int = 1, out: bool = False) -> HarvestTurn:
    return HarvestTurn("Bot1", ("Laura", "Pedro", "Bot1"), number, (5, 5), (24, 18), seen, out=out)


def policy(**weights: float) -> Saved:
    """Return a linear policy with these weights of its features."""
    layer = (np.array([[*weights.values()]], np.float32), np.zeros(1, np.float32))
    return Saved("commons-harvest", tuple(weights), (0,), (Network((), layer),))


@pytest.mark.parametrize(
    ("weights", "move", "to"),
    [
        ({"take": 1.0}, "go", (5, 6)),
        ({"attack": 1.0}, "immobilize", (7, 5)),
        ({"explore": 1.0}, "explore", None),
        ({"take": -1.0, "attack": -1.0, "explore": -1.0}, "stay", None),
        ({"take": 1.0, "near": -1.0}, "go", (9, 5)),
        ({"share": 1.0}, "go", (9, 5)),
        ({"last": 1.0}, "go", (9, 5)),
        ({"take": 1.0, "last": -2.0, "near": -1.0}, "go", (5, 8)),
        ({"contested": 1.0}, "go", (9, 5)),
        ({"take": 0.5, "barren": 1.0}, "go", (5, 6)),
    ],
)
def test_the_best_choice_by_the_features_is_taken(weights: dict[str, float], move: str, to: Any) -> None:  # noqa: ANN401
    found = LearnedForager("Bot1", policy(**weights)).decide(turn(*SEEN))
    assert found.move == move
    assert to is None or found.to == to
    assert found.target == ("Pedro" if move == "immobilize" else "")


def test_an_attack_is_remembered_and_nobody_moves_while_out() -> None:
    player = LearnedForager("Bot1", policy(attack=1.0, take=0.5, again=-1.0))
    moves = [player.decide(turn(*SEEN, number=number)).move for number in (1, 2, 3, 4)]
    # In round 3 both score 0.5, and of equal choices the first is taken.
    assert moves == ["immobilize", "go", "go", "immobilize"]
    assert player.decide(turn(out=True)).move == "stay"
    assert LearnedForager("Bot1", policy(barren=1.0)).decide(turn(SEEN[3])).move == "immobilize"


def changed(**changes: Any) -> Saved:  # noqa: ANN401
    held = {"game": "commons-harvest", "parts": ("take",), "seats": (0,), "networks": policy(take=1.0).networks}
    return Saved(**{**held, **changes})


WIDE = Network((), (np.ones((2, 1), np.float32), np.zeros(2, np.float32)))


@pytest.mark.parametrize(
    ("saved", "told"),
    [
        (changed(game="ada-contract"), "was trained on 'ada-contract': give one that was trained on commons-harvest"),
        (changed(game="x\n" * 99), "was trained on"),
        (changed(parts=("smell",)), "is fed 'smell': inputs are take, attack"),
        (changed(parts=("take", "near")), "give one network without memory, with one input for each of its 2 parts"),
        (changed(networks=(WIDE,)), "one score"),
        (changed(seats=(0, 0)), "give one network"),
    ],
)
def test_a_policy_of_another_kind_is_one_line(saved: Saved, told: str, tmp_path: Path) -> None:
    saved.write(tmp_path / "policy.npz")
    with pytest.raises(PlayerError, match=told) as refused:
        read_policy(tmp_path / "policy.npz")
    assert "\n" not in str(refused.value)


def test_the_script_trains_the_same_policy_from_the_same_seed(tmp_path: Path) -> None:
    given = ["--generations", "1", "--population", "2", "--episodes", "1"]
    for name in ("one", "two"):
        harvest_policy.main([*given, "--save", str(tmp_path / name)])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert read_policy(tmp_path / "one").parts == tuple(FEATURES)
    harvest_policy.main([*given, "--seed", "1", "--save", str(tmp_path / "other")])
    assert (tmp_path / "other").read_bytes() != (tmp_path / "one").read_bytes()


def test_the_kept_policy_harvests_more_than_random_choices_and_attacks() -> None:
    kept = read_policy(BOT)
    assert kept.notes["generations"] == harvest_policy.Training.generations
    apples, hits = harvest_policy.outcome(harvest_policy.following(kept), range(4), harvest_policy.OTHERS)
    by_chance, _ = harvest_policy.outcome(harvest_policy.at_random, range(4), harvest_policy.OTHERS)
    assert apples > 1.2 * by_chance
    assert hits > 0


async def study(out: Path, **chosen: Any) -> StudyResult:  # noqa: ANN401
    settings = {
        "agents": "foragers", "players": {"Bot1": "learned"}, "agents_options": {"file": str(BOT)}, "time_limit_s": 6,
    }  # fmt: skip
    return await run_study(StudySettings("commons-harvest-bots", world="mock", out=out, **{**settings, **chosen}))


async def test_a_bot_plays_a_policy_and_the_record_has_its_hash(tmp_path: Path) -> None:
    found = await study(tmp_path / "one")
    assert found.results[0]["status"] == "complete", found.results[0]["reason"]
    log = found.directory / "events.jsonl"
    deeds = [line.event for line in read_events(log)]
    assert any(isinstance(each, DeedSeen) and each.player == "Bot1" for each in deeds)
    config = yaml.safe_load((found.directory / "config.yaml").read_text())
    assert hashlib.sha256(BOT.read_bytes()).hexdigest() in str(config["setup"])
    again = await study(tmp_path / "two")
    assert (again.directory / "events.jsonl").read_bytes() == log.read_bytes()


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "follow a policy from a file: give --agents-option file=FILE"),
        ({"file": "nowhere.npz"}, "policy file 'nowhere.npz' is not there"),
        ({"file": __file__}, "is no saved policy"),
        ({"file": str(BOT), "mood": "good"}, "'mood' is no option of 'learned' players"),
    ],
)
async def test_what_is_wrong_with_the_option_is_told_before_the_game(
    options: dict[str, str], told: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match=told):
        await study(tmp_path / "runs", agents_options=options)
    assert not (tmp_path / "runs").exists()


async def test_it_plays_beside_generative_agents_and_is_resumed_and_replayed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(KINDS, "thinker", "tests.unit.voyager_agents.generative.thinker:open_thinker")
    file = tmp_path / "bot.npz"
    file.write_bytes(BOT.read_bytes())
    options = {"file": str(file), "perceive": "rule"}
    asked = {"agents": "generative", "model": "thinker/Pedro", "agents_options": options, "time_limit_s": 3}
    whole = await study(tmp_path / "whole", **asked)
    assert whole.results[0]["status"] == "complete", whole.results[0]["reason"]
    stopped = await study(tmp_path / "stopped", **asked, budget={"calls": {"all": 5}})
    assert stopped.status == "budget"
    again = read_settings(stopped.directory, budget={"calls": {"all": 999}})
    file.write_bytes(BOT.read_bytes() + b"x")
    with pytest.raises(UsageError, match="setup: not what it was at the start"):
        await resume_study(stopped.directory, again)
    file.write_bytes(BOT.read_bytes())
    done = await resume_study(stopped.directory, again)
    replayed = await study(tmp_path / "replayed", **{**asked, "model": f"replay:{whole.directory}"})
    assert done.status == replayed.status == "complete"
    deeds = [
        [line.event for line in read_events(each.directory / "events.jsonl") if isinstance(line.event, DeedSeen)]
        for each in (whole, done, replayed)
    ]
    assert deeds[0] == deeds[1] == deeds[2] != []
