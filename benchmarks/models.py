"""Calls of models: how many at once, and what our code costs beyond the bare client, against a local server.

The server runs in a process of its own, so that it takes no time of the client's; both clients ask it in turn, in small
batches, so that a busy machine slows both. Run it on an idle machine: `.venv/bin/python benchmarks/models.py [--json]`.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Awaitable, Callable
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

# As a script this file's own folder comes first, and the file bridge.py in it would hide the package.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import openai

from voyager_agents.models import ChatMessage, Settings
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.openai_chat import OpenAIModel

MESSAGES = [ChatMessage("system", "You write programs. " * 200), ChatMessage("user", "Mine the iron. " * 100)]
PLAIN: list[Any] = [{"role": each.role, "content": each.content} for each in MESSAGES]
SETTINGS = Settings()
AT_ONCE = 500
BATCH = 25
"""Calls of one client before the other has its turn."""
Call = Callable[[], Awaitable[object]]


def serve(out: Connection, over: Event, delay_s: float, text: str) -> None:
    """Answer every call with this text after this time, until `over` is set. The server's process runs this."""

    def respond(_: Request) -> FakeReply:
        return FakeReply(text, delay_s=delay_s)

    async def run() -> None:
        async with FakeServer(respond) as server:
            out.send(server.base_url)
            await asyncio.to_thread(over.wait)
            out.send(server.most_at_once)

    asyncio.run(run())


class Served:
    """A server in a process of its own; a context manager. `most_at_once` is known when it has ended."""

    def __init__(self, delay_s: float, text: str = "fine") -> None:
        context = multiprocessing.get_context("spawn")
        self._over = context.Event()
        self._pipe, out = context.Pipe()
        self._process = context.Process(target=serve, args=(out, self._over, delay_s, text), daemon=True)
        self.most_at_once = 0
        self.base_url = ""

    def __enter__(self) -> Served:
        self._process.start()
        self.base_url = self._pipe.recv()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self.most_at_once = self._pipe.recv()
        self._process.join(10)


def clients(base_url: str) -> tuple[OpenAIModel, openai.AsyncOpenAI, Call, Call]:
    """Our model and the bare client at that endpoint, and one call of each."""
    model = OpenAIModel("fake", base_url=base_url, api_key="none-needed")
    bare = openai.AsyncOpenAI(api_key="none-needed", base_url=base_url, max_retries=0)

    async def ours() -> object:
        return await model.complete(MESSAGES, SETTINGS)

    async def theirs() -> object:
        return await bare.chat.completions.create(model="fake", messages=PLAIN, temperature=0.1, timeout=120)

    return model, bare, ours, theirs


async def timed(call: Call) -> float:
    """Seconds of one call."""
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


async def overhead(base_url: str, rounds: int) -> dict[str, float]:
    """Median milliseconds of a call, one after the other, with ours and with the bare client."""
    model, bare, ours, theirs = clients(base_url)
    try:
        times: dict[str, list[float]] = {"ours": [], "bare": []}
        for _ in range(rounds + 1):
            for name, call in (("ours", ours), ("bare", theirs)):
                times[name] += [await timed(call) for _ in range(BATCH)]
        # The first round of both is for connections and imports.
        medians = {name: statistics.median(each[BATCH:]) * 1000 for name, each in times.items()}
        return {
            "ours_ms": medians["ours"],
            "bare_ms": medians["bare"],
            "overhead_ms": medians["ours"] - medians["bare"],
        }
    finally:
        await model.close()
        await bare.close()


async def rate(call: Call, agents: int, calls: int) -> tuple[float, float]:
    """Calls per second, and milliseconds of CPU a call, of so many agents that each make so many calls, one after the
    other."""

    async def agent() -> None:
        for _ in range(calls):
            await call()

    began, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(agent() for _ in range(agents)))
    made = agents * calls
    return made / (time.perf_counter() - began), (time.process_time() - used) * 1000 / made


async def throughput(base_url: str, agents: int, calls: int) -> dict[str, float]:
    """Calls per second and CPU a call, with ours (aiohttp) and the bare client (httpx2): the better of two turns."""
    model, bare, ours, theirs = clients(base_url)
    try:
        await rate(ours, agents, 1)
        await rate(theirs, agents, 1)
        turns: dict[str, list[tuple[float, float]]] = {"ours": [], "bare": []}
        for _ in range(2):
            turns["ours"].append(await rate(ours, agents, calls))
            turns["bare"].append(await rate(theirs, agents, calls))
        a_second = {name: max(each[0] for each in found) for name, found in turns.items()}
        cpu_ms = {name: min(each[1] for each in found) for name, found in turns.items()}
        return {
            "ours_calls_s": a_second["ours"],
            "bare_calls_s": a_second["bare"],
            "share": a_second["ours"] / a_second["bare"],
            "ours_cpu_ms": cpu_ms["ours"],
            "bare_cpu_ms": cpu_ms["bare"],
        }
    finally:
        await model.close()
        await bare.close()


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--agents", type=int, default=AT_ONCE)
    parser.add_argument("--calls", type=int, default=6, help="calls of each agent at 500 ms latency")
    parser.add_argument("--rounds", type=int, default=20, help=f"rounds of {BATCH} calls for the overhead")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    with Served(0.0) as instant:
        found: dict[str, Any] = asyncio.run(overhead(instant.base_url, asked.rounds))
    with Served(0.5) as slow:
        found |= asyncio.run(throughput(slow.base_url, asked.agents, asked.calls))
    found["at_once"] = slow.most_at_once
    if asked.json:
        json.dump(found, sys.stdout, indent=2)
        print()
        return
    print(
        f"one call        ours {found['ours_ms']:.2f} ms, bare client {found['bare_ms']:.2f} ms: "
        f"{found['overhead_ms']:+.2f} ms (goal <= 1 ms)"
    )
    print(
        f"{asked.agents} agents, 0.5 s latency   ours {found['ours_calls_s']:.0f} calls/s, bare client "
        f"{found['bare_calls_s']:.0f} calls/s: {found['share']:.2f} (goal >= 0.9)"
    )
    print(
        f"CPU a call      ours {found['ours_cpu_ms']:.2f} ms (aiohttp), bare client {found['bare_cpu_ms']:.2f} ms "
        "(httpx2)"
    )
    print(f"calls in flight at once   {found['at_once']} (goal >= 500)")


if __name__ == "__main__":
    main()
