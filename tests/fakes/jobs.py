"""Worlds that other processes can open, defined as module functions for studies with several jobs."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Mapping
from pathlib import Path

from bridge.types import Limits, PolicyResult, ProgramOutcome
from common.errors import PrerequisiteError
from tests.fakes.world import Deed, FakeWorld, Script

SPLIT = Script(
    deeds=(
        Deed(3, "Gizmo", {"raw_iron": 12}, {"iron_ore": 12}, says="All iron is mine"),
        Deed(4, "Glitch", {"diamond": 6}, {"diamond_ore": 6}),
    ),
    ends={"Gizmo": (9, ProgramOutcome.RETURNED), "Glitch": (9, ProgramOutcome.RETURNED)},
)


class Willing(FakeWorld):
    """World that plays the same script in every run, and writes its process id to its log folder."""

    def __init__(self, log_dir: Path) -> None:
        super().__init__([])
        self.log_dir = log_dir
        log_dir.mkdir(parents=True, exist_ok=True)
        (log_dir / "pid").write_text(str(os.getpid()))

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        self.scripts = [SPLIT]
        return await super().run(policies, limits)


class Deadly(Willing):
    """World that kills its process on the first play, or with `always` in every run under a contract."""

    always = False

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        if self._dies(policies):
            os.kill(os.getpid(), signal.SIGKILL)
        return await super().run(policies, limits)

    def _dies(self, policies: Mapping[str, str]) -> bool:
        if self.always:
            return "follows" in policies["Gizmo"]
        try:
            (self.log_dir.parent / "died").touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


class AlwaysDeadly(Deadly):
    """World that kills its process in every run under a contract."""

    always = True


class Endless(Willing):
    """World whose runs never end."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        (self.log_dir / "playing").touch()
        await asyncio.Event().wait()
        raise AssertionError("an endless run has ended")


def open_willing(name: str, *, seed: int, log_dir: Path, port: int | None = None) -> FakeWorld:
    return Willing(log_dir)


def open_deadly(name: str, *, seed: int, log_dir: Path, port: int | None = None) -> FakeWorld:
    return Deadly(log_dir)


def open_always_deadly(name: str, *, seed: int, log_dir: Path, port: int | None = None) -> FakeWorld:
    return AlwaysDeadly(log_dir)


def open_endless(name: str, *, seed: int, log_dir: Path, port: int | None = None) -> FakeWorld:
    return Endless(log_dir)


def open_none(name: str, *, seed: int, log_dir: Path, port: int | None = None) -> FakeWorld:
    raise PrerequisiteError("there is no such world here: build one")
