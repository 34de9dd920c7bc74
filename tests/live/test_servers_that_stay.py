"""Servers that stay up, shared by runs and watched by people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.fleet import Fleet
from bridge.servers import control, registry
from bridge.servers.attached import AttachedEmbeddedWorld, open_running_or_new
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.servers.registry import Running
from common.errors import PrerequisiteError

pytestmark = pytest.mark.live


@pytest.fixture
async def running(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Running]:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    server = await control.up_embedded()
    yield server
    await control.down("embedded")
    assert registry.everything() == []


async def test_runs_use_it_one_after_the_other_and_leave_it_up(running: Running, tmp_path: Path) -> None:
    for out in ("first", "second"):
        settings = StudySettings("double-vein", contracts=("contract-1",), time_limit_s=1, out=tmp_path / out)
        done = await run_study(settings, worlds=open_running_or_new)
        assert done.status == "complete"
        assert str(running.address) in (done.directory / "events.jsonl").read_text()
    assert await control.health(running) == ("up", "")
    assert await control.command(running, "list") == "There are 0 of a max of 2000 players online: "


async def test_a_run_has_it_to_itself_and_it_is_not_taken_away(running: Running, tmp_path: Path) -> None:
    async with open_running_or_new("embedded", seed=0, log_dir=tmp_path) as first:
        assert isinstance(first, AttachedEmbeddedWorld)
        assert isinstance(open_running_or_new("embedded", seed=0, log_dir=tmp_path), EmbeddedWorld)
        with pytest.raises(PrerequisiteError, match="in use by a run"):
            await control.down("embedded")
    assert isinstance(
        open_running_or_new("embedded", seed=0, log_dir=tmp_path, port=running.port), AttachedEmbeddedWorld
    )
    assert isinstance(open_running_or_new("embedded", seed=0, log_dir=tmp_path, port=running.port + 1), EmbeddedWorld)


async def test_a_person_is_waited_for_and_sees_with_a_bots_eyes(running: Running) -> None:
    fleet = Fleet()
    await fleet.open()
    try:
        fleet.use(running.address)
        await fleet.connect(["Gizmo"])
        asked = asyncio.Event()
        watching = asyncio.create_task(control.spectate(running, "Eve", "Gizmo", wait_s=20, waiting=asked.set))
        await asked.wait()
        await fleet.connect(["Eve"])
        await watching
        spectators = await control.command(running, "execute if entity @a[name=Eve,gamemode=spectator]")
        assert spectators.startswith("Test passed")
        with pytest.raises(PrerequisiteError, match=r"Glitch is not in the world \(there: Gizmo, Eve\)"):
            await control.spectate(running, "Eve", "Glitch", wait_s=0, waiting=asked.set)
    finally:
        await fleet.close()
