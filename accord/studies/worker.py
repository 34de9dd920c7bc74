"""Worker process of a study, which plays the runs that it is ordered to play in its own world.

`accord.studies.workers` starts it and exchanges JSON lines with it: orders arrive on standard input, answers leave on
the original standard output. At the end of the input, the worker ends its run, closes its world and exits. It asks the
study's process for permission before every model call, since the budget is that of the whole study.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO

from accord.studies import worker_process
from accord.studies.runner import Runner, StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.worker_process import KNOWN, Say
from common.lazy_imports import import_object
from common.plugins import add as add_plugin
from dilemmas.records import events as log
from dilemmas.records.events import LogLine
from dilemmas.records.progress_events import ProgressEvent, to_json
from voyager_agents import Budget, BudgetExhausted, Prices
from voyager_agents.budget import Caps, Ticket
from voyager_agents.models import Usage

TOLD = (log.RunStarted, log.RunResumed, log.WorldReady, log.RunEnded)
"""Events forwarded to the study's process; all other events are in the record only."""


class RemoteBudget(Budget):
    """Worker's proxy of the study's budget, which asks before every call and reports its cost afterwards."""

    def __init__(self, caps: Caps, prices: Prices, say: Say, used_s: float) -> None:
        super().__init__(caps, prices, used_s=used_s)
        self._say = say
        self._numbers = itertools.count(1)
        self._asked: dict[int, asyncio.Future[None]] = {}
        self._tickets: dict[int, int] = {}
        """`id` of a ticket -> number of its request."""

    async def ask(self, agent: str, model: str, chars: int) -> Ticket:
        """Return a ticket for a call as `Budget.let` does, once the study's budget allows it."""
        number = next(self._numbers)
        answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._asked[number] = answer
        self._say({"let": number, "agent": agent, "model": model, "chars": chars})
        try:
            await answer
        except asyncio.CancelledError:
            self._say({"done": number, "usage": None})
            raise
        finally:
            del self._asked[number]
        ticket = self._ticket(agent, model, chars)
        self._tickets[id(ticket)] = number
        return ticket

    def answer(self, number: int, refusal: str | None) -> None:
        """Handle the answer of the study's budget to a request; `refusal` is None if the call is allowed."""
        waiting = self._asked.get(number)
        if waiting is None or waiting.done():
            return
        if refusal is None:
            waiting.set_result(None)
        else:
            waiting.set_exception(BudgetExhausted(refusal))

    def done(self, ticket: Ticket, usage: Usage | None) -> float | None:
        """Report the usage of a call to the study's budget; return the price as `Budget.done` does."""
        number = self._tickets.pop(id(ticket))
        self._say({"done": number, "usage": None if usage is None else asdict(usage)})
        price = self.prices.of(ticket.model)
        return None if usage is None or price is None else price.of(usage)


class Worker:
    """Worker that plays the ordered runs until its input ends."""

    def __init__(self, order: dict[str, Any], say: Say) -> None:
        """Set up the study of the first `order`: its settings, directory, factory of worlds and used wall time."""
        self._say = say
        for folder in order["settings"].get("plugins") or ():
            # Trusted, since the study's own process names them and not a record.
            add_plugin(Path(folder))
        plan = StudyPlan.of(StudySettings.from_dict(order["settings"]))
        self._models = plan.open_models(lambda caps, prices: RemoteBudget(caps, prices, say, order["used_s"]))
        study, worlds = Path(order["study"]), import_object(order["worlds"])
        self._models.keep_batches(study)
        self._runner = Runner(
            plan,
            self._models,
            study,
            worlds,
            listen=self._send_line,
            logs=order["logs"],
            watch=self._pass_on,
            anew=order["anew"],
        )
        self._orders: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def serve(self) -> None:
        """Play the ordered runs until cancelled."""
        try:
            while True:
                order = await self._orders.get()
                await self._play((order["run"][0], order["run"][1]), go_on=order["go_on"])
        finally:
            try:
                await self._runner.close()
            finally:
                await self._models.close()

    def hear(self, order: dict[str, Any]) -> None:
        """Handle an order or an answer of the study's process."""
        if "answer" in order:
            budget = self._models.budget
            assert isinstance(budget, RemoteBudget)
            budget.answer(order["answer"], order["refusal"])
        else:
            self._orders.put_nowait(order)

    async def _play(self, run: tuple[str, int], *, go_on: bool) -> None:
        error: dict[str, str] | None = None
        try:
            await self._runner.run(run, go_on=go_on)
        except tuple(KNOWN.values()) as known:
            error = {"kind": type(known).__name__, "text": str(known)}
        except BaseException as other:
            # A bug or a cancellation, which is reported before it ends this process.
            error = {"kind": type(other).__name__, "text": repr(other)}
            raise
        finally:
            self._say({"ended": run, "result": self._runner.results.get(run), "error": error})

    def _pass_on(self, news: ProgressEvent) -> None:
        self._say({"news": to_json(news)})

    def _send_line(self, line: LogLine) -> None:
        if isinstance(line.event, TOLD):
            self._say({"line": line.to_json()})


async def _serve(first: dict[str, Any], orders: BinaryIO, say: Say) -> None:
    worker = Worker(first, say)
    worker_process.listen(orders, worker.hear)
    await worker.serve()


if __name__ == "__main__":
    sys.exit(worker_process.main(_serve))
