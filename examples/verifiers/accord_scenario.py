"""Scenarios of Accord as an environment for verifiers (0.4): tasks are seeds, an episode is a rollout, a seat an agent.

    accord env serve prisoners-dilemma --partner tit-for-tat --repeat 5   # in Accord's Python; prints an address
    pip install ./examples/verifiers                                      # in the Python of verifiers
    ACCORD_ENV_URL=http://127.0.0.1:PORT/TOKEN/ vf-eval accord-scenario --model NAME -n 10 -r 8 --no-push

Accord and verifiers need different versions of the package `openai`, so each lives in an installation of its own, and
this file needs nothing of Accord but the address. An episode starts one rollout. Each learner's seat is an agent with a
trace of its own: its turns are model calls through verifiers, its reward is its payoff, and its measures are metrics.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from types import TracebackType
from typing import Any, Self

import httpx
import verifiers.v1 as vf
from pydantic import Field

__all__ = ["AccordEnv", "AccordHarness", "AccordTaskset"]

ADDRESS = "ACCORD_ENV_URL"
"""Environment variable with the address that `accord env serve` printed. Its token is a secret: no trace has it."""
POLL_S = 0.1
"""Pause before a seat asks again while other seats are to answer, in seconds."""
WAIT_S = 60
"""Maximum wait of a request for a turn, in seconds."""


class AccordServer:
    """Client of `accord env serve`. Use as an asynchronous context manager."""

    def __init__(self) -> None:
        address = os.environ.get(ADDRESS, "")
        if not address.startswith("http"):
            raise vf.EnvError(f"{ADDRESS} is {address!r}: set it to the address that `accord env serve` printed")
        self._client = httpx.AsyncClient(base_url=f"{address.rstrip('/')}/", timeout=2 * WAIT_S)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.aclose()

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the answer to a request. Raises EnvError."""
        try:
            reply = await self._client.request(method, path, json=body)
            found: dict[str, Any] = reply.json()
        except (httpx.HTTPError, ValueError) as error:
            raise vf.EnvError(f"Accord's environment does not answer ({error!r}): is `accord env serve` up?") from None
        if reply.is_error:
            raise vf.EnvError(f"Accord's environment refused {method} {path or '/'}: {found.get('error', found)}")
        return found


class AccordData(vf.TaskData):
    """Rollout of one seed; `seat` and `rollout` are filled in when an episode begins."""

    seed: int
    seat: str = ""
    rollout: int = -1


class AccordTask(vf.Task[AccordData]):
    """Reward and metrics of a finished rollout, for one seat."""

    @vf.reward
    async def payoff(self, task: AccordData, trace: vf.Trace) -> float:
        """Return the seat's payoff in emeralds. Raises TaskError for a rollout that is not complete."""
        found = trace.info["accord"]
        if found["status"] != "complete":
            raise vf.TaskError(f"the rollout of seed {task.seed} is {found['status']}: {found['reason']}")
        return float(found["rewards"][task.seat])

    @vf.metric
    async def measures(self, task: AccordData, trace: vf.Trace) -> dict[str, float]:
        """Return the scenario's measures of the seat, such as `cooperation`."""
        measures = trace.info["accord"]["measures"]
        values = {name: each.get(task.seat) for name, each in measures.items() if isinstance(each, dict)}
        return {name: float(value) for name, value in values.items() if isinstance(value, int | float)}


class AccordTasksetConfig(vf.TasksetConfig):
    """Seeds of the rollouts, under `--env.taskset.*`."""

    first_seed: int = Field(0, ge=0)
    num_seeds: int = Field(100, ge=1)


class AccordTaskset(vf.Taskset[AccordTask, AccordTasksetConfig]):
    """A task for each seed: rollouts of one task differ in the learners' answers alone."""

    def load(self) -> Iterator[AccordTask]:
        """Yield the tasks."""
        first = self.config.first_seed
        for seed in range(first, first + self.config.num_seeds):
            # Verifiers wants a prompt; the harness sends the turns' messages instead.
            data = AccordData(name=f"seed-{seed}", prompt=f"Play the rollout of seed {seed}.", seed=seed)
            yield AccordTask(data, self.config.task)


class AccordHarnessConfig(vf.HarnessConfig):
    """Options of the model calls, under `--env.agent.harness.*`."""

    forms: bool = False
    """Send the JSON schema of the answer, for endpoints that keep to it."""


class AccordHarness(vf.Harness[AccordHarnessConfig]):
    """Loop in this process that answers the turns of one seat by model calls."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self, ctx: vf.ModelContext, trace: vf.Trace, runtime: vf.Runtime, endpoint: str, secret: str,
        mcp_urls: dict[str, str], data: AccordData,
    ) -> vf.ProgramResult:  # fmt: skip
        """Play to the end of the rollout, or until verifiers refuses a model call."""
        path = f"rollouts/{data.rollout}"
        async with AccordServer() as accord, httpx.AsyncClient(timeout=None) as model:
            state = await accord.ask("GET", path)
            while not state["ended"]:
                turn = next((each for each in state["turns"] if each["seat"] == data.seat), None)
                if turn is None:
                    await asyncio.sleep(POLL_S)
                    state = await accord.ask("GET", path)
                    continue
                reply = await model.post(
                    f"{endpoint}/chat/completions", json=self._call(ctx.model, turn),
                    headers={"Authorization": f"Bearer {secret}"},
                )  # fmt: skip
                if reply.is_error:
                    return vf.ProgramResult(1, "", reply.text)
                text = reply.json()["choices"][0]["message"]["content"] or ""
                state = await accord.ask("POST", f"{path}/turns/{turn['number']}", {"text": text})
        result = state["result"]
        trace.info["accord"] = {
            **{name: result[name] for name in ("status", "reason", "rewards", "episodes")},
            "measures": result["result"].get("measures", {}),
        }
        return vf.ProgramResult(0, "", "")

    def _call(self, model: str, turn: dict[str, Any]) -> dict[str, Any]:
        """Return a turn as a model call."""
        if turn["tools"] or any("images" in each for each in turn["messages"]):
            raise vf.HarnessError(f"turn {turn['number']} has tools or images: serve the scenario without them")
        messages = [{"role": each["role"], "content": each["content"]} for each in turn["messages"]]
        call: dict[str, Any] = {"model": model, "messages": messages}
        if self.config.forms and turn["form"]:
            call["response_format"] = {"type": "json_schema", "json_schema": turn["form"]}
        return call


class AccordEnvConfig(vf.EnvConfig):
    """All seats have one policy, the `agent`; its loop needs no container."""

    agent: vf.AgentConfig = vf.AgentConfig(
        harness=AccordHarnessConfig(id="accord-scenario"), runtime=vf.SubprocessConfig()
    )
    max_concurrent_agents: int | None = None
    """No limit: a seat may wait for another one's answer."""


class AccordEnv(vf.Env[AccordEnvConfig]):
    """An episode: one rollout, with a trace for each learner's seat."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        """Start a rollout, let each seat play, and end it."""
        async with AccordServer() as accord:
            seats = (await accord.ask("GET", ""))["seats"]
            number = (await accord.ask("POST", "rollouts", {"seed": task.data.seed, "wait_s": 0}))["rollout"]
            try:
                async with asyncio.TaskGroup() as group:
                    for seat in seats:
                        group.create_task(agents.agent.run(task.with_data(seat=seat, rollout=number)))
            finally:
                await accord.ask("DELETE", f"rollouts/{number}")
