"""Stages of training, and groups that agents are put into at the start of an episode."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from grid_games import Batch, GameError, load
from grid_games.curriculum import curriculum, stage_names, without_talk
from grid_games.policies import open_policy
from grid_games.rules import Negotiation


def test_the_papers_stages_go_from_one_group_over_drawn_ones_to_the_whole_game() -> None:
    stages = curriculum("ada-contract", steps=100_000, environments=10)
    assert stage_names(stages) == ("one-group", "drawn-groups", "free")
    assert sum(stage.steps for stage in stages) == 100_000
    assert [stage.game.steps for stage in stages] == [100, 100, 120]
    one, drawn = (Batch(stage.game, range(8)) for stage in stages[:2])
    first = one.tables.social
    assert (one.rules.graph.member[0] == 0).all()
    assert not one.mask[..., first:].any()
    assert stages[2].game == load("ada-contract")
    # p_K falls from 1 to 0 over the episodes that an environment plays in the stage.
    start = stages[1].game.start_groups
    assert start is not None
    assert [start.chance(0), start.chance(start.episodes - 1), start.chance(10**6)] == [1.0, 0.0, 0.0]
    assert start.episodes == stages[1].steps // 1000
    for _ in range(start.episodes):
        drawn.reset()
    groups = drawn.rules.graph.member[0][..., 0]
    assert len(np.unique(groups)) == 4


def test_groups_are_drawn_from_the_environments_seed() -> None:
    game = load("ada-contract", settings={"rounds": 0}, start_groups={"group": 1, "probability": [0.5, 0.5]})
    one, many = Batch(game, [3]), Batch(game, range(200))
    groups = many.rules.graph.member[0][..., 0]
    assert (one.rules.graph.member[0][0] == many.rules.graph.member[0][3]).all()
    assert 0.55 < (groups == 1).mean() < 0.7  # 0.5 + 0.5 / 4
    # Layouts do not depend on how groups begin.
    assert (Batch(load("ada-contract"), [3]).places == one.places).all()


def test_a_drawn_coalition_shares_equally_and_one_alone_stays_alone() -> None:
    game = without_talk("ada-negotiation", start_groups={"group": 0, "probability": [0.4, 0.4]})
    batch = Batch(game, range(50))
    rules = batch.rules
    assert isinstance(rules, Negotiation)
    weights = rules.graph.weight[0][..., 0]
    for groups, mine in zip(rules.coalition, weights, strict=True):
        for group in set(groups.tolist()) - {-1}:
            assert (groups == group).sum() > 1
            assert mine[groups == group].sum() == pytest.approx(1)
        assert (mine[groups == -1] == 1).all()


def test_a_curriculum_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "stages.yaml"
    path.write_text("stages:\n  work: {share: 1, talk: false}\n  all: {share: 3}\n")
    work, whole = curriculum("ada-negotiation-hard", steps=400, environments=1, path=path)
    assert (work.steps, work.game.steps, work.game.start_groups) == (100, 200, None)
    assert (whole.steps, whole.game.steps) == (300, 240)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1", "has no stages; it takes `stages:`"),
        ("stages: {}", "has no stages"),
        ("stages: {a: {talk: true}}", "stage 'a' of .* lacks its share"),
        ("stages: {a: {share: 0}}", "share is 0; give a number above 0"),
        ("stages: {a: {share: .nan}}", "share is nan; give a number above 0"),
        ("stages: {a: {share: 1, talk: maybe}}", "talk is 'maybe'; give true or false"),
        ("stages: {a: {share: 1, pace: 2}}", "has no key 'pace'; keys are share, start_groups, talk"),
        ("stages: {a: {share: 1, start_groups: 3}}", "start_groups of stage 'a'.* are 3; give {group: G"),
        ("stages: [", r"cannot be read \(ParserError\)"),
    ],
)
def test_a_file_that_is_no_curriculum_gets_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "stages.yaml"
    path.write_text(text)
    with pytest.raises(GameError, match=message):
        curriculum("ada-contract", steps=100, environments=1, path=path)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        (7, r"start_groups of game ada-contract are 7; give \{group: G"),
        ({"group": 0}, "give {group: G"),
        ({"group": 9, "probability": [1, 1]}, "name the group 9; groups are 0 to 3"),
        ({"group": 0, "probability": [1, 2]}, r"probabilities \[1.0, 2.0\]; give two from 0 to 1"),
        ({"group": 0, "probability": [1]}, r"probability is \[1\]; give two numbers"),
        ({"group": "a", "probability": [1, 1]}, "group is 'a'; give a whole number"),
        ({"group": 0, "probability": [1, 1], "episodes": 0}, "fall over 0 episodes; give at least 1"),
    ],
)
def test_groups_that_cannot_be_get_one_line(start: object, message: str) -> None:
    with pytest.raises(GameError, match=message):
        load("ada-contract", start_groups=start)


def test_exploration_has_no_social_actions_before_the_last_stage() -> None:
    stages = curriculum("ada-exploration", steps=3000, environments=1)
    assert [stage.game.steps for stage in stages] == [500, 500, 500]
    one, whole = Batch(stages[0].game, [0], autoreset=True), Batch(stages[2].game, [0])
    social = one.tables.social
    for _ in range(501):  # into the next episode
        assert not one.mask[..., social:].any()
        assert (one.rules.graph.member[0] == 0).all()
        one.step(np.full((1, 8), 4))
    assert whole.mask[..., social:].any()
    with pytest.raises(GameError, match=r"game ada-contract begins with social actions.*; set rounds to 0 as well"):
        Batch(load("ada-contract", social_actions=False), [0])
    with pytest.raises(GameError, match="social_actions of game ada-contract are 'no'; give true or false"):
        load("ada-contract", social_actions="no")


def test_given_groups_replace_those_of_a_structure_for_the_episode() -> None:
    first, _, last = curriculum(
        "ada-social-structure", steps=600, environments=1, changes={"settings": {"structure": "dynamic"}}
    )
    given, own = Batch(first.game, [0]), Batch(last.game, [0])
    for _ in range(70):  # past both changes of the structure
        assert (given.rules.graph.member[0][0, :, 0] == 0).all()
        assert (given.rules.graph.member[0][0, :, 1:] == -1).all()
        rewards = given.step(open_policy("greedy", 0).act(given)).rewards
        assert np.ptp(rewards) < 1e-9
        own.step(np.full((1, 8), 4))
    assert (own.rules.graph.member[0][0, :, 1] >= 0).all()  # overlapping
    assert given.rewards.sum() > 0


def test_a_curriculum_needs_steps() -> None:
    with pytest.raises(GameError, match="a curriculum of 0 steps in 1 environments is none"):
        curriculum("ada-contract", steps=0, environments=1)
