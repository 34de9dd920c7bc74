"""Wrappers that keep words away from agents and judges: the words are recorded, and nobody is shown them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from contracts import Contract, Evidence, Judge, Verdict
from voyager_agents.adversaries.speakers import AgentWrapper
from voyager_agents.agent import Observation
from voyager_agents.realtime_agent import Body, Clock, HeardWords


class QuarantinedAgent(AgentWrapper):
    """Agent that sees nothing of what others say in the game; negotiations and letters reach it."""

    def observe(self, observation: Observation) -> None:
        """Pass on the observation without the chat."""
        if hasattr(self._agent, "observe"):
            self._agent.observe(replace(observation, chat=()))

    async def take_turn(self, turn: Any) -> Any:  # noqa: ANN401 - a turn and a decision of the scenario
        """Return the agent's decision in a turn without words."""
        return await self._agent.take_turn(replace(turn, said=()) if getattr(turn, "said", ()) else turn)

    async def live(self, body: Body, clock: Clock) -> None:
        """Live as the agent does, in a body that hears nothing."""
        await self._agent.live(DeafBody(body), clock)


class DeafBody:
    """Body that hears nothing; all else is as the wrapped body's."""

    def __init__(self, body: Body) -> None:
        self._body = body

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the body's
        """Return the attribute of the wrapped body."""
        return getattr(self._body, name)

    def hear(self) -> list[HeardWords]:
        """Return nothing; the words heard so far are dropped."""
        self._body.hear()
        return []


class QuarantinedJudge:
    """Judge that sees nothing of what players said in the game."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name = judge.name

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the judge's verdict on the evidence without the chat."""
        return await self._judge.judge(contract, replace(evidence, chat=()))
