"""Host of rollouts: plays studies of one run each in this event loop, and turns the learners' model calls into turns.

It exchanges plain messages with an environment, in the same process or over the pipes of a worker
(`accord.training.worker`). Orders start a rollout, answer a turn or abandon a rollout; reports are a turn or an end.
"""

from __future__ import annotations

import asyncio
import shutil
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, TrainerParts, run_study
from accord.studies.world_lifecycle import WarmWorld
from accord.training.turns import Answers, Rollout, turn_of
from common.errors import PrerequisiteError
from dilemmas.errors import DilemmaError
from dilemmas.records.events import EpisodeEnded, LogLine, RoundPlayed
from voyager_agents.models import ToolCall
from voyager_agents.models.learner import LearnerCall, LearnerModel

Report = Callable[[dict[str, Any]], None]
"""Callback that gets each report: `rollout` (its number), and `turn` or `ended`."""


class RolloutHost:
    """Player of rollouts, several at a time, in worlds that stay open between them. Call `close` in the end."""

    def __init__(self, settings: StudySettings, logs: Path, report: Report, *, keep: bool) -> None:
        """Create a host.

        Args:
            settings: Settings of every rollout, except for the seed.
            logs: Folder for the logs of the worlds' processes.
            report: Called with each report.
            keep: True to keep the records of finished rollouts.
        """
        self._settings = settings
        self._plan = StudyPlan.of(settings)
        self._logs = logs
        self._report = report
        self._keep = keep
        self._idle: list[WarmWorld] = []
        self._worlds = 0
        self._open: dict[int, tuple[_Playing, asyncio.Task[None]]] = {}

    def hear(self, order: Mapping[str, Any]) -> None:
        """Handle an order of the environment. Answers to turns of ended rollouts are ignored."""
        number = int(order["rollout"])
        if "seed" in order:
            playing = _Playing(number, self._report)
            work = self._play(playing, int(order["seed"]), Path(order["directory"]))
            self._open[number] = (playing, asyncio.create_task(work, name=f"rollout {number}"))
        elif number in self._open:
            playing, task = self._open[number]
            if "turn" in order:
                playing.answer(int(order["turn"]), str(order["text"]), order.get("calls", ()))
            else:
                task.cancel()

    async def close(self) -> None:
        """Abandon open rollouts and close all worlds."""
        tasks = [task for _, task in self._open.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        worlds, self._idle = self._idle, []
        for world in worlds:
            await world.close()

    async def _play(self, playing: _Playing, seed: int, directory: Path) -> None:
        """Play a rollout and report its end."""
        warm = self._idle.pop() if self._idle else self._new_world()
        whole, status = False, "failed"
        reason: str | None = "abandoned"
        result: dict[str, Any] = {}
        try:
            found = await self._study(playing, seed, directory, warm)
            result = found.results[0] if found.results else {}
            status, reason, whole = found.status, result.get("reason"), True
        except (DilemmaError, PrerequisiteError) as error:
            reason = str(error)
        except Exception as error:  # noqa: BLE001 - a bug ends one rollout, not a training
            reason = repr(error)
        finally:
            del self._open[playing.number]
            if whole:
                self._idle.append(warm)
            else:
                await warm.close()
            if not self._keep:
                shutil.rmtree(directory, ignore_errors=True)
            paid = {name: float(each["payoff"]) for name, each in result.get("players", {}).items() if "payoff" in each}
            ended = Rollout(seed, status, reason, paid, tuple(playing.episodes), self._kept(directory), result)
            self._report({"rollout": playing.number, "ended": ended.to_dict()})

    async def _study(self, playing: _Playing, seed: int, directory: Path, warm: WarmWorld) -> StudyResult:
        return await run_study(
            replace(self._settings, seed=seed),
            listen=playing.hear,
            directory=directory,
            training=TrainerParts(self._plan, LearnerModel(playing.ask), warm),
        )

    def _kept(self, directory: Path) -> Path | None:
        """Return the directory of a record that is kept; None if it is deleted or was never written."""
        return directory if self._keep and directory.is_dir() else None

    def _new_world(self) -> WarmWorld:
        self._worlds += 1
        return WarmWorld(self._logs / f"world-{self._worlds}")


class _Playing:
    """Rollout in progress: its open calls, its learners' answers and its payoffs so far."""

    def __init__(self, number: int, report: Report) -> None:
        self.number = number
        self.episodes: list[dict[str, float]] = []
        """Player -> payoff, for each finished episode."""
        self._report = report
        self._calls: dict[int, LearnerCall] = {}
        self._turns = 0
        self._answers = Answers()
        self._unpaid: dict[str, float] = defaultdict(float)
        """Player -> payoff since its last turn."""
        self._paid: dict[str, float] = defaultdict(float)
        """Player -> payoff of the rounds of the episode so far."""

    def ask(self, call: LearnerCall) -> None:
        """Report a learner's model call as a turn."""
        number, self._turns = self._turns, self._turns + 1
        self._calls[number] = call
        turn = turn_of(number, call, self._answers, self._unpaid.pop(call.player, 0.0))
        self._report({"rollout": self.number, "turn": turn.to_dict()})

    def answer(self, number: int, text: str, calls: Any) -> None:  # noqa: ANN401 - JSON data
        """Answer a turn; do nothing if it was answered already."""
        call = self._calls.pop(number, None)
        if call is None:
            return
        self._answers.add(call.player, text)
        made = [ToolCall(f"{number}-{place}", str(each["name"]), each["arguments"]) for place, each in enumerate(calls)]
        call.reply(text, calls=made)

    def hear(self, line: LogLine) -> None:
        """Count the payoffs of a round of a repeated game, and of a finished episode what its rounds have not paid."""
        if isinstance(line.event, RoundPlayed):
            for name, amount in line.event.payoffs.items():
                self._paid[name] += amount
                self._unpaid[name] += amount
        elif isinstance(line.event, EpisodeEnded):
            payoffs = {name: account.payoff for name, account in line.event.players.items()}
            self.episodes.append(payoffs)
            for name, amount in payoffs.items():
                self._unpaid[name] += amount - self._paid[name]
            self._paid.clear()
