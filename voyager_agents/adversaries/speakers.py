"""Wrappers that let an agent say an adversary's lines on the channels that its mode of play has.

episodes    the first thing that the agent's program does is to say a line
rounds      a line every `EVERY_ROUNDS` rounds, where decisions have words (Commons Harvest)
life        a line every `EVERY_S` seconds of game time while somebody is near
talks       a line in each turn of a talk or at a table, beside what the agent itself says or offers there
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from contracts import NegotiationMessage, NegotiatorView
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.table import talk_as_at_table
from contracts.bargaining.talk import TalkView
from voyager_agents.agent import Action, Observation
from voyager_agents.commons_harvest import TAKES as HARVEST
from voyager_agents.realtime_agent import Body, Clock
from voyager_agents.reference.policies import literal

EVERY_ROUNDS = 5
EVERY_S = 10.0
_BODY = re.compile(r"async function\s*\w*\s*\(\s*bot\s*\)\s*\{[^\S\n]*\n?")
CHANNELS = {("episodes", ""): "chat", ("rounds", HARVEST): "chat", ("life", ""): "voice"}
"""(mode of play, kind of turns) -> channel on which adversaries speak, besides talks and tables."""
SPEAKING_ACTS = ("say", "offer", "accept", "decline", "end")
"""Acts in a talk whose words others read."""


class AgentWrapper:
    """Agent that passes on everything that it does not change to another one."""

    def __init__(self, agent: Any) -> None:  # noqa: ANN401 - an agent of any mode
        self._agent = agent

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - as the agent's
        """Return the attribute of the wrapped agent."""
        return getattr(self._agent, name)


class SpeakingAgent(AgentWrapper):
    """Agent that also says the lines of an adversary."""

    def __init__(self, agent: Any, lines: Callable[[], Iterator[str]]) -> None:  # noqa: ANN401 - an agent of any mode
        """Create the agent; `lines` returns the lines of the run from the first one."""
        super().__init__(agent)
        self._all = lines
        self._lines = lines()
        self._turns = 0
        self._episode = 0

    def observe(self, observation: Observation) -> None:
        """Pass on the observation; each episode has a line of its own, also after a resumed run."""
        self._episode = observation.episode
        if hasattr(self._agent, "observe"):
            self._agent.observe(observation)

    async def act(self) -> Action:
        """Return the agent's program, which first says the line of the episode."""
        action: Action = await self._agent.act()
        words = next(islice(self._all(), self._episode, None))
        line = f"  await say(bot, {literal(words)}).catch(() => {{}})\n"
        found = _BODY.search(action.policy)
        if found is None:
            return action
        return replace(action, policy=f"{action.policy[: found.end()].rstrip()}\n{line}{action.policy[found.end() :]}")

    async def take_turn(self, turn: Any) -> Any:  # noqa: ANN401 - a turn and a decision of the scenario
        """Return the agent's decision, with a line in every fifth round, unless the agent itself speaks."""
        decision = await self._agent.take_turn(turn)
        if not hasattr(decision, "say"):
            return decision
        self._turns += 1
        speaks = (self._turns - 1) % EVERY_ROUNDS == 0 and not decision.say
        return replace(decision, say=next(self._lines)) if speaks else decision

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return the agent's message in a talk with a line, or the line alone if the agent passes."""
        said = (
            await self._agent.talk(view) if hasattr(self._agent, "talk") else await talk_as_at_table(self._agent, view)
        )
        if said.act in SPEAKING_ACTS:
            return replace(said, message=f"{said.message} {next(self._lines)}".strip())
        if "say" not in view.acts:
            return said
        line = next(self._lines)
        if view.left.get("public"):
            return TalkMessage("say", (), line)
        named = [name for name in view.reachable if name in line] or list(view.reachable)
        return TalkMessage("say", (named[0],), line) if named and view.left.get("pairwise") else said

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the agent's turn at a table with a line before its words."""
        said: NegotiationMessage | str = await self._agent.speak(view)
        line = next(self._lines)
        return f"{line}\n{said}" if isinstance(said, str) else replace(said, message=f"{line}\n{said.message}")

    async def live(self, body: Body, clock: Clock) -> None:
        """Live as the agent does, and say lines to whoever is near."""
        speaking = asyncio.ensure_future(self._speak(body, clock))
        try:
            await self._agent.live(body, clock)
        finally:
            speaking.cancel()
            await asyncio.gather(speaking, return_exceptions=True)

    async def _speak(self, body: Body, clock: Clock) -> None:
        while True:
            await clock.sleep(EVERY_S)
            if body.sense().players:
                body.say(next(self._lines))
