"""Environments for learners: turns, rewards, frozen partners, records that repeat, and many rollouts at once."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import accord
from accord.studies.verifying import replay
from accord.training.environment import AsyncEnvironment
from accord.training.links import WorkerLink
from accord.training.turns import Step
from voyager_agents.errors import ModelError
from voyager_agents.models import open_model

GAME = "prisoners-dilemma"
PROGRAM = """Plan:
1. Take a pickaxe and mine.

```javascript
async function work(bot) {
  await getItemFromChest(bot, { x: 0, y: -60, z: 0 }, { stone_pickaxe: 1 })
  await mineBlock(bot, "iron_ore", 3)
}
```
"""


def choice(option: str) -> str:
    return json.dumps({"why": "", "choice": option})


def cooperate(_turn: accord.Turn) -> str:
    return choice("cooperate")


def program(_turn: accord.Turn) -> str:
    return PROGRAM


@pytest.fixture
def game(tmp_path: Path) -> Iterator[accord.Environment]:
    with accord.env(GAME, partners="tit-for-tat", repeat=4, out=tmp_path) as made:
        yield made


def play(environment: accord.Environment, answers: list[str], seed: int | None = None) -> accord.Rollout:
    """Play one rollout with these answers by `reset` and `step`."""
    turn = environment.reset(seed)
    for answer in answers:
        assert turn is not None
        turn = environment.step(answer)
    assert turn is None
    assert environment.rollout is not None
    return environment.rollout


def is_equal_when_replayed(path: Path | None) -> bool:
    assert path is not None
    return asyncio.run(replay(path)).ok is True


def test_turns_come_one_by_one_with_the_reward_of_each_round(game: accord.Environment) -> None:
    turn = game.reset(seed=3)
    assert turn is not None
    assert (turn.seat, turn.role, turn.number, turn.own) == ("Gizmo", "player", 0, (False, False))
    assert [each["role"] for each in turn.messages] == ["system", "user"]
    assert turn.form is not None
    assert turn.form["schema"]["properties"]["choice"]["enum"] == ["cooperate", "defect"]
    assert game.rollout is None
    for answer in ("cooperate", "defect", "cooperate", "cooperate"):
        assert turn is not None
        turn = game.step(choice(answer))
    rollout = game.rollout
    assert turn is None
    assert rollout is not None
    # Tit for tat answers C, C, D, C: 3 + 5 + 0 + 3 against 3 + 0 + 5 + 3.
    assert (rollout.status, rollout.reason, rollout.seed) == ("complete", None, 3)
    assert rollout.rewards == {"Gizmo": 11.0, "Glitch": 11.0}
    assert rollout.episodes == (rollout.rewards,)
    assert [step.text for step in rollout.of("Gizmo")] == [
        choice(each) for each in ("cooperate", "defect", "cooperate", "cooperate")
    ]
    assert rollout.of("Glitch") == ()
    assert [step.turn.reward for step in rollout.of("Gizmo")] == [0.0, 3.0, 5.0, 0.0]
    assert rollout.step_rewards("Gizmo") == (3.0, 5.0, 0.0, 3.0)
    assert rollout.step_rewards("Glitch") == ()


def test_rewards_of_rounds_count_in_the_units_of_the_payoff(tmp_path: Path) -> None:
    def most(turn: accord.Turn) -> str:
        assert turn.form is not None
        return choice(turn.form["schema"]["properties"]["choice"]["enum"][-1])

    # An emerald of this game is worth a quarter.
    with accord.env("sequential-public-goods-penalty", seats="all", repeat=2, out=tmp_path) as environment:
        (rollout,) = environment.play(most, [0])
    for seat in environment.seats:
        first, second = rollout.step_rewards(seat)
        assert first == second == rollout.rewards[seat] / 2 > 0


def test_records_are_those_of_studies_and_repeat_also_in_worlds_used_before(game: accord.Environment) -> None:
    for seed in (1, 2):
        rollout = play(game, [choice("defect")] * 4, seed)
        assert rollout.path is not None
        assert accord.open_run(rollout.path).measures["welfare"] == sum(rollout.rewards.values())
        assert is_equal_when_replayed(rollout.path)


def test_programs_of_a_learner_repeat_also_in_worlds_used_before(tmp_path: Path) -> None:
    with accord.env("double-vein", partners="idle", out=tmp_path, time_limit_s=20) as environment:
        rollouts = environment.play(program, [4, 5], at_once=1)
    for rollout in rollouts:
        assert rollout.status == "complete"
        assert rollout.rewards["Gizmo"] == 12.0
        assert is_equal_when_replayed(rollout.path)


def test_equal_seeds_give_equal_turns_and_records_of_their_own(game: accord.Environment) -> None:
    first, again = (play(game, [choice("cooperate")] * 4, seed=7) for _ in range(2))
    assert first.steps == again.steps
    assert first.path is not None
    assert again.path is not None
    assert first.path != again.path
    assert (first.path / "events.jsonl").read_bytes() == (again.path / "events.jsonl").read_bytes()


def test_seeds_go_on_by_themselves_and_reset_abandons_a_rollout(game: accord.Environment) -> None:
    assert play(game, [choice("cooperate")] * 4).seed == 0
    game.reset()
    assert play(game, [choice("cooperate")] * 4).seed == 2
    assert game.path is not None
    given_up = json.loads((game.path / "seed-1" / "result.json").read_text())
    assert given_up["status"] == "failed"


def test_own_messages_are_marked_in_a_question_asked_again(game: accord.Environment) -> None:
    turn = game.reset(seed=0)
    assert turn is not None
    again = game.step("I would rather not say.")
    assert again is not None
    assert again.number == 1
    marked = [each["content"] for each, mine in zip(again.messages, again.own, strict=True) if mine]
    assert marked == ["I would rather not say."]
    step = Step(again, choice("defect"))
    assert step.own == [*again.own, True]
    assert step.conversation[-1] == {"role": "assistant", "content": choice("defect")}


def test_all_players_may_learn(tmp_path: Path) -> None:
    with accord.env(GAME, seats="all", repeat=2, out=tmp_path) as environment:
        (rollout,) = environment.play(lambda turn: choice("defect" if turn.seat == "Gizmo" else "cooperate"), [0])
    assert environment.seats == ("Gizmo", "Glitch")
    assert rollout.rewards == {"Gizmo": 10.0, "Glitch": 0.0}
    assert [len(rollout.of(seat)) for seat in environment.seats] == [2, 2]


def test_rewards_of_an_episode_come_with_the_next_turn(tmp_path: Path) -> None:
    with accord.env("double-vein", partners="idle", out=tmp_path, episodes=2, time_limit_s=20) as environment:
        (rollout,) = environment.play(program, [0])
    first = next(step.turn.reward for step in rollout.of("Gizmo") if step.turn.number > 0)
    assert first == rollout.episodes[0]["Gizmo"]
    assert [each["Gizmo"] for each in rollout.episodes] == [12.0, 12.0]


def test_partners_are_named_in_order_or_by_name(tmp_path: Path) -> None:
    for partners in (["always-defect"], {"Glitch": "always-defect"}, "always-defect"):
        with accord.env(GAME, partners=partners, repeat=2, out=tmp_path) as environment:
            (rollout,) = environment.play(cooperate, [0])
        assert rollout.rewards == {"Gizmo": 0.0, "Glitch": 10.0}
    with accord.env(GAME, seats="Glitch", agents="chooser", repeat=1, out=tmp_path) as environment:
        assert environment.play(cooperate, [0])[0].of("Glitch")


def test_a_partner_may_be_a_model(tmp_path: Path) -> None:
    options: Any = {"base_url": "http://127.0.0.1:9/v1"}
    made = accord.env(GAME, partners={"Glitch": "openai/some"}, out=tmp_path, **options)
    assert made._inner.settings.models == {"Glitch": "openai/some", "Gizmo": "learner/learner"}


@pytest.mark.parametrize("workers", [0, 2])
def test_many_rollouts_are_played_at_once_and_returned_in_order(tmp_path: Path, workers: int) -> None:
    seeds = [5, 3, 3, 8, 1]
    with accord.env(GAME, partners="tit-for-tat", repeat=2, out=tmp_path, workers=workers) as environment:
        rollouts = environment.play(cooperate, seeds, at_once=3)
        batches: list[int] = []

        def batch(turns: list[accord.Turn]) -> list[str]:
            batches.append(len(turns))
            return [cooperate(turn) for turn in turns]

        again = environment.play_batches(batch, seeds, at_once=3)
    assert [each.seed for each in rollouts] == [each.seed for each in again] == seeds
    assert all(each.rewards == {"Gizmo": 6.0, "Glitch": 6.0} for each in [*rollouts, *again])
    assert max(batches) == 3
    assert [each.steps for each in rollouts] == [each.steps for each in again]
    assert is_equal_when_replayed(again[2].path)


async def test_a_policy_may_await_and_its_error_ends_the_rollouts(tmp_path: Path) -> None:
    async def policy(turn: accord.Turn) -> str:
        if turn.number == 1:
            raise KeyError("weights")
        return choice("cooperate")

    async with accord.env_async(GAME, repeat=2, out=tmp_path) as environment:
        with pytest.raises(KeyError, match="weights"):
            await environment.play(policy, [0, 1])
        assert environment.open_rollouts == {}

        def too_few(turns: list[accord.Turn]) -> list[str]:
            return []

        with pytest.raises(accord.UsageError, match="0 texts for 2 turns"):
            await environment.play_batches(too_few, [0, 1])
        assert environment.open_rollouts == {}


async def test_a_lost_worker_ends_its_rollout_and_is_replaced(tmp_path: Path) -> None:
    async with AsyncEnvironment(GAME, repeat=1, out=tmp_path, workers=1) as environment:
        episode = await environment.start(0)
        assert await episode.next() is not None
        (link,) = environment._links
        assert isinstance(link, WorkerLink)
        assert link._process is not None
        os.kill(link._process.pid, signal.SIGKILL)
        lost = await episode.wait()
        assert lost.status == "infrastructure"
        assert "signal 9" in str(lost.reason)
        (found,) = await environment.play(cooperate, [1])
        assert found.status == "complete"


def test_records_are_deleted_if_they_are_not_kept(tmp_path: Path) -> None:
    with accord.env(GAME, repeat=1, out=tmp_path, keep=False) as environment:
        (rollout,) = environment.play(cooperate, [0])
        assert rollout.path is None
        assert rollout.result["status"] == "complete"
        assert environment.path is not None
        assert not (environment.path / "seed-0").exists()


@pytest.mark.parametrize(
    ("scenario", "given", "message"),
    [
        (GAME, {"seats": "Gizmoo"}, "unknown player 'Gizmoo' (did you mean 'Gizmo'?)"),
        (GAME, {"seats": []}, "name at least one player"),
        (GAME, {"partners": {"Gizmo": "tit-for-tat"}}, "Gizmo is a learner's seat"),
        (GAME, {"partners": {"Glitsch": "tit-for-tat"}}, "did you mean 'Glitch'?"),
        (GAME, {"partners": ["tit-for-tat", "grim"]}, "2 are named; give one for each of Glitch"),
        (GAME, {"partners": "tit-for-tatt"}, "unknown reference player 'tit-for-tatt'"),
        (GAME, {"partners": "grim", "players": {"Glitch": "grim"}}, "Glitch is named in players or models too"),
        (GAME, {"players": {"Gizmo": "grim"}}, "which asks no model; give agents, one of chooser"),
        (GAME, {"partners": "human"}, "Glitch: people play in 'accord run' alone; name another partner"),
        (GAME, {"contract": "nothing"}, "nothing"),
        (GAME, {"workers": -1}, "workers: -1 is not legal"),
        (GAME, {"runs": 3}, "'runs' is no option"),
        ("no-such", {}, "no-such"),
    ],
)
def test_wrong_input_is_one_line_before_anything_starts(
    tmp_path: Path, scenario: str, given: dict[str, Any], message: str
) -> None:
    with pytest.raises(accord.UsageError) as error:
        accord.env(scenario, out=tmp_path / "out", **given)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
    assert not (tmp_path / "out").exists()


def test_wrong_calls_are_one_line(game: accord.Environment) -> None:
    with pytest.raises(accord.UsageError, match="call reset first"):
        game.step("text")
    for seed in (-1, 2**31, "3", True, 1.0):
        with pytest.raises(accord.UsageError, match="is not legal; give a whole number"):
            game.reset(seed)  # type: ignore[arg-type] # wrong on purpose
    game.reset(0)
    with pytest.raises(accord.UsageError, match="is int, not a text"):
        game.step(5)  # type: ignore[arg-type] # wrong on purpose
    with pytest.raises(accord.UsageError, match="at_once: 0"):
        game.play(cooperate, [0], at_once=0)


def test_a_learner_answers_in_an_environment_only() -> None:
    with pytest.raises(ModelError, match=r"play it with accord\.env"):
        open_model("learner/learner")
