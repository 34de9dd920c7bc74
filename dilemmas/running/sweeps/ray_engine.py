"""The Ray engine: tasks on a Ray cluster, one actor per job, whose worlds stay up between tasks.

Ray is imported here and nowhere else, and only when this engine is asked for (`pip install "accord-mc[ray]"`). All
machines of the cluster must see the sweep's folder under the same path, and have Accord installed.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from typing import Any

from bridge.errors import PrerequisiteError
from dilemmas.running.sweeps.engine import Heard, Order
from dilemmas.running.sweeps.local import BUSY_S, MAX_LOST
from dilemmas.running.sweeps.player import TaskPlayer


def _ray() -> Any:  # noqa: ANN401 - a package that need not be installed
    try:
        import ray
    except ImportError:
        raise PrerequisiteError(
            "--engine ray needs Ray: pip install 'ray>=2.40' into Accord's environment, or choose --engine local"
        ) from None
    return ray


class _Actor:
    """A process of the cluster that plays tasks."""

    def __init__(self, order: Order) -> None:
        self._order = order
        self._player: TaskPlayer | None = None

    async def play(self, index: int) -> str:
        """What came of that task."""
        if self._player is None:
            self._player = TaskPlayer(self._order.folder, self._order.scratch, dict(self._order.budget))
        return await self._player.play(index)

    async def close(self) -> None:
        """End its worlds."""
        if self._player is not None:
            await self._player.__aexit__(None, None, None)


class RayEngine:
    """Plays tasks on a Ray cluster: an existing one by its address, else one of this machine."""

    def __init__(self, jobs: int | None = None, address: str | None = None, cpus: float = 1.0) -> None:
        """`jobs` tasks at a time (None: as many as the cluster has CPUs for), each with so many `cpus`."""
        self._jobs, self._address, self._cpus = jobs, address, cpus

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        """Play these tasks. Raises what a task refuses for all of them."""
        ray = _ray()
        own = not ray.is_initialized()
        if own:
            await asyncio.to_thread(self._begin, ray)
        try:
            await self._play(ray, order, deque(indexes), heard)
        finally:
            if own:
                await asyncio.to_thread(ray.shutdown)

    def _begin(self, ray: Any) -> None:  # noqa: ANN401
        if self._address is not None:
            ray.init(address=self._address, log_to_driver=False)
        else:
            ray.init(num_cpus=self._jobs, include_dashboard=False, log_to_driver=False)

    async def _play(self, ray: Any, order: Order, left: deque[int], heard: Heard) -> None:  # noqa: ANN401
        jobs = self._jobs or max(1, int(ray.cluster_resources().get("CPU", 1) // self._cpus))
        lost: dict[int, int] = {}
        made = ray.remote(num_cpus=self._cpus, max_concurrency=1)(_Actor)
        stopped = False

        async def work() -> None:
            nonlocal stopped
            actor = None
            while left and not stopped:
                index = left.popleft()
                actor = actor or made.remote(order)
                try:
                    outcome = await actor.play.remote(index)
                except ray.exceptions.RayActorError:
                    actor = None
                    lost[index] = lost.get(index, 0) + 1
                    if lost[index] < MAX_LOST:
                        left.append(index)
                        continue
                    outcome = "lost"
                except ray.exceptions.RayTaskError as error:
                    raise error.as_instanceof_cause() from None
                if outcome == "busy":
                    left.append(index)
                    await asyncio.sleep(BUSY_S)
                    continue
                stopped = stopped or outcome == "budget"
                heard(index, outcome)
            if actor is not None:
                await actor.close.remote()
                ray.kill(actor)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(jobs, len(left))):
                    group.create_task(work())
        except ExceptionGroup as several:
            raise several.exceptions[0] from None
