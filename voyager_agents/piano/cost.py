"""Estimate of a real-time agent's model calls, by module, from its real prompts in a simulated minute.

The lower bound is half the calls of a quiet minute: nobody speaks, acts take long, and slow models are asked less
often. The upper bound is a busy minute, in which somebody speaks every second, acts end soon and every answer changes
something, or the schedule's maximum, if that is higher; and every question takes all its tries.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from typing import Any

from bridge.types import NearPlayer, Sensed
from voyager_agents.asking import MAX_SHOWN, TRIES
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.cost import CallCost, ImaginedRun, Range, Sizing, mean, total
from voyager_agents.index import open_embedding, open_memory_index
from voyager_agents.models import ToolCall
from voyager_agents.piano.agent import PianoAgent
from voyager_agents.piano.agent_skills import AgentSkills
from voyager_agents.piano.modules.trader import AGAIN_S, MARKET
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.sample_letters import market_letter
from voyager_agents.piano.settings import OWN, PianoSettings
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import ANSWER_S, BEAT_S, Act, ActOutcome, HeardWords, Letter
from voyager_agents.skill_library import TOP, Skill, newest

MINUTE_S = 60.0
UNSEEN_TOKENS = 900
"""Assumed tokens of a prompt that did not occur in the simulated minute."""
CITIZEN = "citizen"
"""Role of the modules that answer letters, and the module for letters of an assembly."""
TRADER, POLITY = "trader", "polity"
"""Modules for questions of a market, and of all other institutions."""
LETTERS = 15
"""Maximum number of calls for an assembly's letters."""
LETTER_TOKENS = 2500
"""Tokens of a letter that quotes all feedback."""
TRADER_TRIES = ceil(ANSWER_S / AGAIN_S)
"""Maximum number of times that a trader is asked about one letter."""
MIN_S = {
    "controller": 2.0,
    "talking": 2.0,
    "goal_generation": 8.0,
    "planning": 5.0,
    "social_awareness": 5.0,
    "action_awareness": 1.0,
    "memory": 10.0,
    "skill_execution": 1.0,
}
"""Role -> minimum game seconds between two calls, from the schedule or from the duration of acts."""
_WORDS = "I go to the fields and harvest wheat, so that all of us have bread for the evening."
_SKILL = (
    "async function %s(bot) {\n" + "  await harvestCrop(bot, 'wheat', 4) // and what else a skill does\n" * 15 + "}\n"
)
ANSWERS: dict[str, tuple[dict[str, Any], int]] = {
    "controller": (
        {"why": _WORDS, "doing": "farm", "speak": True, "to": "", "purpose": "tell", "expects": "wheat"},
        90,
    ),
    "talking": ({"text": _WORDS, "voice": "say", "to": ""}, 50),
    "goal_generation": ({"why": _WORDS, "goal": _WORDS}, 60),
    "planning": ({"steps": [_WORDS] * 3}, 120),
    "social_awareness": ({"people": []}, 150),
    "action_awareness": ({"why": _WORDS, "as_expected": True, "avoid": False, "advice": _WORDS}, 80),
    "memory": ({"summary": _WORDS, "importance": 5}, 120),
    "skill_execution": ({"label": "farm", "calls": [{"name": "harvestCrop", "args": ["wheat"]}]}, 150),
}
"""Role -> (valid answer, typical number of tokens of an answer)."""
CALL = ToolCall("call", "harvestCrop", '{"crop": "wheat"}')
"""Valid answer of skill execution by tool calls."""


async def estimate_cost(run: ImaginedRun) -> dict[str, Range]:
    """Return the minimum and maximum calls of one agent in the run, by role."""
    least, most = run.extent
    quiet, busy = await _minute(run, busy=False), await _minute(run, busy=True)
    found = {}
    for role in ANSWERS:
        # Which of the two minutes costs more depends on the role.
        few, many = sorted((quiet[role], busy[role]), key=lambda asked: total(asked).prompt)
        upper = _scaled(many, most, 1.0, int(most / MIN_S[role]) + 2)
        found[role] = (_scaled(few, least, 0.5), _with_corrections(upper))
    modules = {module.name for module in wire(PianoSettings.read(run.context.options)).modules}
    letters = CallCost()
    if CITIZEN in modules:
        # The number of letters is unknown: none to three, each asked about a few times.
        letters = CallCost(LETTERS, LETTERS * LETTER_TOKENS, LETTERS * LETTER_TOKENS // 10)
    if TRADER in modules and (questions := run.civic_questions.get(MARKET, 0)):
        context = run.context
        asked = await _minute(run, busy=False, letters=(market_letter(context.player, context.players),))
        letters = letters.plus(mean(asked[CITIZEN]).times(questions * TRADER_TRIES))
    if POLITY in modules:
        questions = sum(count for part, count in run.civic_questions.items() if part != MARKET)
        letters = letters.plus(CallCost(questions, questions * LETTER_TOKENS, questions * LETTER_TOKENS // 10))
    if letters.calls:
        # Nobody is asked that is not at the market, holds no office and breaks no law, or whom no assembly summons.
        found[CITIZEN] = (CallCost(), _with_corrections(letters))
    return found


def _with_corrections(cost: CallCost) -> CallCost:
    """Return the cost of the questions if each of them takes all tries."""
    corrections = cost.plus(CallCost(0, cost.calls * MAX_SHOWN // CHARS_A_TOKEN, 0))
    return cost.plus(corrections.times(TRIES - 1))


def _scaled(asked: Sequence[CallCost], seconds: int, part: float, calls: int = 0) -> CallCost:
    """Return the fraction `part` of the minute's calls, scaled to `seconds`, but at least `calls` calls."""
    if not asked:
        return CallCost(calls, calls * UNSEEN_TOKENS, calls * UNSEEN_TOKENS // 10)
    count = max(calls, int(len(asked) * seconds / MINUTE_S * part))
    each = mean(asked)
    return each.times(count)


async def ask_for_letter(run: ImaginedRun, letter: Letter) -> None:
    """Let the run's agent ask stand-ins for an answer to a letter, in a quiet minute.

    Args:
        run: Run with agents that have the module for the letter.
        letter: Letter that needs an answer.
    """
    await _minute(run, busy=False, letters=(letter,))


async def _minute(run: ImaginedRun, *, busy: bool, letters: Sequence[Letter] = ()) -> dict[str, list[CallCost]]:
    """Run the agent for a simulated minute, in which letters arrive, and return its calls by role."""
    settings = PianoSettings.read(run.context.options)
    sizings = {role: Sizing(json.dumps(answer), tokens) for role, (answer, tokens) in ANSWERS.items()}
    sizings["skill_execution"].calls = (CALL,)
    if letters:
        sizings[CITIZEN] = Sizing(json.dumps({"why": _WORDS, "answer": _WORDS}), LETTER_TOKENS // 10)
    if not busy:
        sizings["controller"].answer = json.dumps({**ANSWERS["controller"][0], "speak": False})
    context, clock = replace(run.context, model=sizings.get), _Clock()
    persona = context.persona or {"name": context.player, "traits": [], "location_memories": [], "community_goal": ""}
    wiring = wire(settings, thinks=True)
    docs = context.docs or "x" * 20_000  # approximate length of the primitives' documentation
    skills = _skills(settings, busy=busy) if settings.library else None
    agent = PianoAgent(
        context.player,
        wiring,
        settings,
        persona=persona,
        asker=lambda role: context.asker(role) if role in sizings else None,
        by_calls=context.by_calls,
        rules=rules(),
        seed="imagined",
        docs=docs,
        prompts=context.prompts,
        skills=skills,
    )
    with contextlib.suppress(_OverError):
        await agent.live(_Body(context.player, context.players, clock, busy=busy, post=list(letters)), clock)
    return {role: sizing.asked for role, sizing in sizings.items()}


def _skills(settings: PianoSettings, *, busy: bool) -> AgentSkills:
    """Return the library's current skills. For a library of its own, a busy agent gets as many as a prompt shows."""
    if settings.library != OWN:
        skills = newest(Path(settings.library))
    else:
        names = [f"cutWheat{number}" for number in range(TOP if busy else 0)]
        made = [Skill.made(_SKILL % name, name=name, version=1, description=_WORDS, task=_WORDS) for name in names]
        skills = {each.name: each for each in made}
    # The choice of embedding does not change the size of a prompt.
    return AgentSkills(skills, open_memory_index(open_embedding()))


class _OverError(Exception):
    """Signal that the simulated minute is over."""


@dataclass
class _Clock:
    now: float = 0.0

    async def doze(self, seconds: float, name: str) -> None:
        await self.sleep(min(seconds, BEAT_S))

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        for _ in range(3):  # let pending calls finish
            await asyncio.sleep(0)
        if self.now >= MINUTE_S:
            raise _OverError


@dataclass
class _Deed:
    number: int
    act: Act
    began_s: float
    ends_s: float
    clock: _Clock
    printed: Sequence[str] = ('harvestCrop("wheat") returned { harvested: 1, obtained: { wheat: 1 } }',)

    @property
    def outcome(self) -> ActOutcome | None:
        if self.clock.now < self.ends_s:
            return None
        return ActOutcome(self.number, self.act.label, "done", "", self.began_s, self.ends_s, {"wheat": 1})


@dataclass
class _Body:
    name: str
    players: Sequence[str]
    clock: _Clock
    busy: bool
    post: list[Letter]
    doing: _Deed | None = None
    _heard_s: float = 0.0
    noted: list[str] = field(default_factory=list)

    def feel(self) -> Sensed:
        others = [name for name in self.players if name != self.name][:6]
        near = tuple(NearPlayer(number, name, (2.0, 64.0, 2.0), 3.0, None) for number, name in enumerate(others))
        at, items = (0.5 + self.clock.now, 64.0, 0.5), {"bread": 3, "oak_log": 5, "stone_pickaxe": 1}
        return Sensed(self.name, at, 0, 0, 20, 18, items, None, "survival", 0, near, (), (), ())

    def sense(self) -> Sensed:
        return self.feel()

    def hear(self) -> list[HeardWords]:
        others = [name for name in self.players if name != self.name]
        if not self.busy or not others or self.clock.now - self._heard_s < 1:
            return []
        self._heard_s = self.clock.now
        speaker = others[int(self.clock.now) % len(others)]
        return [HeardWords(self.clock.now, speaker, f"{self.name}, {_WORDS}", "say", (2.0, 64.0, 2.0), True)]

    def do(self, act: Act) -> _Deed:
        number = 1 if self.doing is None else self.doing.number + 1
        self.doing = _Deed(number, act, self.clock.now, self.clock.now + (5 if self.busy else 30), self.clock)
        return self.doing

    async def stop(self) -> None:
        self.doing = None

    def say(self, text: str) -> Sequence[str]:
        return []

    def shout(self, text: str) -> Sequence[str]:
        return []

    def whisper(self, to: str, text: str) -> Sequence[str]:
        return []

    def letters(self) -> list[Letter]:
        arrived, self.post = self.post, []
        return arrived

    def answer(self, number: int, text: str) -> None:
        return None

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        self.noted.append(kind)
