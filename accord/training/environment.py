"""Environment for training by reinforcement: asynchronous rollouts of a scenario, with learners in some seats."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import json
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, Unpack

from accord.studies.keyword_options import Options
from accord.training.links import Link, LocalLink, WorkerLink
from accord.training.seating import Partners, learner_settings
from accord.training.turns import Rollout, Step, Turn
from dilemmas.errors import RecordError, UsageError
from dilemmas.scenarios.registry import load_scenario

Policy = Callable[[Turn], str | Awaitable[str]]
"""Learner: the answer to a turn, given at once or awaited."""
BatchPolicy = Callable[[list[Turn]], Sequence[str] | Awaitable[Sequence[str]]]
"""Learner that answers the turns of many rollouts together."""
MAX_WORKERS = 256
AT_ONCE = 8


class LiveRollout:
    """Rollout in progress. Its turns come by `next`, or by `async for`."""

    def __init__(self, environment: AsyncEnvironment, number: int, seed: int) -> None:
        self._environment = environment
        self.number = number
        """Number of the rollout in its environment, from 0."""
        self.seed = seed
        self.rollout: Rollout | None = None
        """The finished rollout; None while it is played."""
        self._turns: asyncio.Queue[Turn | None] = asyncio.Queue()
        self._open: dict[int, Turn] = {}
        self._steps: list[Step] = []
        self._ended = asyncio.Event()
        self._changed = asyncio.Event()

    @property
    def open_turns(self) -> list[Turn]:
        """Turns that wait for an answer, in order."""
        return list(self._open.values())

    async def next(self) -> Turn | None:
        """Return the next turn, or None after the end. Several learners may be asked before the first one answers."""
        if self._ended.is_set() and self._turns.empty():
            return None
        return await self._turns.get()

    async def __aiter__(self) -> AsyncIterator[Turn]:
        """Yield the turns until the rollout ends."""
        while (turn := await self.next()) is not None:
            yield turn

    async def answer(self, turn: Turn | int, text: str, calls: Iterable[Mapping[str, Any]] = ()) -> None:
        """Answer a turn.

        Args:
            turn: The turn, or its number.
            text: The learner's text.
            calls: Calls of the turn's tools: `name`, and `arguments` as an object or its JSON text.

        Raises:
            UsageError: The turn waits for no answer, or the answer has another form.
        """
        number = turn.number if isinstance(turn, Turn) else turn
        if number not in self._open:
            waiting = ", ".join(map(str, self._open)) or "none"
            raise UsageError(f"turn {number} of rollout {self.number} waits for no answer; waiting turns: {waiting}")
        if not isinstance(text, str):
            raise UsageError(f"the answer to turn {number} is {type(text).__name__}, not a text: give a string")
        made = tuple(_tool_call(number, place, call) for place, call in enumerate(calls))
        self._steps.append(Step(self._open.pop(number), text, made))
        plain = [{"name": call["name"], "arguments": call["arguments"]} for call in made]
        await self._environment.send(self.number, {"turn": number, "text": text, "calls": plain})

    async def changed(self, timeout_s: float) -> None:
        """Wait until a turn is open or the rollout has ended, at most `timeout_s` seconds of wall time."""
        if self._open or self.rollout is not None:
            return
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                await self._changed.wait()

    async def wait(self) -> Rollout:
        """Return the finished rollout; somebody else answers its turns."""
        await self._ended.wait()
        assert self.rollout is not None
        return self.rollout

    async def abandon(self) -> Rollout:
        """End the rollout early, with status `failed`, and return it."""
        if self.rollout is None:
            await self._environment.send(self.number, {"abandon": True})
        return await self.wait()

    def handle_report(self, report: Mapping[str, Any]) -> None:
        """Handle a report of the rollout's host."""
        self._changed.set()
        if "turn" in report:
            turn = Turn.from_dict({**report["turn"], "rollout": self.number})
            self._open[turn.number] = turn
            self._turns.put_nowait(turn)
        elif self.rollout is None:
            self.rollout = Rollout.from_dict(report["ended"], self._steps)
            self._open.clear()
            self._ended.set()
            self._turns.put_nowait(None)


class AsyncEnvironment:
    """Scenario as an environment for learners, in an event loop. Use as an asynchronous context manager."""

    def __init__(
        self,
        scenario: str | Path,
        contract: str = "none",
        *,
        seats: str | Sequence[str] | None = None,
        partners: Partners | None = None,
        workers: int = 0,
        keep: bool = True,
        **options: Unpack[Options],
    ) -> None:
        """Check the settings; nothing is started or written. The arguments are those of `accord.env`."""
        if not 0 <= workers <= MAX_WORKERS:
            raise UsageError(f"workers: {workers} is not legal; give a number from 0 to {MAX_WORKERS}")
        self.settings, self.seats = learner_settings(scenario, contract, seats, partners, options)
        """Settings of every rollout, with seed 0; and the players whose models are learners."""
        self.players = tuple(load_scenario(str(scenario)).spec.players)
        """All players of the scenario."""
        self.path: Path | None = None
        """Directory of the records; None before the first rollout."""
        self._workers = workers
        self._keep = keep
        self._links: list[Link] = []
        self._load: Counter[int] = Counter()
        self._places: dict[int, int] = {}
        self._open: dict[int, LiveRollout] = {}
        self._begun = 0
        self._seeds: Counter[int] = Counter()
        self._last_seed = -1

    async def __aenter__(self) -> Self:
        """Return the environment."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the environment."""
        await self.close()

    @property
    def open_rollouts(self) -> dict[int, LiveRollout]:
        """Number -> rollout, for rollouts in progress."""
        return dict(self._open)

    async def start(self, seed: int | None = None) -> LiveRollout:
        """Start a rollout and return it.

        Args:
            seed: Seed of all random choices; None for the one after the last.

        Raises:
            UsageError: The seed is no whole number.
            RecordError: The record cannot be written.
        """
        chosen = self._last_seed + 1 if seed is None else seed
        if isinstance(chosen, bool) or not isinstance(chosen, int) or not 0 <= chosen < 2**31:
            raise UsageError(f"seed {chosen!r} is not legal; give a whole number from 0 to {2**31 - 1}")
        self._last_seed = chosen
        directory = self._directory(chosen)
        number, self._begun = self._begun, self._begun + 1
        place = min(range(len(self._links)), key=lambda each: self._load[each])
        episode = self._open[number] = LiveRollout(self, number, chosen)
        self._places[number] = place
        self._load[place] += 1
        await self.send(number, {"seed": chosen, "directory": str(directory)})
        return episode

    async def play(self, policy: Policy, seeds: Iterable[int], *, at_once: int = AT_ONCE) -> list[Rollout]:
        """Play a rollout for each seed and return them in order.

        Args:
            policy: Answers each turn; an asynchronous function may answer several turns at once.
            seeds: Seeds of the rollouts.
            at_once: Maximum number of concurrent rollouts.

        Raises:
            UsageError: `at_once` or a seed is not legal.
        """
        if at_once < 1:
            raise UsageError(f"at_once: {at_once} is not legal; give 1 or more")
        slots = asyncio.Semaphore(at_once)

        async def one(seed: int) -> Rollout:
            async with slots:
                episode = await self.start(seed)
                try:
                    async with asyncio.TaskGroup() as answers:
                        async for turn in episode:
                            answers.create_task(_answered(episode, turn, policy))
                finally:
                    # An error of the policy ends its rollout too.
                    found = await episode.abandon()
                return found

        try:
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(one(seed)) for seed in seeds]
        except BaseExceptionGroup as several:
            raise _first(several) from None
        return [task.result() for task in tasks]

    async def play_batches(self, policy: BatchPolicy, seeds: Iterable[int], *, at_once: int = AT_ONCE) -> list[Rollout]:
        """Play like `play`, with a policy that answers one turn of each concurrent rollout in one call.

        Args:
            policy: Returns one text per turn, in order, such as a batch generation on a GPU.
            seeds: Seeds of the rollouts.
            at_once: Maximum number of concurrent rollouts, which is the size of a batch.

        Raises:
            UsageError: The policy returned another number of texts, or `at_once` or a seed is not legal.
        """
        if at_once < 1:
            raise UsageError(f"at_once: {at_once} is not legal; give 1 or more")
        batch = _Batch(policy)
        waiting, found = list(seeds), dict[int, Rollout]()
        playing: dict[int, tuple[LiveRollout, asyncio.Task[Turn | None]]] = {}
        started = 0
        try:
            while playing or started < len(waiting):
                while started < len(waiting) and len(playing) < at_once:
                    episode = await self.start(waiting[started])
                    playing[started] = (episode, asyncio.create_task(episode.next()))
                    started += 1
                await asyncio.wait([task for _, task in playing.values()])
                asked = {place: (episode, task.result()) for place, (episode, task) in playing.items()}
                turns = {place: (episode, turn) for place, (episode, turn) in asked.items() if turn is not None}
                for place in asked.keys() - turns.keys():
                    found[place] = await playing.pop(place)[0].wait()
                if not turns:
                    continue
                texts = await batch.answer([turn for _, turn in turns.values()])
                for (place, (episode, turn)), text in zip(turns.items(), texts, strict=True):
                    await episode.answer(turn, text)
                    playing[place] = (episode, asyncio.create_task(episode.next()))
        finally:
            for episode, task in playing.values():
                task.cancel()
                await episode.abandon()
        return [found[place] for place in range(len(waiting))]

    async def close(self) -> None:
        """Abandon open rollouts, close all worlds and end the workers."""
        links, self._links = self._links, []
        for link in links:
            await link.close()
        for number in list(self._open):
            self._end(number, "the environment was closed")

    async def send(self, number: int, order: Mapping[str, Any]) -> None:
        """Send an order to the host of a rollout; do nothing if the rollout has ended."""
        if number in self._open:
            await self._links[self._places[number]].send({"rollout": number, **order})

    def _directory(self, seed: int) -> Path:
        """Return the directory of a new rollout's record; open the links first. Raises RecordError."""
        if self.path is None:
            name = load_scenario(self.settings.scenario).spec.name
            self.path = _claim(self.settings.out.expanduser(), f"{name}-env")
        if not self._links:
            self._links = self._opened_links(self.path / "logs")
        self._seeds[seed] += 1
        again = f"-{self._seeds[seed]}" if self._seeds[seed] > 1 else ""
        return self.path / f"seed-{seed}{again}"

    def _opened_links(self, logs: Path) -> list[Link]:
        if not self._workers:
            return [LocalLink(self.settings, logs, self._hear, keep=self._keep)]

        def link(place: int) -> Link:
            folder = logs / f"worker-{place + 1}"
            return WorkerLink(
                self.settings, folder, self._hear, lambda reason: self._lose(place, reason), keep=self._keep
            )

        return [link(place) for place in range(self._workers)]

    def _hear(self, report: Mapping[str, Any]) -> None:
        number = int(report["rollout"])
        episode = self._open.get(number)
        if episode is None:
            return
        if "ended" in report:
            del self._open[number]
            self._load[self._places.pop(number)] -= 1
        episode.handle_report(report)

    def _lose(self, place: int, reason: str) -> None:
        """End the rollouts of a lost worker."""
        for number in [number for number, of in self._places.items() if of == place]:
            self._end(number, reason, "infrastructure")

    def _end(self, number: int, reason: str, status: str = "failed") -> None:
        """End a rollout whose host cannot report its end."""
        seed = self._open[number].seed
        ended = Rollout(seed, status, reason, {}, (), None)
        self._hear({"rollout": number, "ended": ended.to_dict()})


class _Batch:
    """Batch policy with its answers checked; a blocking one is called in a thread of its own."""

    def __init__(self, policy: BatchPolicy) -> None:
        self._policy = policy

    async def answer(self, turns: list[Turn]) -> list[str]:
        if inspect.iscoroutinefunction(self._policy):
            texts = list(await self._policy(turns))
        else:
            found: Any = await asyncio.to_thread(self._policy, turns)
            texts = list(await found if inspect.isawaitable(found) else found)
        if len(texts) != len(turns):
            raise UsageError(f"the policy returned {len(texts)} texts for {len(turns)} turns: give one for each turn")
        return texts


async def _answered(episode: LiveRollout, turn: Turn, policy: Policy) -> None:
    """Answer a turn by a policy."""
    found = policy(turn)
    await episode.answer(turn, await found if inspect.isawaitable(found) else found)


def _first(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """Return the first error in nested groups."""
    error = several.exceptions[0]
    return _first(error) if isinstance(error, BaseExceptionGroup) else error


def _tool_call(turn: int, place: int, call: Mapping[str, Any]) -> dict[str, Any]:
    """Return a tool call with its identifier and its arguments as JSON text. Raises UsageError."""
    name, arguments = (call.get("name"), call.get("arguments", {})) if isinstance(call, Mapping) else (None, None)
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments)
    if not isinstance(name, str) or not isinstance(arguments, str):
        raise UsageError(f"call {place} of the answer to turn {turn} is not legal; give name and arguments")
    return {"id": f"{turn}-{place}", "name": name, "arguments": arguments}


def _claim(out: Path, label: str) -> Path:
    """Return a new directory in `out`, named by the time. Raises RecordError."""
    stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime())
    for number in range(1, 1000):
        directory = out / (f"{stamp}-{label}" + (f"-{number}" if number > 1 else ""))
        try:
            directory.mkdir(parents=True)
        except FileExistsError:
            continue
        except OSError as error:
            raise RecordError(f"cannot write {directory}: {error.strerror}") from None
        return directory
    raise RecordError(f"cannot write {out}: it has 999 environments of this second")
