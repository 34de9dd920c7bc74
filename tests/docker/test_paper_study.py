"""Studies on `--world paper` with the stand-in: results of the embedded server, and the cost of a lost container."""

from __future__ import annotations

import asyncio
import io
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import pytest

from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.errors import ServerError
from bridge.servers import control, registry
from bridge.servers.attached import AttachedPaperWorld, open_running_or_new
from bridge.servers.paper.marks import LABEL
from bridge.servers.paper.settings import PaperSettings
from bridge.servers.paper.world import PaperWorld
from dilemmas.records.events import EpisodeBroken, EpisodeStarted, LogLine, PolicyEnded
from dilemmas.records.record import read_events
from tests.docker.conftest import data_folder

pytestmark = pytest.mark.docker


@pytest.fixture(autouse=True)
def asked_for(image_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ACCORD_PAPER_IMAGE", image_of())
    monkeypatch.setenv("ACCORD_EULA", "true")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))


def study(tmp_path: Path, contract: str, time_limit_s: float | None = None) -> StudySettings:
    return StudySettings(
        "double-vein", contracts=(contract,), world="paper", out=tmp_path / "runs", time_limit_s=time_limit_s
    )


def payoffs(result: dict[str, Any]) -> dict[str, float]:
    return {name: player["payoff"] for name, player in result["players"].items()}


async def test_two_studies_at_once_have_the_figures_of_the_embedded_server(tmp_path: Path) -> None:
    settings = [study(tmp_path, contract) for contract in ("contract-1", "contract-2")]
    one, two = await asyncio.gather(*(run_study(each) for each in settings))
    assert (one.status, two.status) == ("complete", "complete")
    ends = [
        (each.event.player, each.event.outcome, each.event.error)
        for done in (one, two)
        for each in read_events(done.directory / "events.jsonl")
        if isinstance(each.event, PolicyEnded)
    ]
    # The episode ends when everything is collected, perhaps just before a program returns.
    assert {end[1] for end in ends} <= {"returned", "cancelled"}, ends
    assert payoffs(one.results[0]) == {"Gizmo": 37.0, "Glitch": 41.0}
    assert payoffs(two.results[0]) == {"Gizmo": 39.0, "Glitch": 39.0}
    assert "Stopping server" in (one.directory / "logs/server.log").read_text()


async def test_a_container_killed_in_mid_episode_is_replaced_and_never_scored(
    tmp_path: Path, engine: docker.DockerClient
) -> None:
    killed: list[str] = []

    def kill_the_first(line: LogLine) -> None:
        if line.kind == "policies_started" and not killed:
            (container,) = engine.containers.list(filters={"label": LABEL}, ignore_removed=True)
            killed.append(container.name)
            container.kill()

    done = await run_study(study(tmp_path, "contract-1", time_limit_s=3), listen=kill_the_first)
    events = list(read_events(done.directory / "events.jsonl"))
    assert killed
    assert done.status == "complete"
    assert [each.event.attempt for each in events if isinstance(each.event, EpisodeStarted)] == [1, 2]
    (broken,) = [each.event for each in events if isinstance(each.event, EpisodeBroken)]
    assert broken.repeated
    assert sum(each.kind == "episode_ended" for each in events) == 1
    assert done.results[0]["repeats"] == 1


async def test_a_server_that_is_up_is_used_and_stays(tmp_path: Path, engine: docker.DockerClient) -> None:
    running = await control.up_paper(PaperSettings(memory_mb=1024, stop_s=20))
    try:
        done = await run_study(study(tmp_path, "contract-1", time_limit_s=2), worlds=open_running_or_new)
        assert done.status == "complete"
        names = [each.name for each in engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)]
        assert names == [running.name]
        assert "players online:" in await control.command(running, "list")
        assert any("Done (" in line for line in control.log_lines(running, follow=False))
    finally:
        assert await control.down("paper") == running
    assert registry.everything() == []


async def test_of_two_runs_at_once_the_second_gets_a_server_of_its_own(tmp_path: Path) -> None:
    running = await control.up_paper(PaperSettings(memory_mb=1024, stop_s=20))
    try:
        async with open_running_or_new("paper", seed=0, log_dir=tmp_path) as first:
            assert isinstance(first, AttachedPaperWorld)
            async with open_running_or_new("paper", seed=0, log_dir=tmp_path) as second:
                assert isinstance(second, PaperWorld)
                await asyncio.gather(first.connect(["Gizmo"]), second.connect(["Gizmo"]))
                assert first.address == running.address != second.address
    finally:
        await control.down("paper")


async def test_a_server_that_was_up_and_died_is_replaced(tmp_path: Path, engine: docker.DockerClient) -> None:
    running = await control.up_paper(PaperSettings(memory_mb=1024, stop_s=20))
    try:
        await asyncio.to_thread(engine.containers.get(running.name).kill)
        assert await control.health(running) == ("gone", "it has ended")
        assert isinstance(open_running_or_new("paper", seed=0, log_dir=tmp_path), PaperWorld)
    finally:
        await control.down("paper")


async def test_a_kept_world_is_there_again(engine: docker.DockerClient) -> None:
    settings = PaperSettings(memory_mb=1024, stop_s=20)
    first = await control.up_paper(settings, keep_world=True)
    engine.containers.get(first.name).put_archive("/data", a_tar("level.dat", b"the world"))
    await control.down("paper")
    volume = engine.volumes.get(f"{first.name}-data")
    try:
        second = await control.up_paper(settings, keep_world=True)
        assert second.name == first.name
        assert second.password != first.password
        assert data_folder(engine, second.name)["level.dat"] == b"the world"
        await control.down("paper")
    finally:
        volume.remove()


async def test_a_kept_world_that_never_began_is_not_kept(image_of: Callable[..., str]) -> None:
    settings = PaperSettings(memory_mb=1024, stop_s=5, image=image_of("never-ready"), start_timeout_s=1.0)
    with pytest.raises(ServerError, match="not healthy"):
        await control.up_paper(settings, keep_world=True)
    assert registry.everything() == []


def a_tar(name: str, content: bytes) -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    return stream.getvalue()
