"""Players cannot void an episode: a player that takes a host down has played, and the others play without it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from accord.studies.world_lifecycle import WorldKeeper
from bridge.types import ProgramError, ProgramOutcome
from bridge.worlds import HOST_PER_PLAYER
from dilemmas.errors import UsageError
from dilemmas.records.record import read_events
from tests.fakes.world import Deed, FakeWorld, FakeWorlds, Script

DOWN = ProgramError("HostLost", "the program took its bot host down: bot host h1 was lost: it was silent for 3 s")
LOST = ProgramError("HostLost", "bot host h1 was lost: it was silent for 3 s")
PLAYED = (Deed(1, "Gizmo", {"raw_iron": 3}, {"iron_ore": 3}),)


def loss(culprit: str, other: str) -> Script:
    return Script(
        ends={culprit: (5, ProgramOutcome.THREW), other: (5, ProgramOutcome.INFRASTRUCTURE)},
        errors={culprit: DOWN, other: LOST},
    )


class SeparateWorld(FakeWorld):
    """Fake that records if each player has a host of its own."""

    capabilities = FakeWorld.capabilities | {HOST_PER_PLAYER}
    separated = False

    def separate(self) -> None:
        assert not self.open
        self.separated = True


async def study(tmp_path: Path, *worlds: FakeWorld, **settings: str) -> StudyResult:
    chosen = StudySettings("double-vein", world="fake", out=tmp_path, **settings)  # type: ignore[arg-type]
    return await run_study(chosen, worlds=FakeWorlds(*worlds))


async def test_the_episode_is_played_again_without_the_program_that_took_the_host_down(tmp_path: Path) -> None:
    first, second = SeparateWorld([loss("Glitch", "Gizmo")]), SeparateWorld([Script(PLAYED)])
    found = await study(tmp_path, first, second)
    result = found.results[0]
    assert (result["status"], result["repeats"]) == ("complete", 1)
    assert [sorted(run) for run in (*first.runs, *second.runs)] == [["Gizmo", "Glitch"], ["Gizmo"]]
    assert (first.separated, second.separated) == (False, True)
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    ended = {
        event.player: (event.outcome, event.error and event.error.name)
        for event in events
        if event.kind == "policy_ended"
    }
    assert ended == {"Gizmo": ("returned", None), "Glitch": ("threw", "HostLost")}
    (broken,) = [event for event in events if event.kind == "infrastructure"]
    assert broken.reason.startswith("Glitch's program took the bot host of Gizmo down")


async def test_taking_turns_at_it_voids_no_run_either(tmp_path: Path) -> None:
    first, second = (
        SeparateWorld([loss("Glitch", "Gizmo")]),
        SeparateWorld([Script(ends={"Gizmo": (1, ProgramOutcome.THREW)}, errors={"Gizmo": DOWN})]),
    )
    found = await study(tmp_path, first, second)
    assert found.results[0]["status"] == "complete"
    assert [sorted(run) for run in second.runs] == [["Gizmo"]]


async def test_a_loss_without_a_culprit_counts_as_a_repeat_and_separates_the_players(
    tmp_path: Path,
) -> None:
    nobody = Script(ends={"Glitch": (1, ProgramOutcome.INFRASTRUCTURE)}, errors={"Glitch": LOST})
    worlds = [SeparateWorld([nobody]) for _ in range(3)]
    found = await study(tmp_path, *worlds)
    assert found.results[0]["status"] == "infrastructure"
    assert [world.separated for world in worlds] == [False, True, True]


async def test_hosts_per_player_holds_from_the_first_world_on(tmp_path: Path) -> None:
    world = SeparateWorld([Script(PLAYED)])
    await study(tmp_path, world, hosts="per-player")
    assert world.separated


async def test_a_world_that_cannot_part_players_is_left_as_it_is() -> None:
    keeper = WorldKeeper(lambda seed: FakeWorld([]))
    keeper.separate()
    assert (await keeper.get(1)).name == "fake"
    await keeper.close()


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({"hosts": "mine"}, "hosts: 'mine' is not legal"),
        ({"hosts": "per-player", "world": "mock"}, "the mock world is one process"),
    ],
)
def test_hosts_that_cannot_be_had_are_refused_in_a_line(settings: dict[str, Any], text: str) -> None:
    with pytest.raises(UsageError, match=text):
        StudySettings("double-vein", **settings)
