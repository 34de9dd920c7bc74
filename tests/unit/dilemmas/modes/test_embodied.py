"""Embodied grid games: the mode shows each step in the world, and plays as it does without one."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from bridge.mock_world import MockWorld
from bridge.worlds import World
from common.policy_file import Network, Saved
from dilemmas.errors import UsageError
from dilemmas.minecraft.mirror import Mirror, picture_of, read_mirror
from dilemmas.records.record import read_events
from grid_games import Batch, load
from grid_games.arrays import Ints
from grid_games.policies.inputs import inputs

STEPS = 45


def settings(folder: Path, **changes: str) -> StudySettings:
    plain = StudySettings("ada-contract", out=folder, seed=3, time_limit_s=STEPS, agents="oracle-plan", world="none")
    return replace(plain, **changes)  # type: ignore[arg-type]


def opened(name: str, *, seed: int, log_dir: Path, **rest: object) -> World:
    assert name == "mock"
    return MockWorld(seed, log_dir, threaded=False)


def played(path: Path) -> list[tuple[str, str]]:
    """Return the log's lines of play, without the world's time."""
    kinds = ("grid_begun", "society", "social_act", "exchange", "grid_ended", "state")
    return [(line.kind, str(line.event)) for line in read_events(path / "events.jsonl") if line.kind in kinds]


def folder(result: StudyResult) -> Path:
    return next(path.parent for path in result.directory.rglob("events.jsonl"))


async def test_the_world_shows_each_step_of_a_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    ticks: list[int] = []
    draw = Mirror.draw_changes

    async def watched(mirror: Mirror) -> int:
        count = await draw(mirror)
        ticks.append(await mirror.world.now())
        if len(shown) % 6 == 2:
            shown.append((await read_mirror(mirror)).differences(picture_of(mirror.batch)))
        else:
            shown.append([])
        return count

    monkeypatch.setattr(Mirror, "draw_changes", watched)
    result = await run_study(settings(tmp_path / "mock", world="mock", embodied="mirror"), worlds=opened)
    assert shown == [[]] * STEPS
    assert [later - sooner for sooner, later in pairwise(ticks)] == [4] * (STEPS - 1)
    plain = await run_study(settings(tmp_path / "none"))
    lines = played(folder(plain))
    assert len(lines) > 10
    assert played(folder(result)) == lines


async def test_a_policy_for_another_game_ends_in_one_line(tmp_path: Path) -> None:
    batch = Batch(load("ada-contract"), [0])
    fed = inputs(batch, ("window",)).shape[2] + 1
    last: tuple[Ints, Ints] = (batch.inventory[0, :1, :1] * 0, batch.inventory[0, 0, :1] * 0)
    network = Network((), (last[0].repeat(16, 0).repeat(fed, 1).astype("f4"), last[1].repeat(16).astype("f4")))
    Saved("another", ("window",), (0, 0, 0, 0), (network,)).write(tmp_path / "policy.npz")
    chosen = settings(tmp_path, agents=f"policy:{tmp_path / 'policy.npz'}")
    with pytest.raises(UsageError, match=r"was trained on another: it is fed 393 numbers and knows 16 actions"):
        await run_study(chosen)
