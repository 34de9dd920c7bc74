"""Ray engine: tasks on a Ray cluster, one actor per job, whose worlds stay open between tasks.

Only this module imports Ray, and only when the engine plays (`pip install "accord-mc[ray]"`). All machines of the
cluster must have Accord installed and see the sweep's folder under the same path.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from accord.studies.sweeps.engine import BUSY_S, MAX_LOST, Heard, Order
from accord.studies.sweeps.player import TaskPlayer, use_plugins
from accord.studies.worker_process import KNOWN
from common.errors import PrerequisiteError
from dilemmas.errors import DilemmaError


def _ray() -> Any:  # noqa: ANN401 - a package that need not be installed
    try:
        import ray
    except ImportError:
        raise PrerequisiteError(
            "--engine ray needs Ray: pip install 'ray>=2.40' into Accord's environment, or choose --engine local"
        ) from None
    return ray


class _Actor:
    """Ray actor that plays tasks."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._player: TaskPlayer | None = None

    async def play(self, index: int) -> str:
        """Play a task and return its outcome."""
        if self._player is None:
            order = self._order
            use_plugins(order.plugins)
            self._player = TaskPlayer(order.folder, order.scratch, dict(order.budget), order.allowed)
        return await self._player.play(index)

    async def close(self) -> None:
        """Close the actor's worlds."""
        if self._player is not None:
            await self._player.__aexit__(None, None, None)


class RayEngine:
    """Engine that plays tasks on a Ray cluster: an existing one by its address, or a new local one."""

    def __init__(self, jobs: int | None = None, address: str | None = None, cpus: float = 1.0) -> None:
        """Play `jobs` tasks at a time, each with `cpus` CPUs; with None, as many as the cluster's CPUs allow."""
        self._jobs, self._address, self._cpus = jobs, address, cpus

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        """Play tasks. Raises an error that concerns all tasks."""
        ray = _ray()
        with contextlib.ExitStack() as stack:
            # Ray prints messages on dead workers to standard output, which programs may parse.
            stack.enter_context(contextlib.redirect_stdout(sys.stderr))
            if not ray.is_initialized():
                place = None if self._address is not None else stack.enter_context(_place())
                stack.callback(ray.shutdown)
                await asyncio.to_thread(self._begin, ray, place)
            try:
                async with asyncio.TaskGroup() as group:
                    left, lost = deque(indexes), dict.fromkeys(indexes, 0)
                    for _ in range(min(self._wanted(ray), len(left))):
                        group.create_task(_Job(ray, order, self._cpus, left, lost).work(heard))
            except ExceptionGroup as several:
                raise several.exceptions[0] from None

    def _begin(self, ray: Any, place: Path | None) -> None:  # noqa: ANN401
        if place is None:
            ray.init(address=self._address, log_to_driver=False, logging_level=logging.ERROR)
        else:
            # "local" overrides RAY_ADDRESS, which counts only with --address auto.
            ray.init(
                address="local",
                num_cpus=self._jobs,
                include_dashboard=False,
                log_to_driver=False,
                logging_level=logging.ERROR,
                _temp_dir=str(place),
            )

    def _wanted(self, ray: Any) -> int:  # noqa: ANN401
        return self._jobs or max(1, int(ray.cluster_resources().get("CPU", 1) // self._cpus))


class _Job:
    """Job with one actor at a time, which plays one task after the other."""

    def __init__(self, ray: Any, order: Order, cpus: float, left: deque[int], lost: dict[int, int]) -> None:  # noqa: ANN401
        self._ray, self._left, self._lost, self._order = ray, left, lost, order
        self._made = ray.remote(num_cpus=cpus, max_concurrency=1)(_Actor)
        self._actor: Any = None

    async def work(self, heard: Heard) -> None:
        """Play the remaining tasks, until none is left or the budget is used up."""
        try:
            while self._left:
                index = self._left.popleft()
                outcome = await self._one(index)
                if outcome == "busy":
                    self._left.append(index)
                    await asyncio.sleep(BUSY_S)
                elif outcome is not None:
                    if outcome == "budget":
                        self._left.clear()
                    heard(index, outcome)
            if self._actor is not None:
                await self._actor.close.remote()
        finally:
            if self._actor is not None:
                self._ray.kill(self._actor)

    async def _one(self, index: int) -> str | None:
        """Return the outcome of a task; None if its actor was lost and the task is played again."""
        self._actor = self._actor or self._made.remote(self._order)
        try:
            return str(await self._actor.play.remote(index))
        except self._ray.exceptions.RayActorError:
            self._actor = None
            self._lost[index] += 1
            if self._lost[index] >= MAX_LOST:
                return "lost"
            self._left.append(index)
            return None
        except self._ray.exceptions.RayTaskError as error:
            kind = KNOWN.get(type(error.cause).__name__)
            told = str(error.cause) if kind else f"internal error in a task: {error.cause!r}"
            raise (kind or DilemmaError)(told) from None


@lru_cache(maxsize=1)
def _token() -> str:
    """Return the authentication token of a local cluster. It stays the same, since Ray reads it only once."""
    return secrets.token_hex(32)


@contextlib.contextmanager
def _place() -> Iterator[Path]:
    """Yield a temporary folder for the files of a local cluster, and disable Ray's usage statistics meanwhile."""
    own = {"RAY_USAGE_STATS_ENABLED": "0"}
    # Ray creates sockets with long names in the folder, and the system limits the length of their paths.
    base = "/tmp" if Path("/tmp").is_dir() else None
    with tempfile.TemporaryDirectory(prefix="accord-ray-", dir=base, ignore_cleanup_errors=True) as name:
        if not any(each in os.environ for each in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH")):
            (Path(name) / "token").write_text(_token(), encoding="utf-8")
            own["RAY_AUTH_TOKEN_PATH"] = str(Path(name) / "token")
        before = {each: os.environ.get(each) for each in (*own, "RAY_AUTH_MODE")}
        os.environ.update(own)
        try:
            yield Path(name)
        finally:
            for each, value in before.items():
                os.environ.pop(each, None) if value is None else os.environ.update({each: value})
