"""Blocking face of an environment, for scripts and trainers without an event loop: `accord.env`."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar, Unpack

from accord.studies.keyword_options import Options
from accord.training.environment import AT_ONCE, AsyncEnvironment, BatchPolicy, LiveRollout, Policy
from accord.training.seating import Partners
from accord.training.turns import Rollout, Turn
from dilemmas.errors import UsageError

T = TypeVar("T")


def env(
    scenario: str | Path,
    contract: str = "none",
    *,
    seats: str | Sequence[str] | None = None,
    partners: Partners | None = None,
    workers: int = 0,
    keep: bool = True,
    **options: Unpack[Options],
) -> Environment:
    """Return a scenario as an environment for learners. Close it in the end, or use it in a `with` statement.

    Args:
        scenario: Name of a scenario, or path of a YAML file.
        contract: A condition of the scenario, or path of a contract's YAML file.
        seats: Players whose models are learners: a name, several, or `all`; None for the first player.
        partners: Frozen partners in the other seats, as kinds, families or models: one for all, one each in order, or
            by name. None for the usual reference players.
        workers: Processes that play rollouts; 0 to play them in this process.
        keep: False to delete the record of a rollout when it ends.
        options: Further options of every rollout, see `Options`.

    Raises:
        UsageError: Wrong input, before anything is started.
    """
    made = AsyncEnvironment(scenario, contract, seats=seats, partners=partners, workers=workers, keep=keep, **options)
    return Environment(made)


class Environment:
    """Scenario as an environment for learners, with blocking calls."""

    def __init__(self, environment: AsyncEnvironment) -> None:
        """Play the rollouts of `environment` in a thread with an event loop, started on first use."""
        self._inner = environment
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._episode: LiveRollout | None = None
        self._turn: Turn | None = None

    @property
    def seats(self) -> tuple[str, ...]:
        """Players whose models are learners."""
        return self._inner.seats

    @property
    def players(self) -> tuple[str, ...]:
        """All players of the scenario."""
        return self._inner.players

    @property
    def path(self) -> Path | None:
        """Directory of the records; None before the first rollout."""
        return self._inner.path

    @property
    def rollout(self) -> Rollout | None:
        """The rollout begun by `reset`, once it has ended; None before."""
        return None if self._episode is None else self._episode.rollout

    def reset(self, seed: int | None = None) -> Turn | None:
        """Start a rollout and return its first turn; None if no learner is asked anything.

        A rollout in progress is abandoned.

        Args:
            seed: Seed of all random choices; None for the one after the last.
        """
        if self._episode is not None:
            self._now(self._episode.abandon())
        self._episode = self._now(self._inner.start(seed))
        self._turn = self._now(self._episode.next())
        return self._turn

    def step(self, text: str) -> Turn | None:
        """Answer the last turn and return the next one, of any learner; None after the end (`rollout`).

        Raises:
            UsageError: No turn waits for an answer, or `text` is no text.
        """
        if self._episode is None or self._turn is None:
            raise UsageError("no turn waits for an answer: call reset first")
        self._now(self._episode.answer(self._turn, text))
        self._turn = self._now(self._episode.next())
        return self._turn

    def play(self, policy: Policy, seeds: Iterable[int], *, at_once: int = AT_ONCE) -> list[Rollout]:
        """Play a rollout for each seed and return them in order (`AsyncEnvironment.play`).

        Args:
            policy: Answers each turn with a text.
            seeds: Seeds of the rollouts.
            at_once: Maximum number of concurrent rollouts.
        """
        return self._now(self._inner.play(policy, seeds, at_once=at_once))

    def play_batches(self, policy: BatchPolicy, seeds: Iterable[int], *, at_once: int = AT_ONCE) -> list[Rollout]:
        """Play like `play`, with a policy that answers one turn of each concurrent rollout in one call.

        Args:
            policy: Returns one text per turn, in order.
            seeds: Seeds of the rollouts.
            at_once: Maximum number of concurrent rollouts, which is the size of a batch.
        """
        return self._now(self._inner.play_batches(policy, seeds, at_once=at_once))

    def close(self) -> None:
        """Abandon open rollouts, close all worlds and end the workers."""
        loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        self._now(self._inner.close())
        self._loop = self._thread = self._episode = self._turn = None
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def __enter__(self) -> Self:
        """Return the environment."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the environment."""
        self.close()

    def _now(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of `work` in the environment's event loop; cancel it if this thread is interrupted."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="environment", daemon=True)
            self._thread.start()
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise
